// A pointer far below an object, the container of a list's head, refers to the object: as long as it is
// kept, the freed object's address does not come back unnoticed, and other threads reach the object by it.
// expect: true
// run: --engine dpor => true
// run: -- -DBUG=1 => false(valid-deref)
// run: --engine dpor -- -DBUG=1 => false(valid-deref)
// run: -- -DBUG=2 => false(no-data-race)
// run: --engine dpor -- -DBUG=2 => false(no-data-race)
// run: -- -DBUG=3 => false(valid-deref)
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

#ifndef BUG
#define BUG 0
#endif
struct link {
  struct link *next;
  int n;
};
struct node {
  char text[20000];
  struct link link;
};
static struct node *kept;

static void *thread(void *unused) {
  kept->link.n++;
  return unused;
}

int main(void) {
  struct link *head = malloc(sizeof *head);
  pthread_t id;
  head->n = 0;
  kept = (struct node *)((char *)head - offsetof(struct node, link));
  pthread_create(&id, NULL, thread, NULL);
  if (BUG == 2) kept->link.n++;
  pthread_join(id, NULL);
  kept->link.n++;
  if (BUG == 3) kept->text[19999] = 1;
  free(head);
  head = malloc(sizeof *head); // elsewhere
  head->n = 1;
  if (BUG == 1) kept->link.n = 2;
  int r = head->n == 1;
  free(head);
  return !r;
}
