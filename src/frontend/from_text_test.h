/* from_text_test.h -- for tests: loads a program from a text, as `proviso` would from a file. */
#ifndef PV_FROM_TEXT_TEST_H
#define PV_FROM_TEXT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

#include "frontend/frontend.h"

/* Fills the options with the defaults and properties, without a limit on memory; `set`, if not
 * NULL, sets further ones. The caller frees the options and owns the program. */
static inline void pv_test_load(const char *text, const char *properties,
                                void (*set)(struct pv_options *o), struct pv_options *options,
                                struct pv_program **program) {
  char path[] = "/tmp/proviso-test-XXXXXX.c";
  struct pv_str message = {0};
  FILE *f = fdopen(mkstemps(path, 2), "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
  pv_options_init(options);
  options->limits.memory = 0;
  if (set) set(options);
  assert_int_equal(pv_options_set(options, "property", properties, NULL), PV_OK);
  pv_vec_push(&options->files, pv_strdup(path));
  if (pv_load(options, &pv_sched_pthread, program, &message) != PV_OK)
    fail_msg("%s", pv_str_cstr(&message));
  unlink(path);
  pv_str_free(&message);
}

#endif
