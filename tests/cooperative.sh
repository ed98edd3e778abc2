#!/bin/sh
# cooperative.sh: cooperative programs run natively as they were verified. The examples that include
# fthread.h are compiled with examples/native/fthread.c and run; what happens must be what their
# `expect:` says: nothing, a failing assertion, or threads that wait for ever. The same for the
# first verdict of the programs of tests/e2e/fairthreads that end and have no input. PROVISO is not
# used: the verdicts are checked by tests/e2e/run.py.
. "$(dirname "$0")/common/shell.sh"

"$CC" -std=gnu11 -O1 -Wall -Wextra -Werror -I "$root/models/include" -c "$root/examples/native/fthread.c" \
  -o "$work/fthread.o" 2>"$work/err" || flunk fthread.c "does not compile"

one() { # one FILE FLAG...
  file=$1
  shift
  verdict=$(sed -n 's|^// expect: *||p' "$file")
  case $verdict in
  true) wanted=0 ;;
  "false(no-deadlock)") wanted=2 ;;
  "false(unreach-call)") wanted=134 ;;
  *) return ;;
  esac
  if ! "$CC" -std=gnu11 -O1 -I "$root/models/include" "$@" "$file" "$work/fthread.o" \
    -o "$work/program" 2>"$work/err"; then
    flunk "$file" "does not compile"
    return
  fi
  (cd "$work" && timeout 20 ./program >out 2>err </dev/null
    echo $? >status) 2>/dev/null
  if is "$(cat "$work/status")" "$wanted"; then
    passed=$((passed + 1))
  else
    flunk "$file" "is $verdict, but ends with status $(cat "$work/status")"
  fi
}

for file in "$root"/examples/*.c; do
  if grep -q '^#include <fthread.h>' "$file"; then one "$file" -Wall -Wextra -Werror; fi
done
for file in "$root"/tests/e2e/fairthreads/*.c; do
  grep -q 'for (;;)\|for (int [a-z]* = 0;;\|while (1)\|__VERIFIER\|unlink\|_link\|mutex' "$file" || one "$file" -w
done
finish
