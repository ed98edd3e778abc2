// Whoever drops the last reference frees the object. The others' accesses must happen before: acq_rel.
// expect: true
// run: -- -DORDER=memory_order_relaxed => conditional
// run: -- -DORDER=memory_order_release => conditional
// run: -- -DTWICE => false(no-data-race) or false(valid-deref)
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef ORDER
#define ORDER memory_order_acq_rel
#endif
static struct object {
  atomic_int references;
  int value;
} *object;

static void *use(void *unused) {
  int value = object->value;
  (void)value;
#ifdef TWICE
  if (atomic_fetch_sub_explicit(&object->references, 1, ORDER) <= 2) free(object);
#else
  if (atomic_fetch_sub_explicit(&object->references, 1, ORDER) == 1) free(object);
#endif
  return unused;
}

int main(void) {
  pthread_t t;
  object = malloc(sizeof *object);
  atomic_init(&object->references, 2);
  object->value = 7;
  pthread_create(&t, 0, use, 0);
  use(0);
  pthread_join(t, 0);
}
