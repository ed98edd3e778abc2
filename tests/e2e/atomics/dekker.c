// Mutual exclusion by two flags; whoever is not alone goes without.
// expect: true
// states: 51
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2];
static int shared;

static void *work(void *arg) {
  int me = arg != NULL;
  wants[me] = 1;
  if (!wants[1 - me]) shared++;
  wants[me] = 0;
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, &t);
  work(NULL);
  pthread_join(t, NULL);
}
