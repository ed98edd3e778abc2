// A section that comes to a lock that is held: the path is cut under a proviso, which must not
// depend on who moves first. Where both are sections nobody waits.
// expect: conditional
// args: -- -DFIRST=one -DSECOND=two
// states: 30
// proviso: does not have to wait
// run: --por none -- -DFIRST=one -DSECOND=two => conditional states=30
// run: --por persistent -- -DFIRST=one -DSECOND=two => conditional states=30
// run: --por persistent -- -DFIRST=two -DSECOND=one => conditional states=30
// run: -- -DFIRST=two -DSECOND=one => conditional states=30
// run: -- -DFIRST=two -DSECOND=two => true states=16
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

void *one(void *arg) {
  pthread_mutex_lock(&m);
  x = 1;
  pthread_mutex_unlock(&m);
  return arg;
}

void *two(void *arg) {
  __VERIFIER_atomic_begin();
  pthread_mutex_lock(&m);
  x = 2;
  pthread_mutex_unlock(&m);
  __VERIFIER_atomic_end();
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, FIRST, NULL);
  pthread_create(&b, NULL, SECOND, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
