// Treiber's lock-free stack on the heap. N threads each push a node of their own and pop one,
// whoever pushed it; popped nodes are freed at the end only, so that no address comes back too
// early.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef N
#  define N 2
#endif
struct node {
  struct node *next;
  atomic_int owners;
};
static _Atomic(struct node *) top;
static struct node *popped[N];

static void push(struct node *n) {
  struct node *old = top;
  do {
    n->next = old;
  } while (!atomic_compare_exchange_strong(&top, &old, n));
}

static struct node *pop(void) {
  struct node *old = top;
  while (old && !atomic_compare_exchange_strong(&top, &old, old->next)) {
    // again
  }
  return old;
}

static void *thread(void *number) {
  int me = *(int *)number;
  struct node *n = calloc(1, sizeof *n);
  push(n);
  popped[me] = pop();
  assert(popped[me]); // N pushes, each before its thread's pop
  assert(atomic_fetch_add(&popped[me]->owners, 1) == 0);
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  int numbers[N];
  for (int i = 0; i < N; i++) {
    numbers[i] = i;
    pthread_create(&threads[i], NULL, thread, &numbers[i]);
  }
  for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
  assert(!top);
  for (int i = 0; i < N; i++) free(popped[i]);
  return 0;
}
