package pte

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/ptero-rt/ptero/internal/flatverify"
	"github.com/stretchr/testify/require"
)

// What the verifier believes must be what the accessors were generated from.
func TestLayoutsMatchTheSchemas(t *testing.T) {
	for file, layout := range map[string]*flatverify.Table{
		"program": programLayout, "bundle": bundleLayout, "tensordata": tensorDataLayout,
	} {
		text, err := os.ReadFile("schema/" + file + ".fbs")
		require.NoError(t, err)
		described := schemaOf(t, string(text))
		seen := map[string]bool{}
		compare(t, file, layout, described, seen)
		for name := range described.tables {
			require.True(t, seen[name], "%s.fbs: table %s is not in the layout", file, name)
		}
		require.Contains(t, string(text), "root_type "+layout.Name+";")
	}
}

type schemaText struct {
	tables map[string][][2]string // name: fields as name and type
	unions map[string][]string
}

func schemaOf(t *testing.T, text string) schemaText {
	text = regexp.MustCompile(`//.*`).ReplaceAllString(text, "")
	s := schemaText{map[string][][2]string{}, map[string][]string{}}
	for _, m := range regexp.MustCompile(`(table|union)\s+(\w+)\s*\{([^}]*)\}`).FindAllStringSubmatch(text, -1) {
		if m[1] == "union" {
			for _, member := range strings.Split(m[3], ",") {
				s.unions[m[2]] = append(s.unions[m[2]], strings.TrimSpace(member))
			}
			continue
		}
		fields := [][2]string{}
		for _, f := range regexp.MustCompile(`(\w+)\s*:\s*(\[?\w+\]?)`).FindAllStringSubmatch(regexp.MustCompile(`\([^)]*\)`).ReplaceAllString(m[3], ""), -1) {
			fields = append(fields, [2]string{f[1], f[2]})
		}
		s.tables[m[2]] = fields
	}
	require.NotEmpty(t, s.tables)
	return s
}

var scalarBytes = map[string]int{"bool": 1, "int8": 1, "uint8": 1, "int32": 4, "uint32": 4, "int64": 8, "uint64": 8, "float64": 8}

func compare(t *testing.T, file string, have *flatverify.Table, s schemaText, seen map[string]bool) {
	if seen[have.Name] {
		return
	}
	seen[have.Name] = true
	fields, ok := s.tables[have.Name]
	require.True(t, ok, "%s.fbs: no table %s", file, have.Name)
	var want []flatverify.Field
	for _, f := range fields {
		name, kind := f[0], f[1]
		element, vector := strings.CutPrefix(strings.TrimSuffix(kind, "]"), "[")
		field := flatverify.Field{Name: name}
		switch {
		case s.unions[kind] != nil:
			want = append(want, flatverify.Field{Name: name + "_type", Kind: flatverify.Scalar, Size: 1})
			field.Kind = flatverify.Union
		case kind == "string":
			field.Kind = flatverify.String
		case vector && scalarBytes[element] > 0:
			field.Kind, field.Size = flatverify.Scalars, scalarBytes[element]
		case vector:
			field.Kind = flatverify.Tables
		case scalarBytes[element] > 0:
			field.Kind, field.Size = flatverify.Scalar, scalarBytes[element]
		default:
			field.Kind = flatverify.Child
		}
		want = append(want, field)
	}
	require.Len(t, have.Fields, len(want), "%s.%s", file, have.Name)
	at := 0
	for _, f := range fields {
		if s.unions[f[1]] != nil {
			at++
		}
		h := have.Fields[at]
		require.Equal(t, want[at].Name, h.Name, "%s.%s", file, have.Name)
		require.Equal(t, want[at].Kind, h.Kind, "%s.%s.%s", file, have.Name, h.Name)
		require.Equal(t, want[at].Size, h.Size, "%s.%s.%s", file, have.Name, h.Name)
		switch h.Kind {
		case flatverify.Child, flatverify.Tables:
			require.Equal(t, strings.Trim(f[1], "[]"), h.Table.Name, "%s.%s.%s", file, have.Name, h.Name)
			compare(t, file, h.Table, s, seen)
		case flatverify.Union:
			require.Equal(t, flatverify.Scalar, have.Fields[at-1].Kind)
			members := s.unions[f[1]]
			require.Len(t, h.Union, len(members)+1)
			for i, m := range members {
				require.Equal(t, m, h.Union[i+1].Name)
				require.NotEmpty(t, h.Union[i+1].Label)
				compare(t, file, h.Union[i+1], s, seen)
			}
		}
		at++
	}
}
