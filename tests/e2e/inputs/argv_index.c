// A number in an argument is checked against the wrong bound. Twin: argv_index_right.c.
// expect: false(def-behavior)
#include <stdlib.h>

int table[100];
int main(int argc, char **argv) {
  if (argc != 2) return 1;
  int i = atoi(argv[1]);
  if (i < 0 || i > 100) return 1;
  table[i] = 1;
  return 0;
}
