// An address comes back to another thread than the one that allocated there first, which is still alive: it is the new owner's. And who
// still holds a pointer to what was there has one to what is there now.
//
// expect: false(unreach-call)
// states: 32
// args: --property unreach-call
// run: --engine explicit --por none --property unreach-call => false(unreach-call) states=46
// run: --engine dpor --property unreach-call => false(unreach-call) executions=4
// run: --engine dpor --dpor source --property unreach-call => false(unreach-call) executions=4
// run: --engine explicit --por none --property unreach-call -- -DFIX => true states=50
// run: --engine dpor --property unreach-call -- -DFIX => true executions=7
// run: --engine explicit --por none --property no-data-race -- -DRACE => false(no-data-race) states=53
// run: --engine dpor --property no-data-race -- -DRACE => false(no-data-race) executions=4
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  int value;
};
static struct node *_Atomic top;
static atomic_int came_back;

static void *pushes(void *arg) {
  struct node *n = malloc(sizeof *n);
  n->value = 2;
  top = n;
#ifdef RACE
  int *value = &n->value;
  if (came_back) *value = 4; /* what is there now, which another thread writes to */
#elif !defined FIX
  assert(!came_back);
#endif
  return arg;
}

static void *pops(void *arg) {
  struct node *n = atomic_exchange(&top, 0);
  if (!n) return arg;
  free(n);
  struct node *next = malloc(sizeof *next);
  next->value = 2;
  came_back = next == n;
#ifdef RACE
  next->value = 3;
#endif
  assert(next->value == 2 || next->value >= 3);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, pushes, 0);
  pthread_create(&b, 0, pops, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
