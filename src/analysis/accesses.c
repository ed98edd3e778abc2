/* accesses.c -- which memory functions access, including their callees; queries.
 *
 * The sets of an instance are bit sets. If the number of instances times that of groups is more
 * than SET_BITS, the groups that most edges access become wide, until the rest fits. */
#include "analysis/accesses_internal.h"

#include "analysis/graph.h"

#define SET_BITS (UINT64_C(1) << 28)

/* ---- too many groups ------------------------------------------------------------------------- */
struct weighed {
  uint32_t weight, group;
};

static int compare(const void *a, const void *b) {
  const struct weighed *x = a, *y = b;
  if (x->weight != y->weight) return x->weight < y->weight ? -1 : 1;
  return x->group < y->group ? -1 : x->group > y->group;
}

static void widen(struct pv_accesses *a) {
  uint64_t keep = SET_BITS / (a->n_instances + 1);
  a->wide = pv_alloc(a->n_groups + 1);
  if (a->n_groups <= keep) return;
  struct weighed *order = pv_alloc((a->n_groups + 1) * sizeof *order);
  for (uint32_t g = 0; g < a->n_groups; g++) order[g].group = g;
  for (uint32_t i = 0; i < a->records.n; i++) {
    struct pv_acc_list list = a->lists.at[a->records.at[i].set];
    for (uint32_t k = 0; k < list.n; k++) order[a->group_pool.at[list.first + k]].weight++;
  }
  qsort(order, a->n_groups, sizeof *order, compare);
  for (uint64_t i = keep; i < a->n_groups; i++) a->wide[order[i].group] = 1;
  free(order);
}

/* ---- sets of instances ----------------------------------------------------------------------- */
static void add_bit(uint64_t *set, uint32_t i) {
  set[i / 64] |= UINT64_C(1) << i % 64;
}

static void add_own(struct pv_accesses *a) {
  for (uint32_t i = 0; i < a->records.n; i++) {
    const struct pv_acc_record *r = &a->records.at[i];
    struct pv_acc_list list = a->lists.at[r->set];
    size_t at = (size_t)r->instance * a->words;
    for (uint32_t k = 0; k < list.n; k++) {
      uint32_t g = a->group_pool.at[list.first + k];
      if (a->wide[g]) continue;
      add_bit(a->use + at, g);
      if (r->use & PV_ACC_WRITE) add_bit(a->mod + at, g);
    }
  }
}

/* By group: the function with whose frame it ends, PV_NO_FUNC: none. */
static uint32_t *owners(const struct pv_accesses *a) {
  uint32_t *owner = pv_alloc((a->n_groups + 1) * sizeof *owner);
  for (uint32_t g = 0; g < a->n_groups; g++)
    for (uint32_t i = a->members_first[g]; i < a->members_first[g + 1]; i++) {
      uint32_t thing = a->members.at[i], f = PV_NO_FUNC;
      if (thing < 2 * a->n_objects) {
        const struct pv_pt_object *is =
            pv_points_to_object(a->pt, a->object.at[thing % a->n_objects]);
        bool frame = is->kind == PV_PT_SLOT || is->kind == PV_PT_ALLOCA;
        if (frame && !pv_call_graph_recurs(a->calls, is->function)) f = is->function;
      }
      bool first = i == a->members_first[g];
      owner[g] = first || owner[g] == f ? f : PV_NO_FUNC;
    }
  return owner;
}

struct walk {
  struct pv_accesses *a;
  /* Calls between instances; the groups that end with each function. */
  struct pv_graph calls, owned;
};

static void call_arcs(const struct pv_accesses *a, pv_arcs *arcs) {
  for (uint32_t f = 0; f < a->p->functions.n; f++) {
    const uint32_t *instances, *to;
    uint32_t n = pv_points_to_instances(a->pt, f, &instances), n_to;
    for (uint32_t k = 0; n && k < a->p->functions.at[f].edges.n; k++) {
      if (a->p->functions.at[f].edges.at[k].op != PV_OP_CALL) continue;
      for (uint32_t i = 0; i < n; i++) {
        to = pv_points_to_calls(a->pt, instances[i], k, &n_to);
        for (uint32_t x = 0; x < n_to; x++) {
          struct pv_arc arc = {instances[i], to[x]};
          pv_vec_push(arcs, arc);
        }
      }
    }
  }
}

/* Adds what callees access. Returns true if that is new. */
static bool update(const struct walk *w, uint32_t instance) {
  struct pv_accesses *a = w->a;
  uint64_t *mod = a->mod + (size_t)instance * a->words, *use = a->use + (size_t)instance * a->words;
  uint64_t fresh = 0;
  uint32_t function = pv_points_to_function_of(a->pt, instance);
  for (uint32_t i = w->calls.first[instance]; i < w->calls.first[instance + 1]; i++) {
    size_t from = (size_t)w->calls.to[i] * a->words;
    for (uint32_t k = 0; k < a->words; k++) {
      fresh |= (a->mod[from + k] & ~mod[k]) | (a->use[from + k] & ~use[k]);
      mod[k] |= a->mod[from + k];
      use[k] |= a->use[from + k];
    }
  }
  for (uint32_t i = w->owned.first[function]; i < w->owned.first[function + 1]; i++) {
    uint32_t g = w->owned.to[i];
    mod[g / 64] &= ~(UINT64_C(1) << g % 64);
    use[g / 64] &= ~(UINT64_C(1) << g % 64);
  }
  return fresh != 0;
}

static struct pv_graph by_component(const struct pv_graph *g) {
  uint32_t count, *component = pv_components(g, &count);
  pv_arcs arcs = {0};
  for (uint32_t v = 0; v < g->n; v++) {
    struct pv_arc arc = {component[v], v};
    pv_vec_push(&arcs, arc);
  }
  struct pv_graph order = pv_graph_new(count, &arcs);
  pv_vec_free(&arcs);
  free(component);
  return order;
}

/* Processes callees first; instances that call each other, until nothing changes. */
static void close_sets(struct pv_accesses *a) {
  struct walk w = {.a = a};
  pv_arcs arcs = {0};
  call_arcs(a, &arcs);
  w.calls = pv_graph_new(a->n_instances, &arcs);
  arcs.n = 0;
  uint32_t *owner = owners(a);
  for (uint32_t g = 0; g < a->n_groups; g++) {
    struct pv_arc arc = {owner[g], g};
    if (owner[g] != PV_NO_FUNC) pv_vec_push(&arcs, arc);
  }
  w.owned = pv_graph_new(a->p->functions.n, &arcs);
  struct pv_graph order = by_component(&w.calls);
  for (uint32_t c = 0; c < order.n; c++)
    for (bool changed = true; changed;) {
      changed = false;
      for (uint32_t i = order.first[c]; i < order.first[c + 1]; i++)
        changed |= update(&w, order.to[i]);
      changed &= order.first[c + 1] - order.first[c] > 1;
    }
  pv_graph_free(&order);
  pv_graph_free(&w.calls);
  pv_graph_free(&w.owned);
  pv_vec_free(&arcs);
  free(owner);
}

/* If nothing is known about calls, every function accesses everything. */
static void fill_sets(struct pv_accesses *a) {
  for (uint32_t i = 0; i < a->n_instances; i++)
    for (uint32_t g = 0; g < a->n_groups; g++) {
      if (a->wide[g]) continue;
      add_bit(a->mod + (size_t)i * a->words, g);
      add_bit(a->use + (size_t)i * a->words, g);
    }
}

struct pv_accesses *pv_accesses_new(const struct pv_program *p, const struct pv_points_to *pt,
                                    const struct pv_call_graph *calls) {
  struct pv_accesses *a = pv_alloc(sizeof *a);
  a->p = p;
  a->pt = pt;
  a->calls = calls;
  pv_acc_collect(a);
  pv_acc_group(a);
  for (uint32_t f = 0; f < p->functions.n; f++) {
    const uint32_t *instances;
    uint32_t n = pv_points_to_instances(pt, f, &instances);
    for (uint32_t i = 0; i < n; i++)
      if (instances[i] >= a->n_instances) a->n_instances = instances[i] + 1;
  }
  widen(a);
  a->words = (a->n_groups + 63) / 64;
  a->mod = pv_alloc(((size_t)a->n_instances * a->words + 1) * sizeof *a->mod);
  a->use = pv_alloc(((size_t)a->n_instances * a->words + 1) * sizeof *a->use);
  if (pv_points_to_complete(pt)) {
    add_own(a);
    close_sets(a);
  } else {
    fill_sets(a);
  }
  pv_vec_free(&a->records);
  pv_vec_free(&a->pool);
  pv_vec_free(&a->sets);
  pv_map_free(&a->set_keys);
  pv_map_free(&a->list_keys);
  return a;
}

void pv_accesses_free(struct pv_accesses *a) {
  if (!a) return;
  for (uint32_t f = 0; f < a->p->functions.n; f++) free(a->edges[f]);
  free(a->edges);
  free(a->is_sync);
  free(a->group);
  free(a->members_first);
  free(a->threads);
  free(a->between);
  free(a->wide);
  free(a->mod);
  free(a->use);
  pv_vec_free(&a->things);
  pv_vec_free(&a->object);
  pv_vec_free(&a->members);
  pv_vec_free(&a->group_pool);
  pv_vec_free(&a->lists);
  free(a);
}

/* ---- queries --------------------------------------------------------------------------------- */
uint32_t pv_accesses_groups(const struct pv_accesses *a) {
  return a->n_groups;
}

uint64_t pv_accesses_threads(const struct pv_accesses *a, uint32_t group) {
  return a->threads[group];
}

bool pv_accesses_between_threads(const struct pv_accesses *a, uint32_t group) {
  return a->between[group];
}

void pv_accesses_name(const struct pv_accesses *a, uint32_t group, struct pv_str *out) {
  static const char *const names[] = {"ends of threads", "ends of sections", "freed addresses"};
  for (uint32_t i = a->members_first[group]; i < a->members_first[group + 1]; i++) {
    uint32_t thing = a->members.at[i];
    if (i > a->members_first[group]) pv_str_add(out, ", ");
    if (thing >= 2 * a->n_objects) {
      pv_str_add(out, names[thing - 2 * a->n_objects]);
      continue;
    }
    if (thing >= a->n_objects) pv_str_add(out, "state of ");
    pv_points_to_name(a->pt, a->object.at[thing % a->n_objects], out);
  }
}

static const uint32_t *list_at(const struct pv_accesses *a, uint32_t list, uint32_t *n) {
  *n = a->lists.at[list].n;
  return a->group_pool.at + a->lists.at[list].first;
}

const uint32_t *pv_accesses_read(const struct pv_accesses *a, uint32_t function, uint32_t edge,
                                 uint32_t *n) {
  return list_at(a, a->edges[function] ? a->edges[function][edge].read : 0, n);
}

const uint32_t *pv_accesses_written(const struct pv_accesses *a, uint32_t function, uint32_t edge,
                                    uint32_t *n, bool *all) {
  *all = a->edges[function] && a->edges[function][edge].all;
  return list_at(a, a->edges[function] ? a->edges[function][edge].written : 0, n);
}

uint32_t pv_accesses_slot(const struct pv_accesses *a, uint32_t function, uint32_t edge) {
  uint32_t slot = a->edges[function] ? a->edges[function][edge].slot : 0;
  return slot ? slot - 1 : PV_NO_SLOT;
}

uint32_t pv_accesses_words(const struct pv_accesses *a) {
  return a->words;
}

const uint64_t *pv_accesses_mod(const struct pv_accesses *a, uint32_t instance) {
  return a->mod + (size_t)instance * a->words;
}

const uint64_t *pv_accesses_use(const struct pv_accesses *a, uint32_t instance) {
  return a->use + (size_t)instance * a->words;
}

bool pv_accesses_is_wide(const struct pv_accesses *a, uint32_t group) {
  return a->wide[group];
}
