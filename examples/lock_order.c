// Two clerks move money between two accounts, each account with a lock of its own. They lock in
// the order in which they name the accounts: one holds the first and wants the second, the other
// the other way round.
//
// expect: false(no-deadlock)
// states: 23
#include <assert.h>
#include <pthread.h>

struct account {
  pthread_mutex_t lock;
  int number, balance;
};
static struct account savings = {PTHREAD_MUTEX_INITIALIZER, 1, 100};
static struct account checking = {PTHREAD_MUTEX_INITIALIZER, 2, 100};

static void transfer(struct account *from, struct account *to, int amount) {
  struct account *first = from, *second = to;
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
