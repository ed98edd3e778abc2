/* Integers of every width and sign: promotion, conversion, wrap-around, shifts, division, mixed
 * comparison, overflow builtins, bit counting. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

static volatile int minus_one = -1;

int main(void) {
  signed char sc = -128;
  unsigned char uc = 255;
  short s = SHRT_MIN;
  unsigned short us = 65535;
  int i = INT_MIN;
  unsigned u = UINT_MAX;
  long long ll = LLONG_MIN;
  unsigned long long ull = ULLONG_MAX;
  printf("%d %d %d %d\n", sc - 1, uc + 1, s - 1, us + 1);
  printf("%u %llu %d\n", u + 1, ull + 2, (int)(unsigned char)(uc + 1));
  printf("%d %d %d\n", (unsigned)minus_one < 1u, (unsigned char)minus_one, (short)70000);
  printf("%d %d %d %d\n", -7 / 2, -7 % 2, 7 / -2, 7 % -2);
  printf("%u %lld %d\n", u / 3, ll / 3, i / 7);
  printf("%d %d %u %lld\n", sc >> 2, s >> 15, u >> 31, ll >> 62);
  printf("%d %u %llu\n", 1 << 30, 1u << 31, 1ull << 63);
  printf("%d %d %d\n", ~uc, !uc, -sc);
  uint8_t a = 200, b = 100;
  uint8_t sum = (uint8_t)(a + b), product = (uint8_t)(a * b), difference = (uint8_t)(b - a);
  a += b;
  b <<= 3;
  printf("%d %d %d %d %d\n", sum, product, difference, a, b);
  int r;
  printf("%d ", __builtin_add_overflow(INT_MAX, 1, &r));
  printf("%d ", r);
  printf("%d ", __builtin_mul_overflow(1 << 20, 1 << 10, &r));
  printf("%d ", r);
  unsigned char t;
  printf("%d ", __builtin_sub_overflow(3, 4, &t));
  printf("%d\n", t);
  printf("%d %d %d %d\n", __builtin_popcount(0xf0f0u), __builtin_clz(1u),
         __builtin_ctzll(1ull << 40), __builtin_ffs(8));
  printf("%x %llx %x\n", __builtin_bswap32(0x11223344u),
         (unsigned long long)__builtin_bswap64(0x1122334455667788ull), __builtin_bswap16(0x1122));
  _Bool flag = 256, none = 0.0;
  printf("%d %d %d\n", flag, none, flag + flag);
  char c = 'A';
  c += 2;
  printf("%c %d %ld\n", c, '\377' < 0, (long)sizeof(int) - 5);
  printf("%lld %llu\n", (long long)i * i, (unsigned long long)(uint32_t)i << 1);
  unsigned hash = 2166136261u;
  for (const char *p = "integers"; *p; p++) hash = (hash ^ (unsigned char)*p) * 16777619u;
  printf("%u\n", hash);
  return (int)(hash % 97);
}
