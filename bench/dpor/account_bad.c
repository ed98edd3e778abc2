/* A deposit, a withdrawal and a check of the balance, of which the check forgets that the others may not be done. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int balance = 10;
static bool deposited, withdrawn;

static void *deposit(void *arg) {
  pthread_mutex_lock(&m);
  balance += 5;
  deposited = true;
  pthread_mutex_unlock(&m);
  return arg;
}

static void *withdraw(void *arg) {
  pthread_mutex_lock(&m);
  balance -= 3;
  withdrawn = true;
  pthread_mutex_unlock(&m);
  return arg;
}

static void *check(void *arg) {
  pthread_mutex_lock(&m);
#ifdef FIX
  if (deposited && withdrawn) assert(balance == 12);
#else
  if (deposited || withdrawn) assert(balance == 12);
#endif
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], NULL, check, NULL);
  pthread_create(&t[1], NULL, deposit, NULL);
  pthread_create(&t[2], NULL, withdraw, NULL);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  return 0;
}
