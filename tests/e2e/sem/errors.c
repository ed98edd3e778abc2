// Results and errno of the semaphore calls.
// expect: true
// states: 1
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <semaphore.h>
#include <time.h>

static sem_t sem;

int main(void) {
  struct timespec soon = {0, 0};
  int value, result = sem_init(&sem, 0, 1);
  assert(result == 0);
  sem_getvalue(&sem, &value);
  assert(value == 1);
  result = sem_trywait(&sem);
  assert(result == 0);
  errno = 0;
  result = sem_trywait(&sem);
  assert(result == -1 && errno == EAGAIN);
  result = sem_timedwait(&sem, &soon);
  assert(result == -1 && errno == ETIMEDOUT);
  result = sem_post(&sem);
  assert(result == 0);
  result = sem_timedwait(&sem, &soon);
  assert(result == 0);
  sem_destroy(&sem);
  sem_init(&sem, 0, INT_MAX);
  result = sem_post(&sem);
  assert(result == -1 && errno == EOVERFLOW);
  sem_destroy(&sem);
}
