// One thread writes a message, another one prints it; both do it under the lock that they take for
// the log. (In message.c they do it outside.)
//
// expect: true
// states: 34
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int last; // the thread that came last
static int message;

static void *writer(void *unused) {
  pthread_mutex_lock(&lock);
  message = 42;
  last = 1;
  pthread_mutex_unlock(&lock);
  return unused;
}

static void *reader(void *unused) {
  pthread_mutex_lock(&lock);
  last = 2;
  int got = message;
  pthread_mutex_unlock(&lock);
  printf("%d\n", got);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, writer, NULL);
  pthread_create(&threads[1], NULL, reader, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
