#!/usr/bin/env bash
# Runs the conformance suite against this module's client, once for each revision
# of the protocol, and counts the required scenarios.
#   run.sh SUITE_DIR    where package.json's dependencies are installed
set -uo pipefail
suite=$(cd "$1" && pwd) || exit 2
cd "$(dirname "$0")/../.." || exit 2
export PATH="$suite/node_modules/.bin:$PATH"

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
go build -o "$work/client" ./internal/conformanceclient || exit 2

passed=0 failed=0
for revision in 2025-11-25 2026-07-28; do
  out=$suite/results/$revision
  rm -rf "$out" && mkdir -p "$out"
  conformance client --command "$work/client" --requirements "$revision" -o "$out" >"$out/log.txt" 2>&1
  code=$?
  # The summary has a line per scenario; those that are not scored follow it again.
  read -r ok bad < <(awk '
    /^=== SUITE SUMMARY/ { on = 1 }
    /^Not scored for/ { extra = 1 }
    on && !extra && /^✓/ { result[substr($2, 1, length($2) - 1)] = 1 }
    on && !extra && /^✗/ { result[substr($2, 1, length($2) - 1)] = 0 }
    extra && /^  [✓✗]/ { delete result[$2] }
    END { for (s in result) if (result[s]) ok++; else bad++; print ok + 0, bad + 0 }' "$out/log.txt")
  printf '%s: %d passed, %d failed\n' "$revision" "$ok" "$bad"
  if [ "$code" -ne 0 ] || [ "$bad" -gt 0 ] || [ "$ok" -eq 0 ]; then
    [ "$bad" -gt 0 ] || bad=1
    grep -E '^✗|Error|scenario failed' "$out/log.txt" | head -40
    echo "all of it: $out/log.txt"
  fi
  passed=$((passed + ok)) failed=$((failed + bad))
done
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
