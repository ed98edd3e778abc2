#!/bin/sh
# conditions.sh: runs that were interrupted go on as if they had not been; what the conditions of figure 7
# leave out is examined by other engines; each engine uses the conditions that it can use; the example of docs/conditions.md is as it says; chains of
# engines, each under the condition of the one before, agree with one run (a sample of
# fuzz/conditions.py; EVERY=4: of 10 programs rather than 40, and a quarter of what is left out and used). PROVISO names the program to test.
. "$(dirname "$0")/common/shell.sh"
counted resume.py python3 "$root/tests/resume.py" --binary "$PROVISO"
every="--every ${EVERY:-1} --first $turn"
counted monitors.py python3 "$root/tests/monitors.py" --binary "$PROVISO" $every
counted takers.py python3 "$root/tests/takers.py" --binary "$PROVISO" $every
counted documents.py python3 "$root/tests/documents.py" "$root/docs/conditions.md" sum.c --binary "$PROVISO"
counted fuzz/conditions.py python3 "$root/fuzz/conditions.py" --binary "$PROVISO" $(sample 1 40) --jobs 1
counted fuzz/esst_conditions.py python3 "$root/fuzz/esst_conditions.py" --binary "$PROVISO" --seeds 0 12
finish
