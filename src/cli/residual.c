/* residual.c -- the command `residual`. */
#include "cli/cli.h"

#include "condition/residual.h"
#include "vm/branches.h"
#include "proviso_internal.h"

#include <stdio.h>
#include <stdlib.h>

/* A frontier becomes an automaton over branches. */
enum pv_status pv_cli_residual_print(const proviso *p, const struct pv_condition_file *file,
                                     struct pv_str *text, bool *whole, struct pv_str *err) {
  struct pv_open_part branches = {0};
  struct pv_limits limits = {0};
  const struct pv_open_part *frontier = pv_condition_only(&file->condition, PV_OPEN_FRONTIER);
  struct pv_task task = {.program = p->program,
                         .options = &p->options,
                         .limits = &limits,
                         .properties = file->checked};
  pv_limits_start(&limits);
  bool any = frontier && pv_frontier_branches(&task, frontier, &branches);
  enum pv_status status =
      pv_residual_print(p->program, file, any ? &branches : NULL, text, whole, err);
  pv_open_part_clear(&branches);
  return status;
}

/* The program is read with the options of the run that made the condition. */
enum pv_status pv_cli_residual_load(proviso *p, const struct pv_options *asked,
                                    struct pv_condition_file *file, struct pv_str *err) {
  PV_TRY(pv_condition_read(pv_vec_last(&asked->given), file, err));
  pv_options_free(&p->options);
  p->options = file->options;
  file->options = (struct pv_options){0};
  for (uint32_t i = 0; i < p->options.files.n; i++) free(p->options.files.at[i]);
  p->options.files.n = 0;
  for (uint32_t i = 0; i < asked->files.n; i++)
    pv_vec_push(&p->options.files, pv_strdup(asked->files.at[i]));
  if (proviso_load(p) != PROVISO_OK) {
    pv_str_add(err, proviso_error(p));
    return PV_E_INPUT;
  }
  if (file->program == pv_program_hash(p->program)) return PV_OK;
  pv_str_addf(err, "%s: the condition is about another program", asked->given.at[0]);
  return PV_E_INPUT;
}

static int residual(proviso *p, const struct pv_options *asked) {
  struct pv_condition_file file = {0};
  struct pv_str text = {0}, err = {0};
  bool whole = false;
  enum pv_status status = pv_cli_residual_load(p, asked, &file, &err);
  if (status == PV_OK) {
    file.options = p->options; /* borrowed */
    status = pv_cli_residual_print(p, &file, &text, &whole, &err);
    file.options = (struct pv_options){0};
  }
  int exit_status = status == PV_OK ? pv_cli_write(asked, &text)
                                    : pv_cli_complain(pv_str_cstr(&err), PV_EXIT_INPUT);
  if (!exit_status && whole)
    fputs("proviso: the form of the condition cannot be woven in: the whole program is open\n",
          stderr);
  pv_condition_file_clear(&file);
  pv_str_free(&text);
  pv_str_free(&err);
  return exit_status;
}

int pv_cli_residual(const struct pv_command *self, int argc, char **argv) {
  struct pv_options asked;
  pv_options_init(&asked);
  int status = pv_cli_parse(self, &asked, argc, argv);
  if (!status && !asked.given.n)
    status = pv_cli_complain("residual needs `--given FILE`: a condition", PV_EXIT_INPUT);
  if (!status) {
    proviso *p = proviso_new();
    status = residual(p, &asked);
    proviso_free(p);
  }
  pv_options_free(&asked);
  return status;
}
