// Twin of environment_copied.c; a variable has one value, however often it is asked for.
// args: --engine explicit
// expect: conditional
// run: --engine explicit --env HOME=/root => true
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char path[16];
  const char *home = getenv("HOME");
  assert(home == getenv("HOME"));
  if (!home || strlen(home) + 5 > sizeof path) return 1;
  strcpy(path, home);
  strcat(path, "/.rc");
  return 0;
}
