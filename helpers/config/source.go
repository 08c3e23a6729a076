package config

import (
	"fmt"

	"streamgate/helpers/source"
)

// Source is the OpenSearch under test.
func (c Config) Source() source.Source {
	if c.OpenSearchImage != "" {
		return source.Source{Kind: source.Image, Value: c.OpenSearchImage}
	}
	return c.sourceOr(c.OpenSearch)
}

// BaseSource is what a comparison holds its candidate against.
func (c Config) BaseSource() source.Source { return c.sourceOr(c.Base) }

// CandidateSource is what a comparison judges.
func (c Config) CandidateSource() source.Source { return c.sourceOr(c.Candidate) }

// VersionSources are those of the matrix, none when there is to be none.
func (c Config) VersionSources() []source.Source {
	if c.Versions == "" {
		return nil
	}
	list, err := source.ParseList(c.Versions)
	if err != nil { // Load has refused it
		panic(fmt.Sprintf("config: %v", err))
	}
	return list
}

func (c Config) sourceOr(text string) source.Source {
	if text == "" {
		return c.Source()
	}
	s, err := source.Parse(text)
	if err != nil { // Load has refused it
		panic(fmt.Sprintf("config: %v", err))
	}
	return s
}

// checkSources refuses releases that are known to be bad.
func checkSources(c Config) []error {
	if c.AllowBad {
		return nil
	}
	var faults []error
	type asked struct {
		variable string
		source   source.Source
	}
	list := []asked{{"STREAMGATE_OPENSEARCH", c.Source()}}
	if c.Base != "" {
		list = append(list, asked{"STREAMGATE_BASE", c.BaseSource()})
	}
	if c.Candidate != "" {
		list = append(list, asked{"STREAMGATE_CANDIDATE", c.CandidateSource()})
	}
	for _, s := range c.VersionSources() {
		list = append(list, asked{"STREAMGATE_VERSIONS", s})
	}
	for _, a := range list {
		if bad := a.source.Release().Bad; bad != "" {
			faults = append(faults, fmt.Errorf("%s=%q: want another release, or STREAMGATE_ALLOW_BAD=true: %s", a.variable, a.source, bad))
		}
	}
	return faults
}
