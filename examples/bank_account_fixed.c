// The cure of bank_account.c: the lock is held over the whole deposit, so that no money is lost.
//
// expect: true
// states: 33
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static int get_balance(void) {
  pthread_mutex_lock(&lock);
  int b = balance;
  pthread_mutex_unlock(&lock);
  return b;
}

static void deposit(int amount) {
  pthread_mutex_lock(&lock);
  balance += amount;
  pthread_mutex_unlock(&lock);
}

static void *teller(void *amount) {
  deposit(*(int *)amount);
  return NULL;
}

int main(void) {
  pthread_t anna, ben;
  int ten = 10, twenty = 20;
  pthread_create(&anna, NULL, teller, &ten);
  pthread_create(&ben, NULL, teller, &twenty);
  pthread_join(anna, NULL);
  pthread_join(ben, NULL);
  printf("balance: %d\n", get_balance());
  assert(get_balance() == 130);
  return 0;
}
