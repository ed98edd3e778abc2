/* bakery.c -- Lamport's bakery for two threads, with tickets that grow without bound. With
 * -DBUG the second thread may enter while the first one is inside. */
#include <pthread.h>

#include "proviso_predicate.h"

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
extern void reach_error(void);

static int x, y; /* tickets; 0: none */
static int inside;

PROVISO_PREDICATE("x0", x == 0)
PROVISO_PREDICATE("y0", y == 0)
PROVISO_PREDICATE("xLTy", x < y)
PROVISO_PREDICATE("xNeg", x < 0)
PROVISO_PREDICATE("yNeg", y < 0)

static void *first(void *a) {
  for (;;) {
    __VERIFIER_atomic_begin();
    x = y + 1;
    __VERIFIER_atomic_end();
    for (int go = 0; !go;) {
      __VERIFIER_atomic_begin();
      go = y == 0 || x < y;
      __VERIFIER_atomic_end();
    }
    __VERIFIER_atomic_begin();
    if (inside) reach_error();
    inside = 1;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    inside = 0;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    x = 0;
    __VERIFIER_atomic_end();
  }
  return a;
}

static void *second(void *a) {
  for (;;) {
    __VERIFIER_atomic_begin();
    y = x + 1;
    __VERIFIER_atomic_end();
    for (int go = 0; !go;) {
      __VERIFIER_atomic_begin();
#ifdef BUG
      go = x == 0 || y <= x + 1;
#else
      go = x == 0 || y <= x;
#endif
      __VERIFIER_atomic_end();
    }
    __VERIFIER_atomic_begin();
    if (inside) reach_error();
    inside = 1;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    inside = 0;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    y = 0;
    __VERIFIER_atomic_end();
  }
  return a;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
