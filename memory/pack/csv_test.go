package pack_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/memory/pack"
)

func TestReadCSV(t *testing.T) {
	buffers, err := pack.ReadCSV(strings.NewReader("size, upper,ID,lower,alignment\n16,5,a,-2,4\r\n\n0,3,\"b,c\",2,1\n"))
	require.NoError(t, err)
	require.Equal(t, []pack.Buffer{
		{ID: "a", Live: []pack.Interval{{Lower: -2, Upper: 5}}, Size: 16, Align: 4},
		{ID: "b,c", Live: []pack.Interval{{Lower: 2, Upper: 3}}, Align: 1},
	}, buffers)
}

func TestReadCSVErrors(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "line 1: want a header"},
		{"missing column", "id,lower,upper\n", `line 1: want a column "size"`},
		{"unknown column", "id,lower,upper,size,hint\n", `line 1, column 21: header "hint": want one of id, lower, upper, size, alignment`},
		{"twice", "id,lower,upper,size,id\n", `line 1, column 21: header "id": there already is one`},
		{"short row", "id,lower,upper,size\na,1,2\n", "line 2: want 4 fields, have 3"},
		{"not a number", "id,lower,upper,size\na,1,2,3\nb,1,x,3\n", `line 3, column 5: upper "x": want an integer of 64 bits`},
		{"too large", "id,lower,upper,size\na,1,2,9223372036854775808\n", `line 2, column 7: size "9223372036854775808"`},
		{"negative size", "id,lower,upper,size\na,1,2,-3\n", "line 2, column 7: size -3: want 0 to"},
		{"empty life", "id,lower,upper,size\na,2,2,3\n", "line 2, column 5: upper 2: want more than lower, 2"},
		{"same id", "id,lower,upper,size\na,1,2,3\na,1,2,3\n", `line 3, column 1: id "a" is on line 2 too`},
		{"alignment", "id,lower,upper,size,alignment\na,1,2,3,6\n", "line 2, column 9: alignment 6: want a power of two"},
		{"quote", "id,lower,upper,size\n\"a,1,2,3\n", "line 2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := pack.ReadCSV(strings.NewReader(c.text))
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestReadCSVReportsAllRows(t *testing.T) {
	_, err := pack.ReadCSV(strings.NewReader("id,lower,upper,size\na,1,1,3\nb,y,2,z\n"))
	require.ErrorContains(t, err, "line 2, column 5")
	require.ErrorContains(t, err, "line 3, column 3")
	require.ErrorContains(t, err, "line 3, column 7")
}

// FuzzReadCSV feeds any text; what is accepted must pack and verify.
func FuzzReadCSV(f *testing.F) {
	f.Add("id,lower,upper,size\n0,0,2,4\n1,1,3,5\n")
	f.Add("size,upper,id,lower,alignment\n16,5,a,-2,4\n0,3,\"b,c\",2,1\n")
	f.Add("id,lower,upper,size\n\"")
	f.Fuzz(func(t *testing.T, text string) {
		buffers, err := pack.ReadCSV(strings.NewReader(text))
		if err != nil {
			return
		}
		p, err := pack.Place(buffers[:min(len(buffers), 30)], pack.Options{Steps: 20000})
		if err != nil {
			require.False(t, errors.Is(err, pack.ErrBudget))
			return
		}
		require.NoError(t, pack.VerifyPlacement(buffers[:min(len(buffers), 30)], p.Height, p))
	})
}
