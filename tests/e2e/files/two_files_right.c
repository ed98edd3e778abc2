// Twin of two_files.c.
// args: --engine explicit --inputs 4
// expect: conditional
#include <stdio.h>
#include <string.h>
int main(void) {
  char a[16], b[16], both[32];
  FILE *f = fopen("a.txt", "r"), *g = fopen("b.txt", "r");
  if (!f || !g) return 1;
  if (!fgets(a, sizeof a, f) || !fgets(b, sizeof b, g)) return 1;
  strcpy(both, a);
  strcat(both, b);
  puts(both);
  return 0;
}
