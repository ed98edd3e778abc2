// Locked instructions are one step; without the lock a counter loses an update.
// expect: true
// states: 33
// run: -- -DLOCK= => false(unreach-call) states=47
#include <assert.h>
#include <pthread.h>
#ifndef LOCK
#define LOCK "lock; "
#endif

static int added, ored = 1, negated = 1, counted;
static unsigned long exchanged = 10;

static void *worker(void *arg) {
  int n = 2, k = 1;
  unsigned long mine = (unsigned long)arg;
  __asm__ volatile(LOCK "addl %1, %0" : "+m"(added) : "ir"(n) : "memory", "cc");
  __asm__ volatile("lock orl %1, %0" : "+m"(ored) : "r"((int)mine * 2));
  __asm__ volatile("lock; negl %0" : "+m"(negated) : : "cc");
  __asm__ volatile("lock xaddl %0, %1" : "+r"(k), "+m"(counted));
  assert(k == 0 || k == 1);
  __asm__ volatile("xchgq %0, %1" : "+r"(mine), "+m"(exchanged));
  return (void *)mine;
}

int main(void) {
  pthread_t t;
  void *a, *b;
  pthread_create(&t, 0, worker, (void *)1);
  b = worker((void *)2);
  pthread_join(t, &a);
  assert(added == 4 && ored == 7 && negated == 1 && counted == 2);
  assert((unsigned long)a + (unsigned long)b + exchanged == 13);
  return 0;
}
