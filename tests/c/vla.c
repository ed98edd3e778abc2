/* Arrays of variable length: in loops, two-dimensional, as parameters, sizeof; and alloca. */
#include <alloca.h>
#include <stdio.h>
#include <string.h>

static int trace(int n, int m[n][n]) {
  int t = 0;
  for (int i = 0; i < n; i++) t += m[i][i];
  return t;
}

static int fill(int n) {
  int m[n][n];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) m[i][j] = i * n + j;
  return trace(n, m) + (int)sizeof m;
}

static unsigned rounds(int n) {
  unsigned h = 1;
  for (int i = 1; i <= n; i++) {
    char text[i + 1];
    memset(text, 'a' + i % 26, (size_t)i);
    text[i] = '\0';
    h = h * 31 + (unsigned)strlen(text) + (unsigned char)text[i / 2];
    if (i % 3 == 0) continue;
    h ^= (unsigned)sizeof text;
  }
  return h;
}

static int sum_alloca(int n) {
  int *p = alloca((size_t)n * sizeof *p), *q = alloca((size_t)n * sizeof *q), s = 0;
  for (int i = 0; i < n; i++) p[i] = i, q[i] = 2 * i;
  for (int i = 0; i < n; i++) s += p[i] + q[n - 1 - i];
  return s;
}

int main(void) {
  for (int n = 1; n < 6; n++) printf("%d ", fill(n));
  printf("\n%u %u\n", rounds(5), rounds(30));
  printf("%d\n", sum_alloca(10));
  return fill(3) & 63;
}
