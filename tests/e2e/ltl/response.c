// A server answers requests: each request is answered, if both threads get their turns.
// args: --fair --ltl '[] (req -> <> ack)' --ap 'req = flag == 1' --ap 'ack = flag == 0'
// expect: true
// states: 5
// run: --ltl '[] (req -> <> ack)' --ap 'req = flag == 1' --ap 'ack = flag == 0' => false(ltl)
// run: --ltl '[] ("flag == 1" -> <> "flag == 0")' => false(ltl)
// run: --fair --ltl '[] (req -> <> ack)' --ap 'req = flag == 1' --ap 'ack = flag == 0' --store compact128 => conditional states=14
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag;

static void *serve(void *arg) {
  for (;;)
    if (flag == 1) flag = 0;
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
