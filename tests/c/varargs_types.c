/* Variable arguments of every kind: small and large structs, floating ones, long double, pointers,
 * more than fit registers, va_copy, passing the list on, through function pointers. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

struct tiny {
  char c;
};
struct pair {
  float x, y;
};
struct mix {
  double d;
  int i;
};
struct big {
  int a[7];
};
struct wide {
  long double l;
};
union either {
  int i;
  double d;
};

static void show(const char *kinds, va_list ap) {
  for (; *kinds; kinds++) switch (*kinds) {
    case 'i': printf(" %d", va_arg(ap, int)); break;
    case 'u': printf(" %u", va_arg(ap, unsigned)); break;
    case 'q': printf(" %lld", va_arg(ap, long long)); break;
    case 'd': printf(" %g", va_arg(ap, double)); break;
    case 'L': printf(" %Lg", va_arg(ap, long double)); break;
    case 's': printf(" %s", va_arg(ap, char *)); break;
    case 'p': printf(" %d", *(int *)va_arg(ap, void *)); break;
    case 't': printf(" %c", va_arg(ap, struct tiny).c); break;
    case '2': {
      struct pair p = va_arg(ap, struct pair);
      printf(" %g,%g", p.x, p.y);
      break;
    }
    case 'm': {
      struct mix m = va_arg(ap, struct mix);
      printf(" %g,%d", m.d, m.i);
      break;
    }
    case 'b': {
      struct big b = va_arg(ap, struct big);
      printf(" %d,%d", b.a[0], b.a[6]);
      break;
    }
    case 'w': printf(" %Lg", va_arg(ap, struct wide).l); break;
    case 'e': printf(" %g", va_arg(ap, union either).d); break;
    case 'f': printf(" %d", va_arg(ap, int (*)(int))(4)); break;
    }
}
static int many(const char *kinds, ...) {
  va_list ap, again;
  va_start(ap, kinds);
  va_copy(again, ap);
  show(kinds, ap);
  va_end(ap);
  printf(" /");
  show(kinds, again);
  va_end(again);
  printf("\n");
  return 0;
}
static double after(int a, double b, int n, ...) {
  va_list ap;
  va_start(ap, n);
  double s = a * b;
  while (n--) s = s * 2 + va_arg(ap, double) + va_arg(ap, int);
  va_end(ap);
  return s;
}
static int cube(int x) {
  return x * x * x;
}
static int format(char *to, size_t n, const char *f, ...) {
  va_list ap;
  va_start(ap, f);
  int r = vsnprintf(to, n, f, ap);
  va_end(ap);
  return r;
}

int main(void) {
  int x = 42;
  struct big b = {{1, 2, 3, 4, 5, 6, 7}};
  many("i", 1);
  many("iuqdLs", -1, 4000000000u, -(1LL << 40), 2.5, 1.25L, "text");
  many("pt2mbwe", &x, (struct tiny){'c'}, (struct pair){1, 2}, (struct mix){3, 4}, b,
       (struct wide){5.5L}, (union either){.d = 6});
  many("iiiiiiiiii", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
  many("dddddddddddi", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11., 12);
  many("bibLmd2", b, 1, b, 2.L, (struct mix){.5, 6}, 7., (struct pair){8, 9});
  many("fic", cube, (char)'x');
  char small = -3;
  float f = 1.5f;
  short s = -7;
  many("idi", small, f, s);
  int (*through)(const char *, ...) = many;
  through("sq", "pointer", (long long)INT64_MAX);
  printf("%g\n", after(2, 3, 3, 1., 1, 2., 2, 3., 3));
  char buffer[12];
  int n = format(buffer, sizeof buffer, "%s-%05d-%x", "ab", 42, 255);
  printf("%d %s\n", n, buffer);
  return 0;
}
