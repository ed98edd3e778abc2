// Pages of a large object that nobody wrote to take no memory; they are unset, and written and copied like others.
// expect: true
// states: 10
// run: -- -DUNSET=1 => false(def-behavior) states=6
// run: -- -DUNSET=2 => false(def-behavior) states=6
// run: -- -DUNSET=3 => false(def-behavior) states=6
// run: -- -DUNSET=4 => false(def-behavior) states=6
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 1 << 24, PAGE = 512 };
struct flags {
  unsigned a : 3, b : 5;
};

static unsigned char *big, *other;

static void *worker(void *unused) {
  big[5 * PAGE] = 7;
  return unused;
}

int main(void) {
  pthread_t t;
  big = malloc(SIZE);
  other = calloc(1, 64 * PAGE);
  memset(big + 3 * PAGE - 2, 1, 4); /* over the end of a page */
  assert(big[3 * PAGE - 1] == 1 && big[3 * PAGE + 1] == 1);
  ((struct flags *)(big + 9 * PAGE))->b = 9;
  assert(((struct flags *)(big + 9 * PAGE))->b == 9);
  memcpy(big + 20 * PAGE - 4, other + 4, 8);
  assert(big[20 * PAGE + 3] == 0);
  memmove(other + PAGE - 4, big + 2 * PAGE, PAGE); /* what is unset is copied as such */
  void **place = (void **)(big + SIZE) - 1;
  *place = malloc(1);
  free(*place);
  void *fresh = malloc(1);
  assert(fresh != *place || fresh == *place);
  free(fresh);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  assert(big[5 * PAGE] == 7);
#if UNSET == 1
  assert(big[6 * PAGE] < 256);
#elif UNSET == 2
  assert(big[5 * PAGE + 1] < 256);
#elif UNSET == 3
  assert(other[PAGE] < 256);
#elif UNSET == 4
  assert(((struct flags *)(big + 9 * PAGE))->a < 8);
#endif
  free(big);
  free(other);
  return 0;
}
