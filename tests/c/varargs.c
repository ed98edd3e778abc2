/* Variadic functions: ints, longs, doubles, long doubles, pointers, structs; va_copy, va_list
 * passed on. */
#include <stdarg.h>
#include <stdio.h>

struct small {
  int x, y;
};
struct large {
  long a[5];
};
struct mixed {
  double d;
  int i;
};

static double sum(const char *kinds, ...) {
  double total = 0;
  va_list ap;
  va_start(ap, kinds);
  for (; *kinds; kinds++) switch (*kinds) {
    case 'i': total += va_arg(ap, int); break;
    case 'l': total += va_arg(ap, long); break;
    case 'd': total += va_arg(ap, double); break;
    case 'e': total += (double)va_arg(ap, long double); break;
    case 'p': total += *va_arg(ap, int *); break;
    case 's': {
      struct small s = va_arg(ap, struct small);
      total += s.x - s.y;
      break;
    }
    case 'm': {
      struct mixed m = va_arg(ap, struct mixed);
      total += m.d * m.i;
      break;
    }
    case 'L': {
      struct large s = va_arg(ap, struct large);
      for (int i = 0; i < 5; i++) total += s.a[i];
      break;
    }
    }
  va_end(ap);
  return total;
}

static int vtwice(int n, va_list ap) {
  va_list again;
  va_copy(again, ap);
  int total = 0;
  for (int i = 0; i < n; i++) total += va_arg(ap, int);
  for (int i = 0; i < n; i++) total += 10 * va_arg(again, int);
  va_end(again);
  return total;
}

static int twice(int n, ...) {
  va_list ap;
  va_start(ap, n);
  int r = vtwice(n, ap);
  va_end(ap);
  return r;
}

static void report(const char *format, ...) {
  char line[80];
  va_list ap;
  va_start(ap, format);
  int n = vsnprintf(line, sizeof line, format, ap);
  va_end(ap);
  printf("[%d] %s\n", n, line);
}

int main(void) {
  int seven = 7;
  struct small s = {10, 3};
  struct large big = {{1, 2, 3, 4, 5}};
  struct mixed m = {2.5, 4};
  printf("%g\n", sum("idlep", 1, 2.5, 3L, 4.25L, &seven));
  printf("%g\n", sum("iiiiiiiidddddddddd", 1, 2, 3, 4, 5, 6, 7, 8, .1, .2, .3, .4, .5, .6, .7, .8,
                     .9, 1.0));
  printf("%g\n", sum("sisLim", s, 100, s, big, 1000, m));
  double (*pointer)(const char *, ...) = sum;
  printf("%g\n", pointer("ed", 1.0L, 0.5));
  printf("%g\n", sum(""));
  printf("%d\n", twice(4, 1, 2, 3, 4));
  report("%d %s %c %5.2f %lu", 42, "text", 'c', 3.14159, 1234567890UL);
  return twice(1, 3);
}
