// A handler posts a semaphore that the program waits for: that is no deadlock, for a signal may come.
// expect: conditional
// message: provided that at most 2 signals with a handler arrive
// run: -- -DBUG => false(no-deadlock)
#include <semaphore.h>
#include <signal.h>

static sem_t s;

static void on_signal(int n) {
  (void)n;
  sem_post(&s);
}

int main(void) {
  sem_init(&s, 0, 0);
#ifndef BUG
  signal(SIGINT, on_signal);
#endif
  while (sem_wait(&s)) continue;
  return 0;
}
