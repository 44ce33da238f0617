#!/usr/bin/env bash
# Builds ExecuTorch's own EthosUBackend, unchanged, against libethosu and the libraries and headers of the ExecuTorch wheel:
#   ET_ROOT=…/site-packages/executorch ET_SOURCE=…/executorch LIBETHOSU=…/libethosu.a OUT=program ./executorch.sh
# ET_SOURCE is a checkout of pytorch/executorch; cff6f4dd and the wheel 1.5.1 are known to go together.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/executorch/backends/arm"
ln -s "$ET_SOURCE/backends/arm/runtime" "$work/executorch/backends/arm/runtime"
inc=(-I"$work" -I"$ET_ROOT/include" -I"$ET_ROOT/include/executorch/runtime/core/portable_type/c10" -I"$here/../../../backends/ethosu/simc/include")
# The wheel is compiled with the event tracer on; class layouts depend on it.
def=(-DC10_USING_CUSTOM_GENERATED_MACROS -DET_EVENT_TRACER_ENABLED -DNDEBUG -Wno-deprecated-declarations)
runtime="$work/executorch/backends/arm/runtime"
"${CXX:-g++}" -std=c++17 -O1 "${def[@]}" "${inc[@]}" -o "$OUT" "$here/executorch.cpp" \
  "$runtime"/{EthosUBackend,EthosUBackend_Cortex_M,EthosUBackend_IoMemcpy,VelaBinStream}.cpp "$LIBETHOSU" \
  -L"$ET_ROOT/lib" -Wl,-rpath,"$ET_ROOT/lib" -Wl,--no-as-needed \
  -lexecutorch -lexecutorch_threadpool -lexecutorch_kernels_optimized -lexecutorch_kernels_quantized -lexecutorch_etdump -lpthread
