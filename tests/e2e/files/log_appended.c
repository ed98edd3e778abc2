// A log that is only appended to need not be known: nothing is left open. Twin: log_looked_at.c.
// expect: true
#include <assert.h>
#include <stdio.h>

int main(void) {
  FILE *f = fopen("log.txt", "a");
  if (!f) return 1;
  assert(fprintf(f, "%d\n", 42) == 3);
  fclose(f);
  f = fopen("log.txt", "a");
  assert(f); /* what could be written can be written again */
  fputs("again\n", f);
  return fclose(f);
}
