/* guard.c -- translates assumptions, small C expressions over the variables in scope at a move, to
 * expressions of the ir. They may contain integers, pointers, and C's operators except assignments,
 * casts, `?:`, `*`, members and elements. Signed overflow wraps around. A divisor must be a
 * constant. */
#include "observer/weave.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 200, NO = UINT32_MAX };

struct value {
  pv_expr e; /* 0: an error was reported */
  bool is_signed, pointer;
};

struct guard {
  struct pv_weave *w;
  struct pv_woven_automaton *a;
  const struct pv_automaton_transition *t; /* or NULL */
  struct pv_text_place at;                 /* of errors */
  enum pv_weave_scope scope;
  const struct pv_observer_move *m;
  const struct pv_bindings *bindings;
  struct pv_tokens tokens;
  uint32_t i, depth;
};

#define WRONG(G, ...) (pv_weave_wrong((G)->w, (G)->a, (G)->at, __VA_ARGS__), (struct value){0})

static const struct pv_expr_node *node(const struct guard *g, pv_expr e) {
  return pv_node(g->w->p, e);
}

static char *word(const struct guard *g, uint32_t i) {
  if (i >= g->tokens.n) return pv_strdup("the end");
  return pv_format("%.*s", (int)g->tokens.at[i].n, g->tokens.text + g->tokens.at[i].at);
}

static struct value unexpected(struct guard *g) {
  char *text = word(g, g->i);
  struct value none = WRONG(g, "`%.40s` is not expected in an assumption", text);
  free(text);
  return none;
}

/* ---- variables ------------------------------------------------------------------------------- */

/* Is the type an integer's or a pointer's? */
static bool is_scalar(const struct pv_program *p, pv_srctype t, struct value *v) {
  const struct pv_srctype_info *i = &p->srctypes.at[t];
  v->pointer = false;
  v->is_signed = i->kind == PV_S_SIGNED;
  switch (i->kind) {
  case PV_S_CHAR: v->is_signed = !strstr(i->name, "unsigned"); return true;
  case PV_S_ENUM: return is_scalar(p, i->element, v) || true;
  case PV_S_POINTER: v->pointer = true; return true;
  case PV_S_BOOL:
  case PV_S_SIGNED:
  case PV_S_UNSIGNED: return true;
  default: return false;
  }
}

/* Does the parenthesis that closes at i belong to a `for`, or come before a body? */
static bool closes_header(const struct pv_tokens *t, uint32_t i) {
  unsigned depth = 1;
  uint32_t open = i;
  if (pv_token_is(t, i + 1, "{")) return true;
  while (open && depth) {
    open--;
    depth += pv_token_is(t, open, ")");
    depth -= pv_token_is(t, open, "(");
  }
  return open && pv_token_is(t, open - 1, "for");
}

/* The end of the scope of a declaration at a token. */
static uint32_t scope_end(const struct pv_tokens *t, uint32_t i) {
  for (unsigned depth = 0; i < t->n; i++) {
    bool round = pv_token_is(t, i, ")");
    if (pv_token_is(t, i, "(") || pv_token_is(t, i, "[") || pv_token_is(t, i, "{")) {
      depth++;
    } else if (round || pv_token_is(t, i, "]") || pv_token_is(t, i, "}")) {
      if (depth) {
        depth--;
        continue;
      }
      if (!round) return i;
      if (!closes_header(t, i)) continue; /* it belongs to a declarator */
      if (pv_token_is(t, i + 1, "{")) return pv_tokens_close(t, i + 1);
      while (i < t->n && !pv_token_is(t, i, ";")) i++;
      return i;
    }
  }
  return t->n;
}

/* The token that declares the name on that line (debug information has no column for it). */
static uint32_t declared_at(struct guard *g, uint32_t span, const char *name) {
  const struct pv_span *at = pv_span_of(g->w->p, span);
  const struct pv_file *f = &g->w->p->files.at[at->file];
  const struct pv_source_file *s = pv_weave_source(g->w, at->file);
  if (!s || !at->line || at->line > f->line_start.n) return NO;
  size_t from = f->line_start.at[at->line - 1];
  size_t to = at->line < f->line_start.n ? f->line_start.at[at->line] : f->length;
  for (uint32_t i = 0; i < s->tokens.n && s->tokens.at[i].at < to; i++)
    if (s->tokens.at[i].at >= from && pv_token_is(&s->tokens, i, name)) return i;
  return NO;
}

/* Is the declaration at the span in scope at the move? *place: its position, which is larger for
 * inner declarations. */
static bool in_scope(struct guard *g, uint32_t span, const char *name, size_t *place) {
  const struct pv_source_file *s = pv_weave_source(g->w, g->m->file);
  uint32_t token = declared_at(g, span, name);
  *place = 0;
  if (!s || token == NO || pv_span_of(g->w->p, span)->file != g->m->file) return true;
  uint32_t end = scope_end(&s->tokens, token);
  *place = s->tokens.at[token].at + (size_t)1;
  return s->tokens.at[token].at <= g->m->offset &&
         (end == s->tokens.n || g->m->offset < s->tokens.at[end].at);
}

static bool assigns(const struct guard *g, const struct pv_edge *e, uint32_t var) {
  if (e->dst == var || e->dst2 == var) return true;
  for (uint32_t i = 0; i < e->dsts.n; i++)
    if (g->w->p->arg_pool.at[e->dsts.at + i] == var) return true;
  return false;
}

/* Is the variable assigned on every path to the move? */
static bool has_value(const struct guard *g, uint32_t var) {
  const struct pv_function *f = g->w->was;
  const struct pv_edge *last = &f->edges.at[g->m->edge];
  if (var < f->n_params || (!g->m->before && assigns(g, last, var))) return true;
  bool *seen = pv_alloc(f->locs.n * sizeof *seen);
  PV_VEC(pv_loc) stack = {0};
  pv_vec_push(&stack, f->entry);
  while (stack.n) {
    pv_loc at = pv_vec_pop(&stack);
    if (seen[at]) continue;
    seen[at] = true;
    for (uint32_t i = 0; i < f->locs.at[at].n_out; i++) {
      const struct pv_edge *e = &f->edges.at[f->locs.at[at].first_out + i];
      if (!assigns(g, e, var)) pv_vec_push(&stack, e->to);
    }
  }
  bool reached = seen[last->from];
  pv_vec_free(&stack);
  free(seen);
  return !reached;
}

static struct value loaded(struct guard *g, pv_expr address, uint64_t bytes, struct value v) {
  pv_type type = v.pointer ? PV_TYPE(PV_T_PTR, g->w->p->pointer_bits) : PV_INT(bytes * 8);
  v.e = pv_weave_load(g->w, address, type);
  return v;
}

/* If several variables have the same name, the frontend calls the others "n@2". */
static bool is_called(const char *variable, const char *name) {
  size_t n = strlen(name);
  return !strncmp(variable, name, n) && (!variable[n] || variable[n] == '@');
}

static struct value local(struct guard *g, const char *name, bool *found) {
  const struct pv_function *f = g->w->was;
  struct pv_program *p = g->w->p;
  uint32_t var = NO, slot = NO;
  size_t best = 0, place;
  struct value v = {0};
  for (uint32_t i = 0; i < f->vars.n; i++)
    if (!f->vars.at[i].is_temp && is_called(f->vars.at[i].name, name) &&
        in_scope(g, f->vars.at[i].span, name, &place) && place >= best)
      var = i, best = place;
  for (uint32_t i = 0; i < f->slots.n; i++)
    if (is_called(f->slots.at[i].name, name) && in_scope(g, f->slots.at[i].span, name, &place) &&
        place >= best)
      slot = i, var = NO, best = place;
  *found = var != NO || slot != NO;
  if (!*found) return v;
  pv_srctype type = var != NO ? f->vars.at[var].srctype : f->slots.at[slot].srctype;
  if (!is_scalar(p, type, &v)) return WRONG(g, "`%s` is neither an integer nor a pointer", name);
  if (var != NO) {
    if (!has_value(g, var))
      return WRONG(g, "`%s` may have no value yet at %s:%u", name, pv_span_file(p, g->m->span),
                   pv_span_of(p, g->m->span)->line);
    v.e = pv_mk_var(p, f->vars.at[var].type, var);
    return v;
  }
  struct pv_expr_node n = {.op = PV_X_SLOT, .type = PV_TYPE(PV_T_PTR, p->pointer_bits), .lo = slot};
  return loaded(g, pv_mk(p, n), f->slots.at[slot].size, v);
}

static struct value global(struct guard *g, const char *name) {
  struct pv_program *p = g->w->p;
  struct value v = {0};
  uint32_t found = NO;
  for (uint32_t i = 0; i < p->globals.n; i++) {
    if (strcmp(p->globals.at[i].name, name) != 0 || p->globals.at[i].is_model) continue;
    if (found != NO) return WRONG(g, "there are several variables `%s`", name);
    found = i;
  }
  if (found == NO)
    return WRONG(g, "no variable `%s` is in use at %s:%u", name, pv_span_file(p, g->m->span),
                 pv_span_of(p, g->m->span)->line);
  if (!is_scalar(p, p->globals.at[found].srctype, &v))
    return WRONG(g, "`%s` is neither an integer nor a pointer", name);
  return loaded(g, pv_weave_global(g->w, found), p->globals.at[found].size, v);
}

/* Does the transition set the variable? Its actions come before the assumption. */
static bool is_set_before(const struct guard *g, uint32_t variable) {
  for (uint32_t i = 0; g->t && i < g->t->actions.n; i++)
    if (g->t->actions.at[i].variable == variable) return true;
  return false;
}

static struct value known(struct guard *g, bool is) {
  return (struct value){pv_mk_const(g->w->p, PV_INT(32), is), true, false};
}

/* `$$s[x]` behind the name: after the actions of the transition. */
static struct value element_of(struct guard *g, uint32_t variable) {
  uint32_t close = pv_tokens_close(&g->tokens, g->i);
  if (close >= g->tokens.n) return WRONG(g, "`]` is missing in the assumption");
  char *element = pv_weave_element(pv_tokens_part(&g->tokens, g->i + 1, close));
  struct value v = {.is_signed = true};
  g->i = close + 1;
  for (uint32_t i = g->t ? g->t->actions.n : 0; i-- && !v.e;) {
    const struct pv_automaton_action *act = &g->t->actions.at[i];
    if (act->variable != variable || !act->element) continue;
    char missing, *text = pv_weave_substitute(act->element, g->bindings, false, &missing);
    pv_token_list list = {0};
    if (text) pv_tokenise(text, 0, strlen(text), &list);
    char *other = text ? pv_weave_element((struct pv_tokens){text, list.at, list.n}) : NULL;
    if (other && !strcmp(other, element)) v = known(g, act->value);
    pv_vec_free(&list);
    free(other);
    free(text);
  }
  if (!v.e) v.e = pv_weave_set_has(g->w, g->a, variable, element);
  free(element);
  return v;
}

static struct value set_of_automaton(struct guard *g, uint32_t variable) {
  struct pv_program *p = g->w->p;
  const char *name = g->a->a->variables.at[variable].name;
  struct value v = {.is_signed = true};
  if (g->i < g->tokens.n && pv_token_is(&g->tokens, g->i, "[")) return element_of(g, variable);
  bool empty = false;
  if (g->i + 1 < g->tokens.n && pv_token_is(&g->tokens, g->i, ".")) {
    empty =
        pv_token_is(&g->tokens, g->i + 1, "empty") || pv_token_is(&g->tokens, g->i + 1, "EMPTY");
    if (!empty) return WRONG(g, "a set has no member but `empty`");
    g->i += 2;
  }
  if (is_set_before(g, variable)) return WRONG(g, "`$$%s` in a transition that sets it", name);
  v = loaded(g, pv_weave_global(g->w, g->a->first + variable), 4, v);
  v.e =
      pv_mk_binary(p, empty ? PV_X_EQ : PV_X_NE, 0, PV_INT(1), v.e, pv_mk_const(p, PV_INT(32), 0));
  v.e = pv_mk_unary(p, PV_X_ZEXT, PV_INT(32), v.e);
  return v;
}

/* `$$x`: a variable of the automaton. */
static struct value of_automaton(struct guard *g, const char *name) {
  struct value v = {.is_signed = true};
  for (uint32_t i = 0; i < g->a->a->variables.n; i++) {
    if (strcmp(g->a->a->variables.at[i].name, name + 2) != 0) continue;
    if (g->a->a->variables.at[i].is_set) return set_of_automaton(g, i);
    if (is_set_before(g, i)) return WRONG(g, "`%s` in a transition that sets it", name);
    return loaded(g, pv_weave_global(g->w, g->a->first + i), 4, v);
  }
  return WRONG(g, "the automaton has no variable `%s`", name + 2);
}

/* ---- operators ------------------------------------------------------------------------------- */

static unsigned bits_of(const struct guard *g, struct value v) {
  return pv_type_bits(node(g, v.e)->type);
}

static struct value constant(struct guard *g, unsigned bits, uint64_t n, bool is_signed) {
  return (struct value){pv_mk_const(g->w->p, PV_INT(bits), n), is_signed, false};
}

static struct value widen(struct guard *g, struct value v, unsigned bits) {
  if (!v.e || v.pointer || bits_of(g, v) >= bits) return v;
  v.e = pv_mk_unary(g->w->p, v.is_signed ? PV_X_SEXT : PV_X_ZEXT, PV_INT(bits), v.e);
  return v;
}

/* Integer promotion. */
static struct value promoted(struct guard *g, struct value v) {
  if (!v.e || v.pointer || bits_of(g, v) >= 32) return v;
  v = widen(g, v, 32);
  v.is_signed = true;
  return v;
}

static pv_expr truth(struct guard *g, struct value v) {
  struct pv_program *p = g->w->p;
  if (!v.e) return 0;
  pv_type type = node(g, v.e)->type;
  if (type == PV_INT(1)) return v.e;
  return pv_mk_binary(p, PV_X_NE, 0, PV_INT(1), v.e, pv_mk_const(p, type, 0));
}

static struct value of_truth(pv_expr e) {
  return (struct value){e, false, false};
}

/* The usual arithmetic conversions; pointers are compared with pointers and 0. */
static bool convert(struct guard *g, struct value *x, struct value *y) {
  if (x->pointer != y->pointer) {
    struct value *number = x->pointer ? y : x, *pointer = x->pointer ? x : y;
    const struct pv_expr_node *n = node(g, number->e);
    if (n->op != PV_X_CONST || n->lo) return false;
    *number = *pointer;
    number->e = pv_mk_const(g->w->p, node(g, pointer->e)->type, 0);
    return true;
  }
  if (x->pointer) return true;
  *x = promoted(g, *x);
  *y = promoted(g, *y);
  unsigned a = bits_of(g, *x), b = bits_of(g, *y), bits = a > b ? a : b;
  bool is_signed = a == b ? x->is_signed && y->is_signed : a > b ? x->is_signed : y->is_signed;
  *x = widen(g, *x, bits);
  *y = widen(g, *y, bits);
  x->is_signed = y->is_signed = is_signed;
  return true;
}

static struct value compare(struct guard *g, const char *op, struct value x, struct value y) {
  struct pv_program *p = g->w->p;
  if (*op == '=' || *op == '!') {
    bool null = (node(g, x.e)->op == PV_X_CONST) | (node(g, y.e)->op == PV_X_CONST);
    unsigned flags = x.pointer && !null ? PV_XF_PTRCMP : 0;
    return of_truth(pv_mk_binary(p, *op == '=' ? PV_X_EQ : PV_X_NE, flags, PV_INT(1), x.e, y.e));
  }
  bool strict = !op[1], turned = *op == '>';
  enum pv_expr_op o = x.is_signed ? (strict ? PV_X_SLT : PV_X_SLE) : strict ? PV_X_ULT : PV_X_ULE;
  return of_truth(pv_mk_binary(p, o, x.pointer ? PV_XF_PTRCMP : 0, PV_INT(1), turned ? y.e : x.e,
                               turned ? x.e : y.e));
}

static struct value divide(struct guard *g, const char *op, struct value x, struct value y) {
  const struct pv_expr_node *n = node(g, y.e);
  uint64_t all = bits_of(g, y) < 64 ? (UINT64_C(1) << bits_of(g, y)) - 1 : UINT64_MAX;
  if (n->op != PV_X_CONST || !n->lo || (x.is_signed && n->lo == all))
    return WRONG(g, "`%s` needs a number as its divisor, neither 0 nor -1", op);
  bool rest = *op == '%';
  enum pv_expr_op o = x.is_signed ? (rest ? PV_X_SREM : PV_X_SDIV) : rest ? PV_X_UREM : PV_X_UDIV;
  x.e = pv_mk_binary(g->w->p, o, 0, node(g, x.e)->type, x.e, y.e);
  return x;
}

static struct value shift(struct guard *g, const char *op, struct value x, struct value y) {
  x = promoted(g, x);
  const struct pv_expr_node *n = node(g, y.e);
  if (n->op != PV_X_CONST || n->lo >= bits_of(g, x))
    return WRONG(g, "`%s` needs a number less than the width as its amount", op);
  enum pv_expr_op o = *op == '<' ? PV_X_SHL : x.is_signed ? PV_X_ASHR : PV_X_LSHR;
  pv_type type = node(g, x.e)->type;
  x.e = pv_mk_binary(g->w->p, o, 0, type, x.e, pv_mk_const(g->w->p, type, n->lo));
  return x;
}

static struct value binary(struct guard *g, const char *op, struct value x, struct value y) {
  static const struct {
    const char *sign;
    enum pv_expr_op op;
  } plain[] = {{"+", PV_X_ADD}, {"-", PV_X_SUB}, {"*", PV_X_MUL},
               {"&", PV_X_AND}, {"|", PV_X_OR},  {"^", PV_X_XOR}};
  if (!x.e || !y.e) return (struct value){0};
  bool logical = !strcmp(op, "&&"), shifts = !strcmp(op, "<<") || !strcmp(op, ">>");
  if (logical || !strcmp(op, "||"))
    return of_truth(pv_mk_binary(g->w->p, logical ? PV_X_AND : PV_X_OR, 0, PV_INT(1), truth(g, x),
                                 truth(g, y)));
  bool compares = strchr("=!<>", *op) && !shifts;
  if ((x.pointer || y.pointer) && !compares)
    return WRONG(g, "`%s` needs integers, not pointers", op);
  if (shifts) return shift(g, op, x, y);
  if (!convert(g, &x, &y)) return WRONG(g, "`%s` compares a pointer with a number", op);
  if (compares) return compare(g, op, x, y);
  if (*op == '/' || *op == '%') return divide(g, op, x, y);
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
    if (!strcmp(plain[i].sign, op))
      x.e = pv_mk_binary(g->w->p, plain[i].op, 0, node(g, x.e)->type, x.e, y.e);
  return x;
}

/* ---- the parser ------------------------------------------------------------------------------ */

static struct value number(struct guard *g) {
  char *text = word(g, g->i++), *end;
  errno = 0;
  unsigned long long n = strtoull(text, &end, 0);
  bool is_unsigned = strpbrk(end, "uU") != NULL, wide = strpbrk(end, "lL") != NULL;
  bool wrong = errno || end[strspn(end, "uUlL")];
  bool hex = text[0] == '0';
  if (n > (is_unsigned || hex ? UINT32_MAX : (unsigned long long)INT32_MAX)) wide = true;
  if (!wide && n > INT32_MAX) is_unsigned = true;
  if (wide && n > INT64_MAX) is_unsigned = true;
  struct value v = wrong ? WRONG(g, "`%.40s` is no integer", text)
                         : constant(g, wide ? 64 : 32, n, !is_unsigned);
  free(text);
  return v;
}

static struct value character(struct guard *g) {
  static const char from[] = "nrt0\\'\"abfv", to[] = "\n\r\t\0\\'\"\a\b\f\v";
  char *text = word(g, g->i++);
  size_t n = strlen(text);
  const char *escape = n == 4 && text[1] == '\\' ? strchr(from, text[2]) : NULL;
  bool plain = n == 3 && text[1] != '\\', ok = text[n - 1] == '\'' && (plain || escape);
  struct value v = !ok ? WRONG(g, "`%.40s` is no character", text)
                       : constant(g, 32, (uint32_t)(plain ? text[1] : to[escape - from]), true);
  free(text);
  return v;
}

static struct value expression(struct guard *g, int level);

static struct value name(struct guard *g) {
  bool found;
  char *text = word(g, g->i++);
  struct value v;
  if (!strcmp(text, "NULL")) {
    v = constant(g, 32, 0, true);
  } else if (!strcmp(text, "true") || !strcmp(text, "false")) {
    v = constant(g, 32, *text == 't', true);
  } else if (!strncmp(text, "$$", 2)) {
    v = of_automaton(g, text);
  } else {
    found = false;
    v = (struct value){0};
    bool locals = !g->w->was->is_model && g->scope != PV_SCOPE_GLOBAL;
    if (locals) v = local(g, text, &found);
    if (!found && !pv_weave_failed(g->w) && g->scope != PV_SCOPE_LOCAL)
      v = global(g, text);
    else if (!found)
      v = WRONG(g, "no variable `%s` is in scope at %s:%u", text, pv_span_file(g->w->p, g->m->span),
                pv_span_of(g->w->p, g->m->span)->line);
  }
  /* Questions are about values as numbers, not modulo 2^64. */
  if (g->scope != PV_SCOPE_ALL && v.e && !v.pointer && !v.is_signed && bits_of(g, v) >= 64)
    v = WRONG(g, "`%s` is too wide for a question", text);
  free(text);
  return v;
}

static struct value unary(struct guard *g, char sign) {
  struct pv_program *p = g->w->p;
  struct value v = expression(g, -1);
  if (!v.e) return v;
  if (sign == '!') return of_truth(pv_mk_not(p, truth(g, v)));
  if (v.pointer) return WRONG(g, "`%c` needs an integer, not a pointer", sign);
  v = promoted(g, v);
  pv_type type = node(g, v.e)->type;
  uint64_t ones = pv_type_bits(type) < 64 ? (UINT64_C(1) << pv_type_bits(type)) - 1 : UINT64_MAX;
  if (sign == '-') v.e = pv_mk_binary(p, PV_X_SUB, 0, type, pv_mk_const(p, type, 0), v.e);
  if (sign == '~') v.e = pv_mk_binary(p, PV_X_XOR, 0, type, v.e, pv_mk_const(p, type, ones));
  return v;
}

static struct value operand(struct guard *g) {
  static const char *const signs[] = {"!", "-", "~", "+"};
  struct value v = {0};
  if (g->i >= g->tokens.n) return unexpected(g);
  for (size_t k = 0; k < sizeof signs / sizeof *signs; k++)
    if (pv_token_is(&g->tokens, g->i, signs[k])) {
      g->i++;
      return unary(g, *signs[k]);
    }
  char c = g->tokens.text[g->tokens.at[g->i].at];
  if (c == '(') {
    g->i++;
    v = expression(g, 0);
    if (!pv_weave_failed(g->w) && !pv_token_is(&g->tokens, g->i++, ")"))
      return WRONG(g, "`)` is missing in the assumption");
    return v;
  }
  if (isdigit((unsigned char)c)) return number(g);
  if (c == '\'') return character(g);
  if (pv_token_is_name(&g->tokens, g->i)) return name(g);
  return unexpected(g);
}

static const char *const levels[][5] = {
    {"||"},       {"&&"},     {"|"},          {"^"}, {"&"}, {"==", "!="}, {"<=", ">=", "<", ">"},
    {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}};
enum { LEVELS = sizeof levels / sizeof *levels };

/* level -1: an operand */
static struct value expression(struct guard *g, int level) {
  struct value v = {0};
  if (g->depth > DEEPEST) return WRONG(g, "the assumption is nested too deeply");
  if (level < 0 || level == LEVELS) {
    g->depth++;
    v = operand(g);
    g->depth--;
    return v;
  }
  v = expression(g, level + 1);
  for (bool more = true; more && !pv_weave_failed(g->w);) {
    more = false;
    for (int k = 0; k < 5 && levels[level][k] && !more; k++) {
      if (!pv_token_is(&g->tokens, g->i, levels[level][k])) continue;
      more = true;
      g->i++;
      v = binary(g, levels[level][k], v, expression(g, level + 1));
    }
  }
  return v;
}

/* The assumption cannot be evaluated: it counts as false, and a note says why. */
static pv_expr give_up(struct guard *g, const char *text) {
  struct pv_program *p = g->w->p;
  char *note = pv_format("the assumption {%s} counts as false here: %.*s", text, (int)g->w->err->n,
                         g->w->err->at);
  bool known = false;
  for (uint32_t i = 0; i < p->notes.n; i++) known |= !strcmp(p->notes.at[i], note);
  if (!known) pv_vec_push(&p->notes, pv_program_string(p, note));
  free(note);
  pv_str_clear(g->w->err);
  return pv_mk_const(p, PV_INT(1), 0);
}

/* The text with `$1` expanded. NULL after an error. */
static char *expanded(struct guard *g, const char *text) {
  char missing = 0, *out = pv_weave_substitute(text, g->bindings, true, &missing);
  if (!out) WRONG(g, "`$%c` is not matched by this trigger", missing);
  return out;
}

pv_expr pv_weave_guard(struct pv_weave *w, struct pv_woven_automaton *a,
                       const struct pv_automaton_transition *t, const struct pv_observer_move *m,
                       const struct pv_bindings *bindings) {
  struct guard g = {.w = w, .a = a, .t = t, .at = t->assume_at, .m = m, .bindings = bindings};
  char *text = expanded(&g, t->assume);
  pv_token_list list = {0};
  pv_expr all = pv_mk_const(w->p, PV_INT(1), 1);
  if (text) pv_tokenise(text, 0, strlen(text), &list);
  g.tokens = (struct pv_tokens){text, list.at, list.n};
  if (!list.n) WRONG(&g, "the assumption is empty");
  while (!pv_weave_failed(w) && g.i < g.tokens.n) {
    struct value v = expression(&g, 0);
    if (pv_weave_failed(w)) break;
    all = pv_mk_binary(w->p, PV_X_AND, 0, PV_INT(1), all, truth(&g, v));
    if (g.i < g.tokens.n && !pv_token_is(&g.tokens, g.i, ";")) unexpected(&g);
    g.i++;
  }
  pv_vec_free(&list);
  if (pv_weave_failed(w) && t->otherwise != PV_NO_STATE) all = give_up(&g, text ? text : t->assume);
  free(text);
  return pv_weave_failed(w) ? 0 : all;
}

/* The value with 32 bits. */
static pv_expr low_bits(struct guard *g, struct value v) {
  if (!v.e) return 0;
  if (v.pointer) return WRONG(g, "a pointer is no number").e;
  v = widen(g, v, 32);
  if (bits_of(g, v) > 32) v.e = pv_mk_unary(g->w->p, PV_X_TRUNC, PV_INT(32), v.e);
  return v.e;
}

pv_expr pv_weave_c(struct pv_weave *w, struct pv_woven_automaton *a, struct pv_text_place at,
                   const char *text, enum pv_weave_scope scope, bool is_condition,
                   const struct pv_observer_move *m, const struct pv_bindings *bindings) {
  struct guard g = {.w = w, .a = a, .at = at, .scope = scope, .m = m, .bindings = bindings};
  char *all = expanded(&g, text);
  pv_token_list list = {0};
  if (!all) return 0;
  pv_tokenise(all, 0, strlen(all), &list);
  g.tokens = (struct pv_tokens){all, list.at, list.n};
  struct value v = expression(&g, 0);
  if (!pv_weave_failed(w) && g.i < g.tokens.n) unexpected(&g);
  pv_expr e = pv_weave_failed(w) ? 0 : is_condition ? truth(&g, v) : low_bits(&g, v);
  pv_vec_free(&list);
  free(all);
  return e;
}

bool pv_weave_has_variable(struct pv_weave *w, struct pv_woven_automaton *a, const char *name,
                           enum pv_weave_scope scope, const struct pv_observer_move *m) {
  struct guard g = {.w = w, .a = a, .scope = scope, .m = m};
  const struct pv_function *f = w->was;
  size_t place;
  for (uint32_t i = 0; scope != PV_SCOPE_GLOBAL && i < f->vars.n; i++)
    if (!f->vars.at[i].is_temp && is_called(f->vars.at[i].name, name) &&
        in_scope(&g, f->vars.at[i].span, name, &place))
      return true;
  for (uint32_t i = 0; scope != PV_SCOPE_GLOBAL && i < f->slots.n; i++)
    if (is_called(f->slots.at[i].name, name) && in_scope(&g, f->slots.at[i].span, name, &place))
      return true;
  for (uint32_t i = 0; scope != PV_SCOPE_LOCAL && i < w->p->globals.n; i++)
    if (!w->p->globals.at[i].is_model && !strcmp(w->p->globals.at[i].name, name)) return true;
  return false;
}
