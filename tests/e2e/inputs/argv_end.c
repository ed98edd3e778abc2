// argv ends with a null pointer, strings are the program's to write to, and end where they end.
// args: --engine explicit
// expect: conditional
// run: --engine explicit --args 'ab' => true
#include <assert.h>
#include <stddef.h>
#include <string.h>

int main(int argc, char **argv) {
  assert(argc >= 1 && argv[argc] == NULL);
  for (char **a = argv + 1; *a; a++) {
    size_t n = strlen(*a);
    assert((*a)[n] == 0);
    if (n) (*a)[n - 1] = 'x';
  }
  return 0;
}
