#!/bin/sh
# residual.sh: residual programs compile, contain what a condition leaves open and nothing that is verified,
# and decide the program; what they cannot express is refused. With a sample of fuzz/residual.py (EVERY=4: of
# 10 programs rather than 40). PROVISO names the program to test.
. "$(dirname "$0")/common/shell.sh"
cd "$work" || exit 2

tail -n +2 "$root/tests/common/two_inputs.c" >right.c
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

# Tasks for verifiers: the open part and the verified one, each with a definition.
tasks() { # tasks ENGINE LIMIT NAME [EXPECTED]: sets verdict_open, verdict_verified
  rm -rf tasks "$3.yml"
  [ -z "${4:-}" ] || printf 'properties:\n  - property_file: ../p/unreach-call.prp\n    expected_verdict: %s\n' "$4" >"$3.yml"
  run check --property unreach-call --engine "$1" --limit "$2" --proviso condition "$3.c"
  run condition benchmark --given condition -o tasks "$3.c"
  cp out told
  for half in open verified; do
    timeout 120 "$PROVISO" check --spec tasks/unreach-call.prp --engine explicit "tasks/$3.$half.c" >"$half" 2>&1
  done
  verdict_open=$(sed -n 's/^Verification result: //p' open)
  verdict_verified=$(sed -n 's/^Verification result: //p' verified)
}
for engine in value predicate composite; do
  for pair in halves:true halves_wrong:'false(unreach-call)'; do
    tasks $engine states=12 "${pair%%:*}"
    check "tasks, $engine, ${pair%%:*}: open" is "$verdict_open" "${pair#*:}"
    check "tasks, $engine, ${pair%%:*}: verified" is "$verdict_verified" true
    check "tasks, $engine, ${pair%%:*}: told" is "$(cat told)" \
      "$(printf 'tasks/%s.open.yml: unknown\ntasks/%s.verified.yml: true' "${pair%%:*}" "${pair%%:*}")"
  done
done
tasks value states=12 halves true
check "tasks: a verdict that is known" grep -q 'expected_verdict: true' tasks/halves.open.yml
tasks value states=12 halves_wrong false
check "tasks: an error that is known is in the open part" grep -q 'expected_verdict: false' tasks/halves_wrong.open.yml
check "tasks: and not in the verified one" grep -q 'expected_verdict: true' tasks/halves_wrong.verified.yml
check "tasks: the definition" is "$(cat tasks/halves_wrong.open.yml)" "format_version: '2.0'

input_files: 'halves_wrong.open.c'

properties:
  - property_file: unreach-call.prp
    expected_verdict: false

options:
  language: C
  data_model: LP64"
check "tasks: something is verified" is "$(grep -c 'pv_state != 0' tasks/halves_wrong.verified.c)" 2
tasks explicit states=4 right
check "tasks, a frontier: only the open part" is "$(ls tasks)" "$(printf 'right.open.c\nright.open.yml\nunreach-call.prp')"
check "tasks, a frontier: open" is "$verdict_open" true
tasks value time=60s right
check "tasks: nothing is open" is "$status $(ls tasks 2>&1 | grep -c open)" "2 0"
run condition benchmark --given condition right.c
check "tasks: no directory" is "$status" 2

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

python3 "$root/fuzz/residual.py" --binary "$PROVISO" $(sample 1 40) --jobs 1 >fuzz
grep seed fuzz
check "random programs" grep -q ' passed, 0 failed' fuzz
check "most of them are woven" grep -q '[0-9][0-9]* woven' fuzz
finish
