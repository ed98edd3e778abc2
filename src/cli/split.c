/* split.c -- the commands `split` and `join`. */
#include "cli/cli.h"

#include "base/options.h"
#include "condition/split.h"
#include "proviso.h"
#include "report/output.h"
#include "report/report.h"
#include "result/result.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static int write_condition(const char *path, const struct pv_condition_file *file) {
  struct pv_str bytes = {0}, err = {0};
  pv_condition_print(file, &bytes);
  int status = 0;
  if (pv_output_write(path, bytes.at, bytes.n, &err) != PV_OK)
    status = pv_cli_complain(pv_str_cstr(&err), PV_EXIT_INTERNAL);
  pv_str_free(&bytes);
  pv_str_free(&err);
  return status;
}

static int refuse(const char *path, struct pv_str *err) {
  char *message = path ? pv_format("%s: %s", path, pv_str_cstr(err)) : pv_strdup(pv_str_cstr(err));
  int status = pv_cli_complain(message, PV_EXIT_INPUT);
  free(message);
  return status;
}

/* ---- split ----------------------------------------------------------------------------------- */
static int write_parts(const struct pv_condition_file *whole, const struct pv_condition *parts,
                       uint32_t n, const char *prefix) {
  int status = 0;
  for (uint32_t i = 0; i < n && !status; i++) {
    struct pv_condition_file part = *whole; /* borrows all but the condition */
    part.condition = parts[i];
    char *path = pv_format("%s.%" PRIu32, prefix, i + 1);
    status = write_condition(path, &part);
    free(path);
  }
  return status;
}

static int split(const struct pv_options *o, const char *path) {
  struct pv_condition_file whole = {0};
  struct pv_str err = {0};
  uint32_t n = (uint32_t)o->parts;
  struct pv_condition *parts = pv_alloc(n * sizeof *parts);
  int status;
  if (pv_condition_read(path, &whole, &err) != PV_OK)
    status = refuse(NULL, &err);
  else if (pv_condition_split(&whole, n, parts, &err) != PV_OK)
    status = refuse(path, &err);
  else
    status = write_parts(&whole, parts, n, o->output.n ? o->output.at[0] : path);
  for (uint32_t i = 0; i < n; i++) pv_condition_clear(&parts[i]);
  free(parts);
  pv_condition_file_clear(&whole);
  pv_str_free(&err);
  return status;
}

int pv_cli_split(const struct pv_command *self, int argc, char **argv) {
  struct pv_options o;
  pv_options_init(&o);
  int status = pv_cli_parse(self, &o, argc, argv);
  if (!status && o.files.n > 1) status = pv_cli_complain("split takes one file", PV_EXIT_INPUT);
  if (!status) status = split(&o, o.files.at[0]);
  pv_options_free(&o);
  return status;
}

/* ---- join ------------------------------------------------------------------------------------ */
static void add_line(const char *what, const char *sentence, struct pv_str *out) {
  pv_str_add(out, what);
  pv_report_clean(sentence, 0, true, out);
  pv_str_add(out, ".\n");
}

/* What the parts say together, as the text of a result. */
static int tell(const struct pv_condition_file *all) {
  struct pv_str text = {0};
  struct pv_result r = {.verdict = PV_TRUE};
  for (uint32_t i = 0; i < all->errors.n; i++) {
    pv_vec_push(&r.violations, ((struct pv_violation){.property = all->errors.at[i].property}));
    add_line("Error: ", all->errors.at[i].sentence, &text);
  }
  if (r.violations.n)
    r.verdict = PV_FALSE;
  else if (all->condition.provisos.n)
    r.verdict = PV_CONDITIONAL;
  for (uint32_t i = 0; i < all->condition.provisos.n && r.verdict == PV_CONDITIONAL; i++) {
    pv_str_add(&text, "Proviso: ");
    pv_report_about(&all->condition.provisos.at[i], all->checked, &text);
    add_line("provided that ", all->condition.provisos.at[i].sentence, &text);
  }
  pv_str_add(&text, "Verification result: ");
  pv_result_line(&r, &text);
  pv_str_addc(&text, '\n');
  int status = pv_cli_print(pv_str_cstr(&text), pv_result_exit_status(&r));
  pv_result_clear(&r);
  pv_str_free(&text);
  return status;
}

static int join(const struct pv_options *o, struct pv_condition_file *files) {
  struct pv_str err = {0};
  struct pv_condition_file all = {0};
  int status = 0;
  for (uint32_t i = 0; i < o->files.n && !status; i++)
    if (pv_condition_read(o->files.at[i], &files[i], &err) != PV_OK) status = refuse(NULL, &err);
  if (!status &&
      pv_condition_join(files, (const char *const *)o->files.at, o->files.n, &all, &err) != PV_OK)
    status = refuse(NULL, &err);
  if (!status && o->output.n) status = write_condition(o->output.at[0], &all);
  if (!status) status = tell(&all);
  all.options = (struct pv_options){0}; /* borrowed */
  pv_condition_file_clear(&all);
  pv_str_free(&err);
  return status;
}

int pv_cli_join(const struct pv_command *self, int argc, char **argv) {
  struct pv_options o;
  pv_options_init(&o);
  int status = pv_cli_parse(self, &o, argc, argv);
  if (!status) {
    struct pv_condition_file *files = pv_alloc(o.files.n * sizeof *files);
    status = join(&o, files);
    for (uint32_t i = 0; i < o.files.n; i++) pv_condition_file_clear(&files[i]);
    free(files);
  }
  pv_options_free(&o);
  return status;
}
