/* printf: flags, widths, precisions, lengths, floating formats, %n, %m.n from arguments; snprintf
 * that cuts; puts, putchar, fputs, fwrite; sscanf. */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  const char *ints[] = {"%d",    "%5d",     "%-5d|",  "%05d", "%+d", "% d",  "%.3d",
                        "%8.3d", "%-8.3d|", "%i",     "%u",   "%o",  "%#o",  "%x",
                        "%#x",   "%X",      "%#010x", "%hhd", "%hd", "%hhu", "%c"};
  int values[] = {0, 1, -1, 42, -12345, 65, 2147483647};
  for (size_t i = 0; i < sizeof ints / sizeof *ints; i++) {
    for (int j = strcmp(ints[i], "%c") ? 0 : 5; j < (i + 1 == sizeof ints / sizeof *ints ? 6 : 7);
         j++) {
      printf(ints[i], values[j]);
      putchar(' ');
    }
    putchar('\n');
  }
  const char *floats[] = {"%f", "%.0f",    "%#.0f", "%10.2f", "%-10.2f|", "%+.1f",
                          "%e", "%.0e",    "%.10E", "%g",     "%.3g",     "%#g",
                          "%G", "%010.3f", "% f",   "%a",     "%.2a",     "%.15g"};
  double doubles[] = {0.,       -0.,        1.,         -2.5,   .5,
                      1e10,     123456.789, 1e-5,       9.9995, 1e100,
                      -1.0 / 3, 1.0 / 0.0,  -1.0 / 0.0, 5e-324, 1.7976931348623157e308};
  for (size_t i = 0; i < sizeof floats / sizeof *floats; i++) {
    for (size_t j = 0; j < sizeof doubles / sizeof *doubles; j++) {
      printf(floats[i], doubles[j]);
      putchar(' ');
    }
    putchar('\n');
  }
  printf("%s|%5s|%-5s|%.2s|%*s|%-*s|%.*s|%%\n", "abc", "abc", "abc", "abc", 6, "abc", 6, "abc", 1,
         "abc");
  printf("%lld %lli %llu %llx %" PRId64 " %" PRIu32 " %zu %td %jd\n", -5000000000LL, 1LL,
         1ULL << 63, 255ULL, INT64_MIN, UINT32_MAX, sizeof(int), (ptrdiff_t)-3, (intmax_t)7);
  int n = 0;
  printf("abc%ndef%5c|%-3c|\n", &n, 'x', 'y');
  printf("%d %Lf %.3Le\n", n, 1.25L, 12345.678L);
  char b[10];
  n = snprintf(b, sizeof b, "%s-%d", "truncated", 12345);
  printf("%d %s\n", n, b);
  n = snprintf(NULL, 0, "%d", 123456);
  sprintf(b, "%03d%c", 7, 'z');
  printf("%d %s %d\n", n, b, printf("%s", ""));
  puts("puts");
  fputs("fputs ", stdout);
  fwrite("fwrite\n", 1, 7, stdout);
  int x, y;
  unsigned u;
  long long l;
  char word[8], set[8], c;
  double d;
  float f;
  n = sscanf(" 12 -34 ff 99999999999 word abc] x 1.5e3 2.5", "%d%i%x%lld%7s %7[a-c]] %c%lf%f", &x,
             &y, &u, &l, word, set, &c, &d, &f);
  printf("%d %d %d %x %lld %s %s %c %g %g\n", n, x, y, u, l, word, set, c, d, (double)f);
  n = sscanf("k=10;v=0x1f", "k=%d;v=%i", &x, &y);
  printf("%d %d %d\n", n, x, y);
  n = sscanf("12abc", "%2d%n", &x, &y);
  printf("%d %d %d %d\n", n, x, y, sscanf("", "%d", &x));
  fprintf(stderr, "to stderr\n");
  return 0;
}
