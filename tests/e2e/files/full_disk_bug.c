// With --calls-may-fail a write may fail, which only fclose tells. Twin: full_disk.c.
// args: --calls-may-fail
// expect: false(unreach-call)
// message: a file cannot be written
// run: => conditional or true
#include <assert.h>
#include <stdio.h>

int main(void) {
  FILE *f = fopen("out.txt", "w");
  if (!f) return 1;
  assert(fputs("text", f) >= 0);
  fclose(f);
  return 0;
}
