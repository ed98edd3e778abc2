/* combine.c -- combines the results of several engines.
 *
 * The condition is combined for each property by itself: the one of the engine that checked the
 * property and left the least of it open. So a property is proven if some engine checked it and
 * returned `true` without a proviso. What is no condition (statistics, notes, the proof) comes from
 * the result that leaves the least open of the properties that are not proven. Notes say what the
 * other engines covered: that part has no error either. */
#include <stdlib.h>
#include <string.h>

#include "plan/plan_internal.h"

/* ---- openness of results --------------------------------------------------------------------- */
/* Kinds of provisos, from assumptions that no engine checks to an end before anything was
 * explored. */
enum openness { ASSUMED, PARTS, CUT_OFF, OPENNESS };

static enum openness openness_of(enum pv_proviso_kind kind) {
  switch (kind) {
  case PV_PROVISO_TIME:
  case PV_PROVISO_MEMORY:
  case PV_PROVISO_STATES:
  case PV_PROVISO_INTERRUPT:
  case PV_PROVISO_QUEUE:
  case PV_PROVISO_SAMPLING:
  case PV_PROVISO_DEPTH:
  case PV_PROVISO_CRASH: return CUT_OFF;
  case PV_PROVISO_UNMODELLED:
  case PV_PROVISO_UNSUPPORTED:
  case PV_PROVISO_ORDERING:
  case PV_PROVISO_OBSERVER:
  case PV_PROVISO_SHARE:
  case PV_PROVISO_THREADS:
  case PV_PROVISO_ATOMIC_BLOCKED:
  case PV_PROVISO_ATOMICITY:
  case PV_PROVISO_LOSSY: return ASSUMED;
  default: return PARTS;
  }
}

/* Counts the provisos of each kind about the wanted properties. If a wanted property was not
 * checked, everything about it is open. */
static void count_open(const struct pv_result *r, pv_properties wanted, uint32_t *n) {
  memset(n, 0, OPENNESS * sizeof *n);
  n[CUT_OFF] = (uint32_t)__builtin_popcountll(wanted & ~r->checked);
  for (uint32_t i = 0; i < r->condition.provisos.n; i++) {
    const struct pv_proviso *p = &r->condition.provisos.at[i];
    if (pv_proviso_concerns(p, wanted)) n[openness_of(p->kind)]++;
  }
}

/* Does `a` leave less of the wanted properties open than `b`? For the same engine: did it get
 * further? */
static bool is_better(const struct pv_finding *a, const struct pv_finding *b,
                      pv_properties wanted) {
  static const int rank[] = {[PV_UNKNOWN] = 0, [PV_CONDITIONAL] = 1, [PV_TRUE] = 2, [PV_FALSE] = 3};
  const struct pv_result *x = &a->result, *y = &b->result;
  if (!a->engine || !b->engine) return a->engine;
  if (rank[x->verdict] != rank[y->verdict]) return rank[x->verdict] > rank[y->verdict];
  if (x->violations.n != y->violations.n) return x->violations.n > y->violations.n;
  uint32_t n[OPENNESS], m[OPENNESS];
  count_open(x, wanted, n);
  count_open(y, wanted, m);
  if (!n[CUT_OFF] != !m[CUT_OFF]) return !n[CUT_OFF];
  if (n[CUT_OFF] && a->engine == b->engine) return x->stats.states > y->stats.states;
  for (int i = OPENNESS; i-- > 0;)
    if (n[i] != m[i]) return n[i] < m[i];
  return false;
}

/* ---- combination ----------------------------------------------------------------------------- */
pv_properties pv_finding_proves(const struct pv_task *task, const struct pv_result *r) {
  bool whole = r->verdict == PV_TRUE && !r->condition.provisos.n && !r->violations.n;
  return whole ? r->checked & task->properties : 0;
}

static void add_properties(pv_properties set, struct pv_str *out) {
  const char *between = "";
  for (unsigned i = 0; i < PV_PROP_COUNT; i++) {
    if (!(set & PV_PROP_BIT(i))) continue;
    pv_str_addf(out, "%s%s", between, pv_property_table[i].name);
    between = ", ";
  }
}

static void push_note(struct pv_result *r, const char *text) {
  for (uint32_t i = 0; i < r->notes.n; i++)
    if (!strcmp(r->notes.at[i], text)) return;
  pv_vec_push(&r->notes, pv_strdup(text));
}

/* Notes what a finding adds to the one that is shown. The progress of an engine that was asked to
 * end is noted only after a limit or an interrupt, so that the output of other runs is
 * reproducible. */
static void note_finding(const struct pv_task *task, const struct pv_finding *f,
                         struct pv_result *shown) {
  const struct pv_result *r = &f->result;
  struct pv_str text = {0};
  if (!f->proves && shown->verdict == PV_TRUE) return;
  if (f->told && task->limits->hit == PV_LIMIT_NONE) return;
  if (f->proves) {
    pv_str_addf(&text, "engine `%s` proved ", f->engine->name);
    add_properties(f->proves, &text);
  } else if (r->verdict == PV_CONDITIONAL && r->condition.provisos.n) {
    pv_str_addf(&text, "engine `%s` found no error either, provided that %s", f->engine->name,
                r->condition.provisos.at[0].sentence);
    if (r->condition.provisos.n > 1)
      pv_str_addf(&text, " (and %u more)", r->condition.provisos.n - 1);
  } else {
    return;
  }
  push_note(shown, pv_str_cstr(&text));
  pv_str_free(&text);
}

/* Do these counts have no provisos of a class that those have? Numbers of equal class do not count.
 */
static bool is_of_lower_class(const uint32_t *a, const uint32_t *b) {
  for (int i = OPENNESS; i-- > 0;)
    if (!a[i] != !b[i]) return !a[i];
  return false;
}

/* The finding whose condition is to count for a property: the best one, unless another one that has
 * checked the property leaves less of it open. */
static struct pv_finding *best_for(struct pv_finding *f, uint32_t n, struct pv_finding *best,
                                   pv_properties property) {
  struct pv_finding *found = best;
  for (uint32_t i = 0; i < n; i++) {
    const struct pv_result *r = &f[i].result;
    bool fits = f[i].engine && (r->checked & property) &&
                (r->verdict == PV_TRUE || r->verdict == PV_CONDITIONAL);
    uint32_t k[OPENNESS], m[OPENNESS];
    if (!fits || &f[i] == found) continue;
    count_open(r, property, k);
    count_open(&found->result, property, m);
    if (is_of_lower_class(k, m)) found = &f[i];
  }
  return found;
}

/* Puts together what counts for each property. */
static void combine_conditions(const struct pv_task *task, struct pv_finding *f, uint32_t n,
                               struct pv_finding *best) {
  pv_properties *counts = pv_alloc((n + 1) * sizeof *counts), checked = 0;
  struct pv_condition all = {0};
  for (unsigned i = 0; i < PV_PROP_COUNT; i++) {
    pv_properties p = PV_PROP_BIT(i) & task->properties;
    if (p) counts[best_for(f, n, best, p) - f] |= p;
  }
  for (uint32_t i = 0; i < n; i++) {
    struct pv_condition *c = &f[i].result.condition;
    for (uint32_t k = 0; k < c->provisos.n && counts[i]; k++)
      pv_condition_append_for(&all, c, k, counts[i], task->properties);
    checked |= f[i].result.checked & counts[i];
  }
  pv_condition_move_states(&all, &best->result.condition);
  pv_condition_clear(&best->result.condition);
  best->result.condition = all;
  best->result.checked |= checked;
  best->result.verdict = all.provisos.n ? PV_CONDITIONAL : PV_TRUE;
  free(counts);
}

uint32_t pv_findings_combine(const struct pv_task *task, struct pv_finding *f, uint32_t n,
                             struct pv_result *result, const char **engine) {
  pv_properties proven = 0;
  struct pv_finding *best = f;
  for (uint32_t i = 0; i < n; i++) proven |= f[i].engine ? f[i].proves : 0;
  for (uint32_t i = 0; i < n; i++) {
    if (!f[i].engine) continue;
    pv_plan_guard(task, f[i].engine, proven, &f[i].result);
    pv_plan_sequence(task, &f[i].result);
    if (is_better(&f[i], best, task->properties & ~proven)) best = &f[i];
  }
  *engine = best->engine->name;
  if (best->result.verdict == PV_TRUE || best->result.verdict == PV_CONDITIONAL)
    combine_conditions(task, f, n, best);
  pv_plan_add_notes(task, best->engine, &best->result);
  if (best->result.verdict != PV_FALSE)
    for (uint32_t i = 0; i < n; i++)
      if (&f[i] != best && f[i].engine) note_finding(task, &f[i], &best->result);
  for (uint32_t i = 0; i < n && best->result.verdict != PV_FALSE; i++)
    if (&f[i] != best) pv_condition_move_states(&best->result.condition, &f[i].result.condition);
  *result = best->result;
  best->result = (struct pv_result){.stats = result->stats, .verdict = result->verdict};
  return (uint32_t)(best - f);
}
