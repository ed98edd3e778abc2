#include "analysis/future.h"

#include <stdlib.h>
#include <string.h>

#include "sched/sched.h"

struct function_future {
  uint16_t *at; /* locs x regions: effects until return */
  uint16_t *total;
};

struct pv_future {
  const struct pv_program *p;
  uint32_t n_regions;
  uint32_t *region; /* by global */
  uint8_t *add;     /* by region: bytes of the additions to it, MIXED_ADDS if they may overlap */
  struct function_future *functions;
  uint8_t *taken;      /* functions whose address is taken */
  uint16_t *any_taken; /* union of the totals of these */
};

unsigned pv_effects_conflicting(unsigned a) {
  static const struct {
    unsigned effect, conflicts;
  } table[] = {
      {PV_EFF_READ, PV_EFF_WRITE | PV_EFF_ADD},
      {PV_EFF_WRITE, PV_EFF_READ | PV_EFF_WRITE | PV_EFF_ADD},
      {PV_EFF_ADD, PV_EFF_READ | PV_EFF_WRITE},
      {PV_EFF_LOCK, PV_EFF_LOCK | PV_EFF_SYNC},
      {PV_EFF_UNLOCK, PV_EFF_SYNC},
      {PV_EFF_SYNC,
       PV_EFF_LOCK | PV_EFF_UNLOCK | PV_EFF_SYNC | PV_EFF_SPAWN | PV_EFF_JOIN | PV_EFF_EXIT},
      /* threads are numbered; a join frees a number, and waits for the exit */
      {PV_EFF_SPAWN, PV_EFF_SPAWN | PV_EFF_JOIN | PV_EFF_EXIT | PV_EFF_SYNC},
      {PV_EFF_JOIN, PV_EFF_SPAWN | PV_EFF_SYNC},
      {PV_EFF_EXIT, PV_EFF_SPAWN | PV_EFF_SYNC},
  };
  unsigned all = 0;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (a & table[i].effect) all |= table[i].conflicts;
  return all;
}

enum { MIXED_ADDS = 255 };

bool pv_effects_conflict(unsigned a, unsigned b) {
  return (pv_effects_conflicting(a) & b) != 0;
}

unsigned pv_effects_enabling(unsigned a) {
  unsigned all = 0;
  if (a & PV_EFF_LOCK) all |= PV_EFF_UNLOCK | PV_EFF_SYNC | PV_EFF_EXIT;
  if (a & PV_EFF_SYNC) all |= PV_EFF_LOCK | PV_EFF_UNLOCK | PV_EFF_SYNC | PV_EFF_EXIT;
  if (a & PV_EFF_JOIN) all |= PV_EFF_EXIT | PV_EFF_SYNC;
  return all;
}

unsigned pv_prim_effects(const char *name, bool *on_threads) {
  static const struct {
    const char *name;
    unsigned effects;
    bool threads;
  } table[] = {{"__proviso_mutex_lock", PV_EFF_LOCK, false},
               {"__proviso_mutex_unlock", PV_EFF_UNLOCK, false},
               {"__proviso_spin_lock", PV_EFF_LOCK, false},
               {"__proviso_spin_unlock", PV_EFF_UNLOCK, false},
               {"__proviso_sem_wait", PV_EFF_LOCK, false},
               {"__proviso_sem_post", PV_EFF_UNLOCK, false},
               {"__proviso_thread_create", PV_EFF_SPAWN, true},
               {"__proviso_thread_join", PV_EFF_JOIN, true},
               {"__proviso_thread_exit", PV_EFF_EXIT, true},
               {"__proviso_thread_detach", PV_EFF_SYNC, true},
               {"__proviso_thread_yield", 0, true},
               {"__proviso_thread_self", 0, true}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (strcmp(name, table[i].name) == 0) {
      *on_threads = table[i].threads;
      return table[i].effects;
    }
  *on_threads = false;
  return PV_EFF_SYNC;
}

/* ---- which globals are only accessed directly --------------------------------------------------
 */
static bool direct_root(const struct pv_program *p, pv_expr e, uint32_t *global) {
  const struct pv_expr_node *n = pv_node(p, e);
  while (n->op == PV_X_PTRADD) n = pv_node(p, n->a);
  if (n->op != PV_X_GLOBAL || p->globals.at[n->lo].is_thread_local) return false;
  *global = (uint32_t)n->lo;
  return true;
}

static void taint(struct pv_future *f, pv_expr e) {
  if (!e) return;
  const struct pv_expr_node *n = pv_node(f->p, e);
  if (n->op == PV_X_GLOBAL) f->region[n->lo] = PV_REGION_OTHER;
  if (n->op == PV_X_FUNC) f->taken[n->lo] = 1;
  if (!pv_expr_ops[n->op].arity) return;
  taint(f, n->a);
  taint(f, n->b);
  taint(f, n->c);
}

/* In an address, the root may be a global without its address travelling; offsets are values. */
static void taint_address(struct pv_future *f, pv_expr e) {
  const struct pv_expr_node *n = pv_node(f->p, e);
  if (n->op == PV_X_GLOBAL) return;
  if (n->op == PV_X_PTRADD) {
    taint_address(f, n->a);
    taint(f, n->b);
  } else
    taint(f, e);
}

static bool accesses(unsigned op) {
  return op == PV_OP_LOAD || op == PV_OP_STORE || op == PV_OP_RMW || op == PV_OP_CMPXCHG ||
         op == PV_OP_FILL || op == PV_OP_COPY;
}

static unsigned object_arguments(const struct pv_prim *prim) {
  return prim->class != PV_PRIM_OBJECT ? 0 : prim->two_objects ? 2 : 1;
}

static void taint_edge(struct pv_future *f, const struct pv_edge *e) {
  for (unsigned i = 0; i < 3; i++) {
    if (!e->e[i]) continue;
    bool address = accesses(e->op) && (i == 0 || (i == 1 && e->op == PV_OP_COPY));
    if (address)
      taint_address(f, e->e[i]);
    else
      taint(f, e->e[i]);
  }
  unsigned objects = e->op == PV_OP_PRIM ? object_arguments(f->p->prims.at[e->aux].prim) : 0;
  for (uint32_t i = 0; i < e->args.n; i++) {
    if (i < objects)
      taint_address(f, pv_arg(f->p, e->args, i));
    else
      taint(f, pv_arg(f->p, e->args, i));
  }
}

static void find_regions(struct pv_future *f) {
  const struct pv_program *p = f->p;
  for (uint32_t g = 0; g < p->globals.n; g++)
    f->region[g] = p->globals.at[g].is_thread_local ? PV_REGION_OTHER : PV_REGION_FIRST_GLOBAL;
  for (uint32_t i = 0; i < p->functions.n; i++)
    for (uint32_t k = 0; k < p->functions.at[i].edges.n; k++)
      taint_edge(f, &p->functions.at[i].edges.at[k]);
  for (uint32_t g = 0; g < p->globals.n; g++)
    for (uint32_t k = 0; k < p->globals.at[g].relocs.n; k++)
      taint(f, p->globals.at[g].relocs.at[k].value);
  uint64_t locs = 0;
  for (uint32_t i = 0; i < p->functions.n; i++) locs += p->functions.at[i].locs.n + 1;
  bool few = locs * (p->globals.n + PV_REGION_FIRST_GLOBAL) < (uint64_t)256 << 20;
  f->n_regions = PV_REGION_FIRST_GLOBAL;
  for (uint32_t g = 0; g < p->globals.n; g++)
    if (f->region[g] != PV_REGION_OTHER) f->region[g] = few ? f->n_regions++ : PV_REGION_OTHER;
}

/* ---- effects --------------------------------------------------------------------------------- */
static uint32_t address_region(const struct pv_future *f, pv_expr e) {
  uint32_t global;
  return direct_root(f->p, e, &global) ? f->region[global] : PV_REGION_OTHER;
}

/* Two additions commute if they are to the same object or to different ones, not to parts of each
 * other: all additions to a region are of one size, and aligned. */
static void find_additions(struct pv_future *f) {
  f->add[PV_REGION_OTHER] = MIXED_ADDS;
  for (uint32_t i = 0; i < f->p->functions.n; i++)
    for (uint32_t k = 0; k < f->p->functions.at[i].edges.n; k++) {
      const struct pv_edge *e = &f->p->functions.at[i].edges.at[k];
      if (!pv_only_adds(e)) continue;
      uint8_t *add = &f->add[address_region(f, e->e[0])], bytes = (uint8_t)pv_type_bytes(e->type);
      *add = (*add && *add != bytes) || e->align < bytes ? MIXED_ADDS : bytes;
    }
}

unsigned pv_future_add_effects(const struct pv_future *f, uint32_t region) {
  return f->add[region] == MIXED_ADDS ? PV_EFF_READ | PV_EFF_WRITE : PV_EFF_ADD;
}

static bool unite(uint16_t *to, const uint16_t *from, uint32_t n) {
  bool changed = false;
  for (uint32_t i = 0; i < n; i++) {
    changed |= (from[i] & ~to[i]) != 0;
    to[i] |= from[i];
  }
  return changed;
}

static void prim_effect(const struct pv_future *f, const struct pv_edge *e, uint16_t *set) {
  const struct pv_prim *prim = f->p->prims.at[e->aux].prim;
  bool on_threads;
  unsigned effects = pv_prim_effects(prim->name, &on_threads);
  if (on_threads) {
    set[PV_REGION_THREADS] |= (uint16_t)effects;
    if (effects & PV_EFF_SPAWN) unite(set, f->any_taken, f->n_regions);
    if (effects & PV_EFF_SPAWN) set[PV_REGION_OTHER] |= PV_EFF_WRITE; /* the new thread's id */
    if (effects & PV_EFF_JOIN) set[PV_REGION_OTHER] |= PV_EFF_WRITE;  /* the result */
    return;
  }
  for (unsigned i = 0; i < object_arguments(prim); i++)
    set[address_region(f, pv_arg(f->p, e->args, i))] |= (uint16_t)(effects | PV_EFF_READ);
}

static bool allocates_on_frame(const struct pv_function *fn) {
  for (uint32_t i = 0; i < fn->edges.n; i++)
    if (fn->edges.at[i].op == PV_OP_ALLOC && fn->edges.at[i].aux != PV_STORAGE_HEAP) return true;
  return false;
}

static void edge_effect(const struct pv_future *f, const struct pv_function *fn,
                        const struct pv_edge *e, uint16_t *set) {
  uint32_t region;
  switch (e->op) {
  case PV_OP_LOAD: set[address_region(f, e->e[0])] |= PV_EFF_READ; break;
  case PV_OP_STORE:
  case PV_OP_FILL: set[address_region(f, e->e[0])] |= PV_EFF_WRITE; break;
  case PV_OP_RMW:
    region = address_region(f, e->e[0]);
    set[region] |=
        (uint16_t)(pv_only_adds(e) ? pv_future_add_effects(f, region) : PV_EFF_READ | PV_EFF_WRITE);
    break;
  case PV_OP_CMPXCHG: set[address_region(f, e->e[0])] |= PV_EFF_READ | PV_EFF_WRITE; break;
  case PV_OP_COPY:
    set[address_region(f, e->e[0])] |= PV_EFF_WRITE;
    set[address_region(f, e->e[1])] |= PV_EFF_READ;
    break;
  case PV_OP_ALLOC: set[PV_REGION_HEAP] |= PV_EFF_WRITE; break;
  case PV_OP_FREE:
    set[PV_REGION_HEAP] |= PV_EFF_WRITE;
    set[PV_REGION_OTHER] |= PV_EFF_WRITE;
    break;
  case PV_OP_LIVE:
  case PV_OP_DEAD: set[PV_REGION_OTHER] |= PV_EFF_WRITE; break;
  case PV_OP_RETURN: /* ends what is on the frame */
    if (fn->slots.n || allocates_on_frame(fn)) set[PV_REGION_OTHER] |= PV_EFF_WRITE;
    break;
  case PV_OP_PRIM: prim_effect(f, e, set); break;
  case PV_OP_CALL:
    unite(set, e->callee == PV_NO_FUNC ? f->any_taken : f->functions[e->callee].total,
          f->n_regions);
    break;
  default: break;
  }
}

static bool update_function(struct pv_future *f, uint32_t index, uint16_t *set) {
  const struct pv_function *fn = &f->p->functions.at[index];
  struct function_future *ff = &f->functions[index];
  bool any = false;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t l = fn->locs.n; l-- > 0;) {
      memset(set, 0, f->n_regions * sizeof *set);
      for (uint32_t k = 0; k < fn->locs.at[l].n_out; k++) {
        const struct pv_edge *e = &fn->edges.at[fn->locs.at[l].first_out + k];
        edge_effect(f, fn, e, set);
        unite(set, ff->at + (size_t)e->to * f->n_regions, f->n_regions);
      }
      changed |= unite(ff->at + (size_t)l * f->n_regions, set, f->n_regions);
    }
    any |= changed;
  }
  if (fn->defined) unite(ff->total, ff->at + (size_t)fn->entry * f->n_regions, f->n_regions);
  if (f->taken[index]) any |= unite(f->any_taken, ff->total, f->n_regions);
  return any;
}

struct pv_future *pv_future_new(const struct pv_program *p) {
  struct pv_future *f = pv_alloc(sizeof *f);
  f->p = p;
  f->region = pv_alloc((p->globals.n + 1) * sizeof *f->region);
  f->taken = pv_alloc(p->functions.n + 1);
  find_regions(f);
  for (uint32_t i = 0; i < p->functions.n; i++) /* every thread's bottom frame */
    if (strcmp(p->functions.at[i].name, "__proviso_thread_main") == 0) f->taken[i] = 1;
  f->add = pv_alloc(f->n_regions);
  find_additions(f);
  f->any_taken = pv_alloc(f->n_regions * sizeof *f->any_taken);
  f->functions = pv_alloc((p->functions.n + 1) * sizeof *f->functions);
  for (uint32_t i = 0; i < p->functions.n; i++) {
    f->functions[i].at = pv_alloc((size_t)(p->functions.at[i].locs.n + 1) * f->n_regions *
                                  sizeof *f->functions[i].at);
    f->functions[i].total = pv_alloc(f->n_regions * sizeof *f->functions[i].total);
  }
  uint16_t *set = pv_alloc(f->n_regions * sizeof *set);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = p->functions.n; i-- > 0;) changed |= update_function(f, i, set);
  }
  free(set);
  return f;
}

void pv_future_free(struct pv_future *f) {
  if (!f) return;
  for (uint32_t i = 0; i < f->p->functions.n; i++) {
    free(f->functions[i].at);
    free(f->functions[i].total);
  }
  free(f->functions);
  free(f->region);
  free(f->add);
  free(f->taken);
  free(f->any_taken);
  free(f);
}

uint32_t pv_future_region(const struct pv_future *f, uint32_t global) {
  return f->region[global];
}

unsigned pv_future_effects(const struct pv_future *f, uint32_t function, pv_loc loc,
                           uint32_t region) {
  return f->functions[function].at[(size_t)loc * f->n_regions + region];
}
