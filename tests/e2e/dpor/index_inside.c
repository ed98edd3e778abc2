// Threads that put things into a table, at indices computed from what is shared; nobody looks at the
// table. If all are known to lie inside of it, their order does not matter; with -DFAR one may lie outside, by
// the order in which `base` is written and read. What comes after that is anybody's guess.
//
// expect: true
// executions: 1
// args: --engine dpor --property unreach-call
// run: --engine dpor --property unreach-call --dependence conflict => true executions=74
// run: --engine dpor --property unreach-call --dependence predicate => conditional executions=1
// run: --engine dpor --property unreach-call,valid-deref => true executions=1
// run: --engine explicit --property unreach-call,valid-deref => true states=555
// run: --engine dpor --property unreach-call -- -DFAR => conditional executions=27
// run: --engine explicit --property unreach-call -- -DFAR => conditional states=479
// run: --engine dpor --property valid-deref -- -DFAR => false(valid-deref) executions=1
// run: --engine dpor --property unreach-call -- -DBUG => false(unreach-call) executions=0
// run: --engine dpor --property unreach-call -- -DWIDE => true executions=27
#include <assert.h>
#include <pthread.h>
enum { SIZE = 16, THREADS = 3 };
static int table[SIZE], used[THREADS];
#ifdef WIDE /* through a char: nothing is known of the number any more */
static int base;
#define SET(value) (*(char *)&base = (value))
#else
static unsigned base;
#define SET(value) (base = (value))
#endif

static void put(int at, int what) {
  table[at] = what;
}

static void *work(void *arg) {
  int self = *(int *)arg;
#ifdef FAR
  put((int)base + self, self);
#else
  put((base + self) % SIZE, self);
#endif
  put(self * 5, table[self]);
  return arg;
}

int main(void) {
  static int numbers[THREADS];
  pthread_t t;
  for (int i = 0; i < THREADS; i++) {
    numbers[i] = i;
    pthread_create(&t, 0, work, &numbers[i]);
    used[i]++;
  }
  SET(SIZE - 1);
  SET(0);
#ifdef BUG
  assert(used[1] == 2);
#else
  assert(used[1] == 1);
#endif
}
