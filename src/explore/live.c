#include "explore/live.h"

#include <stdlib.h>
#include <string.h>

#include "explore/lasso.h"
#include "explore/live_graph.h"
#include "explore/live_nested.h"
#include "explore/replay.h"
#include "ltl/automaton.h"

#define CLOSED UINT32_MAX /* the order of a node whose component was left */

/* What was passed: marks of the automaton, and threads that moved or could not. */
struct passed {
  uint64_t marks;
  pv_threads threads;
};
/* Node (s, q) of the product has the number s * states of the automaton + q. */
struct frame {
  uint32_t node, edge, step; /* the next edge of s, and transition of q, to look at */
  struct passed arc;         /* on the way to it */
};
struct root { /* a component of the path, so far */
  uint32_t order;
  struct passed in, arc; /* inside of it; on the arc that leads to it */
};
struct arc {
  uint32_t edge; /* of the graph */
  uint32_t to;
  struct passed passed;
};
struct live {
  struct pv_search *s;
  struct pv_live *graph;
  const struct pv_claim *claim, *first; /* first: of all */
  struct pv_labels labels;
  struct pv_buchi a;
  bool fair;
  PV_VEC(uint32_t) order; /* by node; 0: not visited */
  uint32_t visited;
  PV_VEC(struct frame) path;
  PV_VEC(struct root) roots;
  PV_VEC(uint32_t) open; /* nodes of components that are not left, in their order */
};

static uint32_t state_of(const struct live *l, uint32_t node) {
  return node / l->a.state.n;
}

static uint32_t order_of(const struct live *l, uint32_t node) {
  return node < l->order.n ? l->order.at[node] : 0;
}

static struct passed sum(struct passed a, struct passed b) {
  return (struct passed){a.marks | b.marks, a.threads | b.threads};
}

static bool is_accepting(const struct live *l, struct passed p) {
  return p.marks == pv_buchi_all(&l->a) && (!l->fair || p.threads == UINT64_MAX);
}

/* The next arc from the frame's node. */
static bool next_arc(const struct live *l, struct frame *f, struct arc *out) {
  uint32_t q = f->node % l->a.state.n;
  const struct pv_live_state *x = &l->graph->state.at[state_of(l, f->node)];
  const struct pv_buchi_state *from = &l->a.state.at[q];
  for (; f->edge < x->n; f->edge++, f->step = 0)
    while (f->step < from->out.n) {
      const struct pv_buchi_transition *t = &from->out.at[f->step++];
      if (!pv_label_has(&l->labels, t->label, x->letter)) continue;
      const struct pv_live_edge *e = &l->graph->edge.at[x->first + f->edge];
      pv_threads moved = e->thread == PV_LIVE_STAYS ? 0 : PV_THREAD_BIT(e->thread);
      *out = (struct arc){
          x->first + f->edge, e->to * l->a.state.n + t->to, {t->marks, moved | ~x->able}};
      return true;
    }
  return false;
}

static void enter(struct live *l, uint32_t node, struct passed arc) {
  uint32_t state = state_of(l, node);
  if (!l->graph->state.at[state].expanded) pv_live_expand(l->graph, state);
  while (l->order.n <= node) pv_vec_push(&l->order, 0);
  l->order.at[node] = ++l->visited;
  struct frame f = {.node = node, .arc = arc};
  struct root r = {.order = l->visited, .arc = arc};
  pv_vec_push(&l->path, f);
  pv_vec_push(&l->roots, r);
  pv_vec_push(&l->open, node);
  struct pv_stats *stats = &l->s->result->stats;
  if (l->path.n > stats->depth) stats->depth = l->path.n;
}

static void leave(struct live *l) {
  uint32_t node = pv_vec_last(&l->path).node;
  l->path.n--;
  if (pv_vec_last(&l->roots).order != l->order.at[node]) return;
  l->roots.n--;
  uint32_t member;
  do {
    member = pv_vec_pop(&l->open);
    l->order.at[member] = CLOSED;
  } while (member != node);
}

/* An arc leads back to a node of the path's components: those from it on become one. */
static void close_cycle(struct live *l, const struct arc *a) {
  struct passed in = a->passed;
  while (pv_vec_last(&l->roots).order > l->order.at[a->to]) {
    struct root r = pv_vec_pop(&l->roots);
    in = sum(in, sum(r.in, r.arc));
  }
  pv_vec_last(&l->roots).in = sum(pv_vec_last(&l->roots).in, in);
}

/* ---- the lasso --------------------------------------------------------------------------------
 */
struct lasso {
  PV_VEC(uint32_t) edge; /* of the graph */
  uint32_t loop;         /* index of the first edge of the loop */
};

struct tree { /* of a breadth-first search */
  PV_VEC(uint32_t) node, parent, edge;
  struct pv_map known;
};

static void plant(struct tree *t, uint32_t node, uint32_t parent, uint32_t edge) {
  bool is_new;
  pv_map_put(&t->known, &node, sizeof node, 0, &is_new);
  if (!is_new) return;
  pv_vec_push(&t->node, node);
  pv_vec_push(&t->parent, parent);
  pv_vec_push(&t->edge, edge);
}

static void fell(struct tree *t) {
  pv_vec_free(&t->node);
  pv_vec_free(&t->parent);
  pv_vec_free(&t->edge);
  pv_map_free(&t->known);
}

/* Appends the edges from the root of the tree to its i-th node, and one more. */
static void add_branch(const struct tree *t, uint32_t i, uint32_t last, struct lasso *out) {
  uint32_t from = out->edge.n, depth = 0;
  for (uint32_t k = i; k; k = t->parent.at[k]) depth++;
  for (uint32_t k = 0; k < depth; k++) pv_vec_push(&out->edge, 0);
  for (uint32_t k = i; k; k = t->parent.at[k]) out->edge.at[from + --depth] = t->edge.at[k];
  pv_vec_push(&out->edge, last);
}

/* Walks from *at to the nearest arc, inside of the component of the last root or on the way to it,
 * that passes something in `wanted`, or leads to `goal`. */
struct walk {
  uint32_t low;         /* only nodes of this order or higher; 0: all that were visited */
  struct passed wanted; /* an arc that passes some of this */
  uint32_t goal;        /* or leads there; UINT32_MAX: none */
  bool any;             /* or leads to a node of the component */
};

static bool is_goal(const struct live *l, const struct walk *w, const struct arc *a) {
  uint32_t order = l->order.at[a->to];
  bool in = order != CLOSED && order >= pv_vec_last(&l->roots).order;
  return a->to == w->goal || (a->passed.marks & w->wanted.marks) ||
         (a->passed.threads & w->wanted.threads) || (w->any && in);
}

static struct passed walk(const struct live *l, uint32_t *at, const struct walk *w,
                          struct lasso *out) {
  struct tree t = {0};
  struct passed passed = {0};
  plant(&t, *at, 0, 0);
  for (uint32_t i = 0; i < t.node.n; i++) {
    struct frame f = {.node = t.node.at[i]};
    struct arc a;
    while (next_arc(l, &f, &a)) {
      uint32_t order = order_of(l, a.to);
      if (!order || (w->low && (order == CLOSED || order < w->low))) continue;
      if (!is_goal(l, w, &a)) {
        plant(&t, a.to, i, a.edge);
        continue;
      }
      add_branch(&t, i, a.edge, out);
      *at = a.to;
      fell(&t);
      return a.passed;
    }
  }
  fell(&t);
  PV_REQUIRE(false, "a component is strongly connected");
  return passed;
}

/* A shortest way to the accepting component, and a way around in it that passes everything. */
static void find_lasso(const struct live *l, struct lasso *out) {
  uint32_t low = pv_vec_last(&l->roots).order, at = l->a.initial;
  bool there = low <= l->order.at[at] && l->order.at[at] != CLOSED;
  struct walk to = {.goal = UINT32_MAX, .any = true};
  if (!there) walk(l, &at, &to, out);
  out->loop = out->edge.n;
  uint32_t begin = at;
  struct passed left = {pv_buchi_all(&l->a), l->fair ? UINT64_MAX : 0};
  while (left.marks || left.threads) {
    struct walk next = {.low = low, .wanted = left, .goal = UINT32_MAX};
    struct passed p = walk(l, &at, &next, out);
    left.marks &= ~p.marks;
    left.threads &= ~p.threads;
  }
  struct walk home = {.low = low, .goal = begin};
  if (at != begin || out->edge.n == out->loop) walk(l, &at, &home, out);
}

/* Takes the choices and the loop. */
static void report(struct live *l, struct pv_error_path *path) {
  struct pv_search *s = l->s;
  path->is_lasso = true;
  struct pv_str message = {0};
  pv_claim_message(l->claim, &message);
  struct pv_error_key wanted = {l->claim->property, 0, pv_str_cstr(&message)};
  struct pv_violation v = {0};
  pv_replay_path(s->task, path, &wanted, &v);
  if (!v.replayed) {
    pv_violation_clear(&v);
    v = (struct pv_violation){.property = l->claim->property,
                              .message = pv_strdup(pv_str_cstr(&message))};
  }
  pv_vec_push(&s->result->violations, v);
  pv_str_free(&message);
  pv_vec_free(&path->choices);
}

static void report_component(struct live *l) {
  struct lasso lasso = {0};
  struct pv_error_path path = {0};
  find_lasso(l, &lasso);
  for (uint32_t i = 0; i < lasso.edge.n; i++) {
    const struct pv_live_edge *e = &l->graph->edge.at[lasso.edge.at[i]];
    if (i == lasso.loop) path.loop = path.choices.n;
    struct pv_choice c = {e->thread, e->alternative};
    if (e->thread != PV_LIVE_STAYS) pv_vec_push(&path.choices, c);
  }
  pv_vec_free(&lasso.edge);
  report(l, &path);
}

/* ---- the search -------------------------------------------------------------------------------
 */
static void search(struct live *l) {
  struct pv_search *s = l->s;
  enter(l, l->a.initial, (struct passed){0});
  while (l->path.n && !s->stop) {
    struct arc a;
    if (pv_search_limit(s, l->path.n)) break;
    pv_search_progress(s);
    if (!next_arc(l, &pv_vec_last(&l->path), &a)) {
      leave(l);
      continue;
    }
    uint32_t order = order_of(l, a.to);
    if (!order) {
      enter(l, a.to, a.passed);
    } else if (order != CLOSED) {
      close_cycle(l, &a);
      if (!is_accepting(l, pv_vec_last(&l->roots).in)) continue;
      report_component(l);
      return;
    }
  }
}

static void search_nested(struct live *l) {
  struct pv_error_path path = {0};
  struct pv_nested n = {
      .graph = l->graph, .a = &l->a, .labels = &l->labels, .fair = l->fair, .found = &path};
  n.number = (uint32_t)(l->claim - l->first);
  if (pv_live_nested(&n)) report(l, &path);
}

static void check_claim(struct live *l, struct pv_ltl_spec *spec) {
  struct pv_search *s = l->s;
  pv_formula negation = pv_ltl_not(&spec->ltl, l->claim->formula);
  pv_labels_init(&l->labels);
  if (pv_ltl_buchi(&spec->ltl, &l->labels, negation, false, &l->a) == PV_OK) {
    if (s->space.visited)
      search_nested(l);
    else
      search(l);
    s->result->stats.product_states += l->visited;
    pv_buchi_clear(&l->a);
  } else {
    enum pv_limit hit = s->task->limits->hit;
    pv_condition_add(&s->result->condition, PV_PROVISO_ENGINE, NULL, 0,
                     hit == PV_LIMIT_NONE
                         ? "every execution satisfies `%s`, whose automaton is too large"
                         : "every execution satisfies `%s`, whose automaton was not complete when "
                           "a limit was reached (%s)",
                     l->claim->text, pv_limit_name(hit));
  }
  pv_labels_free(&l->labels);
  pv_vec_free(&l->order);
  pv_vec_free(&l->path);
  pv_vec_free(&l->roots);
  pv_vec_free(&l->open);
}

void pv_search_live(struct pv_search *s) {
  struct pv_ltl_spec spec;
  struct pv_str err = {0};
  struct pv_live graph;
  pv_ltl_spec_read(s->task->options, &spec, &err); /* it was read before */
  spec.ltl.budget.limits = s->task->limits;
  pv_str_free(&err);
  pv_live_init(&graph, s, &spec);
  for (uint32_t i = 0; i < spec.claim.n && !s->stop; i++) {
    const struct pv_claim *c = &spec.claim.at[i];
    if (!(s->task->properties & PV_PROP_BIT(c->property))) continue;
    struct live l = {.s = s, .graph = &graph, .claim = c, .first = spec.claim.at, .fair = c->fair};
    check_claim(&l, &spec);
    if (s->result->violations.n && !s->task->options->keep_going) break;
  }
  bool starves = s->task->properties & PV_PROP_BIT(PV_PROP_STARVATION_FREE);
  if (starves && pv_vm_threads(s->vm) > PV_STARVING_THREADS)
    pv_condition_add(&s->result->condition, PV_PROVISO_ENGINE, NULL, 0,
                     "no thread with a number above %d starves", PV_STARVING_THREADS - 1);
  pv_search_count(s);
  if (s->space.visited) s->result->stats.states = s->result->stats.product_states;
  pv_live_free(&graph);
  pv_ltl_spec_clear(&spec);
}
