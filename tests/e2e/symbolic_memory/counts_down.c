// A loop that counts down ends with a pointer below its array. The order of pointers into different
// objects stays a proviso.
// expect: true
// args: --engine bmc
// run: --engine kinduction => true
// run: --engine explicit => true
// run: --engine bmc -- -DHEAP => true
// run: --engine bmc --32 -- -DHEAP => true
// run: --engine bmc -- -DBELOW => false(valid-deref)
// run: --engine bmc -- -DOTHER => conditional
// run: --engine kinduction -- -DOTHER => conditional
#include <assert.h>
#include <stdlib.h>
struct part {
  int a[20];
};
int main(void) {
  struct part parts[3], *first = parts, *p;
  int n = 0, other = 0;
#ifdef HEAP
  first = malloc(sizeof parts);
  if (!first) return 0;
#endif
  for (p = first + 2; p >= first; p--) p->a[0] = n++;
#ifdef BELOW
  p->a[0] = 1;
#endif
#ifdef OTHER
  if ((char *)&other < (char *)first) n = 4;
#endif
  assert(n == 3 && first[0].a[0] == 2 && other == 0);
  return 0;
}
