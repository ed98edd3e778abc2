// An argument is copied into eight bytes. Twin: argv_measured.c.
// expect: false(valid-deref)
// run: --args short => true states=1
// run: --args 'seventh 8' => true
// run: --args 'eight___' => false(valid-deref)
// run: --args '' => true
// run: --engine explicit --max-args 0 => conditional
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  char name[8];
  if (argc > 1)
    strcpy(name, argv[1]);
  else
    strcpy(name, "none");
  puts(name);
  return 0;
}
