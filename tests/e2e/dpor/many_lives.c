// A local variable begins a new life 300 times, and another thread keeps a pointer to an earlier one (true was said once: behind the 255th life a
// new one had the address of the last).
// expect: false(valid-deref)
// args: --engine dpor --property valid-deref
// run: --engine dpor --dpor source --property valid-deref => false(valid-deref)
// run: --engine dpor --dependence conflict --peek 0 --prune 0 --property valid-deref => false(valid-deref)
// run: --property valid-deref --por none => false(valid-deref)
// run: --engine dpor --property valid-deref -- -DFIX => true executions=1
// run: --property valid-deref -- -DFIX => true
#include <pthread.h>
#include <semaphore.h>

enum { LIVES = 300 };

static int *present, kept;
static sem_t there, seen;

static void *reads(void *arg) {
  int *old = 0;
  for (int i = 0; i < LIVES; i++) {
    sem_wait(&there);
    if (i == LIVES - 2) old = present;
#ifdef FIX
    old = present;
#endif
    if (i == LIVES - 1) kept = *old;
    sem_post(&seen);
  }
  return arg;
}

int main(void) {
  pthread_t reader;
  sem_init(&there, 0, 0);
  sem_init(&seen, 0, 0);
  pthread_create(&reader, 0, reads, 0);
  for (int i = 0; i < LIVES; i++) {
    int value = i;
    present = &value;
    sem_post(&there);
    sem_wait(&seen);
  }
  pthread_join(reader, 0);
  return 0;
}
