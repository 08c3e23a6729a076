package config

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/minio/minio-go/v7/pkg/s3utils"
)

// Target is a cluster that is there already and is measured instead of a stack of our own; none without TargetURL.
// The tags are explained at Config.
type Target struct {
	TargetURL         string `env:"STREAMGATE_TARGET" means:"cluster to measure instead of starting one" rule:"address" private:"secret" unset:"a stack of our own"`
	TargetUser        string `env:"STREAMGATE_TARGET_USER" means:"user for the target; with STREAMGATE_TARGET_SIGN an access key of AWS" rule:"word" private:"place" unset:"none"`
	TargetPassword    string `env:"STREAMGATE_TARGET_PASSWORD" means:"password for the target; with STREAMGATE_TARGET_SIGN a secret key of AWS" rule:"word" private:"secret" unset:"none"`
	TargetToken       string `env:"STREAMGATE_TARGET_TOKEN" means:"session token of credentials of AWS that expire" rule:"word" private:"secret" unset:"none"`
	TargetSign        string `env:"STREAMGATE_TARGET_SIGN" means:"sign requests to the target for AWS" rule:"sign" unset:"not signed"`
	TargetCA          string `env:"STREAMGATE_TARGET_CA" means:"file of certificates that the target's must lead to" rule:"path" private:"place" unset:"the system's"`
	TargetNodes       string `env:"STREAMGATE_TARGET_NODES" means:"data nodes of the target that get the primary and the replica" rule:"pair" private:"place" unset:"the first two by name"`
	TargetPrefix      string `env:"STREAMGATE_TARGET_PREFIX" means:"how the names of our indices on the target begin" rule:"prefix" envDefault:"streamgate-"`
	TargetStore       string `env:"STREAMGATE_TARGET_STORE" means:"bucket of the target's remote store, to list what lies in it" rule:"bucketaddress" private:"secret" unset:"not listed"`
	TargetStoreKey    string `env:"STREAMGATE_TARGET_STORE_KEY" means:"access key for STREAMGATE_TARGET_STORE" rule:"word" private:"place" unset:"none"`
	TargetStoreSecret string `env:"STREAMGATE_TARGET_STORE_SECRET" means:"secret key for STREAMGATE_TARGET_STORE" rule:"word" private:"secret" unset:"none"`
}

// prefixPattern keeps an index of ours from being a system index (a dot), a pattern (a star) or an API (an underscore).
var prefixPattern = regexp.MustCompile(`^[a-z][a-z0-9_-]{1,39}$`)

// signPattern is a region and a service.
var signPattern = regexp.MustCompile(`^[a-z0-9-]{2,32}/[a-z0-9-]{2,32}$`)

// targetRules are the rules on the fields of Target; an empty value is none.
var targetRules = map[string]rule{
	"address": {
		allowed: func() string {
			return "an address such as https://search.example.org:9200, without user, password or query"
		},
		check: func(value string) error { return checkAddress(value) },
	},
	"bucketaddress": {
		allowed: func() string { return "an S3 address with a bucket, such as https://s3.example.org/bucket" },
		check:   checkBucketAddress,
	},
	"word": {
		allowed: func() string { return "a text without control characters" },
		check: func(value string) error {
			if strings.ContainsFunc(value, unicode.IsControl) {
				return errors.New("control character found")
			}
			return nil
		},
	},
	"sign": {
		allowed: func() string { return "region and service, such as eu-central-1/es" },
		check:   matching(signPattern),
	},
	"pair": {
		allowed: func() string { return "two names of nodes, separated by a comma" },
		check: func(value string) error {
			primary, replica, found := strings.Cut(value, ",")
			if value != "" && (!found || primary == "" || replica == "" || primary == replica || strings.ContainsAny(value, " *") || strings.Contains(replica, ",")) {
				return errors.New("not two names")
			}
			return nil
		},
	},
	"prefix": {
		allowed: func() string { return "2 to 40 of a-z, 0-9, '-' and '_', beginning with a letter" },
		check:   matching(prefixPattern),
	},
}

func matching(pattern *regexp.Regexp) func(string) error {
	return func(value string) error {
		if value != "" && !pattern.MatchString(value) {
			return errors.New("does not match")
		}
		return nil
	}
}

func checkAddress(value string) error {
	if value == "" {
		return nil
	}
	address, err := url.Parse(value)
	switch {
	case err != nil:
		return errors.New("not an address") // the parser's own words repeat the value
	case address.Scheme != "http" && address.Scheme != "https", address.Host == "":
		return errors.New("not http:// or https:// and a host")
	case address.User != nil || address.RawQuery != "" || address.Fragment != "":
		return errors.New("more than an address")
	}
	return nil
}

func checkBucketAddress(value string) error {
	if err := checkAddress(value); err != nil || value == "" {
		return err
	}
	_, _, bucket := bucketOf(value)
	return s3utils.CheckValidBucketNameStrict(bucket)
}

// bucketOf takes a checked address of a bucket apart.
func bucketOf(value string) (host string, secure bool, bucket string) {
	address, err := url.Parse(value)
	if err != nil { // Load has refused it
		panic(fmt.Sprintf("config: %v", err))
	}
	return address.Host, address.Scheme == "https", strings.Trim(address.Path, "/")
}

// HasTarget says whether a cluster is measured that is there already.
func (c Config) HasTarget() bool { return c.TargetURL != "" }

// Signing is the region and the service to sign for; empty when requests are not signed.
func (t Target) Signing() (region, service string) {
	region, service, _ = strings.Cut(t.TargetSign, "/")
	return region, service
}

// Nodes are the names of the nodes for the primary and the replica; empty when nobody chose.
func (t Target) Nodes() (primary, replica string) {
	primary, replica, _ = strings.Cut(t.TargetNodes, ",")
	return primary, replica
}

// Store is where the target's store answers, and its bucket; an empty host when it is not to be listed.
func (t Target) Store() (host string, secure bool, bucket string) {
	if t.TargetStore == "" {
		return "", false, ""
	}
	return bucketOf(t.TargetStore)
}

// checkTarget holds the variables of a target against each other, and against those that describe a stack of our own
// and would be passed over in silence.
func checkTarget(c Config) []error {
	if !c.HasTarget() {
		return wantTarget(c)
	}
	return append(append(checkCredentials(c.Target), checkTransport(c.Target)...), passedOver(c)...)
}

func wanted(variable, want string) error { return fmt.Errorf("%s: want %s", variable, want) }

// checkCredentials wants those that belong together.
func checkCredentials(t Target) []error {
	var faults []error
	switch {
	case t.TargetSign != "" && (t.TargetUser == "" || t.TargetPassword == ""):
		faults = append(faults, wanted("STREAMGATE_TARGET_SIGN", "an access key in STREAMGATE_TARGET_USER and a secret key in STREAMGATE_TARGET_PASSWORD beside it"))
	case (t.TargetUser == "") != (t.TargetPassword == ""):
		faults = append(faults, wanted("STREAMGATE_TARGET_USER", "it and STREAMGATE_TARGET_PASSWORD both, or neither"))
	}
	if t.TargetToken != "" && t.TargetSign == "" {
		faults = append(faults, wanted("STREAMGATE_TARGET_TOKEN", "STREAMGATE_TARGET_SIGN beside it"))
	}
	store := []string{t.TargetStore, t.TargetStoreKey, t.TargetStoreSecret}
	if strings.Join(store, "") != "" && slices.Contains(store, "") {
		faults = append(faults, wanted("STREAMGATE_TARGET_STORE", "it, STREAMGATE_TARGET_STORE_KEY and STREAMGATE_TARGET_STORE_SECRET all, or none"))
	}
	return faults
}

// checkTransport keeps a password off an open line.
func checkTransport(t Target) []error {
	address, err := url.Parse(t.TargetURL)
	if err != nil || address.Scheme != "http" {
		return nil
	}
	var faults []error
	if t.TargetCA != "" {
		faults = append(faults, wanted("STREAMGATE_TARGET_CA", "an https:// address in STREAMGATE_TARGET"))
	}
	ip := net.ParseIP(address.Hostname())
	stays := ip != nil && ip.IsLoopback()
	if t.TargetPassword != "" && t.TargetSign == "" && !stays {
		faults = append(faults, wanted("STREAMGATE_TARGET", "an https:// address, or the password would travel in the open"))
	}
	return faults
}

// wantTarget refuses variables of a target where there is none.
func wantTarget(c Config) []error {
	var faults []error
	for _, v := range variables() {
		if ofTarget(v.field) && v.field.Tag.Get("envDefault") == "" && c.given[v.Name] != "" {
			faults = append(faults, wanted(v.Name, "STREAMGATE_TARGET beside it"))
		}
	}
	return faults
}

// passedOver refuses what was asked of a stack of our own. A value that is the default asks for nothing.
func passedOver(c Config) []error {
	usual := Config{Profile: c.Profile}
	if p, known := profileNamed(c.Profile.Name); known {
		usual.Profile = p
	}
	if _, err := parse(&usual, map[string]string{}); err != nil {
		return []error{err}
	}
	var faults []error
	for _, v := range variables() {
		if v.field.Tag.Get("of") == "stack" && format(v.field, c) != format(v.field, usual) {
			faults = append(faults, fmt.Errorf("%s=%s: want it unset beside STREAMGATE_TARGET: it describes a stack of our own", v.Name, quote(format(v.field, c))))
		}
	}
	return faults
}

// ofTarget says whether a field describes a target.
func ofTarget(field reflect.StructField) bool { return of[Target](field) }

// of says whether a field is promoted from the embedded struct T.
func of[T any](field reflect.StructField) bool {
	return len(field.Index) > 1 && reflect.TypeFor[Config]().Field(field.Index[0]).Type == reflect.TypeFor[T]()
}
