/* control_dependence_test.c -- checks the guarantee of the header on random control flow by its
 * definition, the classic relation against its definition, and small cases by hand. */
#include "analysis/analysis_test.h"
#include "analysis/control_dependence.h"

enum { FLOWS = 3000, LOCATIONS = 14 };

struct flow {
  struct pv_program *p;
  const struct pv_function *f;
  uint8_t ends[LOCATIONS + 1];     /* the operation there may end the run */
  uint8_t may_stay[LOCATIONS + 1]; /* the same, or a loop begins there */
  struct pv_control_dependence *c;
};

static void make(struct flow *x, uint64_t *random, bool loops) {
  x->p = pv_test_random_flow(random, 2 + pv_test_random(random, LOCATIONS - 1));
  x->f = &x->p->functions.at[0];
  uint32_t often = 4 + pv_test_random(random, 12);
  for (pv_loc l = 0; l < x->f->locs.n; l++) {
    x->ends[l] = pv_test_random(random, often) == 0 && l != x->f->exit;
    x->may_stay[l] = x->ends[l] || (loops && x->f->locs.at[l].loop_head);
  }
  x->c = pv_control_dependence_new(x->f, x->may_stay);
}

static void drop(struct flow *x) {
  pv_control_dependence_free(x->c);
  pv_program_free(x->p);
}

static bool is_stop(const struct pv_function *f, pv_loc l) {
  const struct pv_location *at = &f->locs.at[l];
  return at->n_out && f->edges.at[at->first_out].op == PV_OP_STOP;
}

/* ---- closed sets ------------------------------------------------------------------------------
 */
/* Computes the closure `in` of the set. A location outside of it where runs may stay is in the
 * closure, but not in the set. One pair (by number) is left out, to check that this is noticed. */
static void close_set(const struct flow *x, uint8_t *in, uint32_t skip) {
  uint8_t closure[LOCATIONS + 1] = {0};
  uint32_t pair = 0;
  for (pv_loc l = 0; l < x->f->locs.n; l++) closure[l] = in[l];
  for (bool changed = true; changed;) {
    changed = false;
    pair = 0;
    for (pv_loc l = 0; l < x->f->locs.n; l++) {
      uint32_t n;
      const pv_loc *controlling = pv_controlling(x->c, l, &n);
      for (uint32_t i = 0; i < n; i++) {
        pv_loc at = controlling[i];
        if (at == PV_AT_ENTRY || pair++ == skip || !closure[l]) continue;
        changed |= !closure[at];
        closure[at] = 1;
        if (x->f->locs.at[at].n_out > 1 || x->ends[at]) changed |= !in[at], in[at] = 1;
      }
    }
  }
}

struct outlook { /* seen from a location outside of the set */
  uint32_t n;    /* number of different next locations of the set */
  bool never;    /* a run may reach none of them */
};

/* Is there a cycle outside of the set; if `marked`, through a location where runs may stay? */
static bool goes_round(const struct flow *x, const uint8_t *seen, const uint8_t *in, bool marked) {
  for (pv_loc from = 0; from < x->f->locs.n; from++) {
    uint8_t reached[LOCATIONS + 1] = {0};
    if (!seen[from] || (marked && !pv_control_may_stay(x->c, from))) continue;
    for (bool changed = true; changed;) {
      changed = false;
      for (uint32_t i = 0; i < x->f->edges.n; i++) {
        const struct pv_edge *e = &x->f->edges.at[i];
        if (e->op == PV_OP_STOP || in[e->to] || in[e->from]) continue;
        if ((e->from != from && !reached[e->from]) || reached[e->to]) continue;
        reached[e->to] = 1;
        changed = true;
      }
    }
    if (reached[from]) return true;
  }
  return false;
}

static struct outlook look_from(const struct flow *x, pv_loc from, const uint8_t *in,
                                bool all_loops) {
  struct outlook o = {0};
  uint8_t seen[LOCATIONS + 1] = {0}, next[LOCATIONS + 1] = {0};
  seen[from] = 1;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < x->f->edges.n; i++) {
      const struct pv_edge *e = &x->f->edges.at[i];
      if (!seen[e->from] || e->op == PV_OP_STOP) continue;
      uint8_t *there = in[e->to] ? &next[e->to] : &seen[e->to];
      changed |= !*there;
      *there = 1;
    }
  }
  for (pv_loc l = 0; l < x->f->locs.n; l++) {
    o.n += next[l];
    if (seen[l]) o.never |= l == x->f->exit || x->ends[l] || is_stop(x->f, l);
  }
  o.never |= goes_round(x, seen, in, !all_loops);
  return o;
}

static bool is_closed(const struct flow *x, const uint8_t *in, bool all_loops) {
  for (pv_loc l = 0; l < x->f->locs.n; l++) {
    if (in[l]) continue;
    struct outlook o = look_from(x, l, in, all_loops);
    if (o.n > 1 || (o.n == 1 && o.never)) return false;
  }
  return true;
}

static void check_closure(bool loops) {
  uint64_t random = 3;
  uint32_t small = 0, noticed = 0;
  for (uint32_t round = 0; round < FLOWS; round++) {
    struct flow x;
    uint8_t in[LOCATIONS + 1] = {0}, seed[LOCATIONS + 1] = {0};
    make(&x, &random, loops);
    seed[pv_test_random(&random, x.f->locs.n)] = 1;
    seed[pv_test_random(&random, x.f->locs.n)] = 1;
    memcpy(in, seed, sizeof in);
    close_set(&x, in, UINT32_MAX);
    if (!is_closed(&x, in, loops)) {
      struct pv_str out = {0};
      pv_program_print(x.p, PV_IR_TEXT, &out);
      fail_msg("round %u:\n%s", round, pv_str_cstr(&out));
    }
    uint32_t n = 0;
    for (pv_loc l = 0; l < x.f->locs.n; l++) n += in[l];
    small += n < x.f->locs.n;
    memcpy(in, seed, sizeof in); /* a relation that lacks a pair is detected */
    close_set(&x, in, pv_test_random(&random, 8));
    noticed += !is_closed(&x, in, loops);
    drop(&x);
  }
  assert_true(small > FLOWS / 3);
  assert_true(noticed > FLOWS / 50);
}

static void closed_sets_are_strongly_closed(void **state) {
  (void)state;
  check_closure(true);
}

static void closed_sets_are_weakly_closed(void **state) {
  (void)state;
  check_closure(false);
}

/* ---- the classic definition -------------------------------------------------------------------
 */
/* Does every path from `from` to the end pass `by`? */
static bool postdominates(const struct flow *x, pv_loc by, pv_loc from) {
  uint8_t seen[LOCATIONS + 1] = {0};
  if (by == from) return true;
  seen[from] = 1;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < x->f->edges.n; i++) {
      const struct pv_edge *e = &x->f->edges.at[i];
      if (!seen[e->from] || e->op == PV_OP_STOP || e->to == by || seen[e->to]) continue;
      seen[e->to] = 1;
      changed = true;
    }
  }
  for (pv_loc l = 0; l < x->f->locs.n; l++)
    if (seen[l] && (l == x->f->exit || pv_control_may_stay(x->c, l) || is_stop(x->f, l)))
      return false;
  return true;
}

/* Can the entry lead to the exit? */
static bool returns(const struct flow *x) {
  uint8_t seen[LOCATIONS + 1] = {0};
  seen[x->f->entry] = 1;
  for (uint32_t round = 0; round < x->f->locs.n; round++)
    for (uint32_t i = 0; i < x->f->edges.n; i++) {
      const struct pv_edge *e = &x->f->edges.at[i];
      if (seen[e->from] && e->op != PV_OP_STOP) seen[e->to] = 1;
    }
  return seen[x->f->exit];
}

static bool depends(const struct flow *x, pv_loc what, pv_loc on) {
  const struct pv_location *at = &x->f->locs.at[on];
  bool some = false;
  if (what == x->f->exit && (is_stop(x->f, on) || pv_control_may_stay(x->c, on)) && !returns(x))
    return true; /* the return that never comes */
  if (what != on && postdominates(x, what, on)) return false;
  for (uint32_t i = at->first_out; i < at->first_out + at->n_out; i++)
    some |= x->f->edges.at[i].op != PV_OP_STOP && postdominates(x, what, x->f->edges.at[i].to);
  return some && (at->n_out > 1 || pv_control_may_stay(x->c, on));
}

static bool has(const struct flow *x, pv_loc what, pv_loc on) {
  uint32_t n, found = 0;
  const pv_loc *controlling = pv_controlling(x->c, what, &n);
  for (uint32_t i = 0; i < n; i++) found += controlling[i] == on;
  assert_true(found <= 1);
  return found;
}

static void pairs_are_those_of_the_definition(void **state) {
  (void)state;
  uint64_t random = 4;
  uint32_t found = 0;
  for (uint32_t round = 0; round < FLOWS / 4; round++) {
    struct flow x;
    make(&x, &random, round % 2);
    for (pv_loc a = 0; a < x.f->locs.n; a++)
      for (pv_loc b = 0; b < x.f->locs.n; b++) {
        /* of a location and itself: on a way back to it */
        bool expected = depends(&x, a, b), self = a == b;
        if (!self) assert_int_equal(has(&x, a, b), expected);
        found += expected;
      }
    drop(&x);
  }
  assert_true(found > FLOWS);
}

/* Whether a function returns that never does depends on what keeps it from that. */
static void a_function_that_never_returns(void **state) {
  (void)state;
  const char *const bodies[] = {"for (;;) g++;", "if (g) g = 2; __builtin_trap();",
                                "if (g) g = 2;"};
  for (int i = 0; i < 3; i++) {
    char *text =
        pv_format("int g;\nvoid f(void) { %s }\nint main(void) { f(); return 0; }", bodies[i]);
    struct pv_program *p = pv_test_load(text);
    const struct pv_function *f = &p->functions.at[pv_test_function(p, "f")];
    uint8_t *none = pv_alloc(f->locs.n + 1);
    struct pv_control_dependence *c = pv_control_dependence_new(f, none);
    uint32_t n, others = 0;
    const pv_loc *controlling = pv_controlling(c, f->exit, &n);
    for (uint32_t k = 0; k < n; k++) others += controlling[k] != PV_AT_ENTRY;
    assert_int_equal(others, i < 2);
    pv_control_dependence_free(c);
    pv_program_free(p);
    free(none);
    free(text);
  }
}

/* ---- by hand ----------------------------------------------------------------------------------
 */
static const char *const loop_program =
    "int g, h;\nint main(void) { while (g) { if (h) g--; else h++; } h = 7; return 0; }";

static void expect(const struct pv_control_dependence *c, const struct pv_program *p,
                   uint32_t function, const char *what, const char *on, bool expected) {
  const struct pv_function *f = &p->functions.at[function];
  pv_loc a = f->edges.at[pv_test_edge(p, function, what)].from, b = PV_AT_ENTRY;
  if (*on) b = f->edges.at[pv_test_edge(p, function, on)].from;
  uint32_t n;
  const pv_loc *controlling = pv_controlling(c, a, &n);
  bool found = false;
  for (uint32_t i = 0; i < n; i++) found |= controlling[i] == b;
  if (found != expected) fail_msg("`%s` on `%s`: %d", what, on, found);
}

static void a_loop_that_may_not_end(void **state) {
  (void)state;
  struct pv_program *p = pv_test_load(loop_program);
  uint32_t main_ = pv_test_function(p, "main");
  const struct pv_function *f = &p->functions.at[main_];
  uint8_t *may_stay = pv_alloc(f->locs.n + 1);
  struct pv_control_dependence *classic = pv_control_dependence_new(f, may_stay);
  expect(classic, p, main_, "h = 7", "", true);
  expect(classic, p, main_, "h = 7", "[t1 != 0]", false);
  for (pv_loc l = 0; l < f->locs.n; l++) may_stay[l] = f->locs.at[l].loop_head;
  struct pv_control_dependence *sensitive = pv_control_dependence_new(f, may_stay);
  expect(sensitive, p, main_, "h = 7", "", false);
  expect(sensitive, p, main_, "h = 7", "[t1 != 0]", true);
  expect(sensitive, p, main_, "return 0", "[t1 != 0]", true);
  pv_control_dependence_free(classic);
  pv_control_dependence_free(sensitive);
  free(may_stay);
  pv_program_free(p);
}

/* if (..) { do { if (..) { do { .. } while (..); } } while (..); }, nested deeply: the innermost
 * statement depends on everything around it, so there are too many pairs to store. */
static void deep_loops_are_coarse(void **state) {
  (void)state;
  enum { DEPTH = 3000 };
  struct pv_program *p = pv_program_new(64);
  uint32_t index = pv_function_add(p, "f");
  struct pv_function *f = &p->functions.at[index];
  f->defined = true;
  for (uint32_t i = 0; i < 2 * DEPTH + 2; i++) pv_loc_add(f);
  f->exit = 2 * DEPTH + 1;
  for (pv_loc l = 0; l < 2 * DEPTH; l++) {
    pv_vec_push(&f->edges, pv_edge_of(l < DEPTH ? PV_OP_SKIP : PV_OP_ASSUME, l, l + 1));
    if (l >= DEPTH) pv_vec_push(&f->edges, pv_edge_of(PV_OP_ASSUME, l, 2 * DEPTH - 1 - l));
  }
  pv_vec_push(&f->edges, pv_edge_of(PV_OP_RETURN, 2 * DEPTH, f->exit));
  pv_function_finish(p, f);
  uint8_t *may_stay = pv_alloc(f->locs.n + 1);
  struct pv_control_dependence *c = pv_control_dependence_new(f, may_stay);
  uint32_t n;
  assert_true(pv_control_is_coarse(c));
  pv_controlling(c, 0, &n);
  assert_int_equal(n, DEPTH + 1);
  pv_control_dependence_free(c);
  free(may_stay);
  pv_program_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(closed_sets_are_strongly_closed),
                                     cmocka_unit_test(closed_sets_are_weakly_closed),
                                     cmocka_unit_test(pairs_are_those_of_the_definition),
                                     cmocka_unit_test(a_function_that_never_returns),
                                     cmocka_unit_test(a_loop_that_may_not_end),
                                     cmocka_unit_test(deep_loops_are_coarse)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
