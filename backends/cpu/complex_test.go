package cpu_test

import (
	"math"
	"math/cmplx"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
)

// Points near zero, on both sides of cuts, and where exponentials are large; complexWant is what eager PyTorch 2.15 gives for them.
var complexPoints = []complex128{complex(0.5, 0.25), complex(-0.75, 1.5), complex(-2, -0.125), complex(1e-05, 2e-05), complex(0, 2), complex(-3, math.Copysign(0, -1)), complex(40, 1), complex(1.5, -30)}

var complexWant = map[string][]complex128{
	"acos":       {complex(1.0691874735194, -0.281396056245293), complex(1.97370715694147, -1.26507504289337), complex(3.06961058608257, 1.31995068639461), complex(1.5707863267949, -1.99999999996667e-05), complex(1.5707963267949, -1.44363547517881), complex(3.14159265358979, 1.76274717403909), complex(0.0250026000150254, -4.38218304331688), complex(1.52086554764105, 4.09586859261142)},
	"acosh":      {complex(0.281396056245293, 1.0691874735194), complex(1.26507504289337, 1.97370715694147), complex(1.31995068639461, -3.06961058608257), complex(1.99999999996667e-05, 1.5707863267949), complex(1.44363547517881, 1.5707963267949), complex(1.76274717403909, -3.14159265358979), complex(4.38218304331688, 0.0250026000150254), complex(4.09586859261142, -1.52086554764105)},
	"asin":       {complex(0.501608853275501, 0.281396056245293), complex(-0.40291083014657, 1.26507504289337), complex(-1.49881425928767, -1.31995068639461), complex(9.99999999816667e-06, 1.99999999996667e-05), complex(0, 1.44363547517881), complex(-1.5707963267949, -1.76274717403909), complex(1.54579372677987, 4.38218304331688), complex(0.0499307791538433, -4.09586859261142)},
	"asinh":      {complex(0.492675683420771, 0.224328452634667), complex(-1.1627920981631, 1.02428805720341), complex(-1.44503192545256, -0.0558609569543641), complex(1.00000000018333e-05, 2.00000000003333e-05), complex(1.31695789692482, 1.5707963267949), complex(-1.81844645923207, -0), complex(4.38249495801429, 0.0249869945241876), complex(4.09531718628649, -1.52081026878319)},
	"atan":       {complex(0.484254490329966, 0.200586618131234), complex(-1.22512786241017, 0.531599631191902), complex(-1.10839637584083, -0.0249427884362375), complex(1.00000000036667e-05, 2.00000000006667e-05), complex(1.5707963267949, 0.549306144334055), complex(-1.24904577239825, -0), complex(1.54581712893393, 0.0006242200496468), complex(1.56913197787963, -0.0332623773911268)},
	"atanh":      {complex(0.500370000052531, 0.314398143207716), complex(-0.207933335961523, 1.05713696075397), complex(-0.545863749153116, -1.52944011907081), complex(9.99999999633333e-06, 1.99999999993333e-05), complex(0, 1.10714871779409), complex(-0.346573590279973, -1.5707963267949), complex(0.0249895755278156, 1.57017132712042), complex(0.00166067590997498, -1.53755827270765)},
	"cos":        {complex(0.905150150559607, -0.121108796043812), complex(1.72123193050523, 1.45139940751399), complex(-0.419402219177639, -0.11395840494168), complex(1.00000000015, -2.0000000001e-10), complex(3.76219569108363, -0), complex(-0.989992496600445, -0), complex(-1.02913920755682, -0.875657875595036), complex(377965653795.038, 5329852409771.16)},
	"cosh":       {complex(1.09257080473192, 0.128921041728098), complex(0.09158227260399, -0.820256817506621), complex(3.73284178835341, 0.452177854373765), complex(0.99999999985, 1.9999999999e-10), complex(-0.416146836547142, 0), complex(10.0676619957778, 0), complex(6.35896012197146e+16, 9.90349361473084e+16), complex(0.362862593880765, 2.1037954381649)},
	"exp":        {complex(1.59746651911991, 0.40790017007836), complex(0.0334138881023188, 0.471183268198602), complex(0.134279352321188, -0.016872890355139), complex(1.00000999985, 2.00001999996667e-05), complex(-0.416146836547142, 0.909297426825682), complex(0.0497870683678639, -0), complex(1.27179202439429e+17, 1.98069872294617e+17), complex(0.691307037044985, 4.42805053084535)},
	"expm1":      {complex(0.597466519119913, 0.40790017007836), complex(-0.966586111897681, 0.471183268198602), complex(-0.865720647678812, -0.016872890355139), complex(9.99984999816667e-06, 2.00001999996667e-05), complex(-1.41614683654714, 0.909297426825682), complex(-0.950212931632136, -0), complex(1.27179202439429e+17, 1.98069872294617e+17), complex(-0.308692962955015, 4.42805053084535)},
	"log":        {complex(-0.58157540490284, 0.463647609000806), complex(0.517036883765269, 2.0344439357957), complex(0.695096500767774, -3.07917384359384), complex(-10.7082065087532, 1.10714871779409), complex(0.693147180559945, 1.5707963267949), complex(1.09861228866811, -3.14159265358979), complex(3.68919185649836, 0.0249947936189202), complex(3.40244582176145, -1.52083793107295)},
	"log10":      {complex(-0.252574989159953, 0.201359598136687), complex(0.224546265559709, 0.883547775057607), complex(0.301876574673704, -1.33726820909363), complex(-4.65051499783199, 0.480828578784234), complex(0.301029995663981, 0.682188176920921), complex(0.477121254719662, -1.36437635384184), complex(1.60219566595965, 0.0108551009450076), complex(1.47766344536577, -0.660491521334142)},
	"log1p":      {complex(0.419164595202222, 0.165148677414627), complex(0.419164595202222, 1.40564764938027), complex(0.00775209326798263, -3.01723765904303), complex(1.00001499963333e-05, 1.99997999993334e-05), complex(0.80471895621705, 1.10714871779409), complex(0.693147180559945, -3.14159265358979), complex(3.71386942026645, 0.0243854091727185), complex(3.40465760308444, -1.48765509490646)},
	"log2":       {complex(-0.839035952556319, 0.668902106225488), complex(0.745926548164837, 2.93508217713909), complex(1.00281227459694, -4.44230883418784), complex(-15.4486764269931, 1.59727796468811), complex(1, 2.2661800709136), complex(1.58496250072116, -4.53236014182719), complex(5.32237879625813, 0.0360598648020592), complex(4.90869171394862, -2.19410534115478)},
	"reciprocal": {complex(1.6, -0.8), complex(-0.266666666666667, -0.533333333333333), complex(-0.498054474708171, 0.0311284046692607), complex(20000, -40000), complex(0, -0.5), complex(-0.333333333333333, -0), complex(0.0249843847595253, -0.000624609618988132), complex(0.00166251039068994, 0.0332502078137988)},
	"rsqrt":      {complex(1.30170165206929, -0.307290076312132), complex(0.405966825820336, -0.656868122482211), complex(0.0220433043493151, 0.706073921041422), complex(179.890743994787, -111.178594050284), complex(0.5, -0.5), complex(-0, 0.577350269189626), complex(0.15807684194677, -0.00197565187694748), complex(0.132201087400882, 0.125756181236891)},
	"sigmoid":    {complex(0.624275164419961, 0.059002964314508), complex(0.198877840137984, 0.365270257982766), complex(0.118578004120597, -0.0131115290626128), complex(0.5000025, 5.00000000004167e-06), complex(0.5, 0.778703862327451), complex(0.0474258731775668, 0), complex(1, 3.57486683901303e-18), complex(0.92472424467639, 0.197081216490928)},
	"sin":        {complex(0.494485780933195, 0.221688164149575), complex(-1.60349357320138, 1.55797007601459), complex(-0.916410567643487, 0.0521539249044084), complex(1.00000000018333e-05, 2.00000000003333e-05), complex(0, 3.62686040784702), complex(-0.141120008059867, 0), complex(1.14976968868167, -0.783786406140221), complex(5329852409771.16, -377965653795.038)},
	"sinh":       {complex(0.504895714387995, 0.278979128350262), complex(-0.0581683845016712, 1.29144008570522), complex(-3.59856243603223, -0.469050744728904), complex(9.99999999816667e-06, 1.99999999996667e-05), complex(-0, 0.909297426825682), complex(-10.0178749274099, -0), complex(6.35896012197146e+16, 9.90349361473084e+16), complex(0.328444443164221, 2.32425509268045)},
	"sqrt":       {complex(0.727673345112677, 0.171780374861256), complex(0.680827064358065, 1.10160133059216), complex(0.0441726314315475, -1.41490325512651), complex(0.00402247932095355, 0.00248602893939289), complex(1, 1), complex(0, -1.73205080756888), complex(6.32504932974776, 0.0790507668688712), complex(3.97098706820805, -3.77739835017113)},
	"tan":        {complex(0.504500702698564, 0.312420692502589), complex(-0.0983878191396714, 0.988112100570479), complex(2.00334473097005, -0.668694351555847), complex(9.99999999633333e-06, 1.99999999993333e-05), complex(0, 0.964027580075817), complex(0.142546543074278, -0), complex(-0.272163413903404, 0.993168305578462), complex(2.47143773881609e-27, -1)},
	"tanh":       {complex(0.485487281024135, 0.19805544995135), complex(-1.56286898186947, 0.103580618687797), complex(-0.96508742125128, -0.00874925516701217), complex(1.00000000036667e-05, 2.00000000006667e-05), complex(0, -2.18503986326152), complex(-0.99505475368673, -0), complex(1, 3.28229344554119e-35), complex(1.09902372502671, 0.033439637314186)},
}

func TestComplexFunctionsAsEager(t *testing.T) {
	n := len(complexPoints)
	for name, want := range complexWant {
		x, y := executor.NewTensor(arg.C128, []int{n}, nil), executor.NewTensor(arg.C128, []int{n}, nil)
		x64, y64 := executor.NewTensor(arg.C64, []int{n}, nil), executor.NewTensor(arg.C64, []int{n}, nil)
		for i, v := range complexPoints {
			executor.Slice[complex128](x)[i], executor.Slice[complex64](x64)[i] = v, complex64(v)
		}
		require.NoError(t, call(t, nil, "aten::"+name+".out", val(x), val(y)))
		require.NoError(t, call(t, nil, "aten::"+name+".out", val(x64), val(y64)))
		for i, w := range want {
			require.InDelta(t, 0, cmplx.Abs(executor.Slice[complex128](y)[i]-w), 1e-12*(1+cmplx.Abs(w)), "%s of %v", name, complexPoints[i])
			require.InDelta(t, 0, cmplx.Abs(complex128(executor.Slice[complex64](y64)[i])-w), 1e-5*(1+cmplx.Abs(w)), "%s of %v in c64", name, complexPoints[i])
		}
	}
}

// Numbers are compared, and asked whether they are NaN or infinite, in both parts.
func TestComplexQuestions(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(-1)
	a := []complex128{1 + 2i, 1 + 2i, 1 + 2i, complex(nan, 1), complex(1, nan), complex(inf, 1), complex(1, inf)}
	b := []complex128{1 + 2i, 1 - 2i, 2 + 2i, complex(nan, 1), 1, complex(inf, 1), 1}
	for _, c := range []struct {
		name string
		want []bool
	}{
		{"eq.Tensor_out", []bool{true, false, false, false, false, true, false}},
		{"ne.Tensor_out", []bool{false, true, true, true, true, false, true}},
		{"isnan.out", []bool{false, false, false, true, true, false, false}},
		{"isinf.out", []bool{false, false, false, false, false, true, true}},
	} {
		for _, d := range []executor.DType{arg.C64, arg.C128} {
			var args []*executor.Value
			for _, list := range [][]complex128{a, b} {
				x := executor.NewTensor(d, []int{len(list)}, nil)
				for i, v := range list {
					if d == arg.C64 {
						executor.Slice[complex64](x)[i] = complex64(v)
					} else {
						executor.Slice[complex128](x)[i] = v
					}
				}
				args = append(args, val(x))
			}
			if c.name[0] == 'i' {
				args = args[:1]
			}
			y := executor.NewTensor(arg.Bool, []int{len(a)}, nil)
			require.NoError(t, call(t, nil, "aten::"+c.name, append(args, val(y))...))
			require.Equal(t, c.want, executor.Slice[bool](y), "%s of %v", c.name, d)
		}
	}
}

// Powers of the first five of complexPoints: by numbers, by the same points backwards, and of 2; from eager PyTorch 2.15.
func TestComplexPowersAsEager(t *testing.T) {
	points := complexPoints[:5]
	x, back, y := executor.NewTensor(arg.C128, []int{5}, nil), executor.NewTensor(arg.C128, []int{5}, nil), executor.NewTensor(arg.C128, []int{5}, nil)
	for i, v := range points {
		executor.Slice[complex128](x)[i], executor.Slice[complex128](back)[4-i] = v, v
	}
	agree := func(want []complex128, err error, what any) {
		require.NoError(t, err)
		for i, w := range want {
			require.InDelta(t, 0, cmplx.Abs(executor.Slice[complex128](y)[i]-w), 1e-12*(1+cmplx.Abs(w)), "%v, %v", points[i], what)
		}
	}
	for e, want := range map[float64][]complex128{
		2:    {complex(0.1875, 0.25), complex(-1.6875, -2.25), complex(3.984375, 0.5), complex(-3e-10, 4e-10), complex(-4, 0)},
		3:    {complex(0.03125, 0.171875), complex(4.640625, -0.84375), complex(-7.90625, -1.498046875), complex(-1.1e-14, -2e-15), complex(-0, -8)},
		0.5:  {complex(0.727673345112677, 0.171780374861256), complex(0.680827064358065, 1.10160133059216), complex(0.0441726314315475, -1.41490325512651), complex(0.00402247932095355, 0.00248602893939289), complex(1, 1)},
		-0.5: {complex(1.30170165206929, -0.307290076312132), complex(0.405966825820336, -0.656868122482211), complex(0.0220433043493151, 0.706073921041422), complex(179.890743994787, -111.178594050284), complex(0.5, -0.5)},
		-1:   {complex(1.6, -0.8), complex(-0.266666666666667, -0.533333333333333), complex(-0.498054474708171, 0.0311284046692607), complex(20000, -40000), complex(0, -0.5)},
		-2:   {complex(1.92, -2.56), complex(-0.213333333333333, 0.284444444444444), complex(0.247089282199579, -0.031007282472104), complex(-1200000000, -1600000000), complex(-0.25, -0)},
		2.5:  {complex(0.093493658493313, 0.214127156564655), complex(1.32970732272813, -3.39081314017992), complex(0.883451955923325, -5.61541884142891), complex(-2.20115537204322e-12, 8.63183046563552e-13), complex(-4, -4)},
	} {
		agree(want, call(t, nil, "aten::pow.Tensor_Scalar_out", val(x), executor.NewDouble(e), val(y)), e)
	}
	agree([]complex128{complex(0.156844032174707, -0.363203775947266), complex(0.999964481650123, 3.0684087156039e-05), complex(0.165684004920868, -0.0356131379171913), complex(-220.032211857259, 541.298529556882), complex(0.548695156987693, 0.781543268303325)}, call(t, nil, "aten::pow.Tensor_Tensor_out", val(x), val(back), val(y)), "back")
	agree([]complex128{complex(1.39303341836556, 0.243839896892933), complex(0.301143539629754, 0.51270455345407), complex(0.249062202104324, -0.0216337579478188), complex(1.00000693139974, 1.38630397016907e-05), complex(0.183456974743302, 0.983027740411244)}, call(t, nil, "aten::pow.Scalar_out", executor.NewDouble(2), val(x), val(y)), "2^x")
}
