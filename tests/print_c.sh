#!/bin/sh
# print_c.sh [FOLDER...]: the C printed for a program behaves like the program. Every C file of the
# folders (tests/c by default) is compiled and run natively; so is the C that `proviso ir` prints for it, with
# gcc and with clang; what they write and their exit status must be the same. PROVISO names the
# program to test; with EVERY=N it is every N-th of the files.
. "$(dirname "$0")/common/shell.sh"
[ $# -gt 0 ] || set -- "$root/tests/c"

# Runs a program in an empty folder; its status becomes the last line of the output.
run() { # run PROGRAM OUTPUT
  mkdir -p "$work/cwd"
  (cd "$work/cwd" && timeout 60 "$1" >"$2" 2>"$work/stderr" </dev/null) 2>/dev/null
  echo "status $?" >>"$2"
}

# Messages of failing assertions name the program, whose name differs: the part behind it is compared.
messages() { sed 's/^[^:]*: //; s/^.*: Assertion/Assertion/' "$work/stderr"; }

one() { # one FILE
  file=$1
  if ! "$CC" -std=gnu11 -O1 -w -pthread "$file" -o "$work/original" -lm 2>"$work/err"; then
    flunk "$file" "does not compile natively"
    return
  fi
  run "$work/original" "$work/wanted"
  messages >"$work/wanted.err"
  if ! timeout 60 "$PROVISO" ir --format c "$file" >"$work/printed.c" 2>"$work/err"; then
    flunk "$file" "proviso ir fails"
    return
  fi
  timeout 60 "$PROVISO" ir --format c "$file" 2>/dev/null | cmp - "$work/printed.c" >"$work/err" 2>&1 || {
    flunk "$file" "two printings differ"
    return
  }
  for compiler in "$CC -O2" "$CC -O0" "$CLANG -O2"; do
    rm -f "$work/printed"
    if ! $compiler -std=gnu11 -fno-strict-aliasing -fwrapv -w -pthread "$work/printed.c" \
      -o "$work/printed" -lm 2>"$work/err"; then
      flunk "$file" "the printed C does not compile with $compiler"
      return
    fi
    run "$work/printed" "$work/got"
    messages >"$work/got.err"
    if ! diff "$work/wanted" "$work/got" >"$work/err" ||
      ! diff "$work/wanted.err" "$work/got.err" >"$work/err"; then
      flunk "$file" "the printed C, compiled with $compiler, behaves otherwise"
      return
    fi
  done
  passed=$((passed + 1))
}

for folder; do
  for file in "$folder"/*.c; do
    [ -e "$file" ] && chosen && one "$file"
  done
done
finish
