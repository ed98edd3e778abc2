#!/bin/sh
# slice.sh: `proviso slice` prints slices that compile, say which lines they come from, and have the verdict of the
# program; `--slice` and `--specialise` of `check` do not change verdicts. With a sample of fuzz/slices.py.
# PROVISO names the program to test.
. "$(dirname "$0")/common/shell.sh"
cd "$work" || exit 2
run() {
  "$PROVISO" "$@" >out 2>err
  status=$?
}
not() { ! "$@"; }

# verdict FILE OPTION...
verdict() {
  file=$1
  shift
  "$PROVISO" check --quiet --property unreach-call "$@" "$file" | sed -n 's/^Verification result: //p'
}

cat >right.c <<'END'
#include <pthread.h>
extern void reach_error(void);
static int shared, junk, other;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int add(int a, int b) {
  junk += b;
  return a + 1;
}
static void *work(void *a) {
  pthread_mutex_lock(&m);
  shared = add(shared, 4);
  other += 3;
  pthread_mutex_unlock(&m);
  return a;
}
int main(void) {
  pthread_t t;
  int n = 0;
  pthread_create(&t, 0, work, 0);
  for (int i = 0; i < 5; i++)
    n += i;
  pthread_mutex_lock(&m);
  shared = add(shared, n);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  if (shared != 2)
    reach_error();
  return other + n;
}
END
sed 's/pthread_join(t, 0);//' right.c >wrong.c

run slice right.c -o right.slice.c
check "slice" is "$status" 0
check "slice: says how much is left" grep -q 'of .* edges are left' right.slice.c
check "slice: a line of the source" grep -q '^#line 11 "right.c"' right.slice.c
check "slice: not what cannot matter" not grep -q 'g_junk\|g_other' right.slice.c
check "slice: the lock" grep -q 'pthread_mutex_lock' right.slice.c
check "slice: compiles" gcc -std=gnu11 -w -fsyntax-only right.slice.c
check "slice: right" is "$(verdict right.slice.c)" true
run slice wrong.c -o wrong.slice.c
check "slice: wrong" is "$(verdict wrong.slice.c)" "false(unreach-call)"

# ---- criteria
run slice right.c --criterion right.c:12:other
check "criterion: a variable" is "$status" 0
check "criterion: it is there" grep -q 'g_other' out
check "criterion: others are not" not grep -q 'g_shared' out
run slice right.c --criterion right.c:12:nothing
check "criterion: no such variable" is "$status" 2
check "criterion: no such variable: says so" grep -q 'no statement of that line reads or writes `nothing`' err
run slice right.c --criterion right.c:1000:other
check "criterion: no such line" is "$status" 2
run slice right.c --criterion nothing:at:all
check "criterion: no line" is "$status" 2
run slice right.c --criterion no-data-race -o races.c
check "criterion: data races" grep -q 'g_junk' races.c
check "criterion: data races: verdict" is "$("$PROVISO" check --quiet --property no-data-race races.c | tail -n 1)" "Verification result: true"
run slice right.c --criterion no-overflow
check "criterion: overflows are refused" is "$status" 2
run slice right.c --criterion valid-memtrack
check "criterion: leaks are refused" is "$status" 2

cat >jump.c <<'END'
#include <setjmp.h>
extern void reach_error(void);
static jmp_buf b;
int main(void) {
  if (setjmp(b))
    reach_error();
  longjmp(b, 1);
}
END
run slice jump.c
check "jumps are refused" is "$status" 2
run slice jump.c --criterion jump.c:7:b
check "jumps are refused, for a variable" is "$status" 2
run check --slice --property unreach-call jump.c
check "jumps: the whole program is searched" is "$status" 10

# ---- what never comes back
for never in 'for (;;);' 'abort();' 'if (n) abort(); else exit(1);' 'for (n = 0;; n++) if (n > 3) exit(0);'; do
  for comes in 0 1; do
    more=$((6 - 6 * comes))
    cat >never.c <<END
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static void never(int n) { $never }
static int may(int n) { if (n > 5) for (;;); return n; }
int main(void) {
  int n = __VERIFIER_nondet_int();
  void (*f)(int) = never;
  if (n != $comes) f(n);
  if (may(n + $more) == 1) reach_error();
  return 0;
}
END
    run slice never.c -o never.slice.c
    [ "$comes" = 1 ] && expected="false(unreach-call)" || expected=true
    check "$never: the slice waits ($comes)" is "$(verdict never.slice.c)" "$expected"
    check "... as the program does" is "$(verdict never.c)" "$expected"
  done
done
cat >join.c <<'END'
#include <pthread.h>
extern void reach_error(void);
static void *work(void *a) {
  while (WAITS) {
  }
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  reach_error();
}
END
run slice join.c -o join.slice.c -- -DWAITS=1
check "a thread that never ends is not joined" is "$(verdict join.slice.c)" true
run slice join.c -o join.slice.c -- -DWAITS=0
check "a thread that ends is" is "$(verdict join.slice.c)" "false(unreach-call)"

# ---- specialise
cat >args.c <<'END'
extern void reach_error(void);
static int mode = 2, debug;
static const int table[3] = {3, 5, 9};
static int scale(int by, int x) { return debug ? 0 : by * x; }
int main(int argc, char **argv) {
  int x = 0, n = 4;
  if (argc > 2)
    n = argv[1][0] - '0';
  if (mode == 1)
    x = 100;
  for (int i = 0; i < n; i++)
    x += table[mode];
  if (debug)
    x++;
  if (scale(2, x) != 54)
    reach_error();
  return 0;
}
END
run slice --specialise --args '3 b' args.c -o args.slice.c
check "specialise: arguments" not grep -q 'argv\[' args.slice.c
check "specialise: a table" grep -q 'x = x + 9u' args.slice.c
check "specialise: branches" not grep -q 'g_debug\|g_mode\|100u' args.slice.c
check "specialise: a parameter" grep -q 'x \* 2u\|2u \* x' args.slice.c
check "specialise: right" is "$(verdict args.slice.c)" true
check "specialise: right, inside" is "$(verdict args.c --specialise --args '3 b')" true
run slice --specialise --args '4 b' args.c -o args.wrong.c
check "specialise: wrong" is "$(verdict args.wrong.c)" "false(unreach-call)"
check "specialise: wrong, inside" is "$(verdict args.c --specialise --args '4 b')" "false(unreach-call)"
run ir --specialise --args '3 b' args.c
check "specialise: ir" not grep -q 'x = 100' out

# ---- inside of check
run check --slice --property unreach-call right.c
check "check: right" is "$status" 0
check "check: says what it removed" grep -q 'a slice of the program was searched: [0-9]* of [0-9]* edges are left' out
run check --slice --property unreach-call wrong.c --json wrong.json
check "check: wrong" is "$status" 10
check "check: the path is one of the program" grep -q 'wrong.c:26' out
run replay wrong.json
check "check: it is replayed" is "$status" 10

# ---- by default, where it pays: inputs that are left out have any value in the error path
{
  printf 'extern unsigned __VERIFIER_nondet_uint(void);\nextern void reach_error(void);\nstatic unsigned junk;\n'
  printf 'int main(void) {\n  unsigned a = __VERIFIER_nondet_uint(), b = 0;\n'
  i=0
  while [ $i -lt 60 ]; do
    printf '  junk = junk * %du + __VERIFIER_nondet_uint();\n  if (junk > %du) junk ^= a;\n' $((2 * i + 3)) $((i + 7))
    i=$((i + 1))
  done
  printf '  b = __VERIFIER_nondet_uint();\n  if (a > 100 && a < 200 && b == a + 5 && b < LIMIT) reach_error();\n  return 0;\n}\n'
} >large.c
run check --property unreach-call --json large.json large.c -- -DLIMIT=110
check "by default: error" is "$status" 10
check "... the slice is told" grep -q 'a slice of the program was searched' out
inputs=$(python3 -c 'import json; print(len(json.load(open("large.json"))["violations"][0]["inputs"]))')
check "... the path has all inputs" is "$inputs" 62
run replay large.json
check "... and is replayed" is "$status" 10
run check --property unreach-call large.c -- -DLIMIT=106
check "by default: no error" is "$status" 0
check "... the slice is told" grep -q 'a slice of the program was searched' out
run check --no-slice --property unreach-call large.c -- -DLIMIT=110
check "--no-slice: error" is "$status" 10
check "... of the whole" not grep -q 'a slice of the program was searched' out
run check --engine bmc --property unreach-call large.c -- -DLIMIT=110
check "an engine that was chosen gets the whole" not grep -q 'a slice of the program was searched' out

python3 "$root/fuzz/slices.py" --printed --binary "$PROVISO" $(sample 500 8) >sample || cat sample
check "random programs" grep -q ' 0 failed$' sample
python3 "$root/fuzz/slices.py" --inside --threads --binary "$PROVISO" $(sample 500 8) >sample || cat sample
check "random programs with threads, inside" grep -q ' 0 failed$' sample
# What cuts paths off is in the slice, and is a proviso of its verdict, too: other verifiers end there.
cat >table.c <<'END'
#include <stdio.h>
extern void reach_error(void);
int main(int argc, char **argv) {
  int sum = 0, length = 0;
  for (int i = 0; i < argc; i++) {
    sum += i;
    length += 2 * i;
  }
  printf("%d\n", length);
  if (sum == WRONG) reach_error();
  return 0;
}
END
for wrong in 3 4; do
  run slice table.c --criterion unreach-call -o table_slice.c -- -DWRONG=$wrong
  check "arguments and output: printed ($wrong)" is "$status" 0
  check "... for a compiler, too" "$CLANG" -w -fsyntax-only table_slice.c
  run check --engine explicit --property unreach-call table_slice.c
  [ "$wrong" = 3 ] && expected="false(unreach-call)" || expected=conditional
  check "... and its verdict" is "$(tail -n 1 out)" "Verification result: $expected"
done
check "... with the bound" grep -q 'at most 3 arguments' out

# Text of arguments comes from those of the printed program, text of variables and of standard input from its inputs.
cat >texts.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
static int words, noise;
int main(int argc, char **argv) {
  const char *home = getenv("HOME");
  for (int i = 1; i < argc; i++) {
    noise += argv[i][0] * 3;
    if (strcmp(argv[i], "go") == 0) words++;
  }
  if (home && home[0] == 'q') words++;
  if (getchar() == 'z') words++;
  if (words > LIMIT) reach_error();
  return noise & 1;
}
END
cat >reach.c <<'END'
#include <stdlib.h>
static unsigned at, values[] = {1, 0, 1, 'q', 'z'}; /* HOME is set, as one byte, q; z comes in */
unsigned __VERIFIER_nondet_uint(void) { return at < 5 ? values[at++] : 0; }
void __VERIFIER_atomic_begin(void) {}
void __VERIFIER_atomic_end(void) {}
void reach_error(void) { exit(3); }
END
for limit in 4 5; do
  run slice texts.c -o texts_slice.c -- -DLIMIT=$limit
  check "texts: printed ($limit)" is "$status" 0
  check "... compiled" "$CC" -std=gnu11 -fno-strict-aliasing -fwrapv -w -pthread texts_slice.c reach.c -lm -o "texts$limit"
done
reached() { # reached PROGRAM ARGUMENT...
  "$@" >out 2>err </dev/null
  test $? -eq 3
}
check "texts: wrong" reached ./texts4 go go go
check "texts: wrong, with other arguments" not reached ./texts4 go go gone
check "texts: correct" not reached ./texts5 go go go

# A value that was never set is an input of the slice.
cat >unset.c <<'END'
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);
static int junk;
static int pick(int c) {
  if (c) return 1;
  junk++;
}
int main(void) {
  int c = __VERIFIER_nondet_bool(), x = pick(c);
  if (c && x == WRONG) reach_error();
  return junk;
}
END
for wrong in 1 2; do
  run slice unset.c -o unset_slice.c -- -DWRONG=$wrong
  check "no value: printed ($wrong)" is "$status" 0
  check "... for a compiler, too" "$CC" -w -fsyntax-only unset_slice.c
  [ "$wrong" = 1 ] && expected="false(unreach-call)" || expected=true
  check "... and its verdict" is "$(verdict unset_slice.c --engine bmc)" "$expected"
done

finish
