// The initialiser runs once, and everybody sees what it wrote.
// expect: true
// states: 14
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int runs;

static void initialise(void) {
  runs++;
}

static void *work(void *arg) {
  pthread_once(&once, initialise);
  assert(runs == 1);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  work(NULL);
  pthread_join(t, NULL);
}
