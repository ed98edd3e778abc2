// Numbers made of addresses: the order of those of different objects is a proviso, within one object it is known.
// run: -- -DTWO => conditional
// run: --engine bmc -- -DTWO => conditional
// run: --engine dpor -- -DDIRECT => conditional
// run: --engine predicate -- -DDIRECT => conditional
// run: -- -DHEAP => conditional
// run: -- -DLOOP => conditional
// run: -- -DMAX => true
// run: --engine bmc -- -DMAX => true
// run: --32 --engine explicit -- -DMAX => true
// run: -- -DMAX -DWRONG => false(unreach-call)
// run: --engine value -- -DMAX -DWRONG => false(unreach-call)
// run: -- -DALIGNED => true
// run: --32 --engine explicit -- -DALIGNED => true
// run: -- -DALIGNED -DWRONG => false(valid-deref)
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
static int a, b, c[4];
int main(void) {
#if defined TWO
  uintptr_t x = (uintptr_t)&a, y = (uintptr_t)&b;
  return x < y ? 0 : 1;
#elif defined DIRECT
  if ((intptr_t)&a > (intptr_t)&b) return 1;
#elif defined HEAP
  int *p = malloc(4), *q = malloc(4);
  if (!p || !q) return 0;
  int *first = (uintptr_t)p < (uintptr_t)q ? p : q;
  *first = 1;
  free(p);
  free(q);
#elif defined LOOP
  int *p[2];
  for (int i = 0; i < 2; i++) p[i] = malloc(4);
  uintptr_t x = (uintptr_t)p[0], y = (uintptr_t)p[1];
  if (x > y) assert(p[0] != p[1]);
  free(p[0]);
  free(p[1]);
#elif defined MAX
  uintptr_t most = 0;
  for (int i = 0; i < 4; i++)
    if ((uintptr_t)&c[i] > most) most = (uintptr_t)&c[i];
#ifdef WRONG
  assert(most == (uintptr_t)&c[2]);
#else
  assert(most == (uintptr_t)&c[3]);
#endif
#elif defined ALIGNED
  assert((uintptr_t)&a % 4 == 0 && ((uintptr_t)&a & 3) == 0 && (uintptr_t)&a != 0 && (uintptr_t)&a != (uintptr_t)&b);
  char *p = malloc(64);
  if (!p) return 0;
  uintptr_t up = ((uintptr_t)p + 15) & ~(uintptr_t)15;
  assert(up >= (uintptr_t)p && up - (uintptr_t)p < 16);
  size_t n = (size_t)((char *)up - p), most = 16;
  assert(n < most);
#ifdef WRONG
  p[64 + n] = 1;
#endif
  free(p);
#endif
  return 0;
}
