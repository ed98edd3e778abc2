// A race is there as soon as both threads stand before their accesses: main begins and creates the
// first thread (1), creates the second (2); none of them moves.
// expect: false(no-data-race)
// states: 3
// args: --minimise --property no-data-race
// message: Minimised: 2 transitions with 0 context switches
#include <pthread.h>

static int x;

static void *work(void *u) {
  x = 1;
  return u;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, work, 0);
  pthread_create(&t, 0, work, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
