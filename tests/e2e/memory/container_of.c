// A pointer may lie outside of its object, as long as the access does not: the container of a list's head
// in kernel style lists, arrays whose first index is 1, large members before the link.
// expect: true
// run: --engine dpor => true
// run: --32 => true
// run: -- -DBUG=1 => false(valid-deref)
// run: -- -DBUG=2 => false(valid-deref)
// run: -- -DBUG=3 => false(valid-deref)
// run: --32 -- -DBUG=3 => false(valid-deref)
// run: --engine composite -- -DBUG=1 => false(valid-deref)
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

#ifndef BUG
#define BUG 0
#endif
#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))
#define for_each_safe(pos, n, head)                                                                \
  for (pos = container_of((head)->next, struct node, link),                                        \
      n = container_of(pos->link.next, struct node, link);                                         \
       &pos->link != (head); pos = n, n = container_of(n->link.next, struct node, link))

struct link {
  struct link *next, *prev;
};
struct node {
  char text[3000];
  long key;
  struct link link;
};
static struct link global_head = {&global_head, &global_head};

static void add(struct link *head, long key) {
  struct node *n = malloc(sizeof *n);
  n->key = key;
  n->link.next = head->next;
  n->link.prev = head;
  head->next->prev = &n->link;
  head->next = &n->link;
}

static long sum_and_free(struct link *head) {
  struct node *pos, *next;
  long sum = 0;
  for_each_safe(pos, next, head) {
    sum += pos->key;
    free(pos);
  }
  // after the loop `pos` is the container of the head
  if (BUG == 1) sum += pos->key;
  return sum;
}

static long *one_based(size_t n) {
  return (long *)malloc(n * sizeof(long)) - 1;
}

int main(void) {
  struct link stack_head = {&stack_head, &stack_head}, *heap_head = malloc(sizeof *heap_head);
  heap_head->next = heap_head->prev = heap_head;
  for (int i = 1; i <= 2; i++) {
    add(&global_head, i);
    add(&stack_head, 10 * i);
    add(heap_head, 100 * i);
  }
  assert(sum_and_free(&global_head) == 3);
  assert(sum_and_free(&stack_head) == 30);
  assert(sum_and_free(heap_head) == 300);
  free(heap_head);

  struct {
    long *v;
  } a = {one_based(3)}, b = a;
  for (int i = BUG == 2 ? 0 : 1; i <= 3; i++) b.v[i] = i;
  assert(a.v[1] == 1 && a.v[3] == 3);
  free(b.v + 1);
  if (BUG == 3) a.v[3] = 0; // freed
  return 0;
}
