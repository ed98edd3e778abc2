#include "condition/algebra.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

#include "base/random.h"
#include "condition/compare.h"
#include "condition/transitions.h"

/* The laws hold for all executions: here all words up to a length over a few letters, the last of
 * which no automaton mentions. */
enum { LETTERS = 4, LENGTH = 5, SEEDS = 3000 };

static uint64_t lot;

static uint32_t below(uint32_t n) {
  return (uint32_t)(pv_random(&lot) % n);
}

static struct pv_open_part random_automaton(uint32_t otherwise) {
  struct pv_open_part p = {.kind = PV_OPEN_AUTOMATON,
                           .states = PV_AUTOMATON_FIRST + 1 + below(4),
                           .otherwise = otherwise};
  for (uint32_t from = PV_AUTOMATON_FIRST; from < p.states; from++)
    for (uint32_t edge = 0; edge + 1 < LETTERS; edge++) {
      struct pv_automaton_move m = {.from = from, .to = below(p.states), .edge = edge};
      if (below(4)) pv_vec_push(&p.moves, m);
    }
  return p;
}

/* Where a word leads to: a sink stays as it is. */
static uint32_t run(const struct pv_transitions *x, const uint32_t *word, uint32_t n) {
  uint32_t state = PV_AUTOMATON_FIRST;
  for (uint32_t i = 0; i < n && state >= PV_AUTOMATON_FIRST; i++)
    state = pv_transitions_next(x, state, &(struct pv_automaton_move){.edge = word[i]});
  return state;
}

static bool next_word(uint32_t *word, uint32_t *n) {
  uint32_t i = 0;
  for (; i < *n && ++word[i] == LETTERS; i++) word[i] = 0;
  if (i < *n) return true;
  word[(*n)++] = 0;
  return *n <= LENGTH;
}

/* Counts the words that each of the sets has, and checks the law for each word. */
struct law {
  struct pv_transitions x[3];
  bool (*holds)(const uint32_t *state);
};

static uint32_t check(struct law *law, uint32_t parts, const struct pv_open_part *const *p) {
  uint32_t word[LENGTH + 1] = {0}, n = 0, open = 0;
  memset(law->x, 0, sizeof law->x);
  for (uint32_t i = 0; i < parts; i++) pv_transitions_read(&law->x[i], p[i]);
  do {
    uint32_t state[3] = {0};
    for (uint32_t i = 0; i < parts; i++) state[i] = run(&law->x[i], word, n);
    assert_true(law->holds(state));
    open += state[parts - 1] == PV_AUTOMATON_OPEN;
  } while (next_word(word, &n));
  for (uint32_t i = 0; i < parts; i++) pv_transitions_free(&law->x[i]);
  return open;
}

static bool is_open(uint32_t state) {
  return state == PV_AUTOMATON_OPEN;
}
static bool is_verified(uint32_t state) {
  return state == PV_AUTOMATON_VERIFIED;
}

static bool open_in_both(const uint32_t *s) {
  bool looked_at = !is_verified(s[0]) && !is_verified(s[1]);
  return is_open(s[2]) == (is_open(s[0]) && is_open(s[1])) && (looked_at || is_verified(s[2]));
}

static bool open_in_one(const uint32_t *s) {
  bool looked_at = !is_verified(s[0]) || !is_verified(s[1]);
  return is_open(s[2]) == (is_open(s[0]) || is_open(s[1])) && looked_at == !is_verified(s[2]);
}

static bool the_rest(const uint32_t *s) {
  return is_open(s[1]) == is_verified(s[0]) && is_verified(s[1]) == is_open(s[0]);
}

static bool the_same(const uint32_t *s) {
  return is_open(s[0]) == is_open(s[1]) && is_verified(s[0]) == is_verified(s[1]);
}

static void a_product_is_open_in_both(void **state) {
  (void)state;
  struct law law = {.holds = open_in_both};
  uint32_t some = 0, empty = 0;
  for (lot = 1; lot < SEEDS; lot++) {
    uint64_t seed = lot;
    uint32_t otherwise = below(2);
    struct pv_open_part a = random_automaton(otherwise), b = random_automaton(otherwise), p = {0};
    assert_true(pv_open_part_product(&a, &b, &p));
    uint32_t open = check(&law, 3, (const struct pv_open_part *[]){&a, &b, &p});
    some += open > 0;
    empty += pv_open_part_is_empty(&p);
    if (pv_open_part_is_empty(&p)) assert_int_equal(open, 0);
    assert_true(pv_open_part_measure(&p, NULL) <= 1);
    assert_int_equal(pv_open_part_is_empty(&p), pv_open_part_measure(&p, NULL) == 0);
    pv_open_part_clear(&a);
    pv_open_part_clear(&b);
    pv_open_part_clear(&p);
    lot = seed;
  }
  assert_true(some > SEEDS / 3 && empty > SEEDS / 50);
}

static void a_union_is_open_in_one(void **state) {
  (void)state;
  struct law law = {.holds = open_in_one};
  for (lot = 1; lot < SEEDS; lot++) {
    uint64_t seed = lot;
    uint32_t otherwise = below(2);
    struct pv_open_part a = random_automaton(otherwise), b = random_automaton(otherwise), u = {0};
    assert_true(pv_open_part_union(&a, &b, &u));
    check(&law, 3, (const struct pv_open_part *[]){&a, &b, &u});
    pv_open_part_clear(&a);
    pv_open_part_clear(&b);
    pv_open_part_clear(&u);
    lot = seed;
  }
}

static void a_complement_is_the_rest(void **state) {
  (void)state;
  struct law rest = {.holds = the_rest}, same = {.holds = the_same};
  for (lot = 1; lot < SEEDS; lot++) {
    uint64_t seed = lot;
    struct pv_open_part a = random_automaton(below(2)), c = pv_open_part_complement(&a),
                        again = pv_open_part_complement(&c), none = {0};
    check(&rest, 2, (const struct pv_open_part *[]){&a, &c});
    check(&same, 2, (const struct pv_open_part *[]){&a, &again});
    double both = pv_open_part_measure(&a, NULL) + pv_open_part_measure(&c, NULL);
    assert_true(both > 1 - 1e-6 && both < 1 + 1e-6);
    if (pv_open_part_product(&a, &a, &none)) { /* with itself */
      struct law is = {.holds = open_in_both};
      check(&is, 3, (const struct pv_open_part *[]){&a, &a, &none});
    }
    pv_open_part_clear(&a);
    pv_open_part_clear(&c);
    pv_open_part_clear(&again);
    pv_open_part_clear(&none);
    lot = seed;
  }
}

/* The second one says `open` of what it does not mention, the first one `verified`. */
static bool open_in_both_or_in_the_first(const uint32_t *s) {
  if (is_open(s[0]) && is_open(s[1]) && !is_open(s[2])) return false;
  if (is_open(s[2]) && !is_open(s[0])) return false;
  return !(is_verified(s[0]) || is_verified(s[1])) || is_verified(s[2]) || is_open(s[2]);
}

static void some_products_are_larger(void **state) {
  (void)state;
  struct law law = {.holds = open_in_both_or_in_the_first};
  uint32_t empty = 0;
  for (lot = 1; lot < SEEDS; lot++) {
    uint64_t seed = lot;
    struct pv_open_part a = random_automaton(0), b = random_automaton(1), p = {0}, u = {0};
    struct pv_open_part c = pv_open_part_complement(&a), none = {0};
    assert_true(pv_open_part_product(&a, &b, &p));
    check(&law, 3, (const struct pv_open_part *[]){&a, &b, &p});
    assert_false(pv_open_part_union(&a, &b, &u));
    assert_int_equal(u.moves.n, 0);
    assert_true(pv_open_part_product(&a, &c, &none)); /* with its own complement */
    empty += pv_open_part_is_empty(&none);
    pv_open_part_clear(&a);
    pv_open_part_clear(&b);
    pv_open_part_clear(&c);
    pv_open_part_clear(&p);
    pv_open_part_clear(&none);
    lot = seed;
  }
  assert_int_equal(empty, SEEDS - 1);
}

static void frontiers_have_a_measure(void **state) {
  (void)state;
  struct pv_open_part f = {.kind = PV_OPEN_FRONTIER};
  assert_true(pv_open_part_is_empty(&f));
  /* The root has two children; one is open, and so is the child of the other one, and itself. */
  static const struct pv_prefix tree[] = {{.depth = 0},
                                          {.depth = 1, .choice = {0, 0}, .is_open = 1},
                                          {.depth = 1, .choice = {1, 0}},
                                          {.depth = 2, .choice = {0, 0}},
                                          {.depth = 2, .choice = {1, 0}, .is_open = 1}};
  for (size_t i = 0; i < sizeof tree / sizeof *tree; i++) pv_vec_push(&f.prefixes, tree[i]);
  assert_false(pv_open_part_is_empty(&f));
  assert_true(pv_open_part_measure(&f, NULL) == 0.75);
  pv_open_part_clear(&f);
  /* A deep search leaves a path of many prefixes: with quadratic time this takes minutes. */
  for (uint32_t depth = 0; depth < 1000000; depth++) {
    pv_vec_push(&f.prefixes, (struct pv_prefix){.depth = depth});
    pv_vec_last(&f.prefixes).is_open = depth == 1 || depth == 999999;
  }
  assert_true(pv_open_part_measure(&f, NULL) == 1);
  pv_open_part_clear(&f);
  struct pv_open_part bound = {.kind = PV_OPEN_BOUND};
  assert_true(pv_open_part_measure(&bound, NULL) < 0);
}

/* ---- conditions ------------------------------------------------------------------------------ */
enum {
  REACH = PV_PROP_BIT(PV_PROP_UNREACH_CALL),
  LOCKS = PV_PROP_BIT(PV_PROP_NO_DEADLOCK),
  BOTH = REACH | LOCKS
};

static struct pv_condition random_condition(const char *name) {
  struct pv_condition c = {0};
  pv_properties about = below(3) ? 0 : below(2) ? REACH : LOCKS;
  if (below(2))
    pv_condition_add(&c, PV_PROVISO_UNMODELLED, NULL, 0, "%s assumes %u", name, below(2));
  if (!below(5)) return c;
  pv_condition_add(&c, PV_PROVISO_TIME, NULL, 0, "%s is open", name)->about = about;
  if (below(5)) pv_condition_open(&c, random_automaton(0));
  return c;
}

/* Is the word open for the property? Assumptions do not count. */
static bool leaves_open(const struct pv_condition *c, pv_properties property, const uint32_t *word,
                        uint32_t n) {
  if (pv_condition_openness_of(c, property) == PV_OPEN_EVERYTHING) return true;
  for (uint32_t i = 0; i < c->provisos.n; i++) {
    const struct pv_proviso *p = &c->provisos.at[i];
    if (!p->part || !pv_proviso_concerns(p, property)) continue;
    struct pv_transitions x = {0};
    pv_transitions_read(&x, &c->parts.at[p->part - 1]);
    bool open = is_open(run(&x, word, n));
    pv_transitions_free(&x);
    if (open) return true;
  }
  return false;
}

static void a_product_of_conditions_is_open_in_both(void **state) {
  (void)state;
  for (lot = 1; lot < 150; lot++) {
    uint64_t seed = lot;
    struct pv_condition a = random_condition("a"), b = random_condition("b"), c = {0}, d = {0};
    uint32_t word[LENGTH + 1] = {0}, n = 0;
    pv_condition_product(&a, &b, BOTH, &c);
    pv_condition_product(&b, &a, BOTH, &d);
    assert_true(pv_condition_is_valid(&c));
    do {
      for (uint32_t p = 0; p < 2; p++) {
        pv_properties property = p ? LOCKS : REACH;
        bool wanted = leaves_open(&a, property, word, n) && leaves_open(&b, property, word, n);
        assert_int_equal(leaves_open(&c, property, word, n), wanted);
        assert_int_equal(leaves_open(&d, property, word, n), wanted);
      }
    } while (next_word(word, &n) && n < LENGTH);
    /* It says no less than either, but for what the other one assumes. */
    if (!a.provisos.n || !b.provisos.n) assert_int_equal(c.provisos.n, 0);
    pv_condition_clear(&a);
    pv_condition_clear(&b);
    pv_condition_clear(&c);
    pv_condition_clear(&d);
    lot = seed;
  }
}

static void a_complement_keeps_what_is_assumed(void **state) {
  (void)state;
  lot = 3;
  struct pv_condition c = {0}, d = {0}, e = {0};
  assert_false(pv_condition_complement(&c, &d));
  pv_condition_add(&c, PV_PROVISO_UNMODELLED, NULL, 0, "`f` is not called");
  pv_condition_add(&c, PV_PROVISO_TIME, NULL, 0, "the rest has no error");
  pv_condition_open(&c, random_automaton(1));
  assert_true(pv_condition_complement(&c, &d));
  assert_int_equal(d.provisos.n, 3);
  assert_int_equal(d.parts.at[0].otherwise, PV_AUTOMATON_VERIFIED);
  assert_true(pv_condition_complement(&d, &e));
  assert_int_equal(pv_condition_compare(&c, &e, REACH), PV_WEAKER); /* it assumes less */
  pv_condition_add(&c, PV_PROVISO_OBSERVER, NULL, 0, "%s", d.provisos.at[1].sentence);
  assert_int_equal(pv_condition_compare(&c, &e, REACH), PV_EQUAL);
  c.provisos.at[1].about = REACH;
  pv_condition_clear(&e);
  e = (struct pv_condition){0};
  assert_false(pv_condition_complement(&c, &e));
  pv_condition_clear(&c);
  pv_condition_clear(&d);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_product_is_open_in_both),
      cmocka_unit_test(a_union_is_open_in_one),
      cmocka_unit_test(a_complement_is_the_rest),
      cmocka_unit_test(some_products_are_larger),
      cmocka_unit_test(frontiers_have_a_measure),
      cmocka_unit_test(a_product_of_conditions_is_open_in_both),
      cmocka_unit_test(a_complement_keeps_what_is_assumed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
