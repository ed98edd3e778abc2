// A message is passed by a flag. With release and acquire the orders allow nothing beyond sequential consistency; with
// relaxed operations the access to the data is a data race in C11, though no execution of the machine shows it.
// expect: true
// run: -- -DATOMIC_DATA => true
// run: -- -DSTORE=relaxed => conditional
// run: -- -DLOAD=relaxed => conditional
// run: -- -DSTORE=relaxed -DATOMIC_DATA => conditional
// run: -- -DSTORE=seq_cst -DLOAD=seq_cst => true
// run: -- -DBUG => false(unreach-call)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef STORE
#define STORE release
#endif
#ifndef LOAD
#define LOAD acquire
#endif
#define ORDER_(o) memory_order_##o
#define ORDER(o) ORDER_(o)

#ifdef ATOMIC_DATA
static atomic_int data;
#define SET(v) atomic_store_explicit(&data, v, memory_order_relaxed)
#define GET() atomic_load_explicit(&data, memory_order_relaxed)
#else
static int data;
#define SET(v) (data = (v))
#define GET() data
#endif
static atomic_int flag;

static void *sender(void *unused) {
#ifdef BUG
  atomic_store_explicit(&flag, 1, ORDER(STORE));
#endif
  SET(1);
  atomic_store_explicit(&flag, 1, ORDER(STORE));
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, sender, 0);
#ifdef BUG
  if (atomic_load_explicit(&flag, ORDER(LOAD))) assert(atomic_load_explicit(&flag, ORDER(LOAD)) == 2);
#else
  if (atomic_load_explicit(&flag, ORDER(LOAD))) assert(GET() == 1);
#endif
  pthread_join(t, 0);
}
