// An input that goes through structures, copies, a call and a loop, and is only compared with constants, has classes:
// one value of each is tried.
// expect: true
// run: --engine explicit => true states=2
// run: --engine explicit -- -DWRONG=199002 => false(unreach-call)
// run: --engine explicit -- -DSUM => conditional
// run: --engine explicit -- -DSHARED => conditional
#include <assert.h>
#include <string.h>
extern int proviso_choose(int, int);
struct order {
  long price;
  int count;
};
static struct order kept;
static void discount(struct order *o, int by) {
  if (o->price >= 100000) o->price -= by;
}
int main(void) {
  struct order a = {.price = proviso_choose(0, 1000000), .count = 2}, b;
  discount(&a, 500);
  memcpy(&b, &a, sizeof b);
  b.price *= 2;
#ifdef SHARED
  kept = b;
  b = kept;
#endif
#ifdef SUM
  b.price += a.price;
#endif
#ifndef WRONG
#  define WRONG 199001 /* it is even */
#endif
  if (b.price >= 199000 && b.price < 200000) assert(b.price != WRONG);
  return 0;
}
