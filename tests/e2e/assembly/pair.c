// cmpxchg16b: both halves in one step, pointers included; without the counter the stack has the ABA problem.
// expect: true
// args: --property unreach-call,valid-deref
// states: 72
// run: --property unreach-call,valid-deref -- -DHALF => false(unreach-call) states=51
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
  struct node *next;
};
static struct {
  struct node *top;
  uint64_t count;
} __attribute__((aligned(16))) stack;

static bool swap(uint64_t *target, uint64_t *old, uint64_t low, uint64_t high) {
  bool z;
  __asm__ volatile("lock cmpxchg16b %0; setz %3"
                   : "+m"(*target), "+a"(old[0]), "+d"(old[1]), "=q"(z)
                   : "b"(low), "c"(high)
                   : "memory", "cc");
  return z;
}

/* The value of both halves at one time. */
static void read_both(uint64_t *target, uint64_t *v) {
  __asm__ volatile("movq %%rdx, %%rcx; movq %%rax, %%rbx; lock cmpxchg16b %2"
                   : "=a"(v[0]), "=d"(v[1])
                   : "m"(*target)
                   : "rbx", "rcx", "memory", "cc");
}

static void push(struct node *n) {
  uint64_t old[2];
  read_both((uint64_t *)&stack, old);
  do n->next = (struct node *)old[0];
  while (!swap((uint64_t *)&stack, old, (uint64_t)n, old[1]));
}

static struct node *pop(void) {
  uint64_t old[2];
  read_both((uint64_t *)&stack, old);
  while (old[0]) {
    struct node *next = ((struct node *)old[0])->next;
#ifdef HALF
    uint64_t expected = old[0];
    __asm__ volatile("lock; cmpxchgq %2, %1" : "+a"(expected), "+m"(stack.top) : "r"(next) : "memory");
    if (expected == old[0]) return (struct node *)old[0];
    old[0] = expected;
#else
    if (swap((uint64_t *)&stack, old, (uint64_t)next, old[1] + 1)) return (struct node *)old[0];
#endif
  }
  return NULL;
}

static struct node nodes[2];

static void *worker(void *unused) {
  struct node *a = pop(), *b = pop();
  if (a) push(a);
  (void)unused;
  return b;
}

int main(void) {
  pthread_t t;
  push(&nodes[0]);
  push(&nodes[1]);
  pthread_create(&t, 0, worker, 0);
  struct node *mine = pop();
  void *theirs;
  pthread_join(t, &theirs);
  struct node *rest = pop();
  assert(!rest || (rest != mine && rest != theirs));
  return 0;
}
