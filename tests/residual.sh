#!/bin/sh
# residual.sh: residual programs compile, contain what a condition leaves open and nothing that is verified,
# and decide the program; what they cannot express is refused. With a sample of fuzz/residual.py (EVERY=4: of
# 10 programs rather than 40). PROVISO names the program to test.
. "$(dirname "$0")/common/shell.sh"
cd "$work" || exit 2

cat >right.c <<'END'
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int side(int x) {
  if (x > 3)
    return 1;
  return 2;
}
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 0 || x > 3)
    return 0;
  int y = __VERIFIER_nondet_int();
  if (y < 0 || y > 7)
    return x;
  int z = side(x + y);
  if (z > 2)
    reach_error();
  return z;
}
END
sed 's/z > 2/z > 1/' right.c >wrong.c
# The sum of all rounds is open, the left branch verified: a part of the program must disappear.
cat >halves.c <<'END'
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
int main(void) {
  unsigned char x = __VERIFIER_nondet_uchar();
  if (x > 7)
    return 0;
  if (x > 3) {
    x += 1;
    if (x == 0)
      reach_error();
    return 1;
  }
  unsigned sum = 0;
  for (unsigned i = 0; i < x + 5u; i++)
    sum += i;
  if (sum > 28)
    reach_error();
  return 0;
}
END
sed 's/sum > 28/sum > 27/' halves.c >halves_wrong.c
cat >threads.c <<'END'
#include <pthread.h>
static void *work(void *a) { return a; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  return 0;
}
END
cat >unmodelled.c <<'END'
extern int __VERIFIER_nondet_int(void);
extern void unknown(void);
int main(void) {
  if (__VERIFIER_nondet_int())
    unknown();
  return 0;
}
END

run() { # run ARGUMENT...
  timeout 120 "$PROVISO" "$@" >out 2>err
  status=$?
}
rest() { # rest ENGINE LIMIT FILE [OPTION...]: the residual program, rest.c, and its verdict
  rm -f rest.c
  engine=$1 limit=$2 file=$3
  shift 3
  run check --property unreach-call --engine "$engine" --limit "$limit" --proviso condition "$@" "$file"
  first=$(tail -n 1 out | sed 's/Verification result: //')
  run residual --given condition -o rest.c "$file"
  verdict=none
  [ -e rest.c ] || return
  run check --property unreach-call --engine explicit rest.c
  verdict=$(tail -n 1 out | sed 's/Verification result: //')
}
compiles() { "$1" -std=gnu11 -fno-strict-aliasing -fwrapv -w -c rest.c -o rest.o; }

for engine in value predicate composite; do
  for states in 5 12; do
    for pair in right.c:true wrong.c:'false(unreach-call)' halves.c:true halves_wrong.c:'false(unreach-call)'; do
      rest $engine states=$states "${pair%%:*}"
      check "$engine, $states states, ${pair%%:*}: woven" grep -q 'static u32 pv_state = 2' rest.c
      check "$engine, $states states, ${pair%%:*}: gcc" compiles gcc
      check "$engine, $states states, ${pair%%:*}: clang" compiles "$CLANG"
      check "$engine, $states states, ${pair%%:*}: verdict" is "$verdict" "${pair#*:}"
    done
  done
done

for search in dfs bfs; do
  for pair in right.c:true wrong.c:'false(unreach-call)'; do
    rest explicit states=4 "${pair%%:*}" --search $search
    check "explicit, $search, ${pair%%:*}: verdict" is "$verdict" "${pair#*:}"
  done
done
rest explicit states=4 right.c
check "a frontier: woven at branches" grep -q 'static u32 pv_state = 2' rest.c
check "a frontier: a branch is verified" grep -q 'default: pv_assume(0)' rest.c
check "a frontier: compiles" compiles gcc

# A condition of another form leaves the whole program open, and says so.
rest bmc time=60s right.c
check "nothing is open" is "$first $verdict" "true none"
run residual --given condition right.c
check "nothing is open: refused" is "$status" 2
check "nothing is open: message" grep -q "leaves nothing open" err
run check --property unreach-call --engine explicit --limit states=2 --proviso condition right.c
run residual --given condition -o rest.c right.c
check "all is open: the whole program" grep -q "the whole program is open" err

run check --property unreach-call --engine explicit --limit states=2 --proviso condition threads.c
run residual --given condition threads.c
check "threads are refused" is "$status" 2
check "threads: message" grep -q "there is no residual program: the program has threads" err
check "threads: no text" test ! -s out
run check --property unreach-call --engine value --limit states=4 --proviso condition unmodelled.c
run residual --given condition unmodelled.c
check "what is not modelled is refused" is "$status" 2
run check --property unreach-call,no-overflow --engine value --limit states=4 --proviso condition right.c
run residual --given condition right.c
check "other properties are refused" grep -q "about unreach-call only, and the condition is about no-overflow" err
run check --property unreach-call --engine value --limit states=4 --proviso condition right.c
run residual --given condition halves.c
check "another program is refused" grep -q "the condition is about another program" err
run residual right.c
check "without a condition" is "$status" 2

python3 "$root/fuzz/residual.py" --binary "$PROVISO" --count "$((40 / ${EVERY:-1}))" --jobs 1 >fuzz
grep seed fuzz
check "random programs" grep -q ' passed, 0 failed' fuzz
check "most of them are woven" grep -q '[0-9][0-9]* woven' fuzz
finish
