/* Concurrency Kit, ck_epoch: a writer replaces an object ROUNDS times, waits until nobody can be
 * reading the old one any more, and spoils it; a reader looks at the object inside of a section.
 *
 * The reader finds no spoilt object. -DWRONG: the writer does not wait. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <ck_epoch.h>
#include <ck_pr.h>

#ifndef ROUNDS
#  define ROUNDS 1
#endif

static ck_epoch_t epoch;
static ck_epoch_record_t of_reader, of_writer;
static int object[ROUNDS + 1], *current = &object[0];

static void *reader(void *unused) {
  ck_epoch_begin(&of_reader, NULL);
  int *p = ck_pr_load_ptr(&current);
  assert(*p == 0);
  ck_epoch_end(&of_reader, NULL);
  return unused;
}

static void *writer(void *unused) {
  for (int i = 1; i <= ROUNDS; i++) {
    int *old = current;
    ck_pr_store_ptr(&current, &object[i]);
#ifndef WRONG
    ck_epoch_synchronize(&of_writer);
#endif
    *old = 1;
  }
  return unused;
}

int main(void) {
  pthread_t r, w;
  ck_epoch_init(&epoch);
  ck_epoch_register(&epoch, &of_reader, NULL);
  ck_epoch_register(&epoch, &of_writer, NULL);
  pthread_create(&r, NULL, reader, NULL);
  pthread_create(&w, NULL, writer, NULL);
  pthread_join(r, NULL);
  pthread_join(w, NULL);
  return 0;
}
