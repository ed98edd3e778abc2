/* goto, break, continue, do, comma, conditional and short-circuit evaluation: order made visible.
 */
#include <stdio.h>

static int calls;
static int note(int v) {
  calls = calls * 3 + v + 1;
  return v;
}

static int find(int rows, int columns, int wanted) {
  int i, j;
  for (i = 0; i < rows; i++)
    for (j = 0; j < columns; j++)
      if (i * j == wanted) goto found;
  return -1;
found:
  return i * 100 + j;
}

static int into_loop(int skip) {
  int n = 0, i = 0;
  if (skip) goto middle;
  while (i < 5) {
    n += 10;
  middle:
    n++;
    i++;
  }
  return n;
}

static int machine(const char *s) {
  int n = 0;
start:
  switch (*s++) {
  case 'a': n += 1; goto start;
  case 'b': n *= 2; goto start;
  case 'c':
    if (n > 20) goto end;
    n += 10;
    goto start;
  case '\0': break;
  default: n = -n;
  }
end:
  return n;
}

int main(void) {
  printf("%d %d\n", find(5, 5, 12), find(3, 3, 7));
  printf("%d %d\n", into_loop(0), into_loop(1));
  printf("%d %d %d\n", machine("aabcbb"), machine("ccccab"), machine("abx"));
  int r = (note(1) && note(0) && note(1)) || (note(0), note(1));
  printf("%d %d\n", r, calls);
  calls = 0;
  r = note(0) ? note(1) : note(0) | note(1);
  printf("%d %d\n", r, calls);
  int odd = 0, k = 0;
  do {
    if (k % 2 == 0) continue;
    if (k > 10) break;
    odd += k;
  } while (k++ < 100);
  for (;;) {
    if (++k > 20) break;
  }
  printf("%d %d\n", odd, k);
  return !r;
}
