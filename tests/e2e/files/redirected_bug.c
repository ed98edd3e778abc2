// Twin of redirected.c: stdout is used after it was closed.
// expect: false(def-behavior)
// message: a standard stream is used after it was closed
#include <stdio.h>

int main(void) {
  fclose(stdout);
  puts("bye");
  return 0;
}
