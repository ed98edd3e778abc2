// Lamport's bakery for two threads, with tickets that grow without bound: a search ends at a limit,
// and the abstract program (see bakery.c) has 23 states and no error.
//
// args: --property unreach-call --engine explicit --limit states=500
// expect: conditional
// states: 500
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);

static int first, second; // tickets; 0: none
static int inside;

static void visit(void) {
  __VERIFIER_atomic_begin();
  assert(!inside);
  inside = 1;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  inside = 0;
  __VERIFIER_atomic_end();
}

static void *one(void *unused) {
  for (;;) {
    __VERIFIER_atomic_begin();
    first = second + 1;
    __VERIFIER_atomic_end();
    for (int go = 0; !go;) {
      __VERIFIER_atomic_begin();
      go = second == 0 || first < second;
      __VERIFIER_atomic_end();
    }
    visit();
    __VERIFIER_atomic_begin();
    first = 0;
    __VERIFIER_atomic_end();
  }
  return unused;
}

static void *two(void *unused) {
  for (;;) {
    __VERIFIER_atomic_begin();
    second = first + 1;
    __VERIFIER_atomic_end();
    for (int go = 0; !go;) {
      __VERIFIER_atomic_begin();
      go = first == 0 || second <= first;
      __VERIFIER_atomic_end();
    }
    visit();
    __VERIFIER_atomic_begin();
    second = 0;
    __VERIFIER_atomic_end();
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, one, NULL);
  pthread_create(&threads[1], NULL, two, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
