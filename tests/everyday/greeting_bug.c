// Greets the user that the environment or an argument names.
// bug: valid-deref: names of twelve bytes or more do not fit
// expect: false(valid-deref)
// args: Ann
// stdin:
// trigger args: Maximilian-Ludwig
// trigger stdin:
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void greet(char *to, size_t room, const char *name) {
  (void)room;
  sprintf(to, "Hello, %s!", name);
}

int main(int argc, char **argv) {
  char text[20];
  const char *name = argc > 1 ? argv[1] : getenv("USER");
  if (!name || !*name)
    name = "world";
  greet(text, sizeof text, name);
  puts(text);
  size_t n = strlen(text);
  return n < sizeof text ? 0 : 1;
}
