#!/bin/sh
# harness.sh: what --harness writes, compiled with the program by gcc and clang, reproduces the error.
# PROVISO names the program to test.
. "$(dirname "$0")/common/shell.sh"
cd "$work" || exit 2
# The programs here are to fail as they do for a user, whatever sanitizers proviso itself runs under.
asan=${ASAN_OPTIONS:-}
ubsan=${UBSAN_OPTIONS:-}

run() { # run ARGUMENT...: runs proviso, keeps stdout, stderr and the status
  ASAN_OPTIONS=$asan UBSAN_OPTIONS=$ubsan timeout 120 "$PROVISO" "$@" >out 2>err
  status=$?
}
found() { # found PROPERTY
  [ "$status" -eq 10 ] && [ "$(tail -n 1 out)" = "Verification result: false($1)" ]
}
unset ASAN_OPTIONS UBSAN_OPTIONS
compilers=
for c in gcc clang clang-19; do
  command -v $c >/dev/null && compilers="$compilers $c"
done
[ -n "$compilers" ] || { echo "no compiler"; exit 2; }

native() { # native COMPILER ARGUMENT...: compiles and runs; keeps the exit status
  compiler=$1
  shift
  rm -f reproduce
  "$compiler" -g "$@" -lm -o reproduce >out 2>err || { status=-1; return; }
  timeout 60 ./reproduce >out 2>err
  status=$?
}
marked() { [ "$status" -eq 107 ] && grep -q '^proviso harness: the error is reached$' err; }

# ---- inputs of all types -------------------------------------------------------------------------
cat >types.c <<'END'
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern long double __VERIFIER_nondet_long_double(void);
extern void *__VERIFIER_nondet_pointer(void);
extern __int128 __VERIFIER_nondet_int128(void);
extern long __VERIFIER_nondet_never(void);
extern int proviso_choose(int, int);
extern void __VERIFIER_assume(int);
extern void assume_abort_if_not(int);
extern void reach_error(void);
long never(void) { return __VERIFIER_nondet_never(); }
int main(void) {
  int i = __VERIFIER_nondet_int();
  unsigned char c = __VERIFIER_nondet_uchar();
  char d = __VERIFIER_nondet_char();
  if (i != -77 || c != 200 || d != -3 || !__VERIFIER_nondet_bool()) return 0;
  if (__VERIFIER_nondet_bool() || __VERIFIER_nondet_uint() != 4000000000u) return 0;
  long l = __VERIFIER_nondet_long();
  unsigned long long u = __VERIFIER_nondet_ulonglong();
  if (l != -5000000000 || u != 0xfedcba9876543210u) return 0;
  if (__VERIFIER_nondet_short() != -32768 || __VERIFIER_nondet_ushort() != 65535) return 0;
  if (__VERIFIER_nondet_float() != 0.5f || __VERIFIER_nondet_double() != 1e9) return 0;
  if (__VERIFIER_nondet_long_double() != 0 || __VERIFIER_nondet_pointer()) return 0;
  __int128 w = __VERIFIER_nondet_int128();
  if ((w >> 64) != 1 || (long)w != -1) return 0;
  int k = proviso_choose(-3, 3);
  __VERIFIER_assume(k <= -2);
  assume_abort_if_not(k == -2);
  reach_error();
}
END
run check types.c --property unreach-call --inputs 400 --harness types_harness.c --json types.json
check "types: an error" found unreach-call
check "types: how to compile is told" \
  grep -qx 'Note: compile and run the harness: cc -g types.c types_harness.c -lm -o reproduce && ./reproduce.' out
for c in $compilers; do
  for o in -O0 -O2; do
    native $c $o -Wall -Wextra -Werror types.c types_harness.c
    check "types: $c $o" marked
  done
done
cp types_harness.c first.c
run check types.c --property unreach-call --inputs 400 --harness types_harness.c
check "types: the same again" cmp -s first.c types_harness.c
run replay types.json --harness types_harness.c
check "types: the same by replay" cmp -s first.c types_harness.c
check "types: replay" found unreach-call

# ---- runs that leave the path ----------------------------------------------------------------------
c=${compilers##* }
sed 's/{0xfffffffeu, 0x0u}/{0xfffffffdu, 0x0u}/' first.c >changed.c
native $c types.c changed.c
check "a false assumption" is "$status" 109
sed '/proviso_choose at/d; s/PROVISO_INPUTS = 17/PROVISO_INPUTS = 16/' first.c >changed.c
native $c types.c changed.c
check "too few inputs" is "$status" 108
check "too few inputs: told" grep -q 'more inputs are asked for' err
sed 's/{0xfffffffeu, 0x0u}/{0x4u, 0x0u}/' first.c >changed.c
native $c types.c changed.c
check "out of range" is "$status" 108
grep -v '__VERIFIER_nondet_int at' first.c >changed.c
native $c types.c changed.c
check "another input" is "$status" 108
sed 's/{0xffffffb3u, 0x0u}/{0xffffffb4u, 0x0u}/' first.c >changed.c
native $c types.c changed.c
check "another value: no error" is "$status" 0

# ---- values that no search tried -------------------------------------------------------------------
cat >square.c <<'END'
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assert(int);
int main(void) { unsigned x = __VERIFIER_nondet_uint(); __VERIFIER_assert(x * x % 4096 != 9); }
END
run check square.c --property unreach-call --inputs 2000 --json square.json
python3 -c 'import json
r = json.load(open("square.json"))
r["violations"][0]["inputs"][0][2] = "0x1c03003"
json.dump(r, open("square.json", "w"))'
run replay square.json --harness square_harness.c
check "a given value: replay" found unreach-call
check "a given value: in the harness" grep -q '0x1c03003u' square_harness.c
native $c square.c square_harness.c
check "a given value: an assertion of the harness's" marked

# ---- other signs of an error -----------------------------------------------------------------------
cat >assertion.c <<'END'
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) { int n = __VERIFIER_nondet_int(); assert(n != 31 && "*/ #error \\"); }
END
run check assertion.c --harness assertion_harness.c
check "assert" found unreach-call
for c in $compilers; do
  native $c -Wall -Werror assertion.c assertion_harness.c
  check "assert: abort with $c" is "$status" 134
done
cat >own.c <<'END'
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { exit(55); }
int main(void) { if (__VERIFIER_nondet_int() == 31) reach_error(); return 0; }
END
run check own.c --harness own_harness.c
check "own error function" found unreach-call
check "own error function: told" grep -q "the program's own error function" own_harness.c
native $c own.c own_harness.c
check "own error function: is called" is "$status" 55

sanitizer() { # sanitizer NAME: can programs be built and run with it?
  echo 'int main(void) { return 0; }' >empty.c
  native $c "-fsanitize=$1" empty.c
  [ "$status" -eq 0 ]
}
command_of() { # what the note says, with the compiler at hand
  sed -n "s/^Note: compile and run the harness: cc \(.*\) -o reproduce && .*/\1/p" out
}
cat >overflow.c <<'END'
extern int __VERIFIER_nondet_int(void);
int main(void) { int n = __VERIFIER_nondet_int(); return n + 1 > 0 ? 0 : 1; }
END
run check overflow.c --harness overflow_harness.c
check "overflow" found no-overflow
arguments=$(command_of)
check "overflow: the command" is "$arguments" \
  "-g -fsanitize=undefined -fno-sanitize-recover=all overflow.c overflow_harness.c -lm"
if sanitizer undefined; then
  native $c $arguments
  check "overflow: the sanitizer's report" grep -q 'runtime error: signed integer overflow: 2147483647' err
fi
cat >bounds.c <<'END'
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char n = __VERIFIER_nondet_uchar();
  char *p = malloc(7);
  if (p) p[n & 7] = 1;
  free(p);
}
END
run check bounds.c --harness bounds_harness.c
check "bounds" found valid-deref
arguments=$(command_of)
if sanitizer address; then
  native $c $arguments
  check "bounds: the sanitizer's report" grep -q 'heap-buffer-overflow' err
fi

# ---- threads ---------------------------------------------------------------------------------------
cat >threads.c <<'END'
#include <pthread.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void reach_error(void);
static int sum;
static void *add(void *u) {
  unsigned char n = __VERIFIER_nondet_uchar();
  __VERIFIER_atomic_begin();
  __VERIFIER_atomic_begin();
  sum += n;
  __VERIFIER_atomic_end();
  sum += n;
  __VERIFIER_atomic_end();
  return u;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, add, 0);
  add(0);
  pthread_join(t, 0);
  if (sum == 14 && __VERIFIER_nondet_int() == 5) reach_error();
}
END
run check threads.c --property unreach-call --harness threads_harness.c
check "threads" found unreach-call
check "threads: a note" grep -q '^Note: the harness reproduces the inputs, not the schedule' out
check "threads: a comment" grep -q 'The schedule of the threads is not reproduced' threads_harness.c
for c in $compilers; do
  native $c -Wall -Werror threads.c threads_harness.c -pthread
  check "threads: $c" marked
done

# ---- what is not given -----------------------------------------------------------------------------
cat >elsewhere.c <<'END'
#include <stdlib.h>
extern void reach_error(void);
int main(void) { int n = rand(); void *p = malloc(3); if (!p && n % 4 == 1) reach_error(); free(p); }
END
run check elsewhere.c --malloc-may-fail --harness elsewhere_harness.c
check "elsewhere" found unreach-call
check "elsewhere: a note" grep -q \
  '^Note: the harness does not give 2 inputs from elsewhere (`rand` at elsewhere.c:3, `malloc fails` at elsewhere.c:3).$' out
check "elsewhere: a comment" grep -q 'not given: `rand` at elsewhere.c:3' elsewhere_harness.c
native $c elsewhere.c elsewhere_harness.c
check "elsewhere: compiles" is "$status" 0
cat >unset.c <<'END'
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int begin(int n) { int u; if (n == 3 && u == 0 && __VERIFIER_nondet_int() == 7) reach_error(); return 0; }
int main(void) { return begin(3); }
END
run check unset.c --property unreach-call --entry begin --harness unset_harness.c
check "entry" found unreach-call
check "entry: a note" grep -q '^Note: the harness does not call `begin`' out
check "entry: the parameter and the unset variable" grep -q \
  'does not give 2 inputs from elsewhere (`parameter 1 of begin` at .*, `u` at unset.c:3)' out
cat >many.c <<'END'
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
int main(void) {
  for (int i = 0; i < 20001; i++) if (__VERIFIER_nondet_uchar()) return 0;
  reach_error();
}
END
run check many.c --property unreach-call --harness many_harness.c
check "many inputs" found unreach-call
check "many inputs: a note" grep -q '^Note: no harness is written: the path asks for so many inputs' out
check "many inputs: no file" [ ! -e many_harness.c ]

# ---- names that want to be code --------------------------------------------------------------------
mkdir 'evil*' || exit 2
evil='evil*/*/ int x = $(y) '"'"'"; \.c'
mkdir -p "$(dirname "$evil")"
cp assertion.c "$evil"
run check "$evil" --harness 'evil*/h.c' -- '-DX="*/ #error"'
check "names" found unreach-call
for c in $compilers; do
  native $c -Wall -Werror -Wcomment "$evil" 'evil*/h.c'
  check "names: $c" is "$status" 134
done
run check "$evil" --harness 'evil*/h.c' -- '-DX="*/ #error"'
if command -v cc >/dev/null; then
  sh -c "$(sed -n 's/^Note: compile and run the harness: \(.*\)\.$/\1/p' out)" >out 2>err
  check "names: the command of the note" is "$?" 134
fi

# ---- other languages -------------------------------------------------------------------------------
cat >plus.cpp <<'END'
extern "C" int __VERIFIER_nondet_int();
extern "C" void reach_error();
struct box { int n; explicit box(int k) : n(k) {} bool bad() const { return n == -9; } };
int main() { box b(__VERIFIER_nondet_int()); if (b.bad()) reach_error(); }
END
run check plus.cpp --harness plus_harness.c
check "C++" found unreach-call
if command -v c++ >/dev/null; then
  native c++ plus.cpp -x c plus_harness.c -x none
  check "C++: marker" marked
fi
if echo 'int main(void) { return 0; }' >empty.c && gcc -m32 empty.c -o empty 2>/dev/null; then
  cat >narrow.c <<'END'
extern long __VERIFIER_nondet_long(void);
extern long long __VERIFIER_nondet_longlong(void);
extern void reach_error(void);
int main(void) { if (__VERIFIER_nondet_long() == -7 && __VERIFIER_nondet_longlong() == -7000000000) reach_error(); }
END
  run check narrow.c --32 --harness narrow_harness.c
  check "32 bits" found unreach-call
  native gcc -m32 narrow.c narrow_harness.c
  check "32 bits: marker" marked
fi

# ---- files -----------------------------------------------------------------------------------------
cat >right.c <<'END'
int main(void) { return 0; }
END
echo old >kept.c
run check right.c --harness kept.c
check "no error: the verdict" is "$status" 0
check "no error: a note" grep -q '^Note: no harness is written: there is no error.$' out
check "no error: the file stays" is "$(cat kept.c)" old
run check own.c --harness nowhere/h.c
check "a folder that is not there" is "$status" 2
run check own.c --harness a.c --harness b.c
check "two harnesses" is "$status" 2
mkdir full && chmod 500 full
if ! touch full/x 2>/dev/null; then
  run check own.c --harness full/h.c
  check "a folder that cannot be written" is "$status" 2
fi
chmod 700 full

finish
