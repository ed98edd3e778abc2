// A semaphore is used that was never initialised.
// expect: false(def-behavior)
// states: 1
#include <semaphore.h>

static sem_t sem;

int main(void) {
  sem_post(&sem);
}
