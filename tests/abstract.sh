#!/bin/sh
# abstract.sh: `proviso abstract`: abstract programs in C, and the loop that checks and refines them. PROVISO names the
# program to test.
. "$(dirname "$0")/common/shell.sh"
cd "$work" || exit 2

abstract() { # abstract ARGUMENT...
  timeout 100 "$PROVISO" abstract "$@" >out 2>err
  status=$?
}
check_c() { # check_c ARGUMENT...
  timeout 100 "$PROVISO" check --property unreach-call "$@" >out 2>err
  status=$?
}
exits() { [ "$status" -eq "$1" ]; }
said() { [ "$(grep -c -e "$2" out)" -eq "$1" ]; }

# The bakery with tickets that grow without bound, and a twin that lets the next one in, too.
program=$root/tests/abstraction/bakery.c
abstract --verify "$program" -I "$root/include"
check "bakery: exit status" exits 20
check "bakery: only integers may overflow" said 2 'Proviso: provided that no signed integer overflows at .*bakery.c:'
check "bakery: no other proviso" said 2 '^Proviso:'
check "bakery: states" said 1 'Statistics: 23 states, 45 transitions'
abstract --verify "$program" -I "$root/include" -DBUG
check "bakery, buggy: exit status" exits 10
check "bakery, buggy: a path of the original" said 1 'Error path (.*; replayed)'

# The example, with its predicates in a file.
for twin in bakery:10:41 bakery_fixed:20:45; do
  name=${twin%%:*}
  abstract --verify --predicates "$root/examples/bakery.predicates" "$root/examples/$name.c"
  check "example $name: exit status" exits "$(echo "$twin" | cut -d: -f2)"
  check "example $name: states" said 1 "Statistics: 23 states, ${twin##*:} transitions"
done

# Without the predicate that relates the tickets, refinement finds it.
sed -e '/xLTy/d' "$program" >few.c
abstract --verify few.c -I "$root/include"
check "few predicates: no verdict" said 1 '^Verification result: unknown'
abstract --refine few.c -I "$root/include"
check "few predicates, refined: one is found" said 1 '5 predicates, 1 of them found by refinement'
check "few predicates, refined: verdict" said 1 '^Verification result: conditional'
abstract --refine few.c -I "$root/include" -DBUG
check "few predicates, refined, buggy: verdict" said 1 '^Verification result: false(unreach-call)'

# The C that is printed: engines accept it, and it is what was checked.
abstract "$program" -I "$root/include" --output bakery_abstract.c
check "printed: exit status" exits 0
check "printed: compiles" "$CC" -std=gnu11 -w -c bakery_abstract.c
check_c --engine explicit bakery_abstract.c
check "printed: no error" exits 0
abstract "$program" -I "$root/include" -DBUG --output bug_abstract.c
check_c --engine explicit bug_abstract.c
check "printed, buggy: explicit" exits 10
check_c --engine dpor --unwind 40 bug_abstract.c
check "printed, buggy: dpor" exits 10
check_c --engine bmc --unwind 3 bug_abstract.c --limit time=20s
check "printed, buggy: bmc accepts it" sh -c '! grep -q "not modelled\|cannot" out'

# The effect of statements, as in the paper: B is x == 0.
cat >effect.c <<'END'
extern void reach_error(void);
int x, n;
PROVISO_PREDICATE_LATER
int main(void) {
  x++;
  if (x == 0) reach_error();
  x = 0;
  if (x != 0) reach_error();
}
END
printf '# one predicate\nx == 0\n' >predicates
sed -i -e '/PROVISO_PREDICATE_LATER/d' effect.c
abstract --predicates predicates effect.c
check "x++: false if B, else a choice" said 1 'if (!((b_p1 != 0) | (was_p1 != 0))) goto'
check "x++: one choice" said 1 'choose = (u8)__VERIFIER_nondet_bool()'
abstract --predicates predicates --verify effect.c
check "x++ from 0: no error" said 1 '^Verification result: \(true\|conditional\)'

# What is no predicate, and what cannot be abstracted.
abstract "$root/examples/peterson.c"
check "no predicates: exit status" exits 2
printf 'int x;\nint main(void) { int *p = &x; return *p; }\n' >taken.c
abstract --predicates predicates taken.c
check "address taken: exit status" exits 2
check "address taken: told" grep -q 'taken.c:2: a variable of a predicate is used here' err
printf 'nothing == 0\n' >wrong
abstract --predicates wrong effect.c
check "unknown name: exit status" exits 2
printf 'extern void reach_error(void);\nint x;\nint main(void) { int k = x; if (k) reach_error(); }\n' >local.c
printf 'k > 0\n' >wrong
abstract --predicates wrong local.c
check "a local variable at file scope: exit status" exits 2
check "a local variable at file scope: told" grep -q "'k' (predicates are about variables at file scope; those of a function" err

# Local variables and parameters: in their function, or by its name in a file.
printf 'main: k > 0\n' >right
abstract --predicates right local.c
check "a local variable by its function: exit status" exits 0
program=$root/tests/abstraction/count.c
abstract --verify "$program" -I "$root/include"
check "locals: verdict" said 1 '^Verification result: conditional'
check "locals: provisos" said 1 '^Proviso: provided that no signed integer overflows at .*count.c:14'
check "locals: states" said 1 'Statistics: 16 states, 31 transitions'
abstract --verify "$program" -I "$root/include" -DBUG
check "locals, buggy: the input comes from a path formula" said 1 '^Verification result: false(unreach-call)'
sed -e '/"positive"/d' "$program" >few.c
abstract --verify few.c -I "$root/include"
check "locals, few predicates: no verdict" said 1 '^Verification result: unknown'
abstract --refine few.c -I "$root/include"
check "locals, refined: one is found" said 1 '3 predicates, 1 of them found by refinement'
check "locals, refined: verdict" said 1 '^Verification result: conditional'
abstract "$program" -I "$root/include" --output count_abstract.c
check "locals, printed: compiles" "$CC" -std=gnu11 -w -c count_abstract.c
check_c --engine explicit count_abstract.c
check "locals, printed: no error" exits 0
abstract "$program" -I "$root/include" -DBUG --output count_bug.c
check_c --engine explicit count_bug.c
check "locals, printed, buggy: an error" exits 10

# A thread's local variables, which are unsigned.
cat >thread.c <<'END'
#include <pthread.h>
extern void reach_error(void);
static void *run(void *p) {
  unsigned few = 0, rest = 1;
  while (rest) rest--, few = rest < 5;
  if (rest != 0 || few > MOST) reach_error();
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  return pthread_join(t, 0);
}
END
printf 'run: rest == 0\nrun : few <= 1\nrun: rest < 5\n' >in_thread
abstract --verify --predicates in_thread thread.c -DMOST=1
check "a thread's: verdict" said 1 '^Verification result: \(true\|conditional\)'
abstract --verify --predicates in_thread thread.c -DMOST=0
check "a thread's, buggy: verdict" said 1 '^Verification result: false(unreach-call)'

# Variables with several values at a time are refused, and so are those in memory.
refused() { # refused PREDICATE MESSAGE
  printf '%s\n' "$1" >refused
  abstract --predicates refused several.c
  check "refused, $1: exit status" exits 2
  check "refused, $1: told" grep -q "$2" err
}
cat >several.c <<'END'
#include <pthread.h>
static int again(int n) { return n > 0 ? again(n - 1) : 0; }
static void *run(void *p) {
  int k = 0;
  k++;
  return k ? p : 0;
}
int main(void) {
  pthread_t t, u;
  int taken = 0, *p = &taken, twice = 0;
  double half = 0.5;
  for (int twice = 0; twice < 2; twice++) *p += half > twice;
  pthread_create(&t, 0, run, 0);
  pthread_create(&u, 0, run, 0);
  return again(3) + twice;
}
END
refused 'again: n > 0' 'again. cannot be abstracted: the function may call itself'
refused 'run: k > 0' 'run. cannot be abstracted: several threads may execute the function'
refused 'main: taken > 0' 'main. cannot be abstracted: it lives in memory'
refused 'main: twice > 0' 'main. cannot be abstracted: the function has several variables of this name'
refused 'main: half > 0' 'main. cannot be abstracted: it is no integer'
refused 'nothing: half > 0' 'no function, or several, of the name .nothing. may run'
finish
