// Two threads at one label at once; with -DLOCKED the label is passed under a lock.
//
// expect: false(mutual-exclusion)
// args: --property mutual-exclusion --mutex-region inside
// states: 3
// message: thread 1 is in `inside` and thread 2 in `inside`, at tests/e2e/directed/region_label.c:19
// run: --property mutual-exclusion --mutex-region inside --search best => false(mutual-exclusion) states=4
// run: --property mutual-exclusion --mutex-region inside -- -DLOCKED => true states=32
// run: --property mutual-exclusion --mutex-region inside --search best -- -DLOCKED => true states=32
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  int x = 0;
#ifdef LOCKED
  pthread_mutex_lock(&m);
#endif
inside:
  x++;
#ifdef LOCKED
  pthread_mutex_unlock(&m);
#endif
  return x ? arg : &m;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, work, NULL);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
}
