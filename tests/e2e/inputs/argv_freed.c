// An argument does not come from malloc. Twin: argv_end.c.
// args: --engine explicit
// expect: false(valid-free)
// run: --engine explicit --args 'a' => false(valid-free)
#include <stdlib.h>

int main(int argc, char **argv) {
  if (argc > 1) free(argv[1]);
  return 0;
}
