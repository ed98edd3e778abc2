/* parallel.c -- breadth-first search by several threads, level by level.
 *
 * The states of one level are distributed among workers. Each has its own VM, memo and reduction;
 * they share one store. The transitions explored from a state are a function of the state
 * (reduce.h). So the workers find the same states as a single one. The result is also the same,
 * whichever worker does what: after each level the new states are sorted into the order in which a
 * single worker would have found them, by the position of their first predecessor and the
 * transition from there; and errors of a level are reported in that order. (One exception is the
 * order of addresses, which is the order in which objects are first seen. A program that compares
 * addresses gets a proviso. The message about an access far outside its object may name another
 * object.)
 *
 * Sleep sets leave out only transitions, and depend on the order of visits, so several workers do
 * not use them. The order also decides when the computation of persistent sets is suspended
 * (search.h); several workers never suspend it. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "explore/search.h"

enum {
  SHARE = 8,     /* states that a worker takes at once */
  ALONE_MAX = 16 /* a level with at most so many states is explored by one worker */
};

/* Encodes how a state was first reached: thread, alternative, and the predecessor as its position
 * in its level (while the level is explored) or as its number (later). It is stored in the state's
 * note, inverted, so that the first one is the greatest and none is 0. */
static uint64_t origin(uint32_t from, struct pv_choice c) {
  return (uint64_t)from << 24 | (uint64_t)c.thread << 16 | c.alternative;
}

struct found {
  /* The state's position in its level, then 0 for the state itself or its transition; if the
   * first error ends the search, errors of transitions come last (bfs.c). */
  uint64_t order;
  uint32_t number; /* number among the errors of one worker */
  struct pv_event event;
  bool has_last;
  struct pv_choice last;
};
struct worker {
  struct parallel *p;
  struct pv_search *s;
  uint32_t place;         /* position of the state being visited */
  PV_VEC(uint32_t) fresh; /* the states of the next level */
  PV_VEC(struct found) errors;
};
struct parallel {
  struct pv_search *s; /* also that of the first worker */
  struct worker *worker;
  unsigned workers;
  PV_VEC(uint32_t) level; /* state numbers, sorted */
  uint32_t known;         /* states with smaller numbers belong to this level or an earlier one */
  uint32_t state;         /* the state whose path is asked for */
  atomic_uint_fast64_t next;
  atomic_uint_fast64_t bound; /* states from this position on are not explored any more */
  /* States from this position on are only checked for errors that they show. */
  atomic_uint_fast64_t expand;
  atomic_bool stop;
};

/* ---- paths ----------------------------------------------------------------------------------- */
static void trace(void *order) {
  struct parallel *p = order;
  struct pv_search *s = p->s;
  s->path.n = 0;
  for (uint32_t x = p->state; x;) {
    uint64_t o = ~*pv_store_note(s->space.store, x);
    struct pv_choice c = {(uint32_t)(o >> 16) & 0xff, (uint32_t)o & 0xffff};
    pv_vec_push(&s->path, c);
    x = (uint32_t)(o >> 24);
  }
  for (uint32_t i = 0, k = s->path.n; i + 1 < k; i++, k--) {
    struct pv_choice c = s->path.at[i];
    s->path.at[i] = s->path.at[k - 1];
    s->path.at[k - 1] = c;
  }
}

/* ---- a worker's part of a level -------------------------------------------------------------- */
static void error_found(void *order, const struct pv_event *e, const struct pv_choice *last) {
  struct worker *w = order;
  struct found f = {.order = (uint64_t)w->place << 32, .event = *e, .has_last = last != NULL};
  f.number = w->errors.n;
  if (last) {
    f.last = *last;
    f.order |= (uint64_t)last->thread << 16 | last->alternative;
    f.order += 1;
  }
  bool enough = !w->s->task->options->keep_going;
  if (last && enough) f.order |= UINT64_C(1) << 63;
  pv_vec_push(&w->errors, f);
  if (!enough) return;
  w->s->stop = true;
  atomic_uint_fast64_t *least = last ? &w->p->expand : &w->p->bound;
  uint_fast64_t now = atomic_load(least);
  while (now > w->place && !atomic_compare_exchange_weak(least, &now, w->place)) {
  }
}

static void arrive(struct worker *w, struct pv_choice c, uint32_t state, bool is_new) {
  struct parallel *p = w->p;
  if (!is_new) w->s->result->stats.matched++;
  if (state < p->known) return;
  _Atomic uint64_t *note = pv_store_note(w->s->space.store, state);
  uint64_t mine = ~origin(w->place, c), now = atomic_load(note);
  while (now < mine && !atomic_compare_exchange_weak(note, &now, mine)) {
  }
  if (is_new) pv_vec_push(&w->fresh, state);
}

static void explore(struct worker *w, uint32_t state) {
  struct pv_search *s = w->s;
  bool is_new;
  pv_space_back(&s->space, state, NULL);
  if (w->place > atomic_load(&w->p->expand)) {
    pv_search_look(s);
    return;
  }
  struct pv_visit v = pv_search_first_visit(s, 0);
  while (v.todo && !s->stop) {
    unsigned t = (unsigned)__builtin_ctzll(v.todo);
    v.todo &= v.todo - 1;
    pv_space_back(&s->space, v.state, &v.mark);
    unsigned progress, alternatives = pv_moves_alternatives(s->cache, t, &progress);
    for (unsigned alternative = 0; alternative < alternatives && !s->stop; alternative++) {
      struct pv_choice c = {t, alternative};
      pv_space_back(&s->space, v.state, &v.mark);
      if (pv_search_step(s, &v, c) != PV_RAN) continue;
      uint32_t next = pv_space_find(&s->space, &is_new);
      arrive(w, c, next, is_new);
    }
  }
}

static bool goes_on(struct worker *w, uint32_t place) {
  struct parallel *p = w->p;
  if (pv_search_limit(w->s, p->level.n - place)) atomic_store(&p->stop, true);
  w->s->stop = false; /* an error ends only the work on one state */
  return !atomic_load(&p->stop) && place < atomic_load(&p->bound);
}

static void *work(void *user) {
  struct worker *w = user;
  struct parallel *p = w->p;
  pv_space_sync(&w->s->space);
  for (;;) {
    uint64_t from = atomic_fetch_add(&p->next, SHARE);
    for (uint64_t i = from; i < from + SHARE && i < p->level.n; i++) {
      w->place = (uint32_t)i;
      if (!goes_on(w, w->place)) break;
      explore(w, p->level.at[i]);
    }
    if (from + SHARE >= p->level.n || atomic_load(&p->stop)) break;
  }
  if (w->s->task->limits->hit != PV_LIMIT_NONE) atomic_store(&p->stop, true);
  pv_store_end(w->s->space.store);
  return NULL;
}

static void work_on_level(struct parallel *p) {
  unsigned n = p->level.n > ALONE_MAX ? p->workers : 1, started = 1;
  pthread_t thread[PV_SEARCH_THREADS];
  atomic_store(&p->next, 0);
  atomic_store(&p->bound, UINT32_MAX);
  atomic_store(&p->expand, UINT32_MAX);
  p->known = pv_store_states(p->s->space.store);
  pv_store_begin(p->s->space.store, n);
  for (; started < n; started++)
    if (pthread_create(&thread[started], NULL, work, &p->worker[started]) != 0) break;
  /* Threads that could not be started. */
  for (unsigned i = started; i < n; i++) pv_store_end(p->s->space.store);
  work(&p->worker[0]);
  for (unsigned i = 1; i < started; i++) pthread_join(thread[i], NULL);
  pv_store_begin(p->s->space.store, 1);
}

/* ---- end of a level -------------------------------------------------------------------------- */
static int by_order(const void *a, const void *b) {
  const struct found *x = a, *y = b;
  if (x->order != y->order) return x->order < y->order ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

static void report_errors(struct parallel *p) {
  PV_VEC(struct found) all = {0};
  for (unsigned i = 0; i < p->workers; i++) {
    struct worker *w = &p->worker[i];
    for (uint32_t k = 0; k < w->errors.n; k++) pv_vec_push(&all, w->errors.at[k]);
    w->errors.n = 0;
  }
  if (all.n) qsort(all.at, all.n, sizeof *all.at, by_order);
  p->s->stop = false;
  for (uint32_t i = 0; i < all.n && !p->s->stop; i++) {
    p->state = p->level.at[all.at[i].order << 1 >> 33];
    pv_search_report(p->s, &all.at[i].event, all.at[i].has_last ? &all.at[i].last : NULL);
  }
  pv_vec_free(&all);
}

struct fresh {
  uint64_t origin;
  uint32_t state;
};

static int by_origin(const void *a, const void *b) {
  const struct fresh *x = a, *y = b;
  return x->origin < y->origin ? -1 : x->origin > y->origin;
}

/* The new states become the next level, in the order in which a single worker finds them. */
static void next_level(struct parallel *p) {
  PV_VEC(struct fresh) all = {0};
  const struct pv_store *store = p->s->space.store;
  for (unsigned i = 0; i < p->workers; i++) {
    struct worker *w = &p->worker[i];
    for (uint32_t k = 0; k < w->fresh.n; k++) {
      struct fresh f = {~*pv_store_note(store, w->fresh.at[k]), w->fresh.at[k]};
      pv_vec_push(&all, f);
    }
    w->fresh.n = 0;
  }
  if (all.n) qsort(all.at, all.n, sizeof *all.at, by_origin);
  for (uint32_t i = 0; i < all.n; i++) {
    uint64_t o = all.at[i].origin, from = p->level.at[o >> 24];
    *pv_store_note(store, all.at[i].state) = ~(from << 24 | (o & 0xffffff));
  }
  p->level.n = 0;
  for (uint32_t i = 0; i < all.n; i++) pv_vec_push(&p->level, all.at[i].state);
  pv_vec_free(&all);
}

/* ---- the module as a whole ------------------------------------------------------------------- */
static void add_stats(struct pv_stats *to, const struct pv_stats *from) {
  to->transitions += from->transitions;
  to->matched += from->matched;
  to->generated += from->generated;
  to->expanded += from->expanded;
  to->pruned += from->pruned;
  to->reduced += from->reduced;
  to->instructions += from->instructions;
  to->choices += from->choices;
  if (from->threads > to->threads) to->threads = from->threads;
}

static void add_provisos(struct pv_condition *to, const struct pv_condition *from) {
  for (uint32_t i = 0; i < from->provisos.n; i++) {
    const struct pv_proviso *p = &from->provisos.at[i];
    pv_condition_add(to, p->kind, p->file, p->line, "%s", p->sentence);
    for (uint32_t k = 0; k < to->provisos.n; k++) /* a violated limit counts once */
      if (to->provisos.at[k].kind == p->kind &&
          strcmp(to->provisos.at[k].sentence, p->sentence) == 0)
        to->provisos.at[k].times += p->times - 1;
  }
}

static int by_kind_and_place(const void *a, const void *b) {
  const struct pv_proviso *x = a, *y = b;
  if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
  int files = strcmp(x->file ? x->file : "", y->file ? y->file : "");
  if (files) return files;
  if (x->line != y->line) return x->line < y->line ? -1 : 1;
  return strcmp(x->sentence, y->sentence);
}

/* Combines the results of the workers. */
static void join(struct parallel *p) {
  struct pv_result *r = p->s->result;
  pv_search_count(p->s);
  for (unsigned i = 1; i < p->workers; i++) {
    struct pv_search *s = p->worker[i].s;
    s->result->stats.instructions = pv_vm_instructions(s->vm) + s->space.instructions;
    s->result->stats.choices = pv_vm_inputs(s->vm) + s->space.inputs;
    add_stats(&r->stats, &s->result->stats);
    add_provisos(&r->condition, &s->result->condition);
  }
  if (r->condition.provisos.n)
    qsort(r->condition.provisos.at, r->condition.provisos.n, sizeof *r->condition.provisos.at,
          by_kind_and_place);
}

static void levels(struct parallel *p) {
  struct pv_search *s = p->s;
  struct pv_limits *limits = s->task->limits;
  for (uint64_t depth = 0; p->level.n; depth++) {
    if (limits->depth && depth >= limits->depth) {
      pv_search_depth_cut(s);
      return;
    }
    s->result->stats.depth = depth;
    s->found = error_found;
    s->order = &p->worker[0];
    work_on_level(p);
    s->found = NULL;
    s->order = p;
    report_errors(p);
    if (s->stop) return;
    if (atomic_load(&p->stop)) {
      for (unsigned i = 1; i < p->workers; i++)
        if (p->worker[i].s->task->limits->hit != PV_LIMIT_NONE)
          limits->hit = p->worker[i].s->task->limits->hit;
      uint64_t done = atomic_load(&p->next), fresh = 0;
      for (unsigned i = 0; i < p->workers; i++) fresh += p->worker[i].fresh.n;
      pv_search_limit(s, fresh + (done < p->level.n ? p->level.n - done : 0));
      return;
    }
    next_level(p);
    pv_search_progress(s);
  }
}

void pv_search_parallel(struct pv_search *s, unsigned threads,
                        struct pv_search *(*make)(void *user),
                        void (*end)(struct pv_search *worker), void *user) {
  struct parallel p = {.s = s, .workers = threads};
  struct pv_common *common = pv_common_new();
  bool is_new;
  s->trace = trace;
  p.worker = pv_alloc(threads * sizeof *p.worker);
  pv_space_start(&s->space);
  pv_store_keep_notes(s->space.store);
  pv_space_share(&s->space, common);
  pv_vec_push(&p.level, pv_space_save(&s->space, &is_new));
  for (unsigned i = 0; i < threads; i++) {
    p.worker[i].p = &p;
    p.worker[i].s = i ? make(user) : s;
    p.worker[i].s->sleep = p.worker[i].s->rest.on = false;
    if (!i) continue;
    pv_space_join(&p.worker[i].s->space, &s->space, common);
    p.worker[i].s->found = error_found;
    p.worker[i].s->order = &p.worker[i];
  }
  levels(&p);
  join(&p);
  for (unsigned i = 0; i < threads; i++) {
    pv_vec_free(&p.worker[i].fresh);
    pv_vec_free(&p.worker[i].errors);
    if (i) end(p.worker[i].s);
  }
  pv_vec_free(&p.level);
  free(p.worker);
  s->space.common = NULL;
  pv_common_free(common);
}
