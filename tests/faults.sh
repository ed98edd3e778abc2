#!/bin/sh
# faults.sh: a sample of fuzz/faults/run.py: memory that runs out, full disks, signals, children that
# die. PROVISO names the program to test.
. "$(dirname "$0")/common/shell.sh"
sanitized && finish # the sanitizers have an allocator and limits of their own
counted fuzz/faults/run.py python3 "$root/fuzz/faults/run.py" --binary "$PROVISO" --count 26 --seed 3
finish
