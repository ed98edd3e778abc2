// Threads push nodes to a list. Who links another thread's node needs no order, who looks into it does.
// expect: true
// run: -DPEEK => conditional
// run: -DPEEK -DLOAD=memory_order_acquire => true
// run: -DPUSH=memory_order_relaxed => true
// run: -DPUSH=memory_order_relaxed -DPEEK -DLOAD=memory_order_acquire => conditional
// run: -DBUG => false(unreach-call)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef LOAD
#define LOAD memory_order_relaxed
#endif
#ifndef PUSH
#define PUSH memory_order_release
#endif
struct node {
  int value;
  struct node *next;
};
static _Atomic(struct node *) top;

static void push(int value) {
  struct node *node = malloc(sizeof *node), *old = atomic_load_explicit(&top, LOAD);
  node->value = value;
#ifdef PEEK
  if (old) assert(old->value);
#endif
#ifdef BUG
  node->next = old;
  atomic_store_explicit(&top, node, PUSH);
#else
  do {
    node->next = old;
  } while (!atomic_compare_exchange_weak_explicit(&top, &old, node, PUSH, memory_order_relaxed));
#endif
}

static void *other(void *unused) {
  push(1);
  return unused;
}

int main(void) {
  pthread_t t;
  int sum = 0;
  pthread_create(&t, 0, other, 0);
  push(2);
  pthread_join(t, 0);
  for (struct node *n = top, *next; n; n = next) {
    next = n->next;
    sum += n->value;
    free(n);
  }
  assert(sum == 3);
}
