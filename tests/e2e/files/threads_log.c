// Two threads write lines to one stream, each in one piece: no race. Twin: threads_buffer_bug.c.
// args: --file log.txt=tests/e2e/files/data/lines.txt
// expect: true
// run: --file log.txt=tests/e2e/files/data/lines.txt --engine dpor => true
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static FILE *f;

static void *work(void *name) {
  fprintf(f, "%s done\n", (char *)name);
  return NULL;
}

int main(void) {
  pthread_t t;
  char a[16], b[16];
  f = fopen("log.txt", "w+");
  assert(f);
  pthread_create(&t, NULL, work, "a");
  work("b");
  pthread_join(t, NULL);
  rewind(f);
  assert(fgets(a, sizeof a, f) && fgets(b, sizeof b, f) && !fgets(a + 8, 8, f));
  assert(!strcmp(a, "a done\n") ? !strcmp(b, "b done\n") : !strcmp(b, "a done\n"));
  fclose(f);
  return 0;
}
