package config

import (
	"fmt"
	"maps"
	"reflect"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// Setting is one variable as it holds in a run.
type Setting struct {
	Variable string `json:"variable"`
	Value    string `json:"value"`  // can be given to Load again; empty when the variable stands for no value
	Source   string `json:"source"` // "environment", "profile quick", "the suite's own", "default" or "default: built from docker/"
}

// Settings lists what holds in the run and where each value comes from, in the order of Variables. All of them given
// to Load as an environment make the same Config, but for what is private, which is never printed nor kept, and for what
// a suite has no use for. Of a stack of our own and a target, only the one that is measured is described.
func (c Config) Settings() []Setting {
	var list []Setting
	for _, v := range variables() {
		other := ofTarget(v.field)
		if c.HasTarget() {
			other = v.field.Tag.Get("of") == "stack"
		}
		if other || v.field.Tag.Get("private") != "" {
			continue
		}
		s := Setting{Variable: v.Name, Value: format(v.field, c), Source: c.source(v)}
		if other, so := c.replaced(v); so && c.given[v.Name] == "" {
			s.Value, s.Source = "", "not used beside "+other
		}
		if c.unused(v) {
			s.Value = ""
		}
		list = append(list, s)
	}
	return list
}

// Own is the Config of a suite that has values of its own for some settings, which change sets; the zero value means
// that the suite has no use for one. Settings says so.
func (c Config) Own(change func(*Config)) Config {
	changed := c
	change(&changed)
	changed.own = maps.Clone(c.own)
	for _, v := range variables() {
		if format(v.field, changed) != format(v.field, c) {
			if changed.own == nil {
				changed.own = map[string]bool{}
			}
			changed.own[v.Name] = true
		}
	}
	return changed
}

// NoGate is for Own, of a suite that runs no gate: it has no use for the gate's corpus, link, arms, rounds and bounds.
func (c *Config) NoGate() {
	c.CorpusBytes, c.Segments, c.LinkRateBytes, c.LinkFirstByte = 0, 0, 0, 0
	c.SingleStreams, c.MultiStreams, c.Rounds, c.MinSpeedup, c.MinEfficiency = 0, 0, 0, 0, 0
}

// unused says that a suite has no use for a variable.
func (c Config) unused(v variable) bool {
	return c.own[v.Name] && reflect.ValueOf(c).FieldByIndex(v.field.Index).IsZero()
}

// String is Settings as aligned lines, to be printed with the run.
func (c Config) String() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, s := range c.Settings() {
		value := s.Value
		if value == "" {
			value = "-"
		}
		// Writing into a strings.Builder cannot end in an error.
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\n", s.Variable, value, s.Source)
	}
	_ = w.Flush()
	return b.String()
}

// Given says whether the environment set a variable, for a run whose default is not everybody's.
func (c Config) Given(variable string) bool { return c.given[variable] != "" }

// source says where a value comes from.
func (c Config) source(v variable) string {
	switch {
	case c.unused(v):
		return "not used by this suite"
	case c.own[v.Name]:
		return "the suite's own"
	case c.given[v.Name] != "":
		return "environment"
	case ofProfile(v.field):
		return "profile " + c.Profile.Name
	case v.field.Tag.Get("unset") != "":
		return "default: " + v.field.Tag.Get("unset")
	default:
		return "default"
	}
}

// format writes the value of a field as a user would write it in the environment.
func format(field reflect.StructField, c Config) string {
	switch value := reflect.ValueOf(c).FieldByIndex(field.Index).Interface().(type) {
	case int64:
		text := formatSize(value)
		if unit := field.Tag.Get("per"); unit != "" {
			text += "/" + unit
		}
		return text
	case float64:
		return strconv.FormatFloat(value, 'g', -1, 64)
	case time.Duration:
		return value.String()
	default:
		return fmt.Sprint(value)
	}
}

// quote makes a text fit on one line of a message.
func quote(text string) string {
	const most = 120
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return strconv.Quote(text)
}
