/* Compound literals, designated initialisers, chains of struct assignments, flexible array members,
 * function pointers in structs. */
#include <stdio.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct inner {
  int a;
  char b[5];
};
struct outer {
  struct inner i, j[2];
  double d;
  struct outer *next;
};
struct text {
  size_t n;
  unsigned char kind;
  char data[];
};
struct shape;
struct operations {
  const char *name;
  double (*area)(const struct shape *);
  void (*scale)(struct shape *, double);
};
struct shape {
  const struct operations *ops;
  double x, y;
};

static double box_area(const struct shape *s) {
  return s->x * s->y;
}
static void both(struct shape *s, double k) {
  s->x *= k;
  s->y *= k;
}
static double round_area(const struct shape *s) {
  return s->x * s->x * 3;
}
static void one(struct shape *s, double k) {
  s->x *= k;
}
static const struct operations kinds[] = {
    [1] = {.name = "round", .scale = one, .area = round_area}, [0] = {"box", box_area, both}};

static struct text *text_new(const char *s) {
  size_t n = strlen(s);
  struct text *t = malloc(sizeof *t + n + 1);
  t->n = n;
  t->kind = (unsigned char)(n % 3);
  memcpy(t->data, s, n + 1);
  return t;
}
static int sum(const int *a, int n) {
  int s = 0;
  while (n--) s += a[n];
  return s;
}
static struct inner bump(struct inner i) {
  i.a++;
  i.b[i.a % 5] = '!';
  return i;
}
static struct outer global = {.j = {[1] = {7, "xyz"}}, .d = 2.5, .next = &global};
static const int sparse[] = {[3] = 3, [7] = 9, 10, [1] = 1};
static int *const literal = (int[]){4, 5, 6};

int main(void) {
  struct outer a = {{1, "ab"}, {{2, "cd"}, {3, "ef"}}, .5, NULL}, b, c, d;
  d = c = b = a;
  b.j[0] = c.j[1] = (struct inner){9, "zzzz"};
  d.i = bump(bump(b.j[0]));
  d.next = &(struct outer){.i = d.i, .next = &global};
  printf("%d %s %d %s %d %.5s\n", b.j[0].a, b.j[0].b, c.j[1].a, a.j[1].b, d.i.a, d.i.b);
  printf("%d %s %g\n", d.next->i.a, d.next->next->j[1].b, d.next->next->next->d);
  printf("%d %d %d\n", sum((int[]){1, 2, 3, 4}, 4), sum(sparse, 9), sum(literal, 3));
  for (int i = 0; i < 3; i++) {
    int *p = (int[]){i, i * i, [4] = 5};
    p[2] += i;
    printf("%d ", sum(p, 5));
  }
  printf("%s %c\n", (char[]){"literal"}, "string"[2]);
  struct shape shapes[] = {{&kinds[0], 2, 3}, {&kinds[1], 2, 3}};
  for (int i = 0; i < 4; i++) {
    struct shape *s = &shapes[i % 2];
    s->ops->scale(s, 1.5);
    printf("%s %g\n", s->ops->name, s->ops->area(s));
  }
  struct text *t[3] = {text_new(""), text_new("a"), text_new("some text")};
  for (int i = 0; i < 3; i++) {
    struct text head = *t[i];
    printf("%d %d %s\n", (int)head.n, head.kind, t[i]->data);
    free(t[i]);
  }
  printf("%d %d\n", (int)(offsetof(struct text, data) > sizeof(size_t)),
         (int)offsetof(struct outer, j[1].b));
  a = (struct outer){0};
  a = a.next ? *a.next : a;
  printf("%d %g\n", a.j[1].a, (a.i = (struct inner){5, {1, 2}}, a.d));
  return a.i.b[1];
}
