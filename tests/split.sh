#!/bin/sh
# split.sh: conditions are cut into parts, the parts explored apart and joined; what is refused. PROVISO
# names the program to test.
. "$(dirname "$0")/common/shell.sh"
cd "$work" || exit 2

run() {
  timeout 120 "$PROVISO" "$@" >out 2>err
  status=$?
}
says() { grep -q -e "$1" err out; }

for kind in fixed buggy; do
  [ $kind = fixed ] && bug=0 || bug=1
  cat >$kind.c <<END
#include <pthread.h>
#include <stdatomic.h>
void reach_error(void) {}
atomic_int a, b, turn;
static void *one(void *unused) { a = 1; turn = b; b = 2; a = turn + 1; return unused; }
static void *two(void *unused) { b = 1; turn = a; a = 2; b = turn + 1; return unused; }
static void *three(void *unused) {
  int x = a, y = b;
  if (x == 3 && y == $((3 - bug)) && turn == $((1 + bug))) reach_error();
  return unused;
}
int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, one, 0);
  pthread_create(&t[1], 0, two, 0);
  pthread_create(&t[2], 0, three, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
END
done

run check --quiet --property unreach-call --engine explicit fixed.c
check "the fixed program is right" ends 0 true
run check --quiet --property unreach-call --engine explicit buggy.c
check "the buggy program is wrong" ends 10 "false(unreach-call)"

for engine in "explicit" "explicit --search bfs" "dpor --dependence conflict --peek 0 --prune 0"; do
  for kind in fixed buggy; do
    rm -f whole*
    # shellcheck disable=SC2086 # words on purpose
    run check --quiet --property unreach-call --engine $engine --proviso whole --limit states=40 $kind.c
    check "$engine: stopped ($kind)" ends 20 conditional
    run split whole -n 3
    check "$engine: split ($kind)" [ $status -eq 0 ]
    errors=0
    for i in 1 2 3; do
      run resume --quiet whole.$i --proviso whole.$i.done
      [ $status -eq 10 ] && errors=$((errors + 1))
    done
    if [ $kind = fixed ]; then
      check "$engine: no part has an error" [ $errors -eq 0 ]
      check "$engine: a part alone proves nothing" ends 20 conditional
      run join whole.*.done -o all
      check "$engine: joined" ends 0 true
      run resume --quiet all
      check "$engine: nothing is left" ends 0 true
      run join whole.1.done whole.2 whole.3.done -o some
      check "$engine: a part was not explored" ends 20 conditional
      run resume --quiet some --proviso some.done
      check "$engine: and is now" ends 0 true
      run join whole.1.done whole.3.done
      check "$engine: a part is missing" [ $status -eq 2 ]
      check "$engine: and its number is told" says "part 2 of 3 of split [0-9a-f]* is missing"
    else
      check "$engine: some part has the error" [ $errors -ge 1 ]
      run join whole.*.done -o all
      check "$engine: joined ($kind)" ends 10 "false(unreach-call)"
      run split all -n 2
      check "$engine: an error is not split" says "an error was found"
      run resume --quiet all --limit states=1
      check "$engine: an error is not forgotten" [ $status -eq 20 ]
    fi
  done
done

# Each class of executions is explored once, in whatever part it is. (A sequence that commutes with a
# transition that another part explores is not covered by it: 505 of 524 were explored once.)
executions() { sed -n 's/^Statistics: \([0-9]*\) execution.*/\1/p' out; }
for kind in optimal source; do
  conflict="--property unreach-call --engine dpor --dpor $kind --dependence conflict --peek 0 --prune 0"
  for states in 20 100 1000; do
    # shellcheck disable=SC2086 # words on purpose
    run check $conflict --proviso whole --limit states=$states fixed.c
    sum=$(executions)
    run split whole -n 3
    for i in 1 2 3; do
      run resume whole.$i --proviso whole.$i.done
      sum=$((sum + $(executions)))
    done
    check "$kind, $states: all executions, once" is $sum 524
  done
done

run check --quiet --property unreach-call --engine explicit --proviso whole --limit states=40 fixed.c
run split whole -n 2
run check --quiet --property unreach-call --engine explicit --proviso other --limit states=40 buggy.c
run split other -n 2
run join whole.1 other.2
check "another program" says "other.2 is about another program than whole.1"
run check --quiet --property unreach-call,no-data-race --engine explicit --proviso other --limit states=40 fixed.c
run split other -n 2
run join whole.1 other.2
check "other properties" says "other.2 is about other properties than whole.1"
run check --property unreach-call --given whole.1 --inputs 4 fixed.c
check "prefixes with other values of inputs" says "whole.1: the condition was made with another --inputs"
cp "$root/tests/e2e/fairthreads/token_ring.c" ring.c
run check --quiet --engine explicit --proviso ring --limit states=5 ring.c
run check --engine explicit --given ring ring.c
check "the rest of cooperative threads" says "result: true"
run check --engine explicit --order all --given ring ring.c
check "cooperative threads in another order" says "ring: the condition was made with another --order"
run split whole -n 5000
check "too many parts" says "prefixes are open, too few for 5000 parts"
run check --quiet --property unreach-call --engine dpor --proviso whole --limit states=40 fixed.c
run split whole -n 2
check "a slice" says "is no frontier, so it cannot be cut"
run split fixed.c -n 2
check "no condition" says "this is no condition of proviso"

run join whole.1 fixed.c
check "no condition to join" [ $status -eq 2 ]
check "and it is named" says "fixed.c: this is no condition of proviso"

# A sample of random programs. EVERY=4: of 6 programs rather than 24.
counted fuzz/split.py python3 "$root/fuzz/split.py" --binary "$PROVISO" $(sample 1 24) --jobs 1
finish
