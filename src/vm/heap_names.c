/* heap_names.c -- names of places in heap blocks, as the program would write them: p->count,
 * p[3].count.
 *
 * A block has no type of its own. Its name and type are those of the pointer to which the address
 * is assigned right after the allocation, in the allocating function: `p = malloc(n)`, `q->next =
 * malloc(n)`. They are used only in messages. */
#include "vm/vm_internal.h"

enum { MOST_STEPS = 4 };

struct holder {
  const struct pv_function *f;
  pv_srctype pointer;
  struct pv_str name;
};

static const struct pv_srctype_info *info_of(const struct pv_program *p, pv_srctype t) {
  return &p->srctypes.at[t < p->srctypes.n ? t : 0];
}

static uint32_t result_of(const struct pv_program *p, const struct pv_edge *e) {
  if (e->op == PV_OP_CALL) return e->dsts.n == 1 ? pv_arg(p, e->dsts, 0) : PV_NO_VAR;
  return e->op == PV_OP_ALLOC || e->op == PV_OP_ASSIGN ? e->dst : PV_NO_VAR;
}

static bool is_variable(const struct pv_program *p, pv_expr e, uint32_t var) {
  const struct pv_expr_node *n = e ? pv_node(p, e) : NULL;
  return n && n->op == PV_X_VAR && n->lo == var;
}

/* Name and source type of the member at an address with a constant offset from a variable. */
static pv_srctype member_of(const struct pv_program *p, const struct pv_function *f, pv_expr e,
                            struct pv_str *name) {
  uint64_t offset = 0;
  pv_srctype t = 0;
  struct pv_str path = {0};
  const struct pv_expr_node *n = pv_node(p, e);
  for (; n->op == PV_X_PTRADD; n = pv_node(p, n->a)) {
    const struct pv_expr_node *by = pv_node(p, n->b);
    if (by->op != PV_X_CONST) return 0;
    offset += by->lo;
  }
  bool pointer = n->op == PV_X_VAR && info_of(p, f->vars.at[n->lo].srctype)->kind == PV_S_POINTER;
  if (n->op == PV_X_GLOBAL) t = p->globals.at[n->lo].srctype;
  if (n->op == PV_X_SLOT) t = f->slots.at[n->lo].srctype;
  if (pointer) t = info_of(p, f->vars.at[n->lo].srctype)->element;
  if (!t || offset * 8 >= info_of(p, t)->bits) return 0;
  t = pv_member_path(p, t, offset, &path);
  const char *members = pv_str_cstr(&path), *of = n->op == PV_X_GLOBAL ? p->globals.at[n->lo].name
                                                  : n->op == PV_X_SLOT ? f->slots.at[n->lo].name
                                                                       : f->vars.at[n->lo].name;
  if (pointer && *members == '.')
    pv_str_addf(name, "%s->%s", of, members + 1);
  else
    pv_str_addf(name, pointer ? "(*%s)%s" : "%s%s", of, members);
  pv_str_free(&path);
  return t;
}

/* The only edge that follows, or NULL. */
static const struct pv_edge *next_edge(const struct pv_function *f, const struct pv_edge *e) {
  const struct pv_location *to = &f->locs.at[e->to];
  return to->n_out == 1 ? &f->edges.at[to->first_out] : NULL;
}

static bool find_holder(const struct pv_program *p, const struct pv_edge *e, struct holder *h) {
  uint32_t var = result_of(p, e);
  for (int i = 0; i < MOST_STEPS && e && var != PV_NO_VAR; i++) {
    const struct pv_variable *v = &h->f->vars.at[var];
    if (!v->is_temp && info_of(p, v->srctype)->kind == PV_S_POINTER) {
      h->pointer = v->srctype;
      pv_str_add(&h->name, v->name);
      return true;
    }
    if (!v->is_temp) return false;
    e = next_edge(h->f, e);
    if (e && e->op == PV_OP_STORE && is_variable(p, e->e[1], var)) {
      h->pointer = member_of(p, h->f, e->e[0], &h->name);
      return h->pointer && info_of(p, h->pointer)->kind == PV_S_POINTER;
    }
    if (e && e->op == PV_OP_ASSIGN && is_variable(p, e->e[0], var)) var = e->dst;
  }
  return false;
}

/* Appends element and member at an offset to the name of the pointer. */
static bool name_in(const struct pv_program *p, const struct holder *h, uint64_t size,
                    uint64_t offset, struct pv_member *m, struct pv_str *out) {
  pv_srctype t = info_of(p, h->pointer)->element;
  const struct pv_srctype_info *i = info_of(p, t);
  uint64_t each = i->bits / 8, index = each ? offset / each : 0;
  bool one = size < 2 * each;
  struct pv_str path = {0};
  if (!each || i->kind == PV_S_UNKNOWN || size < each || (one ? index > 0 : size % each != 0))
    return false;
  bool ok = pv_member_at(p, t, (offset - index * each) * 8, m, &path);
  m->first += index * each * 8;
  const char *members = path.n ? path.at : "";
  bool arrow = one && *members == '.';
  if (ok && one && !arrow) pv_str_addf(out, path.n ? "(*%s)%s" : "*%s", h->name.at, members);
  if (ok && arrow) pv_str_addf(out, "%s->%s", h->name.at, members + 1);
  if (ok && !one) pv_str_addf(out, "%s[%llu]%s", h->name.at, (unsigned long long)index, members);
  pv_str_free(&path);
  return ok;
}

bool pv_heap_name(const struct pv_vm *vm, const struct pv_object *o, uint64_t offset,
                  struct pv_member *m, struct pv_str *out) {
  const struct pv_program *p = vm->program;
  const struct pv_code_edge *ce = &vm->code->edges.at[o->site];
  struct holder h = {.f = &p->functions.at[ce->function]};
  bool named = o->kind == PV_OBJ_HEAP && offset < o->size && !h.f->is_library &&
               find_holder(p, ce->edge, &h) && name_in(p, &h, o->size, offset, m, out);
  pv_str_free(&h.name);
  return named;
}
