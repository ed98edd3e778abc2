/* qsort_mt: an array of COUNT numbers (no multiple of five), sorted by up to two threads; the second
 * one is given work from 9 on.
 *
 * The array is sorted then. It is not always if both have work: a thread that has just been given
 * some may begin before it knows with which part (allocate_thread sets the state without the lock
 * that guards it). -DALONE: one thread, which is right. Start: --entry sort. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#ifndef COUNT
#  define COUNT 9
#endif
_Static_assert(COUNT % 5, "the numbers are to differ");
#ifdef ALONE
enum { THREADS = 1 };
#else
enum { THREADS = 2 };
#endif

void qsort_mt(void *a, size_t n, size_t size, int (*compare)(const void *, const void *),
              int threads, int least);
int num_compare(const void *a, const void *b);

void sort(void) {
  uint32_t a[COUNT];
  for (unsigned i = 0; i < COUNT; i++) a[i] = (i * 5 + 3) % COUNT;
  qsort_mt(a, COUNT, sizeof *a, num_compare, THREADS, 2);
  for (unsigned i = 0; i < COUNT; i++) assert(a[i] == i);
}
