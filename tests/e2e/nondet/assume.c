// What a false assumption excludes does not exist.
// expect: true
// states: 12
#include <assert.h>

extern void __VERIFIER_assume(int condition);
extern int proviso_choose(int low, int high);

int main(void) {
  int x = proviso_choose(0, 9), y = proviso_choose(0, 9);
  __VERIFIER_assume(x < y);
  assert(x != 9 && y != 0);
}
