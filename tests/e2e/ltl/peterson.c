// Peterson's algorithm for two threads that never stop: no starvation; mutual exclusion by places.
// args: --starvation-free enter
// expect: true
// states: 41
// run: --ltl '[] !(in0 && in1)' --ap 'in0 = 0@critical' --ap 'in1 = 1@critical' => true states=41
// run: --fair --ltl '[] <> in1' --ap 'in1 = 1@critical' => true states=41
// run: --ltl '[] <> in1' --ap 'in1 = 1@critical' => false(ltl)
// run: --starvation-free enter --store bitstate => conditional states=555
#include <pthread.h>
#include <stdatomic.h>

static atomic_bool wants[2];
static atomic_int turn;

static void enter(int me) {
  wants[me] = 1;
  turn = !me;
  while (wants[!me] && turn != me) {
  }
}

static void critical(void) {
}

static void play(int me) {
  for (;;) {
    enter(me);
    critical();
    wants[me] = 0;
  }
}

static void *other(void *arg) {
  play(1);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  play(0);
}
