// An error-checking mutex tells what others make undefined.
// expect: true
// states: 4
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;

static void *meddle(void *arg) {
  int result = pthread_mutex_unlock(&lock);
  assert(result == EPERM);
  return arg;
}

int main(void) {
  pthread_mutexattr_t attr;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&lock, &attr);
  pthread_mutexattr_destroy(&attr);
  int first = pthread_mutex_lock(&lock), second = pthread_mutex_lock(&lock);
  assert(first == 0 && second == EDEADLK);
  pthread_t t;
  pthread_create(&t, NULL, meddle, NULL);
  pthread_join(t, NULL);
  first = pthread_mutex_unlock(&lock), second = pthread_mutex_unlock(&lock);
  assert(first == 0 && second == EPERM);
  pthread_mutex_destroy(&lock);
}
