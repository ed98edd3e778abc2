// Twin of mode_misuse.c; and what modes allow.
// expect: true
#include <assert.h>
#include <errno.h>
#include <stdio.h>

int main(void) {
  FILE *f = fopen("data.txt", "w+"), *g = fopen("data.txt", "a"), *h = fopen("data.txt", "r");
  if (!f || !g || !h) return 1;
  fputc('a', f);
  fflush(f);
  assert(fgetc(f) == EOF && !ferror(f));
  fputc('b', g); /* behind all that is there */
  assert(ftell(g) == 2);
  assert(fgetc(h) == 'a' && fgetc(h) == 'b' && fgetc(h) == EOF);
  errno = 0;
  assert(fputc('x', h) == EOF && ferror(h) && errno == EBADF);
  clearerr(h);
  assert(!ferror(h) && !feof(h));
  assert(fgetc(g) == EOF && ferror(g));
  h = freopen("data.txt", "w", h);
  assert(h && ftell(h) == 0);
  fclose(f), fclose(g), fclose(h);
  return 0;
}
