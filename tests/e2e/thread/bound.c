// More threads at one time than the bound allows: the part beyond it is not verified, and is named. A thread
// is refused only where others could not have ended before.
// expect: conditional
// states: 9
// args: --max-threads 2
// proviso: thread
#include <pthread.h>

static void *work(void *arg) {
  return arg;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_create(&c, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
}
