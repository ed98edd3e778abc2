// The twin of threads.c that forgets one of the sums.
// expect: false(unreach-call)
// states: 30
#include <assert.h>
#include <pthread.h>

extern int proviso_choose(int low, int high);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *add(void *arg) {
  int n = proviso_choose(1, 2);
  pthread_mutex_lock(&lock);
  sum += n;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, add, NULL);
  add(NULL);
  pthread_join(t, NULL);
  assert(sum != 3);
}
