// A plain assertion fails, in one place of several.
// expect: false(unreach-call)
// states: 1
// message: x != 3
#include <assert.h>

int main(void) {
  for (int x = 0; x < 5; x++) assert(x != 3);
}
