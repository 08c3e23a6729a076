package guards

import (
	_ "embed"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/helpers/config"
	"streamgate/helpers/mutation"
)

//go:embed guards.yaml
var list []byte

// leastGuards is how many guards the list had when it was made complete; it only grows.
const leastGuards = 40

func guards(t *testing.T) []mutation.Guard {
	t.Helper()
	all, err := mutation.Guards(list)
	require.NoError(t, err)
	return all
}

func source(t *testing.T, file string) []byte {
	t.Helper()
	root, err := config.Root()
	require.NoError(t, err)
	content, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
	require.NoError(t, err)
	return content
}

// Does each guard of the list still stand in the code, once, and is there the test that must turn
// red? Without this the list would rot until somebody runs it.
func TestListIsOfTheCode(t *testing.T) {
	all := guards(t)
	require.GreaterOrEqual(t, len(all), leastGuards)
	tests := map[string]map[string]bool{}
	for _, g := range all {
		broken, err := g.Apply(source(t, g.File))
		if assert.NoError(t, err) {
			_, err = parser.ParseFile(token.NewFileSet(), g.File, broken, 0)
			assert.NoError(t, err, "%s: the broken file is no Go", g.Guard)
		}
		if tests[g.Package] == nil {
			tests[g.Package] = testsOf(t, g.Package)
		}
		name, _, _ := strings.Cut(g.Test, "/")
		assert.True(t, tests[g.Package][name], "%s: %s has no test %s", g.Guard, g.Package, name)
	}
}

// testsOf are the names of a package's test functions, whatever their build tags.
func testsOf(t *testing.T, path string) map[string]bool {
	t.Helper()
	root, err := config.Root()
	require.NoError(t, err)
	files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(path), "*_test.go"))
	require.NoError(t, err)
	require.NotEmpty(t, files, path)
	names := map[string]bool{}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, declaration := range parsed.Decls {
			if function, ok := declaration.(*ast.FuncDecl); ok && function.Recv == nil {
				names[function.Name.Name] = true
			}
		}
	}
	return names
}
