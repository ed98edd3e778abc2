/* lost_update.c -- a balance is read and written under a lock, but the lock is released in between;
 * a third thread audits. */
#include <assert.h>

#include "crowd.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 10, done;

static void *withdraw(void *x) {
  pthread_mutex_lock(&lock);
  int old = balance;
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
  balance = old - 4;
  done++;
  pthread_mutex_unlock(&lock);
  return x;
}

static void *audit(void *x) {
  pthread_mutex_lock(&lock);
  if (done == 2) assert(balance == 2);
  pthread_mutex_unlock(&lock);
  int unlocked = balance; /* what the analysis warns of */
  return unlocked ? x : 0;
}

int main(void) {
  pthread_t t;
  start_crowd();
  pthread_create(&t, 0, withdraw, 0);
  pthread_create(&t, 0, withdraw, 0);
  pthread_create(&t, 0, audit, 0);
  pthread_exit(0);
}
