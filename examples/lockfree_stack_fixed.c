// The cure of lockfree_stack.c: beside the top stands a tag that counts the changes. After A was
// popped and pushed again the tag is another one, and the compare-and-swap fails.
//
// expect: true
// states: 134
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { NONE, A, B, NODES };      // nodes by number
static atomic_int next[NODES];   // the node below
static atomic_int owners[NODES]; // how many threads think they own the node
static atomic_uint top;

static unsigned pack(unsigned old_top, int node) {
  return ((old_top >> 8) + 1) << 8 | (unsigned)node; // a new tag each time
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
