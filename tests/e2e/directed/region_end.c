// Thread 1 does its last operation that others can tell of at the end of the region, and is in it still
// when thread 2, which waited for that, comes: only a stop before the return shows both. With -DLATER the
// operation comes behind the region.
//
// expect: false(mutual-exclusion)
// args: --property mutual-exclusion --mutex-region first,second
// states: 17
// run: --property mutual-exclusion --mutex-region first,second --search best => false(mutual-exclusion) states=10
// run: --property mutual-exclusion --mutex-region first,second --por none => false(mutual-exclusion) states=17
// run: --property mutual-exclusion --mutex-region first,second -- -DLATER => true states=19
// run: --property mutual-exclusion --mutex-region first,second --por none -- -DLATER => true states=19
// run: --property mutual-exclusion --mutex-region first,second --search best -- -DLATER => true states=19
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;

static void first(void) {
#ifndef LATER
  done = 1;
#endif
}

static void second(void) {}

static void *one(void *arg) {
  first();
#ifdef LATER
  done = 1;
#endif
  return arg;
}

static void *two(void *arg) {
  while (!done) {
  }
  second();
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, one, NULL);
  pthread_create(&t[1], NULL, two, NULL);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
}
