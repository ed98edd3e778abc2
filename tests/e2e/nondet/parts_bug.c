// An input that comes back in two registers is two inputs.
// expect: false(unreach-call)
// states: 4
#include <assert.h>

extern __int128 __VERIFIER_nondet_int128(void);

int main(void) {
  __int128 x = __VERIFIER_nondet_int128();
  if ((x >> 64) == 1) assert((long)x != 1);
}
