// Results of threads, by return and by pthread_exit.
// expect: true
// states: 6
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static void *returns(void *arg) {
  return (void *)((intptr_t)arg + 1);
}

static void *exits(void *arg) {
  if (arg) pthread_exit((void *)((intptr_t)arg + 2));
  return NULL;
}

int main(void) {
  pthread_t a, b;
  void *x, *y;
  pthread_create(&a, NULL, returns, (void *)10);
  pthread_create(&b, NULL, exits, (void *)20);
  pthread_join(b, &y);
  pthread_join(a, &x);
  assert((intptr_t)x == 11 && (intptr_t)y == 22);
}
