/* cpa_test.h -- for the tests of this room: programs given as text, and analysis contexts for them.
 */
#ifndef PV_CPA_TEST_H
#define PV_CPA_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "cpa/context.h"
#include "frontend/frontend.h"
#include "plan/plan.h"
#include "sched/sched.h"

struct pv_checked { /* a program and all that a task needs */
  struct pv_options options;
  struct pv_program *program;
  struct pv_task task;
};

/* The program of that text, with whatever options were set; not yet a task. */
static inline void pv_checked_read(struct pv_checked *c, const char *text) {
  char path[] = "/tmp/proviso-cpa-XXXXXX.c";
  struct pv_str message = {0};
  FILE *f = fdopen(mkstemps(path, 2), "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
  pv_vec_push(&c->options.files, pv_strdup(path));
  if (pv_load(&c->options, &pv_sched_pthread, &c->program, &message) != PV_OK)
    fail_msg("%s", pv_str_cstr(&message));
  unlink(path);
  pv_str_free(&message);
}

static inline void pv_checked_begin(struct pv_checked *c) {
  pv_limits_start(&c->options.limits);
  c->task = (struct pv_task){.program = c->program,
                             .options = &c->options,
                             .limits = &c->options.limits,
                             .properties = c->options.properties,
                             .replay = pv_plan_replay_inputs};
}

static inline void pv_checked_option(struct pv_checked *c, const char *name, const char *value) {
  assert_int_equal(pv_options_set(&c->options, name, value, NULL), PV_OK);
}

static inline void pv_checked_init(struct pv_checked *c) {
  *c = (struct pv_checked){0};
  pv_options_init(&c->options);
  c->options.limits.memory = 0;
}

/* The program of that text, to be checked for these properties ("unreach-call,no-overflow"). */
static inline void pv_checked_load(struct pv_checked *c, const char *text, const char *properties) {
  pv_checked_init(c);
  pv_checked_option(c, "property", properties);
  pv_checked_read(c, text);
  pv_checked_begin(c);
}

static inline void pv_checked_free(struct pv_checked *c) {
  pv_program_free(c->program);
  pv_options_free(&c->options);
}

static inline uint32_t pv_checked_function(const struct pv_checked *c, const char *name) {
  for (uint32_t f = 0; f < c->program->functions.n; f++)
    if (!strcmp(c->program->functions.at[f].name, name)) return f;
  fail_msg("no function %s", name);
  return 0;
}

#endif
