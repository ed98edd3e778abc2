/* Structs of 1 to 40 bytes by value: as parameters, as results, through pointers to functions. */
#include <stdio.h>
#include <string.h>

#define SIZE(N)                                                                                    \
  struct s##N {                                                                                    \
    unsigned char b[N];                                                                            \
  };                                                                                               \
  static struct s##N next##N(struct s##N x, int by) {                                              \
    for (int i = 0; i < N; i++) x.b[i] = (unsigned char)(x.b[i] + by + i);                         \
    return x;                                                                                      \
  } static unsigned run##N(void) {                                                                 \
    struct s##N (*volatile f)(struct s##N, int) = next##N;                                         \
    struct s##N x;                                                                                 \
    memset(&x, N, sizeof x);                                                                       \
    struct s##N y = f(next##N(x, 1), 2);                                                           \
    unsigned h = x.b[N - 1];                                                                       \
    for (int i = 0; i < N; i++) h = h * 31 + y.b[i];                                               \
    return h;                                                                                      \
  }
/* clang-format off */
SIZE(1) SIZE(2) SIZE(3) SIZE(4) SIZE(5) SIZE(6) SIZE(7) SIZE(8) SIZE(9) SIZE(10)
SIZE(11) SIZE(12) SIZE(13) SIZE(14) SIZE(15) SIZE(16) SIZE(17) SIZE(18) SIZE(19) SIZE(20)
SIZE(21) SIZE(22) SIZE(23) SIZE(24) SIZE(25) SIZE(26) SIZE(27) SIZE(28) SIZE(29) SIZE(30)
SIZE(31) SIZE(32) SIZE(33) SIZE(34) SIZE(35) SIZE(36) SIZE(37) SIZE(38) SIZE(39) SIZE(40)
    /* clang-format on */

    struct ff {
  float x, y;
};
struct fd {
  float f;
  double d;
};
struct di {
  double d;
  int i;
};
struct ci {
  char c;
  int i;
  short s;
};
struct nested {
  struct ff a;
  struct {
    char c;
    long l;
  } b;
};

static struct ff swap(struct ff a) {
  struct ff r = {a.y, a.x};
  return r;
}
static struct fd more(struct fd a, struct fd b) {
  struct fd r = {a.f + b.f, a.d * b.d};
  return r;
}
static struct di mixed(int k, struct di a, double z) {
  a.d += z;
  a.i *= k;
  return a;
}
static struct ci chars(struct ci a) {
  a.c++;
  a.i = -a.i;
  a.s <<= 1;
  return a;
}
static struct nested deep(struct nested n, int i) {
  n.a = swap(n.a);
  n.b.c = (char)('a' + i);
  n.b.l += i;
  return n;
}

int main(void) {
  printf("1 %u\n", run1());
  printf("2 %u\n", run2());
  printf("3 %u\n", run3());
  printf("4 %u\n", run4());
  printf("5 %u\n", run5());
  printf("6 %u\n", run6());
  printf("7 %u\n", run7());
  printf("8 %u\n", run8());
  printf("9 %u\n", run9());
  printf("10 %u\n", run10());
  printf("11 %u\n", run11());
  printf("12 %u\n", run12());
  printf("13 %u\n", run13());
  printf("14 %u\n", run14());
  printf("15 %u\n", run15());
  printf("16 %u\n", run16());
  printf("17 %u\n", run17());
  printf("18 %u\n", run18());
  printf("19 %u\n", run19());
  printf("20 %u\n", run20());
  printf("21 %u\n", run21());
  printf("22 %u\n", run22());
  printf("23 %u\n", run23());
  printf("24 %u\n", run24());
  printf("25 %u\n", run25());
  printf("26 %u\n", run26());
  printf("27 %u\n", run27());
  printf("28 %u\n", run28());
  printf("29 %u\n", run29());
  printf("30 %u\n", run30());
  printf("31 %u\n", run31());
  printf("32 %u\n", run32());
  printf("33 %u\n", run33());
  printf("34 %u\n", run34());
  printf("35 %u\n", run35());
  printf("36 %u\n", run36());
  printf("37 %u\n", run37());
  printf("38 %u\n", run38());
  printf("39 %u\n", run39());
  printf("40 %u\n", run40());
  struct ff a = swap((struct ff){1.5f, 2.5f});
  struct fd b = more((struct fd){1, 2}, (struct fd){3, 4});
  struct di c = mixed(3, (struct di){.5, 7}, 1.25);
  struct ci d = chars((struct ci){'x', 12345, 100});
  struct nested e = deep((struct nested){{1, 2}, {'z', 1L << 20}}, 3);
  printf("%g %g %g %g %g %d\n", a.x, a.y, b.f, b.d, c.d, c.i);
  printf("%c %d %d %g %g %c %ld\n", d.c, d.i, d.s, e.a.x, e.a.y, e.b.c, e.b.l);
  return 0;
}
