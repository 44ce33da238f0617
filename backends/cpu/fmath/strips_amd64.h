// The loads leave eight numbers as doubles in Y2 and Y3, AX bytes from SI.
#define SINGLE \
	VCVTPS2PD (SI)(AX*1), Y2; \
	VCVTPS2PD 16(SI)(AX*1), Y3

#define WIDE \
	VCVTPS2PD X4, Y2; \
	VEXTRACTF128 $1, Y4, X5; \
	VCVTPS2PD X5, Y3

#define HALF \
	VCVTPH2PS (SI)(AX*1), Y4; \
	WIDE

#define BRAIN \
	VPMOVZXWD (SI)(AX*1), Y4; \
	VPSLLD $16, Y4, Y4; \
	WIDE

#define DOUBLE \
	VMOVUPD (SI)(AX*1), Y2; \
	VMOVUPD 32(SI)(AX*1), Y3
