// A computed int has too many values to try all: the answer names the input and its line.
// args: --engine explicit
// expect: conditional
// states: 2
// proviso: int_cut.c
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  assert((x ^ 5) != 123456789);
}
