// FairThreads: a producer and a consumer with a queue of two places. No access is interrupted, so no lock is
// necessary; a thread that finds the queue full or empty cooperates.
// expect: true
// states: 21
// run: --engine explicit => true states=21
// run: --engine explicit --order all => true states=41
// run: --engine explicit --order any => true states=36
// run: --engine explicit -- -DBUG => false(unreach-call) states=16
// run: --engine explicit --order all -- -DBUG => false(unreach-call) states=16
#include "fthread.h"
#include <assert.h>

#define PLACES 2
static int queue[PLACES], n, first;

static void producer(void *arg) {
  for (int next = 0;; next = (next + 1) % 5) {
#ifndef BUG
    while (n == PLACES)
#endif
      ft_thread_cooperate();
    queue[(first + n++) % PLACES] = next;
    assert(n <= PLACES);
  }
}
static void consumer(void *arg) {
  for (int want = 0;; want = (want + 1) % 5) {
    while (n == 0) ft_thread_cooperate();
    assert(queue[first] == want);
    first = (first + 1) % PLACES;
    n--;
    if (want == 4) ft_thread_cooperate_n(4);
  }
}
int main(void) {
  ft_scheduler_t s = ft_scheduler_create();
  ft_thread_create(s, producer, NULL, NULL);
  ft_thread_create(s, consumer, NULL, NULL);
  ft_scheduler_start(s);
  ft_exit();
}
