package osapi_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/helpers/osapi"
)

// Which update makes settings what they were? Each way in which now can differ from before, in
// either layer; the two never mix.
func TestTowards(t *testing.T) {
	type settings = map[string]any
	for _, c := range []struct {
		name              string
		now, before, want settings
	}{
		{"equal", settings{"a": "1", "list": []any{"x", "y"}}, settings{"a": "1", "list": []any{"x", "y"}}, settings{}},
		{"changed", settings{"a": "2"}, settings{"a": "1"}, settings{"a": "1"}},
		{"added", settings{"a": "1", "b": "2"}, settings{"a": "1"}, settings{"b": nil}},
		{"taken away", settings{}, settings{"a": "1"}, settings{"a": "1"}},
		{"a list in another order", settings{"list": []any{"y", "x"}}, settings{"list": []any{"x", "y"}}, settings{"list": []any{"x", "y"}}},
		{"nothing was set", nil, nil, settings{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			untouched := settings{"other": "1"}
			persistent := osapi.Layers{Persistent: c.now, Transient: untouched}.Towards(osapi.Layers{Persistent: c.before, Transient: untouched})
			assert.Equal(t, osapi.Layers{Persistent: c.want, Transient: settings{}}, persistent)
			transient := osapi.Layers{Transient: c.now}.Towards(osapi.Layers{Transient: c.before})
			assert.Equal(t, osapi.Layers{Persistent: settings{}, Transient: c.want}, transient)
			assert.Equal(t, len(c.want) == 0, transient.Empty())
		})
	}
}

// What of the settings that OpenSearch 3.8.0 gave is read under a prefix, and what is sent back?
// The layers stay apart, a null is sent as one, and nothing is sent when there is nothing.
func TestLayersOverTheWire(t *testing.T) {
	const recorded = `{"persistent":{"cluster.max_shards_per_node":"900","indices.recovery.max_bytes_per_sec":"30mb"},` +
		`"transient":{"indices.recovery.max_concurrent_file_chunks":"3"}}`
	client, node := saying(t, recorded)
	got, err := client.SetSettings(t.Context(), "indices.recovery.")
	require.NoError(t, err)
	assert.Equal(t, osapi.Layers{
		Persistent: map[string]any{"indices.recovery.max_bytes_per_sec": "30mb"},
		Transient:  map[string]any{"indices.recovery.max_concurrent_file_chunks": "3"},
	}, got)
	assert.Equal(t, request{"GET", "/_cluster/settings", url.Values{"flat_settings": {"true"}}, "", ""}, node.only(t))

	client, node = saying(t, `{"acknowledged":true,"persistent":{},"transient":{}}`)
	require.NoError(t, client.UpdateLayers(t.Context(), osapi.Layers{}))
	assert.Empty(t, node.asked())
	require.NoError(t, client.UpdateLayers(t.Context(), osapi.Layers{Transient: map[string]any{"indices.recovery.x": nil}}))
	assert.Equal(t, request{"PUT", "/_cluster/settings", url.Values{}, "application/json", `{"transient":{"indices.recovery.x":null}}`}, node.only(t))
}

// Is what mappings carry read by index, with and without anything there? As 3.8.0 answered.
func TestMetas(t *testing.T) {
	client, node := saying(t, `{"a-1":{"mappings":{"dynamic":"strict","_meta":{"streamgate":{"run":"a"}},"properties":{"a":{"type":"keyword"}}}},"a-2":{"mappings":{}}}`)
	metas, err := client.Metas(t.Context(), "a-*")
	require.NoError(t, err)
	require.Len(t, metas, 2)
	assert.JSONEq(t, `{"streamgate":{"run":"a"}}`, string(metas["a-1"]))
	assert.Empty(t, metas["a-2"])
	assert.Equal(t, "/a-*/_mapping", node.only(t).path)

	client, _ = saying(t, `{}`)
	metas, err = client.Metas(t.Context(), "nosuch")
	require.NoError(t, err)
	assert.Empty(t, metas)

	client, node = saying(t, `{"acknowledged":true}`)
	require.NoError(t, client.SetMeta(t.Context(), "a-1", map[string]int{"x": 1}))
	assert.Equal(t, request{http.MethodPut, "/a-1/_mapping", url.Values{}, "application/json", `{"_meta":{"x":1}}`}, node.only(t))
}
