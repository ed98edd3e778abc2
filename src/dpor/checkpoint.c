/* checkpoint.c -- the state of the stateless search as bytes.
 *
 * The state is the stack: the events of the current execution, and for each state on the way the
 * sleep set and the wakeup tree; and the abstraction under which executions are taken for
 * equivalent: the slice, the mutexes whose sections are split, the addresses that may come back.
 * When it is read, the events are executed again. What a partial search covers holds only under its
 * abstraction, which the rest of the search may still refute. So this state is no open part for
 * other engines; without such an abstraction there is one (frontier.c). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dpor/search_internal.h"
#include "result/serialize.h"

/* A change of what is written changes this number. */
enum { FORMAT = 4 };

/* ---- transitions ----------------------------------------------------------------------------- */
static uint64_t function_number(const struct pv_program *p, const struct pv_function *f) {
  return f ? (uint64_t)(f - p->functions.at) + 1 : 0;
}

static void write_pending(const struct pv_dpor_search *s, const struct pv_pending *p,
                          struct pv_str *out) {
  const struct pv_prim_call *c = &p->call;
  uint64_t edge = p->edge ? (uint64_t)(p->edge - p->function->edges.at) : 0;
  uint64_t prim = c->prim ? (uint64_t)(c->prim - s->trace.sched->prims) + 1 : 0;
  const uint64_t words[] = {p->kind,     p->write | 2u * p->atomic | 4u * p->stays,
                            p->address,  p->bytes,
                            p->thread,   p->alternatives,
                            p->progress, function_number(s->task->program, p->function),
                            edge,        prim};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) pv_put_number(out, words[i]);
  if (!prim) return;
  pv_put_number(out, c->thread);
  pv_put_number(out, c->phase);
  for (size_t i = 0; i < sizeof c->args / sizeof *c->args; i++) pv_put_number(out, c->args[i]);
}

static struct pv_pending read_pending(const struct pv_dpor_search *s, struct pv_bytes *in) {
  const struct pv_program *program = s->task->program;
  const struct pv_sched *sched = pv_sched_of(program->sched);
  struct pv_pending p = {.kind = (enum pv_pend_kind)pv_take_up_to(in, PV_PEND_END)};
  uint64_t flags = pv_take_up_to(in, 7);
  p.write = flags & 1;
  p.atomic = flags & 2;
  p.stays = flags & 4;
  p.address = pv_take_number(in);
  p.bytes = (uint32_t)pv_take_up_to(in, UINT32_MAX);
  p.thread = (uint32_t)pv_take_up_to(in, PV_MAX_THREADS - 1);
  p.alternatives = (unsigned)pv_take_up_to(in, UINT16_MAX);
  p.progress = (unsigned)pv_take_up_to(in, UINT16_MAX);
  uint64_t function = pv_take_up_to(in, program->functions.n);
  uint64_t edge = pv_take_number(in), prim = pv_take_up_to(in, sched->n_prims);
  if (function) p.function = &program->functions.at[function - 1];
  if (p.function && edge < p.function->edges.n)
    p.edge = &p.function->edges.at[edge];
  else if (p.function || edge)
    in->wrong = true;
  bool needs_prim = p.kind == PV_PEND_PRIM, needs_edge = p.kind > PV_PEND_LOCAL;
  if ((needs_prim && !prim) || (needs_edge && !p.edge)) in->wrong = true;
  if (!prim) return p;
  p.call.prim = &sched->prims[prim - 1];
  p.call.thread = (unsigned)pv_take_up_to(in, PV_MAX_THREADS - 1);
  p.call.phase = (unsigned)pv_take_up_to(in, UINT32_MAX);
  for (size_t i = 0; i < sizeof p.call.args / sizeof *p.call.args; i++)
    p.call.args[i] = pv_take_number(in);
  return p;
}

static void write_transition(const struct pv_dpor_search *s, const struct pv_transition *d,
                             struct pv_str *out) {
  pv_put_number(out, d->thread);
  pv_put_number(out, ((uint64_t)d->alternative + 1) & UINT32_MAX);
  pv_put_number(out, d->index);
  pv_put_number(out, d->inner);
  pv_put_number(out, d->chain | 2u * d->marks.reads);
  pv_put_number(out, d->marks.objects);
  pv_put_number(out, d->marks.places);
  write_pending(s, &d->what, out);
}

static struct pv_transition read_transition(const struct pv_dpor_search *s, struct pv_bytes *in) {
  const struct pv_sections *sections = &s->trace.sections;
  struct pv_transition d = {.thread = (uint32_t)pv_take_up_to(in, PV_MAX_THREADS - 1)};
  d.alternative = (uint32_t)pv_take_up_to(in, UINT32_MAX) - 1;
  d.index = (uint32_t)pv_take_up_to(in, UINT32_MAX);
  d.inner = (uint32_t)pv_take_up_to(in, sections->first.n ? sections->first.n - 1 : 0);
  uint64_t flags = pv_take_up_to(in, 3);
  d.chain = flags & 1;
  d.marks.reads = flags & 2;
  d.marks.objects = pv_take_number(in);
  d.marks.places = pv_take_number(in);
  d.what = read_pending(s, in);
  return d;
}

/* ---- the abstraction ------------------------------------------------------------------------- */
static void write_sections(const struct pv_dpor_search *s, struct pv_str *out) {
  const struct pv_sections *x = &s->trace.sections;
  pv_put_number(out, x->mutexes.n);
  for (uint32_t i = 0; i < x->mutexes.n; i++) {
    uint64_t mutex;
    memcpy(&mutex, x->mutexes.entry[i].key, sizeof mutex);
    pv_put_number(out, mutex);
    pv_put_number(out, x->mutexes.entry[i].value);
  }
  pv_put_number(out, x->first.n);
  for (uint32_t list = 1; list < x->first.n; list++) {
    uint32_t n;
    const struct pv_pending *accesses = pv_section_accesses(x, list, &n);
    pv_put_number(out, n);
    for (uint32_t i = 0; i < n; i++) write_pending(s, &accesses[i], out);
  }
}

static void read_sections(struct pv_dpor_search *s, struct pv_bytes *in) {
  struct pv_sections *x = &s->trace.sections;
  for (uint32_t n = pv_take_count(in); n && !in->wrong; n--) {
    uint64_t mutex = pv_take_number(in);
    uint32_t *state = pv_map_put(&x->mutexes, &mutex, sizeof mutex, 0, NULL);
    *state = (uint32_t)pv_take_up_to(in, UINT32_MAX);
  }
  uint32_t lists = pv_take_count(in);
  for (uint32_t list = 1; list < lists && !in->wrong; list++) {
    x->now.n = 0;
    for (uint32_t n = pv_take_count(in); n && !in->wrong; n--) {
      struct pv_pending p = read_pending(s, in);
      pv_vec_push(&x->now, p);
    }
    if (pv_section_list(x) != list) in->wrong = true;
  }
}

/* The options that decide what is explored, and in which order. */
static void write_identity(const struct pv_task *task, const struct pv_predicate *predicate,
                           struct pv_str *out) {
  const struct pv_options *o = task->options;
  const uint64_t words[] = {FORMAT,
                            (uint64_t)o->dpor,
                            (uint64_t)o->dependence,
                            (uint64_t)o->peek,
                            (uint64_t)o->prune,
                            (uint64_t)o->unwind,
                            (uint64_t)o->inputs,
                            (uint64_t)o->keep_going,
                            (uint64_t)o->no_reuse,
                            task->limits->depth,
                            task->properties,
                            predicate != NULL};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) pv_put_number(out, words[i]);
}

/* ---- the stack ------------------------------------------------------------------------------- */
static uint32_t tree_size(const struct pv_wakeup_node *w) {
  uint32_t n = 0;
  for (; w; w = w->next) n++;
  return n;
}

static void write_tree(const struct pv_dpor_search *s, const struct pv_wakeup_node *w,
                       struct pv_str *out) {
  pv_put_number(out, tree_size(w));
  for (; w; w = w->next) {
    write_transition(s, &w->transition, out);
    write_tree(s, w->first, out);
  }
}

enum { DEEPEST = 1 << 16 }; /* fragments are as long as executions */

static struct pv_wakeup_node *read_tree(struct pv_dpor_search *s, struct pv_bytes *in,
                                        uint32_t depth) {
  struct pv_wakeup_node *list = NULL;
  if (depth > DEEPEST) in->wrong = true;
  for (uint32_t n = pv_take_count(in); n && !in->wrong; n--) {
    struct pv_transition d = read_transition(s, in);
    struct pv_wakeup_node *w = pv_wakeup_node_append(&s->wakeup_nodes, &list, &d);
    w->first = read_tree(s, in, depth + 1);
  }
  return list;
}

static void write_node(const struct pv_dpor_search *s, const struct pv_dpor_node *n,
                       struct pv_str *out) {
  pv_put_number(out, n->sleep_set.n);
  for (uint32_t i = 0; i < n->sleep_set.n; i++) write_transition(s, &n->sleep_set.at[i], out);
  write_tree(s, n->tree, out);
  pv_put_number(out, n->seen);
  pv_put_number(out, n->done);
  pv_put_number(out, n->arrived | 2u * n->explored);
}

static void read_node(struct pv_dpor_search *s, struct pv_bytes *in) {
  struct pv_dpor_node *n = pv_dpor_push_node(s, NULL);
  for (uint32_t k = pv_take_count(in); k && !in->wrong; k--) {
    struct pv_transition d = read_transition(s, in);
    pv_vec_push(&n->sleep_set, d);
  }
  n->tree = read_tree(s, in, 0);
  n->seen = pv_take_number(in);
  n->done = (uint32_t)pv_take_up_to(in, UINT32_MAX);
  uint64_t flags = pv_take_up_to(in, 3);
  n->arrived = flags & 1;
  n->explored = flags & 2;
}

static void write_state(const struct pv_dpor_search *s, struct pv_condition *out) {
  const struct pv_trace *t = &s->trace;
  struct pv_str bytes = {0};
  write_identity(s->task, t->predicate, &bytes);
  pv_stats_put(&s->result->stats, &bytes);
  pv_noted_put(&s->result->condition, &bytes);
  pv_registry_write(s->registry, 0, &bytes);
  pv_vm_fresh_write(t->vm, &bytes);
  if (t->predicate) pv_predicate_write(t->predicate, &bytes);
  pv_put_number(&bytes,
                t->eager | 2u * t->at_thread_bound | 4u * t->waits.met | 8u * t->waits.doubt);
  write_sections(s, &bytes);
  pv_put_number(&bytes, t->races.n);
  for (uint32_t i = 0; i < t->races.n; i++) pv_put_number(&bytes, t->races.at[i].settled);
  pv_put_number(&bytes, s->nodes.n);
  for (uint32_t i = 0; i < s->nodes.n; i++) write_node(s, &s->nodes.at[i], &bytes);
  pv_condition_add_state(out, "dpor", &bytes);
}

/* ---- in and out ------------------------------------------------------------------------------ */
void pv_dpor_prepare(struct pv_dpor_search *s, struct pv_vm *vm) {
  bool wanted = s->task->wants_state || s->task->given;
  if (!wanted || s->task->options->preemptions != PV_ANY_PREEMPTIONS) return;
  s->registry = pv_registry_new();
  pv_vm_share(vm, s->registry);
}

/* Adds what the search leaves open, and its state. The state does not tell which given prefixes
 * wait, nor what was given away. Returns false if neither can be told. */
static bool tell(struct pv_dpor_search *s, struct pv_condition *out) {
  if (s->result->violations.n) return false;
  bool writes = s->registry && s->task->wants_state && s->nodes.n && !s->given && !s->is_part;
  bool described = pv_dpor_describe(s, out);
  if (writes) write_state(s, out);
  return described || writes;
}

void pv_dpor_checkpoint(struct pv_dpor_search *s) {
  enum { RARELY = 64 }; /* to ask the clock takes about as long as a short transition */
  if (s->result->stats.transitions % RARELY || !pv_checkpoint_is_due(s->task, &s->timer)) return;
  double began = pv_clock();
  struct pv_result interim = {.verdict = PV_CONDITIONAL, .checked = s->result->checked};
  pv_condition_copy(&interim.condition, &s->result->condition);
  pv_condition_add(&interim.condition, PV_PROVISO_INTERRUPT, NULL, 0,
                   "no error lies beyond the %llu executions explored (interrupted)",
                   (unsigned long long)s->result->stats.executions);
  interim.stats = s->result->stats;
  if (tell(s, &interim.condition)) pv_checkpoint(s->task, &interim);
  pv_result_clear(&interim);
  pv_checkpoint_done(&s->timer, began);
}

void pv_dpor_leave_open(struct pv_dpor_search *s) {
  uint32_t needs = pv_dpor_needs(s);
  if (needs && !s->limited && !s->result->violations.n)
    pv_condition_add(&s->result->condition, PV_PROVISO_INTERRUPT, NULL, 0,
                     "no error lies beyond the %" PRIu32 " prefix%s that turned out to be needed",
                     needs, needs == 1 ? "" : "es");
  if (needs || s->limited) tell(s, &s->result->condition);
}

/* Nothing can be continued, and what the bytes changed is not undone: the search ends. */
static void is_damaged(struct pv_dpor_search *s) {
  pv_condition_add(
      &s->result->condition, PV_PROVISO_CRASH, NULL, 0,
      "no error lies in what the given state of the search, which is damaged, leaves open");
  s->stop = true;
}

/* The state of the same search. */
static bool find_state(const struct pv_dpor_search *s, const struct pv_predicate *predicate,
                       struct pv_bytes *in) {
  struct pv_str identity = {0};
  write_identity(s->task, predicate, &identity);
  bool found = pv_condition_find_state(s->task->given, "dpor", &identity, in);
  pv_str_free(&identity);
  return found;
}

bool pv_dpor_continue(struct pv_dpor_search *s, struct pv_vm *vm, struct pv_predicate *predicate,
                      struct pv_bytes *rest) {
  const struct pv_condition *given = s->task->given;
  struct pv_bytes in;
  if (!given || !s->registry || !find_state(s, predicate, &in)) return false;
  bool right = pv_stats_take(&s->result->stats, &in) && pv_noted_take(&s->result->condition, &in) &&
               pv_registry_read(vm, &in) && pv_vm_fresh_read(vm, &in);
  right = right && (!predicate || pv_predicate_read(predicate, vm, &in));
  if (!right) is_damaged(s);
  *rest = in;
  return true;
}

/* Executes the events of the stack again: of each node the first child. */
static void redo(struct pv_dpor_search *s, uint32_t nodes, struct pv_bytes *in) {
  struct pv_trace *t = &s->trace;
  for (uint32_t i = 0; i < nodes && !in->wrong; i++) {
    read_node(s, in);
    struct pv_dpor_node *n = &s->nodes.at[i];
    bool is_last = i + 1 == nodes;
    if (n->arrived) pv_dpor_arrive(s);
    if (is_last || in->wrong) break;
    const struct pv_enabled_set *f = pv_trace_enabled_set(t);
    const struct pv_wakeup_node *w = n->tree;
    bool able = w && pv_enabled_threads(f) & PV_THREAD_BIT(w->transition.thread) &&
                w->transition.alternative < f->at[w->transition.thread].alternatives;
    if (!able) {
      in->wrong = true;
      break;
    }
    struct pv_transition d = pv_trace_next(t, t->events.n, w->transition.thread);
    d.alternative = w->transition.alternative;
    pv_trace_do(t, &d);
  }
}

/* If the user interrupted the repetition, the given states are as good as before. */
static void interrupted_or_damaged(struct pv_dpor_search *s) {
  if (s->task->limits->hit == PV_LIMIT_NONE) {
    is_damaged(s);
    return;
  }
  struct pv_condition given = {0};
  pv_condition_copy(&given, s->task->given);
  pv_condition_append(&s->result->condition, &given);
  pv_condition_move_states(&s->result->condition, &given);
  pv_condition_clear(&given);
  s->stop = true;
}

void pv_dpor_continue_stack(struct pv_dpor_search *s, struct pv_bytes *in) {
  struct pv_trace *t = &s->trace;
  struct pv_stats stats = s->result->stats;
  struct pv_limits *limits = s->task->limits, asked = *limits;
  if (s->stop) return;
  /* One execution is repeated, however little time there is: a limit inside of it would end it in
   * another place. */
  limits->seconds = 0;
  limits->memory = limits->states = 0;
  uint64_t flags = pv_take_up_to(in, 15);
  pv_trace_set_eager(t, flags & 1);
  t->at_thread_bound = flags & 2;
  t->waits.met |= flags & 4;
  t->waits.doubt |= flags & 8;
  read_sections(s, in);
  uint32_t races = pv_take_count(in);
  PV_VEC(uint8_t) settled = {0};
  for (uint32_t i = 0; i < races && !in->wrong; i++)
    pv_vec_push(&settled, (uint8_t)pv_take_up_to(in, 1));
  redo(s, pv_take_count(in), in);
  limits->seconds = asked.seconds;
  limits->memory = asked.memory;
  limits->states = asked.states;
  if (in->wrong) {
    interrupted_or_damaged(s);
    pv_vec_free(&settled);
    return;
  }
  for (uint32_t i = 0; i < t->races.n && t->races.n == races; i++)
    t->races.at[i].settled = settled.at[i];
  pv_vec_free(&settled);
  pv_trace_forget_heap(t);
  t->not_eager = t->sections.grew = false;
  s->result->stats = stats;
}
