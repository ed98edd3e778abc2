// rand() is an input: it may be even.
// expect: false(unreach-call)
// states: 2
#include <assert.h>
#include <stdlib.h>

int main(void) {
  assert(rand() % 2 == 1);
}
