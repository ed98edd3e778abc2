/* print_c_call.c -- calls, results, inputs and scheduler primitives in the printed C. */
#include "ir/print_c_threads.h"

#include <stdlib.h>
#include <string.h>

void pvc_assign(struct pvc *c, uint32_t var) {
  if (var == PV_NO_VAR)
    pv_str_add(c->out, "(void)");
  else
    pv_str_addf(c->out, "%s = ", c->var_name[var]);
}

/* The type of n results; several are a struct, declared on first use. */
static void result_type(struct pvc *c, const pv_type *type, uint32_t n, struct pv_str *out) {
  if (n < 2) {
    pv_str_add(out, n ? pvc_type(type[0]) : "void");
    return;
  }
  struct pv_str tag = {0};
  for (uint32_t i = 0; i < n; i++) {
    const char *name = pvc_type(type[i]);
    pv_str_addf(&tag, "_%s", strcmp(name, "long double") == 0 ? "extended" : name);
    if (pv_type_kind(type[i]) == PV_T_INT && pv_type_bits(type[i]) > 64) pvc_need(c, "u128");
  }
  bool fresh = false;
  pv_map_put_str(&c->returns, pv_str_cstr(&tag), 0, &fresh);
  if (fresh) {
    pv_str_addf(&c->return_types, "struct pv%s {\n", pv_str_cstr(&tag));
    for (uint32_t i = 0; i < n; i++)
      pv_str_addf(&c->return_types, "  %s r%u;\n", pvc_type(type[i]), i);
    pv_str_add(&c->return_types, "};\n");
  }
  pv_str_addf(out, "struct pv%s", pv_str_cstr(&tag));
  pv_str_free(&tag);
}

/* The number of parameters in the ir; in a variadic function the argument area is the last one. */
static uint32_t all_params(const struct pv_function *f) {
  uint32_t n = f->n_params + (f->variadic ? 1 : 0);
  return n < f->vars.n ? n : f->vars.n;
}

void pvc_prototype(struct pvc *c, uint32_t function, bool with_names) {
  const struct pv_function *f = &c->p->functions.at[function];
  pv_str_add(c->out, "static ");
  result_type(c, f->result, f->n_results, c->out);
  pv_str_addf(c->out, " %s(", c->function_name[function]);
  uint32_t n = all_params(f);
  for (uint32_t i = 0; i < n; i++) {
    pv_type type = f->vars.at[i].type;
    if (pv_type_kind(type) == PV_T_INT && pv_type_bits(type) > 64) pvc_need(c, "u128");
    pv_str_addf(c->out, "%s%s", i ? ", " : "", pvc_type(type));
    if (with_names) pv_str_addf(c->out, " %s", c->var_name[i]);
  }
  pv_str_add(c->out, n ? ")" : "void)");
}

/* ---- calls ----------------------------------------------------------------------------------- */
/* The callee, if it is known, also through a constant address: a C compiler generates a trap for a
 * call of a constant function through a pointer of another type. */
static uint32_t known_callee(struct pvc *c, const struct pv_edge *e) {
  if (e->callee != PV_NO_FUNC) return e->callee;
  const struct pv_expr_node *n = pv_node(c->p, e->e[0]);
  return n->op == PV_X_FUNC ? (uint32_t)n->lo : PV_NO_FUNC;
}

static void direct_call(struct pvc *c, const struct pv_edge *e, uint32_t callee) {
  const struct pv_function *f = &c->p->functions.at[callee];
  pv_str_addf(c->out, "%s(", c->function_name[callee]);
  uint32_t n = all_params(f);
  for (uint32_t i = 0; i < n; i++) {
    pv_type type = f->vars.at[i].type;
    if (i) pv_str_add(c->out, ", ");
    if (i == f->n_params && e->e[1])
      pvc_expr(c, e->e[1], P_COND);
    else if (i < f->n_params && i < e->args.n)
      pvc_convert(c, pv_arg(c->p, e->args, i), type);
    else
      pv_str_add(c->out, "0"); /* fewer arguments than parameters: old-style code */
  }
  pv_str_addc(c->out, ')');
}

/* A call through an address, with the type that the edge implies. An external function receives its
 * arguments by position; the argument area is only for functions of the program. */
static void indirect_call(struct pvc *c, const struct pv_edge *e, const pv_type *result, uint32_t n,
                          bool external, uint32_t callee) {
  bool area = e->e[1] && !external;
  pv_str_add(c->out, "((");
  result_type(c, result, n, c->out);
  pv_str_add(c->out, " (*)(");
  for (uint32_t i = 0; i < e->args.n; i++)
    pv_str_addf(c->out, "%s%s", i ? ", " : "",
                pvc_type(pv_node(c->p, pv_arg(c->p, e->args, i))->type));
  if (area) pv_str_add(c->out, e->args.n ? ", ptr" : "ptr");
  if (external && e->args.n) pv_str_add(c->out, ", ...");
  pv_str_add(c->out, e->args.n || area ? "))" : "void))");
  if (callee == PV_NO_FUNC)
    pvc_expr(c, e->e[0], P_UNARY);
  else
    pv_str_add(c->out, c->function_name[callee]);
  pv_str_add(c->out, ")(");
  for (uint32_t i = 0; i < e->args.n; i++) {
    if (i) pv_str_add(c->out, ", ");
    pvc_expr(c, pv_arg(c->p, e->args, i), P_COND);
  }
  if (area && e->args.n) pv_str_add(c->out, ", ");
  if (area) pvc_expr(c, e->e[1], P_COND);
  pv_str_addc(c->out, ')');
}

static void dst_type(const struct pvc *c, uint32_t var, pv_type *type) {
  if (var != PV_NO_VAR) *type = c->f->vars.at[var].type;
}

bool pvc_chooses_arguments(const struct pv_function *f) {
  return f->is_model &&
         (!strcmp(f->name, "__proviso_any_arguments") || !strcmp(f->name, "__proviso_any_count"));
}

void pvc_call(struct pvc *c, const struct pv_edge *e) {
  enum { MAX = sizeof((struct pv_function *)0)->result / sizeof(pv_type) };
  uint32_t callee = known_callee(c, e), n = e->dsts.n < MAX ? e->dsts.n : MAX, kept = 0, last = 0;
  pv_type type[MAX];
  for (uint32_t i = 0; i < MAX; i++) type[i] = PV_INT(64);
  const struct pv_function *f = callee == PV_NO_FUNC ? NULL : &c->p->functions.at[callee];
  for (uint32_t i = 0; i < n; i++) {
    uint32_t var = pv_arg(c->p, e->dsts, i);
    dst_type(c, var, &type[i]);
    if (var != PV_NO_VAR) kept++, last = i;
  }
  bool defined = f && f->defined;
  if (c->weave && c->weave->arguments && f && pvc_chooses_arguments(f)) { /* see print_main */
    pv_str_addc(c->out, ';');
    return;
  }
  uint32_t produced = defined ? f->n_results : n;
  if (defined) memcpy(type, f->result, sizeof type);
  /* Otherwise the callee has no such result: undefined in C, too. */
  bool usable = kept && produced > last;
  bool several = usable && produced > 1;
  if (several) {
    pv_str_add(c->out, "{ ");
    result_type(c, type, produced, c->out);
    pv_str_add(c->out, " pv_r = ");
  } else if (usable) {
    pvc_assign(c, pv_arg(c->p, e->dsts, last));
    pv_type to = c->f->vars.at[pv_arg(c->p, e->dsts, last)].type;
    if (pv_type_kind(to) != pv_type_kind(type[0])) pv_str_addf(c->out, "(%s)(uptr)", pvc_type(to));
  }
  if (defined)
    direct_call(c, e, callee);
  else
    indirect_call(c, e, type, produced, f != NULL, callee);
  pv_str_addc(c->out, ';');
  for (uint32_t i = 0; several && i < n; i++) {
    uint32_t var = pv_arg(c->p, e->dsts, i);
    if (var != PV_NO_VAR) pv_str_addf(c->out, " %s = pv_r.r%u;", c->var_name[var], i);
  }
  if (several) pv_str_add(c->out, " }");
}

void pvc_return(struct pvc *c, const struct pv_edge *e) {
  const struct pv_function *f = c->f;
  if (f->n_results == 0) {
    pv_str_add(c->out, "return;");
    return;
  }
  pv_str_add(c->out, "return ");
  if (f->n_results > 1) {
    pv_str_addc(c->out, '(');
    result_type(c, f->result, f->n_results, c->out);
    pv_str_add(c->out, "){");
  }
  for (uint32_t i = 0; i < f->n_results; i++) {
    if (i) pv_str_add(c->out, ", ");
    if (i < e->args.n)
      pvc_convert(c, pv_arg(c->p, e->args, i), f->result[i]);
    else
      pv_str_add(c->out, "0");
  }
  pv_str_add(c->out, f->n_results > 1 ? "};" : ";");
}

/* ---- inputs ---------------------------------------------------------------------------------- */
/* The C types behind the names of the verifiers' input functions. */
static const struct {
  const char *suffix, *type;
} input_types[] = {{"bool", "_Bool"},
                   {"char", "char"},
                   {"uchar", "unsigned char"},
                   {"unsigned_char", "unsigned char"},
                   {"short", "short"},
                   {"ushort", "unsigned short"},
                   {"unsigned_short", "unsigned short"},
                   {"int", "int"},
                   {"uint", "unsigned int"},
                   {"unsigned", "unsigned int"},
                   {"unsigned_int", "unsigned int"},
                   {"long", "long"},
                   {"ulong", "unsigned long"},
                   {"unsigned_long", "unsigned long"},
                   {"longlong", "long long"},
                   {"ulonglong", "unsigned long long"},
                   {"size_t", "__SIZE_TYPE__"},
                   {"float", "float"},
                   {"double", "double"},
                   {"pointer", "void *"}};

/* The function that supplies an input without a verifier's name, by type. */
static const char *input_by_type(pv_type type) {
  if (pv_type_kind(type) == PV_T_PTR) return "__VERIFIER_nondet_pointer";
  if (pv_type_kind(type) == PV_T_FLOAT)
    return pv_type_bits(type) == 32   ? "__VERIFIER_nondet_float"
           : pv_type_bits(type) == 64 ? "__VERIFIER_nondet_double"
                                      : "__VERIFIER_nondet_longdouble";
  if (pv_type_bits(type) == 1) return "__VERIFIER_nondet_bool";
  switch (pvc_container(type)) {
  case 8: return "__VERIFIER_nondet_uchar";
  case 16: return "__VERIFIER_nondet_ushort";
  case 32: return "__VERIFIER_nondet_uint";
  case 64: return "__VERIFIER_nondet_ulonglong";
  default: return "__VERIFIER_nondet_uint128";
  }
}

static bool is_input_name(const char *text) {
  static const char verifier[] = "__VERIFIER_nondet_", plain[] = "nondet_";
  if (!text) return false;
  size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
  return text[n] == '\0' && (strncmp(text, verifier, sizeof verifier - 1) == 0 ||
                             strncmp(text, plain, sizeof plain - 1) == 0);
}

/* Prints a function that calls `name` for a value, or ends with a message if it was not linked. */
static const char *input_function(struct pvc *c, const char *name, pv_type type) {
  char *key = pv_format("%s %u", name, (unsigned)type);
  bool fresh = false;
  uint32_t index = *pv_map_put_str(&c->inputs, key, c->inputs.n, &fresh);
  free(key);
  if (!fresh) return c->input_name[index];
  const char *suffix = strstr(name, "nondet_") + strlen("nondet_"), *ctype = pvc_type(type);
  for (size_t i = 0; i < sizeof input_types / sizeof *input_types; i++)
    if (strcmp(suffix, input_types[i].suffix) == 0) ctype = input_types[i].type;
  c->input_name = pv_realloc(c->input_name, c->inputs.n * sizeof *c->input_name);
  c->input_name[index] = pvc_unique(c, "pv_input_", suffix);
  if (strcmp(ctype, "u128") == 0) pvc_need(c, "u128");
  if (c->weave || c->sections) { /* called in place, so that inputs of different places differ */
    free(c->input_name[index]);
    c->input_name[index] = pv_strdup(name);
    pv_str_addf(&c->input_functions, "extern %s %s(void);\n", ctype, name);
    return c->input_name[index];
  }
  pvc_need(c, "die");
  pv_str_addf(&c->input_functions,
              "extern %s %s(void) __attribute__((weak));\n"
              "static %s %s(void) {\n"
              "  if (!%s) pv_die(\"no definition of the input\", \"%s\");\n"
              "  return (%s)%s();\n"
              "}\n",
              ctype, name, pvc_type(type), c->input_name[index], name, name, pvc_type(type), name);
  return c->input_name[index];
}

void pvc_any_value(struct pvc *c, pv_type type) {
  pv_str_addf(c->out, "((%s)%s()", pvc_type(type), input_function(c, input_by_type(type), type));
  if (pv_type_kind(type) == PV_T_INT && !pvc_exact(type)) {
    pv_str_add(c->out, " & ");
    pvc_mask(type, c->out);
  }
  pv_str_addc(c->out, ')');
}

/* lo <= x && x <= hi; otherwise the path does not exist. */
static void input_bounds(struct pvc *c, const struct pv_edge *e) {
  pv_type type = c->f->vars.at[e->dst].type;
  bool is_signed = e->aux == PV_HAVOC_SIGNED;
  pvc_need(c, "assume");
  pv_str_add(c->out, " pv_assume(");
  for (unsigned i = 0; i < 2; i++) {
    if (i && e->e[0] && e->e[1]) pv_str_add(c->out, " && ");
    if (!e->e[i]) continue;
    if (i == 0) (is_signed ? pvc_signed : pvc_expr)(c, e->e[0], P_SHIFT);
    if (i == 0) pv_str_add(c->out, " <= ");
    if (is_signed && pvc_exact(type))
      pv_str_addf(c->out, "(i%u)%s", pvc_container(type), c->var_name[e->dst]);
    else if (is_signed)
      pv_str_addf(c->out, "(i64)((u64)%s << %u) >> %u", c->var_name[e->dst],
                  64 - pv_type_bits(type), 64 - pv_type_bits(type));
    else
      pv_str_add(c->out, c->var_name[e->dst]);
    if (i == 1) pv_str_add(c->out, " <= ");
    if (i == 1) (is_signed ? pvc_signed : pvc_expr)(c, e->e[1], P_SHIFT);
  }
  pv_str_add(c->out, ");");
}

void pvc_havoc(struct pvc *c, const struct pv_edge *e) {
  pv_type type = e->type;
  bool bounded = (e->e[0] || e->e[1]) && e->dst != PV_NO_VAR;
  bool cuts = c->weave && c->weave->cuts; /* texts beyond the bounds */
  if (e->aux == PV_HAVOC_TEXT && !cuts)
    pvc_unfit(c, "the program reads text of its environment", NULL);
  if (e->aux == PV_HAVOC_TEXT && e->e[1]) { /* any text, whose bytes are inputs */
    pvc_assign(c, e->dst);
    pvc_signed(c, e->e[1], P_COND);
    pv_str_addc(c->out, ';');
    return;
  }
  if (!c->weave && !c->sections && e->e[0] && e->e[1] && e->aux == 1 &&
      pv_type_kind(type) == PV_T_INT && pv_type_bits(type) == 32 && !is_input_name(e->text)) {
    pvc_need(c, "choose");
    pvc_assign(c, e->dst);
    pv_str_add(c->out, "pv_choose(");
    pvc_signed(c, e->e[0], P_COND);
    pv_str_add(c->out, ", ");
    pvc_signed(c, e->e[1], P_COND);
    pv_str_add(c->out, ");");
    return;
  }
  const char *name = is_input_name(e->text) ? e->text : input_by_type(type);
  const char *wrapper = input_function(c, name, type);
  pvc_assign(c, e->dst);
  if (c->weave || c->sections) pv_str_addf(c->out, "(%s)", pvc_type(type));
  pv_str_addf(c->out, "%s()", wrapper);
  if (pv_type_kind(type) == PV_T_INT && !pvc_exact(type)) {
    pv_str_add(c->out, " & ");
    pvc_mask(type, c->out);
  }
  pv_str_addc(c->out, ';');
  if (bounded) input_bounds(c, e);
}

/* ---- primitives ------------------------------------------------------------------------------ */
void pvc_prim(struct pvc *c, const struct pv_edge *e) {
  static const char own[] = "__proviso_";
  const char *name = e->aux < c->p->prims.n ? c->p->prims.at[e->aux].name : "unknown_primitive";
  const char *stem = strncmp(name, own, sizeof own - 1) == 0 ? name + sizeof own - 1 : name;
  bool kernel = c->threads && c->threads->how->systemc, known = kernel || pvc_has_prim(stem);
  if (e->dst != PV_NO_VAR) {
    pv_type type = c->f->vars.at[e->dst].type;
    pv_str_addf(c->out, "%s = (%s)%s", c->var_name[e->dst], pvc_type(type),
                pv_type_kind(type) == PV_T_PTR ? "(uptr)" : "");
  }
  if (known) {
    if (!kernel) pvc_need(c, stem);
    pv_str_addf(c->out, "pv_%s(", stem);
  } else { /* of another scheduler: its primitives must be linked */
    pv_str_addf(c->out, "({ extern uptr %s(); %s(", name, name);
  }
  for (uint32_t i = 0; i < e->args.n; i++) {
    if (i) pv_str_add(c->out, ", ");
    pvc_expr(c, pv_arg(c->p, e->args, i), P_COND);
  }
  pv_str_add(c->out, known ? ");" : "); });");
}
