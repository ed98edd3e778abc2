/* dependence_print.c -- prints the graph and slices, for users and tests. */
#include "analysis/dependence_internal.h"
#include "analysis/slice.h"

/* ---- names of nodes -------------------------------------------------------------------------- */
static const char *name_of(const struct pv_dependence *d, uint32_t procedure) {
  return procedure < d->p->functions.n ? d->p->functions.at[procedure].name : "pointer";
}

static void name_taken(const struct pv_dependence *d, uint32_t procedure, uint32_t number,
                       struct pv_str *out) {
  const struct pv_dep_procedure *q = &d->procedures.at[procedure];
  if (number < q->n_params && procedure < d->p->functions.n)
    pv_str_add(out, d->p->functions.at[procedure].vars.at[number].name);
  else if (number < q->n_params + q->area)
    pv_str_addf(out, "argument %u", number);
  else
    pv_str_addf(out, "memory %u", number - q->n_params - q->area);
}

static void name_given(const struct pv_dependence *d, uint32_t procedure, uint32_t number,
                       struct pv_str *out) {
  const struct pv_dep_procedure *q = &d->procedures.at[procedure];
  if (number < q->n_results)
    pv_str_addf(out, "result %u", number);
  else if (number == q->n_results)
    pv_str_add(out, "return");
  else
    pv_str_addf(out, "memory %u", number - q->n_results - 1);
}

static void name_node(const struct pv_dependence *d, uint32_t node, struct pv_str *out) {
  uint32_t owner = d->owner.at[node], number = d->number.at[node];
  switch ((enum pv_dep_kind)d->kind.at[node]) {
  case PV_DEP_WIDE: pv_str_addf(out, "wide memory %u", owner); break;
  case PV_DEP_STATEMENT: pv_str_addf(out, "L%u", number); break;
  case PV_DEP_ENTRY: pv_str_add(out, "entry"); break;
  case PV_DEP_IN: name_taken(d, owner, number, out); break;
  case PV_DEP_OUT: name_given(d, owner, number, out); break;
  case PV_DEP_SENT:
    pv_str_addf(out, "%s.", name_of(d, d->sites.at[owner].procedure));
    name_taken(d, d->sites.at[owner].procedure, number, out);
    break;
  case PV_DEP_GOT:
    pv_str_addf(out, "%s.", name_of(d, d->sites.at[owner].procedure));
    name_given(d, d->sites.at[owner].procedure, number, out);
    break;
  case PV_DEP_RESULT: pv_str_addf(out, "value %u", number); break;
  case PV_DEP_PASS: pv_str_addf(out, "pass L%u", number); break;
  case PV_DEP_BRANCHES: pv_str_add(out, "branches"); break;
  case PV_DEP_PLACE:
  case PV_DEP_VERSION:
  case PV_DEP_MERGE: break;
  }
}

/* ---- what a node depends on ------------------------------------------------------------------ */
struct printer {
  const struct pv_dependence *d;
  uint32_t *seen, stamp; /* by node */
  PV_VEC(uint32_t) todo, found;
};

static int compare(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

static bool is_pseudo(const struct pv_dependence *d, uint32_t node) {
  enum pv_dep_kind kind = (enum pv_dep_kind)d->kind.at[node];
  return kind == PV_DEP_PLACE || kind == PV_DEP_VERSION || kind == PV_DEP_MERGE;
}

static void follow(struct printer *x, uint32_t node) {
  const struct pv_dependence *d = x->d;
  for (uint32_t i = d->first.at[node]; i < d->first.at[node + 1]; i++) {
    uint32_t to = d->to.at[i];
    if (x->seen[to] == x->stamp) continue;
    x->seen[to] = x->stamp;
    if (is_pseudo(d, to))
      pv_vec_push(&x->todo, to);
    else
      pv_vec_push(&x->found, to);
  }
}

static void print_node(struct printer *x, uint32_t node, struct pv_str *out) {
  x->seen[node] = ++x->stamp;
  x->found.n = 0;
  pv_vec_push(&x->todo, node);
  while (x->todo.n) follow(x, pv_vec_pop(&x->todo));
  if (x->found.n) qsort(x->found.at, x->found.n, sizeof *x->found.at, compare);
  pv_str_add(out, ":");
  for (uint32_t i = 0; i < x->found.n; i++) {
    pv_str_add(out, i ? ", " : " ");
    name_node(x->d, x->found.at[i], out);
  }
  pv_str_addc(out, '\n');
}

static void print_statement(struct printer *x, uint32_t function, pv_loc l, struct pv_str *out) {
  const struct pv_function *f = &x->d->p->functions.at[function];
  pv_str_addf(out, "  L%u ", l);
  if (f->locs.at[l].n_out) pv_edge_print(x->d->p, f, &f->edges.at[f->locs.at[l].first_out], out);
  print_node(x, x->d->procedures.at[function].first + l, out);
}

static void print_function(struct printer *x, uint32_t function, struct pv_str *out) {
  const struct pv_dependence *d = x->d;
  const struct pv_dep_procedure *q = &d->procedures.at[function];
  pv_str_addf(out, "%s\n", name_of(d, function));
  for (uint32_t node = q->first; node < q->end; node++) {
    enum pv_dep_kind kind = (enum pv_dep_kind)d->kind.at[node];
    if (kind == PV_DEP_STATEMENT) {
      print_statement(x, function, d->number.at[node], out);
    } else if (d->first.at[node] < d->first.at[node + 1] && !is_pseudo(d, node)) {
      pv_str_add(out, "  ");
      name_node(d, node, out);
      print_node(x, node, out);
    }
  }
}

void pv_dependence_print(const struct pv_dependence *d, bool all, struct pv_str *out) {
  struct printer x = {.d = d, .seen = pv_alloc(((size_t)d->kind.n + 1) * sizeof *x.seen)};
  for (uint32_t f = 0; f < d->p->functions.n; f++)
    if (d->procedures.at[f].runs && (all || !d->p->functions.at[f].is_model))
      print_function(&x, f, out);
  free(x.seen);
  pv_vec_free(&x.todo);
  pv_vec_free(&x.found);
}

/* ---- slices ---------------------------------------------------------------------------------- */
void pv_slice_print(const struct pv_slice *s, bool all, struct pv_str *out) {
  const struct pv_program *p = s->graph->p;
  for (uint32_t i = 0; i < p->functions.n; i++) {
    const struct pv_function *f = &p->functions.at[i];
    if (!f->defined || (f->is_model && !all)) continue;
    pv_str_addf(out, "%s\n", f->name);
    for (uint32_t k = 0; k < f->edges.n; k++) {
      const struct pv_edge *e = &f->edges.at[k];
      pv_str_addf(out, "%s L%u -> L%u ", pv_slice_has(s, i, k) ? "+" : " ", e->from, e->to);
      pv_edge_print(p, f, e, out);
      pv_str_addc(out, '\n');
    }
  }
}
