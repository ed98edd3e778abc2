/* checkpoint.c -- conditions in and out of the explicit engine.
 *
 * What a limit leaves open is a frontier: the states that are not completely explored, each as a
 * prefix of choices with its sleep set. An execution is open if it continues such a prefix. (A
 * state may be reached by many prefixes; one is enough, because equal states have equal futures.)
 * Any engine can continue from there.
 *
 * This engine continues exactly where it was, if it gets its state: the store, the sets by state
 * and what the search order keeps. Then every count is that of a search that was never
 * interrupted. */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "explore/increments.h"
#include "result/serialize.h"

/* A change of what is written changes this number. */
enum { FORMAT = 6 };

/* Does one prefix of each state stand for all? */
static bool is_plain(const struct pv_options *o) {
  return o->store == PV_STORE_EXACT && o->symmetry == PV_SYMMETRY_NONE && o->threads == 1;
}

static bool is_exact(const struct pv_options *o) {
  return is_plain(o) && (o->search == PV_SEARCH_DFS || o->search == PV_SEARCH_BFS);
}

void pv_search_prepare(struct pv_search *s) {
  if (!(s->task->wants_state || s->task->given) || !is_exact(s->task->options)) return;
  if (pv_search_automaton(s->task)) return; /* its states are not those of another search */
  s->registry = pv_registry_new();
}

/* ---- writing --------------------------------------------------------------------------------- */
/* The options that decide what is stored, and in which order. */
static void write_identity(const struct pv_search *s, struct pv_str *out) {
  const struct pv_options *o = s->task->options;
  const uint64_t words[] = {FORMAT,
                            (uint64_t)o->search,
                            (uint64_t)o->por,
                            (uint64_t)o->atomic,
                            (uint64_t)o->inputs,
                            (uint64_t)o->keep_going,
                            s->task->limits->depth,
                            s->task->properties,
                            s->reduce != NULL,
                            s->sleep};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) pv_put_number(out, words[i]);
}

/* The sets of the states from m->kept on, and those before that changed. */
static void write_masks(const struct pv_masks *m, struct pv_str *out) {
  pv_put_number(out, m->changed.n);
  for (uint32_t i = 0; i < m->changed.n; i++) {
    pv_put_number(out, m->changed.at[i]);
    pv_put_number(out, pv_masks_get(m, m->changed.at[i]));
  }
  pv_put_number(out, m->kept);
  pv_put_number(out, m->n - m->kept);
  for (uint32_t i = m->kept; i < m->n; i++) pv_put_number(out, pv_masks_get(m, i));
}

static void forget_changes(struct pv_masks *m) {
  m->kept = 0;
  pv_vec_free(&m->changed);
}

void pv_search_put(struct pv_search *s, const struct pv_space_mark *from, struct pv_str *out) {
  const struct pv_space_mark nothing = {0};
  if (!from) forget_changes(&s->left_out);
  pv_search_count(s);
  pv_stats_put(&s->result->stats, out);
  pv_noted_put(&s->result->condition, out);
  pv_space_write(&s->space, s->registry, from ? from : &nothing, out);
  write_masks(&s->left_out, out);
  pv_put_number(out, s->rest.before);
  pv_put_number(out, s->rest.asked);
  pv_put_number(out, s->rest.left);
  s->write(s->order, from != NULL, out);
}

/* Returns the hash of the state, without its identity. */
static uint64_t write_state(struct pv_search *s, struct pv_condition *out) {
  struct pv_str bytes = {0};
  write_identity(s, &bytes);
  size_t first = bytes.n;
  pv_search_put(s, NULL, &bytes);
  uint64_t hash = pv_hash(bytes.at + first, bytes.n - first);
  pv_condition_add_state(out, "explicit", &bytes);
  return hash;
}

/* Describes what the latest proviso of the condition leaves open. Returns the hash of the state of
 * the search; 0: none was added. */
static uint64_t describe(struct pv_search *s, struct pv_condition *c) {
  struct pv_open_part part = {.kind = PV_OPEN_FRONTIER};
  s->open(s->order, &part);
  pv_condition_open(c, part);
  return s->registry && s->write && s->task->wants_state ? write_state(s, c) : 0;
}

void pv_search_leave_open(struct pv_search *s) {
  struct pv_condition *c = &s->result->condition;
  enum pv_limit hit = s->task->limits->hit;
  if (!s->limited || !s->open || !s->task->wants_parts) return;
  describe(s, c);
  if (!s->settle || !is_plain(s->task->options)) return;
  if (hit != PV_LIMIT_STATES && hit != PV_LIMIT_TIME) return;
  uint32_t number = c->parts.n - 1;
  struct pv_open_part closer = {.kind = PV_OPEN_FRONTIER};
  struct pv_stats stats = s->result->stats;
  if (s->settle(s->order, &closer)) {
    pv_open_part_clear(&c->parts.at[number]);
    c->parts.at[number] = closer;
  }
  s->result->stats = stats;
}

void pv_search_checkpoint(struct pv_search *s) {
  enum { RARELY = 16 }; /* to ask the clock takes about as long as a short transition */
  enum { MORE = 30 };   /* with increments, the pause is longer by so many times what it took */
  if (!s->open || s->result->violations.n || s->result->stats.transitions % RARELY) return;
  if (!pv_checkpoint_is_due(s->task, &s->timer)) {
    pv_increments_write(s);
    return;
  }
  double began = pv_clock();
  struct pv_result interim = {.verdict = PV_CONDITIONAL, .checked = s->task->properties};
  pv_condition_copy(&interim.condition, &s->result->condition);
  uint64_t states = pv_space_states(&s->space);
  pv_condition_add(&interim.condition, PV_PROVISO_INTERRUPT, NULL, 0,
                   "no error lies beyond the %llu states explored (interrupted; %llu states were "
                   "left waiting)",
                   (unsigned long long)states, (unsigned long long)s->waiting);
  uint64_t state = describe(s, &interim.condition);
  interim.stats = s->result->stats;
  pv_checkpoint(s->task, &interim);
  pv_result_clear(&interim);
  if (state) pv_increments_begin(s, state);
  pv_checkpoint_done(&s->timer, began);
  if (pv_increments_are_written(s)) s->timer.next += MORE * (pv_clock() - began);
}

/* ---- reading --------------------------------------------------------------------------------- */
/* The state of the same search. */
static bool find_state(const struct pv_search *s, struct pv_bytes *in) {
  struct pv_str identity = {0};
  write_identity(s, &identity);
  bool found = pv_condition_find_state(s->task->given, "explicit", &identity, in);
  pv_str_free(&identity);
  return found;
}

static bool read_masks(struct pv_masks *m, uint64_t states, struct pv_bytes *in) {
  for (uint32_t n = pv_take_count(in); n && !in->wrong; n--) {
    uint32_t state = (uint32_t)pv_take_up_to(in, states - 1);
    pv_threads set = pv_take_number(in);
    if (!in->wrong) pv_masks_set(m, state, set);
  }
  uint32_t first = (uint32_t)pv_take_up_to(in, states), n = pv_take_count(in);
  if (first + (uint64_t)n > states) in->wrong = true;
  for (uint32_t i = first; i < first + n && !in->wrong; i++) pv_masks_set(m, i, pv_take_number(in));
  return !in->wrong;
}

/* Nothing can be continued, and what the bytes changed is not undone: the search ends. */
static void is_damaged(struct pv_search *s) {
  pv_condition_add(
      &s->result->condition, PV_PROVISO_CRASH, NULL, 0,
      "no error lies in what the given state of the search, which is damaged, leaves open");
  s->stop = true;
}

/* What pv_search_put appended. What it counts and notes counts only if it is the last one. */
static bool take(struct pv_search *s, struct pv_bytes *in, bool is_first, bool is_last,
                 pv_search_read *read) {
  struct pv_stats stats = s->result->stats;
  struct pv_condition noted = {0};
  bool right = pv_stats_take(is_last ? &s->result->stats : &stats, in) &&
               pv_noted_take(is_last ? &s->result->condition : &noted, in);
  pv_condition_clear(&noted);
  if (!right || !pv_space_read(&s->space, in) || !pv_space_states(&s->space)) return false;
  right = read_masks(&s->left_out, pv_space_states(&s->space), in);
  s->rest.before = pv_take_number(in);
  s->rest.asked = (uint32_t)pv_take_up_to(in, UINT32_MAX);
  s->rest.left = (uint32_t)pv_take_up_to(in, UINT32_MAX);
  return right && !in->wrong && read(s->order, is_first, in) && !in->wrong;
}

bool pv_search_continue(struct pv_search *s, pv_search_read *read) {
  struct pv_increments_file more = {0};
  struct pv_bytes in;
  double began = pv_clock();
  if (!s->task->given || !s->registry || !find_state(s, &in)) return false;
  pv_increments_read(s->task, pv_hash(in.at, in.n), &more);
  uint32_t n = more.records.n;
  bool right = take(s, &in, true, !n, read);
  for (uint32_t i = 0; i < n && right; i++)
    right = take(s, &more.records.at[i], false, i + 1 == n, read);
  right = right && pv_space_restart(&s->space);
  if (right)
    pv_increments_continue(s, &more);
  else
    is_damaged(s);
  pv_increments_free(&more);
  (void)pv_checkpoint_is_due(s->task, &s->timer); /* starts the timer */
  if (pv_increments_are_written(s))
    pv_checkpoint_done(&s->timer, began); /* as if it had been written now */
  return true;
}

/* Does the given condition have a state of this engine? */
static bool has_state(const struct pv_task *task) {
  for (uint32_t i = 0; is_exact(task->options) && i < task->given->states.n; i++)
    if (!strcmp(task->given->states.at[i].engine, "explicit")) return true;
  return false;
}

const struct pv_open_part *pv_search_automaton(const struct pv_task *task) {
  bool inputs;
  if (!task->given || !is_plain(task->options) || has_state(task)) return NULL;
  if (task->program->has_jumps) return NULL;
  return pv_condition_beside_inputs(task->given, PV_OPEN_AUTOMATON, &inputs);
}

bool pv_search_takes(const struct pv_task *task) {
  enum pv_search_kind order = (enum pv_search_kind)task->options->search;
  bool inputs;
  bool frontier = order == PV_SEARCH_DFS || order == PV_SEARCH_BEST || order == PV_SEARCH_BEAM;
  if (!is_plain(task->options)) return false;
  if (has_state(task) || pv_search_automaton(task)) return true;
  return frontier && pv_condition_beside_inputs(task->given, PV_OPEN_FRONTIER, &inputs);
}

static bool is_no_input(const struct pv_proviso *p, void *user) {
  const struct pv_condition *c = user;
  return !p->part || c->parts.at[p->part - 1].kind != PV_OPEN_INPUTS;
}

void pv_search_leave_inputs(const struct pv_search *s) {
  struct pv_condition open = {0};
  pv_condition_copy(&open, s->task->given);
  pv_condition_filter(&open, is_no_input, &open);
  pv_condition_append(&s->result->condition, &open);
  pv_condition_clear(&open);
}

const struct pv_open_part *pv_search_given(const struct pv_search *s) {
  bool inputs;
  const struct pv_condition *given = s->task->given;
  if (!given || !is_plain(s->task->options)) return NULL;
  const struct pv_open_part *part = pv_condition_beside_inputs(given, PV_OPEN_FRONTIER, &inputs);
  if (part && inputs) pv_search_leave_inputs(s);
  return part;
}
