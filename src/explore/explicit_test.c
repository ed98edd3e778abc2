/* The explicit engine on programs built by hand: verdicts and counts. */
#include "engine.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "explore/replay.h"

extern const struct pv_engine pv_engine_explicit;

static struct pv_program *p;
static struct pv_function *f;

static void begin(void) {
  p = pv_program_new(64);
  p->start = pv_function_add(p, "__proviso_entry");
  f = &p->functions.at[p->start];
  f->defined = true;
}

static uint32_t variable(const char *name, pv_type t) {
  struct pv_variable v = {.name = pv_program_string(p, name), .type = t};
  pv_vec_push(&f->vars, v);
  return f->vars.n - 1;
}

static struct pv_edge *edge(enum pv_op op, pv_loc from, pv_loc to) {
  struct pv_edge e = pv_edge_of(op, from, to);
  pv_vec_push(&f->edges, e);
  return &pv_vec_last(&f->edges);
}

static struct pv_result check(const char *option, const char *value) {
  struct pv_options o;
  struct pv_result r = {0};
  pv_function_finish(p, f);
  char *bad = pv_program_verify(p);
  assert_null(bad);
  pv_options_init(&o);
  if (option) assert_int_equal(pv_options_set(&o, option, value, NULL), PV_OK);
  struct pv_task task = {
      .program = p, .options = &o, .limits = &o.limits, .properties = o.properties};
  pv_limits_start(&o.limits);
  assert_int_equal(pv_engine_explicit.run(&task, &r), PV_OK);
  pv_options_free(&o);
  pv_program_free(p);
  return r;
}

/* v = choose 0..3; if (v == 2) error; exit */
static void choices_are_enumerated(void **state) {
  (void)state;
  for (int buggy = 0; buggy < 2; buggy++) {
    begin();
    uint32_t v = variable("v", PV_INT(32));
    pv_loc l[5];
    for (int i = 0; i < 5; i++) l[i] = pv_loc_add(f);
    f->entry = l[0];
    f->exit = l[4];
    struct pv_edge *e = edge(PV_OP_HAVOC, l[0], l[1]);
    e->dst = v;
    e->type = PV_INT(32);
    e->aux = 1;
    e->e[0] = pv_mk_const(p, PV_INT(32), 0);
    e->e[1] = pv_mk_const(p, PV_INT(32), 3);
    pv_expr is = pv_mk_binary(p, PV_X_EQ, 0, PV_INT(1), pv_mk_var(p, PV_INT(32), v),
                              pv_mk_const(p, PV_INT(32), buggy ? 2 : 7));
    edge(PV_OP_ASSUME, l[1], l[2])->e[0] = is;
    edge(PV_OP_ASSUME, l[1], l[3])->e[0] = pv_mk_not(p, is);
    edge(PV_OP_ERROR, l[2], l[3]);
    e = edge(PV_OP_STOP, l[3], l[4]);
    e->aux = PV_STOP_EXIT;
    e->e[0] = pv_mk_const(p, PV_INT(32), 0);
    struct pv_result r = check(NULL, NULL);
    assert_int_equal(r.verdict, buggy ? PV_FALSE : PV_TRUE);
    assert_int_equal(r.stats.states, 2); /* the start, and parked at the choice */
    if (buggy) {
      assert_int_equal(r.violations.n, 1);
      assert_true(r.violations.at[0].replayed);
      assert_int_equal(r.violations.at[0].property, PV_PROP_UNREACH_CALL);
      assert_int_equal(r.violations.at[0].path.choices.n, 2);
    } else
      assert_int_equal(r.stats.transitions, 5);
    pv_result_clear(&r);
  }
}

/* for (i = 1;; i++) ;  overflows after 2^31 steps in 8 bits: soon */
static void overflow_is_found_or_wraps(void **state) {
  (void)state;
  for (int asked = 0; asked < 2; asked++) {
    begin();
    uint32_t i = variable("i", PV_INT(8));
    pv_loc start = pv_loc_add(f), head = pv_loc_add(f);
    f->entry = start;
    f->exit = pv_loc_add(f);
    edge(PV_OP_ASSIGN, start, head)->dst = i;
    pv_vec_last(&f->edges).e[0] = pv_mk_const(p, PV_INT(8), 1);
    edge(PV_OP_ASSIGN, head, head)->dst = i;
    pv_vec_last(&f->edges).e[0] =
        pv_mk_binary(p, PV_X_ADD, PV_XF_NSW, PV_INT(8), pv_mk_var(p, PV_INT(8), i),
                     pv_mk_const(p, PV_INT(8), 1));
    struct pv_result r = check("property", asked ? "no-overflow" : "unreach-call");
    assert_int_equal(r.verdict, asked ? PV_FALSE : PV_TRUE);
    pv_result_clear(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(choices_are_enumerated),
                                     cmocka_unit_test(overflow_is_found_or_wraps)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
