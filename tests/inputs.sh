#!/bin/sh
# inputs.sh: values that stand for many are as good as all of them, in random programs (a sample of
# fuzz/inputs.py; EVERY=4: of 10 programs rather than 40). PROVISO names the program to test.
. "$(dirname "$0")/common/shell.sh"
python3 "$root/fuzz/inputs.py" --binary "$PROVISO" $(sample 1 40) --jobs 1
