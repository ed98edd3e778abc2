// An atomic section runs without interruption.
// expect: true
// states: 10
// args: --property unreach-call
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int x, y;

static void *both(void *arg) {
  __VERIFIER_atomic_begin();
  x++;
  y++;
  __VERIFIER_atomic_end();
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, both, NULL);
  both(NULL);
  __VERIFIER_atomic_begin();
  assert(x == y);
  __VERIFIER_atomic_end();
  pthread_join(t, NULL);
  assert(x == 2);
}
