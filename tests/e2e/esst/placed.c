// A predicate about the own variables of one thread belongs to the place where that thread stands (--predicate-scope thread).
// args: --engine esst --property unreach-call
// expect: true
// states: 1046
// run: --engine esst --property unreach-call --predicate-scope thread => true states=1201
// run: --engine esst --property unreach-call --predicate-scope thread -- -DBUG=1 => false(unreach-call) states=36
#include <pthread.h>

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

#ifndef BUG
#define BUG 0
#endif
enum { THREADS = 4 };
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
  for (int i = 0; i < THREADS; i++) pthread_join(ids[i], 0);
  if (x != before + THREADS - BUG) reach_error();
  return 0;
}
