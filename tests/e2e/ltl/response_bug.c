// The server forgets every second request: one is never answered, even in fair executions.
// args: --fair --ltl '[] (req -> <> ack)' --ap 'req = flag == 1' --ap 'ack = flag == 0'
// expect: false(ltl)
// message: and then, for ever
// run: --ltl '[] (req -> <> ack)' --ap 'req = flag == 1' --ap 'ack = flag == 0' => false(ltl)
// run: --fair --ltl '[] (req -> <> ack)' --ap 'req = flag == 1' --ap 'ack = flag == 0' --store compact128 => false(ltl) states=20
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag;

static void *serve(void *arg) {
  for (;;) {
    if (flag == 1) flag = 0;
    while (flag != 1) {
    }
    while (flag == 1) { /* the second one stays */
    }
  }
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, serve, 0);
  for (;;) {
    flag = 1;
    while (flag) {
    }
  }
}
