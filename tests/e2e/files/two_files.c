// Lines of two files go into one array. Twin: two_files_right.c.
// expect: false(valid-deref)
#include <stdio.h>
#include <string.h>
int main(void) {
  char a[16], b[16], both[24];
  FILE *f = fopen("a.txt", "r"), *g = fopen("b.txt", "r");
  if (!f || !g) return 1;
  if (!fgets(a, sizeof a, f) || !fgets(b, sizeof b, g)) return 1;
  strcpy(both, a);
  strcat(both, b);
  puts(both);
  return 0;
}
