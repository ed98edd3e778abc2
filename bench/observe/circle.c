/* circle.c -- three threads take three locks in a circle. */
#include "crowd.h"

static pthread_mutex_t lock[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                  PTHREAD_MUTEX_INITIALIZER};
static int fork_used[3];

static void *eat(void *x) {
  unsigned i = (unsigned)(unsigned long)x, next = (i + 1) % 3;
  pthread_mutex_lock(&lock[i]);
  fork_used[i]++;
  pthread_mutex_lock(&lock[next]);
  fork_used[next]++;
  pthread_mutex_unlock(&lock[next]);
  pthread_mutex_unlock(&lock[i]);
  return 0;
}

int main(void) {
  pthread_t t[3];
  start_crowd();
  for (unsigned long i = 0; i < 3; i++) pthread_create(&t[i], 0, eat, (void *)i);
  for (unsigned i = 0; i < 3; i++) pthread_join(t[i], 0);
}
