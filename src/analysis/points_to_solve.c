/* points_to_solve.c -- computes the least solution of the inclusions, in waves: collapse cycles,
 * propagate new elements in topological order, apply accesses to new objects, and repeat. A wave
 * processes the whole graph. Between two waves, single changes are followed with a queue, for at
 * most the time of a wave, because a chain of loads yields only one new object at a time.
 *
 * Invariant between waves: if some elements of a node were not propagated to its successors, or not
 * applied to its accesses, then the node is in the queue or another wave follows. */
#include "analysis/points_to_internal.h"

/* ---- nodes ----------------------------------------------------------------------------------- */
uint32_t pv_pts_node_new(struct pv_points_to *pt, uint32_t n) {
  uint32_t first = pt->nodes.n;
  for (uint32_t i = 0; i < n; i++) {
    struct pv_pts_node node = {first + i, 0};
    pv_vec_push(&pt->nodes, node);
  }
  return first;
}

uint32_t pv_pts_find(struct pv_points_to *pt, uint32_t node) {
  struct pv_pts_node *nodes = pt->nodes.at;
  while (nodes[node].rep != node) {
    nodes[node].rep = nodes[nodes[node].rep].rep; /* path halving */
    node = nodes[node].rep;
  }
  return node;
}

/* The cell of a representative, created if necessary. Valid until the next one is created. */
static struct pv_pts_cell *cell_of(struct pv_points_to *pt, uint32_t rep) {
  if (!pt->nodes.at[rep].cell) {
    struct pv_pts_cell none = {0};
    pv_vec_push(&pt->cells, none);
    pt->nodes.at[rep].cell = pt->cells.n;
  }
  return &pt->cells.at[pt->nodes.at[rep].cell - 1];
}

const struct pv_pts_set *pv_pts_points(const struct pv_points_to *pt, uint32_t node) {
  static const struct pv_pts_set empty = {0};
  while (pt->nodes.at[node].rep != node) node = pt->nodes.at[node].rep;
  uint32_t cell = pt->nodes.at[node].cell;
  return cell ? &pt->cells.at[cell - 1].points : &empty;
}

uint64_t pv_pts_memory(const struct pv_points_to *pt) {
  return pt->bytes + (uint64_t)pt->nodes.cap * sizeof *pt->nodes.at +
         (uint64_t)pt->cells.cap * sizeof *pt->cells.at +
         (uint64_t)pt->accesses.cap * sizeof *pt->accesses.at +
         (uint64_t)pt->objects.cap * (sizeof *pt->objects.at + 64) +
         (uint64_t)pt->calls.cap * (sizeof *pt->calls.at + 64);
}

void pv_pts_look_at_limits(struct pv_points_to *pt) {
  uint64_t bytes = pv_pts_memory(pt);
  if (bytes > pt->peak) pt->peak = bytes;
  if (pt->steps > pt->limits.steps || bytes > pt->limits.bytes) pt->over = true;
}

static void enqueue(struct pv_points_to *pt, uint32_t rep) {
  struct pv_pts_cell *c = &pt->cells.at[pt->nodes.at[rep].cell - 1];
  if (c->queued) return;
  c->queued = true;
  pv_vec_push(&pt->queue, rep);
}

void pv_pts_add(struct pv_points_to *pt, uint32_t node, uint32_t object) {
  uint32_t rep = pv_pts_find(pt, node);
  if (pv_pts_set_add(&cell_of(pt, rep)->points, object, &pt->bytes)) enqueue(pt, rep);
}

static void unite(struct pv_points_to *pt, uint32_t rep, const struct pv_pts_set *more) {
  if (!more->n) return;
  struct pv_pts_cell *c = cell_of(pt, rep);
  pt->steps += more->n + c->points.n;
  if (pv_pts_set_unite(&c->points, more, &pt->bytes)) enqueue(pt, rep);
}

void pv_pts_include(struct pv_points_to *pt, uint32_t from, uint32_t to) {
  if (!from || !to) return;
  from = pv_pts_find(pt, from);
  to = pv_pts_find(pt, to);
  if (from == to) return;
  cell_of(pt, to); /* first, because creating a cell may move others */
  struct pv_pts_cell *c = cell_of(pt, from);
  pt->steps++;
  if (!pv_pts_set_add(&c->next, to, &pt->bytes)) return;
  pt->inclusions++;
  unite(pt, to, &c->points);
}

void pv_pts_attach(struct pv_points_to *pt, uint32_t node, enum pv_pts_use use,
                   struct pv_pts_value value) {
  if (!node) return;
  uint32_t rep = pv_pts_find(pt, node);
  struct pv_pts_cell *c = cell_of(pt, rep);
  struct pv_pts_access a = {.use = (uint8_t)use, .next = c->access, .value = value};
  pv_vec_push(&pt->accesses, a);
  c->access = pt->accesses.n;
  c->seen.n = 0; /* the new access was applied to nothing yet */
  if (c->points.n) enqueue(pt, rep);
}

/* ---- cycles ---------------------------------------------------------------------------------- */
static uint32_t join_accesses(struct pv_points_to *pt, uint32_t a, uint32_t b) {
  if (!a || !b) return a ? a : b;
  uint32_t last = a;
  while (pt->accesses.at[last - 1].next) last = pt->accesses.at[last - 1].next;
  pt->accesses.at[last - 1].next = b;
  return a;
}

/* Elements that were propagated, or applied, in both nodes count as such in the merged one; the
 * rest is processed again. */
static void merge(struct pv_points_to *pt, uint32_t rep, uint32_t other) {
  struct pv_pts_cell *a = &pt->cells.at[pt->nodes.at[rep].cell - 1];
  struct pv_pts_cell *b = &pt->cells.at[pt->nodes.at[other].cell - 1];
  pt->steps += a->points.n + b->points.n + a->next.n + b->next.n;
  pv_pts_set_keep(&a->pushed, &b->pushed);
  if (a->access && b->access)
    pv_pts_set_keep(&a->seen, &b->seen);
  else if (b->access) {
    struct pv_pts_set swap = a->seen;
    a->seen = b->seen;
    b->seen = swap;
  }
  pv_pts_set_unite(&a->points, &b->points, &pt->bytes);
  pv_pts_set_unite(&a->next, &b->next, &pt->bytes);
  a->access = join_accesses(pt, b->access, a->access);
  pv_pts_set_free(&b->points, &pt->bytes);
  pv_pts_set_free(&b->pushed, &pt->bytes);
  pv_pts_set_free(&b->next, &pt->bytes);
  pv_pts_set_free(&b->seen, &pt->bytes);
  b->access = 0;
  pt->nodes.at[other].rep = rep;
}

/* Tarjan's algorithm without recursion. `order` receives the representatives, each node after all
 * that it leads to. */
struct frame {
  uint32_t node, least;
  struct pv_pts_cursor cursor;
};
struct tarjan {
  struct pv_points_to *pt;
  uint32_t *number, count; /* by node; 0: not visited; UINT32_MAX: its component is complete */
  PV_VEC(struct frame) frames;
  PV_VEC(uint32_t) stack, order;
};

static void enter(struct tarjan *t, uint32_t node) {
  struct frame f = {.node = node, .least = ++t->count};
  t->number[node] = t->count;
  pv_vec_push(&t->frames, f);
  pv_vec_push(&t->stack, node);
}

/* Nodes are merged only after the traversal, because that changes the sets that are traversed.
 * Until then `order` contains the components; each ends with UINT32_MAX. */
static void leave(struct tarjan *t) {
  struct frame f = pv_vec_pop(&t->frames);
  if (t->frames.n && pv_vec_last(&t->frames).least > f.least)
    pv_vec_last(&t->frames).least = f.least;
  if (f.least != t->number[f.node]) return;
  uint32_t member;
  do {
    member = pv_vec_pop(&t->stack);
    t->number[member] = UINT32_MAX;
    pv_vec_push(&t->order, member);
  } while (member != f.node);
  pv_vec_push(&t->order, UINT32_MAX); /* the end of a component */
}

static void visit(struct tarjan *t, uint32_t root) {
  struct pv_points_to *pt = t->pt;
  enter(t, root);
  while (t->frames.n) {
    struct frame *f = &pv_vec_last(&t->frames);
    const struct pv_pts_cell *c = &pt->cells.at[pt->nodes.at[f->node].cell - 1];
    uint32_t next;
    pt->steps++;
    if (!pv_pts_set_next(&c->next, &f->cursor, &next)) {
      leave(t);
      continue;
    }
    next = pv_pts_find(pt, next);
    if (!t->number[next])
      enter(t, next);
    else if (t->number[next] < f->least)
      f->least = t->number[next];
  }
}

/* Merges the components, and keeps the representatives in `order`. */
static void collapse(struct tarjan *t) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < t->order.n; i++) {
    uint32_t rep = t->order.at[i];
    for (i++; t->order.at[i] != UINT32_MAX; i++) merge(t->pt, rep, t->order.at[i]);
    t->order.at[n++] = rep;
  }
  t->order.n = n;
}

/* ---- a wave ---------------------------------------------------------------------------------- */
static void push_new(struct pv_points_to *pt, uint32_t node, struct pv_pts_set *news) {
  uint32_t cell = pt->nodes.at[node].cell - 1, next;
  struct pv_pts_cell *c = &pt->cells.at[cell];
  if (!c->next.n) return; /* `pushed` stays empty: a later successor receives everything at once */
  pt->steps += c->points.n;
  pv_pts_set_minus(news, &c->points, &c->pushed, &pt->bytes);
  if (!news->n) return;
  pv_pts_set_unite(&c->pushed, news, &pt->bytes);
  struct pv_pts_cursor cursor = {0};
  while (pv_pts_set_next(&pt->cells.at[cell].next, &cursor, &next)) {
    next = pv_pts_find(pt, next);
    if (next != node) unite(pt, next, news);
  }
}

static void apply_new(struct pv_points_to *pt, uint32_t node, struct pv_pts_set *news) {
  struct pv_pts_cell *c = &pt->cells.at[pt->nodes.at[node].cell - 1];
  uint32_t object;
  pv_pts_set_minus(news, &c->points, &c->seen, &pt->bytes);
  if (!news->n) return;
  pv_pts_set_unite(&c->seen, news, &pt->bytes);
  for (uint32_t a = c->access; a && !pt->over; a = pt->accesses.at[a - 1].next) {
    struct pv_pts_cursor cursor = {0};
    while (pv_pts_set_next(news, &cursor, &object))
      pv_pts_apply(pt, pt->accesses.at[a - 1], object);
    pv_pts_look_at_limits(pt);
  }
}

/* After so many new inclusions cycles are searched again, because merged nodes need each inclusion
 * only once. */
enum { MANY_INCLUSIONS = 20000 };

static void clear_queue(struct pv_points_to *pt) {
  for (uint32_t i = pt->queue_head; i < pt->queue.n; i++)
    pt->cells.at[pt->nodes.at[pt->queue.at[i]].cell - 1].queued = false;
  pt->queue.n = pt->queue_head = 0;
}

/* Applies accesses in topological order. Returns false if some are left for the next wave. */
static bool apply_all(struct pv_points_to *pt, const uint32_t *order, uint32_t n,
                      struct pv_pts_set *news) {
  uint64_t enough = pt->inclusions + MANY_INCLUSIONS;
  for (uint32_t i = n; i-- > 0;) {
    if (!pt->cells.at[pt->nodes.at[order[i]].cell - 1].access) continue;
    apply_new(pt, order[i], news);
    if (pt->over || pt->inclusions > enough) return false;
  }
  return true;
}

/* Returns false if another wave must follow. */
static bool wave(struct pv_points_to *pt, struct pv_pts_set *news) {
  struct tarjan t = {.pt = pt};
  t.number = pv_alloc((size_t)(pt->nodes.n + 1) * sizeof *t.number);
  for (uint32_t i = 1; i < pt->nodes.n; i++)
    if (pt->nodes.at[i].rep == i && pt->nodes.at[i].cell && !t.number[i]) visit(&t, i);
  collapse(&t);
  for (uint32_t i = t.order.n; i-- > 0 && !pt->over;) {
    push_new(pt, t.order.at[i], news);
    if (i % 64 == 0) pv_pts_look_at_limits(pt);
  }
  clear_queue(pt); /* each changed node came after the one that changed it */
  bool all = apply_all(pt, t.order.at, t.order.n, news);
  free(t.number);
  pv_vec_free(&t.frames);
  pv_vec_free(&t.stack);
  pv_vec_free(&t.order);
  return all;
}

/* Follows changes one by one. Returns false if that takes longer than a wave. */
static bool drain(struct pv_points_to *pt, struct pv_pts_set *news) {
  uint64_t enough = pt->inclusions + MANY_INCLUSIONS, rounds_left = (uint64_t)pt->nodes.n + 1000;
  for (; pt->queue_head < pt->queue.n && !pt->over; pt->queue_head++) {
    if (!rounds_left-- || pt->inclusions > enough) return false;
    uint32_t rep = pv_pts_find(pt, pt->queue.at[pt->queue_head]);
    pt->cells.at[pt->nodes.at[rep].cell - 1].queued = false;
    push_new(pt, rep, news);
    apply_new(pt, rep, news);
    if (rounds_left % 64 == 0) pv_pts_look_at_limits(pt);
  }
  pt->queue.n = pt->queue_head = 0;
  return true;
}

void pv_pts_solve(struct pv_points_to *pt) {
  struct pv_pts_set news = {0};
  bool done = false;
  pv_pts_build_waiting(pt);
  while (!done && !pt->over) {
    pt->rounds++;
    done = wave(pt, &news);
    while (done && !pt->over && (pt->queue.n || pv_pts_is_waiting(pt))) {
      pv_pts_build_waiting(pt);
      done = drain(pt, &news);
    }
    pv_pts_build_waiting(pt);
    pv_pts_look_at_limits(pt);
  }
  pv_pts_set_free(&news, &pt->bytes);
}
