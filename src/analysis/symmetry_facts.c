#include "analysis/symmetry_facts.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/points_to.h"
#include "sched/sched.h"

struct look {
  const struct pv_program *p;
  struct pv_points_to *pt;
  uint32_t words;
  uint64_t *set;    /* scratch */
  uint64_t *made;   /* objects that created threads may create, or have copies of */
  uint8_t *running; /* by instance: may a created thread execute it? */
  struct pv_symmetry_facts facts;
};

static bool is_prim(const struct look *k, const struct pv_edge *e, const char *name) {
  return e->op == PV_OP_PRIM && strcmp(k->p->prims.at[e->aux].prim->name, name) == 0;
}

/* ---- objects that threads create ------------------------------------------------------------- */
static void visit_instance(struct look *k, uint32_t instance) {
  if (k->running[instance]) return;
  k->running[instance] = 1;
  const struct pv_function *f = &k->p->functions.at[pv_points_to_function_of(k->pt, instance)];
  for (uint32_t i = 0; i < f->edges.n; i++) {
    uint32_t n = 0;
    if (f->edges.at[i].op != PV_OP_CALL) continue;
    const uint32_t *callees = pv_points_to_calls(k->pt, instance, i, &n);
    for (uint32_t c = 0; c < n; c++) visit_instance(k, callees[c]);
  }
}

static bool runs(const struct look *k, uint32_t function) {
  const uint32_t *instances;
  uint32_t n = pv_points_to_instances(k->pt, function, &instances);
  for (uint32_t i = 0; i < n; i++)
    if (k->running[instances[i]]) return true;
  return false;
}

static bool may_be_made(const struct look *k, const struct pv_pt_object *o) {
  switch (o->kind) {
  case PV_PT_GLOBAL: return k->p->globals.at[o->index].is_thread_local;
  case PV_PT_FUNCTION: return false;
  case PV_PT_SLOT:
  case PV_PT_HEAP:
  case PV_PT_ALLOCA: return runs(k, o->function);
  case PV_PT_ANYTHING: break;
  }
  return true;
}

static void find_made(struct look *k) {
  for (uint32_t f = 0; f < k->p->functions.n; f++) {
    const uint32_t *instances;
    uint32_t n = pv_points_to_instances(k->pt, f, &instances);
    for (uint32_t e = 0; e < k->p->functions.at[f].edges.n; e++) {
      const struct pv_edge *edge = &k->p->functions.at[f].edges.at[e];
      if (edge->op != PV_OP_PRIM || k->p->prims.at[edge->aux].prim->role != PV_ROLE_CREATES)
        continue;
      for (uint32_t i = 0; i < n; i++) {
        uint32_t starts;
        const uint32_t *start = pv_points_to_calls(k->pt, instances[i], e, &starts);
        for (uint32_t s = 0; s < starts; s++) visit_instance(k, start[s]);
      }
    }
  }
  for (uint32_t o = 0; o < pv_points_to_objects(k->pt); o++)
    if (may_be_made(k, pv_points_to_object(k->pt, o))) k->made[o / 64] |= UINT64_C(1) << (o % 64);
}

/* Does the scratch set contain one of those objects, or anything unknown? */
static bool hits(const struct look *k, bool unknown) {
  for (uint32_t w = 0; w < k->words; w++)
    if (k->set[w] & k->made[w]) return true;
  return unknown || !pv_points_to_complete(k->pt);
}

static void clear(struct look *k) {
  memset(k->set, 0, k->words * sizeof *k->set);
}

/* ---- addresses as numbers -------------------------------------------------------------------- */
static bool may_hold(struct look *k, uint32_t object) {
  clear(k);
  return hits(k, pv_points_to_contents(k->pt, object, k->set));
}

static bool is_number(pv_type t) {
  return pv_type_kind(t) != PV_T_PTR;
}

static bool casts(struct look *k, uint32_t function, pv_expr e) {
  const struct pv_expr_node *n = pv_node(k->p, e);
  if (!e || !pv_expr_ops[n->op].arity) return false;
  if (n->op == PV_X_BITCAST && is_number(n->type) && !is_number(pv_node(k->p, n->a)->type)) {
    clear(k);
    if (hits(k, pv_points_to_address(k->pt, function, n->a, k->set))) return true;
  }
  return casts(k, function, n->a) || casts(k, function, n->b) || casts(k, function, n->c);
}

/* Does the edge read bytes of such an address from memory as a number? */
static bool reads_bytes(struct look *k, uint32_t function, const struct pv_edge *e) {
  if ((e->op != PV_OP_LOAD && e->op != PV_OP_RMW && e->op != PV_OP_CMPXCHG) || !is_number(e->type))
    return false;
  if (!k->facts.in_memory) return false;
  clear(k);
  bool unknown = pv_points_to_address(k->pt, function, e->e[0], k->set);
  if (unknown || !pv_points_to_complete(k->pt)) return true;
  uint64_t *objects = pv_alloc(k->words * sizeof *objects);
  memcpy(objects, k->set, k->words * sizeof *objects);
  bool any = false;
  for (uint32_t o = 0; o < pv_points_to_objects(k->pt) && !any; o++)
    any = (objects[o / 64] >> (o % 64) & 1) && may_hold(k, o);
  free(objects);
  return any;
}

static bool makes_number(struct look *k, uint32_t function, const struct pv_edge *e) {
  for (unsigned i = 0; i < 3; i++)
    if (casts(k, function, e->e[i])) return true;
  for (uint32_t i = 0; i < e->args.n; i++)
    if (casts(k, function, pv_arg(k->p, e->args, i))) return true;
  return reads_bytes(k, function, e);
}

/* ---- writes by created threads --------------------------------------------------------------- */
static void may_write(struct look *k, uint32_t function, pv_expr address) {
  clear(k);
  bool unknown = pv_points_to_address(k->pt, function, address, k->set);
  if (unknown || !pv_points_to_complete(k->pt)) {
    memset(k->facts.written, 1, k->p->globals.n);
    return;
  }
  for (uint32_t o = 0; o < pv_points_to_objects(k->pt); o++) {
    const struct pv_pt_object *object = pv_points_to_object(k->pt, o);
    if ((k->set[o / 64] >> (o % 64) & 1) && object->kind == PV_PT_GLOBAL)
      k->facts.written[object->index] = 1;
  }
}

/* A primitive may write to all its arguments. */
static void note_writes(struct look *k, uint32_t function, const struct pv_edge *e) {
  switch (e->op) {
  case PV_OP_STORE:
  case PV_OP_RMW:
  case PV_OP_CMPXCHG:
  case PV_OP_COPY:
  case PV_OP_FILL: may_write(k, function, e->e[0]); break;
  case PV_OP_PRIM:
    for (uint32_t i = 0; i < e->args.n; i++) may_write(k, function, pv_arg(k->p, e->args, i));
    break;
  default: break;
  }
}

/* ---- detached threads ------------------------------------------------------------------------ */
/* Is the variable 0 whenever it is set? A load that cannot access anything does not set it. */
static bool is_never_set(struct look *k, uint32_t function, uint32_t variable) {
  const struct pv_function *f = &k->p->functions.at[function];
  for (uint32_t i = 0; i < f->edges.n; i++) {
    const struct pv_edge *e = &f->edges.at[i];
    for (uint32_t d = 0; d < e->dsts.n; d++)
      if (pv_arg(k->p, e->dsts, d) == variable) return false;
    if (e->dst != variable && e->dst2 != variable) continue;
    if (e->op == PV_OP_ASSIGN && pv_node(k->p, e->e[0])->op == PV_X_CONST &&
        !pv_node(k->p, e->e[0])->lo)
      continue;
    if (e->op != PV_OP_LOAD) return false;
    clear(k);
    if (pv_points_to_address(k->pt, function, e->e[0], k->set)) return false;
    for (uint32_t w = 0; w < k->words; w++)
      if (k->set[w]) return false;
  }
  return variable >= f->n_params;
}

static bool creates_detached(struct look *k, uint32_t function, const struct pv_edge *e) {
  if (!is_prim(k, e, "__proviso_thread_create")) return false;
  const struct pv_expr_node *n = pv_node(k->p, pv_arg(k->p, e->args, 3));
  if (n->op == PV_X_CONST) return n->lo != 0;
  return n->op != PV_X_VAR || !is_never_set(k, function, (uint32_t)n->lo);
}

void pv_symmetry_facts_clear(struct pv_symmetry_facts *f) {
  free(f->written);
  *f = (struct pv_symmetry_facts){0};
}

/* ---- all ------------------------------------------------------------------------------------- */
static void look_at(struct look *k, uint32_t function, const struct pv_edge *e) {
  struct pv_symmetry_facts *facts = &k->facts;
  if (is_prim(k, e, "__proviso_thread_self") && e->dst != PV_NO_VAR)
    facts->obstacle = "uses the result of pthread_self";
  if (is_prim(k, e, "__proviso_thread_cancel")) facts->obstacle = "cancels threads";
  if (is_prim(k, e, "__proviso_thread_detach") || creates_detached(k, function, e))
    facts->detaches = true;
  bool manages = is_prim(k, e, "__proviso_thread_create") ||
                 is_prim(k, e, "__proviso_thread_join") || is_prim(k, e, "__proviso_thread_detach");
  bool created = !pv_points_to_complete(k->pt) || runs(k, function);
  if (manages && created) facts->nested = true;
  if (created) note_writes(k, function, e);
  if (!facts->as_numbers && makes_number(k, function, e)) {
    facts->as_numbers = true;
    if (!facts->obstacle)
      facts->obstacle = "may compute with addresses of its threads' objects as numbers";
  }
}

struct pv_symmetry_facts pv_symmetry_facts(const struct pv_program *p) {
  struct look k = {.p = p, .pt = pv_points_to_new(p, NULL)};
  k.words = pv_points_to_words(k.pt);
  k.facts.written = pv_alloc(p->globals.n + 1);
  k.set = pv_alloc((k.words + 1) * sizeof *k.set);
  k.made = pv_alloc((k.words + 1) * sizeof *k.made);
  uint32_t instances = 0;
  for (uint32_t f = 0; f < p->functions.n; f++) {
    const uint32_t *list;
    uint32_t n = pv_points_to_instances(k.pt, f, &list);
    for (uint32_t i = 0; i < n; i++)
      if (list[i] >= instances) instances = list[i] + 1;
  }
  k.running = pv_alloc(instances + 1);
  if (pv_points_to_complete(k.pt)) find_made(&k);
  k.facts.in_memory = !pv_points_to_complete(k.pt);
  for (uint32_t o = 0; o < pv_points_to_objects(k.pt) && !k.facts.in_memory; o++)
    k.facts.in_memory = may_hold(&k, o);
  if (p->invariants.n && k.facts.in_memory) /* the functions of invariants were not analysed */
    k.facts.obstacle = "has addresses of its threads' objects in memory, besides invariants";
  for (uint32_t f = 0; f < p->functions.n; f++)
    for (uint32_t i = 0; i < p->functions.at[f].edges.n; i++)
      look_at(&k, f, &p->functions.at[f].edges.at[i]);
  free(k.running);
  free(k.made);
  free(k.set);
  pv_points_to_free(k.pt);
  return k.facts;
}
