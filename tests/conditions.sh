#!/bin/sh
# conditions.sh: runs that were interrupted go on as if they had not been; what the conditions of figure 7
# leave out is examined by other engines; each engine uses the conditions that it can use; the example of docs/conditions.md is as it says; chains of
# engines, each under the condition of the one before, agree with one run (a sample of
# fuzz/conditions.py; EVERY=4: of 10 programs rather than 40, and a quarter of what is left out and used). PROVISO names the program to test.
. "$(dirname "$0")/common/shell.sh"
python3 "$root/tests/resume.py" --binary "$PROVISO" >"$work/resume" || true
cat "$work/resume"
every="--every ${EVERY:-1} --first $turn"
python3 "$root/tests/monitors.py" --binary "$PROVISO" $every >"$work/monitors" || true
grep -v ' passed, ' "$work/monitors"
python3 "$root/tests/takers.py" --binary "$PROVISO" $every >"$work/takers" || true
grep -v ' passed, ' "$work/takers"
python3 "$root/tests/documents.py" "$root/docs/conditions.md" sum.c --binary "$PROVISO" >"$work/document" || true
grep -v ' passed, ' "$work/document"
python3 "$root/fuzz/conditions.py" --binary "$PROVISO" $(sample 1 40) --jobs 1 >"$work/chains" || true
grep -v ' passed, ' "$work/chains"
cat "$work/resume" "$work/monitors" "$work/takers" "$work/document" "$work/chains" | sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' |
  awk '{ p += $1; f += $2 } END { print p " passed, " f " failed"; exit f != 0 }'
