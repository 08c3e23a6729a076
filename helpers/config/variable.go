package config

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"time"
)

// Variable describes one environment variable for people.
type Variable struct {
	Name    string
	Meaning string
	Default string // what an unset variable means, profile by profile where they differ
	Allowed string // completes "want …"
}

// variable is a Variable with the field of Config it sets.
type variable struct {
	Variable
	field reflect.StructField
}

// Variables lists every variable that Load knows, in the order of Config's fields.
func Variables() []Variable {
	var list []Variable
	for _, v := range variables() {
		list = append(list, v.Variable)
	}
	return list
}

// Markdown is Variables as a table for the README.
func Markdown() string {
	var b strings.Builder
	b.WriteString("| variable | meaning | default | allowed |\n|---|---|---|---|\n")
	for _, v := range Variables() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", v.Name, v.Meaning, v.Default, v.Allowed)
	}
	return b.String()
}

// variables reads the tags of Config.
func variables() []variable {
	var list []variable
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Config]()) {
		name := field.Tag.Get("env")
		if name == "" {
			continue
		}
		list = append(list, variable{
			Variable: Variable{
				Name:    name,
				Meaning: field.Tag.Get("means"),
				Default: unsetMeans(field),
				Allowed: allowed(field),
			},
			field: field,
		})
	}
	return list
}

// ofProfile says whether a field's default comes from the profile, that is, whether it is promoted from the embedded
// one. The profile's own name cannot.
func ofProfile(field reflect.StructField) bool {
	return of[Profile](field) && field.Tag.Get("env") != profileVariable
}

// unsetMeans is the default of a field, in words.
func unsetMeans(field reflect.StructField) string {
	if field.Tag.Get("env") == profileVariable {
		return Profiles[0].Name
	}
	if !ofProfile(field) {
		return field.Tag.Get("envDefault") + field.Tag.Get("unset")
	}
	var parts []string
	differ := false
	for _, p := range Profiles {
		text := format(field, Config{Profile: p})
		if len(parts) > 0 && !strings.HasSuffix(parts[0], " "+text) {
			differ = true
		}
		parts = append(parts, p.Name+" "+text)
	}
	if !differ {
		return format(field, Config{Profile: Profiles[0]})
	}
	return strings.Join(parts, ", ")
}

// allowed completes the sentence "want …" for a field, from its type and tags.
func allowed(field reflect.StructField) string {
	low, high := field.Tag.Get("min"), field.Tag.Get("max")
	switch value := reflect.New(field.Type).Interface().(type) {
	case *int:
		return fmt.Sprintf("a whole number from %s to %s", low, high)
	case *uint64:
		return fmt.Sprintf("a whole number from 0 to %d", uint64(math.MaxUint64))
	case *int64:
		if unit := field.Tag.Get("per"); unit != "" {
			return fmt.Sprintf("a size per second from %s to %s, such as 20MB/%s", low, high, unit)
		}
		return fmt.Sprintf("a size from %s to %s", low, high)
	case *float64:
		return fmt.Sprintf("a number from %s to %s", low, high)
	case *time.Duration:
		return fmt.Sprintf("a duration from %s to %s, such as 30ms", low, high)
	case *bool:
		return "true or false"
	case *string:
		return ruleOf(field).allowed()
	default:
		panic(fmt.Sprintf("config: field %s has type %T, which no parser here knows", field.Name, value))
	}
}
