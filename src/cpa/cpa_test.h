/* cpa_test.h -- for the tests of this room: programs given as text, and what stands on them. */
#ifndef PV_CPA_TEST_H
#define PV_CPA_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "cpa/ground.h"
#include "frontend/frontend.h"
#include "plan/plan.h"
#include "sched/sched.h"

struct pv_checked { /* a program and all that a task needs */
  struct pv_options options;
  struct pv_program *program;
  struct pv_task task;
};

/* The program of that text, to be checked for these properties ("unreach-call,no-overflow"). */
static inline void pv_checked_load(struct pv_checked *c, const char *text, const char *properties) {
  char path[] = "/tmp/proviso-cpa-XXXXXX.c";
  struct pv_str message = {0};
  FILE *f = fdopen(mkstemps(path, 2), "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
  *c = (struct pv_checked){0};
  pv_options_init(&c->options);
  c->options.limits.memory = 0;
  assert_int_equal(pv_options_set(&c->options, "property", properties, NULL), PV_OK);
  pv_vec_push(&c->options.files, pv_strdup(path));
  if (pv_load(&c->options, &pv_sched_pthread, &c->program, &message) != PV_OK)
    fail_msg("%s", pv_str_cstr(&message));
  unlink(path);
  pv_str_free(&message);
  pv_limits_start(&c->options.limits);
  c->task = (struct pv_task){.program = c->program,
                             .options = &c->options,
                             .limits = &c->options.limits,
                             .properties = c->options.properties,
                             .replay = pv_plan_replay_inputs};
}

static inline void pv_checked_free(struct pv_checked *c) {
  pv_program_free(c->program);
  pv_options_free(&c->options);
}

#endif
