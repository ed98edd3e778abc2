// What main does not look at costs nothing, and needs no proviso.
// expect: true
// states: 1
#include <stdio.h>

int main(int argc, char *argv[]) {
  (void)argc;
  (void)argv;
  puts("hello");
  return 0;
}
