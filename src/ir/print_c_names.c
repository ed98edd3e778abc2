/* print_c_names.c -- decides which functions and globals are in the printed C, and their names. */
#include "ir/print_c_threads.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is reachable ----------------------------------------------------------------------- */
struct reach {
  struct pvc *c;
  bool *seen; /* expressions */
  PV_VEC(pv_expr) todo;
  PV_VEC(uint32_t) functions;
};

static void reach_function(struct reach *r, uint32_t f) {
  if (f >= r->c->p->functions.n || r->c->function_used[f]) return;
  r->c->function_used[f] = true;
  pv_vec_push(&r->functions, f);
}

static void reach_expr(struct reach *r, pv_expr e) {
  if (e == 0 || r->seen[e]) return;
  r->seen[e] = true;
  pv_vec_push(&r->todo, e);
}

static void reach_global(struct reach *r, uint32_t g) {
  if (g >= r->c->p->globals.n || r->c->global_used[g]) return;
  r->c->global_used[g] = true;
  const struct pv_global *global = &r->c->p->globals.at[g];
  for (uint32_t i = 0; i < global->relocs.n; i++) reach_expr(r, global->relocs.at[i].value);
}

/* A call of a function that is not printed: a thread's function is reached, but its address is not
 * taken. */
static bool reach_thread(struct reach *r, const struct pv_edge *e) {
  uint32_t start = PV_NO_FUNC;
  if (!pvc_threads_reach(r->c, e, &start)) return false;
  for (uint32_t i = 0; i < e->args.n; i++) {
    const struct pv_expr_node *n = pv_node(r->c->p, pv_arg(r->c->p, e->args, i));
    if (n->op != PV_X_FUNC || n->lo != start) reach_expr(r, pv_arg(r->c->p, e->args, i));
  }
  reach_function(r, start);
  return true;
}

static void reach_edge(struct reach *r, const struct pv_edge *e) {
  if (reach_thread(r, e)) return;
  for (unsigned i = 0; i < 3; i++) reach_expr(r, e->e[i]);
  for (uint32_t i = 0; i < e->args.n; i++) reach_expr(r, pv_arg(r->c->p, e->args, i));
  if (e->op != PV_OP_CALL || e->callee == PV_NO_FUNC) return;
  const struct pv_c_weave *weave = r->c->weave;
  if (weave && weave->arguments && pvc_chooses_arguments(&r->c->p->functions.at[e->callee]))
    r->c->real_arguments = true;
  else
    reach_function(r, e->callee);
}

static void reach_by_name(struct reach *r, const char *name) {
  for (uint32_t i = 0; i < r->c->p->functions.n; i++)
    if (r->c->p->functions.at[i].defined && strcmp(r->c->p->functions.at[i].name, name) == 0)
      reach_function(r, i);
}

static void reach_all(struct reach *r) {
  const struct pv_program *p = r->c->p;
  while (r->todo.n || r->functions.n) {
    if (r->todo.n) {
      const struct pv_expr_node *n = pv_node(p, pv_vec_pop(&r->todo));
      reach_expr(r, n->a);
      reach_expr(r, n->b);
      reach_expr(r, n->c);
      if (n->op == PV_X_GLOBAL) reach_global(r, (uint32_t)n->lo);
      if (n->op == PV_X_FUNC || n->op == PV_X_LABEL) reach_function(r, (uint32_t)n->lo);
      if (n->op == PV_X_FUNC && r->c->threads) r->c->threads->address_taken[n->lo] = true;
      continue;
    }
    const struct pv_function *f = &p->functions.at[pv_vec_pop(&r->functions)];
    for (uint32_t i = 0; i < f->edges.n; i++) reach_edge(r, &f->edges.at[i]);
  }
}

void pvc_reach(struct pvc *c) {
  const struct pv_program *p = c->p;
  struct reach r = {.c = c, .seen = pv_alloc(p->exprs.n)};
  c->function_used = pv_alloc(p->functions.n);
  c->global_used = pv_alloc(p->globals.n);
  bool whole = p->start >= p->functions.n; /* a library: everything is printed */
  uint32_t first = c->threads ? c->threads->main : p->start;
  for (uint32_t i = 0; i < p->functions.n; i++)
    if (whole ? p->functions.at[i].defined : i == first) reach_function(&r, i);
  for (uint32_t i = 0; i < p->invariants.n; i++) reach_function(&r, p->invariants.at[i]);
  for (uint32_t i = 0; whole && i < p->globals.n; i++) reach_global(&r, i);
  if (!c->threads) reach_by_name(&r, "__proviso_thread_main"); /* every thread's bottom frame */
  reach_all(&r);
  free(r.seen);
  pv_vec_free(&r.todo);
  pv_vec_free(&r.functions);
}

/* ---- names ----------------------------------------------------------------------------------- */
/* Words that C, the preprocessor of gcc or the runtime's types use. */
static const char *const reserved[] = {
    "auto",     "break",  "case",   "char",     "const",    "continue", "default",  "do",
    "double",   "else",   "enum",   "extern",   "float",    "for",      "goto",     "if",
    "inline",   "int",    "long",   "register", "restrict", "return",   "short",    "signed",
    "sizeof",   "static", "struct", "switch",   "typedef",  "union",    "unsigned", "void",
    "volatile", "while",  "asm",    "typeof",   "linux",    "unix",     "i386",     "AT",
    "u8",       "u16",    "u32",    "u64",      "u128",     "i8",       "i16",      "i32",
    "i64",      "i128",   "ptr",    "uptr",     "m8",       "m16",      "m32",      "m64",
    "m128",     "mptr",   "mfloat", "mdouble",  "main"};

/* Creates a unique name: characters that C does not allow become `_`; a number is appended if the
 * name is taken. `outer` is the enclosing scope, whose names must not be hidden. */
static char *unique(struct pv_map *taken, const struct pv_map *outer, const char *prefix,
                    const char *name) {
  struct pv_str s = {0};
  if (strcmp(name, "...") == 0) name = "arguments"; /* the variadic area */
  if (!*prefix &&
      (isdigit((unsigned char)*name) || strncmp(name, "pv_", 3) == 0 ||
       strncmp(name, "__", 2) == 0 || (*name == '_' && isupper((unsigned char)name[1]))))
    pv_str_add(&s, "v_"); /* reserved names may be macros: _Complex, __linux__ */
  pv_str_add(&s, prefix);
  for (const unsigned char *c = (const unsigned char *)name; *c; c++)
    pv_str_addc(&s, *c < 128 && isalnum(*c) ? (char)*c : '_');
  if (!*name) pv_str_add(&s, *prefix ? "unnamed" : "v");
  size_t stem = s.n;
  bool fresh = false;
  for (unsigned k = 2;; k++) {
    if (!outer || !pv_map_get_str(outer, s.at)) pv_map_put_str(taken, s.at, 0, &fresh);
    if (fresh) return s.at;
    s.n = stem;
    pv_str_addf(&s, "_%u", k);
  }
}

char *pvc_unique(struct pvc *c, const char *prefix, const char *name) {
  return unique(&c->taken, NULL, prefix, name);
}

void pvc_names_begin(struct pvc *c) {
  const struct pv_program *p = c->p;
  for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
    pv_map_put_str(&c->taken, reserved[i], 0, NULL);
  c->function_name = pv_alloc(p->functions.n * sizeof *c->function_name);
  c->global_name = pv_alloc(p->globals.n * sizeof *c->global_name);
  for (uint32_t i = 0; i < p->functions.n; i++) {
    if (!c->function_used[i]) continue;
    /* The name is what makes a function atomic. */
    bool is_atomic = c->weave && c->weave->threads && p->functions.at[i].atomic;
    c->function_name[i] =
        pvc_unique(c, is_atomic ? "__VERIFIER_atomic_f_" : "f_", p->functions.at[i].name);
    if (p->functions.at[i].labels.n) free(pvc_unique(c, "l_", c->function_name[i]));
  }
  for (uint32_t i = 0; i < p->globals.n; i++)
    if (c->global_used[i]) c->global_name[i] = pvc_unique(c, "g_", p->globals.at[i].name);
}

void pvc_locals_begin(struct pvc *c) {
  const struct pv_function *f = c->f;
  c->var_name = pv_alloc(f->vars.n * sizeof *c->var_name);
  c->slot_name = pv_alloc(f->slots.n * sizeof *c->slot_name);
  for (uint32_t i = 0; i < f->vars.n; i++) {
    const char *name = f->vars.at[i].name;
    c->var_name[i] = unique(&c->local_taken, &c->taken, "", name ? name : "v");
  }
  for (uint32_t i = 0; i < f->slots.n; i++) {
    const char *name = f->slots.at[i].name;
    c->slot_name[i] = unique(&c->local_taken, &c->taken, "", name ? name : "s");
  }
}

static void free_names(char **names, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) free(names[i]);
  free(names);
}

void pvc_locals_end(struct pvc *c) {
  free_names(c->var_name, c->f->vars.n);
  free_names(c->slot_name, c->f->slots.n);
  pv_map_free(&c->local_taken);
  c->var_name = c->slot_name = NULL;
}

void pvc_names_end(struct pvc *c) {
  free_names(c->function_name, c->p->functions.n);
  free_names(c->global_name, c->p->globals.n);
  free_names(c->input_name, c->inputs.n);
  free(c->function_used);
  free(c->global_used);
  pv_map_free(&c->taken);
}
