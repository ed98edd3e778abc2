// The copy of a mutex that is locked cannot be used (POSIX.1-2017, 2.9.9); that of an idle one can, in
// practice, and a copy may be initialised.
// expect: false(def-behavior)
// message: use of the copy of a mutex that was in use when it was copied
// run: --engine dpor => false(def-behavior)
// run: -- -DIDLE => true
// run: -- -DHOW=1 => false(def-behavior)
// run: -- -DHOW=1 -DIDLE => true
// run: -- -DHOW=2 => false(def-behavior)
// run: -- -DHOW=2 -DIDLE => true
// run: -- -DHOW=3 => true
// run: -- -DHOW=4 => false(def-behavior)
// run: -- -DHOW=4 -DIDLE => true
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#ifndef HOW
#define HOW 0
#endif
struct counter {
  pthread_mutex_t lock;
  int n;
};
static struct counter made(void) {
  struct counter c = {.n = 1};
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&c.lock, &a);
  return c;
}
static void use(struct counter *c) { // recursive
  pthread_mutex_lock(&c->lock);
  pthread_mutex_lock(&c->lock);
  c->n++;
  pthread_mutex_unlock(&c->lock);
  pthread_mutex_unlock(&c->lock);
}
int main(void) {
  struct counter a = made();
#ifndef IDLE
  pthread_mutex_lock(&a.lock);
#endif
  if (HOW == 0) { // assignment
    struct counter b = a;
    use(&b);
  } else if (HOW == 1) {
    struct counter b;
    memcpy(&b, &a, sizeof b);
    use(&b);
  } else if (HOW == 2) { // moved by realloc, while held
    struct counter *p = malloc(sizeof *p);
    *p = made();
#ifndef IDLE
    pthread_mutex_lock(&p->lock);
#endif
    p = realloc(p, 2 * sizeof *p);
    use(p);
    free(p);
  } else if (HOW == 3) { // what is initialised anew is no copy
    struct counter b = a;
    pthread_mutex_init(&b.lock, NULL);
    pthread_mutex_lock(&b.lock);
    pthread_mutex_unlock(&b.lock);
  } else { // overwritten
    memset(&a, 0, sizeof a);
  }
#ifndef IDLE
  if (HOW != 4) pthread_mutex_unlock(&a.lock);
#endif
  return 0;
}
