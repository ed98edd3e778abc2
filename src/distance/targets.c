#include "distance/targets.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/slice.h"
#include "distance/nesting.h"
#include "ir/exclusion.h"
#include "sched/sched.h"

struct finder {
  const struct pv_program *p;
  const struct pv_points_to *pt;
  const struct pv_call_graph *calls;
  struct pv_targets *t;
  uint64_t *set; /* of objects */
};

/* ---- lists ----------------------------------------------------------------------------------- */
static int by_place(const void *a, const void *b) {
  const struct pv_place_of *x = a, *y = b;
  if (x->function != y->function) return x->function < y->function ? -1 : 1;
  return x->loc < y->loc ? -1 : x->loc > y->loc;
}

static void add(pv_place_list *to, uint32_t function, pv_loc loc) {
  struct pv_place_of place = {function, loc};
  pv_vec_push(to, place);
}

static void tidy(pv_place_list *list) {
  uint32_t n = 0;
  if (list->n) qsort(list->at, list->n, sizeof *list->at, by_place);
  for (uint32_t i = 0; i < list->n; i++)
    if (!n || by_place(&list->at[n - 1], &list->at[i])) list->at[n++] = list->at[i];
  list->n = n;
}

static bool runs(const struct finder *x, uint32_t function) {
  return pv_call_graph_runs(x->calls, function);
}

static const struct pv_prim *primitive(const struct finder *x, const struct pv_edge *e) {
  return e->op == PV_OP_PRIM ? x->p->prims.at[e->aux].prim : NULL;
}

/* ---- location -------------------------------------------------------------------------------- */
/* May an operation in the expression be undefined, apart from overflow? */
static bool may_fail(const struct pv_program *p, pv_expr e) {
  while (e) {
    const struct pv_expr_node *n = pv_node(p, e);
    bool constant = n->b && pv_node(p, n->b)->op == PV_X_CONST;
    switch (n->op) {
    case PV_X_SDIV:
    case PV_X_UDIV:
    case PV_X_SREM:
    case PV_X_UREM:
      if (!constant || !pv_node(p, n->b)->lo) return true;
      break;
    case PV_X_SHL:
    case PV_X_LSHR:
    case PV_X_ASHR:
      if (!constant || pv_node(p, n->b)->lo >= pv_type_bits(n->type)) return true;
      break;
    case PV_X_FPTOSI:
    case PV_X_FPTOUI: return true;
    default: break;
    }
    if (!pv_expr_ops[n->op].arity) return false;
    if (n->b && may_fail(p, n->b)) return true;
    if (n->c && may_fail(p, n->c)) return true;
    e = n->a;
  }
  return false;
}

static bool may_be_undefined(const struct finder *x, const struct pv_edge *e) {
  const struct pv_prim *prim = primitive(x, e);
  if (prim) return prim->class != PV_PRIM_LOCAL;
  if (e->op == PV_OP_INDET || (e->op == PV_OP_STOP && e->aux == PV_STOP_UNREACHABLE)) return true;
  if (e->op == PV_OP_CHECK) return !pv_check_is_overflow(e->aux);
  bool found = false;
  for (int i = 0; i < 3 && !found; i++) found = may_fail(x->p, e->e[i]);
  for (uint32_t i = 0; i < e->args.n && !found; i++)
    found = may_fail(x->p, pv_arg(x->p, e->args, i));
  return found;
}

/* Collects the objects that invariants read in `read`. */
static void find_invariants_reads(struct finder *x, uint64_t *read) {
  for (uint32_t i = 0; i < x->p->invariants.n; i++) {
    uint32_t f = x->p->invariants.at[i];
    const struct pv_function *fn = &x->p->functions.at[f];
    for (uint32_t k = 0; k < fn->edges.n; k++)
      if (fn->edges.at[k].op == PV_OP_LOAD)
        pv_points_to_address(x->pt, f, fn->edges.at[k].e[0], read);
  }
}

static bool writes_some(struct finder *x, uint32_t function, const struct pv_edge *e,
                        const uint64_t *read) {
  uint32_t words = pv_points_to_words(x->pt);
  bool writes = e->op == PV_OP_STORE || e->op == PV_OP_RMW || e->op == PV_OP_CMPXCHG ||
                e->op == PV_OP_COPY || e->op == PV_OP_FILL || e->op == PV_OP_FREE;
  if (!writes) return false;
  memset(x->set, 0, words * sizeof *x->set);
  pv_points_to_address(x->pt, function, e->e[0], x->set);
  for (uint32_t w = 0; w < words; w++)
    if (x->set[w] & read[w]) return true;
  return false;
}

static bool is_location(struct finder *x, pv_properties asked, uint32_t function,
                        const struct pv_edge *e, const uint64_t *read) {
  pv_properties leaks = PV_PROP_BIT(PV_PROP_VALID_MEMTRACK) | PV_PROP_BIT(PV_PROP_VALID_MEMCLEANUP);
  if (asked & leaks && e->op == PV_OP_STOP && e->aux == PV_STOP_EXIT) return true;
  if (asked & PV_PROP_BIT(PV_PROP_DEF_BEHAVIOR) && may_be_undefined(x, e)) return true;
  return asked & PV_PROP_BIT(PV_PROP_INVARIANT) && writes_some(x, function, e, read);
}

static void find_locations(struct finder *x, pv_properties asked) {
  pv_properties by_slice = PV_PROP_BIT(PV_PROP_UNREACH_CALL) | PV_PROP_BIT(PV_PROP_OBSERVER) |
                           PV_PROP_BIT(PV_PROP_NO_OVERFLOW) | PV_PROP_BIT(PV_PROP_VALID_DEREF) |
                           PV_PROP_BIT(PV_PROP_VALID_FREE);
  uint64_t *read = pv_alloc(((size_t)pv_points_to_words(x->pt) + 1) * sizeof *read);
  pv_statements list = {0};
  pv_essential(x->p, x->pt, NULL, asked & by_slice, &list);
  for (uint32_t i = 0; i < list.n; i++) {
    struct pv_statement s = list.at[i];
    if (runs(x, s.function))
      add(&x->t->location, s.function, x->p->functions.at[s.function].edges.at[s.edge].from);
  }
  if (asked & PV_PROP_BIT(PV_PROP_INVARIANT)) find_invariants_reads(x, read);
  for (uint32_t f = 0; asked & ~by_slice && f < x->p->functions.n; f++)
    for (uint32_t i = 0; runs(x, f) && i < x->p->functions.at[f].edges.n; i++) {
      const struct pv_edge *e = &x->p->functions.at[f].edges.at[i];
      if (is_location(x, asked, f, e, read)) add(&x->t->location, f, e->from);
    }
  free(read);
  pv_vec_free(&list);
}

/* ---- regions --------------------------------------------------------------------------------- */
static enum pv_status find_regions(struct finder *x, const struct pv_texts *regions,
                                   struct pv_str *err) {
  struct pv_exclusion found;
  PV_TRY(pv_exclusion_find(x->p, regions, &found, err));
  for (uint32_t f = 0; f < x->p->functions.n; f++) {
    const struct pv_function *fn = &x->p->functions.at[f];
    x->t->in_region[f] = found.functions[f];
    for (pv_loc l = 0; found.functions[f] && runs(x, f) && l < fn->locs.n; l++)
      if (fn->locs.at[l].n_out) add(&x->t->region, f, l);
  }
  for (uint32_t i = 0; i < found.labels.n; i++)
    if (runs(x, found.labels.at[i].function))
      add(&x->t->region, found.labels.at[i].function, found.labels.at[i].loc);
  pv_exclusion_clear(&found);
  return PV_OK;
}

/* ---- waits ----------------------------------------------------------------------------------- */
/* Primitives with a time limit continue by themselves. */
static bool may_wait(const struct pv_prim *prim) {
  return prim && prim->may_block && !strstr(prim->name, "timed");
}

static bool is_lock(const struct pv_program *p, const struct pv_prim *prim) {
  return prim->class == PV_PRIM_OBJECT && prim->acquire && !prim->release &&
         pv_sched_of(p->sched)->section(&(struct pv_prim_call){.prim = prim}) == PV_SECTION_BEGINS;
}

static void find_waits(struct finder *x) {
  struct pv_nesting *held = pv_nesting_new(x->p, x->calls, PV_NESTING_LOCKS);
  pv_place_list locks = {0};
  bool nested = false;
  for (uint32_t f = 0; f < x->p->functions.n; f++)
    for (uint32_t i = 0; runs(x, f) && i < x->p->functions.at[f].edges.n; i++) {
      const struct pv_edge *e = &x->p->functions.at[f].edges.at[i];
      const struct pv_prim *prim = primitive(x, e);
      if (may_wait(prim) || (prim && prim->role == PV_ROLE_EXITS)) add(&x->t->stuck, f, e->from);
      if (!may_wait(prim)) continue;
      bool lock = is_lock(x->p, prim), second = pv_nesting_at(held, f, e->from) & ~1;
      nested = nested || (lock && second);
      add(lock && !second ? &locks : &x->t->waits, f, e->from);
    }
  for (uint32_t i = 0; !nested && i < locks.n; i++) pv_vec_push(&x->t->waits, locks.at[i]);
  pv_vec_free(&locks);
  pv_nesting_free(held);
}

/* ---- races ----------------------------------------------------------------------------------- */
struct access {
  struct pv_place_of place;
  bool write, atomic;
  uint64_t threads;
};
/* The accesses to an object, as indices in `accesses`. */
struct object {
  PV_VEC(uint32_t) by;
};
struct accesses {
  PV_VEC(struct access) all;
  struct object *objects;
};

static void note(struct finder *x, struct accesses *a, struct access access, pv_expr address) {
  uint32_t words = pv_points_to_words(x->pt), n = a->all.n;
  pv_vec_push(&a->all, access);
  memset(x->set, 0, words * sizeof *x->set);
  pv_points_to_address(x->pt, access.place.function, address, x->set);
  for (uint32_t w = 0; w < words; w++)
    for (uint64_t rest = x->set[w]; rest; rest &= rest - 1) {
      uint32_t o = 64 * w + (uint32_t)__builtin_ctzll(rest);
      if (pv_points_to_escapes(x->pt, o)) pv_vec_push(&a->objects[o].by, n);
    }
}

/* Where the creation or join of a thread writes a number or a result, or 0. */
static pv_expr written_by(const struct finder *x, const struct pv_edge *e) {
  const struct pv_prim *prim = x->p->prims.at[e->aux].prim;
  uint32_t which = prim->role == PV_ROLE_JOINS;
  bool writes = which || prim->role == PV_ROLE_CREATES;
  return writes && e->args.n > which ? pv_arg(x->p, e->args, which) : 0;
}

static void note_edge(struct finder *x, struct accesses *a, uint32_t function,
                      const struct pv_edge *e) {
  struct access access = {.place = {function, e->from}, .atomic = e->order != PV_ORDER_NONE};
  access.threads = pv_call_graph_threads(x->calls, function);
  access.write = e->op != PV_OP_LOAD;
  pv_expr address = e->op == PV_OP_PRIM ? written_by(x, e) : e->e[0];
  switch (e->op) {
  case PV_OP_RMW:
  case PV_OP_CMPXCHG: access.atomic = true; break;
  case PV_OP_FREE:
    if (!pv_storage_on_heap(e->aux)) return;
    break;
  case PV_OP_LOAD:
  case PV_OP_STORE:
  case PV_OP_FILL:
  case PV_OP_COPY: break;
  case PV_OP_PRIM:
    if (!address) return;
    break;
  default: return;
  }
  note(x, a, access, address);
  access.write = false;
  if (e->op == PV_OP_COPY) note(x, a, access, e->e[1]);
}

/* Among the accesses to an object that may conflict with a given one: is there any, and is there
 * one that not only the first thread executes? */
struct partners {
  bool any, other;
};

static bool meets(const struct partners *p, uint64_t threads) {
  return threads == 1 ? p->other : p->any;
}

/* Keeps the accesses that may race. [write][plain]: partners that write, or any; plain, or any. */
static void keep_racing(struct accesses *a, struct object *o) {
  struct partners p[2][2] = {0};
  uint32_t n = 0;
  for (uint32_t i = 0; i < o->by.n; i++) {
    const struct access *x = &a->all.at[o->by.at[i]];
    for (int write = 0; write <= x->write; write++)
      for (int plain = 0; plain <= !x->atomic; plain++) {
        p[write][plain].any = p[write][plain].any || x->threads;
        p[write][plain].other = p[write][plain].other || x->threads & ~UINT64_C(1);
      }
  }
  for (uint32_t i = 0; i < o->by.n; i++) {
    const struct access *x = &a->all.at[o->by.at[i]];
    if (x->threads && meets(&p[!x->write][x->atomic], x->threads)) o->by.at[n++] = o->by.at[i];
  }
  o->by.n = n;
}

static void add_race(const struct accesses *a, const struct object *o, struct pv_race_targets *r) {
  for (uint32_t i = 0; i < o->by.n; i++) {
    const struct access *access = &a->all.at[o->by.at[i]];
    add(&r->accesses, access->place.function, access->place.loc);
    if (access->write) add(&r->writes, access->place.function, access->place.loc);
  }
}

/* If there are more candidates, the others are treated as one, which makes its estimate smaller. */
enum { MOST_RACES = 64 };

static void find_races(struct finder *x) {
  struct accesses a = {0};
  struct pv_map known = {0};
  uint32_t n = pv_points_to_objects(x->pt);
  a.objects = pv_alloc(((size_t)n + 1) * sizeof *a.objects);
  for (uint32_t f = 0; f < x->p->functions.n; f++)
    for (uint32_t i = 0; runs(x, f) && i < x->p->functions.at[f].edges.n; i++)
      note_edge(x, &a, f, &x->p->functions.at[f].edges.at[i]);
  for (uint32_t i = 0; i < n; i++) {
    struct object *o = &a.objects[i];
    bool is_new = false;
    keep_racing(&a, o);
    if (o->by.n) pv_map_put(&known, o->by.at, o->by.n * sizeof *o->by.at, 0, &is_new);
    if (is_new) {
      struct pv_race_targets none = {0};
      if (x->t->races.n < MOST_RACES) pv_vec_push(&x->t->races, none);
      add_race(&a, o, &pv_vec_last(&x->t->races));
    }
    pv_vec_free(&o->by);
  }
  for (uint32_t i = 0; i < x->t->races.n; i++) {
    tidy(&x->t->races.at[i].writes);
    tidy(&x->t->races.at[i].accesses);
  }
  pv_map_free(&known);
  pv_vec_free(&a.all);
  free(a.objects);
}

/* ---- all ------------------------------------------------------------------------------------- */
enum pv_status pv_targets_new(const struct pv_program *p, const struct pv_points_to *pt,
                              const struct pv_call_graph *calls, pv_properties properties,
                              const struct pv_texts *regions, struct pv_targets **out,
                              struct pv_str *err) {
  struct finder x = {p, pt, calls, pv_alloc(sizeof *x.t), NULL};
  pv_properties pairs = PV_PROP_BIT(PV_PROP_NO_DATA_RACE) | PV_PROP_BIT(PV_PROP_NO_DEADLOCK);
  x.set = pv_alloc(((size_t)pv_points_to_words(pt) + 1) * sizeof *x.set);
  x.t->in_region = pv_alloc((size_t)p->functions.n + 1);
  *out = x.t;
  enum pv_status status = find_regions(&x, regions, err);
  if (status == PV_OK) {
    find_locations(&x, properties & ~pairs);
    if (properties & PV_PROP_BIT(PV_PROP_NO_DEADLOCK)) find_waits(&x);
    if (properties & PV_PROP_BIT(PV_PROP_NO_DATA_RACE) && pv_call_graph_has_threads(calls))
      find_races(&x);
    tidy(&x.t->location);
    tidy(&x.t->region);
    tidy(&x.t->waits);
    tidy(&x.t->stuck);
  } else {
    pv_targets_free(x.t);
    *out = NULL;
  }
  free(x.set);
  return status;
}

void pv_targets_free(struct pv_targets *t) {
  if (!t) return;
  pv_vec_free(&t->location);
  pv_vec_free(&t->region);
  pv_vec_free(&t->waits);
  pv_vec_free(&t->stuck);
  for (uint32_t i = 0; i < t->races.n; i++) {
    pv_vec_free(&t->races.at[i].writes);
    pv_vec_free(&t->races.at[i].accesses);
  }
  pv_vec_free(&t->races);
  free(t->in_region);
  free(t);
}

bool pv_targets_inside(const struct pv_targets *t, const struct pv_place_of *stack, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (t->in_region[stack[i].function]) return true;
  return false;
}

uint32_t *pv_targets_nodes(const struct pv_dgraph *g, const pv_place_list *places) {
  uint32_t *nodes = pv_alloc(((size_t)places->n + 1) * sizeof *nodes);
  for (uint32_t i = 0; i < places->n; i++)
    nodes[i] = pv_dgraph_node(g, places->at[i].function, places->at[i].loc);
  return nodes;
}

static void append(pv_place_list *to, const pv_place_list *from) {
  for (uint32_t i = 0; i < from->n; i++) pv_vec_push(to, from->at[i]);
}

pv_place_list pv_targets_all(const struct pv_targets *t) {
  pv_place_list all = {0};
  append(&all, &t->location);
  append(&all, &t->region);
  append(&all, &t->waits);
  for (uint32_t i = 0; i < t->races.n; i++) append(&all, &t->races.at[i].accesses);
  tidy(&all);
  return all;
}
