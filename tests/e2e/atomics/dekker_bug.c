// The twin of dekker.c that looks before it tells.
// expect: false(no-data-race)
// states: 29
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2];
static int shared;

static void *work(void *arg) {
  int me = arg != NULL;
  int alone = !wants[1 - me];
  wants[me] = 1;
  if (alone) shared++;
  wants[me] = 0;
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, &t);
  work(NULL);
  pthread_join(t, NULL);
}
