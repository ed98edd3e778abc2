// A recursive mutex is taken twice by its owner and keeps others out until it is fully released.
// expect: true
// states: 34
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;
static int data;

static void add(int depth) {
  pthread_mutex_lock(&lock);
  if (depth > 0) add(depth - 1);
  data++;
  pthread_mutex_unlock(&lock);
}

static void *work(void *arg) {
  (void)arg;
  add(1);
  return NULL;
}

int main(void) {
  pthread_mutexattr_t attr;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &attr);
  pthread_mutexattr_destroy(&attr);
  int early = pthread_mutex_unlock(&lock);
  assert(early == EPERM);
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  work(NULL);
  pthread_join(t, NULL);
  assert(data == 4);
  pthread_mutex_destroy(&lock);
}
