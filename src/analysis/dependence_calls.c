/* dependence_calls.c -- procedures, call sites, and the groups of memory that calls pass. */
#include "analysis/dependence_internal.h"

enum { EFFORT = 64 };

struct bits { /* groups that are used and modified */
  const uint64_t *use, *mod;
};
struct plan {
  struct pv_dep_build *b;
  uint32_t words;
  uint64_t *all_use, *all_mod; /* by procedure */
  PV_VEC(struct bits) site;    /* by site */
  struct pv_map dispatchers;   /* list of callees -> dispatcher */
  uint64_t *kept;              /* set of groups that are not wide */
};

static bool is_thread_site(const struct pv_dep_build *b, const struct pv_dep_site *s) {
  return b->p->functions.at[s->function].edges.at[s->edge].op != PV_OP_CALL;
}

/* ---- procedures ------------------------------------------------------------------------------ */
static void add_functions(struct pv_dep_build *b) {
  for (uint32_t i = 0; i < b->p->functions.n; i++) {
    const struct pv_function *f = &b->p->functions.at[i];
    struct pv_dep_procedure q = {.runs = pv_call_graph_runs(b->calls, i),
                                 .n_params = f->n_params,
                                 .n_results = f->n_results,
                                 .area = f->variadic};
    pv_vec_push(&b->d->procedures, q);
  }
}

static uint32_t dispatcher_of(struct plan *plan, const uint32_t *callees, uint32_t n) {
  struct pv_dependence *d = plan->b->d;
  bool is_new;
  uint32_t at =
      *pv_map_put(&plan->dispatchers, callees, n * sizeof *callees, d->procedures.n, &is_new);
  if (!is_new) return at;
  struct pv_dep_procedure q = {.runs = true, .callees = d->callees.n, .n_callees = n};
  for (uint32_t i = 0; i < n; i++) {
    const struct pv_dep_procedure *c = &d->procedures.at[callees[i]];
    if (c->n_params > q.n_params) q.n_params = c->n_params;
    if (c->n_results > q.n_results) q.n_results = c->n_results;
    q.area |= c->area;
    pv_vec_push(&d->callees, callees[i]);
  }
  pv_vec_push(&d->procedures, q);
  return at;
}

static void add_sites(struct plan *plan) {
  struct pv_dep_build *b = plan->b;
  for (uint32_t f = 0; f < b->p->functions.n; f++) {
    struct pv_dependence *d = b->d;
    d->procedures.at[f].sites = d->sites.n;
    for (uint32_t k = 0; d->procedures.at[f].runs && k < b->p->functions.at[f].edges.n; k++) {
      uint32_t n;
      const uint32_t *callees = pv_call_graph_callees(b->calls, f, k, &n);
      if (!n) continue;
      struct pv_dep_site s = {.function = f, .edge = k};
      s.procedure = n == 1 ? callees[0] : dispatcher_of(plan, callees, n);
      s.spawns = is_thread_site(b, &s);
      pv_vec_push(&d->sites, s);
    }
    d->procedures.at[f].n_sites = d->sites.n - d->procedures.at[f].sites;
  }
}

/* ---- inputs and outputs ---------------------------------------------------------------------- */
static void unite(uint64_t *to, const uint64_t *from, uint32_t words) {
  for (uint32_t i = 0; i < words; i++) to[i] |= from[i];
}

static void find_bits(struct plan *plan) {
  struct pv_dep_build *b = plan->b;
  uint32_t n = b->d->procedures.n, w = plan->words;
  plan->all_use = pv_alloc(((size_t)n * w + 1) * sizeof *plan->all_use);
  plan->all_mod = pv_alloc(((size_t)n * w + 1) * sizeof *plan->all_mod);
  for (uint32_t q = 0; q < n; q++) {
    const struct pv_dep_procedure *procedure = &b->d->procedures.at[q];
    uint64_t *use = plan->all_use + (size_t)q * w, *mod = plan->all_mod + (size_t)q * w;
    const uint32_t *instances;
    uint32_t n_instances = 0;
    if (!procedure->n_callees) n_instances = pv_points_to_instances(b->pt, q, &instances);
    for (uint32_t i = 0; i < n_instances; i++) {
      unite(use, pv_accesses_use(b->accesses, instances[i]), w);
      unite(mod, pv_accesses_mod(b->accesses, instances[i]), w);
    }
    for (uint32_t i = 0; i < procedure->n_callees; i++) { /* functions come first */
      uint32_t c = b->d->callees.at[procedure->callees + i];
      unite(use, plan->all_use + (size_t)c * w, w);
      unite(mod, plan->all_mod + (size_t)c * w, w);
    }
  }
}

/* Finds the only instance that a call from a function with one instance leads to. Returns false if
 * there is none, or several. */
static bool one_instance(const struct pv_dep_build *b, const struct pv_dep_site *s,
                         uint32_t *instance) {
  const uint32_t *from, *to;
  uint32_t n;
  if (!pv_points_to_complete(b->pt) || pv_points_to_instances(b->pt, s->function, &from) != 1)
    return false;
  to = pv_points_to_calls(b->pt, from[0], s->edge, &n);
  if (n != 1 || pv_points_to_function_of(b->pt, to[0]) != s->procedure) return false;
  *instance = to[0];
  return true;
}

static void find_bits_of_sites(struct plan *plan) {
  struct pv_dep_build *b = plan->b;
  for (uint32_t i = 0; i < b->d->sites.n; i++) {
    const struct pv_dep_site *s = &b->d->sites.at[i];
    uint32_t instance;
    size_t at = (size_t)s->procedure * plan->words;
    struct bits bits = {plan->all_use + at, plan->all_mod + at};
    if (one_instance(b, s, &instance))
      bits = (struct bits){pv_accesses_use(b->accesses, instance),
                           pv_accesses_mod(b->accesses, instance)};
    pv_vec_push(&plan->site, bits);
  }
}

/* ---- wide groups ----------------------------------------------------------------------------- */
static uint32_t count_kept(const struct plan *plan, const uint64_t *set) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < plan->words; i++)
    n += (uint32_t)__builtin_popcountll(set[i] & plan->kept[i]);
  return n;
}

/* An upper bound of the number of summary arcs at calls, and of the size of the procedures'
 * tables. */
static uint64_t cost(const struct plan *plan) {
  const struct pv_dependence *d = plan->b->d;
  uint64_t sum = 0;
  for (uint32_t i = 0; i < d->sites.n; i++) {
    if (d->sites.at[i].spawns) continue;
    sum +=
        (uint64_t)count_kept(plan, plan->site.at[i].use) * count_kept(plan, plan->site.at[i].mod);
  }
  for (uint32_t q = 0; q < d->procedures.n; q++) {
    size_t at = (size_t)q * plan->words;
    sum +=
        (uint64_t)count_kept(plan, plan->all_use + at) * count_kept(plan, plan->all_mod + at) / 8;
  }
  return sum;
}

struct weighed {
  uint32_t weight, group;
};

static int compare(const void *a, const void *b) {
  const struct weighed *x = a, *y = b;
  if (x->weight != y->weight) return x->weight < y->weight ? -1 : 1;
  return x->group < y->group ? -1 : x->group > y->group;
}

static void keep(struct plan *plan, const struct weighed *order, uint32_t n) {
  memset(plan->kept, 0, (plan->words + 1) * sizeof *plan->kept);
  for (uint32_t i = 0; i < n; i++)
    plan->kept[order[i].group / 64] |= UINT64_C(1) << order[i].group % 64;
}

/* Sorts the groups by the number of calls that pass them. */
static uint32_t order_groups(const struct plan *plan, struct weighed *order) {
  const struct pv_dep_build *b = plan->b;
  uint32_t groups = pv_accesses_groups(b->accesses), n = 0;
  uint32_t *weight = pv_alloc((groups + 64) * sizeof *weight);
  for (uint32_t i = 0; i < plan->site.n; i++)
    for (uint32_t w = 0; w < plan->words; w++)
      for (uint64_t rest = plan->site.at[i].use[w]; rest; rest &= rest - 1)
        weight[64 * w + (uint32_t)__builtin_ctzll(rest)]++;
  for (uint32_t g = 0; g < groups; g++) {
    bool others = b->d->options.between_threads && pv_accesses_between_threads(b->accesses, g);
    if (!others && !pv_accesses_is_wide(b->accesses, g))
      order[n++] = (struct weighed){weight[g], g};
  }
  free(weight);
  if (n) qsort(order, n, sizeof *order, compare);
  return n;
}

static void find_wide(struct plan *plan) {
  struct pv_dep_build *b = plan->b;
  uint32_t groups = pv_accesses_groups(b->accesses);
  uint32_t effort = b->d->options.effort ? b->d->options.effort : EFFORT;
  uint64_t bound = (uint64_t)effort * (b->d->n_edges + 256);
  struct weighed *order = pv_alloc((groups + 1) * sizeof *order);
  plan->kept = pv_alloc((plan->words + 1) * sizeof *plan->kept);
  uint32_t low = 0, n = effort == PV_NO_EFFORT ? 0 : order_groups(plan, order), high = n;
  keep(plan, order, n);
  if (cost(plan) > bound) {
    while (low < high) { /* binary search for the number that can be kept */
      uint32_t middle = low + (high - low + 1) / 2;
      keep(plan, order, middle);
      if (cost(plan) > bound)
        high = middle - 1;
      else
        low = middle;
    }
    keep(plan, order, low);
  }
  b->is_wide = pv_alloc(groups + 1);
  for (uint32_t g = 0; g < groups; g++) b->is_wide[g] = !(plan->kept[g / 64] >> g % 64 & 1);
  free(order);
}

/* ---- lists ----------------------------------------------------------------------------------- */
static struct pv_dep_list list_of(const struct plan *plan, const uint64_t *set) {
  struct pv_dependence *d = plan->b->d;
  struct pv_dep_list list = {d->groups.n, 0};
  for (uint32_t w = 0; w < plan->words; w++)
    for (uint64_t rest = set[w] & plan->kept[w]; rest; rest &= rest - 1)
      pv_vec_push(&d->groups, 64 * w + (uint32_t)__builtin_ctzll(rest));
  list.n = d->groups.n - list.first;
  return list;
}

static void make_lists(struct plan *plan) {
  struct pv_dependence *d = plan->b->d;
  for (uint32_t q = 0; q < d->procedures.n; q++) {
    d->procedures.at[q].in = list_of(plan, plan->all_use + (size_t)q * plan->words);
    d->procedures.at[q].out = list_of(plan, plan->all_mod + (size_t)q * plan->words);
  }
  for (uint32_t i = 0; i < d->sites.n; i++) {
    struct pv_dep_site *s = &d->sites.at[i];
    const struct pv_dep_procedure *q = &d->procedures.at[s->procedure];
    if (s->spawns) continue; /* the memory belongs to another thread */
    bool same_in = count_kept(plan, plan->site.at[i].use) == q->in.n;
    bool same_out = count_kept(plan, plan->site.at[i].mod) == q->out.n;
    s->in = same_in ? q->in : list_of(plan, plan->site.at[i].use);
    s->out = same_out ? q->out : list_of(plan, plan->site.at[i].mod);
  }
}

static void find_callers(struct pv_dependence *d) {
  pv_arcs arcs = {0};
  for (uint32_t i = 0; i < d->sites.n; i++) {
    struct pv_arc arc = {d->sites.at[i].procedure, i};
    pv_vec_push(&arcs, arc);
  }
  d->callers = pv_graph_new(d->procedures.n, &arcs);
  arcs.n = 0;
  for (uint32_t q = d->p->functions.n; q < d->procedures.n; q++)
    for (uint32_t i = 0; i < d->procedures.at[q].n_callees; i++) {
      struct pv_arc arc = {d->callees.at[d->procedures.at[q].callees + i], q};
      pv_vec_push(&arcs, arc);
    }
  d->dispatchers = pv_graph_new(d->procedures.n, &arcs);
  pv_vec_free(&arcs);
}

/* Adds the nodes of wide groups: one for each kind of thread that accesses the group, or one if
 * accesses of other threads are included. */
static void add_wide_nodes(struct pv_dep_build *b) {
  uint32_t groups = pv_accesses_groups(b->accesses);
  b->wide_node = pv_alloc((groups + 1) * sizeof *b->wide_node);
  for (uint32_t g = 0; g < groups; g++) {
    uint64_t kinds = pv_accesses_threads(b->accesses, g);
    bool others = b->d->options.between_threads && pv_accesses_between_threads(b->accesses, g);
    unsigned nodes = !b->is_wide[g] ? 0 : others ? 1 : (unsigned)__builtin_popcountll(kinds);
    b->wide_node[g] = b->d->kind.n;
    for (unsigned i = 0; i < nodes; i++) pv_dep_node(b->d, PV_DEP_WIDE, g, i);
    b->d->stats.wide += b->is_wide[g];
  }
  b->d->n_wide = b->d->kind.n;
  b->d->stats.groups = groups;
}

void pv_dep_find_calls(struct pv_dep_build *b) {
  struct plan plan = {.b = b, .words = pv_accesses_words(b->accesses)};
  add_functions(b);
  add_sites(&plan);
  find_bits(&plan);
  find_bits_of_sites(&plan);
  find_wide(&plan);
  make_lists(&plan);
  find_callers(b->d);
  add_wide_nodes(b);
  free(plan.all_use);
  free(plan.all_mod);
  free(plan.kept);
  pv_vec_free(&plan.site);
  pv_map_free(&plan.dispatchers);
}

/* ---- from nodes to numbers and back ---------------------------------------------------------- */
/* The position of a group in a list, or PV_NO_GRAPH_NODE. */
static uint32_t rank(const struct pv_dependence *d, struct pv_dep_list list, uint32_t group) {
  uint32_t low = 0, high = list.n;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (d->groups.at[list.first + middle] < group)
      low = middle + 1;
    else
      high = middle;
  }
  return low < list.n && d->groups.at[list.first + low] == group ? low : PV_NO_GRAPH_NODE;
}

/* Translates an element's number in list `from` to its number in list `to`. The first `fixed`
 * numbers are not groups. */
static uint32_t translate(const struct pv_dependence *d, struct pv_dep_list from,
                          struct pv_dep_list to, uint32_t fixed, uint32_t number) {
  if (number < fixed || (from.first == to.first && from.n == to.n)) return number;
  uint32_t at = rank(d, to, d->groups.at[from.first + number - fixed]);
  return at == PV_NO_GRAPH_NODE ? at : fixed + at;
}

uint32_t pv_dep_sent(const struct pv_dependence *d, const struct pv_dep_site *s, uint32_t number) {
  const struct pv_dep_procedure *q = &d->procedures.at[s->procedure];
  uint32_t at = translate(d, q->in, s->in, q->n_params + q->area, number);
  return at == PV_NO_GRAPH_NODE ? at : s->sent + at;
}

uint32_t pv_dep_got(const struct pv_dependence *d, const struct pv_dep_site *s, uint32_t number) {
  const struct pv_dep_procedure *q = &d->procedures.at[s->procedure];
  uint32_t at = translate(d, q->out, s->out, q->n_results + 1, number);
  return at == PV_NO_GRAPH_NODE ? at : s->got + at;
}

uint32_t pv_dep_number_of_got(const struct pv_dependence *d, const struct pv_dep_site *s,
                              uint32_t node) {
  const struct pv_dep_procedure *q = &d->procedures.at[s->procedure];
  return translate(d, s->out, q->out, q->n_results + 1, node - s->got);
}

uint32_t pv_dep_in_of_dispatcher(const struct pv_dependence *d, uint32_t dispatcher,
                                 uint32_t procedure, uint32_t number) {
  const struct pv_dep_procedure *q = &d->procedures.at[procedure];
  const struct pv_dep_procedure *by = &d->procedures.at[dispatcher];
  if (number < q->n_params) return number;
  if (q->area && number == q->n_params) return by->n_params;
  uint32_t at = rank(d, by->in, d->groups.at[q->in.first + number - q->n_params - q->area]);
  return at == PV_NO_GRAPH_NODE ? at : by->n_params + by->area + at;
}

uint32_t pv_dep_out_of_callee(const struct pv_dependence *d, uint32_t dispatcher,
                              uint32_t procedure, uint32_t number) {
  const struct pv_dep_procedure *q = &d->procedures.at[procedure];
  const struct pv_dep_procedure *by = &d->procedures.at[dispatcher];
  if (number < by->n_results) return number < q->n_results ? number : PV_NO_GRAPH_NODE;
  if (number == by->n_results) return q->n_results;
  uint32_t at = rank(d, q->out, d->groups.at[by->out.first + number - by->n_results - 1]);
  return at == PV_NO_GRAPH_NODE ? at : q->n_results + 1 + at;
}

const struct pv_dep_site *pv_dep_site_at(const struct pv_dependence *d, uint32_t function,
                                         uint32_t edge) {
  const struct pv_dep_procedure *q = &d->procedures.at[function];
  uint32_t low = q->sites, high = q->sites + q->n_sites;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (d->sites.at[middle].edge < edge)
      low = middle + 1;
    else
      high = middle;
  }
  bool found = low < q->sites + q->n_sites && d->sites.at[low].edge == edge;
  return found ? &d->sites.at[low] : NULL;
}

static const struct pv_dep_return *return_at(const struct pv_dependence *d, uint32_t function,
                                             uint32_t edge) {
  const struct pv_dep_procedure *q = &d->procedures.at[function];
  uint32_t low = q->returns, high = q->returns + q->n_returns;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (d->returns.at[middle].edge < edge)
      low = middle + 1;
    else
      high = middle;
  }
  bool found = low < q->returns + q->n_returns && d->returns.at[low].edge == edge;
  return found ? &d->returns.at[low] : NULL;
}

uint32_t pv_dep_place(const struct pv_dependence *d, uint32_t function, pv_loc l) {
  const struct pv_dep_procedure *q = &d->procedures.at[function];
  uint32_t low = q->places, high = low + q->n_places;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2, node = d->places.at[middle];
    if (d->number.at[node] == l) return node;
    if (d->number.at[node] < l)
      low = middle + 1;
    else
      high = middle;
  }
  return PV_NO_GRAPH_NODE;
}

uint32_t pv_dep_arguments(const struct pv_dependence *d, uint32_t function, uint32_t edge,
                          uint32_t *n) {
  const struct pv_dep_site *s = pv_dep_site_at(d, function, edge);
  const struct pv_dep_return *r = return_at(d, function, edge);
  *n = 0;
  if (s) {
    const struct pv_dep_procedure *q = &d->procedures.at[s->procedure];
    *n = q->n_params + q->area;
    return s->sent;
  }
  if (!r) return 0;
  *n = d->procedures.at[function].n_results;
  return r->node;
}
