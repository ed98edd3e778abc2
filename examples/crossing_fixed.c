// A light for pedestrians at a crossing: it stays green until the pedestrian has seen it. (In
// crossing.c it does not.) Without --fair the scheduler may forget a thread, and the answer is
// false.
//
// args: --fair --ltl '[] (waiting -> <> !waiting)'
// expect: true
// states: 9
// run: --ltl '[] (waiting -> <> !waiting)' => false(ltl)
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
      while (waiting) {
        // it stays green
      }
      green = 0;
    }
  }
}
