// A wait at a semaphore's greatest value keeps the post that comes after it from failing: in the other order it does.
//
// expect: conditional
// states: 3
// args: --engine explicit
// proviso: at its maximum, SEM_VALUE_MAX
// run: --engine explicit --por none => conditional states=3
// run: --engine dpor => conditional executions=1
// run: --engine dpor --dependence conflict --peek 0 --prune 0 => conditional executions=1
// run: --engine explicit -- -DFIX => true states=11
// run: --engine dpor -- -DFIX => true executions=1
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static int taken, given;

static void *take(void *unused) {
  taken = sem_wait(&s);
  return unused;
}

static void *give(void *unused) {
  given = sem_post(&s);
  return unused;
}

int main(void) {
  pthread_t a, b;
#ifdef FIX
  sem_init(&s, 0, INT_MAX - 1);
#else
  sem_init(&s, 0, INT_MAX);
#endif
  pthread_create(&a, 0, take, 0);
  pthread_create(&b, 0, give, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(given == 0);
}
