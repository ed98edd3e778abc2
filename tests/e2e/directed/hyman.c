// Hyman's algorithm for two threads (Comments on a problem in concurrent programming control, CACM 9(1),
// 1966), which does not exclude them from each other; with -DPETERSON Peterson's, which does.
//
// expect: false(mutual-exclusion)
// args: --property mutual-exclusion --mutex-region critical
// states: 52
// message: no mutual exclusion: thread 1 is in `critical` and thread 2 in `critical`
// run: --property mutual-exclusion --mutex-region critical --search bfs => false(mutual-exclusion) states=48
// run: --property mutual-exclusion --mutex-region critical --search best => false(mutual-exclusion) states=37
// run: --property mutual-exclusion --mutex-region critical --search best --heuristic fsm => false(mutual-exclusion) states=37
// run: --property mutual-exclusion --mutex-region critical --search best --look-ahead 16 => false(mutual-exclusion) states=30
// run: --property mutual-exclusion --mutex-region critical --search best --look-ahead 16 -- -DPETERSON => true states=84
// run: --property mutual-exclusion --mutex-region critical -- -DPETERSON => true states=84
// run: --property mutual-exclusion --mutex-region critical --search best -- -DPETERSON => true states=84
// run: --property mutual-exclusion --mutex-region critical --search bfs --threads 2 -- -DPETERSON => true states=84
// run: --mutex-region critical --property unreach-call --engine dpor -- -DPETERSON => conditional executions=9
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int turn, wants[2];

static void critical(void) {}

static void *process(void *arg) {
  int i = (int)(intptr_t)arg;
  wants[i] = 1;
#ifdef PETERSON
  turn = 1 - i;
  while (wants[1 - i] && turn != i) {
  }
#else
  while (turn != i) {
    while (wants[1 - i]) {
    }
    turn = i;
  }
#endif
  critical();
  wants[i] = 0;
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (intptr_t i = 0; i < 2; i++) pthread_create(&t[i], NULL, process, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
}
