/* Recursion: Ackermann, mutual, hanoi, permutations with a local array in each frame. */
#include <stdio.h>

static int ackermann(int m, int n) {
  return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

static int is_odd(unsigned n);
static int is_even(unsigned n) {
  return n == 0 || is_odd(n - 1);
}
static int is_odd(unsigned n) {
  return n != 0 && is_even(n - 1);
}

static int moves;
static void hanoi(int n, char from, char to, char via) {
  if (n == 0) return;
  hanoi(n - 1, from, via, to);
  moves++;
  hanoi(n - 1, via, to, from);
}

static unsigned hash;
static void permute(const char *left, int n, char *done, int k) {
  if (n == 0) {
    for (int i = 0; i < k; i++) hash = hash * 33 + (unsigned char)done[i];
    return;
  }
  for (int i = 0; i < n; i++) {
    char rest[8];
    int r = 0;
    for (int j = 0; j < n; j++)
      if (j != i) rest[r++] = left[j];
    done[k] = left[i];
    permute(rest, n - 1, done, k + 1);
  }
}

static unsigned long long fib(int n, unsigned long long *memo) {
  if (n < 2) return (unsigned long long)n;
  if (!memo[n]) memo[n] = fib(n - 1, memo) + fib(n - 2, memo);
  return memo[n];
}

int main(void) {
  unsigned long long memo[91] = {0};
  char done[8];
  printf("%d %d %d\n", ackermann(2, 3), is_even(10), is_odd(10));
  hanoi(6, 'a', 'c', 'b');
  permute("abcd", 4, done, 0);
  printf("%d %u %llu\n", moves, hash, fib(90, memo));
  return moves;
}
