// No race: both accesses are deep inside of an atomic section, one on a page that the section has
// used before.
// expect: true
// states: 9
// args: --property no-data-race
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static struct {
  int x[8], y;
} s;

static void work(void) {
  for (int i = 0; i < 8; i++) s.x[i]++;
  for (int i = 0; i < 2; i++) s.x[i] += s.x[i + 1];
  s.y++;
}

static void *other(void *arg) {
  __VERIFIER_atomic_begin();
  s.y = 2;
  __VERIFIER_atomic_end();
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  __VERIFIER_atomic_begin();
  work();
  __VERIFIER_atomic_end();
  pthread_join(t, 0);
  return 0;
}
