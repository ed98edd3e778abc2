// One thread closes the stream that another one writes to. Twin: threads_log.c.
// args: --file log.txt=tests/e2e/files/data/lines.txt
// expect: false(no-data-race) or false(valid-deref) or false(def-behavior)
// run: --file log.txt=tests/e2e/files/data/lines.txt --engine dpor --property valid-deref => false(valid-deref)
#include <pthread.h>
#include <stdio.h>

static FILE *f;

static void *work(void *unused) {
  fputs("done\n", f);
  return unused;
}

int main(void) {
  pthread_t t;
  f = fopen("log.txt", "w");
  pthread_create(&t, NULL, work, NULL);
  fclose(f);
  pthread_join(t, NULL);
  return 0;
}
