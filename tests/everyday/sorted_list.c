// A list that is kept sorted while numbers are inserted and removed.
// bug: none
// expect: true
// args:
// stdin: 3 1 2
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

static int insert(struct node **head, int value) {
  struct node **at = head, *n = malloc(sizeof *n);
  if (!n)
    return 0;
  while (*at && (*at)->value < value)
    at = &(*at)->next;
  n->value = value;
  n->next = *at;
  *at = n;
  return 1;
}

static int erase(struct node **head, int value) {
  for (struct node **at = head; *at; at = &(*at)->next)
    if ((*at)->value == value) {
      struct node *old = *at;
      *at = old->next;
      free(old);
      return 1;
    }
  return 0;
}

static int is_sorted(const struct node *n) {
  for (; n && n->next; n = n->next)
    if (n->value > n->next->value)
      return 0;
  return 1;
}

int main(void) {
  struct node *head = NULL;
  for (int i = 0; i < 3; i++) {
    int value;
    if (scanf("%d", &value) != 1)
      break;
    if (value < 0)
      erase(&head, -(value + 1));
    else if (!insert(&head, value))
      break;
  }
  assert(is_sorted(head));
  for (struct node *n = head; n; n = n->next)
    printf("%d\n", n->value);
  while (head) {
    struct node *next = head->next;
    free(head);
    head = next;
  }
  return 0;
}
