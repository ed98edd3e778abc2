/* accesses_collect.c -- collects the accesses of edges as sets of objects, instance by instance. */
#include "analysis/accesses_internal.h"

#include "sched/sched.h"

/* ---- sets ------------------------------------------------------------------------------------ */
static int compare(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

uint32_t pv_acc_set(struct pv_accesses *a, const uint32_t *things, uint32_t n) {
  bool is_new;
  if (!n) return 0;
  uint32_t at = *pv_map_put(&a->set_keys, things, n * sizeof *things, a->sets.n, &is_new);
  if (!is_new) return at;
  struct pv_acc_list list = {a->pool.n, n};
  for (uint32_t i = 0; i < n; i++) pv_vec_push(&a->pool, things[i]);
  pv_vec_push(&a->sets, list);
  return at;
}

static uint32_t set_of_one(struct pv_accesses *a, uint32_t thing) {
  return pv_acc_set(a, &thing, 1);
}

/* Interns the set in a->dense, a bit set of objects, and empties it. */
static uint32_t set_of_dense(struct pv_accesses *a) {
  uint32_t words = pv_points_to_words(a->pt);
  bool is_new;
  uint32_t *at = pv_map_put(&a->dense_keys, a->dense, words * sizeof *a->dense, 0, &is_new);
  PV_VEC(uint32_t) list = {0};
  for (uint32_t w = 0; is_new && w < words; w++)
    for (uint64_t rest = a->dense[w]; rest; rest &= rest - 1)
      pv_vec_push(&list, a->things.at[64 * w + (uint32_t)__builtin_ctzll(rest)]);
  memset(a->dense, 0, words * sizeof *a->dense);
  if (!is_new) return *at;
  if (list.n) qsort(list.at, list.n, sizeof *list.at, compare);
  uint32_t n = 0;
  for (uint32_t i = 0; i < list.n; i++)
    if (!n || list.at[n - 1] != list.at[i]) list.at[n++] = list.at[i];
  *at = pv_acc_set(a, list.at, n);
  pv_vec_free(&list);
  return *at;
}

static uint32_t set_of_address(struct pv_accesses *a, uint32_t instance, pv_expr e) {
  uint32_t key[2] = {instance, e};
  if (pv_node(a->p, e)->op == PV_X_GLOBAL) key[0] = UINT32_MAX; /* the same in all instances */
  bool is_new;
  uint32_t at = *pv_map_put(&a->asked, key, sizeof key, 0, &is_new);
  if (!is_new) return at;
  pv_points_to_address_in(a->pt, instance, e, a->dense);
  at = set_of_dense(a);
  *pv_map_put(&a->asked, key, sizeof key, 0, NULL) = at;
  return at;
}

/* ---- edges ----------------------------------------------------------------------------------- */
struct at {
  struct pv_accesses *a;
  uint32_t instance, function, edge;
};

static void record(const struct at *at, unsigned use, enum pv_acc_flavour flavour, uint32_t set) {
  struct pv_acc_record r = {.instance = at->instance,
                            .function = at->function,
                            .edge = at->edge,
                            .use = (uint8_t)use,
                            .flavour = (uint8_t)flavour,
                            .set = set};
  pv_vec_push(&at->a->records, r);
}

static void access_at(const struct at *at, unsigned use, enum pv_acc_flavour flavour,
                      pv_expr address) {
  record(at, use, flavour, set_of_address(at->a, at->instance, address));
}

static void touch(const struct at *at, unsigned use, enum pv_acc_thing thing) {
  record(at, use, PV_ACC_BYTES, set_of_one(at->a, 2 * at->a->n_objects + thing));
}

static void access_slot(const struct at *at, uint32_t slot) {
  uint32_t n;
  const uint32_t *objects = pv_points_to_slot(at->a->pt, at->function, slot, &n);
  if (n) record(at, PV_ACC_WRITE, PV_ACC_BOTH, set_of_one(at->a, at->a->things.at[objects[0]]));
}

static void access_allocated(const struct at *at) {
  uint32_t object = pv_points_to_allocated(at->a->pt, at->instance, at->edge);
  if (pv_points_to_complete(at->a->pt) && !object) return;
  record(at, PV_ACC_WRITE, PV_ACC_BYTES, set_of_one(at->a, at->a->things.at[object]));
}

static void access_by_sync(const struct at *at, pv_expr address, bool writes) {
  struct pv_accesses *a = at->a;
  uint32_t set = set_of_address(a, at->instance, address);
  record(at, PV_ACC_READ | (writes ? PV_ACC_WRITE : 0u), PV_ACC_BYTES, set);
  record(at, PV_ACC_READ | PV_ACC_WRITE, PV_ACC_SYNC, set);
  for (uint32_t i = 0; i < a->sets.at[set].n; i++) {
    uint32_t thing = a->pool.at[a->sets.at[set].first + i];
    if (thing < a->n_objects) a->is_sync[thing] = 1;
  }
}

static bool ends_with(const char *s, const char *end) {
  size_t n = strlen(s), m = strlen(end);
  return n >= m && strcmp(s + n - m, end) == 0;
}

static void access_by_primitive(const struct at *at, const struct pv_edge *e) {
  const struct pv_program *p = at->a->p;
  const struct pv_prim *prim = p->prims.at[e->aux].prim;
  unsigned objects = prim->class != PV_PRIM_OBJECT ? 0 : prim->two_objects ? 2 : 1;
  for (uint32_t i = 0; i < objects && i < e->args.n; i++)
    access_by_sync(at, pv_arg(p, e->args, i), ends_with(prim->name, "_init"));
  if (prim->class != PV_PRIM_THREAD) return;
  if (pv_creates_thread(p, e) && e->args.n)
    access_at(at, PV_ACC_WRITE, PV_ACC_BYTES, pv_arg(p, e->args, 0));
  if (prim->role == PV_ROLE_JOINS) {
    if (e->args.n > 1) access_at(at, PV_ACC_WRITE, PV_ACC_BYTES, pv_arg(p, e->args, 1));
    touch(at, PV_ACC_READ, PV_ACC_THREADS);
  }
  if (prim->role == PV_ROLE_EXITS) touch(at, PV_ACC_WRITE, PV_ACC_THREADS);
}

static void collect_edge(const struct at *at, const struct pv_edge *e, bool sees_reuse) {
  switch ((enum pv_op)e->op) {
  case PV_OP_LOAD:
  case PV_OP_PRINT: access_at(at, PV_ACC_READ, PV_ACC_BYTES, e->e[0]); break;
  case PV_OP_STORE: access_at(at, PV_ACC_WRITE, PV_ACC_BYTES, e->e[0]); break;
  case PV_OP_RMW:
  case PV_OP_CMPXCHG: access_at(at, PV_ACC_READ | PV_ACC_WRITE, PV_ACC_BYTES, e->e[0]); break;
  case PV_OP_COPY:
    access_at(at, PV_ACC_WRITE, PV_ACC_BOTH, e->e[0]);
    access_at(at, PV_ACC_READ, PV_ACC_BYTES, e->e[1]);
    break;
  case PV_OP_FILL: access_at(at, PV_ACC_WRITE, PV_ACC_BOTH, e->e[0]); break;
  case PV_OP_ALLOC:
    access_allocated(at);
    if (sees_reuse) touch(at, PV_ACC_READ, PV_ACC_FREED);
    break;
  case PV_OP_FREE:
    access_at(at, PV_ACC_WRITE, PV_ACC_BOTH, e->e[0]);
    if (sees_reuse) touch(at, PV_ACC_WRITE, PV_ACC_FREED);
    break;
  case PV_OP_LIVE:
  case PV_OP_DEAD: access_slot(at, e->aux); break;
  case PV_OP_QUERY:
    for (uint32_t i = 0; i < e->args.n; i++)
      access_at(at, PV_ACC_READ, PV_ACC_BYTES, pv_arg(at->a->p, e->args, i));
    break;
  case PV_OP_ATOMIC_BEGIN:
    if (pv_call_graph_has_threads(at->a->calls)) touch(at, PV_ACC_READ, PV_ACC_SECTIONS);
    break;
  case PV_OP_ATOMIC_END: touch(at, PV_ACC_WRITE, PV_ACC_SECTIONS); break;
  case PV_OP_PRIM: access_by_primitive(at, e); break;
  case PV_OP_SKIP:
  case PV_OP_ASSUME:
  case PV_OP_ASSIGN:
  case PV_OP_HAVOC:
  case PV_OP_INDET:
  case PV_OP_CALL:
  case PV_OP_RETURN:
  case PV_OP_FENCE:
  case PV_OP_CHECK:
  case PV_OP_ERROR:
  case PV_OP_STOP:
  case PV_OP_SETJMP:
  case PV_OP_LONGJMP:
  case PV_OP_COUNT: break;
  }
}

/* ---- all ------------------------------------------------------------------------------------- */
/* Objects that are the same object for the VM are united. */
static void find_things(struct pv_accesses *a) {
  struct pv_map keys = {0};
  for (uint32_t o = 0; o < pv_points_to_objects(a->pt); o++) {
    const struct pv_pt_object *is = pv_points_to_object(a->pt, o);
    uint32_t key[3] = {is->kind, is->function, is->index};
    bool is_new;
    uint32_t thing = *pv_map_put(&keys, key, sizeof key, a->object.n, &is_new);
    if (is_new) pv_vec_push(&a->object, o);
    pv_vec_push(&a->things, thing);
  }
  a->n_objects = a->object.n;
  a->is_sync = pv_alloc(a->n_objects + 1);
  pv_map_free(&keys);
}

void pv_acc_collect(struct pv_accesses *a) {
  bool sees_reuse = pv_points_to_sees_reuse(a->p);
  find_things(a);
  a->dense = pv_alloc((pv_points_to_words(a->pt) + 1) * sizeof *a->dense);
  struct pv_acc_list empty = {0, 0};
  pv_vec_push(&a->sets, empty);
  for (uint32_t f = 0; f < a->p->functions.n; f++) {
    const uint32_t *instances;
    uint32_t n = pv_points_to_instances(a->pt, f, &instances);
    for (uint32_t i = 0; i < n; i++)
      for (uint32_t k = 0; k < a->p->functions.at[f].edges.n; k++) {
        struct at at = {a, instances[i], f, k};
        collect_edge(&at, &a->p->functions.at[f].edges.at[k], sees_reuse);
      }
  }
  pv_map_free(&a->asked);
  pv_map_free(&a->dense_keys);
  free(a->dense);
  a->dense = NULL;
}
