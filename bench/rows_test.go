package bench

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// rowsOf gives the rows of a table, which spells several of a kind in one line:
//
//	aten::sin|cos.out f32:8 >f32:8       a row for each of the names
//	for T in f16 f64                     the lines up to an empty one, a comment or another for, once with each word in
//	aten::neg.out T:8 >T:8               place of the letter
//	for S D in 8,4 0   4,8 1             two letters that take two words at a time; the word . stands for nothing
//		2,4 0                            more words, after a tab
//	for T U in pairs of f16 f32 f64      all pairs of different words
func rowsOf(t testing.TB, table string) []string {
	var rows, block, letters []string
	var words [][]string // one group for each time that the block is repeated
	end := func() {
		for _, group := range words {
			for _, line := range block {
				rows = append(rows, names(substitute(line, letters, group))...)
			}
		}
		block, letters, words = nil, nil, nil
	}
	for _, line := range strings.Split(strings.ReplaceAll(strings.TrimSpace(table), "\n\t", " "), "\n") {
		switch {
		case line == "" || line[0] == '#':
			end()
		case strings.HasPrefix(line, "for "):
			end()
			head, list, _ := strings.Cut(line, " in ")
			letters = strings.Fields(head)[1:]
			words = groups(t, list, len(letters))
		case letters != nil:
			block = append(block, line)
		default:
			rows = append(rows, names(line)...)
		}
	}
	end()
	return rows
}

// groups cuts a list of words into groups of n.
func groups(t testing.TB, list string, n int) (all [][]string) {
	words, pairs := strings.CutPrefix(list, "pairs of ")
	fields := strings.Fields(words)
	if pairs {
		for _, a := range fields {
			for _, b := range fields {
				if a != b {
					all = append(all, []string{a, b})
				}
			}
		}
		return all
	}
	require.Zero(t, len(fields)%n, list)
	for ; len(fields) > 0; fields = fields[n:] {
		all = append(all, fields[:n])
	}
	return all
}

var letter = regexp.MustCompile(`\b[A-Z]\b`)

func substitute(line string, letters, words []string) string {
	return letter.ReplaceAllStringFunc(line, func(s string) string {
		for i, l := range letters {
			if l == s {
				return strings.TrimSuffix(words[i], ".")
			}
		}
		return s
	})
}

// names gives a row for each name of a line's operator.
func names(line string) (all []string) {
	operator, args, _ := strings.Cut(line, " ")
	space, list, _ := strings.Cut(operator, "::")
	list, overload, _ := strings.Cut(list, ".")
	if !strings.Contains(list, "|") {
		return []string{line}
	}
	for _, name := range strings.Split(list, "|") {
		all = append(all, space+"::"+name+"."+overload+" "+args)
	}
	return all
}

func TestRows(t *testing.T) {
	require.Equal(t, []string{"a::x.out f32:2", "a::y.out f32:2", "a::copy_ i8:4 [0] >i8:", "a::copy_ i16:4 [1] >i16:8", "a::z.Tensor_out f16 f32", "a::z.Tensor_out f32 f16", "a::end"},
		rowsOf(t, `
a::x|y.out f32:2
# a comment
for T D R in i8 0 .
	i16 1 8
a::copy_ T:4 [D] >T:R
for T U in pairs of f16 f32
a::z.Tensor_out T U

a::end
`))
}
