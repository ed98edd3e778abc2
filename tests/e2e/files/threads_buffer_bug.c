// Two threads read from streams of their own into one buffer. Twin: threads_lines.c.
// args: --file in.txt=tests/e2e/files/data/numbers.txt
// expect: false(no-data-race)
// message: data race on line
// run: --file in.txt=tests/e2e/files/data/numbers.txt --engine dpor => false(no-data-race)
#include <pthread.h>
#include <stdio.h>

static char line[16];

static void *work(void *unused) {
  FILE *f = fopen("in.txt", "r");
  fread(line, 1, 4, f);
  fclose(f);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  work(NULL);
  pthread_join(t, NULL);
  return 0;
}
