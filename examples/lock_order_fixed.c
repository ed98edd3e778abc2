// The cure of lock_order.c: the account with the lower number is locked first, whatever the
// direction.
//
// expect: true
// states: 56
#include <assert.h>
#include <pthread.h>

struct account {
  pthread_mutex_t lock;
  int number, balance;
};
static struct account savings = {PTHREAD_MUTEX_INITIALIZER, 1, 100};
static struct account checking = {PTHREAD_MUTEX_INITIALIZER, 2, 100};

static void transfer(struct account *from, struct account *to, int amount) {
  struct account *first = from->number < to->number ? from : to;
  struct account *second = first == from ? to : from;
  pthread_mutex_lock(&first->lock);
  pthread_mutex_lock(&second->lock);
  from->balance -= amount;
  to->balance += amount;
  pthread_mutex_unlock(&second->lock);
  pthread_mutex_unlock(&first->lock);
}

static void *save(void *unused) {
  (void)unused;
  transfer(&checking, &savings, 20);
  return NULL;
}
static void *spend(void *unused) {
  (void)unused;
  transfer(&savings, &checking, 50);
  return NULL;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, save, NULL);
  pthread_create(&two, NULL, spend, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  assert(savings.balance == 70 && checking.balance == 130);
  return 0;
}
