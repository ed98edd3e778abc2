/* Arrays of variable length: of structs, two-dimensional, as parameters, sizeof, in loops. */
#include <stdio.h>
#include <string.h>

struct point {
  short x;
  long long y;
  char name[3];
};

static long long sum(int n, struct point p[n]) {
  long long s = 0;
  for (int i = 0; i < n; i++) s += p[i].x * p[i].y + p[i].name[1];
  return s;
}
static int trace(int n, int m[n][n]) {
  int t = 0;
  for (int i = 0; i < n; i++) t += m[i][i];
  return t;
}
static int rows(int r, int c, int (*m)[c]) {
  int t = 0;
  for (int i = 0; i < r; i++)
    for (int j = 0; j < c; j++) t = t * 3 + m[i][j];
  return t;
}
static int deep(int n) {
  int a[n + 1];
  memset(a, n, sizeof a);
  return n ? deep(n - 1) + a[n] : a[0];
}

int main(void) {
  for (int n = 1; n < 5; n++) {
    struct point p[n];
    for (int i = 0; i < n; i++) p[i] = (struct point){(short)i, 1LL << (8 * i), {'a', 'b', 0}};
    printf("%d %d %lld\n", n, (int)(sizeof p / sizeof *p), sum(n, p));
    int m[n][n];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) m[i][j] = i * n + j;
    int(*row)[n] = &m[n - 1];
    printf("%d %d %d %d\n", trace(n, m), rows(n, n, m), (*row)[n - 1], (int)(sizeof m[0]));
    typedef char text[n + 2];
    text t, u;
    memset(t, 'x', sizeof t);
    t[n + 1] = 0;
    strcpy(u, t);
    printf("%s %d\n", u, (int)sizeof(text));
    if (n == 2) continue;
    int k = n;
    int side[k++];
    side[0] = k;
    printf("%d %d\n", side[0], (int)(sizeof side / sizeof(int)));
  }
  int n = 3;
again:;
  int g[n];
  for (int i = 0; i < n; i++) g[i] = n * i;
  if (n-- > 1) goto again;
  printf("%d %d\n", g[0], deep(6));
  return 0;
}
