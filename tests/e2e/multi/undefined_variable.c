// A number that no file defines may begin with any value: it is an input.
// run: => false(unreach-call)
// run: --engine dpor --search bfs => false(unreach-call)
// run: --engine bmc => false(unreach-call)
// run: --engine predicate --property unreach-call => false(unreach-call)
// run: -- -DDEFINED => true
// run: -- -DUNUSED => true
// run: -- -DANY => true
// run: --engine kinduction -- -DANY => true
// run: -- -DINDEX => false(def-behavior)
// run: --engine bmc -- -DINDEX => false(def-behavior)
// run: -- -DINDEX -DGUARDED => true
// run: -- -DFEW => false(unreach-call)
// run: -- -DFEW -DGUARDED => true
#include <assert.h>
#ifdef DEFINED
int limit;
#else
extern int limit;
#endif
#ifdef GUARDED
#define MOST 4
#else
#define MOST 5
#endif
extern unsigned char few[2];
int a[4];
int main(void) {
#ifdef ANY
  int twice = limit / 2 * 2;
  assert(limit - twice >= -1 && limit - twice <= 1);
#elif defined INDEX
  if (limit >= 0 && limit < MOST) a[limit] = 1;
#elif defined FEW
  if (few[0] < MOST && few[1] == 9) assert(few[0] + few[1] <= 12);
#elif !defined UNUSED
  assert(limit == 0);
#endif
  return 0;
}
