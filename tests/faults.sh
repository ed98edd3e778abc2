#!/bin/sh
# faults.sh: a sample of fuzz/faults/run.py: memory that runs out, full disks, signals, children that
# die. PROVISO names the program to test.
. "$(dirname "$0")/common/shell.sh"
sanitized && finish # the sanitizers have an allocator and limits of their own
python3 "$root/fuzz/faults/run.py" --binary "$PROVISO" --count 26 --seed 3 >"$work/out" 2>&1 || true
grep -v ' passed, ' "$work/out"
last=$(tail -n 1 "$work/out")
p=${last%% passed*} f=${last##*, }
f=${f%% failed*}
case $p$f in
'' | *[!0-9]*) check "fuzz/faults/run.py ends in order" false ;;
*)
  passed=$((passed + p))
  failed=$((failed + f))
  ;;
esac
finish
