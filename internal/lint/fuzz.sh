#!/usr/bin/env bash
# Runs every fuzz target of the tree for a while each: fuzz.sh 30s
set -euo pipefail
cd "$(dirname "$0")/../.."
time=${1:-30s}
grep -rl --include='*_test.go' '^func Fuzz' . | xargs -n1 dirname | sort -u | while read -r dir; do
  grep -ho '^func Fuzz[A-Za-z0-9_]*' "$dir"/*_test.go | sed 's/^func //' | sort -u | while read -r target; do
    echo "== $dir $target"
    go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" "$dir" </dev/null
  done
done
