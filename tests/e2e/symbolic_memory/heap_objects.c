// A list that a loop builds: each allocation is an object of its own.
// run: --engine bmc => true
// run: --engine bmc --integers bitvector => true
// run: --engine bmc -- -DBUG => false(unreach-call)
// run: --engine bmc --integers bitvector -- -DFREED => false(valid-deref)
// run: --engine bmc -- -DTWICE => false(valid-free)
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
int main(void) {
  struct node *list = NULL;
  int n = __VERIFIER_nondet_int(), sum = 0;
  if (n < 0 || n > 3) return 0;
  for (int i = 0; i < n; i++) {
    struct node *new = malloc(sizeof *new);
    new->value = i + 1;
    new->next = list;
    list = new;
  }
  for (struct node *at = list; at; at = at->next) sum += at->value;
#ifdef BUG
  assert(sum != 6);
#else
  assert(sum == (n == 3 ? 6 : n == 2 ? 3 : n));
#endif
  while (list) {
#ifdef FREED
    free(list);
    list = list->next;
#else
    struct node *next = list->next;
    free(list);
    list = next;
#endif
  }
#ifdef TWICE
  struct node *last = malloc(sizeof *last);
  free(last);
  if (n > 1) free(last);
#endif
  return 0;
}
