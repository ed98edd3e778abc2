// A test-and-set lock excludes, but one thread may starve.
// args: --starvation-free enter
// expect: false(starvation-free)
// message: stays there for ever
// run: --ltl '[] !(in0 && in1)' --ap 'in0 = 0@critical' --ap 'in1 = 1@critical' => true states=6
// run: --starvation-free enter --store compact64 => false(starvation-free) states=18
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag taken;

static void enter(void) {
  while (atomic_flag_test_and_set(&taken)) {
  }
}

static void critical(void) {
}

static void play(void) {
  for (;;) {
    enter();
    critical();
    atomic_flag_clear(&taken);
  }
}

static void *other(void *arg) {
  play();
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  play();
}
