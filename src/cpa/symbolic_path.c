/* symbolic_path.c -- translates the transformers along a path to formulas over versions of cells
 * (single static assignment): version k + 1 of a cell is its value after block k. Only cells that a
 * later block reads get a version. */
#include "cpa/symbolic_internal.h"

#include <stdlib.h>
#include <string.h>

pv_term pv_symbolic_ranges(struct pv_symbolic *s, pv_term formula) {
  const uint32_t *known = pv_map_get(&s->ranges, &formula, sizeof formula);
  if (known) return s->kept.at[*known];
  pv_terms constants = {0};
  pv_term all = pv_smt_bool(s->smt, true);
  pv_smt_constants(s->smt, formula, &constants);
  for (uint32_t i = 0; i < constants.n; i++) {
    uint32_t cell = pv_symbolic_cell_of(s, constants.at[i]);
    if (cell == UINT32_MAX) continue;
    const struct pv_cell *c = s->cells.at[cell];
    if (!c->type || c->sort.kind != PV_SORT_INT) continue;
    all = pv_sym_and(s, all, pv_encode_range(&s->encoder, c->type, c->is_signed, c->entry));
  }
  pv_vec_free(&constants);
  pv_map_put(&s->ranges, &formula, sizeof formula, s->kept.n, NULL);
  pv_vec_push(&s->kept, all);
  return all;
}

/* ---- applying a state to formulas over its entry ----------------------------------------------
 */

pv_term pv_symbolic_apply(struct pv_symbolic *s, const struct pv_sym *state, pv_term formula) {
  pv_terms constants = {0}, from = {0}, to = {0};
  pv_smt_constants(s->smt, formula, &constants);
  for (uint32_t i = 0; i < constants.n; i++) {
    uint32_t cell = pv_symbolic_cell_of(s, constants.at[i]);
    if (cell == UINT32_MAX) continue;
    pv_term value = pv_symbolic_value(s, state, cell);
    if (value == constants.at[i]) continue;
    pv_vec_push(&from, constants.at[i]);
    pv_vec_push(&to, value);
  }
  if (from.n) formula = pv_smt_substitute(s->smt, formula, from.n, from.at, to.at);
  pv_vec_free(&constants);
  pv_vec_free(&from);
  pv_vec_free(&to);
  return formula;
}

/* ---- needs --------------------------------------------------------------------------------------
 */

/* A set of cells, and the constants of a block that are not entry constants. */
struct needs {
  PV_VEC(uint32_t) cells;
  pv_terms inputs;
  struct pv_map seen;
};

static void need_cell(struct needs *n, uint32_t cell) {
  bool is_new;
  uint32_t key[2] = {0, cell};
  pv_map_put(&n->seen, key, sizeof key, 0, &is_new);
  if (is_new) pv_vec_push(&n->cells, cell);
}

static void need_term(struct pv_symbolic *s, struct needs *n, pv_term t) {
  pv_terms constants = {0};
  pv_smt_constants(s->smt, t, &constants);
  for (uint32_t i = 0; i < constants.n; i++) {
    uint32_t cell = pv_symbolic_cell_of(s, constants.at[i]);
    bool is_new;
    if (cell != UINT32_MAX) {
      need_cell(n, cell);
      continue;
    }
    pv_map_put(&n->seen, &constants.at[i], sizeof constants.at[i], 0, &is_new);
    if (is_new) pv_vec_push(&n->inputs, constants.at[i]);
  }
  pv_vec_free(&constants);
}

static void needs_free(struct needs *n) {
  pv_vec_free(&n->cells);
  pv_vec_free(&n->inputs);
  pv_map_free(&n->seen);
}

/* The value of a cell at the end of block k. What is known at the start of a block is so because of
 * the blocks before it, except in the first one. */
static pv_term end_value(struct pv_symbolic *s, const struct pv_sym_path *path, uint32_t k,
                         uint32_t cell) {
  pv_term value = pv_symbolic_value(s, path->blocks[k], cell), entry = s->cells.at[cell]->entry;
  if (!k || !path->starts || s->cells.at[cell]->sort.kind != PV_SORT_ARRAY) return value;
  pv_term known = pv_symbolic_value(s, path->starts[k], cell);
  return known == entry ? value : pv_smt_substitute(s->smt, value, 1, &known, &entry);
}

/* needs[k]: the cells that block k and later ones read at their entry; needs[k].inputs: constants
 * of block k. */
static struct needs *find_needs(struct pv_symbolic *s, const struct pv_sym_path *path) {
  struct needs *needs = pv_alloc((path->n + 1) * sizeof *needs);
  for (uint32_t k = path->n; k-- > 0;) {
    if (k == path->n - 1 && path->last) {
      need_term(s, &needs[k], path->last);
      continue;
    }
    const struct pv_sym *block = path->blocks[k];
    need_term(s, &needs[k], pv_symbolic_condition(s, block));
    for (uint32_t i = 0; k + 1 < path->n && i < needs[k + 1].cells.n; i++)
      need_term(s, &needs[k], end_value(s, path, k, needs[k + 1].cells.at[i]));
  }
  return needs;
}

/* ---- the formulas
 * -------------------------------------------------------------------------------- */

static pv_term versioned(struct pv_symbolic *s, pv_term constant, uint32_t version) {
  char *name = pv_format("%s.%u", pv_smt_name(s->smt, constant), version);
  pv_term t = pv_smt_const(s->smt, name, pv_smt_sort(s->smt, constant));
  free(name);
  return t;
}

static pv_term renamed(struct pv_symbolic *s, const struct pv_sym_names *names, pv_term t) {
  return names->from.n ? pv_smt_substitute(s->smt, t, names->from.n, names->from.at, names->to.at)
                       : t;
}

/* The first block's entry constants keep their names; in the first block of a program there are
 * almost none. The inputs of an only block keep theirs, too: the solver knows them. */
static void name_entry(struct pv_symbolic *s, const struct needs *n, const pv_term *current,
                       uint32_t k, bool is_only, struct pv_sym_names *names) {
  for (uint32_t i = 0; i < n->cells.n; i++) {
    pv_term entry = s->cells.at[n->cells.at[i]]->entry;
    pv_vec_push(&names->from, entry);
    pv_vec_push(&names->to, current[n->cells.at[i]] ? current[n->cells.at[i]] : entry);
  }
  for (uint32_t i = 0; i < n->inputs.n && !is_only; i++) {
    pv_vec_push(&names->from, n->inputs.at[i]);
    pv_vec_push(&names->to, versioned(s, n->inputs.at[i], k));
  }
}

void pv_symbolic_path(struct pv_symbolic *s, const struct pv_sym_path *path,
                      struct pv_sym_formula *out) {
  struct needs *needs = find_needs(s, path);
  pv_term *current = pv_alloc((s->cells.n ? s->cells.n : 1) * sizeof *current);
  uint32_t cells = s->cells.n;
  *out = (struct pv_sym_formula){0};
  for (uint32_t k = 0; k < path->n; k++) {
    struct pv_sym_names names = {0};
    name_entry(s, &needs[k], current, k, path->n == 1, &names);
    bool last = k == path->n - 1;
    const struct pv_sym *block = last && path->last ? NULL : path->blocks[k];
    pv_term part = block ? pv_symbolic_condition(s, block) : path->last;
    pv_term ranges = pv_symbolic_ranges(s, part);
    part = renamed(s, &names, part);
    for (uint32_t i = 0; !last && i < needs[k + 1].cells.n; i++) {
      uint32_t cell = needs[k + 1].cells.at[i];
      PV_REQUIRE(cell < cells, "a cell that is newer than its path");
      pv_term entry = s->cells.at[cell]->entry, value = end_value(s, path, k, cell);
      if (value == entry) continue;
      current[cell] = versioned(s, entry, k + 1);
      part = pv_sym_and(s, part, pv_sym_eq(s, current[cell], renamed(s, &names, value)));
      ranges = pv_sym_and(s, ranges, pv_symbolic_ranges(s, value));
    }
    part = pv_sym_and(s, renamed(s, &names, ranges), part);
    pv_vec_push(&out->parts, part);
    pv_vec_push(&out->names, names);
  }
  for (uint32_t k = 0; k < path->n; k++) needs_free(&needs[k]);
  free(needs);
  free(current);
}

pv_term pv_symbolic_at_cut(struct pv_symbolic *s, const struct pv_sym_formula *f, uint32_t k,
                           pv_term formula) {
  const struct pv_sym_names *names = &f->names.at[k];
  return names->to.n ? pv_smt_substitute(s->smt, formula, names->to.n, names->to.at, names->from.at)
                     : formula;
}

void pv_sym_formula_free(struct pv_sym_formula *f) {
  for (uint32_t i = 0; i < f->names.n; i++) {
    pv_vec_free(&f->names.at[i].from);
    pv_vec_free(&f->names.at[i].to);
  }
  pv_vec_free(&f->names);
  pv_vec_free(&f->parts);
}
