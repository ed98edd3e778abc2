/* Random walks over small component tuples: equal tuples must get equal ids, different tuples
 * different ids, and loading any earlier state must bring back exactly its components. */
#include "explore/store.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { WIDTH = 37 };
struct model {
  uint32_t leaf[WIDTH];
};

static void apply(void *user, unsigned half, uint32_t place, uint32_t leaf) {
  struct model *m = user;
  uint32_t position = half == 2 ? 0 : 1 + 2 * place + half;
  assert_true(position < WIDTH || leaf == 0);
  if (position < WIDTH) m->leaf[position] = leaf;
}

static uint32_t random_state;
static uint32_t rnd(uint32_t n) {
  random_state = random_state * 1664525u + 1013904223u;
  return (random_state >> 8) % n;
}

/* Position 0 is the head, the others alternate between the halves. */
static void set(struct pv_tuple *t, uint32_t p, uint32_t leaf) {
  if (p)
    pv_tuple_set(t, (p - 1) & 1, (p - 1) / 2, leaf);
  else
    t->head = leaf;
}

static void walk(uint32_t seed) {
  random_state = seed;
  struct pv_store *s = pv_store_new();
  struct pv_tuple t = {0};
  struct model now = {0};
  PV_VEC(struct model) known = {0};
  uint32_t width = 3 + rnd(WIDTH - 2), from[2] = {rnd(30), rnd(30)}; /* halves empty until then */
  for (int step = 0; step < 400; step++) {
    if (known.n && rnd(3) == 0) {
      uint32_t id = rnd(known.n);
      pv_store_get(s, id, &t, apply, &now);
      assert_memory_equal(&now, &known.at[id], sizeof now);
    }
    for (uint32_t k = rnd(4); k--;) {
      uint32_t p = rnd(width), byte = rnd(4);
      if (p && (uint32_t)step < from[(p - 1) & 1] && !now.leaf[(p - 1) & 1 ? 2 : 1]) continue;
      uint32_t leaf = byte == 0 && p > 2 ? 0 : pv_store_leaf(s, &byte, 1 + rnd(2));
      now.leaf[p] = leaf;
      set(&t, p, leaf);
    }
    for (uint32_t p = 0; p < 3; p++) { /* never absent */
      if (now.leaf[p] || (p && (uint32_t)step < from[p - 1])) continue;
      now.leaf[p] = pv_store_leaf(s, "x", 1);
      set(&t, p, now.leaf[p]);
    }
    bool is_new;
    uint32_t id = pv_store_put(s, &t, &is_new), same = 0;
    while (same < known.n && memcmp(&known.at[same], &now, sizeof now) != 0) same++;
    assert_int_equal(id, same);
    assert_int_equal(is_new, same == known.n);
    if (is_new) pv_vec_push(&known, now);
    assert_int_equal(pv_store_states(s), known.n);
  }
  pv_vec_free(&known);
  pv_tuple_free(&t);
  pv_store_free(s);
}

static void random_walks(void **state) {
  (void)state;
  for (uint32_t seed = 1; seed <= 300; seed++) walk(seed);
}

static void leaves_keep_their_bytes(void **state) {
  (void)state;
  struct pv_store *s = pv_store_new();
  uint32_t first = pv_store_leaf(s, "abc", 3);
  for (uint32_t i = 0; i < 5000; i++) pv_store_leaf(s, &i, sizeof i);
  assert_int_equal(pv_store_leaf(s, "abc", 3), first);
  assert_int_not_equal(pv_store_leaf(s, "abcd", 4), first);
  uint32_t n;
  assert_memory_equal(pv_store_leaf_bytes(s, first, &n), "abc", 3);
  assert_int_equal(n, 3);
  pv_store_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_walks),
                                     cmocka_unit_test(leaves_keep_their_bytes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
