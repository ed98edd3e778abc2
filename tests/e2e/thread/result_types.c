// Functions of threads that return nothing, or a number, and one that ends without a result: a result that nobody asks for
// does no harm.
//
// expect: true
// states: 114
// run: --engine dpor => true
// run: --property unreach-call => true
// run: -- -DASKS => conditional
// run: -- -DBUG => false(no-data-race)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void add(int n) {
#ifndef BUG
  pthread_mutex_lock(&lock);
#endif
  sum += n;
#ifndef BUG
  pthread_mutex_unlock(&lock);
#endif
}

static void nothing(void *unused) { add(1); }
static int number(void *unused) { add(2); return 7; }
static void *ends(void *unused) { add(4); }

int main(void) {
  pthread_t t[3];
  void *result = NULL;
  pthread_create(&t[0], NULL, (void *(*)(void *))nothing, NULL);
  pthread_create(&t[1], NULL, (void *(*)(void *))number, NULL);
  pthread_create(&t[2], NULL, ends, NULL);
  for (int i = 0; i < 3; i++) {
#ifdef ASKS
    pthread_join(t[i], &result);
#else
    pthread_join(t[i], NULL);
#endif
  }
  assert(sum == 7);
  return result != NULL;
}
