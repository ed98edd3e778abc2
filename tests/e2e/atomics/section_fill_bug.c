// A structure is filled inside an atomic section while another thread writes a member outside of one.
// expect: false(no-data-race)
// states: 5
#include <pthread.h>
#include <string.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

struct s {
  long a[8];
} g, l;

static void *copier(void *arg) {
  __VERIFIER_atomic_begin();
  memset(&g, 0, sizeof g);
  __VERIFIER_atomic_end();
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, copier, NULL);
  g.a[3] = 1;
  pthread_join(t, NULL);
  return 0;
}
