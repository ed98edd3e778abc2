// A set of small numbers as bits, changed by arguments such as +3 -5.
// bug: def-behavior: number 40 lies in a sixth byte that there is not
// expect: false(def-behavior)
// args: +3 -5 +7
// stdin:
// trigger args: +40
// trigger stdin:
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { BITS = 40 };
static uint8_t map[(BITS + 7) / 8];

static int is_in(unsigned n) {
  return map[n / 8] >> (n % 8) & 1;
}

static void change(unsigned n, int set) {
  if (set)
    map[n / 8] |= (uint8_t)(1u << n % 8);
  else
    map[n / 8] &= (uint8_t)~(1u << n % 8);
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    const char *a = argv[i];
    if (a[0] != '+' && a[0] != '-')
      continue;
    char *end;
    unsigned long n = strtoul(a + 1, &end, 10);
    if (end == a + 1 || n > BITS)
      continue;
    change((unsigned)n, a[0] == '+');
  }
  for (unsigned n = 0; n < BITS; n++)
    if (is_in(n))
      printf("%u\n", n);
  return 0;
}
