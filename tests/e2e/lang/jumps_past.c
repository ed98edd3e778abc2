// A variable lives as long as its block, however often a jump comes back to its declaration, where it only becomes unset (C11, 6.2.4, 5 and 6). Where jumps lead
// past declarations clang does not mark that: who is in a block within the function gets a proviso (`true` was said).
// expect: true
// run: --engine dpor => true
// run: -- -DWRONG => false(unreach-call)
// run: -- -DUNSET => false(def-behavior)
// run: --engine dpor -- -DUNSET => false(def-behavior)
// run: --engine value --property unreach-call -- -DSTALE => false(unreach-call)
// run: --engine bmc --property unreach-call -- -DSTALE => false(unreach-call)
// run: -- -DDUFF => conditional
// run: -- -DDUFF -DNAME=tmp => true
// run: -- -DENTERED => conditional
// run: -- -DSWITCH => conditional
// run: --engine value -- -DSWITCH => conditional
// run: -- -DLEFT => conditional
// run: --engine dpor -- -DLEFT => conditional
#include <assert.h>

#ifndef NAME
#define NAME t
#endif

static int use(int *p, int first) {
  if (first) *p = 5;
  return *p;
}

int main(void) {
#ifdef DUFF
  int n = 7, sum = 0, first = 1;
  switch (n & 3) {
    int NAME[1];
  case 0:
    do {
      sum++;
    case 3: sum += use(NAME, first); first = 0;
    case 2: sum++;
    case 1: sum++;
    } while ((n -= 4) > 0);
  }
  assert(sum == 15);
  return 0;
#elif defined ENTERED
  int first = 1, sum = 0, *p;
  goto in;
  {
    int y[2];
  in:
    p = y;
    if (first) p[0] = 5, first = 0;
    sum += p[0];
    if (sum < 20) goto in;
  }
  assert(sum == 20);
  return 0;
#elif defined SWITCH
  int seen = 0;
  for (int i = 0; i < 2; i++) {
    switch (i) {
      int w;
    case 0: w = 4; break;
    case 1:
      if (w == 5) seen++;
    }
  }
  return seen;
#elif defined LEFT
  int *p, n = 1;
  if (n) goto in;
  {
    int y;
  in:
    y = 3;
    p = &y;
  }
  return *p == 7;
#else
  int *p = 0, n = 0, sum = 0;
again:;
  int x;
#ifdef UNSET
  if (p && *p == 7) return 1;
#elif defined STALE
  assert(!p || *p != 7);
#endif
  if (p) sum += p == &x;
  p = &x;
  x = n;
  if (n++ < 3) goto again;
#ifdef WRONG
  assert(sum != 3);
#endif
  assert(sum == 3 && *p == 3);
  return 0;
#endif
}
