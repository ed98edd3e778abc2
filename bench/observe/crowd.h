/* crowd.h -- threads that have nothing to do with the error, but much with each other: each adds to
 * sums that all of them share, under one lock. */
#include <pthread.h>

#ifndef CROWD
#define CROWD 8
#endif

static pthread_mutex_t crowd_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned crowd_sum, crowd_last;

static void *crowd_member(void *number) {
  for (unsigned round = 0; round < 3; round++) {
    pthread_mutex_lock(&crowd_lock);
    crowd_sum = crowd_sum * 3 + (unsigned)(unsigned long)number;
    pthread_mutex_unlock(&crowd_lock);
    pthread_mutex_lock(&crowd_lock);
    crowd_last = crowd_sum;
    pthread_mutex_unlock(&crowd_lock);
  }
  return 0;
}

static void start_crowd(void) {
  pthread_t t;
  for (unsigned long i = 1; i <= CROWD; i++) pthread_create(&t, 0, crowd_member, (void *)i);
}
