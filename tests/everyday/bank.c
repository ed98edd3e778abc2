// Two threads move money between two accounts.
// bug: none
// expect: true
// args:
// stdin:
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

struct account {
  pthread_mutex_t lock;
  int balance;
};
static struct account accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 100},
                                     {PTHREAD_MUTEX_INITIALIZER, 50}};

static int transfer(int from, int to, int amount) {
  int first = from < to ? from : to, second = from < to ? to : from, done = 0;
  pthread_mutex_lock(&accounts[first].lock);
  pthread_mutex_lock(&accounts[second].lock);
  if (accounts[from].balance >= amount) {
    accounts[from].balance -= amount;
    accounts[to].balance += amount;
    done = 1;
  }
  pthread_mutex_unlock(&accounts[second].lock);
  pthread_mutex_unlock(&accounts[first].lock);
  return done;
}

static void *teller(void *argument) {
  int from = *(int *)argument;
  transfer(from, 1 - from, 30);
  transfer(from, 1 - from, 80);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int ids[2] = {0, 1};
  for (int i = 0; i < 2; i++)
    if (pthread_create(&threads[i], NULL, teller, &ids[i]) != 0)
      return 1;
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  assert(accounts[0].balance + accounts[1].balance == 150);
  printf("%d %d\n", accounts[0].balance, accounts[1].balance);
  return 0;
}
