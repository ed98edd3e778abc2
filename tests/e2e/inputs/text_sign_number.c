// A sign and a number: the largest one that is allowed lies behind the array. Twin: text_sign_number_right.c.
// args: --engine explicit
// expect: false(def-behavior)
#include <stdio.h>
#include <stdlib.h>

static unsigned char bits[5];

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    if (argv[i][0] != '+' && argv[i][0] != '-') continue;
    unsigned long n = strtoul(argv[i] + 1, NULL, 10);
    if (n > 40) continue;
    bits[n / 8] ^= (unsigned char)(1u << n % 8);
  }
  printf("%d\n", bits[0]);
  return 0;
}
