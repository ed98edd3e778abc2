// A number whose product with the size of an element does not fit. Twin: text_product.c.
// args: --engine explicit
// expect: conditional
#include <stdlib.h>

int main(int argc, char **argv) {
  unsigned n = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1;
  if (n == 0 || n > 340) return 1;
  char *p = calloc(n * 12u + 1, 1);
  p[12 * (size_t)(n - 1)] = 1;
  free(p);
  return 0;
}
