/* Translation of formulas: automata against the semantics on random words, against those of the
 * negated formulas, against SPIN where it is installed; sizes on the formulas of the literature.
 * PROVISO_SEEDS=FROM-TO in the environment: these random formulas instead of the short sample;
 * PROVISO_TABLE=1: the table of sizes. */
#include "ltl/automaton.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/random.h"
#include "ltl/formulas_test.h"

enum { PROPS = 3, LETTERS = 6, WORDS = 60 };

/* ---- random formulas --------------------------------------------------------------------------
 */
static pv_formula random_formula(struct pv_ltl *l, uint64_t *lot, unsigned depth) {
  if (!depth || !pv_random_below(lot, 6)) {
    uint32_t number = pv_random_below(lot, PROPS);
    return pv_ltl_prop(l, number, pv_random_below(lot, 2));
  }
  pv_formula a = random_formula(l, lot, depth - 1);
  switch (pv_random_below(lot, 8)) {
  case 0: return pv_ltl_next(l, a);
  case 1: return pv_ltl_finally(l, a);
  case 2: return pv_ltl_globally(l, a);
  case 3: return pv_ltl_not(l, a);
  default: break;
  }
  pv_formula b = random_formula(l, lot, depth - 1);
  switch (pv_random_below(lot, 4)) {
  case 0: return pv_ltl_and(l, a, b);
  case 1: return pv_ltl_or(l, a, b);
  case 2: return pv_ltl_until(l, a, b);
  default: return pv_ltl_release(l, a, b);
  }
}

struct subject { /* a formula as it was built, and what we make of it */
  struct pv_ltl plain, simple;
  pv_formula as_built, f;
  struct pv_labels labels;
  struct pv_buchi raw, general, buchi, negated;
};

static void make(struct subject *s, uint64_t seed) {
  uint64_t lot = seed, again = seed;
  pv_ltl_init(&s->plain);
  pv_ltl_init(&s->simple);
  pv_labels_init(&s->labels);
  s->plain.plain = true;
  for (uint32_t i = 0; i < PROPS; i++) {
    const char name[] = {'p', (char)('0' + i)};
    pv_ltl_name(&s->plain, name, 2);
    pv_ltl_name(&s->simple, name, 2);
  }
  unsigned depth = 2 + (unsigned)(seed % 3);
  s->as_built = random_formula(&s->plain, &lot, depth);
  s->f = random_formula(&s->simple, &again, depth);
  pv_formula not = pv_ltl_not(&s->simple, s->f);
  assert_int_equal(pv_ltl_translate(&s->simple, &s->labels, s->f, seed % 2, 5000, &s->raw), PV_OK);
  assert_int_equal(pv_ltl_buchi(&s->simple, &s->labels, s->f, false, &s->general), PV_OK);
  assert_int_equal(pv_ltl_buchi(&s->simple, &s->labels, s->f, true, &s->buchi), PV_OK);
  assert_int_equal(pv_ltl_buchi(&s->simple, &s->labels, not, false, &s->negated), PV_OK);
}

static void unmake(struct subject *s) {
  pv_buchi_clear(&s->raw);
  pv_buchi_clear(&s->general);
  pv_buchi_clear(&s->buchi);
  pv_buchi_clear(&s->negated);
  pv_labels_free(&s->labels);
  pv_ltl_free(&s->plain);
  pv_ltl_free(&s->simple);
}

/* Does everything agree about a random word? */
static bool agrees(const struct subject *s, uint64_t *lot) {
  uint64_t letter[LETTERS];
  uint32_t n = 1 + pv_random_below(lot, LETTERS), loop = pv_random_below(lot, n);
  for (uint32_t i = 0; i < n; i++) letter[i] = pv_random_below(lot, 1u << PROPS);
  bool holds = pv_ltl_holds(&s->plain, s->as_built, letter, n, loop);
  return pv_ltl_holds(&s->simple, s->f, letter, n, loop) == holds &&
         pv_buchi_accepts(&s->raw, letter, n, loop) == holds &&
         pv_buchi_accepts(&s->general, letter, n, loop) == holds &&
         pv_buchi_accepts(&s->buchi, letter, n, loop) == holds &&
         pv_buchi_accepts(&s->negated, letter, n, loop) != holds;
}

static void random_formulas(void **state) {
  (void)state;
  unsigned from = 0, to = 1500;
  const char *given = getenv("PROVISO_SEEDS");
  if (given) assert_int_equal(sscanf(given, "%u-%u", &from, &to), 2);
  for (unsigned seed = from; seed < to; seed++) {
    struct subject s;
    uint64_t lot = seed + UINT64_C(1000003);
    make(&s, seed);
    bool right = !pv_buchi_meet(&s.buchi, &s.negated);
    for (unsigned i = 0; i < WORDS && right; i++) right = agrees(&s, &lot);
    if (!right) {
      struct pv_str text = {0};
      pv_ltl_print(&s.plain, s.as_built, &text);
      fail_msg("seed %u: %s", seed, pv_str_cstr(&text));
    }
    unmake(&s);
  }
}

/* ---- sizes ------------------------------------------------------------------------------------
 */
/* least: at least so many states are needed; or NULL */
static uint32_t size_of(const char *text, bool negated, uint32_t *least) {
  struct pv_ltl l;
  struct pv_labels labels;
  struct pv_buchi a;
  struct pv_str err = {0};
  pv_formula f;
  pv_ltl_init(&l);
  pv_labels_init(&labels);
  assert_int_equal(pv_ltl_parse(&l, text, &f, &err), PV_OK);
  if (negated) f = pv_ltl_not(&l, f);
  assert_int_equal(pv_ltl_buchi(&l, &labels, f, true, &a), PV_OK);
  uint32_t states = a.state.n;
  if (least) pv_buchi_minimise(&a, least);
  pv_buchi_clear(&a);
  pv_labels_free(&labels);
  pv_ltl_free(&l);
  return states;
}

static void standard_sizes(void **state) {
  (void)state;
  uint32_t n = sizeof standard_formulas / sizeof *standard_formulas, sum[2] = {0}, needed[2] = {0};
  bool table = getenv("PROVISO_TABLE") != NULL;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t own[2], least[2] = {0};
    for (int negated = 0; negated < 2; negated++) {
      own[negated] = size_of(standard_formulas[i], negated, table ? &least[negated] : NULL);
      sum[negated] += own[negated];
      needed[negated] += least[negated];
      assert_true(least[negated] <= own[negated]);
    }
    if (table)
      printf("%3u %3u %3u %3u  %s\n", own[0], least[0], own[1], least[1], standard_formulas[i]);
  }
  if (table) printf("%3u %3u %3u %3u  all\n", sum[0], needed[0], sum[1], needed[1]);
  assert_int_equal(n, 94);
  assert_true(sum[0] <= 323);
  assert_true(sum[1] <= 340);
}

/* ---- SPIN -------------------------------------------------------------------------------------
 */
/* The never claim of a formula without X, read back as an automaton. false: SPIN does not answer in
 * time. */
struct claim {
  struct pv_ltl *l;
  struct pv_labels *labels;
  struct pv_buchi a;
  struct pv_map states;
};

static uint32_t claim_state(struct claim *c, const char *name, size_t n) {
  bool is_new;
  char *key = pv_format("%.*s", (int)n, name);
  uint32_t q = *pv_map_put_str(&c->states, key, c->a.state.n, &is_new);
  free(key);
  if (is_new) pv_buchi_add(&c->a);
  return q;
}

static pv_label label_of(struct claim *c, pv_formula f) {
  const struct pv_ltl_node x = *pv_ltl_at(c->l, f);
  if (x.op == PV_LTL_TRUE) return PV_LABEL_ANY;
  if (x.op == PV_LTL_FALSE) return PV_LABEL_NONE;
  if (x.op <= PV_LTL_NOT) return pv_label_prop(c->labels, x.first, x.op == PV_LTL_IS);
  pv_label sum = x.op == PV_LTL_AND ? PV_LABEL_ANY : PV_LABEL_NONE;
  for (uint32_t i = 0; i < x.n; i++) {
    pv_label k = label_of(c, pv_ltl_kid(c->l, f, i));
    sum = x.op == PV_LTL_AND ? pv_label_and(c->labels, sum, k) : pv_label_or(c->labels, sum, k);
  }
  return sum;
}

static void add_move(struct claim *c, uint32_t q, bool accepting, const char *line) {
  struct pv_buchi_transition t = {.label = PV_LABEL_ANY, .marks = accepting};
  const char *go = strstr(line, "goto "), *arrow = strstr(line, " -> ");
  if (!go) { /* atomic { CONDITION -> assert(...) }: from there on everything is accepted */
    line = strchr(line, '{') + 1;
    go = "goto accept_all";
  }
  char *condition = pv_format("%.*s", (int)(arrow - line), line);
  struct pv_str err = {0};
  pv_formula f;
  assert_int_equal(pv_ltl_parse(c->l, condition, &f, &err), PV_OK);
  t.label = label_of(c, f);
  t.to = claim_state(c, go + 5, strcspn(go + 5, "\n"));
  pv_vec_push(&c->a.state.at[q].out, t);
  free(condition);
}

static bool ask_spin(struct claim *c, const char *formula) {
  char *command = pv_format("cd /tmp && timeout 1 spin -f '%s' 2>/dev/null", formula);
  FILE *in = popen(command, "r");
  char line[20000];
  uint32_t q = 0;
  bool accepting = false, ended = false, named = true; /* named: the state's labels come */
  free(command);
  c->a = (struct pv_buchi){.labels = c->labels, .marks = 1, .by_state = true};
  claim_state(c, "the first one", 13);
  uint32_t all = claim_state(c, "accept_all", 10);
  pv_vec_push(&c->a.state.at[all].out, ((struct pv_buchi_transition){all, PV_LABEL_ANY, 1}));
  while (fgets(line, sizeof line, in)) {
    char *text = line + strspn(line, " \t"), *colon = strchr(text, ':');
    if (*text == ':') {
      add_move(c, q, accepting, text + 2 + strspn(text + 2, " \t"));
      named = false;
    } else if (colon && (*text == 'T' || *text == 'a')) {
      *colon = '\0';
      if (named) *pv_map_put_str(&c->states, text, q, NULL) = q;
      accepting = (named && accepting) || !strncmp(text, "accept", 6);
      if (!named) q = claim_state(c, text, strlen(text));
      named = true;
    }
    ended |= *text == '}';
  }
  return pclose(in) == 0 && ended;
}

static void against_spin(void **state) {
  (void)state;
  if (system("command -v spin >/dev/null 2>&1") != 0) skip();
  unsigned answered = 0;
  for (uint64_t seed = 0; seed < 40; seed++) {
    struct subject s;
    struct claim c = {0};
    struct pv_str text = {0};
    make(&s, seed);
    c.l = &s.simple;
    c.labels = &s.labels;
    pv_ltl_print(&s.plain, s.as_built, &text);
    bool next = pv_ltl_has_next(&s.plain, s.as_built);
    if (!next && text.n < 60 && ask_spin(&c, pv_str_cstr(&text))) {
      answered++;
      if (pv_buchi_meet(&c.a, &s.negated)) fail_msg("too large: %s", pv_str_cstr(&text));
      for (unsigned i = 0; i < WORDS; i++) {
        uint64_t letter[LETTERS], lot = seed * WORDS + i;
        uint32_t n = 1 + pv_random_below(&lot, LETTERS), loop = pv_random_below(&lot, n);
        for (uint32_t k = 0; k < n; k++) letter[k] = pv_random_below(&lot, 1u << PROPS);
        assert_int_equal(pv_buchi_accepts(&c.a, letter, n, loop),
                         pv_buchi_accepts(&s.buchi, letter, n, loop));
      }
    }
    pv_buchi_clear(&c.a);
    pv_map_free(&c.states);
    pv_str_free(&text);
    unmake(&s);
  }
  assert_true(answered >= 5);
}

/* ---- parsing and printing ---------------------------------------------------------------------
 */
static void check_parsed(const char *text, const char *printed) {
  struct pv_ltl l;
  struct pv_str out = {0};
  pv_formula f;
  pv_ltl_init(&l);
  if (pv_ltl_parse(&l, text, &f, &out) == PV_OK) pv_ltl_print(&l, f, &out);
  assert_string_equal(pv_str_cstr(&out), printed);
  pv_str_free(&out);
  pv_ltl_free(&l);
}

static void parsed(void **state) {
  (void)state;
  check_parsed("[] (req -> <> ack)", "[] (<> ack || !req)");
  check_parsed("G (req ==> F ack)", "[] (<> ack || !req)");
  check_parsed("! (a U b)", "!a V !b");
  check_parsed("a U b U c", "a U (b U c)");
  check_parsed("a W b", "b V (a || b)");
  check_parsed("a M b", "b U (a && b)");
  check_parsed("X X a && b", "X X a && b");
  check_parsed("[] \"x == 1\" || AP(f(y) > 2)", "[] \"x == 1\" || \"f(y) > 2\"");
  check_parsed("a <-> a", "true");
  check_parsed("<> [] <> a", "[] <> a");
  check_parsed("2@critical", "\"2@critical\"");
  check_parsed("[] (a", "formula `[] (a`: a `)` is missing");
  check_parsed("a b", "formula `a b`: an operator is missing: `b`");
  check_parsed("a &&", "formula `a &&`: something is missing at the end");
  check_parsed("a # b", "formula `a # b`: this is no part of a formula: `# b`");
  check_parsed("", "formula ``: something is missing at the end");
}

/* ---- large formulas ---------------------------------------------------------------------------
 */
/* PREFIX p0 JOIN PREFIX p1 JOIN ... */
static char *chain(unsigned n, const char *prefix, const char *join) {
  struct pv_str text = {0};
  for (unsigned i = 0; i < n; i++) pv_str_addf(&text, "%s%sp%u", i ? join : "", prefix, i);
  return text.at;
}

/* Of the chain: is it read, and is there an automaton? *states: of the automaton. */
static enum pv_status try_chain(unsigned n, const char *prefix, const char *join, uint64_t most,
                                struct pv_limits *limits, uint32_t *states) {
  struct pv_ltl l;
  struct pv_labels labels;
  struct pv_buchi a;
  struct pv_str err = {0};
  pv_formula f;
  char *text = chain(n, prefix, join);
  pv_ltl_init(&l);
  pv_labels_init(&labels);
  l.budget.most = most;
  l.budget.limits = limits;
  enum pv_status status = pv_ltl_parse(&l, text, &f, &err);
  if (status == PV_OK) status = pv_ltl_buchi(&l, &labels, f, true, &a);
  if (status == PV_OK) {
    *states = a.state.n;
    pv_buchi_clear(&a);
  }
  if (status == PV_OK) assert_false(l.budget.over);
  assert_int_equal(status == PV_E_INPUT, err.n > 0);
  pv_str_free(&err);
  pv_labels_free(&labels);
  pv_ltl_free(&l);
  free(text);
  return status;
}

static void large_formulas(void **state) {
  enum { STEPS = 1 << 26 };
  struct pv_limits limits = {.seconds = 1e-9};
  uint32_t states = 0;
  (void)state;
  /* Parts are shared, so chains without temporal operators are easy. */
  assert_int_equal(try_chain(16, "", " <-> ", STEPS, NULL, &states), PV_OK);
  assert_int_equal(states, 2);
  assert_int_equal(try_chain(60, "", " <-> ", 0, NULL, &states), PV_OK);
  assert_int_equal(states, 2);
  /* Those of temporal ones grow exponentially. */
  assert_int_equal(try_chain(2, "<> ", " <-> ", STEPS, NULL, &states), PV_OK);
  assert_int_equal(try_chain(16, "<> ", " <-> ", STEPS, NULL, &states), PV_E_LIMIT);
  assert_int_equal(try_chain(16, "[] <> ", " <-> ", STEPS, NULL, &states), PV_E_LIMIT);
  assert_int_equal(try_chain(40, "<> ", " && ", STEPS, NULL, &states), PV_E_LIMIT);
  assert_int_equal(try_chain(20000, "", " <-> ", STEPS, NULL, &states), PV_E_INPUT);
  /* A limit of the run ends it as well. */
  pv_limits_start(&limits);
  assert_int_equal(try_chain(16, "<> ", " <-> ", 0, &limits, &states), PV_E_INPUT);
  assert_int_equal(limits.hit, PV_LIMIT_TIME);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parsed), cmocka_unit_test(random_formulas), cmocka_unit_test(large_formulas),
      cmocka_unit_test(standard_sizes), cmocka_unit_test(against_spin)};
  return cmocka_run_group_tests_name("automaton", tests, NULL, NULL);
}
