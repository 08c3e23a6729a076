package config

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

const (
	// maxScale bounds each list of a scale run: the product of the two is what has to be measured.
	maxScale = 8
	// maxScaleStreams is how wide a stack's nodes make their pool: beyond it fewer streams would
	// run than were asked for.
	maxScaleStreams = 32

	minScaleBytes, maxScaleBytes int64 = 1_000_000, 1_000_000_000_000
)

// scaleRules are the values of the tag `rule` for the two lists of a scale run.
var scaleRules = map[string]rule{
	"sizes": {
		allowed: func() string {
			return fmt.Sprintf("up to %d sizes from %s to %s, rising, separated by commas", maxScale, formatSize(minScaleBytes), formatSize(maxScaleBytes))
		},
		check: func(value string) error {
			_, err := parseSizes(value)
			return err
		},
	},
	"streams": {
		allowed: func() string {
			return fmt.Sprintf("up to %d whole numbers from 1 to %d, rising, separated by commas", maxScale, maxScaleStreams)
		},
		check: func(value string) error {
			_, err := parseStreams(value)
			return err
		},
	},
}

// ScaleSizesBytes are the corpus sizes of a scale run, rising.
func (c Config) ScaleSizesBytes() []int64 { return accepted(parseSizes(c.ScaleSizes)) }

// ScaleStreamCounts are the numbers of streams of a scale run, rising.
func (c Config) ScaleStreamCounts() []int { return accepted(parseStreams(c.ScaleStreams)) }

// accepted is a list that Load has checked; an error is a fault of this program.
func accepted[T any](list []T, err error) []T {
	if err != nil {
		panic(fmt.Sprintf("config: %v", err))
	}
	return list
}

func parseSizes(text string) ([]int64, error) {
	return rising(text, minScaleBytes, maxScaleBytes, parseSize)
}

func parseStreams(text string) ([]int, error) {
	return rising(text, 1, maxScaleStreams, strconv.Atoi)
}

// rising reads a list of numbers between two bounds, each above the one before it.
func rising[N int | int64](text string, low, high N, parse func(string) (N, error)) ([]N, error) {
	parts := strings.Split(text, ",")
	if len(parts) > maxScale {
		return nil, fmt.Errorf("%d of them", len(parts))
	}
	var list []N
	for _, part := range parts {
		number, err := parse(strings.TrimSpace(part))
		switch {
		case err != nil:
			return nil, fmt.Errorf("cannot be read: %s", quote(part))
		case number < low || number > high:
			return nil, fmt.Errorf("out of bounds: %s", quote(part))
		case len(list) > 0 && number <= list[len(list)-1]:
			return nil, errors.New("not rising")
		}
		list = append(list, number)
	}
	return list, nil
}
