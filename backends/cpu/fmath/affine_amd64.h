// What the loops share that shift and scale.

// Of eight numbers in Y2 and Y3, CENTRED is (x − mean)·scale, for a mean in Y8 and a scale in Y9, SHIFTED adds Y6 to that,
// and WEIGHTED is that times the weights of Y4 and Y5 plus the biases of Y6 and Y7.
#define CENTRED \
	VSUBPD Y8, Y2, Y2; \
	VSUBPD Y8, Y3, Y3; \
	VMULPD Y9, Y2, Y2; \
	VMULPD Y9, Y3, Y3

#define SHIFTED \
	VADDPD Y6, Y2, Y2; \
	VADDPD Y6, Y3, Y3

#define WEIGHTED \
	VMULPD Y4, Y2, Y2; \
	VMULPD Y5, Y3, Y3; \
	VADDPD Y6, Y2, Y2; \
	VADDPD Y7, Y3, Y3

// FETCH reads eight float32 numbers as float64, FETCHDOUBLE as many float64 ones.
#define FETCH(p, lo, hi) \
	VCVTPS2PD (p)(AX*4), lo; \
	VCVTPS2PD 16(p)(AX*4), hi

#define FETCHDOUBLE(p, lo, hi) \
	VMOVUPD (p)(AX*8), lo; \
	VMOVUPD 32(p)(AX*8), hi

// WEIGHTS reads the weights and biases of eight.
#define WEIGHTS(fetch) \
	fetch(DX, Y4, Y5); \
	fetch(BX, Y6, Y7)
