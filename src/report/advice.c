/* advice.c -- what was tried for a result, and which commands would help: for --explain. */
#include "report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 3, MOST_OTHERS = 3 };

struct advice {
  const struct pv_report *r;
  struct pv_str *out, *more;
  unsigned n;      /* commands so far: checks */
  unsigned others; /* and other sub-commands */
};
/* An option that a command has instead of the one of this run; value NULL: a switch. name NULL:
 * none. */
struct instead {
  const char *name, *value;
};

/* ---- commands -------------------------------------------------------------------------------- */
/* Options that say where something is written, or that the advice replaces. */
static bool is_left_out(const char *name) {
  static const char *const names[] = {"json",    "report",  "sarif",    "junit",
                                      "harness", "proviso", "coverage", "explain",
                                      "quiet",   "verbose", "work",     "dump-queries"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(names[i], name)) return true;
  return false;
}

/* Appends a word of a command, in quotes if a shell needs them. */
static void add_word(const char *word, struct pv_str *out) {
  pv_str_addc(out, ' ');
  const char *safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=,:+@%";
  if (*word && strspn(word, safe) == strlen(word)) {
    pv_str_add(out, word);
    return;
  }
  struct pv_str clean = {0};
  pv_report_clean(word, 0, true, &clean);
  pv_str_addc(out, '\'');
  for (const char *c = pv_str_cstr(&clean); *c; c++)
    pv_str_add(out, *c == '\'' ? "'\\''" : (char[]){*c, 0});
  pv_str_addc(out, '\'');
  pv_str_free(&clean);
}

static void add_option(const char *name, const char *value, struct pv_str *out) {
  char *word = pv_format("--%s", name);
  add_word(word, out);
  free(word);
  if (value) add_word(value, out);
}

/* The options of this run that are not the default, of those that all the commands know. */
static void add_options(const struct pv_options *o, unsigned commands,
                        const struct instead *instead, struct pv_str *out) {
  struct pv_options plain;
  pv_options_init(&plain);
  for (size_t i = 0; i < pv_option_count; i++) {
    const struct pv_option_info *info = &pv_option_table[i];
    const void *field = (const char *)o + info->offset;
    const void *usual = (const char *)&plain + info->offset;
    if ((info->commands & commands) != commands || is_left_out(info->name)) continue;
    if (instead->name && !strcmp(info->name, instead->name)) continue;
    if (info->kind == PV_OPTION_CHOICE && *(const int *)field != *(const int *)usual)
      add_option(info->name, pv_options_choice_name(info->name, *(const int *)field), out);
    if (info->kind == PV_OPTION_NUMBER && *(const long *)field != *(const long *)usual) {
      char *number = pv_format("%ld", *(const long *)field);
      add_option(info->name, number, out);
      free(number);
    }
    if (info->kind == PV_OPTION_SWITCH && *(const bool *)field) add_option(info->name, NULL, out);
    const struct pv_texts *texts = field;
    for (uint32_t k = 0; info->kind == PV_OPTION_TEXT && k < texts->n; k++)
      add_option(info->name, texts->at[k], out);
  }
  if (instead->name) add_option(instead->name, instead->value, out);
  pv_options_free(&plain);
}

static void add_files(const struct pv_options *o, const char *more, struct pv_str *out) {
  for (uint32_t i = 0; i < o->files.n; i++) {
    const char *flags = pv_options_file_flags(o, i);
    char *word = pv_format("%s%s%s", o->files.at[i], *flags ? ":" : "", flags);
    add_word(word, out);
    free(word);
  }
  if (more) add_word(more, out);
  if (o->clang_args.n) pv_str_add(out, " --");
  for (uint32_t i = 0; i < o->clang_args.n; i++) add_word(o->clang_args.at[i], out);
}

/* "To see ...:" and the command. */
static void advise(struct advice *a, const char *why, struct instead instead, const char *file) {
  if (a->n++ >= MOST) return;
  pv_str_addf(a->out, "  %s:\n    proviso check", why);
  add_options(a->r->options, PV_FOR_CHECK, &instead, a->out);
  add_files(a->r->options, file, a->out);
  pv_str_addc(a->out, '\n');
}

/* The same for another sub-command, which may look at the program in another way. It is told after
 * the checks. words: its own options; then: a command to execute after it, or NULL. */
static void advise_other(struct advice *a, const char *why, const char *command, const char *words,
                         const char *then) {
  const struct pv_options *o = a->r->options;
  if (a->others++ >= MOST_OTHERS) return;
  pv_str_addf(a->more, "  %s:\n    proviso %s", why, command);
  add_options(o, PV_OF_PROGRAM, &(struct instead){0}, a->more);
  if (*words) pv_str_addf(a->more, " %s", words);
  add_files(o, NULL, a->more);
  pv_str_addf(a->more, "%s%s\n", then ? " && " : "", then ? then : "");
}

/* ---- what helps ------------------------------------------------------------------------------ */
static bool has_threads(const struct pv_report *r) {
  return r->result->stats.threads > 1;
}

/* Bounds on the program's environment have options (frontend/externals_given.c). */
static void advise_bound(struct advice *a, const struct pv_proviso *p) {
  enum { LONGEST = 256 }; /* the largest value of both options */
  const struct pv_options *o = a->r->options;
  bool files = strstr(p->sentence, "files that the program reads") != NULL;
  bool texts = strstr(p->sentence, "arguments of at most") || strstr(p->sentence, "environment");
  long bound = files ? o->max_file_length : o->max_arg_length;
  char number[32];
  if ((!files && !texts) || bound >= LONGEST) return;
  snprintf(number, sizeof number, "%ld", 2 * bound < LONGEST ? 2 * bound : LONGEST);
  if (files)
    advise(a, "To allow longer files", (struct instead){"max-file-length", number}, NULL);
  else
    advise(a, "To allow longer arguments and values of the environment",
           (struct instead){"max-arg-length", number}, NULL);
}

/* Did an engine that the user named, with mathematical integers, lose values or not close a loop?
 * By default both forms of integers take turns. */
static void advise_integers(struct advice *a) {
  const struct pv_options *o = a->r->options;
  const struct pv_result *r = a->r->result;
  bool named = o->engine == PV_ENGINE_BMC || o->engine == PV_ENGINE_KINDUCTION ||
               o->engine == PV_ENGINE_PREDICATE || o->engine == PV_ENGINE_COMPOSITE;
  bool unwinds = false;
  for (uint32_t i = 0; i < r->condition.provisos.n; i++)
    unwinds |= r->condition.provisos.at[i].kind == PV_PROVISO_UNWINDING;
  if (!named || o->integers || !(r->stats.imprecise || r->stats.wrapping || unwinds)) return;
  advise(a, "To represent integers as bit-vectors, which is exact",
         (struct instead){"integers", "bitvector"}, NULL);
}

static void advise_about(struct advice *a, const struct pv_proviso *p) {
  const struct pv_options *o = a->r->options;
  char number[32];
  switch (p->kind) {
  case PV_PROVISO_TIME:
  case PV_PROVISO_INTERRUPT:
    if (o->proviso.n) {
      if (a->n++ >= MOST) return;
      pv_str_addf(a->out,
                  "  To go on where this run stopped:\n    proviso resume --limit time=%.0fs",
                  o->limits.seconds > 0 ? 10 * o->limits.seconds : 600);
      add_word(pv_vec_last(&o->proviso), a->out);
      pv_str_addc(a->out, '\n');
    } else {
      advise(a, "To keep what is covered and go on later with `proviso resume rest.proviso`",
             (struct instead){"proviso", "rest.proviso"}, NULL);
    }
    return;
  case PV_PROVISO_MEMORY:
    advise(a, "To fit more states into memory, with a small probability of an omission",
           (struct instead){"store", "compact64"}, NULL);
    return;
  case PV_PROVISO_STATES:
  case PV_PROVISO_DEPTH:
    snprintf(number, sizeof number, "time=600s");
    advise(a, "To bound the run by time instead", (struct instead){"limit", number}, NULL);
    return;
  case PV_PROVISO_INPUT:
    if (!has_threads(a->r))
      advise(a, "To treat inputs symbolically, all values at once",
             (struct instead){"engine", "composite"}, NULL);
    snprintf(number, sizeof number, "%ld", 4 * o->inputs < 65536 ? 4 * o->inputs : 65536);
    advise(a, "To try more values of inputs", (struct instead){"inputs", number}, NULL);
    return;
  case PV_PROVISO_BOUND: advise_bound(a, p); return;
  case PV_PROVISO_UNWINDING:
    if (o->limits.seconds > 0 && o->limits.seconds < 600)
      advise(a, "To give it more time", (struct instead){"limit", "time=600s"}, NULL);
    if (o->engine == PV_ENGINE_KINDUCTION) return;
    advise(a, "To prove loops by induction instead of unrolling them",
           (struct instead){"engine", "kinduction"}, NULL);
    return;
  case PV_PROVISO_UNMODELLED:
    advise(a, "To say what the missing function does, write it in C and add the file",
           (struct instead){0}, "missing.c");
    return;
  case PV_PROVISO_QUEUE:
  case PV_PROVISO_SAMPLING:
    advise(a, "To search completely", (struct instead){"search", "dfs"}, NULL);
    return;
  case PV_PROVISO_LOSSY:
    advise(a, "To lose no state", (struct instead){"store", "exact"}, NULL);
    return;
  case PV_PROVISO_PREEMPTIONS:
    advise(a, "To allow any number of switches", (struct instead){"preemptions", "1000000"}, NULL);
    return;
  case PV_PROVISO_THREADS:
    advise(a, "To allow more threads", (struct instead){"max-threads", "64"}, NULL);
    return;
  case PV_PROVISO_ATOMICITY:
    advise(a, "To switch also inside of statements", (struct instead){"atomic", "visible"}, NULL);
    return;
  default: return;
  }
}

static void advise_after_error(struct advice *a) {
  const struct pv_violation *v = &a->r->result->violations.at[0];
  if (!a->r->options->report.n)
    advise(a, "To step through the error in a browser", (struct instead){"report", "error.html"},
           NULL);
  if (!v->minimised && v->path.steps.n > 12)
    advise(a, "To shorten the path", (struct instead){"minimise", NULL}, NULL);
  if (v->path.inputs.n)
    advise(a, "To reproduce it natively, with these inputs",
           (struct instead){"harness", "harness.c"}, NULL);
  if (!a->r->options->keep_going)
    advise(a, "To see all errors", (struct instead){"keep-going", NULL}, NULL);
}

/* The inputs that the command line gives are constants of the slice. */
static void advise_slice(struct advice *a, const char *why) {
  const struct pv_options *o = a->r->options;
  bool fixed = o->args.n || o->env.n || o->stdin_file.n;
  advise_other(a, why, "slice", fixed ? "--specialise -o slice.c" : "-o slice.c", NULL);
}

static void advise_automaton(struct advice *a) {
  if (a->others++ >= MOST_OTHERS) return;
  pv_str_add(a->more, "  To see the automaton of the formula:\n    proviso ltl");
  add_word(a->r->options->ltl.at[0], a->more);
  pv_str_addc(a->more, '\n');
}

/* Other sub-commands that look at an error. */
static void advise_others_after_error(struct advice *a) {
  const struct pv_options *o = a->r->options;
  const struct pv_violation *v = &a->r->result->violations.at[0];
  bool races = v->property == PV_PROP_NO_DATA_RACE || v->property == PV_PROP_NO_DEADLOCK;
  if (v->path.is_lasso && o->ltl.n) {
    advise_automaton(a);
  } else if (has_threads(a->r)) {
    advise_other(a, "To see it in the real program", "check", "--quiet --json error.json",
                 "proviso replay --native error.json");
  }
  if (races)
    advise_other(a, "To see what else one execution warns of", "observe", "--confirm", NULL);
  advise_slice(a, "To see what it depends on");
}

/* Other sub-commands that help where a search did not come to its end. */
static void advise_others_open(struct advice *a) {
  bool reach = a->r->options->properties & PV_PROP_BIT(PV_PROP_UNREACH_CALL);
  if (a->r->options->ltl.n) advise_automaton(a);
  if (has_threads(a->r)) {
    advise_other(a, "To be warned by one execution, of races and deadlocks of others", "observe",
                 "--confirm", NULL);
    advise_other(a, "To watch the real program", "instrument", "-o program",
                 "PROVISO_TRACE=trace ./program && proviso observe --trace trace");
  }
  if (reach)
    advise_other(a, "To replace variables that take many values by predicates about them",
                 "abstract", "--refine --predicates predicates.txt", NULL);
  advise_slice(a, "To see which part of the program matters");
}

static void advise_after_proof(struct advice *a) {
  uint32_t assumed = a->r->result->assumed;
  if (assumed >> PV_ASSUMES_ALLOCATION & 1)
    advise(a, "To check that failing allocations do no harm",
           (struct instead){"malloc-may-fail", NULL}, NULL);
  if (assumed >> PV_ASSUMES_CALLS & 1)
    advise(a, "To check that failing calls do no harm", (struct instead){"calls-may-fail", NULL},
           NULL);
  if (assumed >> PV_ASSUMES_LEAKS & 1)
    advise(a, "To look for memory that is never freed",
           (struct instead){"property", "valid-memtrack"}, NULL);
}

static void advise_unknown(struct advice *a) {
  const struct pv_options *o = a->r->options;
  if (o->engine != PV_ENGINE_AUTO)
    advise(a, "To let several engines take turns", (struct instead){"engine", "auto"}, NULL);
  if (o->limits.seconds > 0 && o->limits.seconds < 600)
    advise(a, "To give it more time", (struct instead){"limit", "time=600s"}, NULL);
  advise(a, "To look for errors only, near ones first", (struct instead){"search", "best"}, NULL);
}

/* ---- what was tried -------------------------------------------------------------------------- */
static void add_tried(const struct pv_report *r, struct pv_str *out) {
  for (uint32_t i = 0; i < r->result->tried.n; i++) {
    const struct pv_tried *t = &r->result->tried.at[i];
    if (!i) pv_str_add(out, "\nWhat was tried:\n");
    pv_str_addf(out, "  %s: %s", t->engine, t->outcome);
    if (t->why) {
      pv_str_add(out, ", ");
      pv_report_clean(t->why, 160, true, out);
    } else if (!strcmp(t->outcome, "stopped")) {
      pv_str_add(out, ", since another engine had decided, or time was over");
    }
    if (r->options->verbose) pv_str_addf(out, " (%.1f s of CPU time)", t->cpu_seconds);
    pv_str_addc(out, '\n');
  }
}

/* Did a limit or a bound of the search leave executions open? */
static bool is_open(const struct pv_report *r) {
  const struct pv_condition *c = &r->result->condition;
  if (r->result->verdict == PV_UNKNOWN) return true;
  for (uint32_t i = 0; i < c->provisos.n && r->result->verdict == PV_CONDITIONAL; i++)
    switch (c->provisos.at[i].kind) {
    case PV_PROVISO_TIME:
    case PV_PROVISO_INTERRUPT:
    case PV_PROVISO_MEMORY:
    case PV_PROVISO_STATES:
    case PV_PROVISO_DEPTH:
    case PV_PROVISO_QUEUE: return true;
    default: break;
    }
  return false;
}

void pv_report_explain(const struct pv_report *r, struct pv_str *out) {
  struct pv_str commands = {0}, more = {0};
  struct advice a = {.r = r, .out = &commands, .more = &more};
  const struct pv_condition *c = &r->result->condition;
  add_tried(r, out);
  if (r->result->violations.n) advise_after_error(&a);
  if (r->result->verdict == PV_TRUE) advise_after_proof(&a);
  if (r->result->verdict == PV_CONDITIONAL || r->result->verdict == PV_UNKNOWN) advise_integers(&a);
  bool told[PV_PROVISO_COUNT] = {false};
  for (uint32_t i = 0; i < c->provisos.n && r->result->verdict != PV_FALSE; i++) {
    if (!told[c->provisos.at[i].kind]) advise_about(&a, &c->provisos.at[i]);
    told[c->provisos.at[i].kind] = true;
  }
  if (r->result->verdict == PV_UNKNOWN) advise_unknown(&a);
  if (r->result->violations.n) advise_others_after_error(&a);
  if (is_open(r)) advise_others_open(&a);
  if (a.n) pv_str_addf(out, "\nWhat would help:\n%s", pv_str_cstr(&commands));
  if (a.others) pv_str_addf(out, "\nOther ways to look at it:\n%s", pv_str_cstr(&more));
  pv_str_free(&commands);
  pv_str_free(&more);
}
