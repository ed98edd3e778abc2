// rand() is an input: it may be even.
// expect: false(unreach-call)
#include <assert.h>
#include <stdlib.h>

int main(void) {
  assert(rand() % 2 == 1);
}
