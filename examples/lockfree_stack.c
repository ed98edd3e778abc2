// Treiber's lock-free stack with the ABA problem. A thread that pops remembers top = A and A's
// next = B. Meanwhile the other thread pops A, pops B and pushes A again. The first one's compare-
// and-swap still finds A on top and succeeds, but puts B back, which its new owner has in use.
//
// expect: false(unreach-call)
// states: 97
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { NONE, A, B, NODES };      // nodes by number
static atomic_int next[NODES];   // the node below
static atomic_int owners[NODES]; // how many threads think they own the node
static atomic_uint top;

static unsigned pack(unsigned old_top, int node) {
  (void)old_top;
  return (unsigned)node;
}
static int node_of(unsigned t) {
  return (int)(t & 255);
}

static void push(int node) {
  unsigned old = top;
  do {
    next[node] = node_of(old);
  } while (!atomic_compare_exchange_strong(&top, &old, pack(old, node)));
}

static int pop(void) {
  unsigned old = top;
  int node;
  do {
    node = node_of(old);
    if (node == NONE) return NONE;
  } while (!atomic_compare_exchange_strong(&top, &old, pack(old, next[node])));
  assert(atomic_fetch_add(&owners[node], 1) == 0); // nobody else has this node
  return node;
}

static void *one(void *unused) {
  (void)unused;
  pop();
  return NULL;
}

static void *other(void *unused) {
  (void)unused;
  int a = pop(), b = pop();
  if (a != NONE) { // gives the first one back, keeps the second
    atomic_fetch_sub(&owners[a], 1);
    push(a);
  }
  (void)b;
  return NULL;
}

int main(void) {
  pthread_t t1, t2;
  push(B);
  push(A);
  pthread_create(&t1, NULL, one, NULL);
  pthread_create(&t2, NULL, other, NULL);
  pthread_join(t1, NULL);
  pthread_join(t2, NULL);
  pop(); // what is left must be nobody's
  return 0;
}
