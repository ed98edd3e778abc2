// A thread that is cancelled, or leaves, runs the destructors of its frames, as for an exception: not modelled.
// expect: conditional
// states: 3
// run: -- -DNOT => true states=3
// run: -- -DNOT -DEXIT => conditional states=2
#include <pthread.h>

struct guard {
  ~guard() {}
};
static void *run(void *arg) {
  guard g;
  pthread_testcancel();
#ifdef EXIT
  pthread_exit(arg);
#endif
  return arg;
}
int main() {
  pthread_t t;
  pthread_create(&t, nullptr, run, nullptr);
#ifndef NOT
  pthread_cancel(t);
#endif
  pthread_join(t, nullptr);
}
