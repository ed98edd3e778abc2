// Peterson's filter lock for NP threads, for ever. The twin of peterson.pml: the same shared bytes,
// and each access to one of them is a step, as each statement of the model with a shared byte is.
//
// What differs: the model has steps that touch nothing shared (k == NP, l++) and keeps k where
// nobody will read it any more; here both are no part of the state space. Hence far fewer states.
// peterson_merged.pml is without them and has the states of this program, but for the start: here
// main, which is the first process, starts the others, and the way of each to its first access is a
// step that touches nothing shared.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef NP
#  define NP 4
#endif

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static _Atomic unsigned char level[NP], last[NP], inside;

static void *process(void *arg) {
  unsigned char me = (unsigned char)(long)arg;
  for (;;) {
    for (unsigned char l = 1; l < NP; l++) {
      level[me] = l;
      last[l] = me;
      for (unsigned char k = 0; k < NP;) {
        if (k == me || level[k] < l)
          k++;
        else if (last[l] != me)
          break;
        else
          k = 0;
      }
    }
    inside++;
    assert(inside == 1);
    inside--;
    level[me] = 0;
  }
  return NULL;
}

int main(void) {
  pthread_t t;
  __VERIFIER_atomic_begin(); // all processes begin together
  for (long i = 1; i < NP; i++) pthread_create(&t, NULL, process, (void *)i);
  __VERIFIER_atomic_end();
  process(NULL);
}
