// One thread writes a message, another one prints it. Both leave their number in a log, under a
// lock; the message itself is not protected. If the writer comes first, as it mostly does, the lock
// of the log happens to order the two accesses, so whoever watches that execution sees no race.
// `proviso observe --confirm examples/message.c` predicts from this one execution that another
// schedule has the race, and executes that one.
//
// expect: false(no-data-race)
// states: 34
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int last; // the thread that came last
static int message;

static void log_thread(int number) {
  pthread_mutex_lock(&lock);
  last = number;
  pthread_mutex_unlock(&lock);
}

static void *writer(void *unused) {
  message = 42;
  log_thread(1);
  return unused;
}

static void *reader(void *unused) {
  log_thread(2);
  printf("%d\n", message);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, writer, NULL);
  pthread_create(&threads[1], NULL, reader, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
