#!/bin/sh
# orders.sh: provisos about weak memory orders are dropped only where C11 allows nothing else, in random programs (a
# sample of fuzz/orders.py; EVERY=4: of 15 programs rather than 60). PROVISO names the program to test.
. "$(dirname "$0")/common/shell.sh"
python3 "$root/fuzz/orders.py" --binary "$PROVISO" --from 1 --count "$((60 / ${EVERY:-1}))" --jobs 1
