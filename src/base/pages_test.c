/* Tables keep their content when they grow, are zero after it, and are never in memory twice. */
#include "base/pages.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <cmocka.h>

#include "base/limits.h"

static void grown_tables_keep_their_bytes(void **state) {
  (void)state;
  size_t bytes = 3000;
  unsigned char *table = pv_pages_new(bytes);
  for (size_t i = 0; i < bytes; i++) assert_int_equal(table[i], 0);
  table[bytes - 1] = 7;
  for (int step = 0; step < 60; step++) {
    size_t before = bytes;
    bytes += bytes / 4 + (size_t)step;
    table = pv_pages_grow(table, before, bytes);
    assert_int_equal(table[before - 1], 7);
    for (size_t i = before; i < bytes && i < before + 5000; i++) assert_int_equal(table[i], 0);
    assert_int_equal(table[bytes - 1], 0);
    table[bytes - 1] = 7;
  }
  pv_pages_free(table, bytes);
}

static void nothing_is_no_table(void **state) {
  (void)state;
  assert_null(pv_pages_new(0));
  pv_pages_free(NULL, 0);
  uint64_t *table = pv_pages_grow(NULL, 0, 16);
  table[1] = 3;
  pv_pages_free(table, 16);
}

static uint64_t most_resident(void) {
  struct rusage usage;
  assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
  return (uint64_t)usage.ru_maxrss * 1024;
}

static void growing_takes_no_second_table(void **state) {
  (void)state;
  size_t bytes = (size_t)96 << 20, more = (size_t)8 << 20;
  uint64_t begin = pv_resident_memory();
  unsigned char *table = pv_pages_new(bytes);
  memset(table, 1, bytes);
  for (int i = 0; i < 4; i++) {
    table = pv_pages_grow(table, bytes, bytes + more);
    memset(table + bytes, 1, more);
    bytes += more;
  }
  assert_in_range(most_resident(), begin + bytes - ((size_t)4 << 20), begin + bytes + bytes / 4);
  pv_pages_free(table, bytes);
  assert_true(pv_resident_memory() < begin + ((size_t)16 << 20)); /* given back at once */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(grown_tables_keep_their_bytes),
                                     cmocka_unit_test(nothing_is_no_table),
                                     cmocka_unit_test(growing_takes_no_second_table)};
  return cmocka_run_group_tests_name("pages", tests, NULL, NULL);
}
