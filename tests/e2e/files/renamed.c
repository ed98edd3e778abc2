// Names: removed, renamed, and what is open lives on. Twin: renamed_bug.c.
// args: --file old.txt=tests/e2e/files/data/numbers.txt --file dir/new.txt=tests/e2e/files/data/lines.txt
// expect: true
#include <assert.h>
#include <errno.h>
#include <stdio.h>

int main(void) {
  FILE *f = fopen("old.txt", "r"), *g = fopen("dir//./new.txt", "r"), *h;
  assert(f && g);
  assert(rename("old.txt", "dir/new.txt") == 0);
  assert(!fopen("old.txt", "r") && errno == ENOENT);
  h = fopen("dir/new.txt", "r");
  assert(h && fgetc(h) == '5' && fgetc(f) == '5' && fgetc(g) == 'o');
  assert(remove("dir/new.txt") == 0 && remove("dir/new.txt") == -1);
  assert(fgetc(h) == ' ');
  assert(!fopen("", "r"));
  h = fopen("old.txt", "w+x");
  assert(h && !fopen("old.txt", "wx") && errno == EEXIST);
  return 0;
}
