// What is left open inside of a function of the library names the call, never a line of a model.
// args: --engine value
// proviso: library_place.c:16 (in strlen): invalid access
// expect: conditional
#include <stdlib.h>
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n > 3) return 0;
  char *text = malloc(n + 1);
  memset(text, 'a', n);
  text[n] = 0;
  return (int)strlen(text);
}
