// What is written can be read back, however it is read. Twin: read_back_bug.c.
// args: --property unreach-call,valid-deref,valid-free,valid-memtrack,valid-memcleanup,def-behavior
// expect: true
#include <assert.h>
#include <stdio.h>
#include <string.h>

struct pair {
  char kind; /* padding behind it */
  int number;
};

int main(void) {
  struct pair p, q;
  char line[16];
  int n;
  FILE *f = fopen("out.bin", "wb+");
  if (!f) return 1;
  p.kind = 'x', p.number = 42;
  assert(fwrite(&p, sizeof p, 1, f) == 1);
  assert(ftell(f) == sizeof p);
  fprintf(f, "%d %s\n", 17, "seventeen");
  fputs("last", f);
  rewind(f);
  assert(fread(&q, sizeof q, 1, f) == 1 && q.kind == 'x' && q.number == 42);
  assert(fscanf(f, "%d %15s", &n, line) == 2 && n == 17 && !strcmp(line, "seventeen"));
  assert(getc(f) == '\n' && fgets(line, sizeof line, f) && !strcmp(line, "last"));
  assert(feof(f) && fgetc(f) == EOF && !ferror(f));
  fseek(f, -2, SEEK_END);
  assert(!feof(f) && fgetc(f) == 's' && ungetc('t', f) == 't' && fgetc(f) == 't');
  fclose(f);
  f = fopen("./out.bin", "r");
  assert(f && fseek(f, 0, SEEK_END) == 0);
  n = (int)ftell(f);
  assert(n == (int)sizeof p + 17);
  return 0; /* a stream that is not closed is no leak */
}
