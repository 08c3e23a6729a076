package stats

// Bound is a one-sided exact confidence bound.
type Bound struct {
	Value float64
	// Level is the exact confidence, at least 1-alpha: the distribution has
	// steps, so it is seldom met exactly. With ties it is a lower limit of
	// the confidence.
	Level float64
}

// Lower is the lower confidence bound at one-sided alpha: the (c+1)-th
// smallest Walsh average, c being the critical value (HWC 3.3). It is false
// when there are too few differences, see MinPairs.
//
// Ties and zeros need no treatment here: a Walsh average is a value, not a
// rank, and the bound keeps its confidence for symmetric discrete
// differences as well (HWC 3.3).
func (s Sample) Lower(alpha float64) (Bound, bool) {
	c, level, ok := s.critical(alpha)
	if !ok {
		return Bound{}, false
	}
	return Bound{Value: s.walsh[c], Level: level}, true
}

// Upper is the upper confidence bound at one-sided alpha: the (c+1)-th largest
// Walsh average. It is false when there are too few differences.
func (s Sample) Upper(alpha float64) (Bound, bool) {
	c, level, ok := s.critical(alpha)
	if !ok {
		return Bound{}, false
	}
	return Bound{Value: s.walsh[len(s.walsh)-1-c], Level: level}, true
}

// critical is false for an alpha of 0.5 or more as well: lower and upper bound
// would cross.
func (s Sample) critical(alpha float64) (c int, level float64, ok bool) {
	if s.N() == 0 || !(alpha < 0.5) {
		return 0, 0, false
	}
	distribution := untied(s.N())
	c, ok = distribution.Critical(alpha)
	return c, 1 - distribution.AtMost(float64(c)), ok
}
