// The twin of invariant.c that checks in one section and withdraws in another.
// expect: false(invariant)
// states: 27
// args: --invariant 'balance >= 0'
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int balance = 10;

static void *withdraw(void *arg) {
  pthread_mutex_lock(&lock);
  int enough = balance >= 6;
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
  if (enough) balance -= 6;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, withdraw, NULL);
  withdraw(NULL);
  pthread_join(t, NULL);
}
