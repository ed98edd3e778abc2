/* abstract_locals.c -- local variables of predicates become globals. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "abstraction/abstract_internal.h"

/* ---- which variable -------------------------------------------------------------------------- */
static const struct pv_function *function_named(const struct pv_program *p, const char *name,
                                                uint32_t *index) {
  const struct pv_function *found = NULL;
  for (uint32_t i = 0; i < p->functions.n; i++) {
    const struct pv_function *f = &p->functions.at[i];
    if (!f->defined || f->is_library || strcmp(f->name, name) != 0) continue;
    if (found) return NULL;
    found = f;
    *index = i;
  }
  return found;
}

static bool is_named(const struct pv_variable *v, const char *name) {
  return !v->is_temp && v->name && !strcmp(v->name, name);
}

static uint32_t variables_named(const struct pv_function *f, const char *name, uint32_t *index) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < f->vars.n; i++)
    if (is_named(&f->vars.at[i], name)) {
      *index = i;
      n++;
    }
  return n;
}

static bool has_slot(const struct pv_function *f, const char *name) {
  for (uint32_t i = 0; i < f->slots.n; i++)
    if (f->slots.at[i].name && !strcmp(f->slots.at[i].name, name)) return true;
  return false;
}

/* The C type of the variable; NULL: it is no integer. */
static const char *type_name(const struct pv_program *p, const struct pv_variable *v) {
  static const char *const names[2][4] = {
      {"signed char", "short", "int", "long long"},
      {"unsigned char", "unsigned short", "unsigned", "unsigned long long"}};
  pv_srctype t = v->srctype;
  while (t && p->srctypes.at[t].kind == PV_S_ENUM && p->srctypes.at[t].element)
    t = p->srctypes.at[t].element;
  enum pv_srctype_kind kind = p->srctypes.at[t].kind;
  if (pv_type_kind(v->type) != PV_T_INT) return NULL;
  if (kind == PV_S_BOOL) return pv_type_bits(v->type) == 8 ? "_Bool" : NULL;
  bool is_unsigned = kind == PV_S_UNSIGNED;
  switch (pv_type_bits(v->type)) {
  case 8: return kind == PV_S_CHAR ? "char" : names[is_unsigned][0];
  case 16: return names[is_unsigned][1];
  case 32: return names[is_unsigned][2];
  case 64: return names[is_unsigned][3];
  default: return NULL;
  }
}

/* Why the function's variables have more than one value at a time; NULL: they have one. */
static const char *has_several(const struct pv_program *p, uint32_t function) {
  struct pv_program own = *p;
  struct abstractor x = {.p = &own};
  const char *why = NULL;
  x.pt = pv_points_to_new(p, NULL);
  x.calls = pv_call_graph_new(p, x.pt);
  pv_abs_find_single_threads(&x);
  uint64_t kinds = pv_call_graph_threads(x.calls, function);
  if (pv_call_graph_recurs(x.calls, function))
    why = "the function may call itself, so the variable has several values at a time";
  else if (kinds & (kinds - 1) || kinds & ~x.single)
    why = "several threads may execute the function, so the variable has several values at a time";
  pv_call_graph_free(x.calls);
  pv_points_to_free(x.pt);
  return why;
}

/* The number of the variable in *all, where it is added. UINT32_MAX: it cannot be abstracted. */
static uint32_t add_local(const struct pv_program *p, const struct pv_function *f,
                          uint32_t function, const char *name, pv_abstract_locals *all,
                          struct pv_str *err) {
  for (uint32_t i = 0; i < all->n; i++)
    if (!strcmp(all->at[i].function, f->name) && !strcmp(all->at[i].name, name)) return i;
  uint32_t v = 0, n = variables_named(f, name, &v);
  const char *why = NULL;
  if (has_slot(f, name))
    why = "it lives in memory (its address is taken, or it is no number)";
  else if (n > 1)
    why = "the function has several variables of this name";
  else if (!type_name(p, &f->vars.at[v]))
    why = "it is no integer of at most 64 bits";
  else if (p->has_jumps)
    why = "the program jumps with longjmp";
  else
    why = has_several(p, function);
  if (why) {
    pv_str_addf(err, "local variable `%s` of `%s` cannot be abstracted: %s", name, f->name, why);
    return UINT32_MAX;
  }
  struct pv_abstract_local x = {pv_strdup(f->name), pv_strdup(name),
                                pv_format(PV_LOCAL_GLOBAL "%u", all->n)};
  pv_vec_push(all, x);
  return all->n - 1;
}

/* ---- text ------------------------------------------------------------------------------------ */
/* Behind a literal, or the next character. */
static const char *behind(const char *s) {
  if (*s != '"' && *s != '\'') return s + 1;
  for (char quote = *s++; *s && *s != quote;) s += s[0] == '\\' && s[1] ? 2 : 1;
  return *s ? s + 1 : s;
}

static bool begins_word(const char *s) {
  return isalpha((unsigned char)*s) || *s == '_';
}

static bool goes_on(const char *s) {
  return isalnum((unsigned char)*s) || *s == '_';
}

/* Is the word that begins here the name of a member? */
static bool is_member(const char *text, const char *s) {
  while (s > text && isspace((unsigned char)s[-1])) s--;
  return s > text && (s[-1] == '.' || (s[-1] == '>' && s - 1 > text && s[-2] == '-'));
}

char *pv_predicate_text(const struct pv_program *p, const struct pv_named_predicate *x,
                        pv_abstract_locals *all, struct pv_str *err) {
  struct pv_str text = {0}, declared = {0};
  uint32_t function = 0, v;
  const struct pv_function *f = x->function ? function_named(p, x->function, &function) : NULL;
  bool fine = true;
  if (!x->function) return pv_strdup(x->text);
  if (!f) {
    pv_str_addf(err, "predicate `%s`: no function, or several, of the name `%s` may run", x->name,
                x->function);
    return NULL;
  }
  for (const char *s = x->text; *s && fine;) {
    const char *end = s;
    if (begins_word(s)) {
      while (goes_on(end)) end++;
      char *word = pv_format("%.*s", (int)(end - s), s);
      bool local =
          !is_member(x->text, s) && (has_slot(f, word) || variables_named(f, word, &v) > 0);
      uint32_t i = local ? add_local(p, f, function, word, all, err) : UINT32_MAX;
      fine = !local || i != UINT32_MAX;
      if (fine && local) {
        variables_named(f, word, &v);
        pv_str_addf(&declared, "extern %s %s; ", type_name(p, &f->vars.at[v]), all->at[i].global);
        pv_str_add(&text, all->at[i].global);
      } else {
        pv_str_add(&text, word);
      }
      free(word);
    } else {
      end = behind(s);
      while (goes_on(s) && goes_on(end)) end++; /* a number with its suffix */
      pv_str_addn(&text, s, (size_t)(end - s));
    }
    s = end;
  }
  char *whole =
      fine ? pv_format("__extension__({ %s(%s); })", pv_str_cstr(&declared), pv_str_cstr(&text))
           : NULL;
  pv_str_free(&text);
  pv_str_free(&declared);
  return whole;
}

void pv_abstract_locals_free(pv_abstract_locals *all) {
  for (uint32_t i = 0; i < all->n; i++) {
    free(all->at[i].function);
    free(all->at[i].name);
    free(all->at[i].global);
  }
  pv_vec_free(all);
}

/* ---- the program ----------------------------------------------------------------------------- */
struct globalised {
  struct pv_program *p;
  struct pv_function *f;
  uint32_t var, global;
  uint32_t span, stmt;
};

static bool mentions(const struct globalised *g, pv_expr e) {
  if (!e) return false;
  const struct pv_expr_node *n = pv_node(g->p, e);
  if (n->op == PV_X_VAR) return n->lo == g->var;
  return mentions(g, n->a) || mentions(g, n->b) || mentions(g, n->c);
}

static pv_expr replaced(const struct globalised *g, pv_expr e, uint32_t by) {
  if (!mentions(g, e)) return e;
  struct pv_expr_node n = *pv_node(g->p, e);
  if (n.op == PV_X_VAR) return pv_mk_var(g->p, n.type, by);
  n.a = replaced(g, n.a, by);
  n.b = replaced(g, n.b, by);
  n.c = replaced(g, n.c, by);
  return pv_mk(g->p, n);
}

static bool has_args(const struct pv_edge *e) {
  return e->op == PV_OP_CALL || e->op == PV_OP_RETURN || e->op == PV_OP_PRIM ||
         e->op == PV_OP_QUERY;
}

static bool uses(const struct globalised *g, const struct pv_edge *e) {
  bool any = false;
  for (unsigned i = 0; i < 3; i++) any |= mentions(g, e->e[i]);
  for (uint32_t i = 0; has_args(e) && i < e->args.n; i++)
    any |= mentions(g, pv_arg(g->p, e->args, i));
  return any;
}

static void replace_uses(const struct globalised *g, struct pv_edge *e, uint32_t by) {
  PV_VEC(pv_expr) args = {0};
  if (!uses(g, e)) return;
  for (unsigned i = 0; i < 3; i++) e->e[i] = replaced(g, e->e[i], by);
  for (uint32_t i = 0; has_args(e) && i < e->args.n; i++)
    pv_vec_push(&args, replaced(g, pv_arg(g->p, e->args, i), by));
  if (args.n) e->args = pv_mk_args(g->p, args.at, args.n);
  pv_vec_free(&args);
}

/* Replaces the variable where the edge defines it. */
static bool replace_definition(const struct globalised *g, struct pv_edge *e, uint32_t by) {
  PV_VEC(uint32_t) dsts = {0};
  bool defines = e->dst == g->var || e->dst2 == g->var, of_call = false;
  if (e->dst == g->var) e->dst = by;
  if (e->dst2 == g->var) e->dst2 = by;
  for (uint32_t i = 0; e->op == PV_OP_CALL && i < e->dsts.n; i++) {
    uint32_t d = pv_arg(g->p, e->dsts, i);
    of_call |= d == g->var;
    pv_vec_push(&dsts, d == g->var ? by : d);
  }
  if (of_call) e->dsts = pv_mk_args(g->p, dsts.at, dsts.n);
  pv_vec_free(&dsts);
  return defines || of_call;
}

static uint32_t new_var(const struct globalised *g) {
  struct pv_variable v = g->f->vars.at[g->var];
  v.is_temp = true;
  pv_vec_push(&g->f->vars, v);
  return g->f->vars.n - 1;
}

static struct pv_edge access(const struct globalised *g, enum pv_op op, pv_loc from, pv_loc to) {
  struct pv_edge e = pv_edge_of(op, from, to);
  pv_type type = g->f->vars.at[g->var].type;
  e.type = type;
  e.align = pv_type_bytes(type);
  e.span = g->span;
  e.stmt = g->stmt;
  e.e[0] = pv_mk(g->p, (struct pv_expr_node){.op = PV_X_GLOBAL,
                                             .type = PV_TYPE(PV_T_PTR, g->p->pointer_bits),
                                             .lo = g->global});
  return e;
}

static void put_store(const struct globalised *g, pv_loc from, pv_loc to, uint32_t var) {
  struct pv_edge e = access(g, PV_OP_STORE, from, to);
  e.e[1] = pv_mk_var(g->p, e.type, var);
  pv_vec_push(&g->f->edges, e);
}

/* Loads the variable before each edge that uses it, and stores it after each that defines it. */
static void globalise(struct globalised *g) {
  PV_VEC(struct pv_edge) old = {0};
  struct pv_function *f = g->f;
  for (uint32_t i = 0; i < f->edges.n; i++) pv_vec_push(&old, f->edges.at[i]);
  f->edges.n = 0;
  for (uint32_t i = 0, n; i < old.n; i += n) { /* n edges from one location */
    bool any = false;
    pv_loc at = old.at[i].from;
    for (n = 0; i + n < old.n && old.at[i + n].from == at; n++) any |= uses(g, &old.at[i + n]);
    g->span = old.at[i].span;
    g->stmt = old.at[i].stmt;
    uint32_t read = any ? new_var(g) : PV_NO_VAR;
    if (any) {
      pv_loc next = pv_loc_add(f);
      struct pv_edge load = access(g, PV_OP_LOAD, at, next);
      load.dst = read;
      pv_vec_push(&f->edges, load);
      at = next;
    }
    for (uint32_t k = 0; k < n; k++) {
      struct pv_edge e = old.at[i + k];
      e.from = at;
      if (any) replace_uses(g, &e, read);
      if (e.op == PV_OP_ASSIGN && e.dst == g->var) { /* the value is known where it is stored */
        struct pv_edge store = access(g, PV_OP_STORE, at, e.to);
        store.e[1] = e.e[0];
        pv_vec_push(&f->edges, store);
        continue;
      }
      uint32_t written = new_var(g);
      if (replace_definition(g, &e, written)) {
        pv_loc after = pv_loc_add(f), to = e.to;
        e.to = after;
        put_store(g, after, to, written);
      }
      pv_vec_push(&f->edges, e);
    }
  }
  if (g->var < f->n_params) {
    pv_loc entry = pv_loc_add(f);
    g->span = f->span;
    g->stmt = 0;
    put_store(g, entry, f->entry, g->var);
    f->entry = entry;
  }
  pv_vec_free(&old);
  pv_function_finish(g->p, f);
}

void pv_abstract_globalise(struct pv_program *p, const pv_abstract_locals *all) {
  for (uint32_t i = 0; i < all->n; i++) {
    const struct pv_abstract_local *l = &all->at[i];
    struct globalised g = {.p = p, .global = UINT32_MAX};
    uint32_t function = 0;
    for (uint32_t k = 0; k < p->globals.n; k++)
      if (!strcmp(p->globals.at[k].name, l->global)) g.global = k;
    if (g.global == UINT32_MAX || !function_named(p, l->function, &function)) continue;
    g.f = &p->functions.at[function];
    if (variables_named(g.f, l->name, &g.var) != 1) continue;
    struct pv_global *to = &p->globals.at[g.global];
    char *shown = pv_format("%s::%s", l->function, l->name);
    to->name = pv_program_string(p, shown);
    to->is_external = false;
    to->srctype = g.f->vars.at[g.var].srctype;
    to->span = g.f->vars.at[g.var].span;
    free(shown);
    globalise(&g);
  }
}
