// Command libneutron is the Neutron simulator as a C library with the
// interface of NXP's driver: link it in place of the driver, and ExecuTorch's
// NeutronBackend or any C program runs Neutron models on a host.
//
//	go build -buildmode=c-archive -o libneutron.a ./cmd/libneutron
//	cc -I backends/nxp/simc/include app.c libneutron.a -lpthread -o app
//
// The public headers are in backends/nxp/simc/include. With -buildmode=c-shared
// it makes libneutron.so; do not load that into a Go program, which would then
// hold two Go runtimes.
package main

import _ "github.com/ptero-rt/ptero/backends/nxp/simc"

func main() {}
