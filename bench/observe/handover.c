/* handover.c -- a task is handed over through a flag; when the receiver comes between two steps, it
 * waits for a lock that the giver holds while it waits for the receiver's. */
#include "crowd.h"

static pthread_mutex_t giver = PTHREAD_MUTEX_INITIALIZER, taker = PTHREAD_MUTEX_INITIALIZER;
static int ready, taken;

static void *give(void *x) {
  pthread_mutex_lock(&giver);
  ready = 1;
  pthread_mutex_unlock(&giver);
  pthread_mutex_lock(&giver);
  ready = 2;
  pthread_mutex_lock(&taker);
  taken = ready;
  pthread_mutex_unlock(&taker);
  pthread_mutex_unlock(&giver);
  return x;
}

static void *take(void *x) {
  pthread_mutex_lock(&taker);
  taken++;
  pthread_mutex_lock(&giver);
  if (ready == 1) taken = 0;
  pthread_mutex_unlock(&giver);
  pthread_mutex_unlock(&taker);
  return x;
}

int main(void) {
  pthread_t t, u;
  start_crowd();
  pthread_create(&t, 0, give, 0);
  pthread_create(&u, 0, take, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
