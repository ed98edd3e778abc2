// abort and exit end the path without an error.
// expect: true
// states: 1
#include <assert.h>
#include <stdlib.h>

static volatile int x = 1;

int main(void) {
  if (x == 1) {
    if (x != 1) exit(3);
    abort();
  }
  assert(0);
}
