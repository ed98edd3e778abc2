/* Promotions, signedness of char, shifts, wide multiplication and division, conversions between
 * floats and integers, NaN in comparisons, _Bool, enums. */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum small { A = -1, B, C };
enum large { BIG = 0xffffffffu };

int main(void) {
  char c = (char)0xf0;
  signed char sc = -128;
  unsigned char uc = 200;
  short s = -30000;
  unsigned short us = 60000;
  printf("%d %d %d %d\n", c, sc - 1, uc + uc, us * 2);
  printf("%d %d %d\n", c < 0, (unsigned char)c, (signed char)uc);
  printf("%d %u %d\n", sc < uc, us + 0u - 70000u, (short)(s + s));
  printf("%d %d\n", -1 < 1u, (unsigned short)-1 > 0);
  printf("%lld %llu\n", (long long)INT_MIN * 2, (unsigned long long)-1 / 3);
  int64_t v[] = {INT64_MIN, INT64_MAX, -1, 0, 1, 1234567890123LL, -987654321098LL};
  uint64_t sum = 0;
  for (int i = 0; i < 7; i++)
    for (int j = 0; j < 7; j++) {
      sum = sum * 17 + (uint64_t)v[i] * (uint64_t)v[j];
      if (v[j]) sum ^= (uint64_t)v[i] / (uint64_t)v[j] + (uint64_t)v[i] % (uint64_t)v[j];
      if (v[j] && !(v[i] == INT64_MIN && v[j] == -1))
        sum += (uint64_t)(v[i] / v[j]) - (uint64_t)(v[i] % v[j]);
      sum = (sum << (i + j)) | (sum >> (64 - i - j) % 64);
      sum += (uint64_t)(v[i] >> (i * j)) + (v[i] < v[j]);
    }
  printf("%llx\n", (unsigned long long)sum);
  printf("%d %d %x %x\n", -7 / 2, -7 % 2, 1u << 31, 0x80000000u >> 31);
  printf("%d %d\n", -8 >> 1, (int)(INT64_MIN >> 63));
  double nan = NAN, inf = INFINITY, zero = 0.;
  printf("%d%d%d%d%d%d %d%d\n", nan<1, nan> 1, nan <= nan, nan >= 1, nan == nan, nan != nan,
         !(nan < 1), nan ? 1 : 0);
  printf("%d%d%d%d %d%d\n", inf > DBL_MAX, -inf < inf, zero == -zero, 1 / inf == 0,
         isnan(inf - inf), isunordered(nan, 1));
  printf("%d%d%d%d%d\n", isless(nan, 1), isgreaterequal(2., 1.), islessgreater(1., 1.),
         isfinite(inf) != 0, signbit(-zero) != 0);
  double d[] = {0, .5, -.5, 1.999999, -1.999999, 255.9, 2147483647., -2147483648., 1e15, -1e15};
  for (int i = 0; i < 10; i++)
    printf("%lld %llu ", (long long)d[i], (unsigned long long)fabs(d[i]));
  printf("\n%d %u %d %d\n", (int)-2147483648.9, (unsigned)4294967295.5, (signed char)-128.5,
         (unsigned char)255.5f);
  printf("%llu %g %g\n", (unsigned long long)1.8e19, (double)UINT64_MAX, (double)INT64_MIN);
  printf("%.9g %.9g %.9g\n", (double)(float)16777217, (double)(float)UINT32_MAX,
         (double)(float)INT64_MAX);
  printf("%.9g %.17g %.9g\n", (double)(float)0.1, (double)0.1f, (double)(float)1e-45);
  float f = 1e38f;
  f *= 10;
  printf("%g %g %d\n", (double)f, (double)-f, f > FLT_MAX);
  printf("%a %a\n", 1.0 / 3, (double)(1.0f / 3));
  bool b = 0.1, b2 = (bool)256, b3 = (bool)"", b4 = nan;
  b += 5;
  b2 -= 1;
  b3 ^= 1;
  printf("%d %d %d %d %d\n", b, b2, b3, b4, (int)sizeof b);
  b4--;
  b4--;
  enum small e = A;
  e++;
  enum large l = BIG;
  printf("%d %d %d %lld\n", b4, e, A < 0u, (long long)l);
  printf("%d %d\n", sizeof(char) < -1, 'a' == (char)353);
  printf("%d\n", (c ? uc : s) + (b ? 1.5f : 2) > 200);
  uc += 100;
  us -= 60001;
  sc = (signed char)(sc - 1);
  printf("%d %d %d %d\n", uc, us - 1, sc, uc - 1);
  int x = 5;
  x += 3.7;
  x <<= 2;
  x %= 7;
  printf("%d %d\n", x, ~x & ~0u >> 28 ? 1 : 0);
  return (unsigned char)-x;
}
