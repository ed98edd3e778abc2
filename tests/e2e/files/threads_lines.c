// Two threads read lines of one stream: each gets a whole one. Twin: threads_buffer_bug.c.
// args: --file in.txt=tests/e2e/files/data/numbers.txt
// expect: true
// run: --file in.txt=tests/e2e/files/data/numbers.txt --engine dpor => true
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static FILE *f;

static void *work(void *unused) {
  char line[16];
  if (fgets(line, sizeof line, f)) assert(!strcmp(line, "5 7\n"));
  return unused;
}

int main(void) {
  pthread_t t;
  f = fopen("in.txt", "r");
  assert(f);
  pthread_create(&t, NULL, work, NULL);
  work(NULL);
  pthread_join(t, NULL);
  fclose(f);
  return 0;
}
