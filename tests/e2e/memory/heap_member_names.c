// Messages name the member of an allocated block. With RIGHT there is no error.
// expect: false(no-data-race)
// run: -- -DRIGHT => true
// message: data race on p->count (allocated at heap_member_names.c:29)
// message: p->name[1] = 120 'x'
// message: p->next->key = 4
// message: table[2].key = 9
#include <pthread.h>
#include <stdlib.h>

struct node {
  int key;
  char name[4];
  struct node *next;
  int count;
};

static void *work(void *argument) {
  struct node *q = argument;
#ifdef RIGHT
  (void)q;
#else
  q->count++;
#endif
  return NULL;
}

int main(void) {
  struct node *p = calloc(1, sizeof *p);
  p->next = malloc(sizeof(struct node));
  struct node *table = calloc(3, sizeof *table);
  p->name[1] = 'x';
  p->next->key = 4;
  table[2].key = 9;
  pthread_t t;
  pthread_create(&t, NULL, work, p);
  p->count++;
  pthread_join(t, NULL);
  free(table);
  free(p->next);
  free(p);
  return 0;
}
