// Preemptive threads that are alike, and a manager that does nothing before it has joined all of them. TOLD_APART: main looks at x
// when one of them has ended.
// args: --engine esst --property unreach-call
// expect: true
// states: 365
// run: --engine esst --property unreach-call --symmetry threads => true states=325
// run: --engine esst --property unreach-call --symmetry threads -- -DBUG => false(unreach-call) states=28
// run: --engine esst --property unreach-call --predicate-scope thread => true states=365
// run: --engine esst --property unreach-call --predicate-scope thread -- -DBUG => false(unreach-call) states=28
// run: --engine esst --property unreach-call -- -DTOLD_APART => false(unreach-call) states=201
// run: --engine esst --property unreach-call --symmetry threads -- -DTOLD_APART => false(unreach-call) states=201
#include <pthread.h>

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

enum { THREADS = 3 };
static int x;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
  pthread_mutex_lock(&lock);
  x++;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t ids[THREADS];
  int before = x = __VERIFIER_nondet_int() & 15, found = THREADS;
  for (int i = 0; i < THREADS; i++) pthread_create(&ids[i], 0, work, 0);
  for (int i = 0; i < THREADS; i++) {
    pthread_join(ids[i], 0);
#ifdef TOLD_APART
    if (!i && x == before + 1) found = 0;
#endif
  }
#ifdef BUG
  found--;
#endif
  if (x != before + found) reach_error();
  return 0;
}
