// A ticket lock: draw a number, wait until it is called. Drawing is a load and a store here, each
// atomic, but two threads can draw the same number between them and be inside together.
//
// expect: false(unreach-call)
// states: 40
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next_ticket, now_serving;
static atomic_int inside;

static int draw(void) {
  int ticket = next_ticket;
  next_ticket = ticket + 1;
  return ticket;
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
