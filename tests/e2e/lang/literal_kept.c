// A compound literal lives as long as the block that it is in (C11, 6.5.2.5, 5), and is one object however often it is come to (16). Where its block ends is not
// known: who keeps its address in a block within the function gets a proviso (`true` was said).
// expect: conditional
// proviso: the compound literal at
// run: --engine dpor => conditional
// run: --engine value => conditional
// run: -- -DFIX => true
// run: --property unreach-call => true
// run: -- -DAGAIN => true
// run: -- -DAGAIN -DWRONG => false(unreach-call)
#include <assert.h>

struct number {
  int value;
};

/* The example of the standard. */
static int again(void) {
  struct number *p = 0, *q;
  int j = 0;
again:
  q = p, p = &((struct number){j++});
  if (j < 2) goto again;
  return p == q && q->value == 1;
}

int main(void) {
#ifdef AGAIN
#ifdef WRONG
  assert(!again());
#endif
  assert(again());
  return 0;
#else
  int *p;
#ifdef FIX
  p = &(int){5};
#else
  {
    p = &(int){5};
    *p = 5;
  }
#endif
  return *p == 7;
#endif
}
