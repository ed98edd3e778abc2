// A light for pedestrians at a crossing. Who presses the button must get green at some time: a
// property of whole executions, so it is checked with a formula. Here the light turns green and at
// once red again, and does not look who is still waiting: a pedestrian who looks up too late waits
// for ever, however fair the scheduler is.
//
// `proviso ltl '[] (waiting -> <> !waiting)'` prints the automaton of the formula.
//
// args: --fair --ltl '[] (waiting -> <> !waiting)'
// expect: false(ltl)
// states: 6
// message: and then, for ever
#include <pthread.h>
#include <stdatomic.h>

static atomic_int waiting, green;

static void *pedestrian(void *unused) {
  for (;;) {
    waiting = 1;
    while (!green) {
      // look at the light
    }
    waiting = 0;
    while (green) {
      // walk
    }
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, pedestrian, NULL);
  for (;;) {
    if (waiting) {
      green = 1;
      green = 0; // cars go on
    }
  }
}
