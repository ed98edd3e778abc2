// The twin of use_after_free_threads_bug.c that waits before it frees.
// expect: true
// states: 7
// run: --property valid-memsafety,valid-memcleanup => true states=9
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
  sem_wait(&done);
  free(p);
  pthread_join(t, NULL);
}
