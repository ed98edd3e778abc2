/* float and double: arithmetic, conversions, special values, and how printf shows them. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const double values[] = {0.0,    1.0,   -1.5,   0.1,        1e10,     123456.789,
                                1e-5,   1e100, 2.5,    3.5,        1.0 / 3,  99999.95,
                                5e-324, 1e22,  0.0001, 0.00001234, 1234567.0};

static uint64_t bits(double d) {
  uint64_t u;
  memcpy(&u, &d, sizeof u);
  return u;
}

int main(void) {
  for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
    double v = values[i];
    printf("%f %e %g %.3f %.0f %10.2f|%-10.1e|%+g %a\n", v, v, v, v, v, v, v, v, v);
  }
  volatile double zero = 0, one = 1;
  double inf = one / zero, nan = zero / zero;
  printf("%f %f %d %d %d %d\n", inf, -inf, nan == nan, nan != nan, nan < one, !(nan >= one));
  printf("%d %d %d\n", isnan(nan) != 0, isinf(inf) != 0, signbit(-zero) != 0);
  float f = 16777216.0f;
  printf("%.1f %.1f\n", f + 1.0f, (double)f + 1.0);
  printf("%d %d %d %u\n", (int)2.9, (int)-2.9, (int)(float)0.999, (unsigned)3e9);
  printf("%d %lld %d\n", (signed char)100.7, (long long)-1e15, (unsigned char)255.9f);
  printf("%.9g %.9g\n", (double)(float)0.1, (double)(float)123456789);
  printf("%.17g %.17g\n", (double)UINT64_MAX, (double)INT64_MIN);
  printf("%.6f %.6f %.6f\n", sqrt(2.0), fabs(-3.25), fmod(10.5, 3.0));
  printf("%g %g %g %g\n", floor(-1.5), ceil(-1.5), trunc(-1.5), round(-1.5));
  printf("%016llx\n", (unsigned long long)bits(0.1 + 0.2));
  return (int)(sqrtf(81.0f) + pow(2, 4));
}
