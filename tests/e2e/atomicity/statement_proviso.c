// The condition of --atomic statement is told.
// expect: conditional
// states: 14
// args: --property unreach-call --atomic statement --engine explicit
// proviso: each C statement runs without interruption
#include <pthread.h>

static int x;

static void *work(void *u) {
  x = x + 1;
  return u;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
