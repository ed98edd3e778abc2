// Each thread has its own copy of a thread-local variable.
// expect: true
// states: 3
#include <assert.h>
#include <pthread.h>

static _Thread_local int mine = 5;

static void *work(void *arg) {
  assert(mine == 5);
  mine = 6;
  return arg;
}

int main(void) {
  pthread_t t;
  mine = 4;
  pthread_create(&t, NULL, work, NULL);
  mine++;
  pthread_join(t, NULL);
  assert(mine == 5);
}
