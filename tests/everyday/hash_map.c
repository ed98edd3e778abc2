// A hash map with chains; keys are the arguments.
// bug: none
// expect: true
// args: a b a
// stdin:
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 4 };
struct node {
  char *key;
  int count;
  struct node *next;
};

static unsigned hash(const char *s) {
  unsigned h = 5381;
  while (*s)
    h = h * 33 + (unsigned char)*s++;
  return h;
}

static struct node *find(struct node *table[], const char *key) {
  for (struct node *n = table[hash(key) % BUCKETS]; n; n = n->next)
    if (strcmp(n->key, key) == 0)
      return n;
  return NULL;
}

static int add(struct node *table[], const char *key) {
  struct node *n = find(table, key);
  if (n) {
    n->count++;
    return 1;
  }
  n = malloc(sizeof *n);
  if (!n)
    return 0;
  n->key = malloc(strlen(key) + 1);
  if (!n->key) {
    free(n);
    return 0;
  }
  strcpy(n->key, key);
  n->count = 1;
  unsigned at = hash(key) % BUCKETS;
  n->next = table[at];
  table[at] = n;
  return 1;
}

int main(int argc, char **argv) {
  struct node *table[BUCKETS] = {NULL};
  for (int i = 1; i < argc; i++)
    if (!add(table, argv[i]))
      break;
  for (int b = 0; b < BUCKETS; b++)
    for (struct node *n = table[b]; n;) {
      struct node *next = n->next;
      printf("%s: %d\n", n->key, n->count);
      free(n->key);
      free(n);
      n = next;
    }
  return 0;
}
