// The value of a variable of the environment is longer than what it is copied into.
// expect: false(valid-deref)
// run: --env HOME=/root => true states=1
// run: --env USER=x => true states=1
// run: --env USER=x --env HOME=/a/rather/long/home => false(valid-deref)
#include <stdlib.h>
#include <string.h>

int main(void) {
  char path[16];
  const char *home = getenv("HOME");
  if (!home) return 1;
  strcpy(path, home);
  strcat(path, "/.rc");
  return 0;
}
