#include "analysis/signals.h"

#include "analysis/points_to.h"
#include "sched/sched.h"

#include <stdlib.h>
#include <string.h>

enum part { NORMAL = 1, HANDLER = 2, ENTRY = 4 /* called as a handler */ };

/* An edge to insert before or after another one. */
enum what { ARRIVES, ARRIVES_INSIDE, CHECK_CONFLICT, CHECK_INSIDE };
struct addition {
  uint32_t function, edge;
  enum what what;
  const char *text; /* of a check */
};

struct weave {
  struct pv_program *p;
  struct pv_points_to *pt;
  uint32_t words, deliver, arrives;
  uint8_t *part;       /* by function: enum part */
  uint8_t *in_section; /* by function: a model that may be called in a section of another model */
  /* Objects that handlers read and write; the same for the rest of the program. */
  uint64_t *read, *written, *normal_read, *normal_written, *set;
  /* Handlers call primitives, or unsafe functions; there are threads. */
  bool primitives, unsafe, threads;
  bool finite; /* handlers store only constants */
  PV_VEC(struct addition) additions;
};

static uint32_t find(const struct pv_program *p, const char *name) {
  for (uint32_t i = 0; i < p->functions.n; i++)
    if (p->functions.at[i].defined && !strcmp(p->functions.at[i].name, name)) return i;
  return PV_NO_FUNC;
}

static const struct pv_function *function_at(const struct weave *w, uint32_t f) {
  return &w->p->functions.at[f];
}

/* ---- functions of handlers ------------------------------------------------------------------- */
static void reach(struct weave *w, uint32_t function, enum part part);

static void reach_callees(struct weave *w, uint32_t function, uint32_t edge, enum part part) {
  uint32_t *callees = pv_alloc((w->p->functions.n + 1) * sizeof *callees);
  uint32_t n = pv_points_to_callees(w->pt, function, edge, callees);
  for (uint32_t i = 0; i < n; i++) reach(w, callees[i], part);
  free(callees);
}

static void reach(struct weave *w, uint32_t function, enum part part) {
  if (w->part[function] & part) return;
  w->part[function] |= (uint8_t)part;
  const struct pv_function *f = function_at(w, function);
  for (uint32_t i = 0; i < f->edges.n; i++) {
    const struct pv_edge *e = &f->edges.at[i];
    bool runs_handler = function == w->deliver && e->callee == PV_NO_FUNC;
    if (e->op == PV_OP_CALL && !runs_handler) reach_callees(w, function, i, part);
    bool creates = e->op == PV_OP_PRIM && w->p->prims.at[e->aux].prim->role == PV_ROLE_CREATES;
    w->threads |= creates;
    uint32_t bottom = creates ? find(w->p, "__proviso_thread_main") : PV_NO_FUNC;
    if (bottom != PV_NO_FUNC) reach(w, bottom, NORMAL);
  }
}

static void reach_handlers(struct weave *w) {
  const struct pv_function *f = function_at(w, w->deliver);
  uint32_t *callees = pv_alloc((w->p->functions.n + 1) * sizeof *callees);
  for (uint32_t i = 0; i < f->edges.n; i++) {
    if (f->edges.at[i].op != PV_OP_CALL || f->edges.at[i].callee != PV_NO_FUNC) continue;
    uint32_t n = pv_points_to_callees(w->pt, w->deliver, i, callees);
    for (uint32_t k = 0; k < n; k++) {
      reach(w, callees[k], HANDLER);
      w->part[callees[k]] |= ENTRY;
    }
  }
  free(callees);
}

/* ---- accesses of handlers -------------------------------------------------------------------- */
struct access {
  pv_expr address, bytes; /* bytes: 0 means `size` */
  uint64_t size;
  bool write, plain;
};

/* The accesses of an edge, at most two. */
static unsigned accesses_of(const struct pv_program *p, const struct pv_edge *e,
                            struct access out[2]) {
  bool plain = e->order == PV_ORDER_NONE && !(e->flags & PV_EF_VOLATILE);
  uint64_t size = e->type ? (pv_type_bits(e->type) + 7) / 8 : 0;
  switch ((enum pv_op)e->op) {
  case PV_OP_LOAD: out[0] = (struct access){e->e[0], 0, size, false, plain}; return 1;
  case PV_OP_STORE: out[0] = (struct access){e->e[0], 0, size, true, plain}; return 1;
  case PV_OP_RMW:
  case PV_OP_CMPXCHG: out[0] = (struct access){e->e[0], 0, size, true, false}; return 1;
  case PV_OP_FILL: out[0] = (struct access){e->e[0], e->e[2], 0, true, plain}; return 1;
  case PV_OP_COPY:
    out[0] = (struct access){e->e[0], e->e[2], 0, true, plain};
    out[1] = (struct access){e->e[1], e->e[2], 0, false, plain};
    return 2;
  case PV_OP_PRINT: out[0] = (struct access){e->e[0], e->e[1], 0, false, true}; return 1;
  case PV_OP_FREE:
    if (e->aux == PV_STORAGE_TEMP || e->aux == PV_STORAGE_ALLOCA) return 0;
    out[0] = (struct access){e->e[0], 0, 1, true, false};
    return 1;
  default: (void)p; return 0;
  }
}

static void find_objects(struct weave *w, uint32_t function, pv_expr address) {
  memset(w->set, 0, w->words * sizeof *w->set);
  pv_points_to_address(w->pt, function, address, w->set);
}

static void note_accesses(struct weave *w, uint32_t function, const struct pv_edge *e,
                          uint64_t *read, uint64_t *written) {
  struct access a[2];
  unsigned n = accesses_of(w->p, e, a);
  for (unsigned i = 0; i < n; i++) {
    find_objects(w, function, a[i].address);
    uint64_t *to = a[i].write ? written : read;
    for (uint32_t k = 0; k < w->words; k++) to[k] |= w->set[k];
  }
}

static bool meets(const struct weave *w, const uint64_t *objects) {
  bool any = !pv_points_to_complete(w->pt);
  for (uint32_t k = 0; k < w->words; k++) any |= (w->set[k] & objects[k]) != 0;
  return any;
}

/* Can another thread observe the access, or change what it reads? */
static bool is_shared(const struct weave *w) {
  for (uint32_t o = 0; o < pv_points_to_objects(w->pt); o++)
    if ((w->set[o / 64] >> (o % 64) & 1) && pv_points_to_escapes(w->pt, o)) return true;
  return false;
}

/* Removes the library's own objects from the set: its functions handle interruptions themselves. */
static void drop_own(struct weave *w) {
  for (uint32_t o = 0; o < pv_points_to_objects(w->pt); o++) {
    const struct pv_pt_object *object = pv_points_to_object(w->pt, o);
    if (object->kind == PV_PT_GLOBAL && w->p->globals.at[object->index].is_model)
      w->set[o / 64] &= ~(UINT64_C(1) << (o % 64));
  }
}

/* ---- library functions ----------------------------------------------------------------------- */
/* The function's name if it has a state that an interruption may find inconsistent; else NULL. */
static const char *unsafe_name(const char *name) {
  static const char *const names[] = {"malloc",
                                      "calloc",
                                      "realloc",
                                      "reallocarray",
                                      "free",
                                      "aligned_alloc",
                                      "memalign",
                                      "strdup",
                                      "strndup",
                                      "printf",
                                      "fprintf",
                                      "vprintf",
                                      "vfprintf",
                                      "puts",
                                      "putchar",
                                      "putc",
                                      "fputs",
                                      "fputc",
                                      "fwrite",
                                      "fread",
                                      "getchar",
                                      "getc",
                                      "fgetc",
                                      "fgets",
                                      "gets",
                                      "getline",
                                      "getdelim",
                                      "ungetc",
                                      "scanf",
                                      "fscanf",
                                      "vscanf",
                                      "vfscanf",
                                      "perror",
                                      "fopen",
                                      "fdopen",
                                      "freopen",
                                      "fclose",
                                      "fflush",
                                      "fseek",
                                      "ftell",
                                      "rewind",
                                      "setvbuf",
                                      "setbuf",
                                      "asprintf",
                                      "vasprintf",
                                      "exit",
                                      "atexit",
                                      "getenv",
                                      "setenv",
                                      "unsetenv",
                                      "putenv",
                                      "localtime",
                                      "gmtime",
                                      "ctime",
                                      "asctime",
                                      "strtok",
                                      "strerror",
                                      "strsignal",
                                      "setlocale",
                                      "posix_memalign",
                                      "pthread_exit",
                                      "putc_unlocked",
                                      "putchar_unlocked",
                                      "getchar_unlocked",
                                      "__printf_chk",
                                      "__fprintf_chk",
                                      "__vprintf_chk",
                                      "__vfprintf_chk",
                                      "_Znwm",
                                      "_Znam",
                                      "_ZdlPv",
                                      "_ZdaPv"};
  const char *plain =
      strncmp(name, "__isoc99_", 9) && strncmp(name, "__isoc23_", 9) ? name : name + 9;
  size_t n = strcspn(plain, "."); /* "printf.1" is printf, specialised for a format */
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strncmp(names[i], plain, n) && !names[i][n]) return names[i];
  return NULL;
}

/* The unsafe library function that the program's own edge calls, or NULL. */
static const char *unsafe_call(const struct weave *w, uint32_t function, const struct pv_edge *e) {
  if (function_at(w, function)->is_model || e->op != PV_OP_CALL || e->callee == PV_NO_FUNC)
    return NULL;
  const struct pv_function *g = function_at(w, e->callee);
  return g->is_model ? unsafe_name(g->name) : NULL;
}

/* ---- atomic sections ------------------------------------------------------------------------- */
static uint32_t *depths(const struct pv_function *f) {
  uint32_t *depth = pv_alloc((f->locs.n + 1) * sizeof *depth); /* plus 1; 0: not seen yet */
  PV_VEC(pv_loc) todo = {0};
  depth[f->entry] = 1 + f->atomic;
  pv_vec_push(&todo, f->entry);
  while (todo.n) {
    pv_loc at = pv_vec_pop(&todo);
    const struct pv_location *l = &f->locs.at[at];
    for (uint32_t i = 0; i < l->n_out; i++) {
      const struct pv_edge *e = &f->edges.at[l->first_out + i];
      uint32_t d = depth[at] + (e->op == PV_OP_ATOMIC_BEGIN);
      if (e->op == PV_OP_ATOMIC_END && d > 1) d--;
      if (depth[e->to]) continue;
      depth[e->to] = d;
      pv_vec_push(&todo, e->to);
    }
  }
  pv_vec_free(&todo);
  return depth;
}

static void mark_in_section(struct weave *w, uint32_t function) {
  if (w->in_section[function]) return;
  w->in_section[function] = 1;
  const struct pv_function *f = function_at(w, function);
  for (uint32_t i = 0; i < f->edges.n; i++)
    if (f->edges.at[i].op == PV_OP_CALL && f->edges.at[i].callee != PV_NO_FUNC)
      mark_in_section(w, f->edges.at[i].callee);
}

static void find_sections(struct weave *w) {
  for (uint32_t k = 0; k < w->p->functions.n; k++) {
    const struct pv_function *f = function_at(w, k);
    if (!f->is_model || !f->defined) continue;
    uint32_t *depth = depths(f);
    for (uint32_t i = 0; i < f->edges.n; i++) {
      const struct pv_edge *e = &f->edges.at[i];
      if (e->op == PV_OP_CALL && e->callee != PV_NO_FUNC && depth[e->from] > 1)
        mark_in_section(w, e->callee);
    }
    free(depth);
  }
}

/* ---- where signals arrive -------------------------------------------------------------------- */
static bool is_quiet(const struct pv_edge *e) {
  switch ((enum pv_op)e->op) {
  case PV_OP_SKIP:
  case PV_OP_ASSUME:
  case PV_OP_ASSIGN:
  case PV_OP_LIVE:
  case PV_OP_DEAD:
  case PV_OP_RETURN: return true;
  default: return false;
  }
}

static bool anything_follows(const struct pv_function *f, pv_loc at, uint8_t *seen) {
  if (seen[at]) return false;
  seen[at] = 1;
  const struct pv_location *l = &f->locs.at[at];
  for (uint32_t i = 0; i < l->n_out; i++) {
    const struct pv_edge *e = &f->edges.at[l->first_out + i];
    if (!is_quiet(e) || anything_follows(f, e->to, seen)) return true;
  }
  return false;
}

/* Is it the end of a handler? A signal there could as well arrive after it. */
static bool ends_handler(const struct weave *w, uint32_t function, pv_loc at) {
  if (w->part[function] != (HANDLER | ENTRY)) return false;
  const struct pv_function *f = function_at(w, function);
  uint8_t *seen = pv_alloc(f->locs.n + 1);
  bool ends = !anything_follows(f, at, seen);
  free(seen);
  return ends;
}

static bool arrives_behind(struct weave *w, uint32_t function, const struct pv_edge *e) {
  struct access a[2];
  bool model = function_at(w, function)->is_model;
  if (e->op == PV_OP_PRIM && !model)
    return (w->threads || w->primitives) && w->p->prims.at[e->aux].prim->class != PV_PRIM_LOCAL;
  if (e->op == PV_OP_PRIM && w->p->prims.at[e->aux].prim->role == PV_ROLE_EXITS) return false;
  if (e->op == PV_OP_PRIM) return w->p->prims.at[e->aux].prim->class != PV_PRIM_LOCAL;
  unsigned n = accesses_of(w->p, e, a);
  for (unsigned i = 0; i < n; i++) {
    find_objects(w, function, a[i].address);
    if (model) drop_own(w);
    if (meets(w, w->written) || (a[i].write && meets(w, w->read))) return true;
    if (w->threads && is_shared(w)) return true;
  }
  return false;
}

static void add(struct weave *w, uint32_t function, uint32_t edge, enum what what,
                const char *text) {
  pv_vec_push(&w->additions, ((struct addition){function, edge, what, text}));
}

static const char *conflict_text(struct weave *w) {
  const char *name = NULL;
  unsigned n = 0;
  for (uint32_t o = 0; o < pv_points_to_objects(w->pt); o++) {
    const struct pv_pt_object *object = pv_points_to_object(w->pt, o);
    if (!(w->set[o / 64] >> (o % 64) & 1)) continue;
    n++;
    if (object->kind == PV_PT_GLOBAL) name = w->p->globals.at[object->index].name;
  }
  char *text = n == 1 && name
                   ? pv_format("a signal handler and the code that it interrupts access `%s`, "
                               "which is neither atomic nor volatile",
                               name)
                   : pv_format("a signal handler and the code that it interrupts access an object "
                               "that is neither atomic nor volatile");
  const char *kept = pv_program_string(w->p, text);
  free(text);
  return kept;
}

static void check_handler(struct weave *w, uint32_t function, uint32_t edge) {
  const struct pv_edge *e = &function_at(w, function)->edges.at[edge];
  struct access a[2];
  const char *name = unsafe_call(w, function, e);
  if (name) {
    char *text = pv_format("a signal handler calls `%s` although it may have interrupted a "
                           "function that is not async-signal-safe",
                           name);
    add(w, function, edge, CHECK_INSIDE, pv_program_string(w->p, text));
    free(text);
  }
  if (function_at(w, function)->is_model || !accesses_of(w->p, e, a) || !a[0].plain) return;
  find_objects(w, function, a[0].address);
  if (meets(w, w->normal_written) || (a[0].write && meets(w, w->normal_read)))
    add(w, function, edge, CHECK_CONFLICT, conflict_text(w));
}

static void look_at(struct weave *w, uint32_t function) {
  const struct pv_function *f = function_at(w, function);
  bool own = f->is_model && (w->in_section[function] || !strncmp(f->name, "__proviso_signal", 16));
  uint32_t *depth = depths(f);
  for (uint32_t i = 0; i < f->edges.n && !own; i++) {
    const struct pv_edge *e = &f->edges.at[i];
    if (depth[e->from] > 1 || !depth[e->from]) continue;
    if (w->part[function] & HANDLER) check_handler(w, function, i);
    if (w->unsafe && unsafe_call(w, function, e)) add(w, function, i, ARRIVES_INSIDE, NULL);
    if (arrives_behind(w, function, e) && !ends_handler(w, function, e->to))
      add(w, function, i, ARRIVES, NULL);
  }
  free(depth);
}

/* ---- insertion ------------------------------------------------------------------------------- */
static pv_expr number(const struct weave *w, unsigned bits, uint64_t value) {
  return pv_mk_const(w->p, PV_INT(bits), value);
}

/* Address, size and kind of an access, or of none. */
static struct pv_args range(const struct weave *w, const struct pv_edge *e, bool any) {
  unsigned bits = w->p->pointer_bits;
  struct access a[2];
  pv_expr args[] = {pv_mk_const(w->p, PV_TYPE(PV_T_PTR, bits), 0), number(w, bits, 0),
                    number(w, 32, 0)};
  if (any && accesses_of(w->p, e, a) && a[0].plain) {
    args[0] = a[0].address;
    args[1] = a[0].bytes ? a[0].bytes : number(w, bits, a[0].size);
    args[2] = number(w, 32, a[0].write);
  }
  return pv_mk_args(w->p, args, 3);
}

static uint32_t temporary(struct pv_program *p, struct pv_function *f) {
  char *name = pv_format("s%u", f->vars.n);
  struct pv_variable v = {.name = pv_program_string(p, name), .type = PV_INT(32), .is_temp = true};
  free(name);
  pv_vec_push(&f->vars, v);
  return f->vars.n - 1;
}

/* Has the address of the access the same value after the edge? */
static bool keeps_operands(const struct pv_program *p, const struct pv_edge *e) {
  struct pv_expr_node n = *pv_node(p, e->e[0]);
  while (e->dst != PV_NO_VAR && pv_expr_ops[n.op].arity == 2 && pv_node(p, n.b)->op == PV_X_CONST)
    n = *pv_node(p, n.a);
  return e->dst == PV_NO_VAR || (n.op == PV_X_VAR ? n.lo != e->dst : pv_expr_ops[n.op].arity == 0);
}

static struct pv_edge call_of(const struct weave *w, const struct pv_edge *at, const char *name) {
  struct pv_edge call = pv_edge_of(PV_OP_CALL, 0, 0);
  call.callee = find(w->p, name);
  call.span = at->span;
  call.stmt = at->stmt;
  return call;
}

/* Inserts the edge before another one, which begins after it then. */
static void put_before(struct pv_function *f, uint32_t edge, struct pv_edge e) {
  pv_loc middle = pv_loc_add(f);
  e.from = f->edges.at[edge].from;
  e.to = middle;
  f->edges.at[edge].from = middle;
  pv_vec_push(&f->edges, e);
}

static void put_behind(struct pv_function *f, uint32_t edge, struct pv_edge e) {
  pv_loc middle = pv_loc_add(f);
  e.from = middle;
  e.to = f->edges.at[edge].to;
  f->edges.at[edge].to = middle;
  pv_vec_push(&f->edges, e);
}

static void put_check(const struct weave *w, struct pv_function *f, const struct addition *x) {
  const struct pv_edge at = f->edges.at[x->edge];
  bool conflict = x->what == CHECK_CONFLICT;
  uint32_t answer = temporary(w->p, f);
  struct pv_edge ask =
      call_of(w, &at, conflict ? "__proviso_signal_conflicts" : "__proviso_signal_is_inside");
  struct pv_edge check = pv_edge_of(PV_OP_CHECK, 0, 0);
  pv_expr dst = answer, none = number(w, 32, 0);
  if (conflict) ask.args = range(w, &at, true);
  ask.dsts = pv_mk_args(w->p, &dst, 1);
  check.aux = PV_CHECK_ARGUMENT;
  check.e[0] = pv_mk_binary(w->p, PV_X_EQ, 0, PV_INT(1), pv_mk_var(w->p, PV_INT(32), answer), none);
  check.text = x->text;
  check.span = at.span;
  check.stmt = at.stmt;
  put_before(f, x->edge, ask);
  put_before(f, x->edge, check);
}

static void put(const struct weave *w, const struct addition *x) {
  struct pv_function *f = &w->p->functions.at[x->function];
  const struct pv_edge at = f->edges.at[x->edge];
  struct pv_edge call;
  switch (x->what) {
  case ARRIVES:
    call = call_of(w, &at, "__proviso_signal_arrives");
    call.args = range(w, &at, keeps_operands(w->p, &at));
    put_behind(f, x->edge, call);
    break;
  case ARRIVES_INSIDE:
    put_before(f, x->edge, call_of(w, &at, "__proviso_signal_arrives_inside"));
    break;
  case CHECK_CONFLICT:
  case CHECK_INSIDE: put_check(w, f, x); break;
  }
}

/* Makes a model function return the constant instead of its input. */
static void decide(struct weave *w, const char *name, int value) {
  uint32_t function = find(w->p, name);
  if (function == PV_NO_FUNC) return;
  struct pv_function *f = &w->p->functions.at[function];
  for (uint32_t i = 0; i < f->edges.n; i++) {
    struct pv_edge *e = &f->edges.at[i];
    if (e->op != PV_OP_HAVOC) continue;
    struct pv_edge known = pv_edge_of(PV_OP_ASSIGN, e->from, e->to);
    known.dst = e->dst;
    known.e[0] = pv_mk_const(w->p, e->type, (uint64_t)(int64_t)value);
    known.span = e->span;
    *e = known;
  }
}

/* Replaces sem_wait by a model in which handlers, which may post, are executed. */
static void wait_with_signals(const struct weave *w) {
  uint32_t function = find(w->p, "sem_wait"), wait = find(w->p, "__proviso_signal_sem_wait");
  if (function == PV_NO_FUNC || !function_at(w, function)->is_model) return;
  struct pv_function *f = &w->p->functions.at[function];
  for (uint32_t i = 0; i < f->edges.n; i++) {
    struct pv_edge *e = &f->edges.at[i];
    if (e->op != PV_OP_PRIM || e->dst == PV_NO_VAR) continue;
    struct pv_edge call = pv_edge_of(PV_OP_CALL, e->from, e->to);
    pv_expr dst = e->dst;
    call.callee = wait;
    call.args = e->args;
    call.dsts = pv_mk_args(w->p, &dst, 1);
    call.span = e->span;
    call.stmt = e->stmt;
    *e = call;
  }
}

/* ---- all ------------------------------------------------------------------------------------- */
/* Do the handlers only store finitely many values, without any other effect? */
static bool is_finite(const struct weave *w, uint32_t function) {
  const struct pv_function *f = function_at(w, function);
  for (uint32_t i = 0; i < f->edges.n; i++) {
    const struct pv_edge *e = &f->edges.at[i];
    if (is_quiet(e) || e->op == PV_OP_STOP) continue;
    const struct pv_expr_node *value = pv_node(w->p, e->e[1]);
    bool known = value->op == PV_X_CONST || (value->op == PV_X_VAR && value->lo < f->n_params);
    if (e->op != PV_OP_STORE || !known) return false;
  }
  for (uint32_t l = 0; l < f->locs.n; l++)
    if (f->locs.at[l].loop_head) return false;
  return true;
}

static void look_at_handlers(struct weave *w) {
  w->finite = pv_points_to_complete(w->pt);
  for (uint32_t k = 0; k < w->p->functions.n; k++) {
    const struct pv_function *f = function_at(w, k);
    bool handler = w->part[k] & HANDLER, normal = w->part[k] & NORMAL;
    if (handler) w->finite &= is_finite(w, k);
    for (uint32_t i = 0; i < f->edges.n; i++) {
      const struct pv_edge *e = &f->edges.at[i];
      if (handler) note_accesses(w, k, e, w->read, w->written);
      if (normal) note_accesses(w, k, e, w->normal_read, w->normal_written);
      w->primitives |= handler && e->op == PV_OP_PRIM;
      w->unsafe |= handler && unsafe_call(w, k, e);
    }
  }
}

static void begin(struct weave *w) {
  uint32_t n = w->p->functions.n;
  w->pt = pv_points_to_new(w->p, NULL);
  w->words = pv_points_to_words(w->pt);
  w->part = pv_alloc(n + 1);
  w->in_section = pv_alloc(n + 1);
  w->read = pv_alloc((w->words + 1) * sizeof *w->read);
  w->written = pv_alloc((w->words + 1) * sizeof *w->written);
  w->normal_read = pv_alloc((w->words + 1) * sizeof *w->normal_read);
  w->normal_written = pv_alloc((w->words + 1) * sizeof *w->normal_written);
  w->set = pv_alloc((w->words + 1) * sizeof *w->set);
}

static void end(struct weave *w) {
  pv_points_to_free(w->pt);
  free(w->part);
  free(w->in_section);
  free(w->read);
  free(w->written);
  free(w->normal_read);
  free(w->normal_written);
  free(w->set);
  pv_vec_free(&w->additions);
}

void pv_signals_weave(struct pv_program *p, int max_signals) {
  struct weave w = {.p = p};
  w.arrives = find(p, "__proviso_signal_arrives");
  w.deliver = find(p, "__proviso_signal_deliver");
  if (w.arrives == PV_NO_FUNC || w.deliver == PV_NO_FUNC) return;
  begin(&w);
  reach(&w, p->start, NORMAL);
  reach_handlers(&w);
  find_sections(&w);
  look_at_handlers(&w);
  uint32_t n = p->functions.n;
  for (uint32_t f = 0; f < n; f++)
    if (w.part[f] & (NORMAL | HANDLER)) look_at(&w, f);
  for (uint32_t i = 0; i < w.additions.n; i++) put(&w, &w.additions.at[i]);
  for (uint32_t i = 0; i < w.additions.n; i++)
    if (i + 1 == w.additions.n || w.additions.at[i + 1].function != w.additions.at[i].function)
      pv_function_finish(p, &p->functions.at[w.additions.at[i].function]);
  if (w.primitives) wait_with_signals(&w);
  decide(&w, "__proviso_signal_bound", w.finite ? -1 : max_signals);
  decide(&w, "__proviso_signal_posts", w.primitives);
  end(&w);
}
