/* print_c.c -- prints the program as one compilable C file: layout of the file, globals, function
 * bodies.
 *
 * See print_c_internal.h for the translation of the ir. Locations are printed depth first, so that
 * most edges continue on the next line, and labels appear only where something jumps. A line that
 * comes from another source line than the one before ends with a comment that gives its place. */
#include "ir/print_c_threads.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- places ---------------------------------------------------------------------------------- */
static bool prints_lines(const struct pvc *c) {
  return c->weave && c->weave->lines;
}

/* "#line 12 "f.c"" before the text from `mark` on, unless it is the line that is expected. */
static void begin_line(struct pvc *c, uint32_t span, size_t mark) {
  const struct pv_span *at = pv_span_of(c->p, span);
  if (!prints_lines(c) || !at->line) return;
  struct pv_str rest = {0};
  pv_str_addn(&rest, c->out->at + mark, c->out->n - mark);
  c->out->n = mark;
  pv_str_addf(c->out, "#line %u \"", at->line);
  const char *file = pv_span_file(c->p, span);
  pv_print_escaped(file, strlen(file), c->out);
  pv_str_add(c->out, "\"\n");
  pv_str_addn(c->out, pv_str_cstr(&rest), rest.n);
  pv_str_free(&rest);
}

static void end_line(struct pvc *c, uint32_t span) {
  if (prints_lines(c)) {
    pv_str_addc(c->out, '\n');
    return;
  }
  struct pv_str place = {0};
  pv_print_place(c->p, span, false, &place);
  if (place.n && strcmp(place.at, pv_str_cstr(&c->last_place)) != 0) {
    pv_str_clear(&c->last_place);
    pv_str_add(&c->last_place, place.at);
    for (char *s = place.at; *s; s++) /* a path may contain the end of a comment */
      if (*s == '*' || (unsigned char)*s < 32) *s = '_';
    pv_str_addf(c->out, " /* %s */", place.at);
  }
  pv_str_addc(c->out, '\n');
  pv_str_free(&place);
}

/* ---- weaving --------------------------------------------------------------------------------- */
void pvc_unfit(struct pvc *c, const char *what, const char *name) {
  if (c->weave && !c->unfit) c->unfit = pv_format(name ? "%s `%s`" : "%s", what, name);
}

static void weave(struct pvc *c, const struct pv_edge *e, const char *before, const char *after) {
  if (!c->weave || !c->weave->edge) return;
  size_t mark = c->out->n;
  pv_str_add(c->out, before);
  size_t start = c->out->n;
  c->weave->edge(c->weave->user, (uint32_t)(c->f - c->p->functions.at),
                 (uint32_t)(e - c->f->edges.at), c->out);
  if (c->out->n > start) {
    pv_str_add(c->out, after);
  } else {
    c->out->n = mark;
    c->out->at[mark] = '\0';
  }
}

/* ---- bodies ---------------------------------------------------------------------------------- */
struct body {
  PV_VEC(pv_loc) order; /* locations in the order of printing */
  uint32_t *place;      /* by location: index in order + 1, 0 = not printed */
  bool *labelled;
};

/* Does the path end there? The target of a RETURN or STOP is not printed. */
static bool ends(const struct pv_edge *e) {
  return e->op == PV_OP_RETURN || e->op == PV_OP_STOP;
}

/* Follows first edges as far as possible. The targets of other edges are printed later, the last
 * branch first, so that the text is nested like the source. */
static void lay_out(const struct pv_function *f, struct body *b) {
  PV_VEC(pv_loc) todo = {0};
  pv_vec_push(&todo, f->entry);
  while (todo.n) {
    pv_loc l = pv_vec_pop(&todo);
    while (!b->place[l]) {
      pv_vec_push(&b->order, l);
      b->place[l] = b->order.n;
      const struct pv_location *loc = &f->locs.at[l];
      const struct pv_edge *e = &f->edges.at[loc->first_out];
      for (uint32_t i = loc->n_out; i-- > 1;) pv_vec_push(&todo, e[i].to);
      if (loc->n_out == 0 || ends(e)) break;
      l = e[0].to;
    }
  }
  pv_vec_free(&todo);
}

/* Does control fall from the i-th printed location to this one? */
static bool falls(const struct body *b, uint32_t i, pv_loc to) {
  return i + 1 < b->order.n && b->order.at[i + 1] == to;
}

static void find_labels(const struct pv_function *f, struct body *b) {
  for (uint32_t i = 0; i < b->order.n; i++) {
    const struct pv_location *loc = &f->locs.at[b->order.at[i]];
    for (uint32_t k = 0; k < loc->n_out; k++) {
      const struct pv_edge *e = &f->edges.at[loc->first_out + k];
      if (!ends(e) && (k || !falls(b, i, e->to))) b->labelled[e->to] = true;
    }
  }
}

/* The conditions of a family cover everything, so the first edge needs no test. */
static void print_branches(struct pvc *c, const struct body *b, uint32_t i,
                           const struct pv_location *loc) {
  for (uint32_t k = 1; k < loc->n_out; k++) {
    const struct pv_edge *e = &c->f->edges.at[loc->first_out + k];
    if (k == 1) begin_line(c, e->span, c->out->n);
    pv_str_add(c->out, "  if (");
    pvc_expr(c, e->e[0], 0);
    pv_str_add(c->out, c->weave ? ") { " : ") ");
    weave(c, e, "", " ");
    pv_str_addf(c->out, c->weave ? "goto L%u; }" : "goto L%u;", e->to);
    end_line(c, e->span);
  }
  const struct pv_edge *first = &c->f->edges.at[loc->first_out];
  weave(c, first, "  ", "\n");
  if (!falls(b, i, first->to)) pv_str_addf(c->out, "  goto L%u;\n", first->to);
}

static void print_location(struct pvc *c, const struct body *b, uint32_t i) {
  pv_loc l = b->order.at[i];
  const struct pv_location *loc = &c->f->locs.at[l];
  if (b->labelled[l]) pv_str_addf(c->out, "L%u:;\n", l);
  if (loc->n_out == 0) {
    pv_str_add(c->out, "  __builtin_unreachable();\n");
    return;
  }
  const struct pv_edge *e = &c->f->edges.at[loc->first_out];
  if (loc->n_out > 1) {
    print_branches(c, b, i, loc);
    return;
  }
  weave(c, e, "  ", "\n");
  size_t mark = c->out->n;
  pv_str_add(c->out, "  ");
  pvc_edge(c, e);
  if (c->out->n == mark + 2 || strcmp(c->out->at + mark, "  ;") == 0) {
    c->out->n = mark; /* nothing to do */
    c->out->at[mark] = '\0';
  } else {
    begin_line(c, e->span, mark);
    end_line(c, e->span);
  }
  if (!ends(e) && !falls(b, i, e->to)) pv_str_addf(c->out, "  goto L%u;\n", e->to);
}

/* ---- locals ---------------------------------------------------------------------------------- */
/* Decides how the function's ALLOCA and TEMP objects are created; see pvc_edge. */
static void scan_frame(struct pvc *c) {
  const struct pv_function *f = c->f;
  bool any_alloca = false, odd_temp = false;
  for (uint32_t i = 0; i < f->edges.n; i++) {
    const struct pv_edge *e = &f->edges.at[i];
    if (e->op != PV_OP_ALLOC || pv_storage_on_heap(e->aux)) continue;
    if (e->aux == PV_STORAGE_ALLOCA) any_alloca = true;
    if (e->aux == PV_STORAGE_TEMP && pv_node(c->p, e->e[0])->op != PV_X_CONST) odd_temp = true;
  }
  c->constant_temps = !odd_temp;
  c->dynamic_frame = any_alloca || odd_temp;
}

/* Objects of a copy stay while its thread waits. */
static const char *stays(const struct pvc *c) {
  return c->threads && c->threads->slot ? "static " : "";
}

static void print_arrays(struct pvc *c) {
  const struct pv_function *f = c->f;
  for (uint32_t i = 0; i < f->slots.n; i++) {
    const struct pv_slot *s = &f->slots.at[i];
    pv_str_addf(c->out, "  %su8 %s[%llu] __attribute__((aligned(%u)));\n", stays(c),
                c->slot_name[i], (unsigned long long)(s->size ? s->size : 1),
                s->align ? s->align : 1);
  }
  for (uint32_t i = 0; c->constant_temps && i < f->edges.n; i++) {
    const struct pv_edge *e = &f->edges.at[i];
    if (e->op != PV_OP_ALLOC || e->aux != PV_STORAGE_TEMP) continue;
    uint64_t size = pv_node(c->p, e->e[0])->lo;
    pv_str_addf(c->out, "  %su8 pv_temp_%u[%llu] __attribute__((aligned(%u)));\n", stays(c), i,
                (unsigned long long)(size ? size : 1), e->align > 16 ? e->align : 16);
  }
  if (c->dynamic_frame) {
    pvc_need(c, "frame");
    pv_str_add(c->out, "  struct pv_frame_object *pv_frame "
                       "__attribute__((cleanup(pv_frame_end))) = 0;\n");
  }
}

/* One line for each type, in the order of first use. */
static void print_variables(struct pvc *c) {
  const struct pv_function *f = c->f;
  uint32_t params = f->n_params + (f->variadic ? 1 : 0);
  if (params > f->vars.n) params = f->vars.n;
  bool *done = pv_alloc(f->vars.n);
  for (uint32_t i = params; i < f->vars.n; i++) {
    if (done[i]) continue;
    const char *type = pvc_type(f->vars.at[i].type);
    if (strcmp(type, "u128") == 0) pvc_need(c, "u128");
    size_t line = c->out->n;
    pv_str_addf(c->out, "  %s %s", type, c->var_name[i]);
    for (uint32_t k = i + 1; k < f->vars.n; k++) {
      if (strcmp(pvc_type(f->vars.at[k].type), type) != 0) continue;
      bool wrap = c->out->n - line > 80;
      pv_str_add(c->out, wrap ? ",\n      " : ", ");
      if (wrap) line = c->out->n - 6;
      pv_str_add(c->out, c->var_name[k]);
      done[k] = true;
    }
    pv_str_add(c->out, ";\n");
  }
  free(done);
}

static void print_function(struct pvc *c, uint32_t index) {
  const struct pv_function *f = &c->p->functions.at[index];
  struct body b = {.place = pv_alloc(f->locs.n * sizeof *b.place), .labelled = pv_alloc(f->locs.n)};
  c->f = f;
  pv_str_clear(&c->last_place);
  pvc_locals_begin(c);
  scan_frame(c);
  lay_out(f, &b);
  find_labels(f, &b);
  pv_str_addc(c->out, '\n');
  begin_line(c, f->span, c->out->n);
  pvc_prototype(c, index, true);
  pv_str_add(c->out, " {");
  end_line(c, f->span);
  print_variables(c);
  print_arrays(c);
  for (uint32_t i = 0; i < b.order.n; i++) print_location(c, &b, i);
  pv_str_add(c->out, "}\n");
  pvc_locals_end(c);
  c->f = NULL;
  pv_vec_free(&b.order);
  free(b.place);
  free(b.labelled);
}

/* ---- copies (print_c_threads.h) -------------------------------------------------------------- */
static void print_statics(struct pvc *c) {
  const struct pvc_threads *t = c->threads;
  pv_str_addf(c->out, "\nstatic u32 %s_at; /* where it goes on; 0: at its start */\n", t->copy);
  if (c->f->n_results)
    pv_str_addf(c->out, "static %s %s_result;\n", pvc_type(c->f->result[0]), t->copy);
  for (uint32_t i = 0; i < t->saved.n; i++) {
    const char *name = c->var_name[t->saved.at[i]];
    pv_str_addf(c->out, "static %s %s_%s;\n", pvc_type(c->f->vars.at[t->saved.at[i]].type), t->copy,
                name);
  }
}

static void print_copy_head(struct pvc *c) {
  pv_str_addf(c->out, "static u32 %s(", c->threads->copy);
  for (uint32_t i = 0; i < c->f->n_params; i++)
    pv_str_addf(c->out, "%s%s %s", i ? ", " : "", pvc_type(c->f->vars.at[i].type), c->var_name[i]);
  pv_str_add(c->out, c->f->n_params ? ") {" : "void) {");
  end_line(c, c->f->span);
}

/* The statements come first, because they tell what has to be saved. */
static void print_copy_body(struct pvc *c, struct body *b) {
  struct pvc_threads *t = c->threads;
  struct pv_str *out = c->out, statements = {0};
  pv_str_clear(&c->last_place);
  c->out = &statements;
  for (uint32_t i = 0; i < b->order.n; i++) print_location(c, b, i);
  c->out = out;
  print_statics(c);
  print_copy_head(c);
  print_variables(c);
  print_arrays(c);
  if (t->resumes)
    pv_str_addf(c->out, "  switch (%s_at) {\n%s  }\n", t->copy, pv_str_cstr(&t->restore));
  for (uint32_t i = 0; i < c->f->slots.n; i++) {
    if (c->f->slots.at[i].scoped) continue;
    pv_str_add(c->out, "  ");
    pvc_threads_unset(c, i);
    pv_str_addc(c->out, '\n');
  }
  pv_str_addn(c->out, pv_str_cstr(&statements), statements.n);
  pv_str_add(c->out, "}\n");
  pv_str_free(&statements);
}

static char *print_copy(struct pvc *c, uint32_t index);

struct targets {
  PV_VEC(struct pvc_target) list;
};
/* Those that it calls. */
static void print_callees(struct pvc *c, uint32_t index, struct targets *targets) {
  const struct pv_function *f = &c->p->functions.at[index];
  for (uint32_t i = 0; i < f->edges.n; i++) {
    uint32_t first = targets->list.n, n = pvc_yielding(c, index, i);
    for (uint32_t k = 0; k < n; k++) {
      struct pvc_target target = {i, c->threads->callees[k], NULL};
      pv_vec_push(&targets->list, target);
    }
    for (uint32_t k = first; k < first + n; k++)
      targets->list.at[k].copy = print_copy(c, targets->list.at[k].function);
  }
}

static char *print_copy(struct pvc *c, uint32_t index) {
  const struct pv_function *f = &c->p->functions.at[index];
  struct pvc_threads *t = c->threads;
  for (uint32_t i = 0; i < t->path.n; i++)
    if (t->path.at[i] == index) pvc_unfit(c, "a function that waits calls itself:", f->name);
  if (f->variadic) pvc_unfit(c, "a function that waits has variable arguments:", f->name);
  if (f->n_results > 1) pvc_unfit(c, "a function that waits returns a structure:", f->name);
  char *prefix = pv_format("t%u_", t->slot), *name = pvc_unique(c, prefix, f->name);
  free(prefix);
  if (c->unfit) return name;
  pv_vec_push(&t->path, index);
  struct targets targets = {0};
  print_callees(c, index, &targets);
  (void)pv_vec_pop(&t->path);
  struct body b = {.place = pv_alloc(f->locs.n * sizeof *b.place), .labelled = pv_alloc(f->locs.n)};
  uint64_t *live = t->how->liveness(c->p, f, &t->words);
  c->f = f;
  t->copy = name;
  t->targets.n = 0;
  for (uint32_t i = 0; i < targets.list.n; i++) pv_vec_push(&t->targets, targets.list.at[i]);
  t->live = live;
  t->resumes = t->saved.n = 0;
  pv_str_clear(&t->restore);
  pvc_locals_begin(c);
  scan_frame(c);
  if (c->dynamic_frame) pvc_unfit(c, "a function that waits has objects of any size:", f->name);
  lay_out(f, &b);
  find_labels(f, &b);
  print_copy_body(c, &b);
  pvc_locals_end(c);
  c->f = NULL;
  pv_vec_free(&b.order);
  free(b.place);
  free(b.labelled);
  free(live);
  for (uint32_t i = 0; i < targets.list.n; i++) free(targets.list.at[i].copy);
  pv_vec_free(&targets.list);
  return name;
}

/* A thread: its function, and its end. */
static void print_thread(struct pvc *c, uint32_t slot) {
  uint32_t start = c->threads->slots.at[slot - 1].start;
  const struct pv_function *f = &c->p->functions.at[start];
  const char *argument = f->n_params ? "pv_argument_" : "";
  if (f->n_params > 1) pvc_unfit(c, "the function of a thread has several parameters:", f->name);
  if (c->threads->slots.at[slot - 1].is_method) {
    pv_str_addf(c->out,
                "\nstatic void pv_thread_%u(void) {\n"
                "  %s(%s%.0u);\n"
                "  pv_method_ends_%u();\n"
                "}\n",
                slot, c->function_name[start], argument, f->n_params ? slot : 0, slot);
    return;
  }
  c->threads->slot = slot;
  char *name = print_copy(c, start);
  pv_str_addf(c->out,
              "static void pv_thread_%u(void) {\n"
              "  if (!%s(%s%.0u)) pv_end_%u();\n"
              "}\n",
              slot, name, argument, f->n_params ? slot : 0, slot);
  free(name);
  c->threads->slot = 0;
}

/* ---- globals --------------------------------------------------------------------------------- */
static const char *storage(const struct pv_global *g) {
  return g->is_thread_local ? (g->is_const ? "static _Thread_local const" : "static _Thread_local")
         : g->is_const      ? "static const"
                            : "static";
}

static unsigned pointer_bytes(const struct pvc *c) {
  return c->p->pointer_bits / 8;
}

/* A global that contains addresses is a packed struct of bytes (b0, b8 ..) and pointers (r0, r8
 * ..). */
static void print_global_type(struct pvc *c, uint32_t index) {
  const struct pv_global *g = &c->p->globals.at[index];
  uint64_t at = 0;
  pv_str_addf(c->out, "struct %s {\n", c->global_name[index]);
  for (uint32_t i = 0; i <= g->relocs.n; i++) {
    uint64_t next = i < g->relocs.n ? g->relocs.at[i].offset : g->size;
    if (next > at)
      pv_str_addf(c->out, "  u8 b%llu[%llu];\n", (unsigned long long)at,
                  (unsigned long long)(next - at));
    if (i < g->relocs.n) pv_str_addf(c->out, "  ptr r%llu;\n", (unsigned long long)next);
    at = next + pointer_bytes(c);
  }
  pv_str_add(c->out, "} __attribute__((packed));\n");
}

/* The declaration of global `index` up to its initialiser. */
static void print_global_head(struct pvc *c, uint32_t index) {
  const struct pv_global *g = &c->p->globals.at[index];
  const char *name = c->global_name[index];
  if (g->relocs.n)
    pv_str_addf(c->out, "%s struct %s %s", storage(g), name, name);
  else
    pv_str_addf(c->out, "%s u8 %s[%llu]", storage(g), name,
                (unsigned long long)(g->size ? g->size : 1));
  pv_str_addf(c->out, " __attribute__((aligned(%u)))", g->align ? g->align : 1);
}

/* Prints text as a string, other bytes as numbers; zeros at the end are C's default. */
static void print_bytes(struct pvc *c, const uint8_t *bytes, uint64_t n) {
  uint64_t used = n, text = 0;
  while (used && bytes[used - 1] == 0) used--;
  for (uint64_t i = 0; i < used; i++) text += isprint(bytes[i]) || bytes[i] == '\n';
  if (used == 0) {
    pv_str_add(c->out, "{0}");
  } else if (used > 2 && text * 10 >= used * 9) {
    for (uint64_t i = 0; i < used; i += 64) {
      pv_str_add(c->out, i ? "\n    \"" : "\"");
      pv_print_escaped(bytes + i, used - i < 64 ? used - i : 64, c->out);
      pv_str_addc(c->out, '"');
    }
  } else {
    for (uint64_t i = 0; i < used; i++)
      pv_str_addf(c->out, "%s%u", i == 0 ? "{" : i % 20 ? ", " : ",\n    ", bytes[i]);
    pv_str_addc(c->out, '}');
  }
}

/* A constant expression of C: pointer arithmetic instead of AT. */
static void print_reloc(struct pvc *c, pv_expr e) {
  const struct pv_expr_node *n = pv_node(c->p, e);
  switch (n->op) {
  case PV_X_PTRADD:
    print_reloc(c, n->a);
    pv_str_add(c->out, " + ");
    if (pv_node(c->p, n->b)->op == PV_X_CONST)
      pv_str_addf(c->out, "%lld",
                  (long long)pv_sign_extend(pv_node(c->p, n->b)->lo, c->p->pointer_bits));
    else
      pvc_expr(c, n->b, P_MUL);
    return;
  case PV_X_BITCAST: print_reloc(c, n->a); return;
  case PV_X_CONST: pv_str_addf(c->out, "(ptr)0x%llxull", (unsigned long long)n->lo); return;
  case PV_X_GLOBAL: {
    const struct pv_global *g = &c->p->globals.at[n->lo];
    pv_str_addf(c->out, "(ptr)%s%s", g->relocs.n && !g->is_external ? "&" : "",
                c->global_name[n->lo]);
    return;
  }
  default: pvc_expr(c, e, P_UNARY);
  }
}

static void print_initialiser(struct pvc *c, uint32_t index) {
  const struct pv_global *g = &c->p->globals.at[index];
  if (!g->init && !g->relocs.n) return;
  pv_str_add(c->out, " = ");
  if (!g->relocs.n) {
    print_bytes(c, g->init, g->size);
    return;
  }
  static const uint8_t zero[1];
  uint64_t at = 0;
  pv_str_addc(c->out, '{');
  for (uint32_t i = 0; i <= g->relocs.n; i++) {
    uint64_t next = i < g->relocs.n ? g->relocs.at[i].offset : g->size;
    if (next > at) {
      pv_str_addf(c->out, "\n  .b%llu = ", (unsigned long long)at);
      print_bytes(c, g->init ? g->init + at : zero, g->init ? next - at : 1);
      pv_str_addc(c->out, ',');
    }
    if (i < g->relocs.n) {
      pv_str_addf(c->out, "\n  .r%llu = ", (unsigned long long)next);
      print_reloc(c, g->relocs.at[i].value);
      pv_str_addc(c->out, ',');
    }
    at = next + pointer_bytes(c);
  }
  pv_str_add(c->out, "\n}");
}

static void print_globals(struct pvc *c) {
  const struct pv_program *p = c->p;
  for (uint32_t i = 0; i < p->globals.n; i++) {
    const struct pv_global *g = &p->globals.at[i];
    if (!c->global_used[i]) continue;
    if (g->is_external) {
      pvc_unfit(c, "without a definition:", g->name);
      pv_str_addf(c->out, "extern %su8 %s[] __asm__(\"%s\") __attribute__((weak));\n",
                  g->is_thread_local ? "_Thread_local " : "", c->global_name[i], g->name);
      continue;
    }
    if (g->relocs.n) print_global_type(c, i);
    if (g->is_thread_local) continue; /* no address constant refers to it: defined below */
    print_global_head(c, i);
    pv_str_add(c->out, ";\n");
  }
  for (uint32_t i = 0; i < p->globals.n; i++) {
    const struct pv_global *g = &p->globals.at[i];
    if (!c->global_used[i] || g->is_external) continue;
    if (!g->is_thread_local && !g->init && !g->relocs.n) continue;
    print_global_head(c, i);
    print_initialiser(c, i);
    pv_str_addc(c->out, ';');
    pv_str_clear(&c->last_place);
    end_line(c, g->span);
  }
}

/* ---- the file -------------------------------------------------------------------------------- */
static void print_declarations(struct pvc *c) {
  const struct pv_program *p = c->p;
  for (uint32_t i = 0; i < p->functions.n; i++) {
    const struct pv_function *f = &p->functions.at[i];
    if (!c->function_used[i]) continue;
    if (pvc_threads_copied(c, i)) {
      if (c->threads->address_taken[i]) pvc_threads_stub(c, i);
      continue;
    }
    if (f->defined) {
      pvc_prototype(c, i, false);
      pv_str_add(c->out, ";\n");
    } else { /* as an object: each call casts its address to its own type */
      pvc_unfit(c, "without a definition:", f->name);
      pv_str_addf(c->out, "extern u8 %s[] __asm__(\"%s\") __attribute__((weak));\n",
                  c->function_name[i], f->name);
    }
    if (f->labels.n) pv_str_addf(c->out, "static u8 l_%s[%u];\n", c->function_name[i], f->labels.n);
  }
}

static uint32_t find_function(const struct pvc *c, const char *name) {
  for (uint32_t i = 0; i < c->p->functions.n; i++)
    if (c->function_used[i] && c->p->functions.at[i].defined &&
        strcmp(c->p->functions.at[i].name, name) == 0)
      return i;
  return PV_NO_FUNC;
}

static const char *used_global(const struct pvc *c, const char *name) {
  for (uint32_t i = 0; i < c->p->globals.n; i++)
    if (c->global_used[i] && strcmp(c->p->globals.at[i].name, name) == 0) return c->global_name[i];
  return NULL;
}

static void print_thread_main(struct pvc *c) {
  if (!pv_map_get_str(&c->needed, "thread_create")) return;
  uint32_t bottom = find_function(c, "__proviso_thread_main");
  pv_str_add(c->out, "\nstatic void pv_thread_main(ptr start, ptr argument) {\n");
  if (bottom != PV_NO_FUNC)
    pv_str_addf(c->out, "  %s(start, argument);\n", c->function_name[bottom]);
  else
    pv_str_add(c->out, "  pv_thread_exit(((ptr(*)(ptr))start)(argument));\n");
  pv_str_add(c->out, "}\n");
}

static void print_main(struct pvc *c) {
  const struct pv_program *p = c->p;
  if (p->start >= p->functions.n || !p->functions.at[p->start].defined) return;
  uint32_t first = c->threads ? c->threads->main : p->start;
  const struct pv_function *f = &p->functions.at[first];
  const char *argc = used_global(c, "__proviso_argc"), *argv = used_global(c, "__proviso_argv");
  /* The start function makes them, or they are fixed. */
  if (c->threads || (c->weave && !c->real_arguments)) argc = argv = NULL;
  pv_str_addf(c->out, "\nint main(%s) {\n", c->threads ? "void" : "int argc, char **argv");
  if (argc) pv_str_addf(c->out, "  *(m32 *)%s = argc;\n", argc);
  if (argv) pv_str_addf(c->out, "  *(mptr *)&%s = (ptr)argv;\n", argv);
  bool status = f->n_results == 1 && pv_type_kind(f->result[0]) == PV_T_INT;
  pv_str_addf(c->out, status ? "  return %s(" : "  %s(", c->function_name[first]);
  for (uint32_t i = 0; i < f->n_params; i++) pv_str_add(c->out, i ? ", 0" : "0");
  pv_str_add(c->out, status ? ");\n}\n" : ");\n  return 0;\n}\n");
}

static bool asks_sizes(const struct pv_program *p) {
  for (uint32_t i = 0; i < p->functions.n; i++)
    for (uint32_t k = 0; k < p->functions.at[i].edges.n; k++) {
      const struct pv_edge *e = &p->functions.at[i].edges.at[k];
      if (e->op == PV_OP_QUERY &&
          (e->aux == PV_QUERY_OBJECT_SIZE || e->aux == PV_QUERY_USABLE_SIZE ||
           e->aux == PV_QUERY_IS_HEAP_START))
        return true;
    }
  return false;
}

static void print_file(struct pvc *c, struct pv_str *out) {
  const struct pv_program *p = c->p;
  struct pv_str bodies = {0}, head = {0};
  c->out = &bodies;
  c->tracked_heap = asks_sizes(p);
  if (c->weave) pvc_need(c, "assume");
  pvc_reach(c);
  pvc_names_begin(c);
  if (c->threads) pvc_threads_plan(c);
  for (uint32_t i = 0; i < p->functions.n; i++)
    if (c->function_used[i] && p->functions.at[i].defined && !pvc_threads_copied(c, i))
      print_function(c, i);
  for (uint32_t k = 1; c->threads && k <= c->threads->slots.n; k++) print_thread(c, k);
  c->out = &head;
  print_declarations(c);
  print_globals(c);
  /* The file starts with the declarations that the bodies turned out to need. */
  pv_str_addf(out,
              "/* compile: cc -std=gnu11 -fno-strict-aliasing -fwrapv -w -pthread%s; "
              "link with -lm */\n",
              p->pointer_bits == 32 ? " -m32 -msse2 -mfpmath=sse" : "");
  if (c->weave) pv_str_add(out, c->weave->top);
  pvc_runtime(c, out);
  pv_str_add(out, "\n");
  if (c->weave) pv_str_add(out, c->weave->declarations);
  pv_str_add(out, pv_str_cstr(&c->return_types));
  pv_str_add(out, pv_str_cstr(&c->input_functions));
  if (c->threads) (c->threads->how->systemc ? pvc_sc_scheduler : pvc_ft_scheduler)(c, out);
  pv_str_addn(out, pv_str_cstr(&head), head.n);
  pv_str_addn(out, pv_str_cstr(&bodies), bodies.n);
  c->out = out;
  print_thread_main(c);
  print_main(c);
  pvc_names_end(c);
  pv_map_free(&c->needed);
  pv_map_free(&c->returns);
  pv_map_free(&c->inputs);
  pv_str_free(&c->return_types);
  pv_str_free(&c->input_functions);
  pv_str_free(&c->last_place);
  pv_str_free(&bodies);
  pv_str_free(&head);
}

void pv_print_c(const struct pv_program *p, bool sections, struct pv_str *out) {
  struct pvc printer = {.p = p, .sections = sections};
  print_file(&printer, out);
}

char *pv_program_print_woven(const struct pv_program *p, const struct pv_c_weave *weave,
                             struct pv_str *out) {
  struct pvc printer = {.p = p, .weave = weave};
  print_file(&printer, out);
  return printer.unfit;
}

static void weave_nothing(const void *user, uint32_t function, uint32_t edge, struct pv_str *out) {
  (void)user, (void)function, (void)edge, (void)out;
}

char *pv_program_print_sequential(const struct pv_program *p, const struct pv_c_threads *how,
                                  struct pv_str *out) {
  static const struct pv_c_weave weave = {.top = "", .declarations = "", .edge = weave_nothing};
  struct pvc_threads threads = {.how = how, .main = PV_NO_FUNC};
  struct pvc printer = {.p = p, .weave = &weave, .threads = &threads};
  const struct pv_function *start = p->start < p->functions.n ? &p->functions.at[p->start] : NULL;
  for (uint32_t i = 0; start && i < start->edges.n; i++) {
    const struct pv_edge *e = &start->edges.at[i];
    if (e->op == PV_OP_CALL && e->callee != PV_NO_FUNC &&
        !strcmp(p->functions.at[e->callee].name, "main"))
      threads.main = how->systemc ? p->start : e->callee;
  }
  if (threads.main == PV_NO_FUNC) return pv_strdup("there is no function `main`");
  threads.yields = pv_alloc(p->functions.n);
  threads.address_taken = pv_alloc(p->functions.n);
  threads.escapes = pv_alloc(p->functions.n);
  threads.callees = pv_alloc(p->functions.n * sizeof *threads.callees);
  print_file(&printer, out);
  free(threads.yields);
  free(threads.address_taken);
  free(threads.callees);
  free(threads.escapes);
  pv_vec_free(&threads.virtuals);
  pv_vec_free(&threads.targets);
  pv_vec_free(&threads.slots);
  pv_vec_free(&threads.saved);
  pv_vec_free(&threads.path);
  pv_str_free(&threads.restore);
  return printer.unfit;
}
