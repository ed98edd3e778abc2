/* transfer.c -- two threads take two locks in opposite orders. */
#include "crowd.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int from, to;

static void *pay(void *x) {
  pthread_mutex_lock(&a);
  from--;
  pthread_mutex_lock(&b);
  to++;
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return x;
}

static void *refund(void *x) {
  pthread_mutex_lock(&b);
  to--;
  pthread_mutex_lock(&a);
  from++;
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return x;
}

int main(void) {
  pthread_t t, u;
  start_crowd();
  pthread_create(&t, 0, pay, 0);
  pthread_create(&u, 0, refund, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
