/* steps.c -- a plan that the user wrote: engines one after the other, each on what the one before
 * left open (Beyer, Henzinger, Keremoglu, Wendler, "Conditional model checking", FSE 2012, section
 * 2, sequential composition).
 *
 *   bmc(unwind=1); value(time=10s); predicate
 *
 * A step is the name of an engine, with options in parentheses: those of the command line without
 * dashes, and the limits time, memory, states and depth of the step. The plan ends when nothing is
 * open any more, at an error, and at a limit of the whole run. */
#include <stdlib.h>
#include <string.h>

#include "plan/plan_internal.h"

struct step {
  const struct pv_engine *engine;
  struct pv_options options; /* its texts are those of the task, borrowed */
  char *text;
};
typedef PV_VEC(struct step) steps;

/* ---- reading --------------------------------------------------------------------------------- */
/* The next part of `*text` up to one of `ends`, without blanks around it; caller frees. */
static char *part_of(const char **text, const char *ends) {
  const char *from = *text + strspn(*text, " \t"), *to = from + strcspn(from, ends);
  *text = to;
  while (to > from && (to[-1] == ' ' || to[-1] == '\t')) to--;
  char *part = pv_alloc((size_t)(to - from) + 1);
  memcpy(part, from, (size_t)(to - from));
  return part;
}

static bool is_limit(const char *name) {
  static const char *const names[] = {"time", "memory", "states", "depth"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(name, names[i])) return true;
  return false;
}

/* Texts would be freed twice, and decide what the program is. */
static bool is_option_of_a_step(const char *name) {
  for (size_t i = 0; i < pv_option_count; i++) {
    const struct pv_option_info *info = &pv_option_table[i];
    if (strcmp(info->name, name) != 0) continue;
    return info->kind != PV_OPTION_TEXT && strcmp(name, "engine") != 0 && strcmp(name, "32") != 0 &&
           strcmp(name, "64") != 0;
  }
  return false;
}

static enum pv_status set(struct step *s, const char *name, const char *value, struct pv_str *err) {
  if (is_limit(name)) {
    char *text = pv_format("%s=%s", name, value);
    enum pv_status status = pv_limits_parse(text, &s->options.limits, err);
    free(text);
    return status;
  }
  if (is_option_of_a_step(name)) return pv_options_set(&s->options, name, value, err);
  pv_str_addf(err, "`%s` is no option of a step", name);
  return PV_E_INPUT;
}

/* name=value, name=value) */
static enum pv_status read_options(struct step *s, const char **text, struct pv_str *err) {
  bool is_closed = **text && (*text)[strcspn(*text, ");")] == ')';
  while (is_closed && **text != ')') {
    char *name = part_of(text, "=,)"), *value = NULL;
    if (**text == '=') {
      ++*text;
      value = part_of(text, ",)");
    }
    enum pv_status status = set(s, name, value ? value : "1", err);
    free(name);
    free(value);
    PV_TRY(status);
    if (**text == ',') ++*text;
  }
  if (!is_closed) {
    pv_str_add(err, "a parenthesis is not closed");
    return PV_E_INPUT;
  }
  ++*text;
  return PV_OK;
}

static enum pv_status read_step(const struct pv_task *task, const char **text, struct step *out,
                                struct pv_str *err) {
  const char *from = *text + strspn(*text, " \t");
  char *name = part_of(text, "(;");
  *out = (struct step){.engine = pv_plan_engine(name), .options = *task->options};
  out->options.limits = (struct pv_limits){0};
  if (!out->engine) pv_str_addf(err, "`%s` is no engine", name);
  free(name);
  if (!out->engine) return PV_E_INPUT;
  if (**text == '(') {
    ++*text;
    PV_TRY(read_options(out, text, err));
  }
  out->text = pv_format("%.*s", (int)(*text - from), from);
  *text += strspn(*text, " \t");
  if (**text && **text != ';') {
    pv_str_addf(err, "a `;` is missing before `%s`", *text);
    free(out->text);
    return PV_E_INPUT;
  }
  if (**text) ++*text;
  return PV_OK;
}

static void steps_free(steps *s) {
  for (uint32_t i = 0; i < s->n; i++) free(s->at[i].text);
  pv_vec_free(s);
}

static enum pv_status read_steps(const struct pv_task *task, const char *text, steps *out,
                                 struct pv_str *err) {
  struct pv_str why = {0};
  enum pv_status status = PV_OK;
  const char *whole = text;
  while (status == PV_OK && text[strspn(text, " \t")]) {
    struct step s;
    status = read_step(task, &text, &s, &why);
    if (status == PV_OK) pv_vec_push(out, s);
  }
  if (status == PV_OK && !out->n) {
    pv_str_add(&why, "there is no step");
    status = PV_E_INPUT;
  }
  if (status != PV_OK && err)
    pv_str_addf(err, "option `--plan`: %s (in `%s`)", pv_str_cstr(&why), whole);
  pv_str_free(&why);
  return status;
}

enum pv_status pv_plan_check_steps(const struct pv_task *task, struct pv_str *message) {
  steps s = {0};
  if (!task->options->plan.n) return PV_OK;
  enum pv_status status = read_steps(task, pv_vec_last(&task->options->plan), &s, message);
  steps_free(&s);
  return status;
}

/* ---- running --------------------------------------------------------------------------------- */
/* The limits of a step: its own, within what is left of the run's. */
static struct pv_limits limits_of(const struct pv_limits *whole, const struct pv_limits *own) {
  struct pv_limits l = *whole;
  double left = whole->seconds > 0 ? whole->seconds - pv_limits_elapsed(whole) : 0;
  if (whole->seconds > 0 && left <= 0) left = 1e-9;
  l.seconds = own->seconds > 0 && (left <= 0 || own->seconds < left) ? own->seconds : left;
  if (own->memory && (!l.memory || own->memory < l.memory)) l.memory = own->memory;
  if (own->states) l.states = own->states;
  if (own->depth) l.depth = own->depth;
  l.reserve = NULL;
  pv_limits_start(&l);
  return l;
}

static enum pv_status run_step(const struct pv_task *task, const struct step *s,
                               const struct pv_condition *given, struct pv_result *result) {
  struct pv_limits limits = limits_of(task->limits, &s->options.limits);
  struct pv_task own = *task;
  own.options = &s->options;
  own.limits = &limits;
  own.given = given;
  own.wants_parts = own.wants_interim = true;
  own.wants_state = false;
  own.sharing = NULL;
  enum pv_status status = pv_plan_run_engine(&own, s->engine, result);
  task->limits->children += limits.children;
  if (limits.peak > task->limits->peak) task->limits->peak = limits.peak;
  return status;
}

/* What the step has contributed, for the report. Times differ from run to run, so they are for
 * --verbose. */
static char *contribution(const struct pv_task *task, const struct step *s, uint32_t number,
                          const struct pv_result *r) {
  static const char *const open[] = {[PV_OPEN_NOTHING] = "nothing is open after it",
                                     [PV_OPEN_PARTS] = "it left a part open",
                                     [PV_OPEN_EVERYTHING] = "it left everything open"};
  pv_properties left = pv_condition_open_properties(&r->condition, task->properties);
  struct pv_str some = {0};
  if (left && left != task->properties) {
    pv_str_add(&some, "open after it is ");
    pv_properties_print(left, &some);
  }
  const char *what = r->verdict == PV_FALSE ? "it found an error"
                     : some.n               ? pv_str_cstr(&some)
                                            : open[pv_condition_openness(&r->condition)];
  char *time =
      s->options.verbose ? pv_format(" (%.1f s of CPU time)", r->stats.cpu_seconds) : pv_strdup("");
  char *text = pv_format("step %u, `%s`: %s%s", number, s->text, what, time);
  free(time);
  pv_str_free(&some);
  return text;
}

static bool is_over(const struct pv_task *task, const struct pv_result *r) {
  if (r->verdict == PV_FALSE || r->verdict == PV_TRUE) return true;
  if (pv_limits_check_now(task->limits) != PV_LIMIT_NONE) return true;
  bool all = !(task->properties & ~r->checked);
  return all && pv_condition_openness(&r->condition) == PV_OPEN_NOTHING;
}

/* Is not everything open, for some property? */
static bool says_something(const struct pv_task *task, const struct pv_result *r) {
  for (unsigned i = 0; i < PV_PROP_COUNT && r->verdict != PV_UNKNOWN; i++)
    if ((task->properties & PV_PROP_BIT(i)) &&
        pv_condition_openness_of(&r->condition, PV_PROP_BIT(i)) != PV_OPEN_EVERYTHING)
      return true;
  return false;
}

enum pv_status pv_plan_steps(const struct pv_task *task, struct pv_result *result,
                             const char **engine) {
  steps s = {0};
  PV_VEC(char *) notes = {0};
  struct pv_condition given = {0};
  bool has_given = task->given != NULL, over = false;
  enum pv_status status = read_steps(task, pv_vec_last(&task->options->plan), &s, NULL);
  if (has_given) pv_condition_copy(&given, task->given);
  for (uint32_t i = 0; i < s.n && !over && status == PV_OK; i++) {
    struct pv_result r = {0};
    status = run_step(task, &s.at[i], has_given ? &given : NULL, &r);
    *engine = s.at[i].engine->name;
    pv_vec_push(&notes, contribution(task, &s.at[i], i + 1, &r));
    over = is_over(task, &r);
    if (!over && says_something(task, &r)) {
      pv_condition_clear(&given);
      pv_condition_copy(&given, &r.condition);
      has_given = true;
    }
    pv_result_clear(result);
    *result = r;
  }
  for (uint32_t i = 0; i < notes.n; i++) pv_vec_push(&result->notes, notes.at[i]);
  pv_vec_free(&notes);
  pv_condition_clear(&given);
  steps_free(&s);
  return status;
}
