#!/bin/sh
# observe.sh: `proviso observe` warns of one execution, and --confirm tells real errors from false alarms. PROVISO
# names the program to test.
. "$(dirname "$0")/common/shell.sh"
cd "$work" || exit 2

observe() { # observe ARGUMENT...
  timeout 120 "$PROVISO" observe "$@" >out 2>err
  status=$?
}
said() { # said N TEXT: N lines of the output have the text
  [ "$(grep -c -e "$2" out)" -eq "$1" ] && ! grep -q -e Sanitizer -e 'runtime error' err
}
exits() { [ "$status" -eq "$1" ]; }

for example in barrier double_checked lock_order philosophers readers_writers; do
  observe --confirm "$root/examples/$example.c"
  check "$example: exit status" exits 10
  check "$example: confirmed" grep -q '(confirmed)' out
  observe --confirm "$root/examples/${example}_fixed.c"
  check "$example, fixed: exit status" exits 0
  check "$example, fixed: nothing is confirmed or open" said 0 '(confirmed)\|(open)'
done

# One warning of each kind, with the threads, the places and the locks.
observe "$root/examples/lock_order.c"
check "not confirmed: exit status" exits 20
check "lock order: the first thread" said 1 'thread 1 takes savings.lock in transfer (.*lock_order.c:20), called at .*:29, holding checking.lock'
check "lock order: the second thread" said 1 'thread 2 takes checking.lock in transfer (.*lock_order.c:20), called at .*:34, holding savings.lock'
check "locksets: main reads without a lock" said 2 'Warning: no lock protects .*balance'
check "the number of warnings" said 1 '^3 warnings after'

# In C11 relaxed operations order nothing: the data race is seen, though no execution has it adjacent.
program=$root/tests/e2e/orders/message_passing.c
observe --seed 1 "$program" -DSTORE=relaxed -DLOAD=relaxed
check "relaxed: data race" said 1 'Warning: data race on data'
observe --seed 1 "$program"
check "release and acquire: none" said 1 '^0 warnings'
check "release and acquire: exit status" exits 0

# How the execution ends is said; the thread to run is drawn if asked.
observe "$root/examples/bounded_buffer.c"
check "deadlock" said 1 'observed until it ends in a deadlock'
observe --seed 3 "$root/examples/barrier.c"
cp out first
observe --seed 3 "$root/examples/barrier.c"
check "equal seeds, equal executions" cmp -s out first

printf 'int main(void) { for (;;) {} }\n' >endless.c
observe --limit states=1000 endless.c
check "no end: told" said 1 'it goes on beyond the limit'
observe missing.c
check "no file: exit status" exits 2
finish
