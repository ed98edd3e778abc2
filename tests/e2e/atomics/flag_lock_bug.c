// The twin of flag_lock.c that tests and sets in two steps.
// expect: false(no-data-race)
// states: 23
#include <pthread.h>
#include <stdatomic.h>

static atomic_int taken;
static int counter;

static void *count(void *arg) {
  while (taken) continue;
  taken = 1;
  counter++;
  taken = 0;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, count, NULL);
  count(NULL);
  pthread_join(t, NULL);
}
