// The cure of ticket_lock.c: a number is drawn by one atomic fetch-and-add.
//
// expect: true
// states: 36
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next_ticket, now_serving;
static atomic_int inside;

static int draw(void) {
  return atomic_fetch_add(&next_ticket, 1);
}

static void lock(void) {
  int mine = draw();
  while (now_serving != mine) {
    // wait
  }
}
static void unlock(void) {
  atomic_fetch_add(&now_serving, 1);
}

static void *thread(void *unused) {
  (void)unused;
  lock();
  assert(atomic_fetch_add(&inside, 1) == 0); // alone in here
  atomic_fetch_sub(&inside, 1);
  unlock();
  return NULL;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, thread, NULL);
  pthread_create(&two, NULL, thread, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
