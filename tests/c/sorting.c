/* qsort and bsearch with several orders and element sizes, malloc, calloc and realloc. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned seed = 12345;
static unsigned next(void) {
  return seed = seed * 1103515245u + 12345u;
}

static int by_value(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}
static int descending(const void *a, const void *b) {
  return by_value(b, a);
}

struct entry {
  char name[6];
  short rank;
};
static int by_name(const void *a, const void *b) {
  return strcmp(((const struct entry *)a)->name, ((const struct entry *)b)->name);
}

int main(void) {
  int n = 40, *v = malloc((size_t)n * sizeof *v);
  if (!v) return 1;
  for (int i = 0; i < n; i++) v[i] = (int)(next() >> 16) % 100;
  qsort(v, (size_t)n, sizeof *v, by_value);
  for (int i = 0; i < n; i++) printf("%d ", v[i]);
  int key = v[17], missing = 1000;
  int *hit = bsearch(&key, v, (size_t)n, sizeof *v, by_value);
  printf("\n%d %d\n", hit && *hit == key,
         bsearch(&missing, v, (size_t)n, sizeof *v, by_value) == NULL);
  int *larger = realloc(v, 2 * (size_t)n * sizeof *v);
  if (!larger) return 1;
  v = larger;
  for (int i = n; i < 2 * n; i++) v[i] = -i;
  qsort(v, 2 * (size_t)n, sizeof *v, descending);
  printf("%d %d %d\n", v[0], v[n], v[2 * n - 1]);
  struct entry e[] = {{"pear", 1}, {"fig", 2}, {"apple", 3}, {"kiwi", 4}, {"date", 5}};
  qsort(e, 5, sizeof *e, by_name);
  for (int i = 0; i < 5; i++) printf("%s%d ", e[i].name, e[i].rank);
  int *zeros = calloc(10, sizeof *zeros), sum = 0;
  if (!zeros) return 1;
  for (int i = 0; i < 10; i++) sum += zeros[i];
  printf("\n%d %d %ld\n", sum, abs(-5), labs(-7L));
  free(zeros);
  free(v);
  free(NULL);
  return 0;
}
