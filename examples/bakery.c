// Lamport's bakery for two threads: take a ticket higher than the other one's, and wait until yours
// is the lower one. The tickets grow without bound, so no search of the correct program comes to an
// end, unless variables are replaced by predicates about them:
//
//     proviso abstract --verify --predicates examples/bakery.predicates examples/bakery_fixed.c
//
// Here the second thread lets itself in one ticket too early.
//
// args: --property unreach-call --engine explicit --search bfs
// expect: false(unreach-call)
// states: 31
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
      go = first == 0 || second <= first + 1;
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
