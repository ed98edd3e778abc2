// err.h and error.h: some functions end the program, handlers of atexit included.
// expect: false(unreach-call)
// args: -- -DCASE=1
// run: -- -DCASE=2 => false(unreach-call)
// run: -- -DCASE=3 => false(valid-deref)
// run: -- -DCASE=4 => false(valid-deref)
// run: -- -DCASE=11 => true
// run: -- -DCASE=12 => true
// run: --32 -- -DCASE=11 => true
#include <assert.h>
#include <err.h>
#include <errno.h>
#include <error.h>
#include <libgen.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
static void handler(void) {
  assert(CASE != 2);
}
static int order(const void *a, const void *b) {
  return *(const char *)a - *(const char *)b;
}
int main(void) {
  char *text = malloc(2), found[4] = "ab", path[] = "/usr/lib//x/", plain[] = "x";
  size_t n = 2;
  errno = ENOENT;
  atexit(handler);
  switch (CASE) {
  case 1:
    warnx("only a warning: %d", 3);
    assert(0);
    break;
  case 2: err(1, "%s", "ends, after the handlers"); break;
  case 3:
    free(text);
    warn("%s", text);
    return 0;
  case 4: warnx("%d %d", 1); break; /* an argument is missing */
  case 11:
    assert(!strcmp(dirname(path), "/usr/lib") && !strcmp(dirname(plain), "."));
    assert(lsearch("b", found, &n, 1, order) == found + 1 && n == 2);
    assert(lsearch("c", found, &n, 1, order) == found + 2 && n == 3 && found[2] == 'c');
    error(0, 0, "goes on");
    errx(0, "ends");
  case 12: error(2, ENOMEM, "ends: %s", "too"); break;
  }
  free(text);
  assert(CASE == 4);
  return 0;
}
