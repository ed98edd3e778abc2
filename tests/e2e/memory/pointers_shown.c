// Paths show pointers inside of allocated memory as pointers, and nothing that has no name in the program.
// expect: false(unreach-call)
// args: --property unreach-call
// message: = &global
// message: top = object allocated at
// run: --property unreach-call -- -DFIX => true
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  struct node *next;
  int *place, tag;
};
static _Atomic(struct node *) top;
static int global;

int main(void) {
  struct node *n = malloc(sizeof *n), *expected = 0;
  n->next = 0;
  n->place = &global;
  n->tag = 7;
  atomic_compare_exchange_strong(&top, &expected, n);
#ifndef FIX
  assert(top != n);
#endif
  free(n);
  return 0;
}
