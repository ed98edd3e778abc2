// Each thread puts a node on a list, and main takes all of them off it. No address of a freed node can come back, so that the
// allocations need not be in any order; the locks are: 3! executions.
// expect: true
// executions: 6
// args: --engine dpor --property unreach-call,valid-deref,valid-free
// run: --engine dpor --dependence conflict --peek 0 --prune 0 --property unreach-call => true executions=6
// run: --engine dpor --dpor source --property unreach-call => true executions=6
// run: --engine dpor --no-reuse --property unreach-call => true executions=6
// run: --engine dpor --property unreach-call -- -DBUG => false(unreach-call) executions=1
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { N = 3 };
struct node {
  long value;
  struct node *next;
} *list;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *put(void *value) {
  struct node *node = malloc(sizeof *node);
  node->value = (long)value;
#ifdef BUG
  node->next = list;
#endif
  pthread_mutex_lock(&lock);
#ifndef BUG
  node->next = list;
#endif
  list = node;
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t thread[N];
  long sum = 0;
  for (long i = 0; i < N; i++) pthread_create(&thread[i], 0, put, (void *)(i + 1));
  for (int i = 0; i < N; i++) pthread_join(thread[i], 0);
  while (list != 0) {
    struct node *node = list;
    sum += node->value;
    list = node->next;
    free(node);
  }
  assert(sum == N * (N + 1) / 2);
  return 0;
}
