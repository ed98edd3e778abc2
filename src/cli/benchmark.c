/* benchmark.c -- the command `condition benchmark`: tasks for verifiers from a condition (Beyer,
 * Henzinger, Keremoglu, Wendler, FSE 2012, section 1, "Benchmark Generation"): what could not be
 * verified, as a hard task, and what was verified, whose verdict is known. */
#include "cli/cli.h"

#include "condition/definition.h"
#include "condition/residual.h"
#include "proviso_internal.h"
#include "report/output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The name of a file without its directory and its last extension; caller frees. */
static char *stem_of(const char *path) {
  const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
  const char *dot = strrchr(name, '.');
  return pv_format("%.*s", (int)(dot && dot > name ? (size_t)(dot - name) : strlen(name)), name);
}

/* What is expected of the whole program: by its task definition, NAME.yml beside NAME.c, or because
 * the condition tells of an error. */
static enum pv_expected expected_of(const char *path, const struct pv_condition_file *file) {
  for (uint32_t i = 0; i < file->errors.n; i++)
    if (file->errors.at[i].property == PV_PROP_UNREACH_CALL) return PV_EXPECTED_FALSE;
  const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
  const char *dot = strrchr(name, '.');
  char *yml = pv_format("%.*s.yml", (int)((dot ? dot : name + strlen(name)) - path), path);
  char *text = NULL;
  size_t n;
  enum pv_expected expected = PV_EXPECTED_UNKNOWN;
  struct pv_str ignored = {0};
  if (pv_read_file(yml, SIZE_MAX, &text, &n, &ignored) == PV_OK)
    expected = pv_definition_expected(text);
  pv_str_free(&ignored);
  free(text);
  free(yml);
  return expected;
}

static bool has_assumptions(const struct pv_condition *c) {
  for (uint32_t i = 0; i < c->provisos.n; i++)
    if (!c->provisos.at[i].part && pv_proviso_is_assumption(c->provisos.at[i].kind)) return true;
  return false;
}

/* Writes one file of the directory. */
static enum pv_status put(const char *folder, const char *name, const char *text,
                          struct pv_str *err) {
  char *path = pv_format("%s/%s", folder, name);
  enum pv_status status = pv_output_write(path, text, strlen(text), err);
  free(path);
  return status;
}

/* Writes a program and its definition. */
static enum pv_status put_task(const proviso *p, const char *folder, const char *stem,
                               const char *half, const struct pv_str *program,
                               enum pv_expected expected, struct pv_str *err) {
  static const char *const names[] = {[PV_EXPECTED_UNKNOWN] = "unknown",
                                      [PV_EXPECTED_TRUE] = "true",
                                      [PV_EXPECTED_FALSE] = "false"};
  struct pv_str definition = {0};
  char *name = pv_format("%s.%s.c", stem, half), *yml = pv_format("%s.%s.yml", stem, half);
  pv_definition_print(name, expected, p->program->pointer_bits, &definition);
  enum pv_status status = put(folder, name, pv_str_cstr(program), err);
  if (status == PV_OK) status = put(folder, yml, pv_str_cstr(&definition), err);
  if (status == PV_OK) printf("%s/%s: %s\n", folder, yml, names[expected]);
  pv_str_free(&definition);
  free(name);
  free(yml);
  return status;
}

static enum pv_status put_tasks(const proviso *p, const struct pv_condition_file *file,
                                const char *folder, struct pv_str *err) {
  const char *path = p->options.files.at[0];
  struct pv_str rest = {0}, verified = {0}, why = {0};
  enum pv_expected whole = expected_of(path, file);
  bool all = false, assumes = has_assumptions(&file->condition);
  PV_TRY(pv_cli_residual_print(p, file, &rest, &all, err));
  bool divided = pv_verified_print(p->program, file, &verified, &why) == PV_OK;
  /* An error of the program that is not in the verified part is in the open one. */
  enum pv_expected open =
      whole == PV_EXPECTED_FALSE && !all && assumes ? PV_EXPECTED_UNKNOWN : whole;
  enum pv_expected closed =
      assumes && whole != PV_EXPECTED_TRUE ? PV_EXPECTED_UNKNOWN : PV_EXPECTED_TRUE;
  char *stem = stem_of(path);
  enum pv_status status = PV_OK;
  if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
    pv_str_addf(err, "%s: cannot be made: %s", folder, strerror(errno));
    status = PV_E_INPUT;
  }
  if (status == PV_OK) status = put(folder, PV_DEFINITION_PROPERTY, pv_definition_property, err);
  if (status == PV_OK) status = put_task(p, folder, stem, "open", &rest, open, err);
  if (status == PV_OK && divided)
    status = put_task(p, folder, stem, "verified", &verified, closed, err);
  if (status == PV_OK && all)
    fputs("proviso: the form of the condition cannot be woven in: the whole program is open\n",
          stderr);
  free(stem);
  pv_str_free(&rest);
  pv_str_free(&verified);
  pv_str_free(&why);
  return status;
}

int pv_cli_benchmark(const struct pv_options *asked) {
  struct pv_condition_file file = {0};
  struct pv_str err = {0};
  if (!asked->given.n || !asked->output.n)
    return pv_cli_complain("condition benchmark needs `--given FILE`, a condition, and `-o DIR`",
                           PV_EXIT_INPUT);
  proviso *p = proviso_new();
  enum pv_status status = pv_cli_residual_load(p, asked, &file, &err);
  if (status == PV_OK) {
    file.options = p->options; /* borrowed */
    status = put_tasks(p, &file, pv_vec_last(&asked->output), &err);
    file.options = (struct pv_options){0};
  }
  int exit_status = status == PV_OK ? 0 : pv_cli_complain(pv_str_cstr(&err), PV_EXIT_INPUT);
  pv_condition_file_clear(&file);
  pv_str_free(&err);
  proviso_free(p);
  return exit_status;
}
