// Parses options -v, -n NUMBER and files, without getopt.
// bug: none
// expect: true
// args: -v -n 3 x
// stdin:
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
  int verbose;
  long count;
  const char *file;
};

static int parse(int argc, char **argv, struct options *o) {
  for (int i = 1; i < argc; i++) {
    const char *a = argv[i];
    if (strcmp(a, "-v") == 0) {
      o->verbose++;
    } else if (strcmp(a, "-n") == 0) {
      if (++i == argc)
        return 0;
      char *end;
      o->count = strtol(argv[i], &end, 10);
      if (*argv[i] == '\0' || *end != '\0' || o->count < 0 || o->count > 100)
        return 0;
    } else if (a[0] == '-' && a[1] != '\0') {
      return 0;
    } else {
      o->file = a;
    }
  }
  return 1;
}

int main(int argc, char **argv) {
  struct options o = {0, 1, NULL};
  if (!parse(argc, argv, &o)) {
    fprintf(stderr, "usage: options [-v] [-n NUMBER] [FILE]\n");
    return 2;
  }
  if (o.verbose)
    printf("file %s\n", o.file ? o.file : "(none)");
  printf("%ld\n", o.count * 2);
  return 0;
}
