// Ranges of more than 64 bits are not modelled; they must not be taken for their parts.
// expect: conditional
// states: 1
// proviso: `proviso_choose`, which is not modelled, is not reached
#include <assert.h>

extern __int128 proviso_choose(__int128 low, __int128 high);

int main(void) {
  __int128 x = proviso_choose(5, 10);
  assert(x == 0);
}
