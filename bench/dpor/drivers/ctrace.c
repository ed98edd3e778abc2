/* ctrace: THREADS threads enter themselves into the table of traced threads, write ROUNDS lines,
 * and leave it.
 *
 * Everybody finds himself in the table. -DWRONG: all enter under one number, and only one leaves
 * under it. Start: --entry trace. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

#ifndef THREADS
#  define THREADS 2
#endif
#ifndef ROUNDS
#  define ROUNDS 1
#endif

int trc_init(const char *file, unsigned trace, unsigned on, unsigned level, unsigned units,
             unsigned server);
int trc_add_thread(const char *name, pthread_t id);
int trc_remove_thread(pthread_t id);
void trc_trace(int action, unsigned unit, unsigned level, const char *file, unsigned line,
               const char *function, const char *keyword, const char *text);

time_t time(time_t *t) {
  if (t) *t = 1;
  return 1;
}

struct tm *localtime(const time_t *t) {
  static struct tm never = {.tm_mday = 1, .tm_year = 70, .tm_wday = 4};
  (void)t;
  return &never;
}

static void *worker(void *unused) {
#ifdef WRONG
  pthread_t id = 77;
#else
  pthread_t id = pthread_self();
#endif
  int r = trc_add_thread("worker", id);
  assert(r == 0);
  for (int i = 0; i < ROUNDS; i++) trc_trace(3, 0, 1, "file", 1, "f", NULL, "text");
  r = trc_remove_thread(id);
  assert(r == 0);
  return unused;
}

void trace(void) {
  pthread_t t[THREADS];
  int r = trc_init(NULL, 1, 1, 1, 0, 0);
  assert(r == 0);
  for (int i = 0; i < THREADS; i++) pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
}
