// Templates that do not keep to what they declare, or that are not known, end the path that reaches them.
// expect: conditional or unknown
// states: 1
// proviso: assembly: int3
// run: -- -DKIND=1 => conditional or unknown states=1
// run: -- -DKIND=2 => conditional or unknown states=1
// run: -- -DKIND=3 => conditional or unknown states=1
// run: -- -DKIND=4 => conditional or unknown states=1
// run: -- -DKIND=5 => conditional or unknown states=1
// run: -- -DKIND=6 => conditional or unknown states=1
// run: -- -DKIND=7 => conditional or unknown states=1
// run: -- -DKIND=8 => conditional or unknown states=1
// run: -- -DKIND=9 => conditional or unknown states=1
// run: -- -DKIND=10 => conditional or unknown states=1
// run: -- -DKIND=11 => conditional or unknown states=1
// run: -- -DKIND=12 => true states=1
#include <assert.h>
#ifndef KIND
#define KIND 0
#endif

static int x = 1;

int main(void) {
  int a = 2, b = 3, *p = &x;
  long l = 4;
#if KIND == 0
  __asm__ volatile("int3");
#elif KIND == 1 /* a is set before b is read: they may share a register */
  __asm__ volatile("movl $1, %0; addl %1, %0" : "=r"(a) : "r"(b));
#elif KIND == 2 /* an input is changed */
  __asm__ volatile("addl $1, %0" : : "r"(a));
#elif KIND == 3 /* so is a register that is not declared */
  __asm__ volatile("movl $1, %%ecx" : "+r"(a));
#elif KIND == 4 /* and memory */
  __asm__ volatile("movl $1, (%0)" : : "r"(p));
#elif KIND == 5 /* nobody sets the output */
  __asm__ volatile("" : "=r"(a));
#elif KIND == 6 /* nobody set the flag */
  __asm__ volatile("cmovel %1, %0" : "+r"(a) : "r"(b));
#elif KIND == 7 /* nobody knows what is above the int */
  __asm__ volatile("movq %q1, %0" : "=r"(l) : "r"(a));
#elif KIND == 8 /* a jump */
  __asm__ volatile("1: subl $1, %0; jne 1b" : "+r"(a));
#elif KIND == 9 /* a segment */
  __asm__ volatile("movq %%fs:0, %0" : "=r"(l));
#elif KIND == 10 /* the stack */
  __asm__ volatile("push %0; pop %0" : "+r"(l));
#elif KIND == 11 /* of nothing there is no first bit */
  __asm__ volatile("bsfl %1, %0" : "=r"(a) : "r"(a - 2));
#elif KIND == 12 /* the first one with the "&" that is missing */
  __asm__ volatile("movl $1, %0; addl %1, %0" : "=&r"(a) : "r"(b));
  assert(a == 4);
  a = 0;
#endif
  assert(KIND == 12 && p && l && b);
  return a;
}
