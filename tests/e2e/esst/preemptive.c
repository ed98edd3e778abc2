// Preemptive threads yield before each visible operation. The data are symbolic: x and y begin with any value, and stay equal outside of
// critical sections. BUG: one thread looks without the lock.
// args: --engine esst --property unreach-call
// expect: true
// states: 494
// run: --engine esst --property unreach-call --por none => true states=2027
// run: --engine esst --property unreach-call --por sleep => true states=1013
// run: --engine esst --property unreach-call --por persistent => true states=671
// run: --engine esst --property unreach-call -- -DBUG => false(unreach-call) states=164
// run: --engine esst --property unreach-call --por none -- -DBUG => false(unreach-call) states=218
// run: --engine esst --property no-deadlock,def-behavior => true states=454
// run: --engine esst --property no-data-race => conditional
#include <pthread.h>

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int x, y;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *twice(void *unused) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&lock);
    x++;
    y++;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static void *look(void *unused) {
#ifndef BUG
  pthread_mutex_lock(&lock);
#endif
  if (x != y) reach_error();
#ifndef BUG
  pthread_mutex_unlock(&lock);
#endif
  return unused;
}

int main(void) {
  pthread_t first, second, third;
  x = y = __VERIFIER_nondet_int() & 255;
  pthread_create(&first, 0, twice, 0);
  pthread_create(&second, 0, twice, 0);
  pthread_create(&third, 0, look, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  pthread_join(third, 0);
  if (x != y) reach_error();
  return 0;
}
