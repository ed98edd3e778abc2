// A loop in one statement is not run without interruption: the flag does come.
// expect: true
// states: 8
// args: --atomic statement
// run: --atomic statement --por none => true states=9
// run: --atomic instruction => true states=39
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int data;

static void *work(void *u) {
  data = 1;
  flag = 1;
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
