/* Concurrency Kit, ck_fifo: a queue of one producer and one consumer (spsc), or of several of each
 * (-DMPMC: Michael and Scott's, double-width compare and swap): ITEMS of the producer, or of each of
 * two, while main takes as many as it finds.
 *
 * What comes out is what went in, of each producer in order. -DWRONG: main is expected to find
 * something while they work. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <ck_fifo.h>

#ifndef ITEMS
#  define ITEMS 2
#endif
#ifdef MPMC
enum { PRODUCERS = 2 };
typedef ck_fifo_mpmc_entry_t entry;
static ck_fifo_mpmc_t queue;

static void put(entry *e, void *value) {
  ck_fifo_mpmc_enqueue(&queue, e, value);
}
static bool get(void *value) {
  entry *garbage;
  return ck_fifo_mpmc_dequeue(&queue, value, &garbage);
}
static void prepare(entry *stub) {
  ck_fifo_mpmc_init(&queue, stub);
}
#else
enum { PRODUCERS = 1 };
typedef ck_fifo_spsc_entry_t entry;
static ck_fifo_spsc_t queue;

static void put(entry *e, void *value) {
  ck_fifo_spsc_enqueue(&queue, e, value);
}
static bool get(void *value) {
  return ck_fifo_spsc_dequeue(&queue, value);
}
static void prepare(entry *stub) {
  ck_fifo_spsc_init(&queue, stub);
}
#endif

static entry stub, entries[PRODUCERS][ITEMS];
static int item[PRODUCERS][ITEMS], taken[PRODUCERS];
static int n_taken;

static void *producer(void *arg) {
  size_t id = (size_t)arg;
  for (int i = 0; i < ITEMS; i++) put(&entries[id][i], &item[id][i]);
  return NULL;
}

static bool take(void) {
  void *got;
  if (!get(&got)) return false;
  int k = (int)((int *)got - &item[0][0]), p = k / ITEMS;
  assert(k % ITEMS == taken[p]);
  taken[p]++;
  n_taken++;
  return true;
}

int main(void) {
  pthread_t t[PRODUCERS];
  prepare(&stub);
  for (size_t i = 0; i < PRODUCERS; i++) pthread_create(&t[i], NULL, producer, (void *)i);
  for (int i = 0; i < ITEMS; i++) take();
#ifdef WRONG
  assert(n_taken > 0);
#endif
  for (int i = 0; i < PRODUCERS; i++) pthread_join(t[i], NULL);
  while (take()) {
  }
  assert(n_taken == PRODUCERS * ITEMS);
  return 0;
}
