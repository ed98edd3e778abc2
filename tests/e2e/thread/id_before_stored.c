// A thread waits until its id is stored.
// expect: true
// run: --engine dpor => true
// run: --property unreach-call --engine composite => true
// run: --calls-may-fail => true
// proof: none
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t own;

static void *work(void *arg) {
  pthread_mutex_lock(&lock);
  assert(own != 0);
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_mutex_lock(&lock);
  int failed = pthread_create(&own, 0, work, 0);
  pthread_mutex_unlock(&lock);
  if (!failed) pthread_join(own, 0);
}
