/* Comparison of small automata against acceptance of all short words; pairs that tell states apart
 * against their definition; fewer states by the SAT solver. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "ltl/small.h"

enum { LETTERS = 5 };

static struct pv_small random_small(uint64_t *lot) {
  struct pv_small s = {.n = 1 + pv_random_below(lot, 4), .classes = 2};
  for (uint32_t q = 0; q < s.n; q++) {
    if (pv_random_below(lot, 2)) s.accepts |= UINT64_C(1) << q;
    for (uint32_t c = 0; c < 2; c++)
      for (uint32_t r = 0; r < s.n; r++)
        if (!pv_random_below(lot, 3)) s.step[c] |= UINT64_C(1) << (PV_SMALL * q + r);
  }
  return s;
}

/* By sets of states, one letter after the other, until the sets of a state at the beginning of the
 * loop, and of whether a state accepted since, repeat. */
static bool accepts(const struct pv_small *s, const struct pv_small_word *w) {
  struct pv_labels labels;
  pv_labels_init(&labels);
  struct pv_buchi a = {.labels = &labels, .marks = 1, .by_state = true};
  uint64_t letters[PV_SMALL_WORD];
  for (uint32_t q = 0; q < s->n; q++) {
    pv_buchi_add(&a);
    for (uint32_t c = 0; c < 2; c++)
      for (uint32_t r = 0; r < s->n; r++)
        if (s->step[c] >> (PV_SMALL * q + r) & 1) {
          struct pv_buchi_transition t = {r, pv_label_prop(&labels, 0, c), s->accepts >> q & 1};
          pv_vec_push(&a.state.at[q].out, t);
        }
  }
  for (uint32_t i = 0; i < w->n; i++) letters[i] = w->letter[i];
  bool is = pv_buchi_accepts(&a, letters, w->n, w->loop);
  pv_buchi_clear(&a);
  pv_labels_free(&labels);
  return is;
}

static bool all_equal(const struct pv_small *a, const struct pv_small *b) {
  for (uint32_t n = 1; n <= LETTERS; n++)
    for (uint32_t loop = 0; loop < n; loop++)
      for (uint32_t bits = 0; bits < 1u << n; bits++) {
        struct pv_small_word w = {.n = n, .loop = loop};
        for (uint32_t i = 0; i < n; i++) w.letter[i] = bits >> i & 1;
        if (accepts(a, &w) != accepts(b, &w)) return false;
      }
  return true;
}

static void compared(void **state) {
  unsigned equal = 0, different = 0;
  (void)state;
  for (uint64_t seed = 0; seed < 150; seed++) {
    uint64_t lot = seed;
    struct pv_small a = random_small(&lot), b = seed % 3 ? random_small(&lot) : a;
    struct pv_small_word w;
    bool differs, first;
    if (seed % 3 == 0 && a.n > 1) b.accepts ^= 2;
    assert_true(pv_small_compare(&a, &b, NULL, &differs, &first, &w));
    if (differs) {
      assert_int_equal(accepts(&a, &w), first);
      assert_int_equal(accepts(&b, &w), !first);
    } else {
      assert_true(all_equal(&a, &b));
    }
    equal += !differs;
    different += differs;
  }
  assert_true(equal >= 20 && different >= 20);
}

/* The word of the middle of one and the rest of the other. */
static struct pv_small_word exchanged(const struct pv_small_pair *a,
                                      const struct pv_small_pair *b) {
  struct pv_small_word w = {.n = a->middle};
  memcpy(w.letter, a->word.letter, a->middle);
  for (uint32_t i = b->middle; i < b->word.n; i++) w.letter[w.n++] = b->word.letter[i];
  w.loop = a->middle + b->word.loop - b->middle;
  return w;
}

static void told_apart(void **state) {
  unsigned all = 0;
  (void)state;
  for (uint64_t seed = 0; seed < 200; seed++) {
    uint64_t lot = seed;
    struct pv_small a = random_small(&lot);
    struct pv_small_pair pairs[PV_SMALL];
    uint32_t n = pv_small_pairs(&a, seed % 2, NULL, pairs);
    assert_true(n <= a.n);
    if (n && seed % 2) assert_int_equal(pairs[0].middle, 0);
    all += n == a.n;
    for (uint32_t i = 0; i < n; i++) {
      assert_true(accepts(&a, &pairs[i].word));
      for (uint32_t k = 0; k < i; k++) {
        struct pv_small_word u = exchanged(&pairs[i], &pairs[k]),
                             w = exchanged(&pairs[k], &pairs[i]);
        assert_false(accepts(&a, &u) && accepts(&a, &w));
      }
    }
  }
  assert_true(all >= 40);
}

/* least: what is proved; states: what is found. */
static void check_size(const char *text, uint32_t states, uint32_t least) {
  struct pv_ltl l;
  struct pv_labels labels;
  struct pv_buchi a;
  struct pv_str err = {0};
  pv_formula f;
  uint32_t needed;
  pv_ltl_init(&l);
  pv_labels_init(&labels);
  assert_int_equal(pv_ltl_parse(&l, text, &f, &err), PV_OK);
  assert_int_equal(pv_ltl_buchi(&l, &labels, f, true, &a), PV_OK);
  assert_int_equal(pv_buchi_minimise(&a, &needed), states == least);
  assert_int_equal(a.state.n, states);
  assert_int_equal(needed, least);
  pv_buchi_clear(&a);
  pv_labels_free(&labels);
  pv_ltl_free(&l);
}

static void minimised(void **state) {
  (void)state;
  check_size("[] p", 1, 1);
  check_size("<> p", 2, 2);
  check_size("[] <> p -> [] <> q", 2, 2); /* 3 by simulation and merging */
  check_size("[] <> p && <> [] !q", 3, 3);
  check_size("<> p && <> !p", 3, 3); /* 4 */
  check_size("p U (q U r)", 3, 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(compared), cmocka_unit_test(told_apart),
                                     cmocka_unit_test(minimised)};
  return cmocka_run_group_tests_name("small", tests, NULL, NULL);
}
