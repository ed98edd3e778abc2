/* accesses_groups.c -- computes groups from sets of objects (partition refinement: two objects stay
 * in one group while every set contains both or neither), and lists of groups for edges. */
#include "analysis/accesses_internal.h"

static int compare(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

static uint32_t n_things(const struct pv_accesses *a) {
  return 2 * a->n_objects + PV_ACC_THINGS;
}

/* ---- sets of accessed things ----------------------------------------------------------------- */
static uint32_t resolve(struct pv_accesses *a, uint32_t set, enum pv_acc_flavour flavour) {
  PV_VEC(uint32_t) list = {0};
  struct pv_acc_list from = a->sets.at[set];
  for (uint32_t i = 0; flavour != PV_ACC_SYNC && i < from.n; i++)
    pv_vec_push(&list, a->pool.at[from.first + i]);
  for (uint32_t i = 0; flavour != PV_ACC_BYTES && i < from.n; i++) {
    uint32_t thing = a->pool.at[from.first + i];
    if (thing < a->n_objects && a->is_sync[thing]) pv_vec_push(&list, a->n_objects + thing);
  }
  uint32_t at = pv_acc_set(a, list.at, list.n);
  pv_vec_free(&list);
  return at;
}

static void resolve_all(struct pv_accesses *a) {
  uint32_t n = a->sets.n * PV_ACC_FLAVOURS;
  uint32_t *known = pv_alloc((n + 1) * sizeof *known); /* number + 1 */
  for (uint32_t i = 0; i < a->records.n; i++) {
    struct pv_acc_record *r = &a->records.at[i];
    uint32_t *at = &known[r->set * PV_ACC_FLAVOURS + r->flavour];
    if (!*at) *at = resolve(a, r->set, (enum pv_acc_flavour)r->flavour) + 1;
    r->set = *at - 1;
  }
  free(known);
}

/* By set: how it is accessed. */
static uint8_t *uses_of_sets(const struct pv_accesses *a) {
  uint8_t *uses = pv_alloc(a->sets.n + 1);
  for (uint32_t i = 0; i < a->records.n; i++) uses[a->records.at[i].set] |= a->records.at[i].use;
  return uses;
}

/* ---- partition ------------------------------------------------------------------------------- */
struct partition {
  struct pv_accesses *a;
  PV_VEC(uint32_t) size; /* by group */
  /* By group, for one set: number of members in it, the group they move to. */
  PV_VEC(uint32_t) touched, to, stamp;
  uint32_t set;
};

static void new_group(struct partition *p, uint32_t size) {
  pv_vec_push(&p->size, size);
  pv_vec_push(&p->touched, 0);
  pv_vec_push(&p->to, 0);
  pv_vec_push(&p->stamp, 0);
}

static void split_by(struct partition *p, struct pv_acc_list set) {
  struct pv_accesses *a = p->a;
  const uint32_t *things = a->pool.at + set.first;
  p->set++;
  for (uint32_t i = 0; i < set.n; i++) {
    uint32_t g = a->group[things[i]];
    if (g == PV_NO_GROUP) continue;
    if (p->stamp.at[g] != p->set) p->touched.at[g] = 0, p->to.at[g] = g, p->stamp.at[g] = p->set;
    p->touched.at[g]++;
  }
  for (uint32_t i = 0; i < set.n; i++) {
    uint32_t g = a->group[things[i]];
    if (g == PV_NO_GROUP || p->stamp.at[g] != p->set || p->touched.at[g] == p->size.at[g]) continue;
    if (p->to.at[g] == g) {
      p->to.at[g] = p->size.n;
      new_group(p, 0);
    }
    p->touched.at[g]--;
    p->size.at[g]--;
    a->group[things[i]] = p->to.at[g];
    p->size.at[p->to.at[g]]++;
  }
}

/* Numbers groups in the order of their first members. */
static void number_groups(struct pv_accesses *a, uint32_t n) {
  uint32_t *number = pv_alloc((n + 1) * sizeof *number); /* number + 1 */
  for (uint32_t t = 0; t < n_things(a); t++) {
    if (a->group[t] == PV_NO_GROUP) continue;
    uint32_t *at = &number[a->group[t]];
    if (!*at) *at = ++a->n_groups;
    a->group[t] = *at - 1;
  }
  free(number);
}

static void list_members(struct pv_accesses *a) {
  a->members_first = pv_alloc(((size_t)a->n_groups + 2) * sizeof *a->members_first);
  for (uint32_t t = 0; t < n_things(a); t++)
    if (a->group[t] != PV_NO_GROUP) a->members_first[a->group[t] + 1]++;
  for (uint32_t g = 0; g < a->n_groups; g++) a->members_first[g + 1] += a->members_first[g];
  pv_vec_reserve(&a->members, a->members_first[a->n_groups] + 1);
  a->members.n = a->members_first[a->n_groups];
  uint32_t *next = pv_alloc((a->n_groups + 1) * sizeof *next);
  memcpy(next, a->members_first, a->n_groups * sizeof *next);
  for (uint32_t t = 0; t < n_things(a); t++)
    if (a->group[t] != PV_NO_GROUP) a->members.at[next[a->group[t]]++] = t;
  free(next);
}

static void find_groups(struct pv_accesses *a) {
  uint8_t *uses = uses_of_sets(a), *of_thing = pv_alloc(n_things(a));
  struct partition p = {.a = a};
  for (uint32_t s = 0; s < a->sets.n; s++)
    for (uint32_t i = 0; i < a->sets.at[s].n; i++)
      of_thing[a->pool.at[a->sets.at[s].first + i]] |= uses[s];
  a->group = pv_alloc((n_things(a) + 1) * sizeof *a->group);
  new_group(&p, 0);
  for (uint32_t t = 0; t < n_things(a); t++) {
    bool matters = of_thing[t] == (PV_ACC_READ | PV_ACC_WRITE);
    a->group[t] = matters ? 0 : PV_NO_GROUP;
    p.size.at[0] += matters;
  }
  for (uint32_t s = 0; s < a->sets.n; s++)
    if (uses[s]) split_by(&p, a->sets.at[s]);
  number_groups(a, p.size.n);
  list_members(a);
  free(uses);
  free(of_thing);
  pv_vec_free(&p.size);
  pv_vec_free(&p.touched);
  pv_vec_free(&p.to);
  pv_vec_free(&p.stamp);
}

/* ---- lists of groups ------------------------------------------------------------------------- */
struct lister {
  struct pv_accesses *a;
  uint32_t *seen, stamp; /* by group */
  PV_VEC(uint32_t) list;
};

static void begin_list(struct lister *l) {
  l->stamp++;
  l->list.n = 0;
}

static void add_group(struct lister *l, uint32_t g) {
  if (g == PV_NO_GROUP || l->seen[g] == l->stamp) return;
  l->seen[g] = l->stamp;
  pv_vec_push(&l->list, g);
}

static uint32_t end_list(struct lister *l) {
  struct pv_accesses *a = l->a;
  bool is_new;
  if (!l->list.n) return 0;
  qsort(l->list.at, l->list.n, sizeof *l->list.at, compare);
  uint32_t at =
      *pv_map_put(&a->list_keys, l->list.at, l->list.n * sizeof *l->list.at, a->lists.n, &is_new);
  if (!is_new) return at;
  struct pv_acc_list list = {a->group_pool.n, l->list.n};
  for (uint32_t i = 0; i < l->list.n; i++) pv_vec_push(&a->group_pool, l->list.at[i]);
  pv_vec_push(&a->lists, list);
  return at;
}

/* Replaces the sets in records by lists. */
static void list_sets(struct lister *l) {
  struct pv_accesses *a = l->a;
  uint32_t *list_of = pv_alloc((a->sets.n + 1) * sizeof *list_of);
  for (uint32_t s = 0; s < a->sets.n; s++) {
    begin_list(l);
    for (uint32_t i = 0; i < a->sets.at[s].n; i++)
      add_group(l, a->group[a->pool.at[a->sets.at[s].first + i]]);
    list_of[s] = end_list(l);
  }
  for (uint32_t i = 0; i < a->records.n; i++) a->records.at[i].set = list_of[a->records.at[i].set];
  free(list_of);
}

static uint32_t list_of_use(struct lister *l, const uint32_t *records, uint32_t n, unsigned use) {
  begin_list(l);
  for (uint32_t i = 0; i < n; i++) {
    const struct pv_acc_record *r = &l->a->records.at[records[i]];
    struct pv_acc_list from = l->a->lists.at[r->set];
    for (uint32_t k = 0; (r->use & use) && k < from.n; k++)
      add_group(l, l->a->group_pool.at[from.first + k]);
  }
  return end_list(l);
}

/* ---- kills ----------------------------------------------------------------------------------- */
/* The number of bytes that an edge writes from the start of what e0 points to; 0: not known. */
static uint64_t bytes_written(const struct pv_program *p, const struct pv_edge *e) {
  switch (e->op) {
  case PV_OP_STORE:
  case PV_OP_RMW: return e->e[2] && e->op == PV_OP_STORE ? 0 : pv_type_bytes(e->type);
  case PV_OP_COPY:
  case PV_OP_FILL: return pv_node(p, e->e[2])->op == PV_X_CONST ? pv_node(p, e->e[2])->lo : 0;
  default: return 0;
  }
}

/* Does the edge overwrite everything in the only group that it writes? */
static void find_kill(const struct pv_accesses *a, uint32_t function, const struct pv_edge *e,
                      struct pv_acc_edge *out) {
  const struct pv_function *f = &a->p->functions.at[function];
  bool once = !pv_call_graph_recurs(a->calls, function);
  const struct pv_expr_node *at = e->e[0] ? pv_node(a->p, e->e[0]) : NULL;
  struct pv_acc_list list = a->lists.at[out->written];
  uint32_t g = list.n == 1 ? a->group_pool.at[list.first] : PV_NO_GROUP;
  if (!pv_points_to_complete(a->pt)) return;
  uint64_t bytes = bytes_written(a->p, e);
  bool slot = at && at->op == PV_X_SLOT && bytes && bytes == f->slots.at[at->lo].size;
  bool global = at && at->op == PV_X_GLOBAL && bytes && bytes == a->p->globals.at[at->lo].size;
  bool life = e->op == PV_OP_LIVE || (e->op == PV_OP_DEAD && !(e->flags & PV_EF_HELD));
  if (slot) out->slot = (uint32_t)at->lo + 1;
  bool one = g != PV_NO_GROUP && a->members_first[g + 1] - a->members_first[g] == 1;
  out->all = one && (global || ((slot || life) && once));
}

/* ---- all ------------------------------------------------------------------------------------- */
static void fill_edges(struct lister *l, uint32_t function, const uint32_t *records, uint32_t n) {
  struct pv_accesses *a = l->a;
  const struct pv_function *f = &a->p->functions.at[function];
  a->edges[function] = pv_alloc((f->edges.n + 1) * sizeof **a->edges);
  for (uint32_t i = 0, k; i < n; i = k) {
    uint32_t edge = a->records.at[records[i]].edge;
    for (k = i; k < n && a->records.at[records[k]].edge == edge;) k++;
    struct pv_acc_edge *out = &a->edges[function][edge];
    out->read = list_of_use(l, records + i, k - i, PV_ACC_READ);
    out->written = list_of_use(l, records + i, k - i, PV_ACC_WRITE);
    find_kill(a, function, &f->edges.at[edge], out);
  }
}

struct by_edge {
  uint32_t edge, record;
};

static int compare_edges(const void *a, const void *b) {
  const struct by_edge *x = a, *y = b;
  if (x->edge != y->edge) return x->edge < y->edge ? -1 : 1;
  return x->record < y->record ? -1 : x->record > y->record;
}

/* Records are sorted by function, instance, edge. Sorts those of each function by edge. */
static void list_edges(struct lister *l) {
  struct pv_accesses *a = l->a;
  PV_VEC(struct by_edge) order = {0};
  PV_VEC(uint32_t) records = {0};
  for (uint32_t i = 0, k; i < a->records.n; i = k) {
    uint32_t function = a->records.at[i].function;
    order.n = records.n = 0;
    for (k = i; k < a->records.n && a->records.at[k].function == function; k++) {
      struct by_edge one = {a->records.at[k].edge, k};
      pv_vec_push(&order, one);
    }
    qsort(order.at, order.n, sizeof *order.at, compare_edges);
    for (uint32_t x = 0; x < order.n; x++) pv_vec_push(&records, order.at[x].record);
    fill_edges(l, function, records.at, records.n);
  }
  pv_vec_free(&order);
  pv_vec_free(&records);
}

static void find_threads(struct pv_accesses *a) {
  a->threads = pv_alloc((a->n_groups + 1) * sizeof *a->threads);
  a->between = pv_alloc(a->n_groups + 1);
  for (uint32_t i = 0; i < a->records.n; i++) {
    const struct pv_acc_record *r = &a->records.at[i];
    struct pv_acc_list list = a->lists.at[r->set];
    for (uint32_t k = 0; k < list.n; k++)
      a->threads[a->group_pool.at[list.first + k]] |= pv_call_graph_threads(a->calls, r->function);
  }
  uint8_t *escapes = pv_alloc(n_things(a));
  memset(escapes + 2 * a->n_objects, 1, PV_ACC_THINGS);
  for (uint32_t o = 0; o < a->things.n; o++)
    if (pv_points_to_escapes(a->pt, o))
      escapes[a->things.at[o]] = escapes[a->n_objects + a->things.at[o]] = 1;
  for (uint32_t g = 0; g < a->n_groups; g++)
    for (uint32_t i = a->members_first[g]; i < a->members_first[g + 1]; i++)
      a->between[g] |= escapes[a->members.at[i]] && pv_kinds_meet(a->threads[g], a->threads[g]);
  free(escapes);
}

void pv_acc_group(struct pv_accesses *a) {
  struct lister l = {.a = a};
  struct pv_acc_list empty = {0, 0};
  resolve_all(a);
  find_groups(a);
  l.seen = pv_alloc((a->n_groups + 1) * sizeof *l.seen);
  pv_vec_push(&a->lists, empty);
  list_sets(&l);
  a->edges = pv_alloc((a->p->functions.n + 1) * sizeof *a->edges);
  list_edges(&l);
  find_threads(a);
  free(l.seen);
  pv_vec_free(&l.list);
}
