package config

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/distribution/reference"
	"github.com/minio/minio-go/v7/pkg/s3utils"

	"streamgate/helpers/source"
)

// minSegmentBytes is the least text per segment: below it a segment is mostly its fixed overhead of a dozen small
// files, and a layout measures requests instead of bytes.
const minSegmentBytes = 100_000

// rule is what a text must be; texts have no bounds.
type rule struct {
	allowed func() string // completes "want …"
	check   func(value string) error
}

// ruleOf is what the tag `rule` of a field names.
func ruleOf(field reflect.StructField) rule {
	name := field.Tag.Get("rule")
	for _, more := range []map[string]rule{targetRules, scaleRules} {
		if found, ok := more[name]; ok {
			return found
		}
	}
	return rules[name]
}

// rules are the values of the tag `rule`, but for those that only a target or a scale run needs.
var rules = map[string]rule{
	"profile": {
		allowed: func() string { return "one of " + profileNames() },
		check: func(value string) error {
			if _, known := profileNamed(value); !known {
				return errors.New("no such profile")
			}
			return nil
		},
	},
	"scenarios": {
		allowed: func() string { return QuickScenarios + " or " + AllScenarios },
		check: func(value string) error {
			if value != QuickScenarios && value != AllScenarios {
				return errors.New("no such choice")
			}
			return nil
		},
	},
	"path": {
		allowed: func() string { return "a path without control characters" },
		check: func(value string) error {
			if strings.ContainsFunc(value, unicode.IsControl) {
				return errors.New("control character found")
			}
			return nil
		},
	},
	"bucket": {
		allowed: func() string { return "a bucket name of S3: 3 to 63 of a-z, 0-9, '.' and '-'" },
		check:   checkBucket,
	},
	"source": {
		allowed: func() string { return source.Allowed },
		check: func(value string) error {
			if value == "" {
				return nil
			}
			_, err := source.Parse(value)
			return err
		},
	},
	"sources": {
		allowed: func() string { return "versions or sources, separated by commas" },
		check: func(value string) error {
			if value == "" {
				return nil
			}
			_, err := source.ParseList(value)
			return err
		},
	},
	"image": {
		allowed: func() string { return "an image reference such as registry/name:tag" },
		check: func(value string) error {
			if value == "" {
				return nil
			}
			_, err := reference.ParseNormalizedNamed(value)
			return err
		},
	},
}

// checkEach holds every field against its own tags, those from the profile included, and reports one line per fault in
// the order of the fields.
func checkEach(config Config, values map[string]string, unreadable map[string]error) []error {
	var faults []error
	for _, v := range variables() {
		reason, bad := unreadable[v.field.Name]
		if !bad {
			reason = check(v.field, reflect.ValueOf(config).FieldByIndex(v.field.Index))
		}
		if reason == nil {
			continue
		}
		text, set := values[v.Name]
		if !set {
			text = format(v.field, config)
		}
		faults = append(faults, refuse(v, text, reason))
	}
	return faults
}

// refuse is the line about one value. Bounds explain themselves; the rules on texts are many in one, so that their
// reason is told as well.
func refuse(v variable, text string, reason error) error {
	if v.field.Tag.Get("private") == "secret" {
		return fmt.Errorf("%s: want %s (%w)", v.Name, v.Allowed, reason)
	}
	switch v.field.Tag.Get("rule") {
	case "bucket", "image", "source", "sources", "sizes", "streams":
		return fmt.Errorf("%s=%s: want %s (%w)", v.Name, quote(text), v.Allowed, reason)
	}
	return fmt.Errorf("%s=%s: want %s", v.Name, quote(text), v.Allowed)
}

// check holds one value against the tags of its field.
func check(field reflect.StructField, value reflect.Value) error {
	var number float64
	switch {
	case value.Kind() == reflect.String:
		return ruleOf(field).check(value.String())
	case value.CanInt():
		number = float64(value.Int())
	case value.CanFloat():
		number = value.Float()
	default:
		return nil // bool and the seeds: every value they can hold is allowed
	}
	// Every comparison with NaN is false, so that it would pass all bounds.
	if math.IsNaN(number) {
		return errors.New("not a number")
	}
	if low, set := field.Tag.Lookup("min"); set && number < bound(field, low) {
		return errors.New("too small")
	}
	if high, set := field.Tag.Lookup("max"); set && number > bound(field, high) {
		return errors.New("too large")
	}
	return nil
}

// bound reads the text of a `min` or `max` tag in the unit of its field. All whole bounds are far below 2^53, so
// float64 holds them exactly. A tag that cannot be read is a fault of this program and stops it.
func bound(field reflect.StructField, text string) float64 {
	var number float64
	var err error
	switch field.Type {
	case reflect.TypeFor[int64]():
		var bytes int64
		bytes, err = parseSize(text)
		number = float64(bytes)
	case reflect.TypeFor[time.Duration]():
		var duration time.Duration
		duration, err = time.ParseDuration(text)
		number = float64(duration)
	default:
		number, err = strconv.ParseFloat(text, 64)
	}
	if err != nil {
		panic(fmt.Sprintf("config: bound of field %s: %v", field.Name, err))
	}
	return number
}

// checkTogether holds values against each other. STREAMGATE_MULTI_STREAMS may equal STREAMGATE_SINGLE_STREAMS: such a
// run is expected to fail its bound, which is how the gate is shown to be able to fail.
func checkTogether(c Config) []error {
	var faults []error
	if least := minSegmentBytes * int64(c.Segments); c.CorpusBytes < least {
		faults = append(faults, fmt.Errorf("STREAMGATE_CORPUS_SIZE=%q: want at least %s for STREAMGATE_SEGMENTS=%q, %s a segment",
			formatSize(c.CorpusBytes), formatSize(least), strconv.Itoa(c.Segments), formatSize(minSegmentBytes)))
	}
	if c.MultiStreams < c.SingleStreams {
		faults = append(faults, fmt.Errorf("STREAMGATE_MULTI_STREAMS=%q: want at least the STREAMGATE_SINGLE_STREAMS=%q it is compared with",
			strconv.Itoa(c.MultiStreams), strconv.Itoa(c.SingleStreams)))
	}
	faults = append(append(faults, checkReplaced(c)...), checkTarget(c)...)
	return append(faults, checkSources(c)...)
}

// checkBucket refuses what S3 refuses: what minio-go knows, and the beginnings and ends that Amazon keeps for itself
// ("Bucket naming rules" of the Amazon S3 user guide).
func checkBucket(name string) error {
	if err := s3utils.CheckValidBucketNameStrict(name); err != nil {
		return err
	}
	for _, prefix := range []string{"xn--", "sthree-", "amzn-s3-demo-"} {
		if strings.HasPrefix(name, prefix) {
			return fmt.Errorf("names that begin with %s are Amazon's", prefix)
		}
	}
	for _, suffix := range []string{"-s3alias", "--ol-s3", ".mrap", "--x-s3", "--table-s3"} {
		if strings.HasSuffix(name, suffix) {
			return fmt.Errorf("names that end with %s are Amazon's", suffix)
		}
	}
	return nil
}
