#include "distance/table.h"

#include <stdlib.h>
#include <string.h>

#include "distance/efsm.h"
#include "distance/fca.h"
#include "distance/fsm.h"
#include "distance/targets.h"

struct maker {
  const struct pv_program *p;
  const struct pv_options *o;
  struct pv_limits *limits;
  struct pv_points_to *pt;
  struct pv_call_graph *calls;
  struct pv_targets *targets;
  pv_place_list places; /* sorted */
  struct pv_dgraph *g;
  uint32_t *nodes;
  struct pv_fca *fca; /* or */
  struct pv_efsm *efsm;
  struct pv_fsm *fsm;
  struct pv_distance_table *t;
};

pv_properties pv_distance_properties(const struct pv_options *o) {
  pv_properties by_option = PV_PROP_BIT(PV_PROP_INVARIANT) | PV_PROP_BIT(PV_PROP_OBSERVER);
  if (o->property.n || o->spec.n) return o->properties & ~PV_PROP_BIT(PV_PROP_MUTUAL_EXCLUSION);
  by_option &= o->properties;
  return o->mutex_region.n ? by_option : by_option | PV_PROP_BIT(PV_PROP_UNREACH_CALL);
}

enum pv_heuristic pv_distance_heuristic(const struct pv_options *o) {
  enum pv_heuristic h = (enum pv_heuristic)o->heuristic;
  return h == PV_HEURISTIC_FSM || h == PV_HEURISTIC_EFSM ? h : PV_HEURISTIC_FCA;
}

/* ---- measuring ------------------------------------------------------------------------------- */
static enum pv_status say_limit(enum pv_limit hit, struct pv_str *err) {
  pv_str_addf(err, "a limit (%s) was reached before all contexts were measured",
              pv_limit_name(hit));
  return PV_E_LIMIT;
}

static enum pv_status bounded(struct maker *m, unsigned k, struct pv_str *err) {
  enum pv_status status =
      pv_efsm_new(m->g, m->nodes, m->places.n, k, PV_EFSM_NODES, m->limits, &m->efsm);
  if (status == PV_OK) return PV_OK;
  if (m->limits->hit != PV_LIMIT_NONE) return say_limit(m->limits->hit, err);
  pv_str_addf(err, "the %u-bounded graph of the program has more than %u nodes", k, PV_EFSM_NODES);
  return PV_E_INPUT;
}

static enum pv_status complete(struct maker *m, struct pv_str *err) {
  enum pv_limit hit = pv_efsm_complete(m->efsm, m->limits);
  return hit == PV_LIMIT_NONE ? PV_OK : say_limit(hit, err);
}

static enum pv_status measure(struct maker *m, struct pv_str *err) {
  switch (pv_distance_heuristic(m->o)) {
  case PV_HEURISTIC_FSM: m->fsm = pv_fsm_new(m->g, m->nodes, m->places.n); return PV_OK;
  case PV_HEURISTIC_EFSM:
    PV_TRY(bounded(m, (unsigned)m->o->context, err));
    PV_TRY(complete(m, err));
    m->t->bounded = pv_efsm_nodes(m->efsm);
    return PV_OK;
  default: m->fca = pv_fca_new(m->g, m->nodes, m->places.n); return PV_OK;
  }
}

static struct pv_distance distance(const struct maker *m, uint32_t function, pv_loc loc) {
  if (m->fca) return pv_fca_at(m->fca, function, loc);
  struct pv_distance d = pv_efsm_least(m->efsm, function, loc);
  if (m->fsm) {
    struct pv_estimate e = pv_fsm_at(m->fsm, function, loc);
    d.error = e.error;
    d.create = e.create;
  }
  return d;
}

/* ---- rows ------------------------------------------------------------------------------------ */
static bool is_target(const struct maker *m, uint32_t function, pv_loc loc) {
  uint32_t low = 0, high = m->places.n;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    const struct pv_place_of *x = &m->places.at[middle];
    if (x->function < function || (x->function == function && x->loc < loc))
      low = middle + 1;
    else
      high = middle;
  }
  return low < m->places.n && m->places.at[low].function == function &&
         m->places.at[low].loc == loc;
}

/* Adds the lines of a function, each with its first location, unsorted. */
static void add_function(struct maker *m, uint32_t function) {
  const struct pv_function *f = &m->p->functions.at[function];
  struct pv_map lines = {0};
  for (pv_loc l = 0; l < f->locs.n; l++) {
    const struct pv_location *loc = &f->locs.at[l];
    uint32_t span = loc->n_out ? f->edges.at[loc->first_out].span : 0;
    const struct pv_span *s = pv_span_of(m->p, span);
    uint32_t key[2] = {s->file, s->line};
    bool is_new;
    if (!s->line) continue;
    uint32_t at = *pv_map_put(&lines, key, sizeof key, m->t->rows.n, &is_new);
    struct pv_distance_row row = {.function = function, .span = span, .loc = l};
    if (is_new) {
      row.distance = distance(m, function, l);
      pv_vec_push(&m->t->rows, row);
    }
    m->t->rows.at[at].target |= is_target(m, function, l);
  }
  pv_map_free(&lines);
}

struct place {
  uint32_t key[5], row;
};

static int by_key(const void *a, const void *b) {
  const struct place *x = a, *y = b;
  for (int i = 0; i < 5; i++)
    if (x->key[i] != y->key[i]) return x->key[i] < y->key[i] ? -1 : 1;
  return 0;
}

/* Sorts by the file and line of the function's start, then by those of the row. */
static void sort_rows(struct maker *m) {
  struct pv_distance_table *t = m->t;
  struct place *places = pv_alloc(((size_t)t->rows.n + 1) * sizeof *places);
  struct pv_distance_row *rows = pv_alloc(((size_t)t->rows.n + 1) * sizeof *rows);
  for (uint32_t i = 0; i < t->rows.n; i++) {
    const struct pv_distance_row *r = &t->rows.at[i];
    const struct pv_span *f = pv_span_of(m->p, m->p->functions.at[r->function].span);
    const struct pv_span *s = pv_span_of(m->p, r->span);
    places[i] = (struct place){{f->file, f->line, r->function, s->file, s->line}, i};
  }
  qsort(places, t->rows.n, sizeof *places, by_key);
  for (uint32_t i = 0; i < t->rows.n; i++) rows[i] = t->rows.at[places[i].row];
  memcpy(t->rows.at, rows, t->rows.n * sizeof *rows);
  free(places);
  free(rows);
}

static void make_rows(struct maker *m) {
  for (uint32_t f = 0; f < m->p->functions.n; f++)
    if (!m->p->functions.at[f].is_model && pv_call_graph_runs(m->calls, f)) add_function(m, f);
  if (m->t->rows.n) sort_rows(m);
  for (uint32_t i = 0; i < m->t->rows.n; i++)
    m->t->creates |= m->t->rows.at[i].distance.create != PV_DISTANCE_NONE;
}

/* ---- all ------------------------------------------------------------------------------------- */
static double lap(double *clock) {
  double now = pv_cpu_clock(), passed = now - *clock;
  *clock = now;
  return passed;
}

static enum pv_status make(struct maker *m, struct pv_str *err) {
  double clock = pv_cpu_clock();
  m->pt = pv_points_to_new(m->p, NULL);
  m->calls = pv_call_graph_new(m->p, m->pt);
  m->t->analysis = lap(&clock);
  m->t->properties = pv_distance_properties(m->o);
  PV_TRY(pv_targets_new(m->p, m->pt, m->calls, m->t->properties, &m->o->mutex_region, &m->targets,
                        err));
  m->places = pv_targets_all(m->targets);
  m->t->targets = m->places.n;
  m->t->finding = lap(&clock);
  m->g = pv_dgraph_of_program(m->p, m->pt, m->calls, (enum pv_cost)m->o->cost);
  m->t->nodes = m->g->n;
  m->t->edges = m->g->edges.n - m->g->calls.n;
  m->t->calls = m->g->calls.n;
  m->t->graph = lap(&clock);
  m->nodes = pv_targets_nodes(m->g, &m->places);
  PV_TRY(measure(m, err));
  m->t->search = lap(&clock);
  if (m->fsm) PV_TRY(bounded(m, 0, err)); /* FSM has no ends: the table has those of EFSM(0) */
  make_rows(m);
  return PV_OK;
}

enum pv_status pv_distance_table_make(const struct pv_program *p, const struct pv_options *o,
                                      struct pv_limits *limits, struct pv_distance_table *out,
                                      struct pv_str *err) {
  struct maker m = {.p = p, .o = o, .limits = limits, .t = out};
  *out = (struct pv_distance_table){0};
  enum pv_status status = make(&m, err);
  pv_fca_free(m.fca);
  pv_efsm_free(m.efsm);
  pv_fsm_free(m.fsm);
  free(m.nodes);
  pv_dgraph_free(m.g);
  pv_vec_free(&m.places);
  pv_targets_free(m.targets);
  pv_call_graph_free(m.calls);
  pv_points_to_free(m.pt);
  if (status != PV_OK) pv_distance_table_clear(out);
  return status;
}

void pv_distance_table_clear(struct pv_distance_table *t) {
  pv_vec_free(&t->rows);
}
