// No statement has two visible operations: what statements would hide is nothing, and there is no
// proviso.
// expect: true
// states: 29
// args: --atomic statement
// run: --atomic statement --por none => true states=40
// run: --atomic instruction => true states=85
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *work(void *u) {
  pthread_mutex_lock(&m);
  int old = x;
  x = old + 1;
  pthread_mutex_unlock(&m);
  return u;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
  return 0;
}
