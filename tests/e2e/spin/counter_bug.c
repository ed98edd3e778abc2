// One of two threads forgets the spin lock.
// expect: false(no-data-race)
// states: 10
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
  counter++;
  pthread_join(t, NULL);
  pthread_spin_destroy(&lock);
}
