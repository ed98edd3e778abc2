// A thread is created, and its creator fails before its next event: what the new thread does is looked at, and so are its races, whose paths leave out
// what failed (with --keep-going; it crashed once, and did not find them later).
//
// expect: false(no-data-race)
// executions: 3
// args: --engine dpor --keep-going
// message: data race on table[0]
// message: index outside the bounds
// run: --engine dpor --keep-going --dependence conflict => false(no-data-race)
// run: --engine dpor -- -DFIX => true
// run: --engine explicit -- -DFIX => true
#include <pthread.h>

static int table[4];

static void *one(void *unused) {
  for (int k = 0; k < 4; k++) table[k] = 0;
  return unused;
}

static void *two(void *unused) {
  int index = 0;
  if (index >= 0 && index < 5) table[index] = 1;
  index = table[index & 7];
  return unused;
}

int main(void) {
  pthread_t a, b;
  int index = 0;
  pthread_create(&a, 0, one, 0);
#ifdef FIX
  pthread_join(a, 0);
#else
  index = -1;
#endif
  pthread_create(&b, 0, two, 0);
#ifdef FIX
  pthread_join(b, 0);
#endif
  table[index % 5] = 0;
}
