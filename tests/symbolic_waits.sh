#!/bin/sh
# symbolic_waits.sh: random programs whose threads wait for each other, with the symbolic engines and executed exhaustively
# (fuzz/waits.py): a few seeds. Prints "N passed, M failed".
set -u
cd "$(dirname "$(readlink -f "$0")")/.."
: "${PROVISO:=$PWD/build/proviso}"
python3 fuzz/waits.py --binary "$PROVISO" --from 1 --count 8 --engines value,composite --jobs 2 --time 8
