package mutation

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
)

// opposite, neighbour and other are what an operator becomes.
var (
	opposite = map[token.Token]token.Token{
		token.EQL: token.NEQ, token.NEQ: token.EQL,
		token.LSS: token.GEQ, token.GEQ: token.LSS, token.GTR: token.LEQ, token.LEQ: token.GTR,
	}
	neighbour = map[token.Token]token.Token{
		token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	}
	other = map[token.Token]token.Token{
		token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL, token.REM: token.MUL,
		token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN,
		token.MUL_ASSIGN: token.QUO_ASSIGN, token.QUO_ASSIGN: token.MUL_ASSIGN,
		token.INC: token.DEC, token.DEC: token.INC,
	}
	logic = map[token.Token]token.Token{token.LAND: token.LOR, token.LOR: token.LAND}
)

// Mutants finds every place of a file that can be broken, in the file's order. Some of them do not
// compile, such as a removed assignment that was a variable's only use: they are found out when
// they are run.
func Mutants(file string, source []byte) ([]Mutant, error) {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("find mutants: %w", err)
	}
	f := finder{file: file, source: source, set: set, seen: map[string]int{}}
	for _, declaration := range parsed.Decls {
		f.function = nameOf(declaration)
		ast.Inspect(declaration, f.visit)
	}
	return f.mutants, nil
}

// nameOf is a function's name, with its receiver's type before it.
func nameOf(declaration ast.Decl) string {
	function, ok := declaration.(*ast.FuncDecl)
	if !ok {
		return ""
	}
	if function.Recv == nil || len(function.Recv.List) == 0 {
		return function.Name.Name
	}
	receiver := function.Recv.List[0].Type
	for {
		switch t := receiver.(type) {
		case *ast.StarExpr:
			receiver = t.X
		case *ast.IndexExpr:
			receiver = t.X
		case *ast.Ident:
			return t.Name + "." + function.Name.Name
		default:
			return function.Name.Name
		}
	}
}

type finder struct {
	file, function string
	source         []byte
	set            *token.FileSet
	seen           map[string]int
	mutants        []Mutant
}

func (f *finder) visit(node ast.Node) bool {
	switch n := node.(type) {
	case *ast.BinaryExpr:
		f.binary(n)
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			f.add(Negated, n, f.text(n.X))
		}
	case *ast.Ident:
		switch n.Name {
		case "true":
			f.add(Literal, n, "false")
		case "false":
			f.add(Literal, n, "true")
		}
	case *ast.ExprStmt:
		if _, call := n.X.(*ast.CallExpr); call {
			f.add(Removed, n, "")
		}
	case *ast.AssignStmt:
		f.assignment(n)
	case *ast.IncDecStmt:
		f.add(Removed, n, "")
		f.swap(Arithmetic, n, n.TokPos, n.Tok, other[n.Tok])
	case *ast.IfStmt:
		f.empty(n.Body)
	case *ast.CaseClause:
		f.emptyCase(n)
	case *ast.GenDecl:
		return n.Tok != token.IMPORT
	}
	return true
}

func (f *finder) binary(n *ast.BinaryExpr) {
	if to, ok := opposite[n.Op]; ok {
		f.swap(Negated, n, n.OpPos, n.Op, to)
	}
	if to, ok := neighbour[n.Op]; ok {
		f.swap(Boundary, n, n.OpPos, n.Op, to)
	}
	if to, ok := logic[n.Op]; ok {
		f.swap(Logic, n, n.OpPos, n.Op, to)
	}
	if to, ok := other[n.Op]; ok && !hasText(n) {
		f.swap(Arithmetic, n, n.OpPos, n.Op, to)
	}
}

// hasText tells of a sum that joins strings, as far as the syntax shows it.
func hasText(n ast.Expr) bool {
	switch e := n.(type) {
	case *ast.BasicLit:
		return e.Kind == token.STRING
	case *ast.BinaryExpr:
		return e.Op == token.ADD && (hasText(e.X) || hasText(e.Y))
	}
	return false
}

// assignment takes the assignment out and keeps what is assigned, so that variables stay used.
func (f *finder) assignment(n *ast.AssignStmt) {
	if to, ok := other[n.Tok]; ok && !hasText(n.Rhs[0]) {
		f.swap(Arithmetic, n, n.TokPos, n.Tok, to)
	}
	if n.Tok == token.DEFINE || len(n.Lhs) == 0 {
		return
	}
	for _, left := range n.Lhs {
		if name, ok := left.(*ast.Ident); ok && name.Name == "_" {
			return // it assigns nothing already
		}
	}
	blanks := "_"
	for range n.Lhs[1:] {
		blanks += ", _"
	}
	right := f.source[f.offset(n.Rhs[0].Pos()):f.offset(n.Rhs[len(n.Rhs)-1].End())]
	f.add(Removed, n, blanks+" = "+string(right))
}

func (f *finder) empty(body *ast.BlockStmt) {
	if len(body.List) > 0 {
		f.add(Emptied, body, "{}")
	}
}

func (f *finder) emptyCase(n *ast.CaseClause) {
	if len(n.Body) == 0 {
		return
	}
	f.addSpan(Emptied, f.offset(n.Body[0].Pos()), f.offset(n.Body[len(n.Body)-1].End()), n.Pos(),
		f.text(n), "")
}

// swap replaces an operator inside a node.
func (f *finder) swap(kind Kind, node ast.Node, at token.Pos, from, to token.Token) {
	start, end := f.offset(node.Pos()), f.offset(node.End())
	operator := f.offset(at)
	replacement := string(f.source[start:operator]) + to.String() + string(f.source[operator+len(from.String()):end])
	f.addSpan(kind, start, end, at, string(f.source[start:end]), replacement)
}

func (f *finder) add(kind Kind, node ast.Node, replacement string) {
	f.addSpan(kind, f.offset(node.Pos()), f.offset(node.End()), node.Pos(), f.text(node), replacement)
}

func (f *finder) addSpan(kind Kind, start, end int, at token.Pos, before, replacement string) {
	m := Mutant{
		File: f.file, Func: f.function, Line: f.set.Position(at).Line, Kind: kind,
		Before: oneLine(before), After: oneLine(replacement), Nth: 1,
		start: start, end: end, replacement: replacement,
	}
	key := m.Key()
	f.seen[key]++
	m.Nth = f.seen[key]
	f.mutants = append(f.mutants, m)
}

func (f *finder) offset(at token.Pos) int { return f.set.Position(at).Offset }

func (f *finder) text(node ast.Node) string {
	return string(f.source[f.offset(node.Pos()):f.offset(node.End())])
}
