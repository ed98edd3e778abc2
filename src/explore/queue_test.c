/* The queue of states against sorting. */
#include "explore/queue.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/random.h"

static int by_order(const void *a, const void *b) {
  const struct pv_queued *x = a, *y = b;
  return pv_queued_before(x, y) ? -1 : pv_queued_before(y, x);
}

static void comes_out_in_order(void **state) {
  (void)state;
  enum { N = 1000 };
  static struct pv_queued all[N];
  uint64_t lot = 1;
  for (uint32_t keys = 1; keys < 2000; keys *= 3) {
    struct pv_queue q = {0};
    for (uint32_t i = 0; i < N; i++) {
      all[i] = (struct pv_queued){pv_random_below(&lot, keys), pv_random_below(&lot, 3), i};
      pv_queue_push(&q, all[i]);
    }
    qsort(all, N, sizeof *all, by_order);
    for (uint32_t i = 0; i < N; i++) {
      assert_int_equal(pv_queue_size(&q), N - i);
      assert_memory_equal(pv_queue_first(&q), &all[i], sizeof *all);
      struct pv_queued x = pv_queue_pop(&q);
      assert_memory_equal(&x, &all[i], sizeof x);
    }
    pv_queue_free(&q);
  }
}

/* Pushed and popped by turns: what comes out is the least of what is there. */
static void serves_by_turns(void **state) {
  (void)state;
  struct pv_queue q = {0};
  uint64_t lot = 2;
  uint32_t there[64] = {0}, n = 0; /* by key */
  for (uint32_t i = 0; i < 100000; i++) {
    if (n && pv_random_below(&lot, 2)) {
      uint32_t least = 0;
      while (!there[least]) least++;
      assert_int_equal(pv_queue_pop(&q).key, least);
      there[least]--;
      n--;
    } else {
      struct pv_queued x = {pv_random_below(&lot, 64), 0, i};
      pv_queue_push(&q, x);
      there[x.key]++;
      n++;
    }
  }
  pv_queue_free(&q);
}

static void lubys_sequence(void **state) {
  (void)state;
  static const uint64_t first[] = {1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8, 1};
  for (size_t i = 0; i < sizeof first / sizeof *first; i++)
    assert_int_equal(pv_luby(i + 1), first[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(comes_out_in_order),
                                     cmocka_unit_test(serves_by_turns),
                                     cmocka_unit_test(lubys_sequence)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
