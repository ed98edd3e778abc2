#!/bin/sh
# cooperative_random.sh: engine esst agrees with exhaustive search on random cooperative programs, under every order and
# reduction: a sample of fuzz/esst.py, with plain data, with objects on the heap, with threads that are alike, in SystemC.
# PROVISO names the program to test.
. "$(dirname "$0")/common/shell.sh"
first=$((5000 + 3 * turn))
for kind in "" --objects --alike "--scheduler systemc"; do
  python3 "$root/fuzz/esst.py" --binary "$PROVISO" $kind --seeds $first $((first + 3)) >"$work/out" 2>"$work/err"
  check "random programs $kind" [ "$?" = 0 ]
  passed=$((passed + $(sed -n 's/^\([0-9]*\) programs, 0 differences.*/\1/p' "$work/out" || echo 0)))
done
finish
