/* Concurrency Kit, ck_ring: a ring of one producer and one consumer (spsc), or of several producers
 * (-DMPSC).
 *
 * What comes out is what went in, of each producer in order. -DWRONG: the consumer is expected to
 * find something. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <ck_ring.h>

#ifndef ITEMS
#  define ITEMS 2
#endif
#ifdef MPSC
enum { PRODUCERS = 2 };
#  define enqueue ck_ring_enqueue_mpsc
#  define dequeue ck_ring_dequeue_mpsc
#else
enum { PRODUCERS = 1 };
#  define enqueue ck_ring_enqueue_spsc
#  define dequeue ck_ring_dequeue_spsc
#endif

static ck_ring_t ring;
static ck_ring_buffer_t buffer[8];
static int item[PRODUCERS][ITEMS], taken[PRODUCERS];
static int n_taken;

static void *producer(void *arg) {
  int *mine = arg;
  for (int i = 0; i < ITEMS; i++) {
    bool fits = enqueue(&ring, buffer, &mine[i]);
    assert(fits);
  }
  return NULL;
}

static void take(void) {
  void *got;
  if (!dequeue(&ring, buffer, &got)) return;
  int k = (int)((int *)got - &item[0][0]), p = k / ITEMS;
  assert(k % ITEMS == taken[p]);
  taken[p]++;
  n_taken++;
}

int main(void) {
  pthread_t t[PRODUCERS];
  ck_ring_init(&ring, 8);
  for (int i = 0; i < PRODUCERS; i++) pthread_create(&t[i], NULL, producer, item[i]);
  for (int i = 0; i < PRODUCERS * ITEMS; i++) take();
#ifdef WRONG
  assert(n_taken > 0);
#endif
  for (int i = 0; i < PRODUCERS; i++) pthread_join(t[i], NULL);
  while (n_taken < PRODUCERS * ITEMS) {
    int before = n_taken;
    take();
    assert(n_taken > before);
  }
  return 0;
}
