#!/bin/sh
# bitcode.sh: bitcode that others had made by clang, with names and without, in which functions were put in where they are called: what is passed to them, and what
# they declare, is told apart from the rest as far as it can be, and a proviso says what cannot. PROVISO names the program to test.
. "$(dirname "$0")/common/shell.sh"
cd "$work" || exit 2

verdict() { # verdict VERDICT FILE CLANG-ARGUMENT...: of the file's bitcode
  wanted=$1
  file=$2
  shift 2
  for names in -fdiscard-value-names -fno-discard-value-names; do
    "$CLANG" -g -O0 -Xclang -disable-O0-optnone -w $names "$@" -emit-llvm -c "$file" -o program.bc 2>err || {
      flunk "$file" "does not compile"
      continue
    }
    timeout 120 "$PROVISO" check program.bc >out 2>err
    status=$?
    case $wanted in true) wanted_status=0 ;; conditional) wanted_status=20 ;; *) wanted_status=10 ;; esac
    check "$file $* ($names): $wanted" ends $wanted_status "$wanted"
  done
}

cat >padded.c <<'END'
#include <assert.h>
struct s { char c; short i; long l; };
static inline __attribute__((always_inline)) struct s id(struct s q) { return q; }
int main(void) {
  struct s l;
  l.c = 1;
  l.i = 2;
#ifndef UNSET
  l.l = 3;
#endif
  struct s k = id(l);
#ifdef WRONG
  assert(k.i != 2);
#endif
  assert(k.i == 2);
}
END
verdict conditional padded.c
verdict conditional padded.c -DUNSET
verdict "false(unreach-call)" padded.c -DWRONG

cat >fields.c <<'END'
#include <assert.h>
struct s { unsigned a : 20; };
static inline __attribute__((always_inline)) int get(struct s s) { return s.a; }
int main(void) {
  struct s s;
  s.a = 1;
#ifdef WRONG
  assert(get(s) != 1);
#endif
  assert(get(s) == 1);
}
END
verdict conditional fields.c
verdict "false(unreach-call)" fields.c -DWRONG

cat >block.c <<'END'
int main(void) {
  int *keep = 0;
  for (int k = 1; k >= 0; k--) {
    int x[2];
    if (k) x[0] = 5;
    if (x[0] == 6) return 1;
    keep = x;
  }
  return *keep == 7;
}
END
verdict "false(def-behavior)" block.c
cat >kept.c <<'END'
int main(void) {
  int *keep = 0;
  { int x = 5; keep = &x; }
  return *keep == 7;
}
END
verdict conditional kept.c
verdict conditional kept.c -g0
verdict "false(valid-deref)" kept.c -g0 -Xclang -fsanitize-address-use-after-scope
verdict "false(valid-deref)" kept.c -Xclang -fsanitize-address-use-after-scope
cat >plain.c <<'END'
#include <assert.h>
struct s { char c; int i; };
static int get(struct s s) { return s.i; }
int main(void) {
  struct s s = {1, 2};
  int n = 0, *p = &n;
  for (int i = 0; i < 3; i++) *p += get(s);
#ifdef WRONG
  assert(n == 7);
#endif
  assert(n == 6);
}
END
verdict true plain.c
verdict "false(unreach-call)" plain.c -DWRONG
finish
