// Command libethosu is the Ethos-U simulator as a C library with the interface of Arm's ethos-u-core-driver 1.0: link it
// in place of the core driver, and ExecuTorch's EthosUBackend or any C program runs Ethos-U command streams on a host.
//
//	go build -buildmode=c-archive -o libethosu.a ./cmd/libethosu
//	cc -I backends/ethosu/simc/include app.c libethosu.a -lpthread -o app
//
// The public headers are in backends/ethosu/simc/include. With -buildmode=c-shared it makes libethosu.so; do not load
// that into a Go program, which would then hold two Go runtimes. testdata/executorch.sh builds ExecuTorch's own backend,
// unchanged, against it.
package main

import _ "github.com/ptero-rt/ptero/backends/ethosu/simc"

func main() {}
