/* __int128: arithmetic, shifts, division, comparison, conversions, in structs. */
// lp64
#include <stdio.h>

typedef unsigned __int128 u128;
typedef __int128 i128;

static void show(u128 x) {
  char digits[40];
  int n = 0;
  do digits[n++] = (char)('0' + (int)(x % 10));
  while (x /= 10);
  while (n) putchar(digits[--n]);
  putchar('\n');
}

struct box {
  char tag;
  i128 value;
};

static struct box negate(struct box b) {
  b.value = -b.value;
  b.tag++;
  return b;
}

int main(void) {
  u128 f = 1;
  for (unsigned i = 2; i <= 33; i++) f *= i;
  show(f);
  show(f >> 64);
  show((f << 3) ^ f);
  i128 n = -(i128)f;
  printf("%d %d %d\n", n < 0, n<-1, (u128)n> f);
  printf("%lld %lld\n", (long long)(n / ((i128)1 << 100)), (long long)(n % 1000007));
  show((u128)(n >> 3));
  struct box b = negate(negate((struct box){'a', 12345}));
  b = negate(b);
  printf("%c %lld\n", b.tag, (long long)b.value);
  double d = (double)f;
  printf("%.3e %d\n", d, (i128)1e20 == (i128)100000000000 * 1000000000);
  show((u128)-1);
  return (int)(f % 251);
}
