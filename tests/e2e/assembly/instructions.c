// What instructions compute, on registers and in memory; asserted values are the machine's.
// expect: true
// args: --property unreach-call,valid-deref,def-behavior,no-overflow
// states: 1
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

static uint64_t swap_bytes(uint64_t x) {
  __asm__("bswapq %0" : "+r"(x));
  return x;
}

/* glibc's htonl of old */
static uint32_t network(uint32_t x) {
  __asm__("rorw $8, %w0\n\trorl $16, %0\n\trorw $8, %w0" : "+r"(x));
  return x;
}

static unsigned highest(unsigned x) {
  unsigned k;
  __asm__("bsrl\t%1, %0\n\t" : "=r"(k) : "rm"(x) : "cc");
  return k;
}

static unsigned lowest(uint64_t x) {
  uint64_t k;
  __asm__("bsfq %1,%0" : "=r"(k) : "rm"(x));
  return (unsigned)k;
}

static int sign(int a, int b) {
  unsigned char less, more;
  __asm__("cmpl %3, %2; setl %0; setg %1" : "=&q"(less), "=&q"(more) : "r"(a), "r"(b) : "cc");
  return more - less;
}

static int order(unsigned a, unsigned b) {
  bool below, above;
  __asm__("cmp %3, %2; setb %b0; seta %1" : "=&q"(below), "=&q"(above) : "r"(a), "rm"(b));
  return above - below;
}

static int smaller(int a, int b) {
  __asm__("cmp %1, %0; cmovgel %1, %0" : "+&r"(a) : "r"(b));
  return a;
}

static bool carries(uint8_t a, uint8_t b) {
  bool c, o;
  __asm__("addb %3, %0" : "+q"(a), "=@ccc"(c), "=@cco"(o) : "q"(b));
  return c && !o;
}

/* The halves of a register are written one after the other. */
static uint32_t merged(uint32_t x) {
  __asm__("movb $0x12, %%al; movb $0x34, %%ah" : "+a"(x));
  return x;
}

static uint64_t cleared(uint64_t x) {
  __asm__("movl $7, %k0" : "+r"(x)); /* 32 bits clear what is above */
  return x;
}

static int third(const int *array) {
  int v;
  long index = 1;
  __asm__("movl 4(%1,%2,4), %0" : "=r"(v) : "r"(array), "r"(index), "m"(*(const int(*)[4])array));
  return v;
}

static int *element(int *array, long k) {
  int *p;
  __asm__("leaq (%1,%2,4), %0" : "=r"(p) : "r"(array), "r"(k));
  return p;
}

static int64_t widened(const int8_t *x) {
  int64_t v;
  __asm__("movsbq %1, %0" : "=r"(v) : "m"(*x));
  return v;
}

static uint32_t zero(void) {
  uint32_t v;
  __asm__("xorl %0, %0" : "=r"(v));
  return v;
}

static bool bit(uint32_t *words, int k) {
  bool was;
  __asm__ volatile("lock; btsl %2, %1; setc %0" : "=q"(was), "+m"(*words) : "r"(k) : "memory");
  return was;
}

static void unlocked(void) {
  int x = 5;
  bool zf;
  uint16_t h = 0x00f0;
  __asm__("incl %0; subl $2, %0" : "+m"(x));
  assert(x == 4);
  __asm__("decl %0; negl %0; notl %0" : "+r"(x));
  assert(x == 2);
  __asm__("shll %0; shrl $1, %0; sarl $1, %0; testl $2, %0" : "+r"(x), "=@ccz"(zf));
  assert(x == 1 && zf);
  __asm__("orw %1, %0; andw $0x3c3, %0; xorw $1, %0" : "+m"(h) : "r"((uint16_t)0xf00));
  assert(h == 0x3c1);
  __asm__("rolw $4, %0" : "+m"(h));
  assert(h == 0x3c10);
}

static void pairs(void) {
  long a = 1, b = 2;
  __asm__("xchgq %0, %1" : "+r"(a), "+r"(b));
  assert(a == 2 && b == 1);
  __asm__("xaddq %0, %1" : "+r"(a), "+r"(b));
  assert(a == 1 && b == 3);
}

int main(void) {
  int array[4] = {1, 2, 3, 4};
  uint32_t words[3] = {0, 0, 0};
  int8_t small = -3;
  assert(swap_bytes(0x0102030405060708) == 0x0807060504030201);
  assert(network(0x01020304) == 0x04030201);
  assert(highest(0x50) == 6 && lowest(0x50) == 4);
  assert(sign(-1, 1) == -1 && sign(1, -1) == 1 && sign(3, 3) == 0);
  assert(order(-1u, 1) == 1 && order(1, -1u) == -1 && order(3, 3) == 0);
  assert(smaller(-4, 4) == -4 && smaller(4, -4) == -4);
  assert(carries(200, 100) && !carries(100, 100) && !carries(1, 2));
  assert(merged(0xabcdef01) == 0xabcd3412);
  assert(cleared(-1) == 7);
  assert(third(array) == 3 && element(array, 2) == array + 2 && widened(&small) == -3);
  assert(zero() == 0);
  assert(!bit(words + 1, 3) && bit(words + 1, 3) && words[1] == 8);
  assert(!bit(words + 1, 33) && words[2] == 2);
  assert(!bit(words + 1, -32) && words[0] == 1);
  unlocked();
  pairs();
  return 0;
}
