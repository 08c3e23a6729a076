package config

import "fmt"

// replacedBy names, for a variable, the one that is taken instead of it when that one is set.
var replacedBy = map[string]string{
	"STREAMGATE_OPENSEARCH":  "STREAMGATE_OPENSEARCH_IMAGE",
	"STREAMGATE_CORPUS_SEED": "STREAMGATE_CORPUS",
}

// checkReplaced refuses two variables that were both set when only one of them can hold. Both may say the same.
func checkReplaced(c Config) []error {
	var faults []error
	for _, v := range variables() {
		other, set := c.replaced(v)
		if !set || c.given[v.Name] == "" || v.Name == "STREAMGATE_OPENSEARCH" && c.OpenSearch == c.Source().String() {
			continue
		}
		faults = append(faults, fmt.Errorf("%s=%s: want it unset beside %s=%s", other, quote(c.given[other]), v.Name, quote(c.given[v.Name])))
	}
	return faults
}

// replaced says whether the value of another variable is taken instead of v's, and names that variable.
func (c Config) replaced(v variable) (other string, so bool) {
	other, so = replacedBy[v.Name]
	return other, so && c.given[other] != ""
}
