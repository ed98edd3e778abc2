/* Static locals in recursion, mutual recursion, Ackermann, large frames, many parameters, function
 * pointers that return function pointers, early returns in loops. */
#include <stdio.h>

static int depth(int n) {
  static int calls, deepest;
  static int *last = &calls;
  calls++;
  if (n > deepest) deepest = n;
  if (n < 4) {
    int one = depth(n + 1), two = depth(n + 2);
    return one + two + (*last > 0);
  }
  return deepest * 100 + calls;
}
static int odd(unsigned n);
static int even(unsigned n) {
  return n == 0 ? 1 : odd(n - 1);
}
static int odd(unsigned n) {
  return n == 0 ? 0 : even(n - 1);
}
static int ack(int m, int n) {
  return !m ? n + 1 : ack(m - 1, n ? ack(m, n - 1) : 1);
}
static long many(char a, short b, int c, long d, float e, double f, char g, short h, int i, long j,
                 float k, double l, const char *m, int n) {
  return a + b + c + d + (long)e + (long)f + g + h + i + j + (long)k + (long)l + m[0] + n;
}
static int big(int n) {
  int a[200];
  for (int i = 0; i < 200; i++) a[i] = i * n;
  return n ? big(n - 1) + a[199] : a[100];
}
typedef int (*unary)(int);
static int inc(int x) {
  return x + 1;
}
static int twice(int x) {
  return x * 2;
}
static unary pick(int k) {
  return k % 2 ? inc : twice;
}
static unary (*picker(void))(int) {
  return pick;
}
static void hanoi(int n, int from, int to, int via, int *moves, unsigned *hash) {
  if (!n) return;
  hanoi(n - 1, from, via, to, moves, hash);
  ++*moves;
  *hash = *hash * 7 + (unsigned)(from * 3 + to);
  hanoi(n - 1, via, to, from, moves, hash);
}
static int next(void) {
  static struct {
    int n;
    char text[4];
  } state = {5, "abc"};
  state.text[state.n % 3]++;
  return state.n++ * 1000 + state.text[0];
}

int main(void) {
  int first = depth(0);
  printf("%d %d\n", first, depth(1));
  printf("%d %d %d\n", even(20), odd(7), ack(2, 3));
  printf("%ld\n", many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, "x", 14));
  printf("%d\n", big(10));
  int x = 3;
  for (int i = 0; i < 6; i++) x = picker()(i)(x);
  printf("%d\n", x);
  int moves = 0;
  unsigned hash = 1;
  hanoi(6, 1, 3, 2, &moves, &hash);
  printf("%d %u\n", moves, hash);
  next();
  next();
  printf("%d\n", next());
  return x & 0x7f;
}
