#include "analysis/slice_criterion.h"

#include <stdlib.h>
#include <string.h>

struct criterion {
  const struct pv_program *p;
  const struct pv_function *f;
  size_t n_file;
  const char *file, *variable;
  uint32_t line;
};

/* The last two colons separate: a path may have colons of its own. */
static bool parse(const char *text, struct criterion *c) {
  const char *second = strrchr(text, ':'), *first = second;
  if (!second || !second[1]) return false;
  while (first > text && *--first != ':') {
  }
  if (*first != ':' || first == text) return false;
  char *end;
  unsigned long line = strtoul(first + 1, &end, 10);
  if (end != second || end == first + 1 || !line || line > UINT32_MAX) return false;
  c->file = text;
  c->n_file = (size_t)(first - text);
  c->line = (uint32_t)line;
  c->variable = second + 1;
  return true;
}

static bool is_there(const struct criterion *c, uint32_t span) {
  const struct pv_span *at = pv_span_of(c->p, span);
  const char *path = pv_span_file(c->p, span);
  size_t n = strlen(path);
  if (!span || at->line != c->line || n < c->n_file) return false;
  const char *tail = path + n - c->n_file;
  return !strncmp(tail, c->file, c->n_file) && (tail == path || tail[-1] == '/');
}

static bool is_variable(const struct criterion *c, uint32_t var) {
  return var < c->f->vars.n && !c->f->vars.at[var].is_temp &&
         !strcmp(c->f->vars.at[var].name, c->variable);
}

static bool mentions(const struct criterion *c, pv_expr e) {
  const struct pv_expr_node *n = pv_node(c->p, e);
  if (!e) return false;
  if (n->op == PV_X_VAR) return is_variable(c, (uint32_t)n->lo);
  if (n->op == PV_X_GLOBAL) return !strcmp(c->p->globals.at[n->lo].name, c->variable);
  if (n->op == PV_X_SLOT) return !strcmp(c->f->slots.at[n->lo].name, c->variable);
  if (pv_expr_ops[n->op].arity == 0) return false;
  return mentions(c, n->a) || mentions(c, n->b) || mentions(c, n->c);
}

static bool concerns(const struct criterion *c, const struct pv_edge *e) {
  if (e->dst != PV_NO_VAR && is_variable(c, e->dst)) return true;
  if (e->dst2 != PV_NO_VAR && is_variable(c, e->dst2)) return true;
  for (uint32_t i = 0; i < e->dsts.n; i++)
    if (is_variable(c, pv_arg(c->p, e->dsts, i))) return true;
  for (int i = 0; i < 3; i++)
    if (mentions(c, e->e[i])) return true;
  for (uint32_t i = 0; i < e->args.n; i++)
    if (mentions(c, pv_arg(c->p, e->args, i))) return true;
  return false;
}

enum pv_status pv_slice_criterion(const struct pv_program *p, const char *text, pv_statements *out,
                                  struct pv_str *err) {
  struct criterion c = {.p = p};
  uint32_t before = out->n;
  bool any_line = false;
  if (!parse(text, &c)) {
    pv_str_addf(err, "`%s` is no criterion: it must have the form FILE:LINE:VARIABLE", text);
    return PV_E_INPUT;
  }
  for (uint32_t f = 0; f < p->functions.n; f++) {
    c.f = &p->functions.at[f];
    for (uint32_t i = 0; i < c.f->edges.n; i++) {
      if (!is_there(&c, c.f->edges.at[i].span)) continue;
      any_line = true;
      if (concerns(&c, &c.f->edges.at[i])) pv_vec_push(out, ((struct pv_statement){f, i}));
    }
  }
  if (out->n > before) return PV_OK;
  pv_str_addf(err,
              any_line ? "%s: no statement of that line reads or writes `%s`"
                       : "%s: there is no statement in that line%s",
              text, any_line ? c.variable : "");
  return PV_E_INPUT;
}
