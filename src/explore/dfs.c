/* dfs.c -- depth-first search. The last frames of the path are stored as structures, those below
 * them in packed form (pack.h), because a path may be nearly as long as the number of states. */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
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
  uint64_t lowest;      /* its minimum since the frames were written */
  /* If open parts are wanted: a bit for each state, is it on the stack? And was a state found that
   * was on the stack? Without such a cycle, what a transition asleep leads to was explored. */
  PV_VEC(uint64_t) on_stack;
  bool is_cyclic;
  /* The prefixes that a given condition leaves open; NULL: there is none. */
  const struct pv_open_part *given;
  uint32_t next_given; /* those from here on were not explored */
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

static bool is_on_stack(const struct dfs *d, uint32_t state) {
  return state / 64 < d->on_stack.n && d->on_stack.at[state / 64] >> state % 64 & 1;
}

/* Pushes the frame, whose place is known and does not change. */
static void push(struct dfs *d, const struct frame *f) {
  uint32_t state = f->visit.state;
  if (d->s->task->wants_parts) {
    d->is_cyclic |= is_on_stack(d, state);
    while (d->on_stack.n <= state / 64) pv_vec_push(&d->on_stack, 0);
    d->on_stack.at[state / 64] |= UINT64_C(1) << state % 64;
  }
  if (d->n == 2 * NEAR) pack_half(d);
  d->near[d->n++] = *f;
  struct pv_stats *stats = &d->s->result->stats;
  if (++d->height <= stats->depth) return;
  stats->depth = d->height;
  stats->path_bytes = pv_pack_bytes(&d->below) + pv_space_path_bytes(&d->s->space);
}

static void pop(struct dfs *d) {
  struct frame last = *top(d);
  uint32_t state = last.visit.state;
  if (is_on_stack(d, state)) d->on_stack.at[state / 64] &= ~(UINT64_C(1) << state % 64);
  if (--d->height < d->lowest) d->lowest = d->height;
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

/* Has a limit ended the search inside of the transition? Then it was not explored. */
static bool was_cut(const struct dfs *d, enum pv_outcome outcome) {
  return outcome == PV_CUT && d->s->task->limits->hit != PV_LIMIT_NONE;
}

static void dfs_step(struct dfs *d, struct pv_choice c) {
  struct pv_search *s = d->s;
  struct pv_visit *visit = &top(d)->visit;
  pv_threads pass = top(d)->pass;
  bool is_new;
  pv_space_back(&s->space, visit->state, &visit->mark);
  enum pv_outcome outcome = pv_search_step(s, visit, c);
  if (was_cut(d, outcome)) top(d)->alternative--;
  if (outcome != PV_RAN) return;
  uint32_t state = pv_space_find(&s->space, &is_new);
  d->is_cyclic |= is_on_stack(d, state);
  pv_search_arrived(s, visit, c, state, is_new);
  if (!is_new && s->visits_all && !pv_search_was_visited(s, state)) {
    pv_space_enter(&s->space);
    is_new = true;
  }
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

/* Explores everything that is open on the stack above the first `base` frames. */
static void run(struct dfs *d, uint64_t base) {
  struct pv_search *s = d->s;
  struct pv_choice c;
  while (d->height > base && !s->stop) {
    pv_search_checkpoint(s);
    if (!next_choice(d, &c)) {
      pop(d);
      continue;
    }
    if (pv_search_limit(s, d->height)) {
      top(d)->alternative--; /* the choice is not explored */
      break;
    }
    pv_search_progress(s);
    dfs_step(d, c);
  }
}

/* ---- conditions in and out ------------------------------------------------------------------- */
/* Calls `visit` for the frames from number `first` on, the lowest first. */
static void for_frames_from(struct dfs *d, uint64_t first,
                            void (*visit)(void *user, const struct frame *f), void *user) {
  uint64_t word[FRAME_WORDS], above[FRAME_WORDS] = {0}, packed = d->below.records;
  uint32_t n = (uint32_t)(first < packed ? packed - first : 0);
  struct frame *frames = pv_alloc((n + 1) * sizeof *frames);
  struct pv_pack_reader reader = pv_pack_read(&d->below);
  place_words(&d->near[0], above);
  for (uint32_t i = n; i-- > 0;) {
    pv_pack_next(&reader, word, above, FRAME_WORDS);
    frames[i] = frame_of(word);
    place_words(&frames[i], above);
  }
  for (uint32_t i = 0; i < n; i++) visit(user, &frames[i]);
  for (unsigned i = (unsigned)(first < packed ? 0 : first - packed); i < d->n; i++)
    visit(user, &d->near[i]);
  free(frames);
}

static void for_frames(struct dfs *d, void (*visit)(void *user, const struct frame *f),
                       void *user) {
  for_frames_from(d, 0, visit, user);
}

struct opening {
  struct pv_open_part *part;
  uint32_t depth;        /* of the next frame */
  struct pv_choice last; /* the choice that leads to it */
};

static void open_frame(void *user, const struct frame *f) {
  struct opening *o = user;
  struct pv_open_part *part = o->part;
  bool more = f->alternative < f->alternatives;
  struct pv_prefix x = {.depth = o->depth++, .choice = o->last, .is_open = f->visit.todo || more};
  if (!x.depth) x.choice = (struct pv_choice){0};
  for (unsigned t = 0; x.is_open && t < PV_MAX_THREADS; t++) {
    if (!(f->visit.sleep_set & PV_THREAD_BIT(t))) continue;
    bool is_between = more && t == f->thread; /* only some of its alternatives were explored */
    for (uint32_t i = 0; i < (is_between ? f->alternative : 1); i++) {
      struct pv_choice asleep = {t, is_between ? i : PV_EVERY_ALTERNATIVE};
      pv_vec_push(&part->sleeping, asleep);
      x.sleeping++;
    }
  }
  pv_vec_push(&part->prefixes, x);
  o->last = (struct pv_choice){f->thread, f->alternative - 1u};
}

/* The stack, and the given prefixes that were not explored: the stack begins with the path to the
 * latest one, which they branch off from. */
static void dfs_open(void *order, struct pv_open_part *out) {
  struct dfs *d = order;
  struct opening o = {.part = out};
  uint32_t sleeping = 0;
  for_frames(order, open_frame, &o);
  for (uint32_t i = 0; d->given && i < d->given->prefixes.n; i++) {
    const struct pv_prefix *x = &d->given->prefixes.at[i];
    if (i >= d->next_given) {
      pv_vec_push(&out->prefixes, *x);
      for (uint32_t k = 0; k < x->sleeping; k++)
        pv_vec_push(&out->sleeping, d->given->sleeping.at[sleeping + k]);
    }
    sleeping += x->sleeping;
  }
  out->circular = out->sleeping.n && (d->is_cyclic || (d->given && d->given->circular));
}

/* ---- settling
 *
 * What is open on the stack are the transitions that were not executed yet. Many of them lead to
 * states that are known. So at the end they are executed, without going on from there, the upper
 * frames first: then open are the new states that they lead to, and known ones of which something
 * was left out. This is the same search without first visits: what it takes for known is closed or
 * continues a prefix that is open, as in the search that goes on. */
enum { MOST_SETTLED = 2000 }; /* frames */

struct leaves { /* below one frame */
  PV_VEC(struct pv_prefix) prefixes;
  PV_VEC(struct pv_choice) sleeping;
  bool settled;
};

static void add_leaf(struct leaves *l, uint32_t depth, struct pv_choice c, pv_threads asleep) {
  struct pv_prefix x = {.depth = depth, .choice = c, .is_open = 1};
  PV_FOR_THREADS(t, asleep) {
    struct pv_choice all = {t, PV_EVERY_ALTERNATIVE};
    pv_vec_push(&l->sleeping, all);
    x.sleeping++;
  }
  pv_vec_push(&l->prefixes, x);
}

/* Settles one transition of a visit. false: something is to be told about it. */
static bool settle_choice(struct dfs *d, struct pv_visit *v, struct pv_choice c, pv_threads pass,
                          uint32_t depth, struct leaves *l) {
  struct pv_search *s = d->s;
  bool is_new, back;
  uint32_t passed;
  pv_space_back(&s->space, v->state, NULL);
  enum pv_outcome outcome = pv_space_step(&s->space, c.thread, c.alternative, &back);
  if (v->rest && (outcome != PV_RAN || back)) pv_search_wake(s, v);
  v->rest = 0;
  pv_space_passed(&s->space, &passed);
  if (passed) return false;
  if (outcome != PV_RAN) return outcome == PV_PRUNED || outcome == PV_ENDED;
  struct pv_visit again = {.sleep_set = pass};
  uint32_t state = pv_space_find(&s->space, &is_new);
  d->is_cyclic |= is_on_stack(d, state);
  if (is_new && s->sleep) pv_masks_set(&s->left_out, state, pass);
  if (is_new || pv_search_visit_again(s, state, pass, &again))
    add_leaf(l, depth + 1, c, again.sleep_set);
  return true;
}

static bool settle_frame(struct dfs *d, struct frame f, uint32_t depth, struct leaves *l) {
  struct pv_search *s = d->s;
  for (; f.alternative < f.alternatives; f.alternative++) {
    struct pv_choice c = {f.thread, f.alternative};
    if (!settle_choice(d, &f.visit, c, f.pass, depth, l)) return false;
  }
  while (f.visit.todo) {
    unsigned t = (unsigned)__builtin_ctzll(f.visit.todo), progress;
    f.visit.todo &= f.visit.todo - 1;
    pv_space_back(&s->space, f.visit.state, NULL);
    unsigned alternatives = pv_moves_alternatives(s->cache, t, &progress);
    pv_threads pass = pv_search_pass(s, &f.visit, t);
    for (unsigned k = 0; k < alternatives; k++)
      if (!settle_choice(d, &f.visit, (struct pv_choice){t, k}, pass, depth, l)) return false;
  }
  return true;
}

struct settling {
  struct dfs *d;
  PV_VEC(struct frame) frames;
};

static void collect_frame(void *user, const struct frame *f) {
  struct settling *x = user;
  pv_vec_push(&x->frames, *f);
}

/* The tree of the frames and the leaves below them. */
static void open_settled(const struct settling *x, const struct leaves *leaves,
                         struct pv_open_part *out) {
  struct opening o = {.part = out};
  for (uint32_t i = 0; i < x->frames.n; i++) {
    struct frame f = x->frames.at[i];
    const struct leaves *l = &leaves[i];
    if (l->settled) { /* only what is below it is open */
      f.visit.todo = 0;
      f.alternatives = f.alternative;
    }
    open_frame(&o, &f);
    for (uint32_t k = 0; l->settled && k < l->prefixes.n; k++)
      pv_vec_push(&out->prefixes, l->prefixes.at[k]);
    for (uint32_t k = 0; l->settled && k < l->sleeping.n; k++)
      pv_vec_push(&out->sleeping, l->sleeping.at[k]);
  }
}

static bool dfs_settle(void *order, struct pv_open_part *out) {
  struct dfs *d = order;
  struct settling x = {.d = d};
  if (d->given || d->s->visits_all || d->s->task->limits->depth || d->height > MOST_SETTLED)
    return false;
  for_frames(d, collect_frame, &x);
  uint32_t n = x.frames.n;
  struct leaves *leaves = pv_alloc((n + 1) * sizeof *leaves);
  for (uint32_t i = n; i-- > 0;) {
    uint32_t state = x.frames.at[i].visit.state;
    leaves[i].settled = settle_frame(d, x.frames.at[i], i, &leaves[i]);
    if (is_on_stack(d, state)) d->on_stack.at[state / 64] &= ~(UINT64_C(1) << state % 64);
  }
  open_settled(&x, leaves, out);
  out->circular = out->sleeping.n && d->is_cyclic;
  for (uint32_t i = 0; i < n; i++) {
    pv_vec_free(&leaves[i].prefixes);
    pv_vec_free(&leaves[i].sleeping);
  }
  free(leaves);
  pv_vec_free(&x.frames);
  return true;
}

static void write_frame(void *user, const struct frame *f) {
  struct pv_str *out = user;
  const uint64_t words[] = {f->visit.state, f->visit.todo,  f->visit.sleep_set,
                            f->visit.rest,  f->pass,        f->thread + UINT64_C(1),
                            f->alternative, f->alternatives};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    pv_put_number(out, i == 5 ? words[i] & UINT32_MAX : words[i]);
}

/* Frames that were not on top since they were written are not written again. */
static void dfs_write(void *order, bool more, struct pv_str *out) {
  struct dfs *d = order;
  uint64_t first = more && d->lowest ? d->lowest - 1 : 0;
  pv_put_number(out, d->is_cyclic);
  if (!more) {
    pv_put_number(out, d->depth.n);
    for (uint32_t i = 0; i < d->depth.n; i++) pv_put_number(out, d->depth.at[i]);
  }
  pv_put_number(out, first);
  pv_put_number(out, d->height - first);
  for_frames_from(d, first, write_frame, out);
  d->lowest = d->height;
}

static bool dfs_read(void *order, bool whole, struct pv_bytes *in) {
  struct dfs *d = order;
  uint64_t states = pv_space_states(&d->s->space);
  d->is_cyclic = pv_take_up_to(in, 1);
  for (uint32_t n = whole ? pv_take_count(in) : 0; n && !in->wrong; n--)
    pv_vec_push(&d->depth, (uint32_t)pv_take_up_to(in, UINT32_MAX));
  uint64_t first = pv_take_up_to(in, d->height);
  while (d->height > first) pop(d);
  for (uint32_t n = pv_take_count(in); n && !in->wrong; n--) {
    struct frame f = {.visit = {.state = (uint32_t)pv_take_up_to(in, states - 1)}};
    f.visit.todo = pv_take_number(in);
    f.visit.sleep_set = pv_take_number(in);
    f.visit.rest = pv_take_number(in);
    f.pass = pv_take_number(in);
    f.thread = (uint32_t)pv_take_up_to(in, UINT32_MAX) - 1;
    f.alternative = (uint16_t)pv_take_up_to(in, UINT16_MAX);
    f.alternatives = (uint16_t)pv_take_up_to(in, UINT16_MAX);
    for (unsigned h = 0; h < 2; h++) f.visit.mark.half[h].epoch = UINT32_MAX; /* of no journal */
    push(d, &f);
  }
  d->lowest = d->height;
  return states && !in->wrong;
}

/* The prefix's last choice, from the state on the stack below it. false: it cannot be made. */
static bool follow_choice(struct dfs *d, const struct pv_prefix *x) {
  struct pv_search *s = d->s;
  bool is_new, back;
  while (d->height > x->depth) pop(d);
  struct frame *f = top(d);
  f->thread = x->choice.thread;
  f->alternative = f->alternatives = (uint16_t)(x->choice.alternative + 1);
  pv_space_back(&s->space, f->visit.state, &f->visit.mark);
  pv_moves_find(s->cache, &s->moves);
  bool able =
      x->choice.thread < PV_MAX_THREADS && (s->moves.able & PV_THREAD_BIT(x->choice.thread));
  if (!able || x->choice.alternative >= s->moves.alternatives[x->choice.thread]) return false;
  if (pv_space_step(&s->space, x->choice.thread, x->choice.alternative, &back) != PV_RAN)
    return false;
  uint32_t state = pv_space_find(&s->space, &is_new);
  pv_space_enter(&s->space);
  struct frame path = {.visit = {.state = state, .mark = pv_space_mark(&s->space)},
                       .thread = PV_NO_THREAD};
  push(d, &path);
  return true;
}

/* Threads all of whose alternatives are asleep. */
static pv_threads sleep_set_of(const struct pv_open_part *p, uint32_t first, uint32_t n) {
  pv_threads set = 0;
  for (uint32_t i = first; i < first + n; i++) {
    const struct pv_choice *c = &p->sleeping.at[i];
    if (c->thread < PV_MAX_THREADS && c->alternative == PV_EVERY_ALTERNATIVE)
      set |= PV_THREAD_BIT(c->thread);
  }
  return set;
}

/* Explores what is open in the top frame, and leaves the frame on the stack. */
static void explore_top(struct dfs *d) {
  struct frame path = *top(d);
  run(d, d->height - 1);
  if (d->s->stop) return;
  path.visit.todo = 0;
  path.thread = PV_NO_THREAD;
  path.alternative = path.alternatives = 0;
  push(d, &path);
}

/* Explores what continues the prefixes. A prefix that cannot be followed is a prefix of no
 * execution of this machine; then all executions are explored. */
static bool run_prefixes(struct dfs *d, const struct pv_open_part *p) {
  struct pv_search *s = d->s;
  uint32_t sleeping = 0;
  for (uint32_t i = 0; i < p->prefixes.n && !s->stop; i++) {
    const struct pv_prefix *x = &p->prefixes.at[i];
    d->next_given = i + 1;
    if (i && !follow_choice(d, x)) return false;
    pv_threads sleep_set = s->sleep ? sleep_set_of(p, sleeping, x->sleeping) : 0;
    sleeping += x->sleeping;
    if (!x->is_open) continue;
    struct pv_visit *visit = &top(d)->visit;
    pv_space_back(&s->space, visit->state, &visit->mark);
    if (!pv_search_was_visited(s, visit->state)) {
      struct pv_visit first = pv_search_first_visit(s, sleep_set);
      top(d)->visit = first;
    } else if (!pv_search_visit_again(s, visit->state, sleep_set, visit)) {
      continue;
    }
    explore_top(d);
  }
  return true;
}

/* The same from the initial state, which is the current one and was saved. */
static bool run_given(struct dfs *d, const struct pv_open_part *p) {
  struct pv_search *s = d->s;
  struct frame root = {.visit = {.state = s->space.at, .mark = pv_space_mark(&s->space)},
                       .thread = PV_NO_THREAD};
  s->keeps_visits = true;
  s->write = NULL; /* the state does not have the prefixes */
  d->given = p;
  push(d, &root);
  return run_prefixes(d, p);
}

void pv_search_dfs(struct pv_search *s) {
  struct dfs d = {.s = s};
  bool is_new;
  s->trace = dfs_trace;
  s->order = &d;
  s->open = dfs_open;
  s->write = dfs_write;
  s->settle = dfs_settle;
  const struct pv_open_part *given = pv_search_given(s);
  if (pv_search_continue(s, dfs_read)) {
    run(&d, 0);
  } else {
    pv_space_start(&s->space);
    pv_space_save(&s->space, &is_new);
    if (!given || !run_given(&d, given)) {
      s->visits_all = given != NULL;
      d.given = NULL;
      while (d.height) pop(&d);
      if (given) pv_space_back(&s->space, 0, NULL);
      push_first(&d, 0);
      run(&d, 0);
    }
  }
  pv_search_count(s);
  pv_search_leave_open(s);
  pv_pack_free(&d.below);
  pv_vec_free(&d.on_stack);
  pv_vec_free(&d.depth);
}
