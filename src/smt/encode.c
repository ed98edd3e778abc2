/* encode.c -- the traversal of an expression. Each node is encoded once, in the order of
 * evaluation. The events of its evaluation are stored with it, and reported by every call, under
 * the conditions of the enclosing `?:`. */
#include "smt/encode_internal.h"

/* ---- cache ----------------------------------------------------------------------------------- */
static struct pv_encoder_cache *cache_of(struct pv_encoder *e) {
  if (!e->cache) {
    e->cache = pv_alloc(sizeof *e->cache);
    e->cache->generation = 1;
  }
  return e->cache;
}

static struct pv_entry *entry_of(struct pv_encoder *e, pv_expr x) {
  struct pv_encoder_cache *c = cache_of(e);
  if (x >= c->entry.n) {
    pv_vec_reserve(&c->entry, x + 1);
    memset(c->entry.at + c->entry.n, 0, (x + 1 - c->entry.n) * sizeof *c->entry.at);
    c->entry.n = x + 1;
  }
  return &c->entry.at[x];
}

void pv_encoder_forget(struct pv_encoder *e) {
  if (!e->cache) return;
  e->cache->generation++;
  e->cache->notes.n = 0;
}

void pv_encoder_free(struct pv_encoder *e) {
  pv_vec_free(&e->events);
  pv_vec_free(&e->side);
  pv_vec_free(&e->fresh);
  if (!e->cache) return;
  for (uint32_t i = 0; i < e->cache->signs.n; i++) free(e->cache->signs.at[i].is_signed);
  pv_vec_free(&e->cache->signs);
  pv_vec_free(&e->cache->entry);
  pv_vec_free(&e->cache->notes);
  pv_vec_free(&e->cache->once);
  free(e->cache);
  e->cache = NULL;
}

/* ---- notes ----------------------------------------------------------------------------------- */
void pv_note_event(struct pv_encoder *e, enum pv_encode_event kind, pv_term when) {
  if (pv_smt_is_false(e->smt, when)) return;
  pv_vec_push(&e->cache->notes,
              ((struct pv_note){.kind = PV_NOTE_EVENT, .event = kind, .term = when}));
}

void pv_note_imprecise(struct pv_encoder *e) {
  pv_vec_push(&e->cache->notes, ((struct pv_note){.kind = PV_NOTE_IMPRECISE}));
}

void pv_note_side(struct pv_encoder *e, pv_term condition) {
  if (pv_smt_is_true(e->smt, condition)) return;
  pv_vec_push(&e->cache->notes, ((struct pv_note){.kind = PV_NOTE_SIDE, .term = condition}));
}

pv_term pv_note_fresh(struct pv_encoder *e, const char *name, struct pv_sort sort) {
  pv_term t = pv_smt_fresh(e->smt, name, sort);
  pv_vec_push(&e->cache->notes, ((struct pv_note){.kind = PV_NOTE_FRESH, .term = t}));
  return t;
}

/* ---- sorts, signedness ----------------------------------------------------------------------- */
struct pv_sort pv_encode_sort(const struct pv_encoder *e, pv_type type) {
  unsigned bits = pv_type_bits(type);
  if (type == PV_INT(1)) return (struct pv_sort){.kind = PV_SORT_BOOL};
  if (e->encoding == PV_ENCODE_LINEAR) return (struct pv_sort){.kind = PV_SORT_INT};
  return (struct pv_sort){.kind = pv_type_kind(type) == PV_T_FLOAT ? PV_SORT_FLOAT : PV_SORT_BV,
                          .bits = (uint8_t)bits};
}

bool pv_encode_cell_is_signed(pv_type type) {
  return pv_type_kind(type) == PV_T_INT && type != PV_INT(1);
}

/* Determines the signedness of variables whose source type does not tell: the majority of their
 * uses decides. */
static void count_uses(const struct pv_encoder *e, pv_expr x, int *vote, uint8_t *seen) {
  if (!x || seen[x]) return;
  seen[x] = 1;
  const struct pv_expr_node *n = pv_node(e->program, x);
  pv_expr args[] = {n->a, n->b, n->c};
  int how = 0;
  switch (n->op) {
  case PV_X_SDIV:
  case PV_X_SREM:
  case PV_X_ASHR:
  case PV_X_SLT:
  case PV_X_SLE:
  case PV_X_SEXT:
  case PV_X_SITOFP: how = 1; break;
  case PV_X_UDIV:
  case PV_X_UREM:
  case PV_X_LSHR:
  case PV_X_ULT:
  case PV_X_ULE:
  case PV_X_ZEXT:
  case PV_X_UITOFP: how = -1; break;
  case PV_X_ADD:
  case PV_X_SUB:
  case PV_X_MUL: how = n->flags & PV_XF_NSW ? 1 : 0; break;
  default: break;
  }
  for (int i = 0; i < 3; i++) {
    if (args[i] && pv_node(e->program, args[i])->op == PV_X_VAR)
      vote[pv_node(e->program, args[i])->lo] += how;
    count_uses(e, args[i], vote, seen);
  }
}

static void decide_signs(const struct pv_encoder *e, const struct pv_function *f, uint8_t *out) {
  int *vote = pv_alloc(((size_t)f->vars.n + 1) * sizeof *vote);
  uint8_t *seen = pv_alloc(e->program->exprs.n);
  for (uint32_t i = 0; i < f->edges.n; i++) {
    const struct pv_edge *edge = &f->edges.at[i];
    for (int k = 0; k < 3; k++) count_uses(e, edge->e[k], vote, seen);
    for (uint32_t k = 0; k < edge->args.n; k++)
      count_uses(e, pv_arg(e->program, edge->args, k), vote, seen);
  }
  for (uint32_t v = 0; v < f->vars.n; v++) {
    const struct pv_variable *var = &f->vars.at[v];
    const struct pv_srctype_info *info = &e->program->srctypes.at[var->srctype];
    bool known = var->srctype && var->srctype < e->program->srctypes.n;
    out[v] = vote[v] >= 0;
    if (known && (info->kind == PV_S_SIGNED || info->kind == PV_S_ENUM)) out[v] = true;
    if (known && (info->kind == PV_S_UNSIGNED || info->kind == PV_S_BOOL)) out[v] = false;
    if (pv_type_kind(var->type) != PV_T_INT || var->type == PV_INT(1)) out[v] = false;
  }
  free(vote);
  free(seen);
}

bool pv_encode_is_signed(struct pv_encoder *e, const struct pv_function *f, uint32_t var) {
  struct pv_encoder_cache *c = cache_of(e);
  for (uint32_t i = 0; i < c->signs.n; i++)
    if (c->signs.at[i].function == f) return c->signs.at[i].is_signed[var];
  struct pv_signs fresh = {f, pv_alloc((size_t)f->vars.n + 1)};
  decide_signs(e, f, fresh.is_signed);
  pv_vec_push(&c->signs, fresh);
  return fresh.is_signed[var];
}

pv_term pv_encode_range(struct pv_encoder *e, pv_type type, bool is_signed, pv_term t) {
  pv_i128 lo, hi;
  if (e->encoding == PV_ENCODE_BITVECTOR || type == PV_INT(1)) return pv_smt_bool(e->smt, true);
  is_signed = is_signed && pv_type_kind(type) == PV_T_INT;
  if (!pv_linear_range(pv_type_bits(type), is_signed, &lo, &hi)) {
    pv_term top =
        pv_smt_keep(e->smt, Z3_mk_numeral(e->smt->z3, "340282366920938463463374607431768211455",
                                          e->smt->int_sort));
    return pv_smt_mk2(e->smt, PV_SMT_AND, pv_smt_mk2(e->smt, PV_SMT_LE, pv_smt_int(e->smt, 0), t),
                      pv_smt_mk2(e->smt, PV_SMT_LE, t, top));
  }
  pv_term low = pv_linear_number(e, 128, lo).t, high = pv_linear_number(e, 128, hi).t;
  return pv_smt_mk2(e->smt, PV_SMT_AND, pv_smt_mk2(e->smt, PV_SMT_LE, low, t),
                    pv_smt_mk2(e->smt, PV_SMT_LE, t, high));
}

pv_term pv_encode_convert(struct pv_encoder *e, pv_type type, pv_term t, bool from_signed,
                          bool to_signed) {
  if (e->encoding == PV_ENCODE_BITVECTOR || pv_type_kind(type) != PV_T_INT || type == PV_INT(1) ||
      from_signed == to_signed)
    return t;
  return pv_linear_norm(e, pv_linear_typed(t, pv_type_bits(type), from_signed), to_signed).t;
}

/* ---- nodes ----------------------------------------------------------------------------------- */
static bool is_float(pv_type t) {
  return pv_type_kind(t) == PV_T_FLOAT;
}

/* The operand as a number, even if it is a condition. */
static struct pv_value operand(struct pv_encoder *e, pv_expr x) {
  const struct pv_value v = entry_of(e, x)->raw;
  if (pv_node(e->program, x)->type != PV_INT(1)) return v;
  return e->encoding == PV_ENCODE_LINEAR ? pv_linear_bool(e, v.t, false) : pv_bits_bool(e, v.t);
}

static pv_term condition(struct pv_encoder *e, pv_expr x) {
  return entry_of(e, x)->raw.t;
}

static struct pv_value plain(pv_term t, pv_type type) {
  return (struct pv_value){.t = t, .bits = pv_type_bits(type)};
}

static struct pv_value leaf(struct pv_encoder *e, const struct pv_expr_node *n) {
  unsigned bits = pv_type_bits(n->type);
  pv_term t;
  if (n->op == PV_X_CONST) {
    if (n->type == PV_INT(1)) return plain(pv_smt_bool(e->smt, n->lo & 1), n->type);
    pv_u128 v = (pv_u128)n->hi << 64 | n->lo;
    if (is_float(n->type) && e->encoding == PV_ENCODE_BITVECTOR)
      return plain(pv_smt_number(e->smt, pv_encode_sort(e, n->type), n->lo, n->hi), n->type);
    pv_i128 s = bits < 128 ? (pv_i128)(v << (128 - bits)) >> (128 - bits) : (pv_i128)v;
    if (e->encoding == PV_ENCODE_LINEAR) return pv_linear_number(e, bits, s);
    struct pv_value r = plain(pv_bits_number(e, bits, s), n->type);
    r.bounded = true;
    r.lo = r.hi = s;
    return r;
  }
  bool is_signed = false;
  if (n->op == PV_X_UNDEF)
    t = pv_note_fresh(e, "undef", pv_encode_sort(e, n->type));
  else
    t = e->leaf(e->user, n);
  if (n->op == PV_X_VAR && e->function)
    is_signed = pv_encode_is_signed(e, e->function, (uint32_t)n->lo);
  if (n->op == PV_X_UNDEF) pv_note_side(e, pv_encode_range(e, n->type, false, t));
  if (n->type == PV_INT(1) || (is_float(n->type) && e->encoding == PV_ENCODE_BITVECTOR))
    return plain(t, n->type);
  uint64_t lo, hi;
  struct pv_value r = e->encoding == PV_ENCODE_LINEAR ? pv_linear_typed(t, bits, is_signed)
                                                      : pv_bits_typed(e, t, bits);
  if (e->encoding == PV_ENCODE_LINEAR &&
      pv_smt_numeral(e->smt, pv_ast(t), (struct pv_sort){.kind = PV_SORT_INT}, &lo, &hi))
    r = pv_linear_number(e, bits, (pv_i128)((pv_u128)hi << 64 | lo));
  return r;
}

/* Operations on conditions whose results are conditions. Returns false if they must be encoded as
 * numbers. */
static bool logical(struct pv_encoder *e, const struct pv_expr_node *n, pv_term *out) {
  struct pv_smt *s = e->smt;
  pv_term a = condition(e, n->a), b = condition(e, n->b);
  switch (n->op) {
  case PV_X_AND: *out = pv_smt_mk2(s, PV_SMT_AND, a, b); return true;
  case PV_X_OR: *out = pv_smt_mk2(s, PV_SMT_OR, a, b); return true;
  case PV_X_XOR:
  case PV_X_NE: *out = pv_smt_mk1(s, PV_SMT_NOT, pv_smt_mk2(s, PV_SMT_EQ, a, b)); return true;
  case PV_X_EQ: *out = pv_smt_mk2(s, PV_SMT_EQ, a, b); return true;
  case PV_X_ULT: *out = pv_smt_mk2(s, PV_SMT_AND, pv_smt_mk1(s, PV_SMT_NOT, a), b); return true;
  case PV_X_ULE: *out = pv_smt_mk2(s, PV_SMT_OR, pv_smt_mk1(s, PV_SMT_NOT, a), b); return true;
  case PV_X_SLT: *out = pv_smt_mk2(s, PV_SMT_AND, a, pv_smt_mk1(s, PV_SMT_NOT, b)); return true;
  case PV_X_SLE: *out = pv_smt_mk2(s, PV_SMT_OR, a, pv_smt_mk1(s, PV_SMT_NOT, b)); return true;
  default: return false;
  }
}

/* The pointer to which PTRADDs were applied. */
static pv_expr root_of(const struct pv_program *p, pv_expr x) {
  while (pv_node(p, x)->op == PV_X_PTRADD) x = pv_node(p, x)->a;
  return x;
}

static pv_term compare(struct pv_encoder *e, const struct pv_expr_node *n) {
  pv_term r;
  if (pv_node(e->program, n->a)->type == PV_INT(1)) {
    logical(e, n, &r);
    return r;
  }
  if ((n->flags & PV_XF_PTRCMP) && n->op != PV_X_EQ && n->op != PV_X_NE &&
      root_of(e->program, n->a) != root_of(e->program, n->b))
    pv_note_event(e, PV_EVENT_ADDRESS_ORDER, pv_smt_bool(e->smt, true));
  struct pv_value a = operand(e, n->a), b = operand(e, n->b);
  if (e->encoding == PV_ENCODE_BITVECTOR) return pv_bits_compare(e, n->op, a.t, b.t);
  /* x % k == 0 does not depend on the sign of x. */
  const struct pv_expr_node *rest = pv_node(e->program, n->a);
  pv_i128 k, zero;
  if ((n->op == PV_X_EQ || n->op == PV_X_NE) && rest->op == PV_X_SREM &&
      pv_linear_is_number(&b, &zero) && zero == 0 && rest->type != PV_INT(1)) {
    struct pv_value divisor = operand(e, rest->b);
    struct pv_value dividend = pv_linear_norm(e, operand(e, rest->a), true);
    if (pv_linear_is_number(&divisor, &k) && k != 0 && k != INT64_MIN) {
      pv_term m =
          pv_smt_mk2(e->smt, PV_SMT_MOD, dividend.t, pv_linear_number(e, 128, k < 0 ? -k : k).t);
      r = pv_smt_mk2(e->smt, PV_SMT_EQ, m, pv_smt_int(e->smt, 0));
      return n->op == PV_X_EQ ? r : pv_smt_mk1(e->smt, PV_SMT_NOT, r);
    }
  }
  return pv_linear_compare(e, n->op, a, b);
}

/* Conversions between integers and pointers. */
static struct pv_value convert(struct pv_encoder *e, const struct pv_expr_node *n) {
  unsigned bits = pv_type_bits(n->type);
  pv_type from = pv_node(e->program, n->a)->type;
  if (n->op == PV_X_BITCAST && from == n->type) return entry_of(e, n->a)->raw;
  struct pv_value a = operand(e, n->a);
  if (e->encoding == PV_ENCODE_BITVECTOR) {
    if (n->op == PV_X_ZEXT || n->op == PV_X_SEXT)
      return pv_bits_extend(e, n->op == PV_X_SEXT, bits, a);
    if (n->op == PV_X_BITCAST) return a;
    struct pv_value r = pv_bits_typed(e, pv_smt_extract(e->smt, bits - 1, 0, a.t), bits);
    if (bits == 1) r.t = pv_bits_compare(e, PV_X_EQ, r.t, pv_bits_number(e, 1, 1));
    return r;
  }
  if (n->op == PV_X_SEXT)
    a = from == PV_INT(1) ? pv_linear_bool(e, condition(e, n->a), true)
                          : pv_linear_norm(e, a, true);
  if (n->op == PV_X_ZEXT) a = pv_linear_norm(e, a, false);
  a.bits = bits;
  if (n->op != PV_X_BITCAST) a.unsigned_128 = false;
  if (n->type == PV_INT(1)) return plain(pv_linear_as_bool(e, a), n->type);
  return a;
}

/* With LINEAR, floats are represented by their bits, and results of operations on them are
 * unconstrained. */
static struct pv_value linear_float(struct pv_encoder *e, const struct pv_expr_node *n) {
  unsigned bits = pv_type_bits(n->type);
  if (n->op == PV_X_FNEG) {
    struct pv_value top =
        pv_linear_scale(e, pv_linear_number(e, bits, 1), (pv_i128)1 << (bits - 1));
    return pv_linear_add(e, entry_of(e, n->a)->raw, top);
  }
  pv_note_imprecise(e);
  bool is_cast = n->op == PV_X_FPTOSI || n->op == PV_X_FPTOUI;
  if (is_cast && !(n->flags & PV_XF_IN_RANGE))
    pv_note_event(e, PV_EVENT_FLOAT_CAST,
                  pv_note_fresh(e, "cast", (struct pv_sort){.kind = PV_SORT_BOOL}));
  if (n->type == PV_INT(1))
    return plain(pv_note_fresh(e, "fcmp", (struct pv_sort){.kind = PV_SORT_BOOL}), n->type);
  if (is_cast && n->flags & PV_XF_IN_RANGE && (n->lo || n->hi)) {
    bool is_signed = n->op == PV_X_FPTOSI;
    return pv_linear_any(e, "cast", bits, is_signed ? (int64_t)n->lo : (pv_i128)n->lo,
                         is_signed ? (int64_t)n->hi : (pv_i128)n->hi);
  }
  return pv_linear_unknown(e, "float", bits, n->op == PV_X_FPTOSI);
}

static struct pv_value float_node(struct pv_encoder *e, const struct pv_expr_node *n,
                                  const struct pv_operation *o) {
  if (e->encoding == PV_ENCODE_LINEAR) return linear_float(e, n);
  pv_expr ids[] = {n->a, n->b};
  pv_term args[2] = {NULL, NULL}, r;
  for (int i = 0; i < 2; i++)
    if (ids[i])
      args[i] = is_float(pv_node(e->program, ids[i])->type) ? entry_of(e, ids[i])->raw.t
                                                            : operand(e, ids[i]).t;
  if (n->op == PV_X_FCMP)
    return plain(pv_float_compare(e, (enum pv_fcmp)n->aux, args[0], args[1]), n->type);
  r = pv_float_operation(e, o, args);
  if (is_float(n->type)) return plain(r, n->type);
  if (n->type == PV_INT(1))
    return plain(pv_bits_compare(e, PV_X_EQ, r, pv_bits_number(e, 1, 1)), n->type);
  return pv_bits_typed(e, r, pv_type_bits(n->type));
}

static bool touches_float(const struct pv_encoder *e, const struct pv_expr_node *n) {
  if (n->op == PV_X_BITCAST && e->encoding == PV_ENCODE_LINEAR) return false;
  if (n->op == PV_X_BITCAST && n->type == pv_node(e->program, n->a)->type) return false;
  return n->op != PV_X_SELECT && pv_expr_ops[n->op].arity &&
         (is_float(n->type) || is_float(pv_node(e->program, n->a)->type));
}

static struct pv_value select_node(struct pv_encoder *e, const struct pv_expr_node *n) {
  pv_term c = condition(e, n->a);
  struct pv_value a = entry_of(e, n->b)->raw, b = entry_of(e, n->c)->raw;
  if (e->encoding == PV_ENCODE_LINEAR && n->type != PV_INT(1)) return pv_linear_ite(e, c, a, b);
  pv_term t = pv_smt_mk3(e->smt, PV_SMT_ITE, c, a.t, b.t);
  if (!a.bounded || !b.bounded) return plain(t, n->type);
  struct pv_value r = pv_bits_typed(e, t, a.bits);
  pv_bits_bound(&r, a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi);
  return r;
}

static struct pv_value integer_node(struct pv_encoder *e, const struct pv_expr_node *n,
                                    const struct pv_operation *o) {
  bool linear = e->encoding == PV_ENCODE_LINEAR;
  struct pv_value args[3] = {{0}}, r;
  args[0] = operand(e, n->a);
  if (n->b) args[1] = operand(e, n->b);
  if (n->c) args[2] = operand(e, n->c);
  if (n->op == PV_X_OVERFLOWS) {
    enum pv_overflow kind = (enum pv_overflow)n->aux;
    return plain(linear ? pv_linear_overflows(e, kind, args[0], args[1])
                        : pv_bits_overflows(e, kind, args[0], args[1]),
                 n->type);
  }
  if (n->op == PV_X_INTOP)
    r = linear ? pv_linear_intop(e, o, args) : pv_bits_intop(e, o, args);
  else
    r = linear ? pv_linear_binary(e, o, args[0], args[1]) : pv_bits_binary(e, o, args[0], args[1]);
  if (n->type == PV_INT(1))
    r = plain(linear ? pv_linear_as_bool(e, r)
                     : pv_bits_compare(e, PV_X_EQ, r.t, pv_bits_number(e, 1, 1)),
              n->type);
  return r;
}

static struct pv_value node(struct pv_encoder *e, const struct pv_expr_node *n) {
  struct pv_operation o = {(enum pv_expr_op)n->op, n->flags, n->aux, n->type,
                           n->a ? pv_node(e->program, n->a)->type : PV_VOID};
  pv_term t;
  if (!pv_expr_ops[n->op].arity) return leaf(e, n);
  if (touches_float(e, n)) return float_node(e, n, &o);
  switch (n->op) {
  case PV_X_SELECT: return select_node(e, n);
  case PV_X_EQ:
  case PV_X_NE:
  case PV_X_ULT:
  case PV_X_ULE:
  case PV_X_SLT:
  case PV_X_SLE: return plain(compare(e, n), n->type);
  case PV_X_ZEXT:
  case PV_X_SEXT:
  case PV_X_TRUNC:
  case PV_X_BITCAST: return convert(e, n);
  case PV_X_AND:
  case PV_X_OR:
  case PV_X_XOR:
    if (n->type == PV_INT(1) && logical(e, n, &t)) return plain(t, n->type);
    break;
  default: break;
  }
  return integer_node(e, n, &o);
}

static void visit(struct pv_encoder *e, pv_expr x) {
  struct pv_encoder_cache *c = cache_of(e);
  if (entry_of(e, x)->generation == c->generation) return;
  const struct pv_expr_node n = *pv_node(e->program, x);
  pv_expr args[] = {n.a, n.b, n.c};
  bool below = false, once = n.op == PV_X_UNDEF;
  for (int i = 0; i < 3; i++) {
    if (!args[i]) continue;
    visit(e, args[i]);
    below |= entry_of(e, args[i])->below;
    once |= entry_of(e, args[i])->once;
  }
  uint32_t from = c->notes.n;
  struct pv_value raw = node(e, &n);
  struct pv_entry *entry = entry_of(e, x);
  *entry = (struct pv_entry){.generation = c->generation,
                             .below = below || c->notes.n > from,
                             .once = once,
                             .raw = raw,
                             .note_from = from,
                             .notes = c->notes.n - from};
  if (once) pv_vec_push(&c->once, x);
}

/* ---- reports --------------------------------------------------------------------------------- */
struct report {
  struct pv_encoder *e;
  struct pv_map seen; /* (expression, guard) */
};

static void report_note(struct report *r, pv_expr x, const struct pv_note *note, pv_term guard) {
  struct pv_encoder *e = r->e;
  pv_term when;
  switch (note->kind) {
  case PV_NOTE_EVENT:
    when = pv_smt_mk2(e->smt, PV_SMT_AND, guard, note->term);
    if (!pv_smt_is_false(e->smt, when))
      pv_vec_push(&e->events, ((struct pv_encoded_event){note->event, when, x}));
    break;
  case PV_NOTE_SIDE: pv_vec_push(&e->side, note->term); break;
  case PV_NOTE_FRESH: pv_vec_push(&e->fresh, note->term); break;
  case PV_NOTE_IMPRECISE: e->imprecise = true; break;
  }
}

static void report(struct report *r, pv_expr x, pv_term guard) {
  if (!x) return;
  const struct pv_entry entry = *entry_of(r->e, x);
  if (!entry.below) return;
  struct {
    pv_term guard;
    uint64_t x;
  } key = {guard, x};
  bool is_new;
  pv_map_put(&r->seen, &key, sizeof key, 1, &is_new);
  if (!is_new) return;
  const struct pv_expr_node *n = pv_node(r->e->program, x);
  report(r, n->a, guard);
  if (n->op == PV_X_SELECT) {
    struct pv_smt *s = r->e->smt;
    pv_term c = condition(r->e, n->a);
    report(r, n->b, pv_smt_mk2(s, PV_SMT_AND, guard, c));
    report(r, n->c, pv_smt_mk2(s, PV_SMT_AND, guard, pv_smt_mk1(s, PV_SMT_NOT, c)));
  } else {
    report(r, n->b, guard);
    report(r, n->c, guard);
  }
  for (uint32_t i = 0; i < entry.notes; i++)
    report_note(r, x, &r->e->cache->notes.at[entry.note_from + i], guard);
}

/* ---- the calls ------------------------------------------------------------------------------- */
static struct pv_value encode(struct pv_encoder *e, pv_expr x, bool as_signed) {
  visit(e, x);
  struct pv_value r = entry_of(e, x)->raw;
  pv_type type = pv_node(e->program, x)->type;
  if (e->encoding == PV_ENCODE_LINEAR && type != PV_INT(1)) {
    bool to_signed = as_signed && pv_type_kind(type) == PV_T_INT;
    struct pv_entry *entry = entry_of(e, x);
    if (!entry->has[to_signed]) {
      struct pv_value v = pv_linear_norm(e, r, to_signed);
      entry = entry_of(e, x);
      entry->norm[to_signed] = v;
      entry->has[to_signed] = true;
    }
    r = entry->norm[to_signed];
  }
  if (entry_of(e, x)->below) {
    struct report all = {.e = e};
    report(&all, x, pv_smt_bool(e->smt, true));
    pv_map_free(&all.seen);
  }
  struct pv_encoder_cache *c = e->cache;
  for (; c->once.n; c->once.n--) c->entry.at[pv_vec_last(&c->once)].generation = 0;
  return r;
}

pv_term pv_encode(struct pv_encoder *e, pv_expr expr, bool as_signed) {
  return encode(e, expr, as_signed).t;
}

pv_term pv_encode_condition(struct pv_encoder *e, pv_expr expr) {
  PV_REQUIRE(pv_node(e->program, expr)->type == PV_INT(1), "a condition is an i1");
  return encode(e, expr, false).t;
}

/* Reports the notes from number `from` on, and forgets them. */
static void report_from(struct pv_encoder *e, uint32_t from) {
  struct pv_encoder_cache *c = cache_of(e);
  struct report all = {.e = e};
  for (uint32_t i = from; i < c->notes.n; i++)
    report_note(&all, 0, &c->notes.at[i], pv_smt_bool(e->smt, true));
  c->notes.n = from;
}

pv_term pv_encode_rmw(struct pv_encoder *e, enum pv_rmw op, pv_type type, pv_term old, pv_term arg,
                      bool as_signed) {
  static const uint8_t ops[] = {
      [PV_RMW_ADD] = PV_X_ADD,   [PV_RMW_SUB] = PV_X_SUB,  [PV_RMW_AND] = PV_X_AND,
      [PV_RMW_NAND] = PV_X_AND,  [PV_RMW_OR] = PV_X_OR,    [PV_RMW_XOR] = PV_X_XOR,
      [PV_RMW_FADD] = PV_X_FADD, [PV_RMW_FSUB] = PV_X_FSUB};
  if (op == PV_RMW_XCHG) return arg;
  struct pv_encoder_cache *c = cache_of(e);
  uint32_t from = c->notes.n;
  unsigned bits = pv_type_bits(type);
  bool linear = e->encoding == PV_ENCODE_LINEAR, ordered = op >= PV_RMW_SMAX && op <= PV_RMW_UMIN;
  struct pv_operation o = {.op = PV_X_INTOP, .type = type, .from = type};
  struct pv_value r;
  pv_term terms[] = {old, arg};
  as_signed = as_signed && !is_float(type) && pv_type_kind(type) == PV_T_INT;
  if (ordered)
    o.aux = op == PV_RMW_SMAX   ? PV_INTOP_SMAX
            : op == PV_RMW_SMIN ? PV_INTOP_SMIN
            : op == PV_RMW_UMAX ? PV_INTOP_UMAX
                                : PV_INTOP_UMIN;
  else
    o.op = (enum pv_expr_op)ops[op];
  if (is_float(type) && linear) {
    pv_note_imprecise(e);
    r = pv_linear_unknown(e, "float", bits, false);
  } else if (is_float(type)) {
    r = plain(pv_float_operation(e, &o, terms), type);
  } else {
    struct pv_value args[3] = {{0}};
    for (int i = 0; i < 2; i++)
      args[i] =
          linear ? pv_linear_typed(terms[i], bits, as_signed) : pv_bits_typed(e, terms[i], bits);
    if (ordered)
      r = linear ? pv_linear_intop(e, &o, args) : pv_bits_intop(e, &o, args);
    else
      r = linear ? pv_linear_binary(e, &o, args[0], args[1])
                 : pv_bits_binary(e, &o, args[0], args[1]);
    if (op == PV_RMW_NAND) {
      o.op = PV_X_XOR;
      struct pv_value ones = linear ? pv_linear_number(e, bits, -1)
                                    : pv_bits_typed(e, pv_bits_number(e, bits, -1), bits);
      r = linear ? pv_linear_binary(e, &o, r, ones) : pv_bits_binary(e, &o, r, ones);
    }
    if (linear) r = pv_linear_norm(e, r, as_signed);
  }
  report_from(e, from);
  return r.t;
}

pv_term pv_encode_bitcast(struct pv_encoder *e, pv_type from, pv_type to, pv_term t) {
  struct pv_operation o = {.op = PV_X_BITCAST, .type = to, .from = from};
  uint32_t notes = cache_of(e)->notes.n;
  pv_term args[] = {t, NULL};
  t = pv_float_operation(e, &o, args);
  report_from(e, notes);
  return t;
}
