/* frontier.c -- conditions in and out of the stateless search, for other engines and machines.
 *
 * Out: every state on the stack is open, with its sleep set, to which the child that is being
 * explored belongs as well. The alternatives that the wakeup trees still hold are not enough:
 * exploring them finds races whose reversal adds alternatives to earlier states. A child that was
 * explored to its end is covered: no execution that begins with it, up to equivalence, has an
 * error.
 *
 * In: the search starts at the end of each prefix with the sleep set given. A race with an event of
 * the prefix is not reversed there: the executions in which its order is different do not continue
 * the prefix, and belong to another open part or are covered.
 *
 * Prefixes are paths of the machine that other engines run, which executes no operation eagerly. In
 * an event, this search may execute operations that the prefix does not have. They commute with
 * everything, so every execution that continues the prefix has an equivalent that begins with them.
 * If a prefix cannot be followed to its end in this way, all that continues the part that can be
 * followed is explored.
 *
 * Both need that each visible operation matters and is an event: no slice, and no sections and
 * stores that are one event. Which threads end eagerly and which addresses come back is found out
 * in each execution for itself; if more is found, the given prefixes are explored anew. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "condition/frontier.h"
#include "condition/split.h"
#include "dpor/search_internal.h"

static bool is_concrete(const struct pv_dpor_search *s) {
  const struct pv_trace *t = &s->trace;
  return !t->predicate && !t->sections.on && !t->sections.chains &&
         s->task->options->preemptions == PV_ANY_PREEMPTIONS;
}

static bool uses_sleep_sets(const struct pv_dpor_search *s) {
  return s->kind != PV_DPOR_CLASSIC && !s->given->circular;
}

/* ---- out ------------------------------------------------------------------------------------- */
struct opening {
  const struct pv_dpor_search *s;
  struct pv_follower *f;
  struct pv_open_part *out;
};

static bool is_asleep(const struct pv_choice *set, uint32_t n, unsigned thread,
                      uint32_t alternative) {
  for (uint32_t i = 0; i < n; i++)
    if (set[i].thread == thread &&
        (set[i].alternative == alternative || set[i].alternative == PV_EVERY_ALTERNATIVE))
      return true;
  return false;
}

typedef PV_VEC(struct pv_choice) sleep_set;

/* The transitions that need not be explored from node i. */
static void find_sleeping(const struct pv_dpor_search *s, uint32_t i, bool with_child,
                          sleep_set *out) {
  const struct pv_dpor_node *n = &s->nodes.at[i];
  out->n = 0;
  for (uint32_t k = 0; k < n->sleep_set.n; k++) {
    const struct pv_transition *d = &n->sleep_set.at[k];
    pv_vec_push(out, ((struct pv_choice){d->thread, d->alternative}));
  }
  if (!with_child) return;
  const struct pv_transition *d = &s->trace.events.at[i].transition;
  pv_vec_push(out, ((struct pv_choice){d->thread, d->alternative}));
}

/* Is something enabled that is not asleep? */
static bool is_open(const struct pv_dpor_search *s, uint32_t i, const sleep_set *set) {
  const struct pv_enabled_set *f = &s->trace.enabled_sets.at[i];
  if (!s->nodes.at[i].arrived) return true;
  PV_FOR_THREADS(t, pv_enabled_threads(f))
  for (uint32_t a = 0; a < f->at[t].alternatives; a++)
    if (!is_asleep(set->at, set->n, t, a)) return true;
  return false;
}

/* Adds the transitions of one thread that are asleep. Other machines have to be parked at the same
 * operation. */
static void put_thread(const struct opening *o, uint32_t i, unsigned thread, const sleep_set *set,
                       struct pv_prefix *x) {
  const struct pv_trace *t = &o->s->trace;
  const struct pv_pending *p = &t->pendings.at[t->enabled_sets.at[i].at[thread].next];
  unsigned alternatives, asleep = 0;
  if (!pv_follower_is_at(o->f, thread, p, &alternatives)) return;
  for (unsigned a = 0; a < alternatives; a++) asleep += is_asleep(set->at, set->n, thread, a);
  for (unsigned a = 0; a < alternatives && asleep; a++) {
    if (!is_asleep(set->at, set->n, thread, a)) continue;
    bool all = asleep == alternatives;
    pv_vec_push(&o->out->sleeping,
                ((struct pv_choice){thread, all ? (uint32_t)PV_EVERY_ALTERNATIVE : a}));
    x->sleeping++;
    if (all) return;
  }
}

/* Node i is open, at the end of the follower's path. */
static void put_open(const struct opening *o, uint32_t i, bool is_deferred, const sleep_set *set) {
  struct pv_prefix *x = &pv_vec_last(&o->out->prefixes);
  if (x->is_open) { /* two states that are one for other machines */
    o->out->sleeping.n -= x->sleeping;
    x->sleeping = 0;
    x->is_deferred &= is_deferred;
    return;
  }
  x->is_open = 1;
  x->is_deferred = is_deferred;
  for (unsigned t = 0; t < o->s->trace.enabled_sets.at[i].n; t++) put_thread(o, i, t, set, x);
}

/* Adds the follower's path as far as it is not there. */
static void put_path(const struct opening *o) {
  const pv_choices *path = pv_follower_path(o->f);
  struct pv_open_part *out = o->out;
  if (!out->prefixes.n) pv_vec_push(&out->prefixes, ((struct pv_prefix){0}));
  for (uint32_t k = out->prefixes.n - 1; k < path->n; k++)
    pv_vec_push(&out->prefixes, ((struct pv_prefix){.depth = k + 1, .choice = path->at[k]}));
}

/* The number of events that another machine can follow. All that continues the state after them is
 * open then, because the prefixes of later states cannot be told. */
static uint32_t find_reach(const struct pv_dpor_search *s) {
  struct pv_follower *f = pv_follower_new(&s->trace);
  uint32_t n = 0;
  while (n < s->trace.events.n && pv_follower_do(f, n)) n++;
  pv_follower_free(f);
  return n;
}

/* Opens the nodes from `first` on, before `end`, and those that are needed if `owes`. Nodes that
 * are deferred stay so. */
static void put_stack(const struct pv_dpor_search *s, uint32_t first, uint32_t end, bool owes,
                      struct pv_open_part *out) {
  uint32_t reach = find_reach(s);
  struct opening o = {s, pv_follower_new(&s->trace), out};
  sleep_set set = {0};
  for (uint32_t i = 0; i < end && i <= reach; i++) {
    unsigned deferred = s->nodes.at[i].deferred;
    put_path(&o);
    if (i >= first || deferred) {
      bool is_deferred = deferred == PV_DEFERRED || (deferred == PV_NEEDED && !owes);
      find_sleeping(s, i, i < reach, &set);
      if (is_open(s, i, &set)) put_open(&o, i, is_deferred, &set);
    }
    if (i < reach) pv_follower_do(o.f, i);
  }
  pv_follower_free(o.f);
  pv_vec_free(&set);
}

/* Is the given prefix to be explored? A search that has no use for the sleep sets does not watch.
 */
static bool is_wanted(const struct pv_dpor_search *s, const struct pv_prefix *x) {
  return x->is_open && (!x->is_deferred || !uses_sleep_sets(s));
}

static uint32_t end_of_given(const struct pv_dpor_search *s) {
  return s->given_away ? s->given_away : s->given->prefixes.n;
}

/* The given prefixes that were not explored. */
static void put_waiting(const struct pv_dpor_search *s, struct pv_open_part *out) {
  const struct pv_open_part *given = s->given;
  struct pv_open_part waiting = {.kind = PV_OPEN_FRONTIER, .circular = given->circular};
  uint32_t sleeping = 0;
  for (uint32_t i = 0; i < given->prefixes.n; i++) {
    struct pv_prefix x = given->prefixes.at[i];
    uint32_t first = sleeping;
    sleeping += x.sleeping;
    bool waits = i >= s->next_given && i < end_of_given(s);
    if (!waits && !x.is_deferred) x.is_open = x.sleeping = 0;
    for (uint32_t k = 0; k < x.sleeping; k++)
      pv_vec_push(&waiting.sleeping, given->sleeping.at[first + k]);
    pv_vec_push(&waiting.prefixes, x);
  }
  pv_frontier_unite(out, &waiting);
  pv_open_part_clear(&waiting);
}

bool pv_dpor_describe(struct pv_dpor_search *s, struct pv_condition *out) {
  if (!s->task->wants_parts || !is_concrete(s) || s->kind == PV_DPOR_CLASSIC) return false;
  if (!s->nodes.n && !s->given) return false;
  uint32_t at = out->provisos.n;
  while (at && !pv_proviso_is_interruption(out->provisos.at[at - 1].kind)) at--;
  if (!at || out->provisos.at[at - 1].part) return false;
  struct pv_open_part part = {.kind = PV_OPEN_FRONTIER};
  if (s->nodes.n) put_stack(s, s->base, s->nodes.n, true, &part);
  if (s->given) put_waiting(s, &part);
  pv_frontier_unite(&part, &s->needed);
  pv_vec_push(&out->parts, part);
  out->provisos.at[at - 1].part = out->parts.n;
  return true;
}

/* ---- giving away ------------------------------------------------------------------------------
 *
 * What is open at the lower nodes of the stack can be given away while the search goes on with the
 * rest. These nodes become the prefix of this search, as if it had been given what is left: races
 * with their events are not reversed any more, and their other children are forgotten. Of given
 * prefixes that wait, all are given away.
 *
 * From most states nothing but the current child will have to be explored. A search that is given
 * such a state would learn that only at the end of each execution, after as many of them as there
 * are orders of what is independent. So only those states are given away from which something is
 * known to be needed, or likely. The others are deferred: each search that goes on below such a
 * state, in the current child, watches. If it finds a race to be reversed there, it leaves the
 * state open in the end. If none does, the children explored there are a source set. */
/* Does a thread that exists in node i and is not asleep there have an event, later on the stack,
 * that is dependent on that of node i? Then a race of the two is likely, if it was not found yet.
 */
static bool may_race(const struct pv_dpor_search *s, uint32_t i, const sleep_set *set) {
  const struct pv_trace *t = &s->trace;
  const struct pv_enabled_set *f = &t->enabled_sets.at[i];
  const struct pv_transition *d = &t->events.at[i].transition;
  pv_threads others = f->alive & ~PV_THREAD_BIT(d->thread);
  PV_FOR_THREADS(u, pv_enabled_threads(f) & others) {
    if (is_asleep(set->at, set->n, u, 0)) continue;
    struct pv_transition next = pv_trace_next(t, i, u);
    if (pv_trace_ordered(t, d, &next)) return true;
  }
  for (uint32_t k = i + 1; k < t->events.n; k++) {
    const struct pv_transition *x = &t->events.at[k].transition;
    if (!(others & PV_THREAD_BIT(x->thread)) || is_asleep(set->at, set->n, x->thread, 0)) continue;
    if (pv_trace_ordered(t, d, x)) return true;
  }
  return false;
}

/* The number of nodes up to the one that is the last to be given away; 0: there is nothing. Defers
 * those before it from which nothing is likely to be needed. */
static uint32_t find_away(struct pv_dpor_search *s, uint32_t most) {
  uint32_t reach = find_reach(s), end = 0, open = 0;
  sleep_set set = {0};
  for (uint32_t i = s->base; i < reach && i + 2 < s->nodes.n && open < most; i++) {
    struct pv_dpor_node *n = &s->nodes.at[i];
    find_sleeping(s, i, true, &set);
    if (!is_open(s, i, &set)) continue;
    bool likely = s->kind != PV_DPOR_OPTIMAL || n->tree->next || may_race(s, i, &set);
    n->deferred = likely ? PV_NOT_DEFERRED : PV_DEFERRED;
    if (!likely) continue;
    open++;
    end = i + 1;
  }
  pv_vec_free(&set);
  for (uint32_t i = end > s->base ? end : s->base; i < s->nodes.n; i++)
    s->nodes.at[i].deferred = PV_NOT_DEFERRED;
  return end;
}

static bool is_waiting(const struct pv_dpor_search *s) {
  for (uint32_t i = s->next_given; s->given && i < end_of_given(s); i++)
    if (is_wanted(s, &s->given->prefixes.at[i])) return true;
  return false;
}

static void forget_siblings(struct pv_dpor_search *s, uint32_t first, uint32_t end) {
  for (uint32_t i = first; i < end; i++) {
    struct pv_wakeup_node *child = s->nodes.at[i].tree;
    pv_wakeup_node_free(&s->wakeup_nodes, child->next);
    child->next = NULL;
  }
}

/* The assumptions about other parts that the given condition has come first. */
static void take_over_shares(struct pv_dpor_search *s) {
  const struct pv_condition *given = s->task->given;
  for (uint32_t i = 0; given && i < given->provisos.n && !s->shares; i++)
    if (given->provisos.at[i].kind == PV_PROVISO_SHARE)
      pv_condition_append_one(&s->result->condition, given, i);
  s->shares = true;
}

static void describe_share(struct pv_dpor_search *s, uint32_t number, uint64_t split,
                           struct pv_open_part part, struct pv_result *out) {
  out->verdict = PV_CONDITIONAL;
  out->checked = s->result->checked;
  out->stats = s->result->stats;
  pv_condition_copy(&out->condition, &s->result->condition);
  pv_condition_add_share(&out->condition, (struct pv_share){number, 2, split}, 0);
  uint32_t n = pv_frontier_size(&part);
  pv_condition_add(&out->condition, PV_PROVISO_INTERRUPT, NULL, 0,
                   "no error lies beyond the %" PRIu32 " prefix%s of this part", n,
                   n == 1 ? "" : "es");
  pv_condition_open(&out->condition, part);
}

static uint64_t name_of(const struct pv_open_part *part, const struct pv_dpor_search *s) {
  uint64_t hash = pv_hash(part->prefixes.at, part->prefixes.n * sizeof *part->prefixes.at);
  return pv_hash_word(hash ^ s->result->stats.transitions << 8 ^ part->sleeping.n);
}

/* Can a part be given away now? Not in the middle of a step, and if there was nothing to give, not
 * soon again. */
static bool may_share(struct pv_dpor_search *s) {
  const struct pv_sharing *sharing = s->task->sharing;
  if (!sharing || s->stop || s->result->violations.n || !is_concrete(s)) return false;
  if (s->kind == PV_DPOR_CLASSIC || s->task->limits->depth || !s->nodes.n) return false;
  return s->result->stats.transitions >= s->next_share && pv_vec_last(&s->nodes).arrived &&
         sharing->asked(sharing->user);
}

/* How many nodes to give away: more than the last time if that was little, since who got it asks
 * again. */
static uint32_t how_many(const struct pv_dpor_search *s) {
  enum { SOON = 1, MOST = 1 << 16 }; /* seconds; nodes */
  bool again = s->most_away && pv_clock() - s->shared_at < SOON;
  return again && s->most_away < MOST ? 2 * s->most_away : 1;
}

/* Calls `take` for both parts. */
static bool hand_over(struct pv_dpor_search *s, uint64_t split, struct pv_open_part away) {
  const struct pv_sharing *sharing = s->task->sharing;
  struct pv_open_part kept = {.kind = PV_OPEN_FRONTIER};
  struct pv_result r[2] = {0};
  put_stack(s, s->base, s->nodes.n, true, &kept);
  pv_frontier_unite(&kept, &s->needed);
  take_over_shares(s);
  describe_share(s, 1, split, kept, &r[0]);
  describe_share(s, 2, split, away, &r[1]);
  bool taken = sharing->take(sharing->user, &r[0], &r[1]);
  for (unsigned i = 0; i < 2; i++) pv_result_clear(&r[i]);
  return taken;
}

void pv_dpor_share(struct pv_dpor_search *s) {
  enum { PAUSE = 256 }; /* transitions */
  if (!may_share(s)) return;
  bool waits = is_waiting(s);
  uint32_t most = how_many(s), first = s->base, end = waits ? first : find_away(s, most);
  if (!waits && !end) {
    s->next_share = s->result->stats.transitions + PAUSE;
    return;
  }
  struct pv_open_part away = {.kind = PV_OPEN_FRONTIER};
  if (waits)
    put_waiting(s, &away);
  else
    put_stack(s, first, end, false, &away);
  uint32_t before = s->given_away;
  if (waits) s->given_away = s->next_given;
  s->base = end;
  uint64_t split = name_of(&away, s);
  if (!hand_over(s, split, away)) {
    for (uint32_t i = first; i < end; i++) s->nodes.at[i].deferred = PV_NOT_DEFERRED;
    s->base = first;
    s->given_away = before;
    return;
  }
  forget_siblings(s, first, end);
  pv_condition_add_share(&s->result->condition, (struct pv_share){1, 2, split}, 0);
  s->shared_at = pv_clock();
  s->most_away = most;
  s->is_part = true;
}

/* ---- in -------------------------------------------------------------------------------------- */
/* The deferred prefixes above a given one. */
struct deferred_prefix {
  uint32_t depth;
  bool is_met; /* a node of the stack was found for it */
  const struct pv_choice *sleeping;
  uint32_t n;
};
struct deferred_prefixes {
  PV_VEC(struct deferred_prefix) at;
};

/* A given prefix that is being followed. */
struct following {
  struct pv_follower *f;
  uint32_t done; /* choices that the events so far have, in this order */
  bool is_whole; /* all of them */
  struct deferred_prefixes *above;
};

static void undo_all(struct pv_dpor_search *s) {
  while (s->nodes.n) pv_wakeup_node_free(&s->wakeup_nodes, pv_vec_pop(&s->nodes).tree);
  while (s->trace.events.n) pv_trace_undo(&s->trace);
}

/* The first choice of the thread that the prefix does not have, but which was executed eagerly, or
 * NULL. */
static const struct pv_choice *find_ahead(const struct following *x, unsigned thread) {
  const pv_choices *path = pv_follower_path(x->f);
  for (uint32_t k = x->done; k < path->n; k++)
    if (path->at[k].thread == thread) return &path->at[k];
  return NULL;
}

/* Puts a transition to sleep that the prefix has asleep. */
static void put_to_sleep(struct pv_dpor_search *s, const struct following *x, struct pv_choice c,
                         struct pv_dpor_node *n) {
  struct pv_trace *t = &s->trace;
  const struct pv_enabled_set *f = pv_trace_enabled_set(t);
  unsigned ignored;
  if (c.thread >= f->n || !(pv_enabled_threads(f) & PV_THREAD_BIT(c.thread))) return;
  const struct pv_parked *at = &f->at[c.thread];
  if (find_ahead(x, c.thread) ||
      !pv_follower_is_at(x->f, c.thread, &t->pendings.at[at->next], &ignored))
    return;
  for (uint32_t a = 0; a < at->alternatives; a++) {
    if (c.alternative != a && c.alternative != PV_EVERY_ALTERNATIVE) continue;
    struct pv_transition d = pv_trace_next(t, t->events.n, c.thread);
    d.alternative = a;
    d.what.stays = false; /* it is dependent on more then */
    d.foreign = true;
    pv_vec_push(&n->sleep_set, d);
  }
}

/* The search watches the node, which is the last one, if the choices so far are a deferred prefix.
 */
static void defer_node(struct pv_dpor_search *s, const struct following *x,
                       struct pv_dpor_node *n) {
  uint32_t depth = pv_follower_path(x->f)->n;
  for (uint32_t i = 0; i < x->above->at.n; i++) {
    struct deferred_prefix *d = &x->above->at.at[i];
    if (d->depth != depth) continue;
    d->is_met = true;
    n->deferred = PV_DEFERRED;
    for (uint32_t k = 0; k < d->n; k++) put_to_sleep(s, x, d->sleeping[k], n);
  }
}

/* Executes the event that begins with the choice. Returns false if it cannot be executed. */
static bool do_choice(struct pv_dpor_search *s, struct following *x, struct pv_choice c) {
  struct pv_trace *t = &s->trace;
  bool able = pv_dpor_arrive(s);
  const struct pv_enabled_set *f = pv_trace_enabled_set(t);
  if (!able || c.thread >= f->n || !(pv_enabled_threads(f) & PV_THREAD_BIT(c.thread))) return false;
  /* Alone, other machines continue to the next operation that has several alternatives. */
  uint32_t alternatives = f->at[c.thread].alternatives;
  if (alternatives == 1) c.alternative = 0;
  if (c.alternative >= alternatives) return false;
  struct pv_transition d = pv_trace_next(t, t->events.n, c.thread);
  d.alternative = c.alternative;
  struct pv_dpor_node *n = pv_dpor_push_node(s, NULL);
  n->arrived = true;
  defer_node(s, x, n);
  pv_trace_do(t, &d);
  return true;
}

/* The latest event is none of the choices: they have its first ones at most. */
static struct following without_last(struct pv_dpor_search *s, struct following x, uint32_t begin) {
  pv_trace_undo(&s->trace);
  (void)pv_vec_pop(&s->nodes);
  x.done = begin;
  return x;
}

/* Follows the choices as far as possible. */
static struct following follow(struct pv_dpor_search *s, const pv_choices *choices,
                               struct deferred_prefixes *above) {
  struct following x = {.f = pv_follower_new(&s->trace), .above = above};
  const pv_choices *path = pv_follower_path(x.f);
  while (x.done < choices->n && !pv_dpor_begins_anew(s)) {
    uint32_t begin = path->n;
    if (!do_choice(s, &x, choices->at[begin])) return x;
    if (!pv_follower_do(x.f, s->trace.events.n - 1)) return without_last(s, x, begin);
    while (x.done < path->n && x.done < choices->n) {
      const struct pv_choice *c = &choices->at[x.done], *d = &path->at[x.done];
      if (c->thread != d->thread || c->alternative != d->alternative)
        return without_last(s, x, begin);
      x.done++;
    }
    if (x.done < pv_follower_settled(x.f)) return without_last(s, x, begin);
  }
  x.is_whole = x.done == choices->n;
  return x;
}

/* Was a transition that the prefix has asleep executed eagerly? It commutes with everything. So
 * every execution that continues the prefix is equivalent to one that begins with it, and those are
 * covered. */
static bool is_covered(const struct following *x, const struct pv_choice *sleeping, uint32_t n) {
  for (uint32_t k = 0; k < n; k++) {
    const struct pv_choice *c = &sleeping[k], *ahead = find_ahead(x, c->thread);
    if (ahead && (c->alternative == ahead->alternative || c->alternative == PV_EVERY_ALTERNATIVE))
      return true;
  }
  return false;
}

/* A deferred prefix that is no node of the stack cannot be watched: it is needed. */
static void need_unwatched(struct pv_dpor_search *s, const struct following *x,
                           const pv_choices *choices) {
  for (uint32_t i = 0; i < x->above->at.n; i++) {
    const struct deferred_prefix *d = &x->above->at.at[i];
    if (d->is_met || d->depth >= x->done) continue;
    struct pv_open_part needed = {.kind = PV_OPEN_FRONTIER};
    for (uint32_t k = 0; k <= d->depth; k++) {
      struct pv_prefix p = {.depth = k};
      if (k) p.choice = choices->at[k - 1];
      p.is_open = k == d->depth;
      p.sleeping = p.is_open ? d->n : 0;
      pv_vec_push(&needed.prefixes, p);
    }
    for (uint32_t k = 0; k < d->n; k++) pv_vec_push(&needed.sleeping, d->sleeping[k]);
    pv_frontier_unite(&s->needed, &needed);
    pv_open_part_clear(&needed);
  }
}

/* Notes which nodes below the base are needed, before the stack is forgotten. */
static void keep_needed(struct pv_dpor_search *s) {
  bool any = false;
  for (uint32_t i = 0; i < s->base && i < s->nodes.n; i++)
    any |= s->nodes.at[i].deferred == PV_NEEDED;
  if (!any) return;
  struct pv_open_part needed = {.kind = PV_OPEN_FRONTIER};
  put_stack(s, s->base, s->base, true, &needed);
  pv_frontier_unite(&s->needed, &needed);
  pv_open_part_clear(&needed);
}

uint32_t pv_dpor_needs(struct pv_dpor_search *s) {
  keep_needed(s);
  return pv_frontier_size(&s->needed);
}

/* Explores what continues the choices. Returns how many choices all explored executions have in
 * common, or UINT32_MAX if the search must begin anew. */
static uint32_t explore(struct pv_dpor_search *s, const pv_choices *choices,
                        const struct pv_choice *sleeping, uint32_t n,
                        struct deferred_prefixes *above) {
  undo_all(s);
  for (uint32_t i = 0; i < above->at.n; i++) above->at.at[i].is_met = false;
  struct following x = follow(s, choices, above);
  uint32_t common = x.is_whole ? choices->n : x.done;
  if (pv_dpor_begins_anew(s)) {
    undo_all(s);
    pv_dpor_begin_anew(s);
    common = UINT32_MAX;
  } else {
    s->base = s->trace.events.n;
    struct pv_dpor_node *node = pv_dpor_push_node(s, NULL);
    bool sleeps = x.is_whole && uses_sleep_sets(s);
    need_unwatched(s, &x, choices);
    for (uint32_t k = 0; k < n && sleeps; k++) put_to_sleep(s, &x, sleeping[k], node);
    bool covered = sleeps && is_covered(&x, sleeping, n);
    if (!covered && !pv_dpor_walk(s)) common = UINT32_MAX;
    keep_needed(s);
  }
  pv_follower_free(x.f);
  return common;
}

/* Explores the given prefixes. Returns false if the search must begin anew. */
static bool run_prefixes(struct pv_dpor_search *s) {
  const struct pv_open_part *p = s->given;
  pv_choices choices = {0};
  struct deferred_prefixes above = {0};
  bool all = true;
  uint32_t sleeping = 0, common = UINT32_MAX;
  for (uint32_t i = 0; i < end_of_given(s) && !s->stop && !s->limited && all; i++) {
    const struct pv_prefix *x = &p->prefixes.at[i];
    uint32_t first = sleeping;
    sleeping += x->sleeping;
    if (x->depth) {
      choices.n = x->depth - 1;
      pv_vec_push(&choices, x->choice);
    }
    while (above.at.n && pv_vec_last(&above.at).depth >= x->depth) above.at.n--;
    s->next_given = i + 1;
    bool is_explored = common < x->depth; /* with a prefix that could not be followed to its end */
    if (!is_explored) common = UINT32_MAX;
    if (is_wanted(s, x) && !is_explored) {
      uint32_t found = explore(s, &choices, p->sleeping.at + first, x->sleeping, &above);
      all = found != UINT32_MAX;
      if (found < choices.n) common = found;
    } else if (x->is_deferred) {
      pv_vec_push(&above.at,
                  ((struct deferred_prefix){x->depth, false, p->sleeping.at + first, x->sleeping}));
    }
  }
  pv_vec_free(&choices);
  pv_vec_free(&above.at);
  return all;
}

/* Values of inputs that were not tried are not tried now. */
static void leave_inputs_open(struct pv_dpor_search *s) {
  const struct pv_condition *given = s->task->given;
  for (uint32_t i = 0; i < given->provisos.n; i++) {
    uint32_t part = given->provisos.at[i].part;
    if (part && given->parts.at[part - 1].kind == PV_OPEN_INPUTS)
      pv_condition_append_one(&s->result->condition, given, i);
  }
}

bool pv_dpor_run_given(struct pv_dpor_search *s) {
  bool inputs;
  if (!s->task->given || !is_concrete(s)) return false;
  s->given = pv_condition_beside_inputs(s->task->given, PV_OPEN_FRONTIER, &inputs);
  if (!s->given) return false;
  if (inputs) leave_inputs_open(s);
  while (!run_prefixes(s)) {
  }
  return true;
}
