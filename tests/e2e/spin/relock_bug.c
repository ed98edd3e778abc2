// A thread spins on a lock it holds itself.
// expect: false(no-deadlock)
// states: 2
#include <pthread.h>

static pthread_spinlock_t lock;

int main(void) {
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_spin_lock(&lock);
  pthread_spin_lock(&lock);
}
