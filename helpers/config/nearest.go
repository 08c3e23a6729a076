package config

// nearest finds the name with the smallest edit distance; the first of equals. Names must not be empty.
func nearest(name string, names []string) string {
	best, least := names[0], distance(name, names[0])
	for _, candidate := range names[1:] {
		if d := distance(name, candidate); d < least {
			best, least = candidate, d
		}
	}
	return best
}

// distance is Levenshtein's: the least number of bytes to insert, delete or replace to turn a into b (V. I. Levenshtein,
// "Binary codes capable of correcting deletions, insertions, and reversals", 1966). It keeps one row of the table:
// before row i is done, row[j] is the distance of a[:i] to b[:j].
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
