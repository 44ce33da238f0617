#!/usr/bin/env bash
# Builds everything for the targets that devices have, and tests the pure-Go core under qemu where it is installed.
#
#	cross.sh [--test] [ARCH...]    --test: only the tests; without ARCH: all
set -euo pipefail
cd "$(dirname "$0")/../.."
export CGO_ENABLED=0
core=${CORE:-"./pte ./memory ./hal ./hal/board ./hal/sim ./executor ./internal/npy ./internal/flatverify ./backends/ethosu ./backends/nxp ./backends/cpu/..."}
only=
if [ "${1-}" = --test ]; then
  only=test
  shift
fi
[ $# -gt 0 ] || set -- arm64 arm riscv64 s390x
for arch; do
  qemu=qemu-$arch-static
  [ "$arch" != arm64 ] || qemu=qemu-aarch64-static
  export GOARCH=$arch
  if [ -z "$only" ]; then
    echo "== linux/$arch: build"
    go build ./...
    go vet ./...
  fi
  if ! command -v "$qemu" >/dev/null; then
    echo "SKIPPED: linux/$arch is not tested, $qemu is not installed (make tools)"
    continue
  fi
  echo "== linux/$arch: test under $qemu"
  go test -short -p 1 -timeout 30m -exec "$qemu" $core # one at a time: qemu needs 400 MB for every board "host" that was open
done
