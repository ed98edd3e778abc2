// The twin of phases.c without the barrier.
// expect: false(no-data-race)
// states: 4
#include <pthread.h>

static int part[2];

static void *work(void *arg) {
  int me = arg != NULL;
  part[me] = me + 1;
  return part[1 - me] ? arg : NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, &t);
  work(NULL);
  pthread_join(t, NULL);
}
