#include "base/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void vectors_grow_zeroed(void **state) {
  (void)state;
  PV_VEC(uint64_t) v = {0};
  for (uint32_t i = 0; i < 1000; i++) pv_vec_push(&v, (uint64_t)i * i);
  assert_int_equal(v.n, 1000);
  for (uint32_t i = 0; i < 1000; i++) assert_int_equal(v.at[i], (uint64_t)i * i);
  for (uint32_t i = v.n; i < v.cap; i++) assert_int_equal(v.at[i], 0);
  assert_int_equal(pv_vec_last(&v), 999 * 999);
  assert_int_equal(pv_vec_pop(&v), 999 * 999);
  assert_int_equal(v.n, 999);
  pv_vec_free(&v);
  assert_null(v.at);
}

static void long_vectors_grow_by_less(void **state) {
  (void)state;
  PV_VEC(uint64_t) v = {0};
  for (uint32_t i = 0; i < 1000000; i++) {
    uint32_t before = v.cap;
    pv_vec_push(&v, i);
    assert_true(v.cap <= 2 * before || before < 8);
    if (before > 200000) assert_true(v.cap - before <= before / 8);
  }
  for (uint32_t i = 0; i < 1000000; i++) assert_int_equal(v.at[i], i);
  pv_vec_free(&v);
}

static void strings_append(void **state) {
  (void)state;
  struct pv_str s = {0};
  assert_string_equal(pv_str_cstr(&s), "");
  for (int i = 0; i < 100; i++) pv_str_addf(&s, "%d,", i);
  pv_str_addc(&s, '!');
  pv_str_addn(&s, "abc", 2);
  assert_int_equal(s.n, strlen(s.at));
  assert_non_null(strstr(s.at, "98,99,!ab"));
  pv_str_clear(&s);
  assert_string_equal(pv_str_cstr(&s), "");
  pv_str_free(&s);
  char *empty = pv_format("%s", "");
  assert_string_equal(empty, "");
  free(empty);
}

/* Insertion order is kept, and a map agrees with a plain list under many keys. */
static void maps_keep_order(void **state) {
  (void)state;
  struct pv_map m = {0};
  bool is_new;
  assert_null(pv_map_get_str(&m, "x"));
  for (uint32_t i = 0; i < 5000; i++) {
    uint32_t key = i * 2654435761u;
    *pv_map_put(&m, &key, sizeof key, 0, &is_new) += i;
    assert_true(is_new);
  }
  for (uint32_t i = 0; i < 5000; i++) {
    uint32_t key = i * 2654435761u, other = key + 1;
    assert_int_equal(*pv_map_get(&m, &key, sizeof key), i);
    assert_int_equal(*(const uint32_t *)m.entry[i].key, key);
    assert_int_equal(*pv_map_put(&m, &key, sizeof key, 7, &is_new), i);
    assert_false(is_new);
    if (i < 10) assert_null(pv_map_get(&m, &other, sizeof other));
  }
  assert_int_equal(m.n, 5000);
  assert_null(pv_map_get(&m, "", 0));
  pv_map_put(&m, "", 0, 1, &is_new);
  assert_true(is_new && *pv_map_get(&m, "", 0) == 1);
  pv_map_free(&m);
}

static void files_are_read_whole(void **state) {
  (void)state;
  char name[] = "/tmp/proviso-test-XXXXXX", *text;
  size_t n;
  struct pv_str err = {0};
  int fd = mkstemp(name);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, "a\0b", 3), 3);
  close(fd);
  assert_int_equal(pv_read_file(name, 3, &text, &n, &err), PV_OK);
  assert_int_equal(n, 3);
  assert_memory_equal(text, "a\0b", 4);
  free(text);
  assert_int_equal(pv_read_file(name, 2, &text, &n, &err), PV_E_INPUT);
  assert_non_null(strstr(err.at, "too large"));
  unlink(name);
  assert_int_equal(pv_read_file(name, 2, &text, &n, NULL), PV_E_INPUT);
  assert_int_equal(pv_read_file("/tmp", 2, &text, &n, &err), PV_E_INPUT);
  assert_non_null(strstr(err.at, "is a directory"));
  pv_str_free(&err);
}

static void words_are_hashed(void **state) {
  (void)state;
  assert_true(pv_hash_word(0) == 0);
  assert_true(pv_hash_word(1) == UINT64_C(0xb456bcfc34c2cb2c));
  assert_true(pv_hash_word(UINT64_MAX) == UINT64_C(0x64b5720b4b825f21));
}

/* How many of 2^16 slots are taken by 2^16 pairs, `a` and `b` multiples of these steps? Of random
 * ones 1 - 1/e. */
static unsigned slots_taken(uint64_t step_a, uint64_t step_b) {
  enum { SLOTS = 1 << 16, SIDE = 1 << 8 };
  uint8_t *taken = pv_alloc(SLOTS);
  unsigned n = 0;
  for (uint64_t a = 0; a < SIDE; a++)
    for (uint64_t b = 0; b < SIDE; b++) {
      uint32_t slot = pv_hash_pair(a * step_a, b * step_b) % SLOTS;
      n += !taken[slot];
      taken[slot] = 1;
    }
  free(taken);
  return n;
}

static void pairs_are_spread(void **state) {
  (void)state;
  for (unsigned i = 0; i <= 48; i += 8)
    for (unsigned k = 0; k <= 48; k += 8)
      assert_true(slots_taken(UINT64_C(1) << i, UINT64_C(1) << k) > 1 << 15);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(vectors_grow_zeroed),  cmocka_unit_test(long_vectors_grow_by_less),
      cmocka_unit_test(strings_append),       cmocka_unit_test(maps_keep_order),
      cmocka_unit_test(files_are_read_whole), cmocka_unit_test(words_are_hashed),
      cmocka_unit_test(pairs_are_spread)};
  return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
