/* Unions in structs in unions, anonymous ones, initialisation, punning, arrays of unions. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

union word {
  uint32_t u;
  int32_t i;
  float f;
  uint8_t b[4];
  struct {
    uint16_t low, high;
  };
  struct {
    unsigned a : 3, : 5, c : 8, d : 16;
  } bits;
};
struct tagged {
  enum { INT, FLOAT, PAIR, NEST } tag;
  union {
    long long i;
    double f;
    struct {
      int a, b;
    };
    union {
      char c;
      short s[3];
      union word w;
    } nest;
  };
  int after;
};

static struct tagged make(int k) {
  struct tagged t = {.tag = (unsigned)k % 4, .after = k};
  switch (t.tag) {
  case INT: t.i = -k; break;
  case FLOAT: t.f = k * .5; break;
  case PAIR: t.a = k, t.b = -k; break;
  case NEST: t.nest.w.u = 0x40490fdbu + (unsigned)k; break;
  }
  return t;
}
static void show(struct tagged t) {
  switch (t.tag) {
  case INT: printf("i %lld", t.i); break;
  case FLOAT: printf("f %g", t.f); break;
  case PAIR: printf("p %d %d", t.a, t.b); break;
  case NEST: printf("n %.4f %x %x", t.nest.w.f, t.nest.w.low, t.nest.w.b[3]); break;
  }
  printf(" %d\n", t.after);
}

int main(void) {
  for (int i = 0; i < 8; i++) show(make(i));
  union word w = {.f = -1.5f}, v[3] = {{1}, {.b = {1, 2, 3, 4}}, {.i = -1}};
  printf("%08x %d %u %u\n", w.u, w.i, w.low, w.high);
  printf("%u %u %u\n", w.bits.a, w.bits.c, w.bits.d);
  for (int i = 0; i < 3; i++) printf("%08x ", v[i].u);
  w.b[1] = 0xee;
  v[2] = w;
  printf("%08x %d\n", v[2].u, (int)sizeof(struct tagged));
  union {
    double d;
    uint64_t u;
    struct {
      uint8_t x[7];
    } s;
  } z;
  z.d = 3.25;
  z.s.x[0] = 0xff;
  printf("%.17g %016llx\n", z.d, (unsigned long long)z.u);
  uint64_t raw;
  memcpy(&raw, &z, sizeof raw);
  printf("%d\n", raw == z.u);
  return 0;
}
