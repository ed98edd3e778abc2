// A spin lock that is free is unlocked.
// expect: false(def-behavior)
// states: 1
#include <pthread.h>

static pthread_spinlock_t lock;

int main(void) {
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_spin_unlock(&lock);
}
