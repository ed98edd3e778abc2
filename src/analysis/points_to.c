/* points_to.c -- the analysis as a whole, and queries about its result. */
#include "analysis/points_to_internal.h"

/* ---- escaping objects ------------------------------------------------------------------------ */
struct closure {
  struct pv_points_to *pt;
  PV_VEC(uint32_t) todo;
};

static void reach(struct closure *c, uint32_t object) {
  struct pv_pts_object *o = &c->pt->objects.at[object];
  if (!object || o->escapes) return;
  o->escapes = true;
  pv_vec_push(&c->todo, object);
}

static void reach_all(struct closure *c, uint32_t node) {
  const struct pv_pts_set *s = pv_pts_points(c->pt, node);
  struct pv_pts_cursor cursor = {0};
  uint32_t object;
  while (pv_pts_set_next(s, &cursor, &object)) reach(c, object);
}

/* Marks objects that other threads may reach: globals, arguments and results of threads, everything
 * that an unknown pointer may refer to, and everything that pointers in these lead to. */
static void find_escaping(struct pv_points_to *pt) {
  struct closure c = {.pt = pt};
  for (uint32_t o = 1; o < pt->objects.n; o++) {
    const struct pv_pts_object *it = &pt->objects.at[o];
    bool global = it->is.kind == PV_PT_FUNCTION ||
                  (it->is.kind == PV_PT_GLOBAL && !pt->p->globals.at[it->is.index].is_thread_local);
    bool reused = pt->reused && it->is.kind == PV_PT_HEAP;
    if (global || reused || (pt->unknown_used && it->taken)) reach(&c, o);
  }
  for (unsigned part = 0; part < PTS_PARTS; part++) {
    reach_all(&c, pt->arguments.at[part]);
    reach_all(&c, pt->results.at[part]);
  }
  while (c.todo.n) {
    uint32_t content = pt->objects.at[pv_vec_pop(&c.todo)].content;
    for (unsigned part = 0; content && part < PTS_PARTS; part++) reach_all(&c, content + part);
  }
  pv_vec_free(&c.todo);
}

/* ---- tables for look-ups --------------------------------------------------------------------- */
struct identity { /* the identity of an object in the VM */
  uint32_t kind, function, index;
};

static struct identity identity_of(const struct pv_pt_object *is) {
  return (struct identity){is->kind, is->function, is->index};
}

static void find_groups(struct pv_points_to *pt) {
  uint32_t *group = pv_alloc((size_t)pt->objects.n * sizeof *group), first = 0;
  for (uint32_t o = 0; o < pt->objects.n; o++) {
    struct identity key = identity_of(&pt->objects.at[o].is);
    bool is_new;
    group[o] = *pv_map_put(&pt->groups_of, &key, sizeof key, pt->groups.n, &is_new);
    if (is_new) pv_vec_push(&pt->groups, (struct pv_pts_group){0});
    pt->groups.at[group[o]].n++;
    if (key.kind == PV_PT_HEAP && pt->objects.at[o].is.instance) pv_vec_push(&pt->shared_heap, o);
  }
  for (uint32_t g = 0; g < pt->groups.n; g++) {
    pt->groups.at[g].first = first;
    first += pt->groups.at[g].n;
    pt->groups.at[g].n = 0;
  }
  pv_vec_reserve(&pt->members, first);
  pt->members.n = first;
  for (uint32_t o = 0; o < pt->objects.n; o++) {
    struct pv_pts_group *g = &pt->groups.at[group[o]];
    pt->members.at[g->first + g->n++] = o;
  }
  free(group);
}

static void group_instances(struct pv_points_to *pt) {
  uint32_t n = pt->p->functions.n;
  pv_vec_reserve(&pt->function_first, n + 1);
  pt->function_first.n = n + 1;
  memset(pt->function_first.at, 0, (n + 1) * sizeof *pt->function_first.at);
  for (uint32_t i = 0; i < pt->instances.n; i++)
    pt->function_first.at[pt->instances.at[i].function + 1]++;
  for (uint32_t f = 0; f < n; f++) pt->function_first.at[f + 1] += pt->function_first.at[f];
  pv_vec_reserve(&pt->by_function, pt->instances.n + 1);
  pt->by_function.n = pt->instances.n;
  uint32_t *next = pv_alloc((n + 1) * sizeof *next);
  memcpy(next, pt->function_first.at, n * sizeof *next);
  for (uint32_t i = 0; i < pt->instances.n; i++)
    pt->by_function.at[next[pt->instances.at[i].function]++] = i;
  free(next);
}

static int compare_calls(const void *a, const void *b) {
  const struct pv_pts_call *x = a, *y = b;
  if (x->instance != y->instance) return x->instance < y->instance ? -1 : 1;
  if (x->edge != y->edge) return x->edge < y->edge ? -1 : 1;
  return x->callee < y->callee ? -1 : x->callee > y->callee;
}

static void sort_calls(struct pv_points_to *pt) {
  if (pt->calls.n) qsort(pt->calls.at, pt->calls.n, sizeof *pt->calls.at, compare_calls);
  for (uint32_t i = 0; i < pt->calls.n; i++) pv_vec_push(&pt->callees, pt->calls.at[i].callee);
}

/* ---- the analysis as a whole ----------------------------------------------------------------- */
/* Frees the data that only the solver needs. */
static void drop_graph(struct pv_points_to *pt) {
  for (uint32_t i = 0; i < pt->cells.n; i++) {
    struct pv_pts_cell *c = &pt->cells.at[i];
    pv_pts_set_free(&c->pushed, &pt->bytes);
    pv_pts_set_free(&c->next, &pt->bytes);
    pv_pts_set_free(&c->seen, &pt->bytes);
  }
  pv_vec_free(&pt->accesses);
  pv_vec_free(&pt->queue);
  pv_vec_free(&pt->sites);
  pv_vec_free(&pt->unknown_calls);
  pv_vec_free(&pt->unfilled);
  pv_map_free(&pt->instance_keys);
  pv_map_free(&pt->context_keys);
  pv_map_free(&pt->call_keys);
  free(pt->weights);
  pt->weights = NULL;
}

static void drop_cells(struct pv_points_to *pt) {
  for (uint32_t i = 0; i < pt->cells.n; i++) pv_pts_set_free(&pt->cells.at[i].points, &pt->bytes);
  pv_vec_free(&pt->cells);
  pv_vec_free(&pt->nodes);
}

/* Sets the trivial result: only object 0, and one instance for each function, which may call all
 * functions. */
static void give_up(struct pv_points_to *pt) {
  drop_cells(pt);
  pt->objects.n = 1;
  pt->objects.at[0].escapes = pt->objects.at[0].taken = true;
  pt->calls.n = pt->instances.n = pt->taken.n = 0;
  for (uint32_t f = 0; f < pt->p->functions.n; f++) {
    struct pv_pts_instance instance = {.function = f};
    pv_vec_push(&pt->instances, instance);
    pv_vec_push(&pt->callees, f);
  }
}

bool pv_points_to_sees_reuse(const struct pv_program *p) {
  if (p->reads_addresses) return true;
  for (uint32_t i = 1; i < p->exprs.n; i++) {
    const struct pv_expr_node *n = &p->exprs.at[i];
    bool cast = n->op == PV_X_BITCAST && !(n->flags & PV_XF_MEASURED) &&
                pv_type_kind(n->type) != PV_T_PTR &&
                pv_type_kind(pv_node(p, n->a)->type) == PV_T_PTR;
    if (cast || (n->flags & PV_XF_PTRCMP)) return true;
  }
  for (uint32_t f = 0; f < p->functions.n; f++)
    for (uint32_t i = 0; i < p->functions.at[f].edges.n; i++) {
      const struct pv_edge *e = &p->functions.at[f].edges.at[i];
      if (e->op == PV_OP_CMPXCHG && pv_type_bits(e->type) >= p->pointer_bits) return true;
    }
  return false;
}

struct pv_points_to_options pv_points_to_defaults(const struct pv_program *p) {
  return (struct pv_points_to_options){.bytes = (uint64_t)64 << 20,
                                       .steps = UINT64_C(2000000000),
                                       .edges = UINT32_C(1) << 18,
                                       .reuse = pv_points_to_sees_reuse(p)};
}

struct pv_points_to *pv_points_to_new(const struct pv_program *p,
                                      const struct pv_points_to_options *options) {
  struct pv_points_to *pt = pv_alloc(sizeof *pt);
  pt->p = p;
  pt->limits = options ? *options : pv_points_to_defaults(p);
  pt->stamps = pv_alloc((size_t)p->exprs.n * PTS_PARTS * sizeof *pt->stamps);
  pt->weights = pv_alloc((p->functions.n + 1) * sizeof *pt->weights);
  pv_pts_begin(pt);
  pv_pts_solve(pt);
  pt->complete = !pt->over;
  pt->n_nodes = pt->nodes.n;
  drop_graph(pt);
  if (pt->complete) {
    find_escaping(pt);
    sort_calls(pt);
  } else {
    give_up(pt);
  }
  find_groups(pt);
  group_instances(pt);
  return pt;
}

void pv_points_to_free(struct pv_points_to *pt) {
  if (!pt) return;
  drop_graph(pt);
  drop_cells(pt);
  pv_vec_free(&pt->objects);
  pv_map_free(&pt->object_keys);
  pv_vec_free(&pt->taken);
  pv_vec_free(&pt->contexts);
  pv_vec_free(&pt->instances);
  pv_vec_free(&pt->calls);
  pv_vec_free(&pt->callees);
  pv_map_free(&pt->groups_of);
  pv_vec_free(&pt->groups);
  pv_vec_free(&pt->members);
  pv_vec_free(&pt->shared_heap);
  pv_vec_free(&pt->by_function);
  pv_vec_free(&pt->function_first);
  free(pt->stamps);
  free(pt);
}

bool pv_points_to_complete(const struct pv_points_to *pt) {
  return pt->complete;
}

bool pv_points_to_reused(const struct pv_points_to *pt) {
  return pt->reused;
}

/* ---- objects --------------------------------------------------------------------------------- */
uint32_t pv_points_to_objects(const struct pv_points_to *pt) {
  return pt->objects.n;
}

const struct pv_pt_object *pv_points_to_object(const struct pv_points_to *pt, uint32_t object) {
  PV_REQUIRE(object < pt->objects.n, "no such object");
  return &pt->objects.at[object].is;
}

bool pv_points_to_escapes(const struct pv_points_to *pt, uint32_t object) {
  PV_REQUIRE(object < pt->objects.n, "no such object");
  return pt->objects.at[object].escapes;
}

bool pv_points_to_taken(const struct pv_points_to *pt, uint32_t object) {
  PV_REQUIRE(object < pt->objects.n, "no such object");
  return pt->objects.at[object].taken;
}

static const uint32_t *group(const struct pv_points_to *pt, enum pv_pt_kind kind, uint32_t function,
                             uint32_t index, uint32_t *n) {
  struct identity key = {kind, function, index};
  if (!pt->complete) key = (struct identity){PV_PT_ANYTHING, 0, 0};
  const uint32_t *at = pv_map_get(&pt->groups_of, &key, sizeof key);
  *n = at ? pt->groups.at[*at].n : 0;
  return at ? pt->members.at + pt->groups.at[*at].first : NULL;
}

const uint32_t *pv_points_to_global(const struct pv_points_to *pt, uint32_t global, uint32_t *n) {
  return group(pt, PV_PT_GLOBAL, 0, global, n);
}

const uint32_t *pv_points_to_slot(const struct pv_points_to *pt, uint32_t function, uint32_t slot,
                                  uint32_t *n) {
  return group(pt, PV_PT_SLOT, function, slot, n);
}

/* A call without a context of its own allocates the same objects as all such calls. */
const uint32_t *pv_points_to_heap(const struct pv_points_to *pt, uint32_t function, uint32_t edge,
                                  uint32_t *n) {
  const uint32_t *own = group(pt, PV_PT_HEAP, function, edge, n);
  if (*n) return own;
  *n = pt->shared_heap.n;
  return pt->shared_heap.at;
}

const uint32_t *pv_points_to_alloca(const struct pv_points_to *pt, uint32_t function, uint32_t edge,
                                    uint32_t *n) {
  return group(pt, PV_PT_ALLOCA, function, edge, n);
}

/* ---- instances ------------------------------------------------------------------------------- */
uint32_t pv_points_to_instances(const struct pv_points_to *pt, uint32_t function,
                                const uint32_t **instances) {
  PV_REQUIRE(function < pt->p->functions.n, "no such function");
  uint32_t first = pt->function_first.at[function];
  *instances = pt->by_function.at + first;
  return pt->function_first.at[function + 1] - first;
}

uint32_t pv_points_to_function_of(const struct pv_points_to *pt, uint32_t instance) {
  PV_REQUIRE(instance < pt->instances.n, "no such instance");
  return pt->instances.at[instance].function;
}

const uint32_t *pv_points_to_calls(const struct pv_points_to *pt, uint32_t instance, uint32_t edge,
                                   uint32_t *n) {
  if (!pt->complete) {
    *n = pt->callees.n;
    return pt->callees.at;
  }
  struct pv_pts_call key = {instance, edge, 0};
  uint32_t low = 0, high = pt->calls.n;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (compare_calls(&pt->calls.at[middle], &key) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  for (high = low; high < pt->calls.n; high++)
    if (pt->calls.at[high].instance != instance || pt->calls.at[high].edge != edge) break;
  *n = high - low;
  return pt->callees.at + low;
}

uint32_t pv_points_to_callees(const struct pv_points_to *pt, uint32_t function, uint32_t edge,
                              uint32_t *callees) {
  const uint32_t *instances;
  uint32_t n = pv_points_to_instances(pt, function, &instances), found = 0;
  uint8_t *seen = pv_alloc(pt->p->functions.n);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t n_calls;
    const uint32_t *calls = pv_points_to_calls(pt, instances[i], edge, &n_calls);
    for (uint32_t k = 0; k < n_calls; k++) seen[pt->instances.at[calls[k]].function] = 1;
  }
  for (uint32_t f = 0; f < pt->p->functions.n; f++)
    if (seen[f]) callees[found++] = f;
  free(seen);
  return found;
}

/* ---- sets ------------------------------------------------------------------------------------ */
struct answer {
  const struct pv_points_to *pt;
  uint64_t *set;
  bool unknown;
};

static void answer_object(struct answer *a, uint32_t object) {
  if (object)
    a->set[object / 64] |= UINT64_C(1) << object % 64;
  else
    a->unknown = true;
}

static void answer_node(void *user, uint32_t source, bool is_object) {
  struct answer *a = user;
  if (is_object) {
    answer_object(a, source);
    return;
  }
  const struct pv_pts_set *s = pv_pts_points(a->pt, source);
  for (uint32_t i = 0; i < s->n; i++) {
    a->set[s->at[i].at] |= s->at[i].bits;
    if (s->at[i].at == 0 && (s->at[i].bits & 1)) a->unknown = true;
  }
}

/* A freed object may be any object of the heap, and the other way round. */
static void close_under_reuse(struct answer *a) {
  bool heap = false, freed = false;
  for (uint32_t o = 1; o < a->pt->objects.n; o++) {
    if (!(a->set[o / 64] >> o % 64 & 1)) continue;
    heap |= a->pt->objects.at[o].is.kind == PV_PT_HEAP;
    freed |= a->pt->objects.at[o].freed;
  }
  for (uint32_t o = 1; heap && o < a->pt->objects.n; o++)
    if (a->pt->objects.at[o].is.kind == PV_PT_HEAP && (freed || a->pt->objects.at[o].freed))
      answer_object(a, o);
}

/* Replaces "unknown" by all objects whose address was taken. */
static bool finish_answer(struct answer *a) {
  if (!a->pt->complete) {
    a->set[0] |= 1;
    return true;
  }
  a->set[0] &= ~UINT64_C(1);
  for (uint32_t i = 0; a->unknown && i < a->pt->taken.n; i++) answer_object(a, a->pt->taken.at[i]);
  if (a->pt->reused) close_under_reuse(a);
  return a->unknown;
}

uint32_t pv_points_to_words(const struct pv_points_to *pt) {
  return (pt->objects.n + 63) / 64;
}

static void ask(struct answer *a, uint32_t instance, pv_expr address) {
  if (!a->pt->complete) return;
  /* Only scratch memory is changed. */
  struct pv_pts_collector c = {.pt = (struct pv_points_to *)(uintptr_t)a->pt,
                               .instance = &a->pt->instances.at[instance],
                               .at = instance,
                               .visit = answer_node,
                               .user = a};
  for (unsigned part = 0; part < PTS_PARTS; part++)
    pv_pts_collect(&c, address, (enum pv_pts_part)part);
}

bool pv_points_to_address_in(const struct pv_points_to *pt, uint32_t instance, pv_expr address,
                             uint64_t *set) {
  PV_REQUIRE(instance < pt->instances.n, "no such instance");
  struct answer a = {pt, set, false};
  ask(&a, instance, address);
  return finish_answer(&a);
}

bool pv_points_to_address(const struct pv_points_to *pt, uint32_t function, pv_expr address,
                          uint64_t *set) {
  const uint32_t *instances;
  uint32_t n = pv_points_to_instances(pt, function, &instances);
  struct answer a = {pt, set, false};
  for (uint32_t i = 0; i < n; i++) ask(&a, instances[i], address);
  return finish_answer(&a);
}

bool pv_points_to_contents(const struct pv_points_to *pt, uint32_t object, uint64_t *set) {
  PV_REQUIRE(object < pt->objects.n, "no such object");
  struct answer a = {pt, set, false};
  uint32_t content = pt->complete ? pt->objects.at[object].content : 0;
  for (unsigned part = 0; content && part < PTS_FORGED; part++) /* a number is not a pointer */
    answer_node(&a, content + part, false);
  return finish_answer(&a);
}

struct pv_points_to_stats pv_points_to_stats(const struct pv_points_to *pt) {
  return (struct pv_points_to_stats){.bytes = pt->peak,
                                     .steps = pt->steps,
                                     .nodes = pt->n_nodes,
                                     .instances = pt->instances.n,
                                     .objects = pt->objects.n,
                                     .rounds = pt->rounds,
                                     .unknown_used = pt->unknown_used};
}
