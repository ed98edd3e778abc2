// What a thread writes out is read in one step with what came before it: where another one could free it meanwhile a proviso says so (true was said
// once).
// expect: conditional
// args: --por none --property valid-deref -- -DJOINED
// run: --property valid-deref => conditional or false(valid-deref)
// run: --engine dpor --property valid-deref => conditional
// run: --engine dpor --property valid-deref -- -DALONE => true
// run: --por none --property valid-deref => false(valid-deref)
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static char *_Atomic shared;

static void *writes(void *arg) {
  char *text = shared;
  if (text) fwrite(text, 1, 4, stdout);
  return arg;
}

#ifndef ALONE
static void *frees(void *text) {
  free(text);
  return 0;
}
#endif

int main(void) {
  char *text = shared = calloc(4, 1);
#ifdef ALONE
  writes(0);
  free(text);
#else
  pthread_t one, other;
  pthread_create(&one, 0, writes, 0);
#ifdef JOINED
  pthread_join(one, 0);
#endif
  pthread_create(&other, 0, frees, text);
#ifndef JOINED
  pthread_join(one, 0);
#endif
  pthread_join(other, 0);
#endif
  return 0;
}
