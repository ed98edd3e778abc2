// An argument is copied where it fits. Twin: argv_copied.c.
// args: --engine explicit
// expect: conditional
// proviso: there are at most 3 arguments of at most 16 bytes
// run: --engine explicit --args 'eight___' => true
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  char name[8] = "none";
  if (argc > 1 && strlen(argv[1]) < sizeof name) strcpy(name, argv[1]);
  puts(name);
  return 0;
}
