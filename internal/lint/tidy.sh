#!/usr/bin/env bash
# Says whether go.mod and go.sum are what the imports want. `go mod tidy` also looks at the tests of dependencies, which a machine
# without network may not have: then this is skipped, visibly.
set -uo pipefail
cd "$(dirname "$0")/../.."
err=$(mktemp)
trap 'rm -f "$err"' EXIT
if out=$(GOFLAGS=-mod=mod go mod tidy -diff 2>"$err"); then
  exit 0
elif [ -n "$out" ]; then
  printf 'go.mod is not tidy:\n%s\n' "$out"
  exit 1
fi
cat "$err" >&2
if grep -qiE 'dial tcp|no such host|lookup |module lookup disabled|timeout|connection' "$err"; then
  echo "SKIPPED: go mod tidy needs the network"
  exit 0
fi
exit 1
