// A null pointer is followed.
// expect: false(valid-deref)
// states: 1
#include <stddef.h>

struct node {
  struct node *next;
  int value;
};

static int last(const struct node *n) {
  while (n->value != 3) n = n->next;
  return n->value;
}

int main(void) {
  struct node b = {NULL, 2}, a = {&b, 1};
  return last(&a);
}
