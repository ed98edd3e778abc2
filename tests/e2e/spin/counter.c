// Counting under a spin lock; a trylock is answered both ways.
// expect: true
// states: 23
// run: --property unreach-call,no-deadlock,no-overflow,valid-memsafety,def-behavior => true states=27
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int counter;

static void *count(void *arg) {
  pthread_spin_lock(&lock);
  counter++;
  pthread_spin_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_t t;
  pthread_create(&t, NULL, count, NULL);
  int result = pthread_spin_trylock(&lock);
  if (result == 0) {
    counter++;
    pthread_spin_unlock(&lock);
  } else {
    assert(result == EBUSY);
  }
  pthread_join(t, NULL);
  assert(counter == 2 || result == EBUSY);
  pthread_spin_destroy(&lock);
}
