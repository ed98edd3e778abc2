// Three arguments of a kind are one more than the array has. Twin: text_equal_arguments.c.
// args: --engine explicit
// expect: conditional
#include <stdio.h>
#include <string.h>

static const char *names[2];

int main(int argc, char **argv) {
  int n = 0;
  for (int i = 1; i < argc; i++)
    if (strncmp(argv[i], "-I", 2) == 0) {
      if (n >= 2) return 1;
      names[n++] = argv[i] + 2;
    }
  return names[0] != NULL;
}
