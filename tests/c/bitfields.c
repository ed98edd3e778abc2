/* Bit-fields: signed and unsigned, packed across bytes, wider than 32 bits, in unions. */
#include <stdio.h>
#include <string.h>

struct flags {
  unsigned a : 1, b : 3;
  signed c : 5;
  unsigned : 0;
  unsigned d : 7;
  unsigned long long e : 40;
  signed long long f : 33;
};

union word {
  struct {
    unsigned low : 12, mid : 8, high : 12;
  } part;
  unsigned whole;
};

static struct flags table[3] = {{1, 2, -3, 4, 5, -6}, {.c = 15}, {.e = 0xfffffffffULL}};

static void show(const struct flags *f) {
  printf("%u %u %d %u %llu %lld\n", f->a, f->b, f->c, f->d, (unsigned long long)f->e,
         (long long)f->f);
}

int main(void) {
  struct flags f;
  memset(&f, 0, sizeof f);
  f.a = 1;
  f.b = 9 & 7;
  f.c = -16;
  f.d = 127;
  f.e = 1ULL << 39;
  f.f = -(1LL << 32);
  show(&f);
  f.b++;
  f.c += 3;
  f.d ^= 0x55;
  f.e >>= 3;
  f.f /= 7;
  show(&f);
  for (int i = 0; i < 3; i++) show(&table[i]);
  struct flags copy = f;
  copy.a = !copy.a;
  show(&copy);
  union word w = {.whole = 0};
  w.part.mid = 0xab;
  w.part.high = 0x123;
  printf("%08x\n", w.whole);
  w.whole = 0xdeadbeef;
  printf("%x %x %x\n", w.part.low, w.part.mid, w.part.high);
  return f.d;
}
