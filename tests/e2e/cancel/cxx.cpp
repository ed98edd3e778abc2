// A thread that is cancelled runs the destructors of its frames, as for an exception: not modelled.
// expect: conditional
// states: 3
// proviso: `pthread_cancel`, which is not modelled
// run: -- -DNOT => true states=3
#include <pthread.h>

struct guard {
  ~guard() {}
};
static void *run(void *arg) {
  guard g;
  pthread_testcancel();
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
