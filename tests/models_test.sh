#!/bin/sh
# models_test.sh -- the models of the C library against the real one, natively.
#
# Compiles models/*.c with every symbol prefixed by pvm_, so that they live beside the C library, links them
# with a stand-in for the intrinsics, and compares results on thousands of seeded random inputs. Also
# compiles every model for both data models with all warnings as errors.
# usage: models_test.sh [rounds]
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
clang=${CLANG:-clang-19}
work=$(mktemp -d "${TMPDIR:-/tmp}/models_test.XXXXXX")
trap 'rm -rf "$work"' EXIT
resources=$("$clang" -print-resource-dir)/include
flags="-ffreestanding -fno-builtin -std=gnu11 -nostdinc -isystem $resources -I $root/models
  -g -O0 -Wall -Wextra -Werror"

for model in "$root"/models/*.c; do
  name=$(basename "$model" .c)
  for bits in 32 64; do
    # shellcheck disable=SC2086 # flags is a list
    "$clang" -m$bits $flags -c -emit-llvm -o "$work/$name.$bits.bc" "$model"
  done
  # shellcheck disable=SC2086
  "$clang" $flags -O1 -fno-pic -c -o "$work/$name.o" "$model"
done
ld -r -o "$work/models.o" "$work"/*.o
objcopy --prefix-symbols=pvm_ "$work/models.o" "$work/prefixed.o"
# Intrinsics that no tested function calls have no stand-in: their address is 0.
"$clang" -Wl,--unresolved-symbols=ignore-in-object-files -std=gnu11 -O1 -g -Wall -Wextra -Werror -Wno-format-nonliteral -Wno-format -no-pie \
  -fno-pic -fno-builtin -pthread -o "$work/models_test" "$root/tests/models_test.c" \
  "$work/prefixed.o" -lm
"$work/models_test" "${1:-3000}"
