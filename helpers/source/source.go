// Package source says where an OpenSearch under test comes from: one syntax for all ways, and one
// table of what is known about each release.
//
//	maven:3.8.0       built from its artifacts on Maven Central
//	official:2.19.3   the published image with its S3 plugin put in; needs an image registry
//	dist:PATH         a distribution of OpenSearch's own build: an archive or an unpacked folder
//	image:REF         an image that is taken as it is
//
// Nothing here looks at the world: a source is text that has been read and held against the table.
// How an image is made from it is fixtures/images' matter. It lies below helpers/config, which has
// to refuse a bad source before anything starts.
package source

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/distribution/reference"
)

// Kind is a way to come by an OpenSearch.
type Kind string

// The kinds there are.
const (
	Maven    Kind = "maven"
	Official Kind = "official"
	Dist     Kind = "dist"
	Image    Kind = "image"
)

// Store is what nodes keep their remote store in, as OpenSearch calls the type of a repository.
type Store string

// The stores there are.
const (
	S3     Store = "s3"
	Folder Store = "fs"
)

// Allowed completes "want …" for a source.
const Allowed = "maven:VERSION, official:VERSION, dist:PATH or image:REF"

// Default is what is judged when nothing else is asked for.
var Default = Source{Maven, "3.8.0"}

// Source is one OpenSearch.
type Source struct {
	Kind Kind
	// Value is a version, a path or an image reference, by kind.
	Value string
}

// String is the source as Parse reads it.
func (s Source) String() string { return string(s.Kind) + ":" + s.Value }

// Parse reads a source and holds it against the table. Its errors complete "want …: ".
func Parse(text string) (Source, error) {
	kind, value, found := strings.Cut(text, ":")
	s := Source{Kind(kind), value}
	switch {
	case !found:
		return Source{}, errors.New("no kind before a colon")
	case value == "":
		return Source{}, fmt.Errorf("nothing after the colon of %s", kind)
	case strings.ContainsFunc(value, unicode.IsControl):
		return Source{}, errors.New("control character found")
	}
	switch s.Kind {
	case Maven, Official:
		return s, s.checkRelease()
	case Image:
		if _, err := reference.ParseNormalizedNamed(value); err != nil {
			return Source{}, err
		}
		return s, nil
	case Dist:
		return s, nil
	default:
		return Source{}, fmt.Errorf("%q is no kind", kind)
	}
}

// ParseList reads sources separated by commas; one without a kind is a version on Maven Central.
func ParseList(text string) ([]Source, error) {
	var list []Source
	for _, part := range strings.Split(text, ",") {
		part = strings.TrimSpace(part)
		if part != "" && !strings.Contains(part, ":") {
			part = string(Maven) + ":" + part
		}
		s, err := Parse(part)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", part, err)
		}
		if slices.Contains(list, s) {
			return nil, fmt.Errorf("%s is there twice", s)
		}
		list = append(list, s)
	}
	return list, nil
}

// Release is what the table knows of the source; a folder or an image may be anything, and is
// taken for the newest.
func (s Source) Release() Release {
	for _, r := range Releases {
		if (s.Kind == Maven || s.Kind == Official) && r.Version == s.Value {
			return r
		}
	}
	newest := Releases[len(Releases)-1]
	newest.Version, newest.Bad = "", ""
	return newest
}

// Store is S3, but for a release that comes without the plugin for it.
func (s Source) Store() Store {
	if release := s.Release(); s.Kind == Maven && release.Folder && !release.Published {
		return Folder
	}
	return S3
}

// checkRelease refuses a version that is not in the table, or not to be had in this way.
func (s Source) checkRelease() error {
	var known []string
	for _, r := range Releases {
		if s.Kind == Official || r.Published || r.Folder {
			known = append(known, r.Version)
		}
	}
	if slices.Contains(known, s.Value) {
		return nil
	}
	if s.Kind == Maven && slices.ContainsFunc(Releases, func(r Release) bool { return r.Version == s.Value }) {
		return fmt.Errorf("the S3 plugin of %s is not on Maven Central, official:%s has it; known are %s", s.Value, s.Value, strings.Join(known, ", "))
	}
	return fmt.Errorf("version is not known; known are %s", strings.Join(known, ", "))
}
