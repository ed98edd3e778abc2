/* Traces as bytes: what is read of them. */
#include "monitor/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "monitor/trace_format.h"

struct moment { /* an event of a thread; ordered by their numbers */
  uint32_t thread;
  enum pv_trace_kind kind;
  uint64_t at, bytes;
};

static void put(FILE *f, const struct moment *m, uint64_t number) {
  const struct pv_trace_event events[] = {{.at = number, .kind = PV_TRACE_SEQUENCE},
                                          {.at = m->bytes, .kind = PV_TRACE_BYTES},
                                          {.at = m->at, .kind = (uint8_t)m->kind}};
  const uint32_t block[] = {m->thread, 3};
  assert_int_equal(fwrite(block, sizeof block, 1, f), 1);
  assert_int_equal(fwrite(events, sizeof events, 1, f), 1);
}

/* The number of data races. */
static uint32_t races(const struct moment *moments, unsigned n, enum pv_status wanted) {
  char path[] = "/tmp/proviso-trace-XXXXXX";
  const uint32_t head[] = {PV_TRACE_VERSION, 0, 0, 0, 0}, end[] = {UINT32_MAX, 0};
  struct pv_observation o = {0};
  struct pv_str err = {0};
  FILE *f = fdopen(mkstemp(path), "wb");
  assert_non_null(f);
  assert_int_equal(fwrite("PVTRACE", 8, 1, f), 1);
  assert_int_equal(fwrite(head, sizeof head, 1, f), 1);
  for (unsigned i = 0; i < n; i++) put(f, &moments[i], i + 1);
  assert_int_equal(fwrite(end, sizeof end, 1, f), 1);
  fclose(f);
  assert_int_equal(pv_trace_observe(path, &o, &err), wanted);
  assert_null(o.end);
  uint32_t count = 0;
  for (uint32_t i = 0; i < o.warnings.list.n; i++)
    count += o.warnings.list.at[i].kind == PV_WARNING_RACE;
  pv_str_free(&err);
  pv_observation_clear(&o);
  unlink(path);
  return count;
}

/* An object of any size ends: that is ordered with its accesses, or a race with them. */
static void ends_of_objects(void **state) {
  const uint64_t sizes[] = {64, UINT64_C(1) << 30};
  (void)state;
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    struct moment moments[] = {{0, PV_TRACE_FORK, 1, 0},
                               {1, PV_TRACE_WRITE, 4096 + 36, 4},
                               {1, PV_TRACE_WRITE, 4096 + 8, 8},
                               {0, PV_TRACE_JOIN, 1, 0},
                               {0, PV_TRACE_END, 4096, sizes[i]}};
    assert_int_equal(races(moments, 5, PV_OK), 0);
    moments[3].kind = PV_TRACE_FENCE;
    assert_int_equal(races(moments, 5, PV_OK), 1); /* one of a place */
    moments[4].at = 4096 + 16;                     /* the second access is not inside */
    assert_int_equal(races(moments, 5, PV_OK), 1);
    moments[4].at = 4096 + 40; /* nor the first */
    assert_int_equal(races(moments, 5, PV_OK), 0);
  }
}

/* A few bytes cannot ask for all memory. */
static void much_memory(void **state) {
  struct moment moments[] = {{0, PV_TRACE_WRITE, 4096, 1 << 20}, {1, PV_TRACE_WRITE, 8192, 1}};
  (void)state;
  assert_int_equal(races(moments, 2, PV_OK), 1);
  moments[0].bytes = UINT64_C(1) << 30;
  assert_int_equal(races(moments, 2, PV_E_INPUT), 0);
}

/* Nor can the end of the address space keep the reader for ever. */
static void last_bytes(void **state) {
  const enum pv_trace_kind kinds[] = {PV_TRACE_READ, PV_TRACE_WRITE, PV_TRACE_UPDATE,
                                      PV_TRACE_FORGET, PV_TRACE_END};
  (void)state;
  for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    struct moment moments[] = {{0, kinds[i], UINT64_MAX - 8, 3}, {1, PV_TRACE_WRITE, 8192, 1}};
    assert_int_equal(races(moments, 2, PV_E_INPUT), 0);
    moments[0].at = UINT64_MAX - 64;
    assert_int_equal(races(moments, 2, PV_OK), 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ends_of_objects),
                                     cmocka_unit_test(much_memory), cmocka_unit_test(last_bytes)};
  return cmocka_run_group_tests_name("trace", tests, NULL, NULL);
}
