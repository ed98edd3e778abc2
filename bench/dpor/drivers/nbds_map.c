/* nbds: a map that threads use at the same time. -DIMPL=MAP_IMPL_LL (list), MAP_IMPL_HT (hash
 * table) or MAP_IMPL_SL (skip list).
 *
 * Each of the two threads does OPS operations on keys that are its own, but for the last one: both
 * add the same key, and exactly one of them is to find that it is new. -DWRONG: each of them takes
 * itself for the one. */
#undef NDEBUG /* the library's assertions are not this file's */
#include <assert.h>
#include <pthread.h>
#include "common.h"
#include "runtime.h"
#include "map.h"
#include "list.h"
#include "skiplist.h"
#include "hashtable.h"

#ifndef OPS
#  define OPS 2
#endif
enum { THREADS = 2, SHARED = 1 };

static map_t *map;
static int first[THREADS];

/* What happens is to be a matter of the schedule alone; levels of the skip list. */
void srand(unsigned seed) {
  (void)seed;
}
int rand(void) {
  return 4;
}

static void *worker(void *arg) {
  size_t id = (size_t)arg;
  for (int i = 1; i < OPS; i++) {
    map_key_t key = SHARED + THREADS * i + id;
    map_val_t old = map_add(map, key, id + 1);
    assert(old == DOES_NOT_EXIST);
  }
#ifdef WRONG
  if (map_get(map, SHARED) == DOES_NOT_EXIST) {
    map_set(map, SHARED, id + 1);
    first[id] = 1;
  }
#else
  first[id] = map_add(map, SHARED, id + 1) == DOES_NOT_EXIST;
#endif
  return NULL;
}

int main(void) {
  pthread_t t[THREADS];
  map = map_alloc(&IMPL, NULL);
  for (int i = 0; i < THREADS; i++) nbd_thread_create(&t[i], i, worker, (void *)(size_t)i);
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
  assert(first[0] + first[1] == 1);
  assert(map_get(map, SHARED) == (first[0] ? 1 : 2));
  return 0;
}
