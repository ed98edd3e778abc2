// Peterson's mutual exclusion for two threads, with C11 atomics: say that you want to enter, give
// way, wait. (peterson.c has the first two steps in the wrong order.)
//
// expect: true
// states: 78
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_bool wants[2];
static atomic_int turn;
static atomic_int together;

static void enter(int me) {
  wants[me] = true;
  turn = 1 - me;
  while (wants[1 - me] && turn == 1 - me) {
    // wait
  }
}
static void leave(int me) {
  wants[me] = false;
}

static void *thread(void *number) {
  int me = *(int *)number;
  enter(me);
  assert(atomic_fetch_add(&together, 1) == 0); // alone in here
  atomic_fetch_sub(&together, 1);
  leave(me);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int numbers[2] = {0, 1};
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, thread, &numbers[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
