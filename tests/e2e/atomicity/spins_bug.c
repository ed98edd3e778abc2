// As spins.c, with the flag set too early.
// expect: false(unreach-call)
// states: 4
// args: --atomic statement --property unreach-call
// run: --atomic instruction --property unreach-call => false(unreach-call) states=19
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int data;

static void *work(void *u) {
  flag = 1;
  data = 1;
  return u;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  while (!flag) {}
  assert(data == 1);
  pthread_join(a, 0);
  return 0;
}
