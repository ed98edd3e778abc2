// Twin of log_appended.c: its first byte is that of what was there before.
// expect: false(unreach-call)
#include <assert.h>
#include <stdio.h>

int main(void) {
  FILE *f = fopen("log.txt", "a+");
  if (!f) return 1;
  fprintf(f, "%d\n", 42);
  rewind(f);
  assert(fgetc(f) == '4');
  fclose(f);
  return 0;
}
