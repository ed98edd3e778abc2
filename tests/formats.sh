#!/bin/sh
# formats.sh: what is written for other tools against the schemas of docs/schema, the tool info for
# BenchExec, task definitions (tests/formats.py); and a sample of the errors of the test programs as
# witnesses, right and damaged (tests/witness.py, fuzz/witness.py); and literal formats of sprintf
# against formats in memory (fuzz/formats.py). PROVISO names the program to test.
. "$(dirname "$0")/common/shell.sh"
cd "$work" || exit 2

# Debian's own interpreter has Debian's modules.
python=python3
if [ -x /usr/bin/python3 ]; then python=/usr/bin/python3; fi
counted formats "$python" "$root/tests/formats.py" --binary "$PROVISO"
counted witnesses python3 "$root/tests/witness.py" --binary "$PROVISO" --sample 12 --time 60
# Only the order of the threads leads to these two errors in time.
counted 'orders in witnesses' python3 "$root/tests/witness.py" --binary "$PROVISO" --filter dpor/far_behind dpor/lastzero --time 60
counted 'damaged witnesses' python3 "$root/fuzz/witness.py" --binary "$PROVISO" --count 24
counted 'literal formats' python3 "$root/fuzz/formats.py" --binary "$PROVISO" --count 8
finish
