package plan_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/memory/pack"
	"github.com/ptero-rt/ptero/plan"
	"github.com/ptero-rt/ptero/pte"
)

// outputs runs a method of a program with inputs that count up, twice, and gives all bytes that come out.
func outputs(t *testing.T, p *pte.Program, method, board string, data []string) (out [][]byte, temp uint64) {
	t.Helper()
	m, err := ptero.New(p, ptero.BoardNamed(board), ptero.Data(data...), ptero.Threads(1))
	require.NoError(t, err)
	defer func() { require.NoError(t, m.Close()) }()
	f, err := m.Load(method)
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	for range 2 {
		for i := range f.NumInputs() {
			v := f.Input(i)
			if x := v.Tensor(); x != nil {
				own := executor.NewTensorOrder(x.DType, x.Sizes, x.DimOrder, nil)
				for k := range own.Data {
					own.Data[k] = byte(k % 5) // small in every element type, and a bool where bools are
					if x.DType == pte.Bool {
						own.Data[k] &= 1
					}
				}
				v = executor.NewTensorValue(own)
			}
			require.NoError(t, f.SetInput(i, v))
		}
		if err := f.Run(context.Background()); err != nil {
			return append(out, []byte(err.Error())), 0 // indices out of range and the like
		}
		for i := range f.NumOutputs() {
			if x := f.Output(i).Tensor(); x != nil {
				out = append(out, x.Logical())
			}
		}
	}
	return out, f.TempPeak()
}

// again writes a program and reads it back.
func again(t *testing.T, p *pte.Program) *pte.Program {
	t.Helper()
	b, err := pte.Rewrite(p)
	require.NoError(t, err)
	q, err := pte.Parse(b)
	require.NoError(t, err)
	return q
}

func makePlan(t *testing.T, p *pte.Program, board string, data []string, o plan.Options) *plan.Result {
	t.Helper()
	m, err := ptero.New(p, ptero.BoardNamed(board), ptero.Data(data...))
	require.NoError(t, err)
	defer func() { require.NoError(t, m.Close()) }()
	r, err := m.Plan(o)
	require.NoError(t, err)
	return r
}

// check holds one program: outputs as before, no arena above the bound, the same plan again from its own output, and the
// scratch taken out again.
func check(t *testing.T, name string, p *pte.Program, data []string) {
	for i := range p.Plans {
		if len(p.Plans[i].Chains) == 0 {
			return
		}
	}
	before := map[string][][]byte{}
	for i := range p.Plans {
		before[p.Plans[i].Name], _ = outputs(t, p, p.Plans[i].Name, "host", data)
	}
	stripped := makePlan(t, p, "host", data, plan.Options{Objective: pack.Height, Strip: true}).Program.Plans
	for _, o := range []plan.Options{{Objective: pack.Height}, {Objective: pack.Height, AliasIO: true}, {Objective: pack.Height, Strip: true}} {
		r := makePlan(t, p, "host", data, o)
		q := again(t, r.Program)
		for i := range q.Plans {
			got, temp := outputs(t, q, q.Plans[i].Name, "host", data)
			require.Equal(t, before[q.Plans[i].Name], got, "%s %+v", name, o)
			if r.Report.Scratch > 0 && len(q.Plans) == 1 && strings.Contains(name, "ethosu") && onlyDelegates(q) {
				require.Zero(t, temp, name)
			}
		}
		if o.Strip {
			continue
		}
		require.LessOrEqual(t, r.Report.TotalAfter, r.Report.TotalBefore, name)
		for _, pool := range r.Report.Pools {
			require.True(t, pool.Optimal || pool.After == pool.LowerBound, "%s: %+v", name, pool)
		}
		first, err := r.File()
		require.NoError(t, err)
		q, err = pte.Parse(first)
		require.NoError(t, err)
		second, err := makePlan(t, q, "host", data, o).File()
		require.NoError(t, err)
		require.True(t, bytes.Equal(first, second), "%s again %+v", name, o)
		bare := makePlan(t, q, "host", data, plan.Options{Strip: true, Objective: pack.Height})
		require.Zero(t, bare.Report.Scratch)
		require.Equal(t, stripped, bare.Program.Plans, name)
	}
}

func onlyDelegates(p *pte.Program) bool {
	for _, o := range p.Plans[0].Operators {
		if !strings.Contains(o.Name, "quantize") {
			return false
		}
	}
	return true
}

// programs lists the programs below a folder, with their external data.
func programs(t *testing.T, dir string) []string {
	var list []string
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && (strings.HasSuffix(path, ".pte") || strings.HasSuffix(path, ".bpte")) && !strings.Contains(path, "+bad_") {
			list = append(list, path)
		}
		return err
	}))
	return list
}

func checkAll(t *testing.T, dir string, every int) {
	checked := 0
	for i, path := range programs(t, dir) {
		if i%every != 0 {
			continue
		}
		f, err := pte.Open(path)
		require.NoError(t, err)
		p, err := f.Program()
		require.NoError(t, err, path)
		var data []string
		found, err := filepath.Glob(strings.TrimSuffix(path, filepath.Ext(path)) + "*.ptd")
		require.NoError(t, err)
		data = append(data, found...)
		m, err := ptero.New(p, ptero.Data(data...))
		require.NoError(t, err)
		if _, err := m.Link(""); errors.Is(err, executor.ErrMissing) || err != nil && len(found) == 0 {
			require.NoError(t, m.Close())
			require.NoError(t, f.Close())
			continue
		}
		require.NoError(t, m.Close())
		check(t, path, p, data)
		checked++
		require.NoError(t, f.Close())
	}
	t.Logf("%d programs planned", checked)
	require.Positive(t, checked)
}

func TestEthosU(t *testing.T)  { checkAll(t, fixtures.Path("ethosu"), 7) }
func TestNeutron(t *testing.T) { checkAll(t, fixtures.Path("neutron"), 1) }
func TestModels(t *testing.T)  { checkAll(t, fixtures.Path("cpu", "models"), 3) }
func TestMethods(t *testing.T) { checkAll(t, fixtures.Path("cpu", "models", "multi_method"), 1) }
func TestJumps(t *testing.T)   { checkAll(t, fixtures.Path("cpu", "models", "control_flow"), 1) }
func TestOps(t *testing.T)     { checkAll(t, fixtures.Path("cpu", "ops"), 40) }

// The figures that a joint plan of a published network reaches.
func TestJointPlan(t *testing.T) {
	for _, c := range []struct {
		file                 string
		before               uint64
		joint, withoutCopies uint64
	}{
		{"mbv2_ethosu.pte", 2_262_224, 1_661_120, 1_509_584},
		{"mbv2_ethosu_N.pte", 2_488_016, 1_810_640, 1_509_584},
	} {
		f, err := pte.Open(fixtures.Shared(t, "models", "ethosu-pte", c.file))
		require.NoError(t, err)
		p, err := f.Program()
		require.NoError(t, err)
		r := makePlan(t, p, "host", nil, plan.Options{Objective: pack.Height})
		require.Equal(t, c.before, r.Report.TotalBefore)
		require.LessOrEqual(t, r.Report.TotalAfter, c.joint)
		r = makePlan(t, p, "host", nil, plan.Options{Objective: pack.Height, AliasIO: true})
		require.LessOrEqual(t, r.Report.TotalAfter, c.withoutCopies)
		want, _ := outputs(t, p, "forward", "host", nil)
		for _, alias := range []bool{false, true} { // a cache line more, and nothing in DDR but constants
			r = makePlan(t, p, "corstone-300", nil, plan.Options{Objective: pack.Height, AliasIO: alias})
			most := map[bool]uint64{false: c.joint, true: c.withoutCopies}[alias]
			require.LessOrEqual(t, r.Report.TotalAfter, most+16)
			require.Zero(t, r.Report.Pools[1].After)
			got, _ := outputs(t, again(t, r.Program), "forward", "corstone-300", nil)
			require.Equal(t, want, got)
		}
		check(t, c.file, p, nil)
		require.NoError(t, f.Close())
	}
}

func open(t *testing.T, p *pte.Program, board string) *ptero.Model {
	m, err := ptero.New(p, ptero.BoardNamed(board))
	require.NoError(t, err)
	t.Cleanup(func() { m.Close() })
	return m
}
