/* predict.c -- see log.h. */
#include <stdlib.h>
#include <string.h>

#include "monitor/log.h"

enum {
  NONE = UINT32_MAX,
  CELLS = 1 << 24, /* numbers in all clocks */
  NEAR = 24,       /* earlier accesses to one address that are compared with one */
  FAR = 256,       /* ... and that are looked at for that */
  TRIES = 8,       /* pairs of accesses at two places */
  CYCLES = 10000   /* sets of lock dependencies that are looked at */
};

/* A critical section of one thread; `end`: NONE: it has none. */
struct section {
  uint32_t begin, end;
  bool shared;
};
struct lock {
  uint64_t at;
  PV_VEC(struct section) of[PV_MAX_THREADS]; /* in order */
};
/* A lock that a thread took while it held others. */
struct dependency {
  uint32_t thread;
  uint64_t lock;
  PV_VEC(uint64_t) held;
  PV_VEC(uint32_t) events; /* all acquisitions like this */
};
struct predictor {
  const struct pv_log *log;
  struct pv_warnings *warnings;
  struct pv_predictions *out;
  uint32_t threads, n; /* n: events that are looked at */
  uint32_t *clock;  /* by event and thread: how many events of the thread come before, or are it */
  uint32_t *number; /* by event: its number in its thread, from 1 */
  uint32_t *before; /* by event: the one before it in its thread, else the FORK; NONE */
  PV_VEC(struct lock *) locks;
  PV_VEC(struct dependency) dependencies;
  struct pv_map tries, known; /* places of pairs; warnings that have a prediction */
  uint32_t *ideal;            /* scratch: by thread, how many of its events are in it */
  uint32_t cycles;
};

/* ---- clocks ---------------------------------------------------------------------------------- */
static uint32_t *clock_of(const struct predictor *p, uint32_t event) {
  return p->clock + (size_t)event * p->threads;
}

static bool join(const struct predictor *p, uint32_t *to, uint32_t event) {
  const uint32_t *from = clock_of(p, event);
  bool more = false;
  for (uint32_t t = 0; t < p->threads; t++)
    if (from[t] > to[t]) {
      to[t] = from[t];
      more = true;
    }
  return more;
}

/* The order that every ideal keeps: threads, reads from writes, and synchronisation by anything but
 * locks. */
struct orders {
  struct pv_map writers, objects; /* byte -> 1 + its last write; object -> number */
  PV_VEC(uint32_t *) released;    /* by object: what comes before an ACQUIRE */
  uint32_t last[PV_MAX_THREADS];
};

static void read_from(struct predictor *p, struct orders *o, uint32_t i) {
  const struct pv_observed *e = &p->log->events.at[i];
  for (uint32_t k = 0; k < e->bytes; k++) {
    uint64_t at = e->at + k;
    bool is_new;
    uint32_t *writer = pv_map_put(&o->writers, &at, sizeof at, 0, &is_new);
    if (e->kind == PV_OBSERVED_READ && *writer) join(p, clock_of(p, i), *writer - 1);
    if (e->kind == PV_OBSERVED_WRITE) *writer = i + 1;
    if (e->kind == PV_OBSERVED_FORGET) *writer = i + 1;
  }
}

static uint32_t *released(struct predictor *p, struct orders *o, uint64_t object) {
  bool is_new;
  uint32_t i = *pv_map_put(&o->objects, &object, sizeof object, o->released.n, &is_new);
  if (is_new) pv_vec_push(&o->released, pv_alloc(p->threads * sizeof(uint32_t)));
  return o->released.at[i];
}

static void synchronise(struct predictor *p, struct orders *o, uint32_t i) {
  const struct pv_observed *e = &p->log->events.at[i];
  uint32_t *own = clock_of(p, i);
  if (e->kind == PV_OBSERVED_RELEASE) {
    uint32_t *to = released(p, o, e->at);
    for (uint32_t t = 0; t < p->threads; t++)
      if (own[t] > to[t]) to[t] = own[t];
  } else if (e->kind == PV_OBSERVED_ACQUIRE) {
    const uint32_t *from = released(p, o, e->at);
    for (uint32_t t = 0; t < p->threads; t++)
      if (from[t] > own[t]) own[t] = from[t];
  } else if (e->kind == PV_OBSERVED_JOIN && o->last[e->at] != NONE) {
    join(p, own, o->last[e->at]);
  }
}

static void set_clocks(struct predictor *p) {
  struct orders *o = pv_alloc(sizeof *o);
  uint32_t fork[PV_MAX_THREADS];
  for (uint32_t t = 0; t < PV_MAX_THREADS; t++) o->last[t] = fork[t] = NONE;
  for (uint32_t i = 0; i < p->n; i++) {
    const struct pv_observed *e = &p->log->events.at[i];
    uint32_t *own = clock_of(p, i), last = o->last[e->thread];
    p->before[i] = last != NONE ? last : fork[e->thread];
    if (p->before[i] != NONE) join(p, own, p->before[i]);
    if (fork[e->thread] != NONE) join(p, own, fork[e->thread]);
    p->number[i] = last == NONE ? 1 : p->number[last] + 1;
    own[e->thread] = p->number[i];
    if (e->kind <= PV_OBSERVED_WRITE || e->kind == PV_OBSERVED_FORGET) read_from(p, o, i);
    synchronise(p, o, i);
    if (e->kind == PV_OBSERVED_FORK) fork[e->at] = i;
    o->last[e->thread] = i;
  }
  for (uint32_t i = 0; i < o->released.n; i++) free(o->released.at[i]);
  pv_vec_free(&o->released);
  pv_map_free(&o->writers);
  pv_map_free(&o->objects);
  free(o);
}

/* ---- critical sections ----------------------------------------------------------------------- */
static bool same_held(const struct dependency *d, const struct pv_holdings *h, uint32_t thread) {
  if (d->held.n != h->of[thread].n) return false;
  for (uint32_t i = 0; i < d->held.n; i++)
    if (d->held.at[i] != h->of[thread].at[i].lock) return false;
  return true;
}

static void depend(struct predictor *p, const struct pv_holdings *h, uint32_t event) {
  const struct pv_observed *e = &p->log->events.at[event];
  uint32_t i = 0;
  if (!h->of[e->thread].n) return;
  while (i < p->dependencies.n) {
    const struct dependency *d = &p->dependencies.at[i];
    if (d->thread == e->thread && d->lock == e->at && same_held(d, h, e->thread)) break;
    i++;
  }
  if (i == p->dependencies.n) {
    struct dependency d = {.thread = e->thread, .lock = e->at};
    for (uint32_t k = 0; k < h->of[e->thread].n; k++)
      pv_vec_push(&d.held, h->of[e->thread].at[k].lock);
    pv_vec_push(&p->dependencies, d);
  }
  pv_vec_push(&p->dependencies.at[i].events, event);
}

static void find_sections(struct predictor *p) {
  struct pv_holdings *h = pv_alloc(sizeof *h);
  struct pv_map index = {0};
  for (uint32_t i = 0; i < p->n; i++) {
    const struct pv_observed *e = &p->log->events.at[i];
    bool is_new;
    if (e->kind != PV_OBSERVED_LOCK && e->kind != PV_OBSERVED_UNLOCK) continue;
    uint32_t l = *pv_map_put(&index, &e->at, sizeof e->at, p->locks.n, &is_new);
    if (is_new) {
      pv_vec_push(&p->locks, pv_alloc(sizeof(struct lock)));
      p->locks.at[l]->at = e->at;
    }
    struct lock *lock = p->locks.at[l];
    if (e->kind == PV_OBSERVED_LOCK) {
      depend(p, h, i);
      pv_vec_push(&lock->of[e->thread], ((struct section){i, NONE, e->shared}));
    } else if (lock->of[e->thread].n) {
      pv_vec_last(&lock->of[e->thread]).end = i;
    }
    pv_holdings_tell(h, e);
  }
  pv_holdings_free(h);
  pv_map_free(&index);
  free(h);
}

/* ---- ideals ---------------------------------------------------------------------------------- */
static bool in(const struct predictor *p, uint32_t event) {
  return p->number[event] <= p->ideal[p->log->events.at[event].thread];
}

/* The thread's last section that begins in the ideal; exclusive: of those that are. NULL: none. */
static const struct section *last_in(const struct predictor *p, const struct lock *l,
                                     uint32_t thread, bool exclusive) {
  uint32_t low = 0, high = l->of[thread].n;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (in(p, l->of[thread].at[middle].begin))
      low = middle + 1;
    else
      high = middle;
  }
  while (low && exclusive && l->of[thread].at[low - 1].shared) low--;
  return low ? &l->of[thread].at[low - 1] : NULL;
}

/* Of two sections of the lock in the ideal, the earlier one ends in it. false: it never ends.
 * Sections of readers do not exclude each other. */
static bool close_lock(struct predictor *p, const struct lock *l, bool *more) {
  uint32_t latest = 0, latest_exclusive = 0, of = NONE, exclusive_of = NONE;
  for (uint32_t t = 0; t < p->threads; t++) {
    const struct section *any = last_in(p, l, t, false), *own = last_in(p, l, t, true);
    if (any && (of == NONE || any->begin > latest)) latest = any->begin, of = t;
    if (own && (exclusive_of == NONE || own->begin > latest_exclusive))
      latest_exclusive = own->begin, exclusive_of = t;
  }
  for (uint32_t t = 0; t < p->threads; t++)
    for (int exclusive = 0; exclusive < 2; exclusive++) {
      const struct section *s = last_in(p, l, t, exclusive);
      if (!s) continue;
      bool later = s->shared
                       ? exclusive_of != NONE && exclusive_of != t && latest_exclusive > s->begin
                       : of != t && latest > s->begin;
      if (!later) continue;
      if (s->end == NONE) return false;
      if (!in(p, s->end)) *more |= join(p, p->ideal, s->end);
    }
  return true;
}

/* Makes the set an ideal. false: there is none without an event that never happened. */
static bool close(struct predictor *p) {
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < p->locks.n; i++)
      if (!close_lock(p, p->locks.at[i], &more)) return false;
  }
  return true;
}

/* The least ideal with everything before these events; does it have none of them? */
static bool lies_before(struct predictor *p, const uint32_t *events, uint32_t n) {
  memset(p->ideal, 0, p->threads * sizeof *p->ideal);
  for (uint32_t i = 0; i < n; i++)
    if (p->before[events[i]] != NONE) join(p, p->ideal, p->before[events[i]]);
  if (!close(p)) return false;
  for (uint32_t i = 0; i < n; i++)
    if (in(p, events[i])) return false;
  return true;
}

/* ---- warnings -------------------------------------------------------------------------------- */
/* The steps of the ideal; of the threads of the events, all before those. */
static void add_prediction(struct predictor *p, const uint32_t *events, uint32_t n,
                           uint32_t warning) {
  uint32_t until[PV_MAX_THREADS] = {0};
  struct pv_prediction x = {.warning = warning};
  for (uint32_t i = 0; i < p->n; i++) {
    uint32_t t = p->log->events.at[i].thread;
    if (in(p, i)) until[t] = p->log->step.at[i] + 1;
  }
  for (uint32_t i = 0; i < n; i++)
    until[p->log->events.at[events[i]].thread] = p->log->step.at[events[i]];
  for (uint32_t i = 0; i < p->log->choices.n; i++)
    if (i < until[p->log->choices.at[i].thread]) pv_vec_push(&x.choices, p->log->choices.at[i]);
  pv_vec_push(&p->out->list, x);
}

/* The number of the warning with these sides, which is added if it is new; NONE: it has a
 * prediction. */
static uint32_t warning_of(struct predictor *p, enum pv_warning_kind kind, const uint32_t *events,
                           uint32_t n) {
  struct pv_warning w = {.kind = kind, .n = n, .predicted = true};
  bool is_new;
  for (uint32_t i = 0; i < n; i++) {
    const struct pv_observed *e = &p->log->events.at[events[i]];
    w.side[i] = (struct pv_warning_side){.thread = e->thread,
                                         .place = e->place,
                                         .writes = e->kind == PV_OBSERVED_WRITE,
                                         .lock = e->kind == PV_OBSERVED_LOCK ? e->at : 0};
    if (kind == PV_WARNING_RACE) w.at = e->at;
    for (uint32_t k = 0; k < p->locks.n; k++) { /* the locks that it holds */
      const struct lock *l = p->locks.at[k];
      for (uint32_t s = 0; s < l->of[e->thread].n; s++)
        if (l->of[e->thread].at[s].begin < events[i] && l->of[e->thread].at[s].end > events[i])
          pv_vec_push(&w.side[i].held, l->at);
    }
  }
  uint32_t number = pv_warn(p->warnings, &w);
  pv_map_put(&p->known, &number, sizeof number, 0, &is_new);
  return is_new ? number : NONE;
}

/* ---- races ----------------------------------------------------------------------------------- */
/* The accesses to one address, in order. */
struct accesses {
  PV_VEC(uint32_t) events;
  PV_VEC(uint32_t) others; /* by access: how many there are up to the last one of another thread */
};

static void add_access(const struct predictor *p, struct accesses *a, uint32_t event) {
  uint32_t n = a->events.n, others = 0;
  if (n) {
    bool same = p->log->events.at[a->events.at[n - 1]].thread == p->log->events.at[event].thread;
    others = same ? a->others.at[n - 1] : n;
  }
  pv_vec_push(&a->events, event);
  pv_vec_push(&a->others, others);
}

static bool conflict(const struct pv_observed *a, const struct pv_observed *b) {
  return a->thread != b->thread && !(a->atomic && b->atomic) &&
         (a->kind == PV_OBSERVED_WRITE || b->kind == PV_OBSERVED_WRITE);
}

static void try_pair(struct predictor *p, uint32_t a, uint32_t b) {
  const struct pv_observed *x = &p->log->events.at[a], *y = &p->log->events.at[b];
  uint32_t key[2] = {x->place < y->place ? x->place : y->place,
                     x->place < y->place ? y->place : x->place};
  bool is_new;
  uint32_t *tries = pv_map_put(&p->tries, key, sizeof key, 0, &is_new);
  if (*tries >= TRIES) return;
  ++*tries;
  uint32_t events[2] = {a, b};
  if (!lies_before(p, events, 2)) return;
  *tries = TRIES;
  uint32_t warning = warning_of(p, PV_WARNING_RACE, events, 2);
  if (warning != NONE) add_prediction(p, events, 2, warning);
}

static void find_races(struct predictor *p) {
  struct pv_map index = {0};
  PV_VEC(struct accesses) all = {0};
  for (uint32_t i = 0; i < p->n; i++) {
    const struct pv_observed *e = &p->log->events.at[i];
    bool is_new;
    if (e->kind > PV_OBSERVED_WRITE) continue;
    uint32_t at = *pv_map_put(&index, &e->at, sizeof e->at, all.n, &is_new);
    if (is_new) pv_vec_push(&all, ((struct accesses){0}));
    struct accesses *a = &all.at[at];
    add_access(p, a, i);
    uint32_t k = pv_vec_last(&a->others), near = 0;
    for (uint32_t far = 0; k && near < NEAR && far < FAR; far++) {
      const struct pv_observed *other = &p->log->events.at[a->events.at[k - 1]];
      if (conflict(other, e)) {
        near++;
        try_pair(p, a->events.at[k - 1], i);
      }
      k = other->thread == e->thread ? a->others.at[k - 1] : k - 1;
    }
  }
  for (uint32_t i = 0; i < all.n; i++) {
    pv_vec_free(&all.at[i].events);
    pv_vec_free(&all.at[i].others);
  }
  pv_vec_free(&all);
  pv_map_free(&index);
}

/* ---- deadlocks ------------------------------------------------------------------------------- */
static bool holds(const struct dependency *d, uint64_t lock) {
  for (uint32_t i = 0; i < d->held.n; i++)
    if (d->held.at[i] == lock) return true;
  return false;
}

/* Looks for acquisitions, one of each dependency, that could be reached together. Each is replaced
 * by a later one only if it lies in the ideal of all before; so this is linear in their number. */
static void try_cycle(struct predictor *p, const uint32_t *members, uint32_t n) {
  uint32_t at[PV_WARNING_SIDES] = {0}, events[PV_WARNING_SIDES];
  if (p->cycles++ > CYCLES) return;
  for (;;) {
    for (uint32_t i = 0; i < n; i++) events[i] = p->dependencies.at[members[i]].events.at[at[i]];
    if (lies_before(p, events, n)) break;
    bool moved = false;
    for (uint32_t i = 0; i < n; i++) {
      const struct dependency *d = &p->dependencies.at[members[i]];
      for (; at[i] < d->events.n && in(p, d->events.at[at[i]]); at[i]++) moved = true;
      if (at[i] == d->events.n) return;
    }
    if (!moved) return;
  }
  uint32_t warning = warning_of(p, PV_WARNING_LOCK_ORDER, events, n);
  if (warning != NONE) add_prediction(p, events, n, warning);
}

static bool fits(const struct predictor *p, const uint32_t *members, uint32_t n, uint32_t next) {
  const struct dependency *d = &p->dependencies.at[next];
  for (uint32_t i = 0; i < n; i++) {
    const struct dependency *other = &p->dependencies.at[members[i]];
    if (other->thread == d->thread || other->lock == d->lock) return false;
    for (uint32_t k = 0; k < d->held.n; k++)
      if (holds(other, d->held.at[k])) return false;
  }
  return true;
}

/* Each member takes a lock that the next one holds. The first one has the smallest number. */
static void extend(struct predictor *p, uint32_t *members, uint32_t n) {
  uint64_t wanted = p->dependencies.at[members[n - 1]].lock;
  if (n > 1 && holds(&p->dependencies.at[members[0]], wanted)) try_cycle(p, members, n);
  if (n == PV_WARNING_SIDES || p->cycles > CYCLES) return;
  for (uint32_t i = members[0] + 1; i < p->dependencies.n; i++) {
    if (!holds(&p->dependencies.at[i], wanted) || !fits(p, members, n, i)) continue;
    members[n] = i;
    extend(p, members, n + 1);
  }
}

static void find_deadlocks(struct predictor *p) {
  uint32_t members[PV_WARNING_SIDES];
  for (uint32_t i = 0; i < p->dependencies.n; i++) {
    members[0] = i;
    extend(p, members, 1);
  }
}

/* ---- all ------------------------------------------------------------------------------------- */
static uint32_t threads_of(const struct pv_log *log) {
  uint32_t n = 1;
  for (uint32_t i = 0; i < log->events.n; i++) {
    const struct pv_observed *e = &log->events.at[i];
    if (e->thread >= n) n = e->thread + 1;
    if (e->kind == PV_OBSERVED_FORK && e->at >= n) n = (uint32_t)e->at + 1;
  }
  return n;
}

void pv_log_predict(const struct pv_log *log, struct pv_warnings *warnings,
                    struct pv_predictions *out) {
  struct predictor p = {.log = log, .warnings = warnings, .out = out};
  p.threads = threads_of(log);
  p.n = log->events.n;
  if (p.n > CELLS / p.threads) p.n = CELLS / p.threads;
  p.clock = pv_alloc(((size_t)p.n * p.threads + 1) * sizeof *p.clock);
  p.number = pv_alloc(((size_t)p.n + 1) * sizeof *p.number);
  p.before = pv_alloc(((size_t)p.n + 1) * sizeof *p.before);
  p.ideal = pv_alloc(p.threads * sizeof *p.ideal);
  set_clocks(&p);
  find_sections(&p);
  find_races(&p);
  find_deadlocks(&p);
  for (uint32_t i = 0; i < p.locks.n; i++) {
    for (uint32_t t = 0; t < PV_MAX_THREADS; t++) pv_vec_free(&p.locks.at[i]->of[t]);
    free(p.locks.at[i]);
  }
  for (uint32_t i = 0; i < p.dependencies.n; i++) {
    pv_vec_free(&p.dependencies.at[i].held);
    pv_vec_free(&p.dependencies.at[i].events);
  }
  pv_vec_free(&p.locks);
  pv_vec_free(&p.dependencies);
  pv_map_free(&p.tries);
  pv_map_free(&p.known);
  free(p.clock);
  free(p.number);
  free(p.before);
  free(p.ideal);
}

void pv_predictions_free(struct pv_predictions *p) {
  for (uint32_t i = 0; i < p->list.n; i++) pv_vec_free(&p->list.at[i].choices);
  pv_vec_free(&p->list);
}
