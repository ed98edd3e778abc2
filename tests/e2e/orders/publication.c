// An object is initialised while nobody else can reach it, then its address is published.
// expect: true
// run: -- -DSTORE=relaxed => conditional
// run: -- -DLOAD=relaxed => conditional
// run: -- -DLATE => false(no-data-race)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef STORE
#define STORE release
#endif
#ifndef LOAD
#define LOAD acquire
#endif
#define ORDER_(o) memory_order_##o
#define ORDER(o) ORDER_(o)

struct object {
  int value;
};
static _Atomic(struct object *) published;

static void *publish(void *unused) {
  struct object *o = malloc(sizeof *o);
#ifndef LATE
  o->value = 3;
#endif
  atomic_store_explicit(&published, o, ORDER(STORE));
#ifdef LATE
  o->value = 3;
#endif
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, publish, 0);
  struct object *o = atomic_load_explicit(&published, ORDER(LOAD));
  if (o) assert(o->value == 3);
  pthread_join(t, 0);
  free(published);
}
