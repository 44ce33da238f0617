#!/usr/bin/env bash
# Builds everything for the targets that devices have, and tests the pure-Go core under qemu where it is installed.
set -euo pipefail
cd "$(dirname "$0")/../.."
export CGO_ENABLED=0
core=${CORE:-"./pte/... ./memory ./hal/... ./executor/... ./internal/npy ./internal/fault ./backends/ethosu ./backends/nxp"}
for target in arm64:aarch64 arm:arm riscv64:riscv64 s390x:s390x; do
  arch=${target%%:*} qemu=qemu-${target##*:}-static
  echo "== linux/$arch: build"
  GOARCH=$arch go build ./...
  GOARCH=$arch go vet ./...
  if ! command -v "$qemu" >/dev/null; then
    echo "== linux/$arch: not run, $qemu is not installed (make tools)"
    continue
  fi
  echo "== linux/$arch: test under $qemu"
  GOARCH=$arch go test -short -exec "$qemu" $core
done
