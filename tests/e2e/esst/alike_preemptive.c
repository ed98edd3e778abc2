// Preemptive threads that are alike, and a manager that does nothing before it has joined all of them. TOLD_APART: main looks at x
// when one of them has ended. A predicate about the own variables of one thread may belong to the place where that thread stands
// (--predicate-scope thread).
// args: --engine esst --property unreach-call
// expect: true
// states: 365
// run: --engine esst --property unreach-call --symmetry threads => true states=325
// run: --engine esst --property unreach-call --symmetry threads -- -DBUG=1 => false(unreach-call) states=28
// run: --engine esst --property unreach-call -- -DTHREADS=4 => true states=1046
// run: --engine esst --property unreach-call --predicate-scope thread -- -DTHREADS=4 => true states=1201
// run: --engine esst --property unreach-call --predicate-scope thread -- -DBUG=1 => false(unreach-call) states=28
// run: --engine esst --property unreach-call -- -DTOLD_APART => false(unreach-call) states=183
// run: --engine esst --property unreach-call --symmetry threads -- -DTOLD_APART => false(unreach-call) states=183
#include <pthread.h>

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

#ifndef THREADS
#define THREADS 3
#endif
#ifndef BUG
#define BUG 0
#endif
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
  x = __VERIFIER_nondet_int() & 15;
  int before = x;
  for (int i = 0; i < THREADS; i++) pthread_create(&ids[i], 0, work, 0);
  for (int i = 0; i < THREADS; i++) {
    pthread_join(ids[i], 0);
#ifdef TOLD_APART
    if (!i && x == before + 1) reach_error();
#endif
  }
  if (x != before + THREADS - BUG) reach_error();
  return 0;
}
