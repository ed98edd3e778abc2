// Twin of renamed.c: the file may be missing.
// expect: false(unreach-call)
#include <assert.h>
#include <stdio.h>

int main(void) {
  assert(rename("old.txt", "new.txt") == 0);
  return 0;
}
