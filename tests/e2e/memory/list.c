// A list is built, reversed, summed up and freed.
// expect: true
// states: 1
// args: --property valid-memsafety,valid-memcleanup,unreach-call,def-behavior
#include <assert.h>
#include <stdlib.h>

struct node {
  struct node *next;
  int value;
};

int main(void) {
  struct node *list = NULL, *reversed = NULL;
  for (int i = 1; i <= 3; i++) {
    struct node *n = malloc(sizeof *n);
    if (!n) abort();
    n->value = i;
    n->next = list;
    list = n;
  }
  while (list) {
    struct node *n = list;
    list = n->next;
    n->next = reversed;
    reversed = n;
  }
  int weighted = 0, place = 1;
  while (reversed) {
    struct node *n = reversed;
    reversed = n->next;
    weighted += place++ * n->value;
    free(n);
  }
  assert(weighted == 1 + 4 + 9);
}
