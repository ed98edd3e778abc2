/* Initialisers and lifetimes: static locals, shadowing, designated and nested initialisers,
 * addresses in globals, string tables, compound literals, const and volatile objects. */
#include <stddef.h>
#include <stdio.h>

static int counter(void) {
  static int n = 10;
  return n++;
}
static int other(void) {
  static int n;
  return --n;
}

struct node {
  int value;
  struct node *next;
};
static struct node third = {3, NULL}, second = {2, &third}, first = {1, &second};
static struct node ring = {7, &ring};

static const char *const names[] = {[2] = "two", [0] = "zero", "one"};
static const char text[] = "bytes\0after\xff\"\\?\?=";
static int matrix[3][4] = {{1, 2}, [2] = {[3] = 9}};
static int *inside = &matrix[2][3], *before = &matrix[1][0];
static const char *tail = text + 6;
static struct {
  short s;
  char c;
  double d[2];
  const int *p;
} mixed = {.c = 'c', .d = {[1] = 2.5}, .p = &matrix[0][1]};
volatile int unsteady = 5;
int x = 1;

static int shadows(int x) {
  int r = x;
  {
    int x = 20;
    r += x;
    for (int x = 0; x < 3; x++) r += x;
    {
      extern int x;
      r += 1000 * x;
    }
  }
  return r;
}

int main(void) {
  int a = counter();
  counter();
  int b = counter(), c = other(), d = other();
  printf("%d %d %d %d\n", a, b, c, d);
  for (struct node *n = &first; n; n = n->next) printf("%d ", n->value);
  printf("%d\n", ring.next->next->value);
  printf("%s %s %s %zu %s\n", names[0], names[1], names[2], sizeof text, tail);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) printf("%d%c", matrix[i][j], j == 3 ? '\n' : ' ');
  printf("%d %td %d\n", *inside, inside - &matrix[0][0], *before);
  printf("%d %c %g %g %d\n", mixed.s, mixed.c, mixed.d[0], mixed.d[1], *mixed.p);
  unsteady += 2;
  int *literal = (int[]){unsteady, 8, 9};
  printf("%d %d %d\n", shadows(100), literal[0], literal[2]);
  printf("%zu %zu\n", offsetof(struct node, next), sizeof(struct node));
  return counter();
}
