/* Pointers to functions: tables, callbacks, returned, compared, in structs, to variadic ones. */
#include <stdio.h>

typedef int (*binary)(int, int);
static int add(int a, int b) {
  return a + b;
}
static int sub(int a, int b) {
  return a - b;
}
static int mul(int a, int b) {
  return a * b;
}

static const struct {
  char name;
  binary f;
} operators[] = {{'+', add}, {'-', sub}, {'*', mul}, {'?', 0}};

static binary find(char c) {
  for (int i = 0; operators[i].f; i++)
    if (operators[i].name == c) return operators[i].f;
  return 0;
}

struct shape {
  const struct shape_ops *ops;
  double w, h;
};
struct shape_ops {
  const char *name;
  double (*area)(const struct shape *);
  struct shape (*grow)(struct shape, double);
};
static double box_area(const struct shape *s) {
  return s->w * s->h;
}
static double triangle_area(const struct shape *s) {
  return s->w * s->h / 2;
}
static struct shape grow(struct shape s, double by) {
  s.w *= by;
  s.h *= by;
  return s;
}
static const struct shape_ops box = {"box", box_area, grow},
                              triangle = {"triangle", triangle_area, grow};

static int fold(binary f, int start, const int *v, int n) {
  return n ? fold(f, f(start, *v), v + 1, n - 1) : start;
}

static float scale(float x, signed char by, _Bool negative) {
  return negative ? -x * by : x * by;
}

int main(void) {
  int v[] = {1, 2, 3, 4, 5};
  for (const char *s = "+-*"; *s; s++) printf("%c %d\n", *s, fold(find(*s), 10, v, 5));
  printf("%d %d\n", find('+') == add, find('/') == 0);
  struct shape shapes[] = {{&box, 2, 3}, {&triangle, 4, 5}};
  for (int i = 0; i < 2; i++) {
    struct shape g = shapes[i].ops->grow(shapes[i], 2);
    printf("%s %g %g\n", g.ops->name, shapes[i].ops->area(&shapes[i]), g.ops->area(&g));
  }
  float (*volatile f)(float, signed char, _Bool) = scale;
  printf("%g\n", f(1.5f, -2, 1));
  int (*print)(const char *, ...) = printf;
  print("%d %s\n", 7, "seven");
  return fold(mul, 1, v, 4);
}
