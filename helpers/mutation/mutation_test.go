package mutation

import (
	"context"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const sample = `package sample

import "errors"

type T struct{ n int }

var on = true

func (t *T) add(n int) error {
	if n < 0 || !on {
		return errors.New("negative " + "number")
	}
	t.n += n
	t.n = t.n * 2
	switch {
	case t.n == 7:
		reset(t)
	}
	t.n++
	return nil
}

func reset(t *T) { t.n = 0 }
`

// Is each place of a file found once for each way to break it, with the right text in its place?
func TestMutants(t *testing.T) {
	mutants, err := Mutants("helpers/sample/sample.go", []byte(sample))
	require.NoError(t, err)
	var got []string
	for _, m := range mutants {
		got = append(got, m.String())
		broken := m.Apply([]byte(sample))
		_, err := parser.ParseFile(token.NewFileSet(), "sample.go", broken, 0)
		assert.NoError(t, err, "%s makes:\n%s", m, broken)
		assert.NotEqual(t, sample, string(broken), m)
	}
	assert.Equal(t, []string{
		"helpers/sample/sample.go:7: literal: true -> false",
		"helpers/sample/sample.go:10: emptied: { return errors.New(\"negative \" + \"number\") } -> {}",
		"helpers/sample/sample.go:10: logic: n < 0 || !on -> n < 0 && !on",
		"helpers/sample/sample.go:10: negated: n < 0 -> n >= 0",
		"helpers/sample/sample.go:10: boundary: n < 0 -> n <= 0",
		"helpers/sample/sample.go:10: negated: !on -> on",
		"helpers/sample/sample.go:13: arithmetic: t.n += n -> t.n -= n",
		"helpers/sample/sample.go:13: removed: t.n += n -> _ = n",
		"helpers/sample/sample.go:14: removed: t.n = t.n * 2 -> _ = t.n * 2",
		"helpers/sample/sample.go:14: arithmetic: t.n * 2 -> t.n / 2",
		"helpers/sample/sample.go:16: emptied: case t.n == 7: reset(t) -> ",
		"helpers/sample/sample.go:16: negated: t.n == 7 -> t.n != 7",
		"helpers/sample/sample.go:17: removed: reset(t) -> ",
		"helpers/sample/sample.go:19: removed: t.n++ -> ",
		"helpers/sample/sample.go:19: arithmetic: t.n++ -> t.n--",
		"helpers/sample/sample.go:23: removed: t.n = 0 -> _ = 0",
	}, got)
}

// Does a key survive lines that are put in before it, and tell two equal places apart?
func TestMutantKey(t *testing.T) {
	const twice = "package p\n\nfunc f(a, b bool) bool { return !a || !a && b }\n"
	first, err := Mutants("p.go", []byte(twice))
	require.NoError(t, err)
	moved, err := Mutants("p.go", []byte("package p\n\n// A comment.\n"+twice[len("package p\n"):]))
	require.NoError(t, err)
	keys := map[string]bool{}
	for i := range first {
		assert.Equal(t, first[i].Key(), moved[i].Key())
		assert.NotEqual(t, first[i].Line, moved[i].Line)
		keys[first[i].Key()] = true
	}
	assert.Len(t, keys, len(first))
	assert.Contains(t, keys, "p.go f negated: !a -> a")
	assert.Contains(t, keys, "p.go f negated: !a -> a #2")
}

// Does a run tell a killed mutant from one that lives and from one that does not compile, and does
// it leave the file as it was?
func TestRun(t *testing.T) {
	root := t.TempDir()
	write := func(name, content string) {
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(content), 0o600))
	}
	const code = "package m\n\nfunc Add(a, b int) int { return a + b }\n\nfunc Sub(a, b int) int { return a - b }\n"
	write("go.mod", "module m\n\ngo 1.26\n")
	write("m.go", code)
	write("m_test.go", "package m\n\nimport \"testing\"\n\nfunc TestAdd(t *testing.T) {\n\tt.Run(\"two\", func(t *testing.T) {\n\t\tif Add(1, 2) != 3 {\n\t\t\tt.Fail()\n\t\t}\n\t})\n}\n")
	for _, c := range []struct {
		content string
		want    Fate
		red     []string
	}{
		{code, Lived, nil},
		{"package m\n\nfunc Add(a, b int) int { return a - b }\n", Killed, []string{"TestAdd", "TestAdd/two"}},
		{"package m\n\nfunc Add(a, b int) int { return nothing }\n", NotViable, nil},
	} {
		result, err := Run(t.Context(), root, "m.go", []byte(c.content), time.Minute, "./...")
		require.NoError(t, err)
		assert.Equal(t, c.want, result.Fate, result.Output)
		assert.Equal(t, c.red, RedTests(result.Output))
	}
	left, err := os.ReadFile(filepath.Join(root, "m.go"))
	require.NoError(t, err)
	assert.Equal(t, code, string(left))

	write("m_test.go", "package m\n\nimport (\n\t\"testing\"\n\t\"time\"\n)\n\nfunc TestAdd(t *testing.T) { time.Sleep(time.Minute) }\n")
	_, err = Run(context.Background(), root, "m.go", []byte(code), 3*time.Second, "./...")
	assert.EqualError(t, err, "run a mutant: go test has not ended within 3s")
}

// Is an equivalent mutant refused that has no reason, or that is listed twice?
func TestEquivalents(t *testing.T) {
	reasons, err := Equivalents([]byte("- mutant: \"a.go f negated: a == b -> a != b\"\n  reason: Both return.\n"))
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"a.go f negated: a == b -> a != b": "Both return."}, reasons)
	for content, want := range map[string]string{
		"- mutant: a\n":                                        `"a": want a mutant and a reason`,
		"- mutant: a\n  reason: \" \"\n":                       `"a": want a mutant and a reason`,
		"- mutant: a\n  reason: b\n- mutant: a\n  reason: c\n": `"a" is listed twice`,
		"mutant: a\n":                                          "read equivalent mutants",
	} {
		_, err := Equivalents([]byte(content))
		assert.ErrorContains(t, err, want)
	}
}

// Is a guard broken in the one place that it names, and refused when that place is missing or
// stands there twice?
func TestGuardApply(t *testing.T) {
	const list = "- guard: A sum is a sum.\n  file: m.go\n  find: a + b\n  replace: a - b\n  package: ./m\n  test: TestAdd\n"
	guards, err := Guards([]byte(list))
	require.NoError(t, err)
	require.Equal(t, []Guard{{Guard: "A sum is a sum.", File: "m.go", Find: "a + b", Replace: "a - b", Package: "./m", Test: "TestAdd"}}, guards)
	g := guards[0]
	broken, err := g.Apply([]byte("return a + b"))
	require.NoError(t, err)
	assert.Equal(t, "return a - b", string(broken))
	_, err = g.Apply([]byte("return a - b"))
	assert.ErrorContains(t, err, "0 times, want it once")
	_, err = g.Apply([]byte("a + b + a + b"))
	assert.ErrorContains(t, err, "2 times, want it once")
	g.Replace = g.Find
	_, err = g.Apply([]byte("return a + b"))
	assert.ErrorContains(t, err, "nothing is replaced")

	for content, want := range map[string]string{
		list + list:                `"A sum is a sum." is listed twice`,
		"- guard: g\n  file: f\n":  "guard 1 (g) has no",
		"- guard: g\n  files: f\n": "field files not found",
		"- guard: \" \"\n" + list[len("- guard: A sum is a sum.\n"):]: "has no guard",
	} {
		_, err := Guards([]byte(content))
		assert.ErrorContains(t, err, want)
	}
}
