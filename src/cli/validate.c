/* validate.c -- `proviso validate`: does a witness describe an error of the program, or a proof? */
#include "base/sha256.h"
#include "cli/cli.h"
#include "proviso_internal.h"
#include "witness/weave.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SECONDS = 90 }; /* if there is no limit */

/* One way to look for what the witness describes. */
struct attempt {
  enum pv_engine_kind engine;
  int por, search;
  unsigned weaving;
  bool complete; /* it examines all executions that the witness describes */
  double part;   /* of the time that is left */
};
enum { POR_NONE = 0, POR_BOTH = 3 };
static const struct attempt for_errors[] = {
    {PV_ENGINE_EXPLICIT, POR_BOTH, PV_SEARCH_DFS, PV_WEAVE_STRICT | PV_WEAVE_FIRST | PV_WEAVE_TURNS,
     false, 0.2},
    {PV_ENGINE_EXPLICIT, POR_BOTH, PV_SEARCH_DFS, PV_WEAVE_STRICT | PV_WEAVE_FIRST, false, 0.1},
    {PV_ENGINE_EXPLICIT, POR_BOTH, PV_SEARCH_DFS, PV_WEAVE_STRICT, false, 0.1},
    {PV_ENGINE_EXPLICIT, POR_BOTH, PV_SEARCH_PORTFOLIO, PV_WEAVE_STRICT, false, 0.2},
    {PV_ENGINE_EXPLICIT, POR_NONE, PV_SEARCH_DFS, PV_WEAVE_STRICT, false, 0.4},
    {PV_ENGINE_BMC, POR_BOTH, PV_SEARCH_DFS, PV_WEAVE_STRICT | PV_WEAVE_CUT, false, 0.5},
    {PV_ENGINE_BMC, POR_BOTH, PV_SEARCH_DFS, PV_WEAVE_CUT, false, 0.5},
    {PV_ENGINE_EXPLICIT, POR_NONE, PV_SEARCH_DFS, 0, true, 1},
};
static const struct attempt for_proofs[] = {
    {PV_ENGINE_KINDUCTION, POR_BOTH, PV_SEARCH_DFS, 0, false, 0.5},
    {PV_ENGINE_AUTO, POR_BOTH, PV_SEARCH_DFS, 0, true, 1},
};

enum outcome { OPEN, CONFIRMED, REFUTED };
struct validation {
  const struct pv_command *self;
  int argc;
  char **argv;
  struct pv_witness witness;
  pv_properties about;
  double began, seconds;
  struct pv_str why;  /* a sentence for people */
  struct pv_str line; /* "false(unreach-call)" */
};

/* ---- does the witness belong to the program? --------------------------------------------------
 */

static bool is_zero(const char *hash) {
  return strspn(hash, "0") == strlen(hash);
}

/* Compares the files' hashes, where the witness has any. */
static bool same_files(const struct pv_witness *w, const struct pv_options *o, struct pv_str *err) {
  for (uint32_t i = 0; i < w->files.n; i++) {
    bool known = false;
    for (uint32_t k = 0; k < o->files.n; k++) {
      char *text, hash[65];
      size_t n;
      if (!pv_witness_same_file(w->files.at[i], o->files.at[k])) continue;
      known = true;
      if (is_zero(w->hashes.at[i])) continue;
      if (pv_read_file(o->files.at[k], SIZE_MAX, &text, &n, NULL) != PV_OK) continue;
      pv_sha256(text, n, hash);
      free(text);
      if (strcmp(hash, w->hashes.at[i]) == 0) continue;
      pv_str_addf(err, "%s: the witness is about another version of %s", w->path, o->files.at[k]);
      return false;
    }
    if (known) continue;
    pv_str_addf(err, "%s: the witness is about `%s`, which was not given", w->path, w->files.at[i]);
    return false;
  }
  return true;
}

/* Reads the witness, and decides what is checked. */
static int prepare(struct validation *v, struct pv_options *asked) {
  struct pv_str err = {0};
  int status = 0;
  bool named = asked->property.n || asked->spec.n;
  if (!asked->witness.n) return pv_cli_complain("validate needs `--witness FILE`", PV_EXIT_INPUT);
  if (pv_witness_read(asked->witness.at[0], &v->witness, &err) != PV_OK ||
      !same_files(&v->witness, asked, &err))
    status = pv_cli_complain(pv_str_cstr(&err), PV_EXIT_INPUT);
  if (!status) v->about = pv_witness_properties(&v->witness);
  if (!status && named) v->about &= asked->properties;
  if (!status && !v->about)
    status = pv_cli_complain(named ? "the witness is about none of the properties asked for"
                                   : "the specification of the witness is not known",
                             PV_EXIT_INPUT);
  if (!status && v->about & PV_PROP_TEMPORAL)
    status = pv_cli_complain("witnesses of termination are not validated", PV_EXIT_INPUT);
  if (!status && v->witness.says_model && v->witness.ilp32 != asked->ilp32) {
    if (asked->ilp32 || asked->lp64)
      status = pv_cli_complain("the witness has another data model", PV_EXIT_INPUT);
  }
  v->seconds = asked->limits.seconds > 0 ? asked->limits.seconds : SECONDS;
  pv_str_free(&err);
  return status;
}

/* ---- one attempt ------------------------------------------------------------------------------
 */

static void configure(struct validation *v, proviso *p, const struct attempt *a, double seconds) {
  struct pv_options *o = &p->options;
  for (uint32_t i = 0; i < o->witness.n; i++) free(o->witness.at[i]);
  o->witness.n = 0;
  o->engine = (int)a->engine;
  o->por = a->por;
  o->search = a->search;
  o->exec = 0; /* interpreted: the machine's caches do not know what counts */
  o->marks = true;
  o->keep_going = false;
  o->properties = v->about;
  if (!v->witness.violation) o->properties |= PV_PROP_BIT(PV_PROP_OBSERVER);
  if (v->witness.says_model && v->witness.ilp32) o->ilp32 = true;
  o->limits.seconds = seconds;
  p->witness = &v->witness;
  p->weaving = a->weaving;
}

/* Is the error at a target? The machine has looked at the place only where it is known there. */
static bool is_at_target(const struct pv_program *p, const struct pv_violation *v) {
  for (uint32_t i = 0; i < p->goal.n; i++)
    if (v->file && p->goal.at[i].file && !strcmp(v->file, p->goal.at[i].file) &&
        v->line >= p->goal.at[i].from && v->line <= p->goal.at[i].to)
      return true;
  return false;
}

static enum outcome judge(struct validation *v, const proviso *p, const struct attempt *a) {
  const struct pv_result *r = &p->result;
  bool violated = r->violations.n && r->violations.at[0].replayed;
  bool proven = r->verdict == PV_TRUE;
  pv_str_clear(&v->why);
  pv_str_clear(&v->line);
  if (v->witness.violation) {
    if (violated && is_at_target(p->program, &r->violations.at[0])) {
      pv_result_line(r, &v->line);
      pv_str_addf(&v->why, "%s: %s:%u: %s", "an execution that it describes ends in an error",
                  r->violations.at[0].file, r->violations.at[0].line, r->violations.at[0].message);
      return CONFIRMED;
    }
    if (!proven || !a->complete) return OPEN;
    pv_str_add(&v->why, "no execution that it describes ends in an error");
    return REFUTED;
  }
  if (violated) {
    pv_result_line(r, &v->line);
    pv_str_addf(&v->why, "%s:%u: %s", r->violations.at[0].file, r->violations.at[0].line,
                r->violations.at[0].message);
    return REFUTED;
  }
  if (!proven) return OPEN;
  pv_result_line(r, &v->line);
  pv_str_addf(&v->why, "the property and %u invariant%s are proven", v->witness.invariants.n,
              v->witness.invariants.n == 1 ? "" : "s");
  return CONFIRMED;
}

/* 0, or the exit status. A witness that cannot be followed ends all attempts. */
static int try_once(struct validation *v, const struct attempt *a, double seconds,
                    enum outcome *outcome, bool *unusable) {
  proviso *p = proviso_new();
  int status = pv_cli_parse(v->self, &p->options, v->argc, v->argv);
  if (!status) {
    configure(v, p, a, seconds);
    proviso_status done = proviso_check(p);
    const char *message = pv_str_cstr(&p->error);
    size_t n = strlen(v->witness.path);
    if (done == PROVISO_OK) {
      *outcome = judge(v, p, a);
    } else if (done == PROVISO_BAD_INPUT && !strncmp(message, v->witness.path, n)) {
      pv_str_add(&v->why, message);
      *unusable = true;
    } else {
      status =
          pv_cli_complain(message, done == PROVISO_BAD_INPUT ? PV_EXIT_INPUT : PV_EXIT_INTERNAL);
    }
  }
  proviso_free(p);
  return status;
}

/* ---- the command ------------------------------------------------------------------------------
 */

static int report(struct validation *v, enum outcome outcome) {
  static const char *const words[] = {"not confirmed", "confirmed", "refuted"};
  struct pv_str text = {0};
  bool decided = outcome != OPEN && v->line.n;
  pv_str_addf(&text, "Witness: %s", words[outcome]);
  if (v->why.n) pv_str_addf(&text, " (%s)", v->why.at);
  pv_str_addf(&text, "\nVerification result: %s\n", decided ? v->line.at : "unknown");
  int status = !decided ? 20 : v->line.at[0] == 't' ? 0 : 10;
  status = pv_cli_print(pv_str_cstr(&text), status);
  pv_str_free(&text);
  return status;
}

/* Does it name several threads? */
static bool has_turns(const struct pv_witness *w) {
  for (uint32_t i = 0; i < w->waypoints.n; i++)
    if (w->waypoints.at[i].thread) return w->version >= PV_WITNESS_2_2;
  return false;
}

static int validate(struct validation *v) {
  const struct attempt *list = v->witness.violation ? for_errors : for_proofs;
  size_t n = v->witness.violation ? sizeof for_errors / sizeof *for_errors
                                  : sizeof for_proofs / sizeof *for_proofs;
  enum outcome outcome = OPEN;
  bool unusable = false;
  v->began = pv_clock();
  for (size_t i = 0; i < n && outcome == OPEN && !unusable; i++) {
    double left = v->seconds - (pv_clock() - v->began);
    if (left <= 0) break;
    if ((list[i].weaving & PV_WEAVE_TURNS) && !has_turns(&v->witness)) continue;
    int status = try_once(v, &list[i], left * list[i].part, &outcome, &unusable);
    if (status) return status;
  }
  return report(v, outcome);
}

int pv_cli_validate(const struct pv_command *self, int argc, char **argv) {
  struct validation v = {.self = self, .argc = argc, .argv = argv};
  struct pv_options asked;
  pv_options_init(&asked);
  int status = pv_cli_parse(self, &asked, argc, argv);
  if (!status) status = prepare(&v, &asked);
  if (!status) status = validate(&v);
  pv_witness_clear(&v.witness);
  pv_str_free(&v.why);
  pv_str_free(&v.line);
  pv_options_free(&asked);
  return status;
}
