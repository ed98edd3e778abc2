/* Addresses of labels: a small bytecode machine, once with a static table and once with a local
 * one. */
#include <stdio.h>

enum { PUSH, ADD, MUL, DUP, DEC, JNZ, SWAP, HALT };

static long run(const int *code) {
  static void *const ops[] = {&&push, &&add, &&mul, &&dup, &&dec, &&jnz, &&swap, &&halt};
  long stack[16], t;
  int sp = 0;
  const int *pc = code;
#define NEXT goto *ops[*pc++]
  NEXT;
push:
  stack[sp++] = *pc++;
  NEXT;
add:
  sp--;
  stack[sp - 1] += stack[sp];
  NEXT;
mul:
  sp--;
  stack[sp - 1] *= stack[sp];
  NEXT;
dup:
  stack[sp] = stack[sp - 1];
  sp++;
  NEXT;
dec:
  stack[sp - 1]--;
  NEXT;
jnz:
  if (stack[sp - 1])
    pc = code + *pc;
  else
    pc++;
  NEXT;
swap:
  t = stack[sp - 1];
  stack[sp - 1] = stack[sp - 2];
  stack[sp - 2] = t;
  NEXT;
halt:
  return stack[sp - 2];
}

static int steps(int n) {
  void *next = &&even;
  int odd_seen = 0;
again:
  if (n == 1) return odd_seen;
  next = n % 2 ? &&odd : &&even;
  goto *next;
odd:
  odd_seen++;
  n = 3 * n + 1;
  goto again;
even:
  n /= 2;
  goto again;
}

int main(void) {
  /* 2^10: product counter */
  const int power[] = {PUSH, 1, PUSH, 10, SWAP, PUSH, 2, MUL, SWAP, DEC, JNZ, 4, HALT};
  const int square[] = {PUSH, 7, DUP, MUL, PUSH, 1, ADD, PUSH, 0, HALT};
  printf("%ld %ld\n", run(power), run(square));
  printf("%d %d\n", steps(27), steps(97));
  return 0;
}
