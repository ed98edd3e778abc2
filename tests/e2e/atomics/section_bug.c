// The twin of section.c that looks from outside of any section.
// expect: false(unreach-call)
// states: 7
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
  int seen = x;
  assert(seen == y);
  pthread_join(t, NULL);
}
