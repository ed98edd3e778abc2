/* Bit-fields of every width, signed and unsigned, over several base types, packed, across words. */
#include <stdio.h>
#include <stdbool.h>

#define WIDTHS(X)                                                                                  \
  X(1)                                                                                             \
  X(2)                                                                                             \
  X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19)   \
      X(20) X(21) X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30) X(31) X(32)
#define WIDE(X) X(33) X(37) X(40) X(47) X(48) X(55) X(56) X(63) X(64)
#define S(N)                                                                                       \
  struct {                                                                                         \
    int pad : 5;                                                                                   \
    signed int s : N;                                                                              \
    unsigned int u : N;                                                                            \
  } a##N = {.pad = -3};
#define W(N)                                                                                       \
  struct {                                                                                         \
    signed char pad : 3;                                                                           \
    signed long long s : N;                                                                        \
    unsigned long long u : N;                                                                      \
  } a##N = {.pad = -3};
#define RUN(N)                                                                                     \
  for (int k = -3; k < 4; k++) {                                                                   \
    a##N.s = k;                                                                                    \
    a##N.u = (unsigned)k;                                                                          \
    a##N.u++;                                                                                      \
    a##N.s ^= 1;                                                                                   \
    sum = sum * 31 + (unsigned long long)a##N.s * 7 + (unsigned long long)a##N.u;                  \
    a##N.u = a##N.u * 2u;                                                                          \
    a##N.s = -1 - a##N.s;                                                                          \
    sum += (unsigned long long)(a##N.s < 0) + a##N.u + (unsigned)a##N.pad;                         \
  }                                                                                                \
  printf("%d %llx\n", N, sum);

struct __attribute__((packed)) tight {
  unsigned a : 7;
  long long b : 41;
  int c : 13;
  bool d : 1;
  unsigned char e : 2;
};
struct mixed {
  char head;
  short a : 9;
  int : 0;
  int b : 17;
  unsigned long long c : 35;
  _Bool d : 1, e : 1;
  enum { RED, GREEN, BLUE } f : 2;
  char tail;
};

static struct tight step(struct tight t) {
  t.a += 100;
  t.b = -t.b * 3;
  t.c = t.c / 2 - 1;
  t.d = !t.d;
  t.e--;
  return t;
}

int main(void) {
  unsigned long long sum = 0;
  WIDTHS(S)
  WIDE(W)
  WIDTHS(RUN)
  WIDE(RUN)
  struct tight t = {1, 1LL << 30, -5, true, 3};
  for (int i = 0; i < 5; i++) {
    t = step(t);
    printf("%u %lld %d %d %d\n", t.a, (long long)t.b, t.c, t.d, t.e);
  }
  struct mixed m = {'h', -100, -60000, 0x7ffffffffULL, 1, 0, BLUE, 't'}, *p = &m;
  p->e = p->a;
  p->a *= 2;
  p->c -= 5;
  p->f ^= GREEN;
  printf("%c %d %d %llx %d %d %d %c\n", m.head, m.a, m.b, (unsigned long long)m.c, m.d, m.e, m.f,
         m.tail);
  struct mixed n;
  n = *p;
  int value = (n.b = 123456), copy = n.b;
  printf("%d %d %d %d\n", value, copy, n.f > RED, (int)sizeof(struct tight));
  return 0;
}
