/* Pointers as integers: tags in the low bits, round trips, differences, alignment, XOR lists,
 * container_of, pointers in bytes; unaligned and overlapping access through packed structs. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
  int value;
  struct node *next;
};
struct holder {
  char c;
  struct node n;
  int x;
};
struct __attribute__((packed)) record {
  char tag;
  int value;
  double d;
  short tail;
  struct node *p;
};
#define CONTAINER(P, T, M) ((T *)((char *)(P)-offsetof(T, M)))

static uintptr_t tag(struct node *p, unsigned t) {
  return (uintptr_t)p | t;
}
static int xor_sum(struct node **nodes, uintptr_t *links, int n) {
  uintptr_t before = 0;
  struct node *at = nodes[0];
  int sum = 0, i = 0;
  while (at) {
    uintptr_t after = links[i++] ^ before;
    sum = sum * 10 + at->value;
    before = (uintptr_t)at;
    at = (struct node *)after;
  }
  return i == n ? sum : -1;
}

int main(void) {
  struct node a = {1, NULL}, b = {2, &a};
  uintptr_t t = tag(&b, 3);
  struct node *p = (struct node *)(t & ~(uintptr_t)3);
  printf("%d %d %d\n", (int)(t & 3), p->value, p->next->value);
  struct holder h = {'c', {7, &b}, 9};
  struct holder *back = CONTAINER(&h.n, struct holder, n);
  printf("%c %d %d\n", back->c, back->x, back == &h);
  struct node nodes[4] = {{1, 0}, {2, 0}, {3, 0}, {4, 0}}, *list[4];
  uintptr_t links[4];
  for (int i = 0; i < 4; i++) list[i] = &nodes[i];
  for (int i = 0; i < 4; i++)
    links[i] = (i ? (uintptr_t)list[i - 1] : 0) ^ (i < 3 ? (uintptr_t)list[i + 1] : 0);
  printf("%d\n", xor_sum(list, links, 4));
  printf("%d %d %d\n", (int)(&nodes[3] - nodes),
         (int)((char *)&nodes[1] - (char *)nodes) == sizeof *nodes, &nodes[2] > &nodes[1]);
  struct record r[2];
  memset(r, 0, sizeof r);
  r[1].tag = 't';
  r[1].value = 0x01020304;
  r[1].d = -2.5;
  r[1].tail = -2;
  r[1].p = &b;
  r[0] = r[1];
  r[0].value++;
  r[0].d *= 2;
  r[0].p->value += 10;
  printf("%c %x %g %d %d %d\n", r[0].tag, r[0].value, r[0].d, r[0].tail, r[1].p->value,
         (int)(sizeof(struct record) - sizeof(void *)));
  unsigned char bytes[sizeof(void *)], *at = bytes;
  void *q = &a;
  memcpy(bytes, &q, sizeof q);
  for (size_t i = 0; i < sizeof q; i++) *at++ ^= 0x5a;
  for (size_t i = 0; i < sizeof q; i++) bytes[i] ^= 0x5a;
  memcpy(&q, bytes, sizeof q);
  printf("%d %d\n", q == &a, ((struct node *)q)->value);
  char *raw = malloc(100);
  char *aligned = (char *)(((uintptr_t)raw + 15) & ~(uintptr_t)15);
  printf("%d %d\n", (int)((uintptr_t)aligned % 16), aligned - raw < 16);
  int *ints = (int *)aligned;
  for (int i = 0; i < 10; i++) ints[i] = i;
  memmove(ints + 2, ints, 6 * sizeof(int));
  memmove(ints, ints + 1, 5 * sizeof(int));
  for (int i = 0; i < 10; i++) printf("%d", ints[i]);
  free(raw);
  char text[] = "abcdefghij";
  memmove(text + 3, text, 5);
  memmove(text, text + 1, 8);
  printf(" %s\n", text);
  int (*f)(const char *, ...) = printf;
  void *v = (void *)f;
  ((int (*)(const char *, ...))v)("%d\n", v != NULL);
  int matrix[3][4] = {{0}}, (*row)[4] = matrix + 1, *flat = &matrix[0][0];
  (*row)[2] = 5;
  row[1][3] = 6;
  printf("%d %d %d\n", *(*(matrix + 1) + 2), 2 [matrix][3], (int)(&matrix[2] - row));
  (void)flat;
  const char *names[] = {"zero", "one", "two"}, **n = names;
  n++;
  printf("%s %c %s\n", *n, *n[1], n[-1] + 1);
  volatile int vol = 3;
  volatile int *vp = &vol;
  *vp += vol;
  printf("%d\n", vol);
  return 0;
}
