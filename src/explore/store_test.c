/* Random walks over small component tuples: equal tuples must get equal ids, different tuples
 * different ids, and loading any earlier state must bring back exactly its components. */
#include "base/bytes.h"
#include "explore/store.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { WIDTH = 37, HALF = (WIDTH - 1) / 2 };
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

/* Each half backwards, behind its first leaf, and the halves exchanged. */
static void rearrange(struct pv_store *s, struct pv_tuple *t, uint32_t state) {
  const uint32_t n[2] = {HALF, HALF};
  uint32_t to[2][HALF], *both[2] = {to[0], to[1]};
  for (unsigned h = 0; h < 2; h++)
    for (uint32_t p = 0; p < HALF; p++) to[h][p] = (p ? HALF - p : 0) << 1 | !h;
  pv_store_rearrange(s, t, state, both, n);
}

static void rearranged(void **state) {
  (void)state;
  enum { N = 500 };
  struct pv_store *s = pv_store_new();
  struct pv_tuple t = {0};
  struct pv_half_mark mark;
  uint32_t leaf[10], digit[N][WIDTH];
  bool is_new;
  random_state = 7;
  for (uint32_t i = 0; i < 10; i++) leaf[i] = pv_store_leaf(s, &i, sizeof i);
  for (uint32_t id = 0; id < N; id++) {
    for (uint32_t p = 0; p < WIDTH; p++) {
      digit[id][p] = rnd(p < 3 ? 1 : 10);
      set(&t, p, p == 3 ? leaf[id % 10] : leaf[digit[id][p]]);
    }
    set(&t, 4, pv_store_leaf(s, &id, sizeof id));
    assert_int_equal(pv_store_put(s, &t, &is_new), id);
  }
  mark = pv_half_mark(&t.half[0]);
  rearrange(s, &t, N - 1);
  assert_int_equal(pv_store_states(s), N);
  assert_false(pv_half_can_undo(&t.half[0], &mark));
  assert_int_equal(pv_store_put(s, &t, &is_new), N - 1);
  assert_false(is_new);
  for (uint32_t id = 0; id < N; id++) {
    struct model ignored;
    pv_store_get(s, id, &t, apply, &ignored);
    for (uint32_t p = 5; p < WIDTH; p++) {
      unsigned half = (p - 1) & 1;
      uint32_t at = (p - 1) / 2;
      assert_int_equal(pv_half_get(&t.half[!half], at ? HALF - at : 0), leaf[digit[id][p]]);
    }
  }
  pv_tuple_free(&t);
  pv_store_free(s);
}

/* A move leads to the same state as setting its leaves, wherever it begins. */
static void moves(void **state) {
  (void)state;
  struct pv_store *s = pv_store_new();
  struct pv_tuple t = {0}, plain = {0};
  struct model ignored;
  bool is_new, was_new;
  uint32_t leaf[10];
  random_state = 3;
  for (uint32_t i = 0; i < 10; i++) leaf[i] = pv_store_leaf(s, &i, sizeof i);
  for (uint32_t p = 0; p < WIDTH; p++) set(&t, p, leaf[p % 10]);
  pv_store_put(s, &t, &is_new);
  for (int step = 0; step < 3000; step++) {
    pv_store_get(s, rnd(pv_store_states(s)), &t, apply, &ignored);
    pv_store_get(s, pv_store_put(s, &t, &is_new), &plain, apply, &ignored);
    struct pv_tuple_change move = {.head = leaf[rnd(3)]};
    for (unsigned h = 0; h < 2; h++) {
      struct pv_leaf_set sets[2] = {{3 + rnd(4), rnd(2) ? leaf[rnd(3)] : 0},
                                    {rnd(3), leaf[rnd(2)]}};
      uint32_t n = rnd(3);
      move.delta[h] = pv_tuple_delta(&t, sets, n);
      for (uint32_t i = 0; i < n; i++) pv_tuple_set(&plain, h, sets[i].at, sets[i].leaf);
    }
    plain.head = move.head;
    struct pv_next next = pv_store_next(s, &t, &move);
    uint32_t id = pv_store_put_next(s, &next, &is_new);
    assert_int_equal(pv_store_put(s, &plain, &was_new), id);
    assert_false(was_new);
    if (rnd(100) == 0) pv_tuple_forget_deltas(&t);
  }
  assert_true(pv_store_states(s) > 300);
  pv_tuple_free(&t);
  pv_tuple_free(&plain);
  pv_store_free(s);
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

/* Heads with large numbers, which do not fit beside the tops, are found and brought back, too. */
static void large_heads(void **state) {
  (void)state;
  enum { HEADS = 40000 };
  struct pv_store *s = pv_store_new();
  struct pv_tuple t = {0};
  struct model now = {0};
  bool is_new;
  for (uint32_t p = 1; p < 5; p++) set(&t, p, pv_store_leaf(s, "x", 1));
  for (int again = 0; again < 2; again++) {
    for (uint32_t i = 0; i < HEADS; i++) {
      t.head = pv_store_leaf(s, &i, sizeof i);
      assert_int_equal(pv_store_put(s, &t, &is_new), i);
      assert_int_equal(is_new, !again);
    }
  }
  for (uint32_t i = 0; i < HEADS; i++) {
    pv_store_get(s, i, &t, apply, &now);
    assert_int_equal(t.head, pv_store_leaf(s, &i, sizeof i));
  }
  pv_tuple_free(&t);
  pv_store_free(s);
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

/* What is written bit by bit, and read again, has the same states under the same numbers. */
static void written_and_read(void **state) {
  (void)state;
  enum { STATES = 3000, PIECES = 7 };
  struct pv_store *s = pv_store_new(), *copy = pv_store_new();
  struct pv_tuple t = {0}, u = {0};
  struct model now = {0}, same = {0};
  struct pv_store_mark mark = {0};
  bool is_new;
  for (uint32_t p = 0; p < 5; p++) set(&t, p, pv_store_leaf(s, "x", 1));
  for (uint32_t i = 0; i < STATES; i++) {
    uint32_t byte = rnd(200), p = 1 + rnd(4);
    uint32_t large[] = {7, rnd(100), 7, 7, i % 90, 7};
    if (!rnd(3)) t.head = pv_store_leaf(s, &i, sizeof i);
    if (!rnd(4)) t.head = pv_store_leaf(s, large, 1 + rnd(sizeof large));
    set(&t, p, pv_store_leaf(s, &byte, 1));
    pv_store_put(s, &t, &is_new);
    if ((i + 1) % (STATES / PIECES) && i + 1 != STATES) continue;
    struct pv_str bytes = {0};
    pv_store_write(s, mark, &bytes);
    mark = pv_store_mark(s);
    struct pv_bytes in = {.at = (const uint8_t *)bytes.at, .n = bytes.n};
    assert_true(pv_store_read(copy, &in));
    assert_int_equal(in.n, 0);
    pv_str_free(&bytes);
  }
  assert_true(pv_store_index(copy));
  assert_int_equal(pv_store_states(copy), pv_store_states(s));
  for (uint32_t id = 0; id < pv_store_states(s); id++) {
    pv_store_get(s, id, &t, apply, &now);
    pv_store_get(copy, id, &u, apply, &same);
    assert_memory_equal(&now, &same, sizeof now);
    assert_int_equal(pv_store_put(copy, &u, &is_new), id);
    assert_false(is_new);
  }
  pv_tuple_free(&t);
  pv_tuple_free(&u);
  pv_store_free(s);
  pv_store_free(copy);
}

/* A state that is there twice is refused, and so is a reference to what is not there. */
static void damaged(void **state) {
  (void)state;
  static const char *const wrong[] = {
      "\0\1\1\0\1x\1\0\0\2\0\0\0\0\0\0", /* twice the same state */
      "\0\1\1\0\1x\1\6\0\0",             /* node 1 refers to node 3 */
      "\0\1\1\0\1x\1\0\0\1\0\0\4",       /* a state refers to node 2 */
      "\1\1\1\0\1x\0\0",                 /* the first leaf is missing */
      "\0\1\2\0\3xxx",                   /* three bytes of two */
  };
  static const size_t sizes[] = {16, 10, 13, 8, 8};
  for (unsigned i = 0; i < 5; i++) {
    struct pv_store *s = pv_store_new();
    struct pv_bytes in = {.at = (const uint8_t *)wrong[i], .n = sizes[i]};
    assert_false(pv_store_read(s, &in) && pv_store_index(s));
    pv_store_free(s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_walks),
                                     cmocka_unit_test(rearranged),
                                     cmocka_unit_test(moves),
                                     cmocka_unit_test(large_heads),
                                     cmocka_unit_test(leaves_keep_their_bytes),
                                     cmocka_unit_test(written_and_read),
                                     cmocka_unit_test(damaged)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
