// The arguments of printf and scanf are not those that the format wants (C11, 7.21.6.1).
// expect: false(def-behavior)
// message: argument 2 of printf is not an int, as %d wants
// run: -- -DCASE=2 => false(def-behavior)
// run: -- -DCASE=3 => false(def-behavior)
// run: -- -DCASE=4 => false(def-behavior)
// run: -- -DCASE=5 => false(def-behavior)
// run: -- -DCASE=6 => false(def-behavior)
// run: -- -DCASE=7 => false(def-behavior)
// run: -- -DCASE=8 => false(def-behavior)
// run: -- -DCASE=9 => false(def-behavior)
// run: --32 -- -DCASE=2 => true
// run: --engine dpor -- -DCASE=3 => false(def-behavior)
// run: -- -DCASE=20 => true
// run: --32 -- -DCASE=20 => true
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#ifndef CASE
#define CASE 1
#endif
int main(void) {
  int i = 3;
  long l = 4;
  double d = 1.5;
  char text[8] = "x", *s = text;
  switch (CASE) {
  case 1: printf("%d\n", d); break;
  case 2: printf("%d\n", l); break; /* of one size where a long has 32 bits */
  case 3: printf("%f\n", i); break;
  case 4: printf("%s\n", i); break;
  case 5: printf("%*d\n", i); break;
  case 6: fprintf(stderr, "%Lf\n", d); break;
  case 7: snprintf(text, sizeof text, "%x", s); break;
  case 8: sscanf("1", "%d", i); break;
  case 9: sscanf("1 2", "%d %d", &i); break;
  case 20:
    printf("%5d %-3u %c %hhd %ld %lld %zu %jd %td %p %s %.*s %%\n", i, 7u, 'c', i, l, 5LL, sizeof i,
           (intmax_t)i, (ptrdiff_t)i, (void *)s, s, i, s);
    printf("%08.3f %Lg %e\n", d, (long double)d, (float)d);
    sscanf("1 a", "%d%*c%7[a-z]", &i, text);
    break;
  }
  return 0;
}
