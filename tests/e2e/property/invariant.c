// An invariant of the user's, over globals.
// expect: true
// states: 23
// args: --invariant 'balance >= 0' --invariant 'balance <= 10'
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int balance = 10;

static void *withdraw(void *arg) {
  pthread_mutex_lock(&lock);
  if (balance >= 6) balance -= 6;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, withdraw, NULL);
  withdraw(NULL);
  pthread_join(t, NULL);
}
