/* ci.c -- `proviso ci` runs the checks of proviso.toml and compares the results with the expected
 * ones; `proviso init` writes a first proviso.toml. */
#include "cli/cli.h"
#include "cli/outputs.h"
#include "project/manifest.h"
#include "project/reach.h"
#include "proviso_internal.h"
#include "report/output.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_WORSE = 1 };

/* ---- ci -------------------------------------------------------------------------------------- */
static const char *const change_names[] = {"ok", "better", "WORSE", "new"};

static void outcome_of(const proviso *p, struct pv_outcome *out) {
  out->line = pv_strdup(proviso_result_line(p));
  if (p->result.verdict != PV_CONDITIONAL) return;
  for (size_t i = 0; i < proviso_count_provisos(p); i++)
    pv_vec_push(&out->provisos, pv_strdup(proviso_get_proviso(p, i)));
}

static void print_row(const struct pv_planned_check *c, const struct pv_outcome *now,
                      enum pv_change_kind change, const char *why, const proviso *p) {
  struct pv_str text = {0}, name = {0};
  pv_report_clean(c->name, 0, true, &name);
  pv_str_addf(&text, "%-7s %-24s %s\n", change_names[change], pv_str_cstr(&name), now->line);
  if (*why) {
    pv_str_add(&text, "        ");
    pv_report_clean(why, 0, true, &text);
    pv_str_addc(&text, '\n');
  }
  for (size_t i = 0; change != PV_AS_BEFORE && i < proviso_count_violations(p); i++) {
    pv_str_add(&text, "        ");
    pv_report_clean(proviso_get_violation(p, i), 0, true, &text);
    pv_str_addc(&text, '\n');
  }
  pv_cli_print(pv_str_cstr(&text), 0);
  pv_str_free(&text);
  pv_str_free(&name);
}

/* An error in a check for which nothing is expected must not pass without being noticed. */
static bool is_error(const struct pv_outcome *now) {
  return !strncmp(now->line, "false", strlen("false"));
}

/* Runs one check. Returns 0, or the exit status if there is no result. */
static int run_one(struct pv_planned_check *c, bool quiet, struct pv_outcome *now,
                   enum pv_change_kind *change) {
  proviso *p = proviso_new();
  struct pv_str why = {0};
  pv_options_free(&p->options);
  p->options = c->options; /* owned by p from here on */
  c->options = (struct pv_options){0};
  int status = pv_outputs_probe(&p->options);
  if (!status && proviso_check(p) != PROVISO_OK) {
    char *message = pv_format("%s: %s", c->name, proviso_error(p));
    status = pv_cli_complain(message, PV_EXIT_INPUT);
    free(message);
  }
  if (!status) status = pv_outputs_write_all(p);
  if (!status) {
    outcome_of(p, now);
    *change = pv_outcome_compare(&c->expected, now, &why);
    bool fails = *change == PV_WORSE || (*change == PV_NEW && is_error(now));
    if (!quiet || fails) print_row(c, now, *change, pv_str_cstr(&why), p);
  }
  proviso_free(p);
  pv_str_free(&why);
  return status;
}

static int update(const char *path, const struct pv_outcome *outcomes) {
  struct pv_str text = {0}, err = {0};
  enum pv_status status = pv_manifest_update(path, outcomes, &text, &err);
  if (status == PV_OK) status = pv_output_write(path, text.at, text.n, &err);
  int exit_status = status == PV_OK ? 0 : pv_cli_complain(pv_str_cstr(&err), PV_EXIT_INTERNAL);
  pv_str_free(&text);
  pv_str_free(&err);
  return exit_status;
}

static int run_all(struct pv_manifest *m, const char *path, const struct pv_options *asked) {
  struct pv_outcome *outcomes = pv_alloc(m->checks.n * sizeof *outcomes);
  unsigned count[PV_NEW + 1] = {0};
  bool fails = false;
  int status = 0;
  for (uint32_t i = 0; i < m->checks.n; i++) {
    enum pv_change_kind change = PV_NEW;
    int one = run_one(&m->checks.at[i], asked->quiet, &outcomes[i], &change);
    if (one && !status) status = one;
    if (!one) count[change]++;
    fails |= !one && (change == PV_WORSE || (change == PV_NEW && is_error(&outcomes[i])));
    if (pv_limits_interrupted()) break;
  }
  if (!status && asked->update) status = update(path, outcomes);
  char *text = pv_format("%u check%s: %u as expected, %u better, %u worse, %u new%s\n", m->checks.n,
                         m->checks.n == 1 ? "" : "s", count[PV_AS_BEFORE], count[PV_BETTER],
                         count[PV_WORSE], count[PV_NEW],
                         asked->update                       ? "; the file is written"
                         : count[PV_NEW] || count[PV_BETTER] ? " (--update records them)"
                                                             : "");
  if (!status && fails && !asked->update) status = EXIT_WORSE;
  status = pv_cli_print(text, status);
  free(text);
  for (uint32_t i = 0; i < m->checks.n; i++) pv_outcome_clear(&outcomes[i]);
  free(outcomes);
  return status;
}

/* Names in the file are relative to its folder. Returns the name there, or NULL. */
static const char *enter_folder(const char *path) {
  const char *slash = strrchr(path, '/');
  if (!slash) return path;
  char *folder = pv_format("%.*s", (int)(slash - path + 1), path);
  int failed = chdir(folder);
  free(folder);
  return failed ? NULL : slash + 1;
}

int pv_cli_ci(const struct pv_command *self, int argc, char **argv) {
  struct pv_options asked;
  struct pv_manifest manifest;
  struct pv_str err = {0};
  pv_options_init(&asked);
  int status = pv_cli_parse(self, &asked, argc, argv);
  if (!status && asked.files.n > 1) status = pv_cli_complain("ci takes one file", PV_EXIT_INPUT);
  if (!status) {
    const char *path = enter_folder(asked.files.n ? asked.files.at[0] : "proviso.toml");
    if (!path || pv_manifest_read(path, &manifest, &err) != PV_OK) {
      status = pv_cli_complain(path ? pv_str_cstr(&err) : strerror(errno), PV_EXIT_INPUT);
    } else {
      status = run_all(&manifest, path, &asked);
      pv_manifest_free(&manifest);
    }
  }
  pv_options_free(&asked);
  pv_str_free(&err);
  return status;
}

/* ---- init ------------------------------------------------------------------------------------ */
static const char *base_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static void add_check(const struct pv_start *s, struct pv_str *out) {
  pv_str_add(out, "\n[[check]]\nname = ");
  pv_toml_quote(s->function ? s->function : base_of(s->file), out);
  pv_str_add(out, "\nfiles = [");
  pv_toml_quote(s->file, out);
  pv_str_add(out, "]\n");
  if (!s->function) return;
  pv_str_add(out, "entry = ");
  pv_toml_quote(s->function, out);
  pv_str_addc(out, '\n');
}

static bool is_word(char c) {
  return c == '_' || isalnum((unsigned char)c);
}

/* Can the file have a `main`? One that includes files of the project may have any function. */
static enum pv_status needs_main(const char *file, struct pv_str *err) {
  char *text;
  size_t n;
  bool found = false;
  PV_TRY(pv_read_file(file, (size_t)256 << 20, &text, &n, err));
  const char *dot = strrchr(file, '.');
  bool is_text = dot && (!strcmp(dot, ".c") || !strcmp(dot, ".i"));
  text[n] = '\0';
  for (const char *at = text; !found && (at = strstr(at, "main")); at += strlen("main"))
    found = (at == text || !is_word(at[-1])) && !is_word(at[strlen("main")]);
  found |= !is_text || strstr(text, "#include \"");
  free(text);
  if (found) return PV_OK;
  pv_str_addf(err, "%s: there is no function `main`: name the file that has it, too", file);
  return PV_E_INPUT;
}

static enum pv_status make_manifest(const struct pv_options *asked, struct pv_str *out,
                                    uint32_t *checks, struct pv_str *err) {
  struct pv_starts starts = {0};
  pv_str_add(out,
             "# The checks of this project: `proviso ci` runs them and fails if a verdict got\n"
             "# worse; `proviso ci --update` records the verdicts. Keys are the options of\n"
             "# `proviso check`; those at the top are for all checks.\n");
  if (asked->project.n) {
    PV_TRY(pv_project_starts(asked, &starts, err));
    pv_str_add(out, "project = ");
    pv_toml_quote(pv_vec_last(&asked->project), out);
    pv_str_addc(out, '\n');
  }
  if (asked->files.n == 1 && !asked->project.n) PV_TRY(needs_main(asked->files.at[0], err));
  pv_str_add(out, "limit = \"time=60s\"\n");
  for (uint32_t i = 0; i < asked->files.n && !asked->project.n; i++)
    pv_vec_push(&starts.at, ((struct pv_start){pv_strdup(asked->files.at[i]), NULL}));
  for (uint32_t i = 0; i < starts.at.n; i++) add_check(&starts.at.at[i], out);
  *checks = starts.at.n;
  pv_starts_free(&starts);
  if (*checks) return PV_OK;
  pv_str_add(err, "no function `main` or `test...` found: name files, or a project with -p DIR");
  return PV_E_INPUT;
}

int pv_cli_init(const struct pv_command *self, int argc, char **argv) {
  struct pv_options asked;
  struct pv_str text = {0}, err = {0};
  uint32_t checks = 0;
  pv_options_init(&asked);
  int status = pv_cli_parse(self, &asked, argc, argv);
  const char *path = asked.output.n ? asked.output.at[0] : "proviso.toml";
  if (!status && access(path, F_OK) == 0) {
    pv_str_addf(&err, "%s exists already", path);
    status = pv_cli_complain(pv_str_cstr(&err), PV_EXIT_INPUT);
  }
  if (!status && make_manifest(&asked, &text, &checks, &err) != PV_OK)
    status = pv_cli_complain(pv_str_cstr(&err), PV_EXIT_INPUT);
  if (!status && pv_output_write(path, text.at, text.n, &err) != PV_OK)
    status = pv_cli_complain(pv_str_cstr(&err), PV_EXIT_INTERNAL);
  if (!status) {
    char *done = pv_format("%s: %u check%s. Next:\n  proviso ci --update\n", path, checks,
                           checks == 1 ? "" : "s");
    status = pv_cli_print(done, 0);
    free(done);
  }
  pv_options_free(&asked);
  pv_str_free(&text);
  pv_str_free(&err);
  return status;
}
