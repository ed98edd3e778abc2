// FairThreads: a lock is kept over instants; who waits for it goes on as soon as it is free. Locks of a thread that ends
// become free. The twin does without.
// expect: true
// states: 13
// run: --engine explicit => true states=13
// run: --engine explicit --order all => true states=57
// run: --engine explicit -- -DWITHOUT => false(unreach-call) states=3
// run: --engine explicit -- -DTWICE => false(no-deadlock) states=5
#include "fthread.h"
#include <assert.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int a, b, done;

static void changes(void *arg) {
  for (int i = 0; i < 2; i++) {
#ifndef WITHOUT
    assert(ft_thread_mutex_lock(&mutex) == OK);
#endif
#ifdef TWICE
    ft_thread_mutex_lock(&mutex);
#endif
    assert(a == b);
    a++;
    ft_thread_cooperate();
    b++;
#ifndef WITHOUT
    if (i == 0) assert(ft_thread_mutex_unlock(&mutex) == OK); // the last one is freed by the end
#endif
  }
  done++;
}
static void last(void *arg) {
  ft_thread_join(((ft_thread_t *)arg)[0]);
  ft_thread_join(((ft_thread_t *)arg)[1]);
  assert(done == 2 && a == 4 && b == 4);
}
int main(void) {
  static ft_thread_t both[2];
  ft_scheduler_t s = ft_scheduler_create();
  both[0] = ft_thread_create(s, changes, NULL, NULL);
  both[1] = ft_thread_create(s, changes, NULL, NULL);
  ft_thread_create(s, last, NULL, both);
  ft_scheduler_start(s);
  ft_exit();
}
