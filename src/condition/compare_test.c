#include "condition/compare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

#include "base/random.h"

enum { ABOUT = PV_PROP_BIT(PV_PROP_UNREACH_CALL) };

static struct pv_condition with(struct pv_open_part part) {
  struct pv_condition c = {0};
  pv_condition_add(&c, PV_PROVISO_TIME, NULL, 0, "what was left has no error");
  pv_condition_open(&c, part);
  return c;
}

/* Compares both ways, and frees. */
static void check(struct pv_condition a, struct pv_condition b, enum pv_relation wanted) {
  static const enum pv_relation inverse[] = {[PV_WEAKER] = PV_STRONGER,
                                             [PV_STRONGER] = PV_WEAKER,
                                             [PV_EQUAL] = PV_EQUAL,
                                             [PV_INCOMPARABLE] = PV_INCOMPARABLE,
                                             [PV_UNDECIDED] = PV_UNDECIDED};
  assert_int_equal(pv_condition_compare(&a, &b, ABOUT), wanted);
  assert_int_equal(pv_condition_compare(&b, &a, ABOUT), inverse[wanted]);
  assert_int_equal(pv_condition_compare(&a, &a, ABOUT), PV_EQUAL);
  pv_condition_clear(&a);
  pv_condition_clear(&b);
}

static struct pv_condition bound(enum pv_bound_kind kind, uint64_t n) {
  return with((struct pv_open_part){.kind = PV_OPEN_BOUND, .bound = kind, .number = n});
}

static void bounds(void **state) {
  (void)state;
  check(bound(PV_BOUND_UNWINDING, 7), bound(PV_BOUND_UNWINDING, 5), PV_WEAKER);
  check(bound(PV_BOUND_DEPTH, 7), bound(PV_BOUND_DEPTH, 7), PV_EQUAL);
  check(bound(PV_BOUND_DEPTH, 7), bound(PV_BOUND_RECURSION, 7), PV_INCOMPARABLE);
}

static void properties(void **state) {
  (void)state;
  enum { LOCKS = PV_PROP_BIT(PV_PROP_NO_DEADLOCK), BOTH = ABOUT | LOCKS };
  struct pv_condition a = bound(PV_BOUND_DEPTH, 7), b = bound(PV_BOUND_DEPTH, 7);
  a.provisos.at[0].about = LOCKS;
  assert_int_equal(pv_condition_compare(&a, &b, BOTH), PV_WEAKER);
  assert_int_equal(pv_condition_compare(&b, &a, BOTH), PV_STRONGER);
  assert_int_equal(pv_condition_compare(&a, &b, LOCKS), PV_EQUAL);
  b.provisos.at[0].about = ABOUT;
  assert_int_equal(pv_condition_compare(&a, &b, BOTH), PV_INCOMPARABLE);
  a.provisos.at[0].about = b.provisos.at[0].about = BOTH;
  assert_int_equal(pv_condition_compare(&a, &b, BOTH), PV_EQUAL);
  pv_condition_clear(&a);
  pv_condition_clear(&b);
}

static struct pv_condition tried(uint64_t low, uint64_t high, uint64_t one) {
  struct pv_open_part p = {.kind = PV_OPEN_INPUTS, .function = 1};
  pv_vec_push(&p.tried, ((struct pv_value_range){low, high}));
  pv_vec_push(&p.tried, ((struct pv_value_range){one, one}));
  return with(p);
}

static void inputs(void **state) {
  (void)state;
  check(tried(1, 9, 20), tried(2, 9, 20), PV_WEAKER);
  check(tried(1, 9, 20), tried(1, 3, 5), PV_WEAKER);
  check(tried(1, 9, 20), tried(1, 9, 21), PV_INCOMPARABLE);
}

/* Prefixes as words of "depth thread open", and for each the thread that sleeps, or 9. */
static struct pv_condition frontier(uint32_t n, const uint32_t (*x)[4]) {
  struct pv_open_part p = {.kind = PV_OPEN_FRONTIER};
  for (uint32_t i = 0; i < n; i++) {
    struct pv_prefix f = {.depth = x[i][0], .choice.thread = x[i][1], .is_open = x[i][2]};
    f.sleeping = x[i][3] != 9;
    if (f.sleeping) pv_vec_push(&p.sleeping, ((struct pv_choice){.thread = x[i][3]}));
    pv_vec_push(&p.prefixes, f);
  }
  return with(p);
}

static void frontiers(void **state) {
  static const uint32_t all[][4] = {{0, 0, 1, 9}}, asleep[][4] = {{0, 0, 1, 1}},
                        both[][4] = {{0, 0, 0, 9}, {1, 0, 1, 9}, {1, 1, 1, 9}},
                        one[][4] = {{0, 0, 0, 9}, {1, 1, 1, 9}},
                        other[][4] = {{0, 0, 0, 9}, {1, 0, 1, 9}},
                        deep[][4] = {{0, 0, 0, 9}, {1, 1, 0, 9}, {2, 0, 1, 9}};
  (void)state;
  check(frontier(1, asleep), frontier(1, all), PV_WEAKER);
  check(frontier(2, one), frontier(3, both), PV_WEAKER);
  check(frontier(3, deep), frontier(2, one), PV_UNDECIDED); /* all of `one` may go there */
  check(frontier(2, one), frontier(2, other), PV_INCOMPARABLE);
  check(frontier(1, all), bound(PV_BOUND_DEPTH, 3), PV_UNDECIDED);
}

/* ---- automata, against all their words ------------------------------------------------------- */
enum { STATES = 4, LETTERS = 2, LONGEST = 12 };

static struct pv_open_part random_automaton(uint64_t *seed) {
  struct pv_open_part p = {.kind = PV_OPEN_AUTOMATON,
                           .states = PV_AUTOMATON_FIRST + STATES,
                           .otherwise = PV_AUTOMATON_VERIFIED};
  for (uint32_t s = 0; s < STATES; s++)
    for (uint32_t edge = 0; edge < LETTERS; edge++) {
      struct pv_automaton_move m = {.from = PV_AUTOMATON_FIRST + s, .edge = edge};
      m.to = (uint32_t)(pv_random(seed) % (PV_AUTOMATON_FIRST + STATES));
      if (m.to != p.otherwise) pv_vec_push(&p.moves, m);
    }
  return p;
}

static uint32_t run(const struct pv_open_part *p, uint32_t word) {
  uint32_t state = PV_AUTOMATON_FIRST;
  for (uint32_t i = 0; i < LONGEST && state >= PV_AUTOMATON_FIRST; i++) {
    uint32_t to = p->otherwise;
    for (uint32_t k = 0; k < p->moves.n; k++)
      if (p->moves.at[k].from == state && p->moves.at[k].edge == (word >> i & 1))
        to = p->moves.at[k].to;
    state = to;
  }
  return state;
}

/* If `a` leaves no more open than `b`, no word is open in `a` and verified in `b`. */
static void automata(void **state) {
  uint64_t seed = 7;
  uint32_t decided = 0;
  (void)state;
  for (uint32_t i = 0; i < 3000; i++) {
    struct pv_condition a = with(random_automaton(&seed)), b = with(random_automaton(&seed));
    enum pv_relation r = pv_condition_compare(&a, &b, ABOUT);
    bool more = false, less = false;
    for (uint32_t word = 0; word < 1u << LONGEST; word += 1 + (i % 3 != 0) * 16) {
      uint32_t x = run(&a.parts.at[0], word), y = run(&b.parts.at[0], word);
      more |= x == PV_AUTOMATON_OPEN && y == PV_AUTOMATON_VERIFIED;
      less |= y == PV_AUTOMATON_OPEN && x == PV_AUTOMATON_VERIFIED;
    }
    if (r == PV_WEAKER || r == PV_EQUAL) assert_false(more);
    if (r == PV_STRONGER || r == PV_EQUAL) assert_false(less);
    decided += r != PV_INCOMPARABLE && r != PV_UNDECIDED;
    pv_condition_clear(&a);
    pv_condition_clear(&b);
  }
  assert_in_range(decided, 300, 3000);
}

static void assumptions(void **state) {
  (void)state;
  struct pv_condition none = {0}, some = {0}, more = {0}, open = bound(PV_BOUND_DEPTH, 3);
  pv_condition_add(&some, PV_PROVISO_UNMODELLED, NULL, 0, "`f` is never called");
  pv_condition_add(&more, PV_PROVISO_UNMODELLED, NULL, 0, "`f` is never called");
  pv_condition_add(&more, PV_PROVISO_UNMODELLED, NULL, 0, "`g` is never called");
  assert_int_equal(pv_condition_compare(&none, &some, ABOUT), PV_WEAKER);
  assert_int_equal(pv_condition_compare(&more, &some, ABOUT), PV_STRONGER);
  assert_int_equal(pv_condition_compare(&none, &open, ABOUT), PV_WEAKER);
  assert_int_equal(pv_condition_compare(&some, &open, ABOUT), PV_INCOMPARABLE);
  pv_condition_clear(&some);
  pv_condition_clear(&more);
  pv_condition_clear(&open);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bounds),   cmocka_unit_test(properties),
                                     cmocka_unit_test(inputs),   cmocka_unit_test(frontiers),
                                     cmocka_unit_test(automata), cmocka_unit_test(assumptions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
