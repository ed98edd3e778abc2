// Two workers compute in phases: first each writes its own cell, then each reads its neighbour's.
// The barrier between the phases is missing, so that a read may come before or during the write.
//
// expect: false(no-data-race)
// states: 24
#include <pthread.h>

enum { WORKERS = 2 };
static pthread_barrier_t all_written;
static int cell[WORKERS], sum[WORKERS];

static void *worker(void *number) {
  int me = *(int *)number, neighbour = (me + 1) % WORKERS;
  cell[me] = me + 1;
  sum[me] = cell[me] + cell[neighbour];
  return NULL;
}

int main(void) {
  pthread_t threads[WORKERS];
  int numbers[WORKERS] = {0, 1};
  pthread_barrier_init(&all_written, NULL, WORKERS);
  for (int i = 0; i < WORKERS; i++) pthread_create(&threads[i], NULL, worker, &numbers[i]);
  for (int i = 0; i < WORKERS; i++) pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&all_written);
  return 0;
}
