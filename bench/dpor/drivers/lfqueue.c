/* lfqueue: one producer, one consumer that takes what is there, main takes the rest.
 *
 * What comes out is what went in, in the same order. -DWRONG: the consumer is expected to find
 * something. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include "lfq.h"

#ifndef ITEMS
#  define ITEMS 2
#endif

static struct lfq_ctx queue;
static int item[ITEMS], *got[ITEMS];
static int n_got;

static void *producer(void *unused) {
  for (int i = 0; i < ITEMS; i++) {
    int r = lfq_enqueue(&queue, &item[i]);
    assert(r == 0);
  }
  return unused;
}

static void *consumer(void *unused) {
  for (int i = 0; i < ITEMS; i++) {
    int *p = lfq_dequeue_tid(&queue, 1);
    if (p) got[n_got++] = p;
  }
#ifdef WRONG
  assert(n_got > 0);
#endif
  return unused;
}

int main(void) {
  pthread_t p, c;
  int *x, r = lfq_init(&queue, 2);
  assert(r == 0);
  pthread_create(&p, NULL, producer, NULL);
  pthread_create(&c, NULL, consumer, NULL);
  pthread_join(p, NULL);
  pthread_join(c, NULL);
  while ((x = lfq_dequeue_tid(&queue, 0))) got[n_got++] = x;
  assert(n_got == ITEMS);
  for (int i = 0; i < ITEMS; i++) assert(got[i] == &item[i]);
  return 0;
}
