// Two threads free the same object.
// expect: false(valid-free) or false(no-data-race)
// states: 2
// run: --property valid-memsafety => false(valid-free) states=3
#include <pthread.h>
#include <stdlib.h>

static void *drop(void *arg) {
  free(arg);
  return NULL;
}

int main(void) {
  void *p = malloc(4);
  pthread_t t;
  pthread_create(&t, NULL, drop, p);
  drop(p);
  pthread_join(t, NULL);
}
