#!/bin/sh
# symbolic_memory.sh: random programs over memory, with the symbolic engines and executed exhaustively (fuzz/memory.py): a few seeds.
# Prints "N passed, M failed".
set -u
cd "$(dirname "$(readlink -f "$0")")/.."
: "${PROVISO:=$PWD/build/proviso}"
python3 fuzz/memory.py --binary "$PROVISO" --from 1 --count 8 --engines bmc,bmc+bitvector,predicate --jobs 2 --time 4 || exit 1
python3 fuzz/memory.py --never-set --binary "$PROVISO" --from 1 --count 6 --engines bmc,bmc+bitvector,predicate --jobs 2 --time 4
