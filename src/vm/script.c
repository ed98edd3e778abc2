/* script.c -- runs in which the values of the inputs are given, instead of chosen among those of
 * inputs.c. */
#include "vm/vm_internal.h"

void pv_script_clear(struct pv_script *script) {
  pv_vec_free(&script->asked);
  pv_map_free(&script->loaded_index);
  pv_map_free(&script->loads);
  free(script->wrong);
  script->wrong = NULL;
  script->n_asked = 0;
}

static bool at_most(uint64_t a, uint64_t b, bool is_signed, unsigned w) {
  return is_signed ? pv_signed(a, w) <= pv_signed(b, w) : a <= b;
}

/* Inputs with bounds have at most 64 bits. */
static bool within(uint64_t value, const struct pv_input_bounds *b, unsigned w) {
  return at_most(b->low, value, b->is_signed, w) && at_most(value, b->high, b->is_signed, w);
}

static bool fits(const uint64_t value[2], unsigned w) {
  uint64_t high = w > 64 ? pv_mask(w - 64) : 0;
  return !(value[0] & ~pv_mask(w)) && !(value[1] & ~high);
}

/* Why the input cannot be that of the edge, or NULL. */
static const char *misfit(const struct pv_script *s, const struct pv_input *in,
                          const struct pv_edge *e, const struct pv_input_bounds *bounds) {
  unsigned w = pv_type_bits(e->type);
  const struct pv_source *from =
      in->source && in->source <= s->n_sources ? &s->sources[in->source - 1] : NULL;
  if (in->site && (e->op != PV_OP_HAVOC || e->site != in->site - 1))
    return "is asked for at another place";
  if (from && from->bits != w) return "is of another type";
  if (from && from->name && e->op == PV_OP_HAVOC && e->text && strcmp(from->name, e->text) != 0)
    return "is asked for by another name";
  if (!fits(in->value, w)) return "does not fit into its type";
  if (bounds && !within(in->value[0], bounds, w)) return "is out of its bounds";
  return NULL;
}

static uint64_t nearest_to_zero(const struct pv_input_bounds *b, unsigned w) {
  if (!b || within(0, b, w)) return 0;
  return b->is_signed && pv_signed(b->high, w) < 0 ? b->high : b->low;
}

/* How many of the given values were taken. */
static uint64_t taken(const struct pv_script *s) {
  if (!s->skips && !s->loaded) return s->n_asked;
  return s->n_asked ? s->asked.at[s->n_asked - 1].taken : 0;
}

/* Is the value for an input of another edge, which comes later? */
static bool is_for_later(const struct pv_input *in, const struct pv_edge *e) {
  return in->site ? e->op != PV_OP_HAVOC || e->site != in->site - 1 : e->op == PV_OP_HAVOC;
}

static void keep(struct pv_vm *vm, const struct pv_code_edge *ce, const uint64_t value[2],
                 uint64_t n_taken) {
  struct pv_script *s = vm->script;
  const struct pv_code_edge *at = pv_user_edge(vm);
  struct pv_asked asked = {{value[0], value[1]},
                           vm->thread,
                           &vm->program->functions.at[ce->function],
                           &vm->program->functions.at[at->function],
                           ce->edge,
                           at->edge,
                           (uint32_t)n_taken};
  if (!s->keep || s->n_asked < s->keep) pv_vec_push(&s->asked, asked);
  s->n_asked++;
}

/* ---- loads ----------------------------------------------------------------------------------- */
struct place {
  uint32_t thread, function, edge, before;
};
enum { EDGE_KEY = 3 * sizeof(uint32_t) }; /* all of it but `before` */

void pv_script_index(struct pv_script *s) {
  for (uint32_t i = 0; i < s->n_loaded; i++) {
    const struct pv_loaded *l = &s->loaded[i];
    struct place key = {l->thread, l->function, l->edge, l->before};
    pv_map_put(&s->loaded_index, &key, sizeof key, i, NULL);
  }
}

static struct place place_of(struct pv_vm *vm, const struct pv_code_edge *ce) {
  const struct pv_function *f = &vm->program->functions.at[ce->function];
  struct place at = {vm->thread, ce->function, (uint32_t)(ce->edge - f->edges.at), 0};
  const uint32_t *n = pv_map_get(&vm->script->loads, &at, EDGE_KEY);
  if (n) at.before = *n;
  return at;
}

void pv_script_loads(struct pv_vm *vm) {
  const struct pv_code_edge *ce = &vm->code->edges.at[vm->code->where.at[vm->frame->pc]];
  if (!vm->script->loaded || !vm->recorder || vm->ahead || vm->silent) return;
  struct place at = place_of(vm, ce);
  ++*pv_map_put(&vm->script->loads, &at, EDGE_KEY, 0, NULL);
}

static void take_loaded(struct pv_vm *vm, const struct pv_code_edge *ce, uint64_t value[2]) {
  const struct pv_script *s = vm->script;
  struct place at = place_of(vm, ce);
  const uint32_t *i = pv_map_get(&s->loaded_index, &at, sizeof at);
  value[0] = i ? s->loaded[*i].value[0] : 0;
  value[1] = i ? s->loaded[*i].value[1] : 0;
}

/* ---- all inputs ------------------------------------------------------------------------------ */
bool pv_script_next(struct pv_vm *vm, const struct pv_code_edge *ce,
                    const struct pv_input_bounds *bounds, uint64_t value[2]) {
  struct pv_script *s = vm->script;
  uint64_t n = taken(s);
  if (s->loaded && ce->edge->op == PV_OP_LOAD) {
    take_loaded(vm, ce, value);
    keep(vm, ce, value, n);
    return true;
  }
  bool later = s->skips && n < s->n && is_for_later(&s->given[n], ce->edge);
  if (n < s->n && !later) {
    const struct pv_input *in = &s->given[n++];
    const char *why = misfit(s, in, ce->edge, bounds);
    if (why) {
      free(s->wrong);
      s->wrong = pv_format("input %llu %s", (unsigned long long)s->n_asked + 1, why);
      return false;
    }
    value[0] = in->value[0];
    value[1] = in->value[1];
  } else if (s->least) {
    value[0] = nearest_to_zero(bounds, pv_type_bits(ce->edge->type));
    value[1] = 0;
  }
  keep(vm, ce, value, n);
  return true;
}

void pv_script_back(struct pv_vm *vm, uint64_t n_asked) {
  struct pv_script *s = vm->script;
  if (!s) return;
  s->n_asked = n_asked;
  if (s->asked.n > n_asked) s->asked.n = (uint32_t)n_asked;
  free(s->wrong);
  s->wrong = NULL;
}
