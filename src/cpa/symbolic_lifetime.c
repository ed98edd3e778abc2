/* symbolic_lifetime.c -- lifetimes of slots and thread-local variables: what is in an object when
 * it begins, whether it is alive, and what is forgotten of it. Allocation is in symbolic_memory.c.
 */
#include "cpa/symbolic_internal.h"

#include <stdlib.h>

enum {
  /* A bound on the stores needed to forget an object inside of an array; beyond it, the whole
   * array is forgotten. */
  MOST_STORES = 32,
  MOST_STORES_KNOWN = 512 /* where most addresses are constants */
};

/* Is the place all that its class consists of, with a single instance? */
static bool is_alone(struct pv_symbolic *s, uint32_t place) {
  const struct pv_place *p = pv_layout_place(s->layout, place);
  for (uint32_t i = 0; i < pv_layout_places(s->layout); i++) {
    const struct pv_place *other = pv_layout_place(s->layout, i);
    if (i != place && !other->cut && other->class == p->class) return false;
  }
  pv_instances instances = {0};
  pv_sym_instances(s, place, &instances);
  bool alone = instances.n <= 1 && !pv_control_has_threads(s->control);
  pv_vec_free(&instances);
  return alone;
}

/* Memory of an array that begins unset: an element for each value of the type. */
static void begin_array(struct pv_symbolic *s, const struct pv_place *p, pv_type type,
                        uint64_t base) {
  uint32_t cell = pv_sym_array_cell(s, p->class, type),
           marks = pv_sym_unset_array(s, p->class, type);
  struct pv_sort element = pv_encode_sort(&s->encoder, type);
  for (uint64_t at = 0; at + pv_type_bytes(type) <= p->size; at += pv_sym_step(type)) {
    pv_term index = pv_sym_number(s, base + at);
    pv_term value =
        marks == UINT32_MAX ? pv_smt_fresh(s->smt, "unset", element) : pv_sym_zero(s, type);
    pv_sym_set(s, cell, pv_smt_mk3(s->smt, PV_SMT_STORE, pv_sym_get(s, cell), index, value));
    if (marks != UINT32_MAX)
      pv_sym_set(s, marks,
                 pv_smt_mk3(s->smt, PV_SMT_STORE, pv_sym_get(s, marks), index,
                            pv_sym_all_unset(s, type, true)));
  }
}

/* Objects in the arrays of a class. */
struct stored_object {
  uint64_t base, size;
};
typedef PV_VEC(struct stored_object) pv_stored_objects;

static bool is_scoped(const struct pv_symbolic *s, const struct pv_place *p) {
  return s->program->functions.at[p->function].slots.at[p->index].scoped;
}

/* Is the content of the instance of no interest when one of `p` begins? It is not alive, or it
 * begins next: the slots without a scope of their own begin with the frame, in order. */
static bool is_dead(struct pv_symbolic *s, uint32_t other, uint32_t at, const struct pv_place *p,
                    uint32_t instance) {
  const struct pv_place *q = pv_layout_place(s->layout, other);
  if (q->kind != PV_PLACE_SLOT) return false;
  uint32_t alive = pv_sym_alive_cell(s, other, at);
  if (alive != UINT32_MAX) return pv_smt_is_false(s->smt, pv_sym_get(s, alive));
  return q->function == p->function && at == instance && q->index > p->index && !is_scoped(s, p) &&
         !is_scoped(s, q);
}

/* Finds what the arrays of the class hold besides the instance of a place that begins. Returns
 * false if that is not known. */
static bool others_of(struct pv_symbolic *s, uint32_t place, uint32_t instance,
                      pv_stored_objects *out) {
  const struct pv_place *p = pv_layout_place(s->layout, place);
  for (uint32_t i = 0; i < pv_layout_places(s->layout); i++) {
    const struct pv_place *q = pv_layout_place(s->layout, i);
    if (q->cut || q->class != p->class) continue;
    pv_instances instances = {0};
    pv_sym_instances(s, i, &instances);
    bool known = !instances.n || !pv_sym_is_heap(q);
    for (uint32_t k = 0; k < instances.n && known; k++) {
      uint32_t at = instances.at[k];
      if ((i == place && at == instance) || is_dead(s, i, at, p, instance)) continue;
      pv_vec_push(out, ((struct stored_object){pv_sym_address(s, i, at), q->size}));
    }
    pv_vec_free(&instances);
    if (!known) return false;
  }
  return true;
}

/* An array in which the objects are as in `old`, and all else is `rest`. NULL: that needs too many
 * stores. */
static pv_term array_of(struct pv_symbolic *s, pv_term old, struct pv_sort sort, pv_term rest,
                        pv_type type, const pv_stored_objects *objects) {
  pv_term array = pv_smt_constant_array(s->smt, sort, rest);
  uint32_t stores = 0;
  for (uint32_t i = 0; i < objects->n; i++)
    for (uint64_t at = 0; at + pv_type_bytes(type) <= objects->at[i].size;
         at += pv_sym_step(type)) {
      pv_term index = pv_sym_number(s, objects->at[i].base + at);
      pv_term value = pv_smt_mk2(s->smt, PV_SMT_SELECT, old, index);
      if (value == rest) continue;
      if (++stores > MOST_STORES_KNOWN) return NULL;
      array = pv_smt_mk3(s->smt, PV_SMT_STORE, array, index, value);
    }
  return array;
}

/* Makes an instance of a place unset by building the arrays of its class anew from the other
 * objects. Returns false if they are too many. Only in `bmc`, and only where unset bits are
 * followed: one constant array cannot hold arbitrary values. */
static bool keep_others(struct pv_symbolic *s, const struct pv_place *p, uint32_t place,
                        uint32_t instance) {
  pv_stored_objects others = {0};
  bool can = s->objects && s->unset && pv_unset_class(s->unset, p->class) &&
             others_of(s, place, instance, &others);
  uint32_t n;
  const pv_type *types = pv_layout_class_types(s->layout, p->class, &n);
  for (uint32_t i = 0; i < n && can; i++) {
    uint32_t cell = pv_sym_array_cell(s, p->class, types[i]),
             marks = pv_sym_unset_array(s, p->class, types[i]);
    pv_term values = array_of(s, pv_sym_get(s, cell), s->cells.at[cell]->sort,
                              pv_sym_zero(s, types[i]), types[i], &others);
    pv_term unset = array_of(s, pv_sym_get(s, marks), s->cells.at[marks]->sort,
                             pv_sym_all_unset(s, types[i], true), types[i], &others);
    can = values && unset;
    if (can) pv_sym_set(s, cell, values);
    if (can) pv_sym_set(s, marks, unset);
  }
  pv_vec_free(&others);
  return can;
}

/* Is this the first lifetime on every path to here? In `bmc` all paths begin at the start of the
 * program, where the elements of slots are unset (symbolic_initial.c), and no store is in an object
 * before it begins. So there is nothing to forget. */
static bool begins_first(struct pv_symbolic *s, const struct pv_place *p, uint32_t place,
                         uint32_t instance) {
  if (!s->objects || p->kind != PV_PLACE_SLOT) return false;
  uint32_t begun = pv_sym_cell(s, PV_CELL_ALIVE, place, 2, instance);
  bool first = pv_smt_is_false(s->smt, pv_sym_get(s, begun));
  pv_sym_set(s, begun, pv_smt_bool(s->smt, true));
  return first;
}

/* Makes the content of an instance of a place indeterminate: it is unset, or, where indeterminate
 * values are not followed, unconstrained. */
static void forget_place(struct pv_symbolic *s, uint32_t place, uint32_t instance) {
  const struct pv_place *p = pv_layout_place(s->layout, place);
  if (!p->cut) {
    uint32_t n;
    const pv_type *types = pv_layout_class_types(s->layout, p->class, &n);
    uint64_t stores = 0;
    for (uint32_t i = 0; i < n; i++) stores += p->size / pv_sym_step(types[i]);
    if (s->unset && !pv_sym_is_heap(p) && is_alone(s, place)) {
      for (uint32_t i = 0; i < n; i++) {
        uint32_t cell = pv_sym_array_cell(s, p->class, types[i]);
        uint32_t marks = pv_sym_unset_array(s, p->class, types[i]);
        pv_sym_set(
            s, cell,
            pv_smt_constant_array(s->smt, s->cells.at[cell]->sort, pv_sym_zero(s, types[i])));
        if (marks != UINT32_MAX)
          pv_sym_set(s, marks,
                     pv_smt_constant_array(s->smt, s->cells.at[marks]->sort,
                                           pv_sym_all_unset(s, types[i], true)));
      }
      return;
    }
    if (begins_first(s, p, place, instance)) return;
    bool known = s->objects || pv_control_executes_scheduler(s->control);
    bool many = stores > (known ? MOST_STORES_KNOWN : MOST_STORES);
    if (many && keep_others(s, p, place, instance)) return;
    if (pv_sym_is_heap(p) || many) {
      pv_sym_forget_class(s, p->class);
      return;
    }
    for (uint32_t i = 0; i < n; i++)
      begin_array(s, p, types[i], pv_sym_address(s, place, instance));
    return;
  }
  for (uint32_t i = 0; i < p->n_cells; i++) {
    uint32_t cell = pv_sym_cell(s, PV_CELL_MEMORY, p->first_cell + i, 0, instance);
    pv_type type = s->cells.at[cell]->type;
    bool is_signed = s->cells.at[cell]->is_signed;
    pv_sym_set(s, cell,
               s->unset ? pv_sym_zero(s, type) : pv_sym_fresh(s, "unset", type, is_signed));
    pv_sym_mark_cell(s, cell, pv_smt_bool(s->smt, true), pv_sym_all_unset(s, type, true));
  }
}

/* Anything may be in the place, which is divided into cells; its bits may be set or unset. */
static void change_place(struct pv_symbolic *s, const struct pv_place *p, uint32_t instance) {
  for (uint32_t i = 0; i < p->n_cells; i++) {
    uint32_t cell = pv_sym_cell(s, PV_CELL_MEMORY, p->first_cell + i, 0, instance);
    pv_type type = s->cells.at[cell]->type;
    pv_sym_set(s, cell, pv_sym_fresh(s, "changed", type, s->cells.at[cell]->is_signed));
    pv_sym_mark_cell(s, cell, pv_smt_bool(s->smt, true),
                     pv_smt_fresh(s->smt, "unset", pv_sym_unset_sort(s, type)));
  }
}

void pv_sym_forget_reach(struct pv_symbolic *s, const struct pv_reach *r) {
  for (uint32_t i = 0; i < r->places.n; i++) {
    const struct pv_place *p = pv_layout_place(s->layout, r->places.at[i]);
    pv_instances instances = {0};
    if (!p->cut)
      pv_sym_forget_class(s, p->class);
    else
      pv_sym_instances(s, r->places.at[i], &instances);
    for (uint32_t k = 0; k < instances.n; k++) change_place(s, p, instances.at[k]);
    pv_vec_free(&instances);
  }
}

/* ---- lives of objects ---------------------------------------------------------------------------
 */

/* If an object begins a new lifetime at the same address, an old pointer cannot be distinguished
 * from a new one. So one more cell beside ALIVE records whether there was an earlier lifetime. */
static uint32_t ended_cell(struct pv_symbolic *s, uint32_t place, uint32_t instance) {
  const struct pv_place *p = pv_layout_place(s->layout, place);
  bool scoped = s->program->functions.at[p->function].slots.at[p->index].scoped;
  bool matters = p->taken && (p->outlived || (scoped && p->kept));
  return matters ? pv_sym_cell(s, PV_CELL_ALIVE, place, 1, instance) : UINT32_MAX;
}

void pv_sym_used_again(struct pv_symbolic *s, uint32_t place, pv_term when) {
  const struct pv_place *p = pv_layout_place(s->layout, place);
  const struct pv_function *f = &s->program->functions.at[p->function];
  pv_sym_event(s, PV_SYM_CUT, PV_PROP_COUNT, when, false,
               "no pointer to `%s` of %s is used after its end",
               p->kind == PV_PLACE_SLOT ? f->slots.at[p->index].name : "alloca", f->name);
}

void pv_sym_slot_begins(struct pv_symbolic *s, uint32_t frame, uint32_t slot) {
  const struct pv_frame *f = pv_control_frame(s->control, frame);
  uint32_t place = pv_layout_slot(s->layout, f->function, slot), instance = f->instance;
  uint32_t ended = ended_cell(s, place, instance);
  if (ended != UINT32_MAX) pv_sym_used_again(s, place, pv_sym_get(s, ended));
  forget_place(s, place, instance);
  pv_sym_sync_begins(s, place, instance);
  uint32_t alive = pv_sym_alive_cell(s, place, instance);
  if (alive != UINT32_MAX) pv_sym_set(s, alive, pv_smt_bool(s->smt, true));
}

void pv_sym_slot_forgets(struct pv_symbolic *s, uint32_t frame, uint32_t slot) {
  const struct pv_frame *f = pv_control_frame(s->control, frame);
  forget_place(s, pv_layout_slot(s->layout, f->function, slot), f->instance);
}

void pv_sym_slot_ends(struct pv_symbolic *s, uint32_t frame, uint32_t slot) {
  const struct pv_frame *f = pv_control_frame(s->control, frame);
  uint32_t place = pv_layout_slot(s->layout, f->function, slot), instance = f->instance;
  uint32_t alive = pv_sym_alive_cell(s, place, instance), ended = ended_cell(s, place, instance);
  pv_sym_sync_ends(s, place, instance);
  if (alive != UINT32_MAX) pv_sym_set(s, alive, pv_smt_bool(s->smt, false));
  if (ended != UINT32_MAX) pv_sym_set(s, ended, pv_smt_bool(s->smt, true));
}

void pv_sym_frame_begins(struct pv_symbolic *s, uint32_t frame) {
  const struct pv_frame *f = pv_control_frame(s->control, frame);
  uint32_t function = f->function, instance = f->instance;
  const struct pv_function *fn = &s->program->functions.at[function];
  for (uint32_t i = 0; i < fn->slots.n; i++) {
    uint32_t place = pv_layout_slot(s->layout, function, i);
    uint32_t ended = ended_cell(s, place, instance);
    if (!fn->slots.at[i].scoped)
      pv_sym_slot_begins(s, frame, i);
    else if (ended != UINT32_MAX && !pv_layout_place(s->layout, place)->outlived)
      pv_sym_set(s, ended, pv_smt_bool(s->smt, false));
  }
}

void pv_sym_thread_begins(struct pv_symbolic *s, uint32_t thread) {
  for (uint32_t i = 0; i < pv_layout_places(s->layout); i++) {
    const struct pv_place *p = pv_layout_place(s->layout, i);
    if (!pv_sym_is_thread_local(s, p) || !p->stored) continue;
    for (uint32_t k = 0; p->cut && k < p->n_cells; k++) {
      uint32_t cell = pv_sym_cell(s, PV_CELL_MEMORY, p->first_cell + k, 0, thread * PV_INSTANCES);
      pv_term initial = pv_sym_initial(s, cell);
      pv_type type = s->cells.at[cell]->type;
      bool is_signed = s->cells.at[cell]->is_signed;
      pv_sym_set(s, cell, initial ? initial : pv_sym_fresh(s, "initial", type, is_signed));
    }
    if (!p->cut) pv_sym_forget_class(s, p->class);
  }
}
