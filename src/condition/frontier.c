#include "condition/frontier.h"

#include <stdlib.h>

/* Is it to be explored in any case? */
static bool is_work(const struct pv_prefix *x) {
  return x->is_open && !x->is_deferred;
}

uint32_t pv_frontier_size(const struct pv_open_part *f) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < f->prefixes.n; i++) n += is_work(&f->prefixes.at[i]);
  return n;
}

/* ---- cutting --------------------------------------------------------------------------------- */
struct piece {
  uint32_t prefix;
  double size; /* an estimate: of the executions that continue it */
};

static int by_size(const void *a, const void *b) {
  const struct piece *x = a, *y = b;
  if (x->size > y->size || x->size < y->size) return x->size > y->size ? -1 : 1;
  return x->prefix < y->prefix ? -1 : 1;
}

/* How much continues a prefix: half of what continues the nearest open one above it, and the less
 * the more of its transitions are asleep. */
static double estimate(const struct pv_prefix *x, uint32_t above) {
  enum { SMALLEST = 40 };
  uint64_t halves = UINT64_C(1) << (above < SMALLEST ? above : SMALLEST);
  return 1.0 / (double)halves / (1 + x->sleeping);
}

/* The open prefixes, the largest ones first. Returns their number. */
static uint32_t find_pieces(const struct pv_open_part *f, struct piece *out) {
  uint32_t n = 0, *above = pv_alloc((f->prefixes.n + 1) * sizeof *above); /* by depth */
  for (uint32_t i = 0; i < f->prefixes.n; i++) {
    const struct pv_prefix *x = &f->prefixes.at[i];
    if (is_work(x)) out[n++] = (struct piece){i, estimate(x, above[x->depth])};
    above[x->depth + 1] = above[x->depth] + is_work(x);
  }
  free(above);
  qsort(out, n, sizeof *out, by_size);
  return n;
}

/* Stores the owner of each prefix. Each piece goes to the part with the smallest load. */
static void distribute(const struct pv_open_part *f, uint32_t n, uint32_t *owner) {
  struct piece *pieces = pv_alloc((f->prefixes.n + 1) * sizeof *pieces);
  double *load = pv_alloc(n * sizeof *load);
  uint32_t count = find_pieces(f, pieces);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t least = 0;
    for (uint32_t p = 1; p < n; p++)
      if (load[p] < load[least]) least = p;
    load[least] += pieces[i].size;
    owner[pieces[i].prefix] = least;
  }
  free(pieces);
  free(load);
}

/* The prefixes that part p owns, and those above them. */
static void take(const struct pv_open_part *f, uint32_t p, const uint32_t *owner,
                 struct pv_open_part *out) {
  uint32_t n = f->prefixes.n, sleeping = 0;
  uint8_t *wanted = pv_alloc(n + 1), *below = pv_alloc(n + 2); /* below: by depth */
  for (uint32_t i = n; i-- > 0;) {
    const struct pv_prefix *x = &f->prefixes.at[i];
    wanted[i] = (is_work(x) && owner[i] == p) || below[x->depth + 1];
    below[x->depth + 1] = 0;
    below[x->depth] |= wanted[i];
  }
  for (uint32_t i = 0; i < n; i++) {
    struct pv_prefix x = f->prefixes.at[i];
    uint32_t first = sleeping;
    sleeping += x.sleeping;
    if (!wanted[i]) continue;
    if (!x.is_open || (owner[i] != p && !x.is_deferred)) x.is_open = x.is_deferred = x.sleeping = 0;
    for (uint32_t k = 0; k < x.sleeping; k++)
      pv_vec_push(&out->sleeping, f->sleeping.at[first + k]);
    pv_vec_push(&out->prefixes, x);
  }
  free(wanted);
  free(below);
}

void pv_frontier_cut(const struct pv_open_part *f, uint32_t n, struct pv_open_part *parts) {
  uint32_t *owner = pv_alloc((f->prefixes.n + 1) * sizeof *owner);
  distribute(f, n, owner);
  for (uint32_t p = 0; p < n; p++) {
    parts[p].kind = PV_OPEN_FRONTIER;
    parts[p].circular = f->circular;
    take(f, p, owner, &parts[p]);
  }
  free(owner);
}

void pv_frontier_keep(const struct pv_open_part *f, const uint8_t *keep, struct pv_open_part *out) {
  uint32_t *owner = pv_alloc((f->prefixes.n + 1) * sizeof *owner);
  struct pv_open_part all = {.sleeping = f->sleeping}; /* borrowed */
  for (uint32_t i = 0; i < f->prefixes.n; i++) {
    owner[i] = !keep[i];
    pv_vec_push(&all.prefixes, f->prefixes.at[i]);
    all.prefixes.at[i].is_deferred = 0;
  }
  out->kind = PV_OPEN_FRONTIER;
  out->circular = f->circular;
  take(&all, 0, owner, out);
  pv_vec_free(&all.prefixes);
  free(owner);
}

/* ---- uniting --------------------------------------------------------------------------------- */
/* A tree of prefixes. Node 0 is the root; 0 also ends lists. */
struct node {
  struct pv_choice choice;
  uint32_t first, last, next; /* children, in order; next sibling */
  uint32_t is_open, is_deferred;
  uint32_t asleep, n; /* its sleep set: a slice of tree->sleeping */
};
struct tree {
  PV_VEC(struct node) nodes;
  PV_VEC(struct pv_choice) sleeping;
  struct pv_map children; /* by parent and choice */
};

static uint32_t child(struct tree *t, uint32_t parent, struct pv_choice c) {
  const uint32_t key[3] = {parent, c.thread, c.alternative};
  bool is_new;
  uint32_t node = *pv_map_put(&t->children, key, sizeof key, t->nodes.n, &is_new);
  if (!is_new) return node;
  pv_vec_push(&t->nodes, ((struct node){.choice = c}));
  struct node *p = &t->nodes.at[parent];
  if (p->last)
    t->nodes.at[p->last].next = node;
  else
    p->first = node;
  p->last = node;
  return node;
}

static bool is_asleep(const struct pv_choice *set, uint32_t n, struct pv_choice c) {
  for (uint32_t i = 0; i < n; i++)
    if (set[i].thread == c.thread &&
        (set[i].alternative == c.alternative || set[i].alternative == PV_EVERY_ALTERNATIVE))
      return true;
  return false;
}

/* Leaves asleep what is asleep in both sets. */
static void intersect(struct tree *t, struct node *x, const struct pv_choice *set, uint32_t n) {
  uint32_t first = t->sleeping.n, was = x->asleep, of = x->n;
  pv_vec_reserve(&t->sleeping, first + of + n);
  for (uint32_t i = 0; i < of; i++)
    if (is_asleep(set, n, t->sleeping.at[was + i]))
      t->sleeping.at[t->sleeping.n++] = t->sleeping.at[was + i];
  for (uint32_t i = 0; i < n; i++)
    if (is_asleep(t->sleeping.at + was, of, set[i]) &&
        !is_asleep(t->sleeping.at + first, t->sleeping.n - first, set[i]))
      t->sleeping.at[t->sleeping.n++] = set[i];
  x->asleep = first;
  x->n = t->sleeping.n - first;
}

static void open_node(struct tree *t, uint32_t node, uint32_t is_deferred,
                      const struct pv_choice *set, uint32_t n) {
  struct node *x = &t->nodes.at[node];
  if (x->is_open) {
    x->is_deferred &= is_deferred;
    intersect(t, x, set, n);
    return;
  }
  x->is_open = 1;
  x->is_deferred = is_deferred;
  x->asleep = t->sleeping.n;
  x->n = n;
  for (uint32_t i = 0; i < n; i++) pv_vec_push(&t->sleeping, set[i]);
}

static void grow(struct tree *t, const struct pv_open_part *f) {
  uint32_t sleeping = 0, *path = pv_alloc((f->prefixes.n + 1) * sizeof *path); /* by depth */
  for (uint32_t i = 0; i < f->prefixes.n; i++) {
    const struct pv_prefix *x = &f->prefixes.at[i];
    path[x->depth] = x->depth ? child(t, path[x->depth - 1], x->choice) : 0;
    if (x->is_open)
      open_node(t, path[x->depth], x->is_deferred, f->sleeping.at + sleeping, x->sleeping);
    sleeping += x->sleeping;
  }
  free(path);
}

/* Is something open, and not deferred, at the node or below it? Children come after their parents.
 */
static uint8_t *find_wanted(const struct tree *t) {
  uint8_t *wanted = pv_alloc(t->nodes.n + 1);
  for (uint32_t i = t->nodes.n; i-- > 0;) {
    const struct node *x = &t->nodes.at[i];
    wanted[i] = x->is_open && !x->is_deferred;
    for (uint32_t c = x->first; c && !wanted[i]; c = t->nodes.at[c].next) wanted[i] = wanted[c];
  }
  return wanted;
}

static void print_node(const struct tree *t, const struct node *x, uint32_t depth,
                       struct pv_open_part *out) {
  struct pv_prefix p = {.depth = depth,
                        .choice = x->choice,
                        .is_open = x->is_open,
                        .is_deferred = x->is_deferred,
                        .sleeping = x->n};
  for (uint32_t i = 0; i < x->n; i++) pv_vec_push(&out->sleeping, t->sleeping.at[x->asleep + i]);
  pv_vec_push(&out->prefixes, p);
}

static void print_tree(const struct tree *t, struct pv_open_part *out) {
  uint8_t *wanted = find_wanted(t);
  PV_VEC(uint32_t) path = {0}; /* the nodes above the next one, by depth, and this one */
  out->prefixes.n = out->sleeping.n = 0;
  if (wanted[0]) pv_vec_push(&path, 0);
  while (path.n) {
    const struct node *x = &t->nodes.at[pv_vec_last(&path)];
    uint32_t next = 0;
    if (wanted[pv_vec_last(&path)]) print_node(t, x, path.n - 1, out);
    bool covers = x->is_open && !x->is_deferred && !x->n; /* all that is below */
    if (wanted[pv_vec_last(&path)] && !covers) next = x->first;
    while (!next && path.n) next = t->nodes.at[pv_vec_pop(&path)].next;
    if (next) pv_vec_push(&path, next);
  }
  pv_vec_free(&path);
  free(wanted);
}

void pv_frontier_unite(struct pv_open_part *to, const struct pv_open_part *from) {
  struct tree t = {0};
  pv_vec_push(&t.nodes, ((struct node){0}));
  grow(&t, to);
  grow(&t, from);
  to->kind = PV_OPEN_FRONTIER;
  to->circular |= from->circular;
  print_tree(&t, to);
  pv_vec_free(&t.nodes);
  pv_vec_free(&t.sleeping);
  pv_map_free(&t.children);
}
