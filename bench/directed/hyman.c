// Hyman's mutual exclusion of two threads (Communications of the ACM 9(1), 1966), which is none: a thread that has seen that the
// other does not want may be overtaken before it takes its turn. -DFIX: Peterson's algorithm. -DROUNDS=n: each thread enters n times.
// Where bench/directed/generate may put calls is marked: `// call`, `// call after a look` (what was seen decides what comes).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef ROUNDS
#  define REPEAT for (int round = 0; round < ROUNDS; round++)
#else
#  define REPEAT for (;;)
#endif

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static _Atomic int wants[2], turn, inside;

static void critical(void) {
  inside++;
  assert(inside == 1);
  inside--;
}

static void *process(void *arg) {
  int me = (int)(long)arg, other = 1 - me;
  REPEAT {
    // call
    // call
    // call
    wants[me] = 1;
    // call after a look
#ifdef FIX
    turn = other;
    while (wants[other] && turn == other) {
    }
#else
    while (turn != me) {
      while (wants[other]) {
      }
      // call after a look
      turn = me;
      // call after a look
    }
#endif
    // call after a look
    critical();
    // call
    wants[me] = 0;
    // call
  }
  return NULL;
}

int main(void) {
  pthread_t t[2];
  __VERIFIER_atomic_begin();
  for (long i = 0; i < 2; i++) pthread_create(&t[i], NULL, process, (void *)i);
  __VERIFIER_atomic_end();
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return 0;
}
