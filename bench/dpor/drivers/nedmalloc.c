/* nedmalloc: THREADS threads allocate OPS blocks each, write into them, and free them again.
 *
 * Nobody changes what another one wrote, and no block is given to two threads. -DWRONG: each block
 * is freed before it is read. */
#undef NDEBUG /* the library's assertions are not this file's */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>
#include "nedmalloc.h"

#ifndef OPS
#  define OPS 1
#endif
#ifndef THREADS
#  define THREADS 2
#endif
enum { SIZE = 24 };

/* The allocator's magic number is made from it. */
time_t time(time_t *t) {
  if (t) *t = 1;
  return 1;
}

static void *worker(void *arg) {
  char mark = (char)(size_t)arg;
  for (int i = 0; i < OPS; i++) {
    char *p = nedmalloc(SIZE);
    assert(p);
    p[0] = p[SIZE - 1] = mark;
#ifdef WRONG
    nedfree(p);
    assert(p[0] == mark && p[SIZE - 1] == mark);
#else
    assert(p[0] == mark && p[SIZE - 1] == mark);
    nedfree(p);
#endif
  }
  return NULL;
}

int main(void) {
  pthread_t t[THREADS];
  char *first = nedmalloc(SIZE);
  assert(first);
  first[0] = 'm';
  for (int i = 0; i < THREADS; i++) pthread_create(&t[i], NULL, worker, (void *)(size_t)(i + 1));
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
  assert(first[0] == 'm');
  nedfree(first);
  return 0;
}
