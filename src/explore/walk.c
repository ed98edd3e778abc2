/* walk.c -- searches that go from state to state: greedy and walk.
 *
 *  - greedy (hill climbing): expands a state and continues with the successor of the smallest
 *    estimate that was not expanded yet; ties are broken at random. If there is none, it continues
 *    with a random state among those that wait. So it ends when breadth-first search does, with the
 *    same states (best.c explains why persistent sets are used and sleep sets are not).
 *  - walk (West, "Protocol validation by random state exploration", PSTV 1986): in each step draws
 *    a thread, then one of its alternatives. Walks begin in the initial state. They end with the
 *    path, or after a number of transitions that follows Luby's sequence (Luby, Sinclair,
 *    Zuckerman, "Optimal speedup of Las Vegas algorithms", 1993), because the depth of errors is
 *    not known. There is no reduction, which could make the path to an error less likely. If every
 *    choice of every state was taken, the exploration is complete. If nothing new was found for a
 *    long time, it gives up with a proviso. */
#include <stdlib.h>

#include "base/random.h"
#include "explore/guide.h"
#include "explore/tree.h"

/* ---- greedy ---------------------------------------------------------------------------------- */
struct greedy {
  struct pv_search *s;
  struct pv_guide *guide;
  struct pv_tree tree;
  PV_VEC(uint32_t) estimate; /* by state */
  PV_VEC(uint8_t) expanded;  /* by state */
  PV_VEC(uint32_t) waiting;  /* waiting states; some may have been expanded since */
  uint64_t unexpanded;
  uint32_t at;
  struct { /* the nearest successor so far; ties at random */
    uint32_t state, estimate, equals;
  } next;
};

static void greedy_trace(void *order) {
  struct greedy *g = order;
  pv_tree_path(&g->tree, g->at, g->s);
}

static void greedy_add(struct greedy *g, uint32_t state) {
  pv_vec_push(&g->estimate, pv_guide_estimate(g->guide));
  pv_vec_push(&g->expanded, 0);
  pv_vec_push(&g->waiting, state);
  g->unexpanded++;
}

/* If the state was cut off by the depth limit and is now reached by a shorter path, it and its
 * successors become reachable again. */
static void come_nearer(struct greedy *g, uint32_t state, struct pv_choice c) {
  if (!g->s->task->limits->depth || !pv_tree_shorten(&g->tree, state, g->at, c)) return;
  if (!g->expanded.at[state]) return;
  g->expanded.at[state] = 0;
  pv_vec_push(&g->waiting, state);
  g->unexpanded++;
}

static void greedy_arrive(void *order, struct pv_choice c, uint32_t state, bool is_new,
                          pv_threads sleep_set) {
  struct greedy *g = order;
  (void)sleep_set;
  if (is_new) {
    pv_tree_add(&g->tree, g->at, c);
    greedy_add(g, state);
  } else {
    g->s->result->stats.matched++;
    come_nearer(g, state, c);
  }
  uint32_t estimate = g->estimate.at[state];
  if (g->expanded.at[state] || (g->next.equals && estimate > g->next.estimate)) return;
  if (!g->next.equals || estimate < g->next.estimate) g->next.equals = 0;
  if (pv_random_below(&g->s->lot, ++g->next.equals)) return;
  g->next.state = state;
  g->next.estimate = estimate;
}

static void greedy_expand(struct greedy *g, uint32_t state) {
  struct pv_search *s = g->s;
  uint64_t depth = g->tree.nodes.at[state].depth;
  g->expanded.at[state] = 1;
  g->unexpanded--;
  g->next.equals = 0;
  g->at = state;
  if (s->task->limits->depth && depth >= s->task->limits->depth) {
    pv_search_depth_cut(s);
    return;
  }
  if (depth > s->result->stats.depth) s->result->stats.depth = depth;
  pv_space_back(&s->space, state, NULL);
  struct pv_visit v = pv_search_first_visit(s, 0);
  pv_search_explore(s, &v, greedy_arrive);
}

/* Draws a waiting state; there must be one. */
static uint32_t draw_waiting(struct greedy *g) {
  for (;;) {
    uint32_t i = pv_random_below(&g->s->lot, g->waiting.n), state = g->waiting.at[i];
    if (!g->expanded.at[state]) return state;
    g->waiting.at[i] = pv_vec_last(&g->waiting);
    g->waiting.n--;
  }
}

void pv_search_greedy(struct pv_search *s, struct pv_guide *guide) {
  struct greedy g = {.s = s, .guide = guide};
  bool is_new;
  s->trace = greedy_trace;
  s->order = &g;
  pv_space_start(&s->space);
  pv_space_save(&s->space, &is_new);
  pv_tree_begin(&g.tree);
  greedy_add(&g, 0);
  while (g.unexpanded && !s->stop) {
    if (pv_search_limit(s, g.unexpanded)) break;
    pv_search_progress(s);
    greedy_expand(&g, g.next.equals ? g.next.state : draw_waiting(&g));
  }
  pv_search_count(s);
  pv_tree_free(&g.tree, s);
  pv_vec_free(&g.estimate);
  pv_vec_free(&g.expanded);
  pv_vec_free(&g.waiting);
}

/* ---- walk ------------------------------------------------------------------------------------ */
enum {
  SHORT = 256,               /* number of transitions of a short walk */
  MIN_WITHOUT_NEWS = 100000, /* at least so many transitions without anything new */
  CHOICES = 64               /* number of choices of a state that are distinguished */
};

enum { NEW, VISITED, DONE };

struct walk {
  struct pv_search *s;
  PV_VEC(uint64_t) taken; /* by state: the set of choices that were taken */
  PV_VEC(uint8_t) known;  /* by state; DONE: all its choices were taken */
  PV_VEC(struct pv_choice) path;
  uint64_t done;  /* number of states with status DONE */
  uint64_t fresh; /* number of transitions when something new was found last */
  uint64_t walks;
  bool is_cut; /* some walks ended at the depth limit */
};

static void walk_trace(void *order) {
  struct walk *w = order;
  w->s->path.n = 0;
  for (uint32_t i = 0; i < w->path.n; i++) pv_vec_push(&w->s->path, w->path.at[i]);
}

static unsigned alternatives_of(const struct pv_moves *m) {
  unsigned n = 0;
  PV_FOR_THREADS(t, m->able) n += m->alternatives[t];
  return n;
}

/* Records that the choice was taken in the state. */
static void note_taken(struct walk *w, uint32_t state, struct pv_choice c) {
  const struct pv_moves *m = &w->s->moves;
  unsigned n = alternatives_of(m), i = c.alternative;
  PV_FOR_THREADS(t, m->able & (PV_THREAD_BIT(c.thread) - 1)) i += m->alternatives[t];
  if (n > CHOICES || w->taken.at[state] >> i & 1) return;
  w->taken.at[state] |= UINT64_C(1) << i;
  w->fresh = w->s->result->stats.transitions;
  uint64_t all = n == CHOICES ? UINT64_MAX : (UINT64_C(1) << n) - 1;
  if (w->taken.at[state] != all) return;
  w->known.at[state] = DONE;
  w->done++;
}

static void arrive(struct walk *w, uint32_t state, struct pv_visit *v) {
  struct pv_search *s = w->s;
  while (w->known.n <= state) {
    pv_vec_push(&w->known, NEW);
    pv_vec_push(&w->taken, 0);
  }
  *v = (struct pv_visit){.state = state, .mark = pv_space_mark(&s->space)};
  if (w->known.at[state] != NEW) {
    pv_moves_find(s->cache, &s->moves);
    return;
  }
  *v = pv_search_first_visit(s, 0);
  w->known.at[state] = s->moves.able ? VISITED : DONE;
  w->done += !s->moves.able;
  w->fresh = s->result->stats.transitions;
}

static struct pv_choice draw(struct pv_search *s) {
  const struct pv_moves *m = &s->moves;
  pv_threads rest = m->able;
  for (uint32_t i = pv_random_below(&s->lot, (uint32_t)__builtin_popcountll(rest)); i; i--)
    rest &= rest - 1;
  unsigned t = (unsigned)__builtin_ctzll(rest);
  return (struct pv_choice){t, pv_random_below(&s->lot, m->alternatives[t])};
}

static bool gives_up(struct walk *w) {
  uint64_t now = w->s->result->stats.transitions, without_news = w->fresh * 4;
  return now - w->fresh > (without_news > MIN_WITHOUT_NEWS ? without_news : MIN_WITHOUT_NEWS);
}

/* Executes one step from the current state. Returns false if the walk ends. */
static bool walk_on(struct walk *w, uint64_t length) {
  struct pv_search *s = w->s;
  struct pv_visit v;
  bool is_new;
  arrive(w, s->space.at, &v);
  if (w->path.n > s->result->stats.depth) s->result->stats.depth = w->path.n;
  uint64_t depth = s->task->limits->depth;
  w->is_cut |= depth && w->path.n >= depth && s->moves.able;
  if (s->stop || !s->moves.able || w->path.n >= length) return false;
  struct pv_choice c = draw(s);
  note_taken(w, v.state, c);
  v.todo = 0;
  pv_space_back(&s->space, v.state, &v.mark);
  if (pv_search_step(s, &v, c) != PV_RAN) return false;
  pv_vec_push(&w->path, c);
  uint32_t state = pv_space_save(&s->space, &is_new);
  pv_search_arrived(s, &v, c, state, is_new);
  s->result->stats.matched += !is_new;
  return true;
}

static void note_unseen(const struct walk *w) {
  struct pv_search *s = w->s;
  if (s->stop || w->done == pv_space_states(&s->space)) return;
  pv_condition_add(&s->result->condition, PV_PROVISO_SAMPLING, NULL, 0,
                   "no error lies where %llu random walk%s did not go",
                   (unsigned long long)w->walks, w->walks == 1 ? "" : "s");
}

void pv_search_walk(struct pv_search *s) {
  struct walk w = {.s = s};
  uint64_t depth = s->task->limits->depth;
  bool is_new;
  s->trace = walk_trace;
  s->order = &w;
  pv_space_start(&s->space);
  pv_space_save(&s->space, &is_new);
  while (!s->stop && w.done < pv_space_states(&s->space) && !gives_up(&w)) {
    uint64_t length = pv_luby(++w.walks) * SHORT;
    if (depth && depth < length) length = depth;
    w.path.n = 0;
    pv_space_back(&s->space, 0, NULL);
    do {
      if (pv_search_limit(s, pv_space_states(&s->space) - w.done)) break;
      pv_search_progress(s);
    } while (walk_on(&w, length) && !gives_up(&w));
  }
  note_unseen(&w);
  if (w.is_cut) pv_search_depth_cut(s);
  pv_search_count(s);
  pv_vec_free(&w.taken);
  pv_vec_free(&w.known);
  pv_vec_free(&w.path);
}
