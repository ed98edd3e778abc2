// One thread frees what another may still read; a semaphore that was meant to order them is not
// waited for.
// expect: false(valid-deref) or false(no-data-race)
// states: 2
// run: --property valid-memsafety => false(valid-deref) states=3
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t done;

static void *reader(void *arg) {
  int value = *(int *)arg;
  sem_post(&done);
  return value > 1 ? arg : NULL;
}

int main(void) {
  sem_init(&done, 0, 0);
  int *p = malloc(sizeof *p);
  if (!p) return 0;
  *p = 1;
  pthread_t t;
  pthread_create(&t, NULL, reader, p);
  free(p);
  pthread_join(t, NULL);
}
