/* long double: arithmetic beyond a double's precision, conversions, comparison, arrays. */
#include <math.h>
#include <stdio.h>

static long double series(int n) {
  long double s = 0, term = 1;
  for (int i = 1; i <= n; i++) {
    s += term;
    term /= i;
  }
  return s;
}

struct pair {
  long double a;
  int n;
};

static struct pair scaled(struct pair p, long double by) {
  p.a *= by;
  p.n++;
  return p;
}

int main(void) {
  long double e = series(25), table[3] = {1.0L, -0.5L, 1e4000L};
  printf("%.6Lf\n", e);
  printf("%d\n", (int)((e - (long double)(double)e) != 0));
  printf("%d %d\n", (long double)1e300 * 1e300L > 1e308L, (double)table[1] == -0.5);
  unsigned long long big = 0xffffffffffffffffULL;
  long double exact = (long double)big;
  printf("%llu %d\n", (unsigned long long)exact, (double)big == 18446744073709551616.0);
  printf("%d\n", (int)(table[2] / 1e3999L));
  struct pair p = scaled((struct pair){2.5L, 1}, 4);
  printf("%.2Lf %d\n", p.a, p.n);
  printf("%.1Lf %.1Lf\n", sqrtl(144.0L), floorl(-2.5L));
  printf("%lld\n", (long long)-7.9L);
  return (int)(e * 10);
}
