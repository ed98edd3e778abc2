/* Questions per second through src/smt against Z3 alone, in one process: 10 integer variables;
 * push, assert 3 linear inequalities, check, pop. The rounds of both take turns; CPU time counts.
 * The answers must be the same.
 *
 * Output: one line `KIND ROUND BARE OURS` for each round (questions per CPU second). KIND: `ready`,
 * the terms are there already; `made`, each question makes its terms; `limited`, like `ready` with
 * limits of steps, time and memory (bare: a limit of steps only, as Z3's timer is slower). */
#include "smt/smt.h"

#include <stdio.h>
#include <stdlib.h>
#include <z3.h>

enum { VARIABLES = 10, QUESTIONS = 4000, PARTS = 3, ROUNDS = 7 };

static struct inequality {
  int a, b, c, x, y; /* a x + b y <= c */
} questions[QUESTIONS][PARTS];

static uint32_t seed = 1;
static int below(int n) {
  seed = seed * 1664525 + 1013904223;
  return (int)((seed >> 8) % (uint32_t)n);
}

static void make_questions(void) {
  for (int i = 0; i < QUESTIONS; i++)
    for (int k = 0; k < PARTS; k++) {
      struct inequality *q = &questions[i][k];
      *q = (struct inequality){below(9) - 4, below(9) - 4, below(60) - 30, below(VARIABLES),
                               below(VARIABLES)};
      if (!q->a) q->a = 1;
    }
}

/* ---- Z3 alone -------------------------------------------------------------------------------- */
static Z3_ast bare_term(Z3_context c, const Z3_ast *v, const struct inequality *q) {
  Z3_sort sort = Z3_mk_int_sort(c);
  Z3_ast x[] = {Z3_mk_int(c, q->a, sort), v[q->x]}, y[] = {Z3_mk_int(c, q->b, sort), v[q->y]};
  Z3_ast sum[] = {Z3_mk_mul(c, 2, x), Z3_mk_mul(c, 2, y)};
  return Z3_mk_le(c, Z3_mk_add(c, 2, sum), Z3_mk_int(c, q->c, sort));
}

struct bare {
  Z3_context c;
  Z3_solver solver;
  Z3_ast v[VARIABLES], ready[QUESTIONS][PARTS];
};

static void bare_begin(struct bare *b, bool limited) {
  Z3_config config = Z3_mk_config();
  b->c = Z3_mk_context(config);
  Z3_del_config(config);
  b->solver = Z3_mk_solver_for_logic(b->c, Z3_mk_string_symbol(b->c, "QF_LIA"));
  Z3_solver_inc_ref(b->c, b->solver);
  if (limited) {
    Z3_params p = Z3_mk_params(b->c);
    Z3_params_inc_ref(b->c, p);
    Z3_params_set_uint(b->c, p, Z3_mk_string_symbol(b->c, "rlimit"), 1000000);
    Z3_solver_set_params(b->c, b->solver, p);
    Z3_params_dec_ref(b->c, p);
  }
  for (int i = 0; i < VARIABLES; i++)
    b->v[i] = Z3_mk_const(b->c, Z3_mk_int_symbol(b->c, i), Z3_mk_int_sort(b->c));
  for (int i = 0; i < QUESTIONS; i++)
    for (int k = 0; k < PARTS; k++) b->ready[i][k] = bare_term(b->c, b->v, &questions[i][k]);
}

static double bare_round(struct bare *b, bool make, int *sat) {
  double began = pv_cpu_clock();
  for (int i = 0; i < QUESTIONS; i++) {
    Z3_solver_push(b->c, b->solver);
    for (int k = 0; k < PARTS; k++)
      Z3_solver_assert(b->c, b->solver,
                       make ? bare_term(b->c, b->v, &questions[i][k]) : b->ready[i][k]);
    *sat += Z3_solver_check(b->c, b->solver) == Z3_L_TRUE;
    Z3_solver_pop(b->c, b->solver, 1);
  }
  return QUESTIONS / (pv_cpu_clock() - began);
}

/* ---- ours ------------------------------------------------------------------------------------ */
struct ours {
  struct pv_smt *s;
  struct pv_solver *solver;
  pv_term v[VARIABLES], ready[QUESTIONS][PARTS];
};

static pv_term our_term(struct ours *o, const struct inequality *q) {
  pv_term x = pv_smt_mk2(o->s, PV_SMT_MUL, pv_smt_int(o->s, q->a), o->v[q->x]);
  pv_term y = pv_smt_mk2(o->s, PV_SMT_MUL, pv_smt_int(o->s, q->b), o->v[q->y]);
  return pv_smt_mk2(o->s, PV_SMT_LE, pv_smt_mk2(o->s, PV_SMT_ADD, x, y), pv_smt_int(o->s, q->c));
}

static void ours_begin(struct ours *o, bool limited) {
  struct pv_smt_limits limits = {0};
  if (limited) limits = (struct pv_smt_limits){.steps = 1000000, .ms = 10000, .memory = 1 << 30};
  o->s = pv_smt_new(limits, NULL);
  o->solver = pv_solver_new(o->s);
  for (int i = 0; i < VARIABLES; i++)
    o->v[i] = pv_smt_fresh(o->s, "v", (struct pv_sort){.kind = PV_SORT_INT});
  for (int i = 0; i < QUESTIONS; i++)
    for (int k = 0; k < PARTS; k++) o->ready[i][k] = our_term(o, &questions[i][k]);
}

static double our_round(struct ours *o, bool make, int *sat) {
  double began = pv_cpu_clock();
  for (int i = 0; i < QUESTIONS; i++) {
    pv_solver_push(o->solver);
    for (int k = 0; k < PARTS; k++)
      pv_solver_assert(o->solver, make ? our_term(o, &questions[i][k]) : o->ready[i][k]);
    *sat += pv_solver_check(o->solver, 0, NULL) == PV_SMT_SAT;
    pv_solver_pop(o->solver, 1);
  }
  return QUESTIONS / (pv_cpu_clock() - began);
}

int main(void) {
  static struct bare bare[2];
  static struct ours ours[2];
  static const char *const kinds[] = {"ready", "made", "limited"};
  make_questions();
  for (int limited = 0; limited < 2; limited++) {
    bare_begin(&bare[limited], limited);
    ours_begin(&ours[limited], limited);
  }
  for (int round = 0; round < ROUNDS; round++)
    for (int kind = 0; kind < 3; kind++) {
      int limited = kind == 2, bare_sat = 0, our_sat = 0;
      double x = bare_round(&bare[limited], kind == 1, &bare_sat);
      double y = our_round(&ours[limited], kind == 1, &our_sat);
      if (bare_sat != our_sat || !bare_sat || bare_sat == QUESTIONS) {
        fprintf(stderr, "throughput: the answers differ: %d and %d satisfiable\n", bare_sat, our_sat);
        return 1;
      }
      printf("%s %d %.0f %.0f\n", kinds[kind], round, x, y);
    }
  for (int limited = 0; limited < 2; limited++) {
    pv_solver_free(ours[limited].solver);
    pv_smt_free(ours[limited].s);
  }
  return 0;
}
