// A pointer below its object is still one to it: the array that it leads to is shared.
// expect: false(no-data-race)
// run: --engine dpor => false(no-data-race)
// run: -- -DLOCKED => true
// run: --engine dpor -- -DLOCKED => true
#include <pthread.h>
#include <stdlib.h>

static int *v; // v[1] is the first
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void lock(void) {
#ifdef LOCKED
  pthread_mutex_lock(&m);
#endif
}
static void unlock(void) {
#ifdef LOCKED
  pthread_mutex_unlock(&m);
#endif
}
static void *worker(void *unused) {
  lock();
  v[1]++;
  unlock();
  return unused;
}

int main(void) {
  pthread_t t;
  v = (int *)calloc(2, sizeof(int)) - 1;
  pthread_create(&t, NULL, worker, NULL);
  lock();
  v[1]++;
  unlock();
  pthread_join(t, NULL);
  free(v + 1);
  return 0;
}
