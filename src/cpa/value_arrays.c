/* value_arrays.c -- arrays of which a part is known, in states after the beginning (value.h).
 *
 * What was prepared at the beginning is in arrays, if objects of several types are accessed by the
 * same code: pointers from one object to another, tables of virtual functions. A write changes one
 * element; the others stay known. So such an array is `entry`, the constant for the array at the
 * point of the state, with stores of the numbers that are known, in the order of their indices:
 * store (store (entry, 8, 4711), 16, 0). The term says nothing about other elements.
 *
 * Elements that are pointers are known after a write, too, as long as they have few values; all
 * elements are if refinement asks for the array. */
#include "cpa/value_internal.h"

#include <stdlib.h>

enum {
  MOST_ELEMENTS = 4096, /* known of one array */
  MOST_VALUES = 12      /* different ones of one element */
};

struct element {
  uint64_t at;
  pv_term index, value; /* value: NULL: unknown */
};
typedef PV_VEC(struct element) elements;

static bool is_array(const struct pv_cell *c) {
  return c->sort.kind == PV_SORT_ARRAY;
}

/* Takes the last write off. Returns false if there is none, or its index is no number. */
static bool take_write(struct pv_value_analysis *v, pv_term *array, struct element *out) {
  struct pv_smt_shape shape;
  if (!pv_smt_shape(v->smt, *array, &shape) || shape.kind != PV_SHAPE_OP ||
      shape.op != PV_SMT_STORE)
    return false;
  out->index = pv_smt_operand(v->smt, *array, 1);
  out->value = pv_smt_operand(v->smt, *array, 2);
  if (!pv_smt_shape(v->smt, out->index, &shape) || shape.kind != PV_SHAPE_NUMBER || shape.hi)
    return false;
  out->at = shape.lo;
  *array = pv_smt_operand(v->smt, *array, 0);
  return true;
}

static void set_element(elements *all, const struct element *e) {
  uint32_t i = all->n;
  while (i > 0 && all->at[i - 1].at > e->at) i--;
  if (i > 0 && all->at[i - 1].at == e->at) {
    all->at[i - 1].value = e->value;
    return;
  }
  pv_vec_push(all, *e);
  for (uint32_t k = all->n - 1; k > i; k--) all->at[k] = all->at[k - 1];
  all->at[i] = *e;
}

/* Counts the values of an element. Returns false if there are too many. */
static bool has_few_values(struct pv_value_analysis *v, uint32_t cell, const struct element *e) {
  struct {
    pv_term value;
    uint64_t at, cell;
  } key = {e->value, e->at, cell}, element = {NULL, e->at, cell};
  bool is_new;
  pv_map_put(&v->element_values, &key, sizeof key, 1, &is_new);
  uint32_t *n = pv_map_put(&v->element_values, &element, sizeof element, 0, NULL);
  *n += is_new;
  v->gave_up |= is_new && *n == MOST_VALUES + 1;
  return *n <= MOST_VALUES;
}

static bool is_tracked(struct pv_value_analysis *v, uint32_t cell, const struct element *e) {
  const struct pv_cell *c = pv_symbolic_cell(v->symbolic, cell);
  if (!e->value || !pv_smt_is_number(v->smt, e->value)) return false;
  bool tracked = c->kind != PV_CELL_ARRAY || pv_type_kind(c->type) == PV_T_PTR ||
                 pv_cells_contain(&v->shared, cell);
  return tracked && has_few_values(v, cell, e);
}

/* The elements of a chain of stores, which ends at *array then. */
static void take_elements(struct pv_value_analysis *v, pv_term *array, elements *out) {
  elements stores = {0};
  struct element e;
  while (take_write(v, array, &e)) pv_vec_push(&stores, e);
  while (stores.n) {
    e = pv_vec_pop(&stores);
    if (!pv_smt_is_number(v->smt, e.value)) e.value = NULL;
    set_element(out, &e);
  }
  pv_vec_free(&stores);
}

/* The array with these elements; the others are as in `rest`, the entry or an array whose elements
 * are all known. NULL: there are too many. */
static pv_term with_elements(struct pv_value_analysis *v, uint32_t cell, pv_term rest,
                             const elements *all) {
  pv_term entry = pv_symbolic_cell(v->symbolic, cell)->entry, array = rest;
  if (all->n > MOST_ELEMENTS) return NULL;
  for (uint32_t i = 0; i < all->n; i++) {
    const struct element *e = &all->at[i];
    if (!e->value && rest == entry) continue;
    pv_term value = e->value ? e->value : pv_smt_mk2(v->smt, PV_SMT_SELECT, entry, e->index);
    array = pv_smt_mk3(v->smt, PV_SMT_STORE, array, e->index, value);
  }
  return array;
}

pv_term pv_value_without_entry(struct pv_value_analysis *v, const struct pv_sym *from,
                               uint32_t cell, pv_term array) {
  const struct pv_cell *c = pv_symbolic_cell(v->symbolic, cell);
  struct pv_sort sort = {.kind = c->sort.element, .bits = c->sort.element_bits};
  elements stores = {0};
  struct element e;
  pv_term rest = array;
  bool is_new;
  if (!is_array(c)) return array;
  struct {
    const struct pv_sym *from;
    pv_term array;
    uint64_t cell;
  } key = {from, array, cell};
  uint32_t *known = pv_map_put(&v->replaced, &key, sizeof key, v->replaced_terms.n, &is_new);
  if (!is_new) return v->replaced_terms.at[*known];
  while (!pv_value_is_known(v, rest) && take_write(v, &rest, &e)) pv_vec_push(&stores, e);
  bool fine = pv_value_is_known(v, rest);
  while (fine && stores.n) {
    e = pv_vec_pop(&stores);
    if (!pv_smt_is_number(v->smt, e.value)) e.value = pv_smt_fresh(v->smt, "unknown", sort);
    rest = pv_smt_mk3(v->smt, PV_SMT_STORE, rest, e.index, e.value);
  }
  pv_vec_free(&stores);
  pv_vec_push(&v->replaced_terms, fine ? rest : array);
  return pv_vec_last(&v->replaced_terms);
}

pv_term pv_value_over_entry(struct pv_value_analysis *v, uint32_t cell, pv_term value) {
  const struct pv_cell *c = pv_symbolic_cell(v->symbolic, cell);
  struct pv_smt_shape shape;
  if (!is_array(c)) return value;
  elements all = {0};
  take_elements(v, &value, &all);
  if (pv_smt_shape(v->smt, value, &shape) && shape.kind == PV_SHAPE_CONSTANT) value = c->entry;
  pv_term array = with_elements(v, cell, value, &all);
  pv_vec_free(&all);
  return array ? array : c->entry;
}

pv_term pv_value_array(struct pv_value_analysis *v, uint32_t cell, pv_term before, pv_term after) {
  elements written = {0}, all = {0};
  struct element e;
  pv_term array = after, result = NULL;
  if (!is_array(pv_symbolic_cell(v->symbolic, cell))) return NULL;
  while (array != before && take_write(v, &array, &e)) pv_vec_push(&written, e);
  if (array == before) {
    take_elements(v, &array, &all);
    while (written.n) {
      e = pv_vec_pop(&written);
      if (!is_tracked(v, cell, &e)) e.value = NULL;
      set_element(&all, &e);
    }
    result = with_elements(v, cell, array, &all);
  }
  pv_vec_free(&written);
  pv_vec_free(&all);
  return result;
}
