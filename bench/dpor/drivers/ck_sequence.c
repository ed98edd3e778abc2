/* Concurrency Kit, ck_sequence: a writer changes two numbers together, ROUNDS times, a reader
 * copies both, and once more while they were changed meanwhile.
 *
 * Its copies are alike. -DWRONG: it copies once. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <ck_pr.h>
#include <ck_sequence.h>

#ifndef ROUNDS
#  define ROUNDS 2
#endif

static ck_sequence_t sequence = CK_SEQUENCE_INITIALIZER;
static unsigned left, right;
static volatile unsigned tries;

static void *writer(void *unused) {
  for (int i = 0; i < ROUNDS; i++) {
    ck_sequence_write_begin(&sequence);
    ck_pr_store_uint(&left, left + 1);
    ck_pr_store_uint(&right, right + 1);
    ck_sequence_write_end(&sequence);
  }
  return unused;
}

static void *reader(void *unused) {
  unsigned l, r, version;
  do {
    tries++; /* nobody asks for it; main looks at it meanwhile */
    version = ck_sequence_read_begin(&sequence);
    l = ck_pr_load_uint(&left);
    r = ck_pr_load_uint(&right);
#ifdef WRONG
    break;
#endif
  } while (ck_sequence_read_retry(&sequence, version));
  assert(l == r);
  return unused;
}

int main(void) {
  pthread_t w, t;
  unsigned so_far;
  pthread_create(&w, NULL, writer, NULL);
  pthread_create(&t, NULL, reader, NULL);
  so_far = tries;
  (void)so_far;
  pthread_join(w, NULL);
  pthread_join(t, NULL);
  return 0;
}
