// The last thing that is looked at takes for ever: no verdict of it.
//
// args: --engine explicit --limit time=1s --invariant "steady()"
// expect: conditional
// states: 4
// proviso: no error lies beyond
#include <pthread.h>

_Atomic int x;

int steady(void) {
  while (x == 3)
    ;
  return 1;
}

static void *writer(void *arg) {
  x = 3;
  return arg;
}

int main(void) {
  pthread_t t;
  x = 1;
  pthread_create(&t, 0, writer, 0);
  pthread_join(t, 0);
  return 0;
}
