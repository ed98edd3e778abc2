// No function that can run has an error of unreach-call: that is seen without a search, although a list has no bound and
// an index may be outside of its array. CALLED: one is called, through a table. ELSEWHERE: a function that is not
// defined might have one.
// expect: true
// args: --property unreach-call
// message: nothing was searched: no function that can run has an error call, an assertion or a label ERROR
// run: --property unreach-call -- -DCALLED => false(unreach-call)
// run: --property unreach-call --limit states=100 -- -DELSEWHERE => conditional
// run: --property unreach-call --32 => true
// run: --engine bmc --unwind 3 --property unreach-call => conditional
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void elsewhere(int);

struct node {
  struct node *next;
  int value;
};
static int buckets[8];

static void add(int value) { buckets[value % 8]++; }
static void fail(int value) {
  if (value == 3) reach_error();
}
static void (*const table[])(int) = {
    add,
#ifdef CALLED
    fail,
#endif
};

int main(void) {
  struct node *list = NULL;
  (void)sizeof fail; /* not called */
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    memset(n, 0, sizeof *n);
    n->next = list;
    n->value = __VERIFIER_nondet_int();
    list = n;
    table[n->value % (int)(sizeof table / sizeof *table)](n->value);
#ifdef ELSEWHERE
    elsewhere(n->value);
#endif
  }
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  return 0;
}
