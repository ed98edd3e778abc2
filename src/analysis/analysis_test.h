/* analysis_test.h -- for the tests of this room: programs given as text, random control flow. */
#ifndef PV_ANALYSIS_TEST_H
#define PV_ANALYSIS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "analysis/points_to.h"
#include "frontend/frontend.h"
#include "sched/sched.h"

/* ---- programs ---------------------------------------------------------------------------------
 */
static inline struct pv_program *pv_test_load(const char *text) {
  struct pv_options o;
  struct pv_program *p = NULL;
  struct pv_str message = {0};
  char path[] = "/tmp/proviso-analysis-XXXXXX.c";
  int file = mkstemps(path, 2);
  assert_true(file >= 0);
  assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
  close(file);
  pv_options_init(&o);
  pv_vec_push(&o.files, pv_strdup(path));
  if (pv_load(&o, &pv_sched_pthread, &p, &message) != PV_OK) fail_msg("%s", pv_str_cstr(&message));
  pv_options_free(&o);
  pv_str_free(&message);
  unlink(path);
  return p;
}

/* The program's own one, if there is one. */
static inline uint32_t pv_test_function(const struct pv_program *p, const char *name) {
  for (unsigned model = 0; model < 2; model++)
    for (uint32_t i = 0; i < p->functions.n; i++)
      if (p->functions.at[i].is_model == model && strcmp(p->functions.at[i].name, name) == 0)
        return i;
  fail_msg("no function %s", name);
  return 0;
}

/* The edge of the function that is printed like that. */
static inline uint32_t pv_test_edge(const struct pv_program *p, uint32_t function,
                                    const char *text) {
  const struct pv_function *f = &p->functions.at[function];
  struct pv_str label = {0}, all = {0};
  for (uint32_t i = 0; i < f->edges.n; i++) {
    pv_str_clear(&label);
    pv_edge_print(p, f, &f->edges.at[i], &label);
    pv_str_addf(&all, "%s\n", pv_str_cstr(&label));
    if (strcmp(pv_str_cstr(&label), text) != 0) continue;
    pv_str_free(&label);
    pv_str_free(&all);
    return i;
  }
  fail_msg("no edge `%s` in\n%s", text, pv_str_cstr(&all));
  return 0;
}

/* ---- random control flow ----------------------------------------------------------------------
 * xorshift (Marsaglia, J. Stat. Softw. 8(14), 2003). */
static inline uint32_t pv_test_random(uint64_t *state, uint32_t below) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return (uint32_t)(*state >> 33) % below;
}

/* A function of at most n locations: each goes to one or several others, returns, or stops. */
static inline struct pv_program *pv_test_random_flow(uint64_t *state, uint32_t n) {
  struct pv_program *p = pv_program_new(64);
  uint32_t index = pv_function_add(p, "f");
  struct pv_function *f = &p->functions.at[index];
  f->defined = true;
  for (uint32_t i = 0; i <= n; i++) pv_loc_add(f);
  f->entry = 0;
  f->exit = n;
  for (pv_loc l = 0; l < n; l++) {
    uint32_t kind = pv_test_random(state, 20), outs = kind < 9 ? 1 : kind < 18 ? 2 : 3;
    if (kind == 19) {
      bool returns = pv_test_random(state, 2);
      pv_vec_push(&f->edges, pv_edge_of(returns ? PV_OP_RETURN : PV_OP_STOP, l, n));
      continue;
    }
    for (uint32_t i = 0; i < outs; i++) {
      uint32_t near = l + pv_test_random(state, 4), far = pv_test_random(state, n);
      pv_loc to = pv_test_random(state, 3) ? (near < n ? near : n - 1) : far;
      pv_vec_push(&f->edges, pv_edge_of(outs == 1 ? PV_OP_SKIP : PV_OP_ASSUME, l, to));
    }
  }
  pv_function_finish(p, f);
  return p;
}

#endif
