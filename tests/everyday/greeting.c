// Greets the user that the environment or an argument names.
// bug: none
// expect: true
// args: Ann
// stdin:
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void greet(char *to, size_t room, const char *name) {
  snprintf(to, room, "Hello, %s!", name);
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
