// strtod on free characters, and a conversion to int that saturates, as JSON parsers do it. The float and its
// conversion are circuits for CaDiCaL; the buffer is freed, and its address cannot come back, as nothing is allocated then.
// expect: true
// args: --engine bmc --integers bitvector
// proof: unchecked
// run: --engine bmc --integers bitvector -- -DBUG => false(unreach-call)
#include <assert.h>
#include <limits.h>
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  char *text = malloc(3), *end;
  text[0] = (char)('0' + __VERIFIER_nondet_uchar() % 10);
  text[1] = __VERIFIER_nondet_uchar() % 2 ? 'e' : '.';
  text[1 + 1] = 0;
  double number = strtod(text, &end);
  assert(end != text);
  free(text);
  int value;
  if (number >= INT_MAX)
    value = INT_MAX;
  else if (number <= (double)INT_MIN)
    value = INT_MIN;
  else
    value = (int)number;
#ifdef BUG
  assert(value < 9);
#else
  assert(value >= 0 && value <= 9);
#endif
  return 0;
}
