// A list on the heap: objects of one place of allocation are told apart by address.
// run: --engine bmc --property unreach-call,valid-deref,valid-free => true
// run: --engine bmc --property unreach-call,valid-deref,valid-free --32 => true
// run: --engine bmc --property unreach-call -- -DBUG => false(unreach-call)
// run: --engine bmc --property valid-deref -- -DUSE_AFTER_FREE => false(valid-deref)
// run: --engine bmc --property valid-free -- -DTWICE => false(valid-free)
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct node {
  int value;
  struct node *next;
};
int main(void) {
  struct node *list = 0;
  int x = __VERIFIER_nondet_int();
  for (int i = 0; i < 3; i++) {
    struct node *n = malloc(sizeof *n);
    n->value = i;
    n->next = list;
    list = n;
  }
  if (x == 17) list->next->value = 5;
  if (list->value != 2) reach_error();
#ifdef BUG
  if (list->next->value == 5) reach_error();
#endif
  struct node *second = list->next;
#ifdef USE_AFTER_FREE
  free(second);
  if (x == 3) second->value = 1;
  return 0;
#endif
#ifdef TWICE
  free(list);
  if (x == 3) free(list);
  return 0;
#endif
  free(list);
  second->value = 9;
}
