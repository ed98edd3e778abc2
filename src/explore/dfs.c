/* dfs.c -- depth-first search. The last frames of the path are stored as structures, those below
 * them in packed form (pack.h), because a path may be nearly as long as the number of states. */
#include <stdlib.h>
#include <string.h>

#include "explore/pack.h"
#include "explore/search.h"

struct frame {
  struct pv_visit visit;
  pv_threads pass;                    /* the sleep set of the successors by the moving thread */
  uint32_t thread;                    /* the moving thread; PV_NO_THREAD: none yet */
  uint16_t alternative, alternatives; /* its next alternative, and their number */
};
enum { NEAR = 64 }; /* frames that are packed and unpacked together */
struct dfs {
  struct pv_search *s;
  struct frame near[2 * NEAR]; /* the unpacked frames */
  unsigned n;                  /* their number; 0 only before the first and after the last frame */
  struct pv_pack below; /* the packed frames, each relative to the place of the frame above it */
  uint64_t height;      /* number of all frames */
  /* By state, under a depth limit: the smallest depth at which it was reached. */
  PV_VEC(uint32_t) depth;
};

static struct frame *top(struct dfs *d) {
  return &d->near[d->n - 1];
}

/* ---- packed frames --------------------------------------------------------------------------- */
/* The words of a record. Those that are rarely 0 come first. */
enum {
  TRAIL,
  TODO,
  THREAD,
  MORE_WAYS, /* alternatives that remain beside `way` */
  WAY_BEFORE,
  PASS,
  ASLEEP,
  REST,
  STATE,
  HEAD,
  CHANGES, /* from here on two words for each half */
  TOP = CHANGES + 2,
  EPOCH = TOP + 2,
  FRAME_WORDS = EPOCH + 2
};
_Static_assert(FRAME_WORDS <= (int)PV_PACK_WORDS, "a frame is a record");

/* The words of a frame's mark. They differ little from those of adjacent frames. */
static void place_words(const struct frame *f, uint64_t *w) {
  const struct pv_mark *m = &f->visit.mark;
  w[TRAIL] = m->trail;
  w[STATE] = f->visit.state;
  w[HEAD] = m->head;
  for (unsigned h = 0; h < 2; h++) {
    w[CHANGES + h] = m->half[h].n;
    w[TOP + h] = m->half[h].top;
    w[EPOCH + h] = m->half[h].epoch;
  }
}

static void frame_words(const struct frame *f, uint64_t *w) {
  place_words(f, w);
  w[TODO] = f->visit.todo;
  w[THREAD] = f->thread;
  w[MORE_WAYS] = (uint64_t)f->alternatives - f->alternative;
  w[WAY_BEFORE] = (uint64_t)f->alternative - 1;
  w[PASS] = f->pass;
  w[ASLEEP] = f->visit.sleep_set;
  w[REST] = f->visit.rest;
}

static struct pv_half_mark half_of(const uint64_t *w, unsigned h) {
  return (struct pv_half_mark){
      .n = (uint32_t)w[CHANGES + h], .epoch = (uint32_t)w[EPOCH + h], .top = (uint32_t)w[TOP + h]};
}

static struct frame frame_of(const uint64_t *w) {
  struct pv_mark mark = {(uint32_t)w[HEAD], {half_of(w, 0), half_of(w, 1)}, w[TRAIL]};
  struct pv_visit visit = {(uint32_t)w[STATE], mark, w[TODO], w[ASLEEP], w[REST]};
  return (struct frame){.visit = visit,
                        .pass = w[PASS],
                        .thread = (uint32_t)w[THREAD],
                        .alternative = (uint16_t)(w[WAY_BEFORE] + 1),
                        .alternatives = (uint16_t)(w[WAY_BEFORE] + 1 + w[MORE_WAYS])};
}

/* Packs the lower half of the unpacked frames. */
static void pack_half(struct dfs *d) {
  uint64_t word[FRAME_WORDS], above[FRAME_WORDS] = {0};
  for (unsigned i = 0; i < NEAR; i++) {
    frame_words(&d->near[i], word);
    place_words(&d->near[i + 1], above);
    pv_pack_push(&d->below, word, above, FRAME_WORDS);
  }
  memmove(d->near, d->near + NEAR, NEAR * sizeof *d->near);
  d->n = NEAR;
}

/* Unpacks the frames below `last`, which was removed. */
static void unpack_half(struct dfs *d, const struct frame *last) {
  uint64_t word[FRAME_WORDS], above[FRAME_WORDS] = {0};
  d->n = d->below.records < NEAR ? (unsigned)d->below.records : NEAR;
  place_words(last, above);
  for (unsigned i = d->n; i-- > 0;) {
    pv_pack_pop(&d->below, word, above, FRAME_WORDS);
    d->near[i] = frame_of(word);
    place_words(&d->near[i], above);
  }
}

/* Pushes the frame, whose place is known and does not change. */
static void push(struct dfs *d, const struct frame *f) {
  if (d->n == 2 * NEAR) pack_half(d);
  d->near[d->n++] = *f;
  struct pv_stats *stats = &d->s->result->stats;
  if (++d->height <= stats->depth) return;
  stats->depth = d->height;
  stats->path_bytes = pv_pack_bytes(&d->below) + pv_space_path_bytes(&d->s->space);
}

static void pop(struct dfs *d) {
  struct frame last = *top(d);
  d->height--;
  if (!--d->n && d->height) unpack_half(d, &last);
}

static void dfs_trace(void *order) {
  struct dfs *d = order;
  uint64_t word[FRAME_WORDS], above[FRAME_WORDS] = {0};
  uint32_t n = (uint32_t)d->below.records;
  struct pv_pack_reader reader = pv_pack_read(&d->below);
  d->s->path.n = 0;
  pv_vec_reserve(&d->s->path, n + d->n);
  d->s->path.n = n;
  place_words(&d->near[0], above);
  for (uint32_t i = n; i-- > 0;) {
    pv_pack_next(&reader, word, above, FRAME_WORDS);
    struct frame f = frame_of(word);
    d->s->path.at[i] = (struct pv_choice){f.thread, f.alternative - 1u};
    place_words(&f, above);
  }
  for (unsigned i = 0; i + 1 < d->n; i++) {
    struct pv_choice c = {d->near[i].thread, d->near[i].alternative - 1u};
    pv_vec_push(&d->s->path, c);
  }
}

/* ---- the search ------------------------------------------------------------------------------ */
/* Pushes the first frame before the visit, so that an error that the state shows has its path. */
static void push_first(struct dfs *d, pv_threads sleep_set) {
  struct frame f = {.visit = {.state = d->s->space.at, .mark = pv_space_mark(&d->s->space)},
                    .thread = PV_NO_THREAD};
  push(d, &f);
  struct pv_visit visit = pv_search_first_visit(d->s, sleep_set);
  top(d)->visit = visit;
}

/* Was the state reached at this depth or a smaller one before? Under a depth limit only such a
 * state counts as known: what was cut beyond it may be reachable now. */
static bool reached_earlier(struct dfs *d, uint32_t state) {
  while (d->depth.n <= state) pv_vec_push(&d->depth, UINT32_MAX);
  bool earlier = d->depth.at[state] > d->height;
  if (earlier) d->depth.at[state] = (uint32_t)d->height;
  return earlier;
}

/* The next transition of the visit. Returns false if there is none. */
static bool next_choice(struct dfs *d, struct pv_choice *c) {
  struct frame *f = top(d);
  if (f->alternative == f->alternatives) {
    if (!f->visit.todo) return false;
    f->thread = (unsigned)__builtin_ctzll(f->visit.todo);
    f->visit.todo &= f->visit.todo - 1;
    pv_space_back(&d->s->space, f->visit.state, &f->visit.mark);
    f->alternative = 0;
    unsigned progress;
    f->alternatives = (uint16_t)pv_moves_alternatives(d->s->cache, f->thread, &progress);
    f->pass = pv_search_pass(d->s, &f->visit, f->thread);
  }
  *c = (struct pv_choice){f->thread, f->alternative++};
  return true;
}

static void dfs_step(struct dfs *d, struct pv_choice c) {
  struct pv_search *s = d->s;
  struct pv_visit *visit = &top(d)->visit;
  pv_threads pass = top(d)->pass;
  bool is_new;
  pv_space_back(&s->space, visit->state, &visit->mark);
  if (pv_search_step(s, visit, c) != PV_RAN) return;
  uint32_t state = pv_space_find(&s->space, &is_new);
  if (s->task->limits->depth && reached_earlier(d, state)) {
    pv_space_enter(&s->space);
    if (d->height >= s->task->limits->depth)
      pv_search_depth_cut(s);
    else
      push_first(d, pass);
    return;
  }
  struct frame again = {.thread = PV_NO_THREAD};
  if (is_new)
    push_first(d, pass);
  else if (pv_search_visit_again(s, state, pass, &again.visit))
    push(d, &again);
}

void pv_search_dfs(struct pv_search *s) {
  struct dfs d = {.s = s};
  struct pv_choice c;
  bool is_new;
  s->trace = dfs_trace;
  s->order = &d;
  pv_space_start(&s->space);
  pv_space_save(&s->space, &is_new);
  push_first(&d, 0);
  while (d.height && !s->stop) {
    if (!next_choice(&d, &c)) {
      pop(&d);
      continue;
    }
    if (pv_search_limit(s, d.height)) break;
    pv_search_progress(s);
    dfs_step(&d, c);
  }
  pv_search_count(s);
  pv_pack_free(&d.below);
  pv_vec_free(&d.depth);
}
