// A pointer to a thread-local variable lets another thread write it.
// expect: false(no-data-race)
// states: 2
#include <pthread.h>

static _Thread_local int mine;

static void *work(void *arg) {
  *(int *)arg = 1;
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, &mine);
  mine = 2;
  pthread_join(t, NULL);
}
