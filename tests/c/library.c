/* stdlib.h and friends: qsort and bsearch with comparators, strtol and kin, div, abs, calloc and
 * realloc, locale, errno, atexit order, assert that holds. */
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
  char name[6];
  int key;
};

static int by_key(const void *a, const void *b) {
  const struct item *x = a, *y = b;
  return x->key != y->key ? (x->key > y->key) - (x->key < y->key) : strcmp(x->name, y->name);
}
static int ints(const void *a, const void *b) {
  return *(const int *)a < *(const int *)b ? -1 : *(const int *)a > *(const int *)b;
}
static int strings(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}
static void numbers(void) {
  const char *v[] = {
      "0", " -12x", "+7", "0x1F", "017", "99999999999999999999", "-99999999999999999999",
      "",  "abc",   "0x", "zz"};
  for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
    char *end;
    errno = 0;
    long long l = strtoll(v[i], &end, 0);
    printf("%lld %d %d ", l, (int)(end - v[i]), errno);
    errno = 0;
    unsigned long long u = strtoull(v[i], &end, 36);
    printf("%llu %d %d ", u, (int)(end - v[i]), errno);
    printf("%d\n", atoi(i == 5 || i == 6 ? "5" : v[i]));
  }
  const char *d[] = {"1.5", "-2e3x", "inf", "nan", "0x1.8p1", ".5", "1e400", "1e-400", "-", "3."};
  for (size_t i = 0; i < sizeof d / sizeof *d; i++) {
    char *end;
    errno = 0;
    double x = strtod(d[i], &end);
    printf("%g %d %d, ", x, (int)(end - d[i]), errno);
  }
  printf("%g %g\n", atof("12.25"), (double)strtof("0.1", NULL));
}
static void last(void) {
  printf("last handler\n");
}
static void first(void) {
  printf("first handler\n");
}

int main(void) {
  setlocale(LC_ALL, "C");
  atexit(last);
  atexit(first);
  int a[40];
  unsigned seed = 1;
  for (int i = 0; i < 40; i++)
    a[i] = (int)((seed = seed * 1103515245u + 12345u) >> 16 & 0xff) - 100;
  qsort(a, 40, sizeof *a, ints);
  for (int i = 0; i < 40; i++) printf("%d ", a[i]);
  int key = a[17], *found = bsearch(&key, a, 40, sizeof *a, ints);
  printf("\n%d %d\n", *found, bsearch(&(int){1000}, a, 40, sizeof *a, ints) == NULL);
  struct item items[] = {{"five", 5}, {"one", 1}, {"uno", 1}, {"nine", 9}, {"zero", 0}};
  qsort(items, 5, sizeof *items, by_key);
  for (int i = 0; i < 5; i++) printf("%s ", items[i].name);
  const char *words[] = {"pear", "apple", "fig", "date"};
  qsort(words, 4, sizeof *words, strings);
  for (int i = 0; i < 4; i++) printf("%s ", words[i]);
  printf("\n");
  numbers();
  div_t q = div(-7, 2);
  lldiv_t ll = lldiv(1LL << 40, 1000);
  printf("%d %d %lld %lld %d %lld\n", q.quot, q.rem, ll.quot, ll.rem, abs(-3),
         llabs(-5000000000LL));
  int *p = calloc(4, sizeof *p);
  p[3] = 4;
  p = realloc(p, 8 * sizeof *p);
  p[7] = 8;
  printf("%d %d %d\n", p[0], p[3], p[7]);
  p = realloc(p, 2 * sizeof *p);
  printf("%d\n", p[1]);
  free(p);
  free(NULL);
  assert(seed != 0);
  exit(strtol("11", NULL, 2) == 3 ? 258 : 1);
}
