/* Pointers: arithmetic, differences, casts to integers and back, to arrays, to pointers, to void;
 * bytes of objects; walking structs; comparisons. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct link {
  struct link *next;
};
struct item {
  int weight;
  struct link link;
};
#define ITEM(L) ((struct item *)((char *)(L)-offsetof(struct item, link)))

static void swap(void *a, void *b, size_t n) {
  unsigned char *x = a, *y = b;
  while (n--) {
    unsigned char t = *x;
    *x++ = *y;
    *y++ = t;
  }
}

static int *largest(int *begin, int *end) {
  int *best = begin;
  for (int *p = begin; p != end; p++)
    if (*p > *best) best = p;
  return best;
}

static void insert(struct link **at, struct item *i) {
  while (*at && ITEM(*at)->weight < i->weight) at = &(*at)->next;
  i->link.next = *at;
  *at = &i->link;
}

int main(void) {
  int v[] = {3, 1, 4, 1, 5, 9, 2, 6}, n = sizeof v / sizeof *v;
  int *best = largest(v, v + n);
  printf("%d %td %d\n", *best, best - v, best > v && best < &v[n]);
  printf("%d %d\n", v[7], *(&v[7] - 3));
  uintptr_t bits = (uintptr_t)best;
  bits |= 1;
  printf("%d %d\n", (int)(bits & 1), *(int *)(bits & ~(uintptr_t)1));
  double d = 1.0, e = 2.0;
  swap(&d, &e, sizeof d);
  printf("%g %g\n", d, e);
  unsigned char bytes[8];
  uint64_t word = 0x0102030405060708ULL;
  memcpy(bytes, &word, 8);
  for (int i = 0; i < 8; i++) printf("%d", bytes[i]);
  printf("\n");
  int(*rows)[4] = (int(*)[4])v;
  printf("%d %td\n", rows[1][2], (char *)(rows + 1) - (char *)rows);
  struct item items[5];
  struct link *list = NULL;
  for (int i = 0; i < 5; i++) {
    items[i].weight = i * 7 % 5;
    insert(&list, &items[i]);
  }
  for (struct link *l = list; l; l = l->next) printf("%d ", ITEM(l)->weight);
  int x = 1, *p = &x, **pp = &p, ***ppp = &pp;
  ***ppp += 41;
  printf("\n%d %d\n", x, *pp == &x);
  const char *words[] = {"alpha", "beta", NULL}, **w = words;
  for (; *w; w++) printf("%c%c ", **w, (*w)[1]);
  printf("\n");
  return x;
}
