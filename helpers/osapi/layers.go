package osapi

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"strings"
)

// Layers are the settings of a cluster that somebody has set, by flat name, as they were
// written: a number may be a text, a list stays a list. What is only a default is in none.
type Layers struct {
	Persistent map[string]any `json:"persistent"`
	Transient  map[string]any `json:"transient"`
}

// SetSettings reads what is set whose name begins with prefix.
func (c *Client) SetSettings(ctx context.Context, prefix string) (Layers, error) {
	var all Layers
	if err := c.Do(ctx, http.MethodGet, "/_cluster/settings", url.Values{"flat_settings": {"true"}}, nil, &all); err != nil {
		return Layers{}, fmt.Errorf("read the cluster's settings: %w", err)
	}
	return Layers{Persistent: under(prefix, all.Persistent), Transient: under(prefix, all.Transient)}, nil
}

func under(prefix string, settings map[string]any) map[string]any {
	found := map[string]any{}
	for name, value := range settings {
		if strings.HasPrefix(name, prefix) {
			found[name] = value
		}
	}
	return found
}

// Towards is the update that makes what is set now what it was before: a value that
// differs is written again, one that was not there is null, and what is equal is left out.
func (l Layers) Towards(before Layers) Layers {
	return Layers{
		Persistent: changes(l.Persistent, before.Persistent),
		Transient:  changes(l.Transient, before.Transient),
	}
}

func changes(now, before map[string]any) map[string]any {
	update := map[string]any{}
	for name := range now {
		if _, was := before[name]; !was {
			update[name] = nil
		}
	}
	for name, value := range before {
		if current, is := now[name]; !is || !reflect.DeepEqual(current, value) {
			update[name] = value
		}
	}
	return update
}

// Empty says that there is nothing to update.
func (l Layers) Empty() bool { return len(l.Persistent)+len(l.Transient) == 0 }

// UpdateLayers writes an update as it is; one that is empty is not sent, for OpenSearch
// refuses it.
func (c *Client) UpdateLayers(ctx context.Context, update Layers) error {
	if update.Empty() {
		return nil
	}
	body := map[string]any{}
	if len(update.Persistent) > 0 {
		body["persistent"] = update.Persistent
	}
	if len(update.Transient) > 0 {
		body["transient"] = update.Transient
	}
	return c.Do(ctx, http.MethodPut, "/_cluster/settings", nil, body, nil)
}
