// The last character of an empty argument. Twin: argv_end.c.
// expect: false(valid-deref)
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 2) return 1;
  char *last = argv[1] + strlen(argv[1]) - 1;
  if (*last == '/') *last = 0;
  return 0;
}
