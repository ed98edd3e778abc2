// Standard streams that come from and go to files. Twin: redirected_bug.c.
// args: --file in.txt=tests/e2e/files/data/numbers.txt --file out.txt=tests/e2e/files/data/lines.txt
// expect: true
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  char line[32];
  int a, b;
  assert(freopen("in.txt", "r", stdin) == stdin && freopen("out.txt", "w", stdout) == stdout);
  assert(scanf("%d%d", &a, &b) == 2 && getchar() == '\n' && getchar() == EOF && feof(stdin));
  printf("%d", a + b);
  putchar('!');
  puts("");
  assert(fclose(stdout) == 0);
  FILE *f = fopen("out.txt", "r");
  assert(f && fgets(line, sizeof line, f) && !strcmp(line, "12!\n"));
  fclose(f);
  return 0;
}
