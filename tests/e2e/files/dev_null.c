// What is written to /dev/null is gone; other devices are not modelled.
// expect: true
// run: -- -DBUG => false(unreach-call)
// run: -- -DOTHER => conditional
// run: --file /dev/null=tests/e2e/files/data/lines.txt => false(unreach-call)
#include <assert.h>
#include <stdio.h>
#ifdef OTHER
#  define NAME "/dev/random"
#else
#  define NAME "/dev/null"
#endif

int main(void) {
  FILE *f = fopen(NAME, "w+");
  if (!f) return 1;
  fputs("text", f);
  rewind(f);
#ifdef BUG
  assert(getc(f) == 't');
#else
  assert(getc(f) == EOF);
#endif
  fclose(f);
  return 0;
}
