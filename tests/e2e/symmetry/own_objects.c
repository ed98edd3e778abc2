// Each worker has objects of its own, on the stack and on the heap, and pointers to them: they go with
// the thread.
//
// args: --por none --symmetry threads --property unreach-call,valid-deref,no-data-race
// expect: true
// states: 159
// run: --por none --property unreach-call,valid-deref,no-data-race => true states=501
// run: --por sleep --symmetry threads --property unreach-call,valid-deref,no-data-race => true states=131
// run: --symmetry threads --property unreach-call,valid-deref,no-data-race => true states=103
// run: --por none --property valid-deref -- -DBUG => false(valid-deref) states=30
// run: --por none --symmetry threads --property valid-deref -- -DBUG => false(valid-deref) states=30
// run: --symmetry threads --property valid-deref -- -DBUG => false(valid-deref) states=30
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;
#ifdef BUG
static int *last;
#endif

static void add(const int *from) {
  pthread_mutex_lock(&lock);
  sum += *from;
  pthread_mutex_unlock(&lock);
}

static void *worker(void *arg) {
  int one = 1, *two = malloc(sizeof *two);
  if (!two) return NULL;
  *two = 2;
  add(&one);
  add(two);
#ifdef BUG
  pthread_mutex_lock(&lock);
  if (last) sum += *last; // another worker's, which may have ended
  last = &one;
  pthread_mutex_unlock(&lock);
#endif
  free(two);
  return arg;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  assert(sum == 9);
}
