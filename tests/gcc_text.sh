#!/bin/sh
# gcc_text.sh: programs that gcc has preprocessed give the result that they give as C files: the headers
# of all that is modelled, one program that uses what only gcc knows, and the examples; for both data
# models (with the same headers, so that no 32-bit package is needed) and both of glibc's fortified
# levels. PROVISO names the program to test; with EVERY=N it is every N-th of the examples.
. "$(dirname "$0")/common/shell.sh"
cd "$work" || exit 2
mkdir -p ilp32/gnu
: >ilp32/gnu/stubs-32.h
if ! "$CC" --version 2>/dev/null | grep -q -i 'gcc\|free software foundation'; then
  echo "no gcc: nothing to preprocess with"
  finish
fi

preprocess() { # preprocess BITS FLAGS FILE: into program.i
  ilp32=
  [ "$1" = 32 ] && ilp32="-idirafter $work/ilp32 -idirafter /usr/include/x86_64-linux-gnu"
  # shellcheck disable=SC2086
  "$CC" -m"$1" $ilp32 $2 -I "$root/models/include" -E "$3" -o program.i 2>err
}

# gives BITS FLAGS FILE VERDICT OPTION...
gives() {
  bits=$1 flags=$2 file=$3 verdict=$4
  shift 4
  name="$(basename "$file") -m$bits $flags"
  if ! preprocess "$bits" "$flags" "$file"; then
    flunk "$name" "gcc does not preprocess it"
    return
  fi
  timeout 120 "$PROVISO" check --"$bits" "$@" program.i >out 2>err
  check "$name is $verdict" test "$(tail -n 1 out)" = "Verification result: $verdict"
}

for header in assert complex ctype errno fcntl fenv float inttypes limits locale malloc math pthread \
  sched semaphore setjmp signal stdarg stdatomic stddef stdint stdio stdlib string strings sys/mman \
  sys/prctl sys/stat sys/time sys/types sys/wait threads time unistd wchar wctype dirent poll regex; do
  echo "#include <$header.h>"
done >headers.c
echo 'int main(void) { return 0; }' >>headers.c
echo '#include <immintrin.h>' | cat - headers.c >intrinsics.c

cat >uses.c <<'END'
#undef _GNU_SOURCE
#define _GNU_SOURCE 1
#include <assert.h>
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <x86intrin.h>
static __inline __attribute__((__always_inline__, __gnu_inline__)) int one(void) { return 1; }
void *give(void) __attribute__((malloc(free, 1)));
void *give(void) { return malloc(4); }
_Float128 wide = 1.5f128;
_Float64x longer = 2.5F64x;
_Float32 table[2] = {0.5f32, 0x1p-2f32};
int main(void) {
  char text[16], copy[16];
  int *p = give();
  _Float64 half = 0.5f64;
  *p = 0x1f32;
  assert(*p == 7986 && half + table[1] == 0.75f64 && sizeof longer == sizeof(long double));
  assert(sizeof wide == 16 && __builtin_inff32() > 1);
  snprintf(text, sizeof text, "%d-%d", one(), *p);
  strcpy(copy, text);
  memset(text, 0, sizeof text);
  assert(*stpcpy(text, "abc") == 0 && (char *)mempcpy(text, "xy", *p - 7984) == text + 2);
  assert(strcmp(copy, "1-7986") == 0);
  _mm_pause();
  assert(__builtin_speculation_safe_value(*p) == 7986 && fabs(creal(1.0 + 2.0 * I) - 1) < 0.1);
  printf("%s\n", copy);
  free(p);
#ifdef BUG
  strcpy(copy, "more than sixteen bytes");
#endif
  return 0;
}
END

for bits in 64 32; do
  for flags in "" "-O2 -D_FORTIFY_SOURCE=2" "-O2 -D_FORTIFY_SOURCE=3 -D_GNU_SOURCE=1"; do
    gives "$bits" "$flags" headers.c true
    gives "$bits" "$flags" intrinsics.c true
    gives "$bits" "$flags" uses.c true
    gives "$bits" "$flags -DBUG" uses.c "false(valid-deref)"
  done
done

for file in "$root"/examples/*.c; do
  [ -e "$file" ] && chosen || continue
  verdict=$(sed -n 's|^// expect: *||p' "$file")
  # The line may quote: an LTL formula is one argument.
  eval "set -- $(sed -n 's|^// args: *||p' "$file")"
  gives 64 "-O2 -D_FORTIFY_SOURCE=2" "$file" "$verdict" "$@"
done
finish
