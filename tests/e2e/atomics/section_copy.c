// A structure is copied inside an atomic section; the other thread writes inside one too.
// expect: true
// states: 9
#include <pthread.h>
#include <string.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

struct s {
  long a[8];
} g, l;

static void *copier(void *arg) {
  __VERIFIER_atomic_begin();
  g = l;
  __VERIFIER_atomic_end();
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, copier, NULL);
  __VERIFIER_atomic_begin();
  g.a[3] = 1;
  __VERIFIER_atomic_end();
  pthread_join(t, NULL);
  return 0;
}
