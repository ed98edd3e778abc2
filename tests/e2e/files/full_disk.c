// Twin of full_disk_bug.c.
// args: --calls-may-fail
// expect: true
#include <assert.h>
#include <errno.h>
#include <stdio.h>

int main(void) {
  FILE *f = fopen("out.txt", "w");
  char c;
  if (!f) {
    assert(errno == EACCES || errno == EMFILE);
    return 1;
  }
  int written = fprintf(f, "%s %d", "text", 1);
  assert(written == 6 ? !ferror(f) : written < 0 && ferror(f) && errno == ENOSPC);
  if (fclose(f) != 0) return 2;
  if (written != 6) return 3;
  f = fopen("out.txt", "r");
  assert(!f || (fread(&c, 1, 1, f) == 1 && c == 't'));
  return 0;
}
