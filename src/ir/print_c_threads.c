/* print_c_threads.c -- copies of functions that yield, and what there is to know before: slots,
 * functions that yield, and what is refused. See print_c_threads.h. */
#include "ir/print_c_threads.h"

#include <stdlib.h>
#include <string.h>

enum {
  SEVERAL_THREADS = 8, /* slots of a call that creates threads and may be executed again */
  SEVERAL_EVENTS = 16, /* likewise, events */
  MAX_SLOTS = 63,
  MAX_EVENTS = 64
};

static const struct pvc_ft_call pvc_ft_calls[] = {
    {"ft_scheduler_create", PVC_FT_PLAIN, "pv_scheduler", 0, ""},
    {"ft_scheduler_start", PVC_FT_PLAIN, "pv_start", 1, ""},
    {"ft_event_create", PVC_FT_EVENT, "pv_event", 1, ""},
    {"ft_thread_create", PVC_FT_CREATE, "pv_create", 1, ""},
    {"ft_thread_generate", PVC_FT_PLAIN, "pv_generate", 1, ""},
    {"ft_thread_await", PVC_FT_WAITS, "pv_await", 1, ", 0, 0"},
    {"ft_thread_await_n", PVC_FT_WAITS, "pv_await", 2, ", 1"},
    {"ft_thread_cooperate", PVC_FT_WAITS, "pv_cooperate", 0, "1"},
    {"ft_thread_cooperate_n", PVC_FT_WAITS, "pv_cooperate", 1, ""},
    {"ft_thread_join", PVC_FT_WAITS, "pv_join", 1, ", 0, 0"},
    {"ft_thread_join_n", PVC_FT_WAITS, "pv_join", 2, ", 1"},
    {"ft_thread_self", PVC_FT_PLAIN, "pv_self_handle", 0, ""},
    {"ft_thread_scheduler", PVC_FT_PLAIN, "pv_scheduler_of_self", 0, ""},
    {"ft_scheduler_stop", PVC_FT_PLAIN, "pv_order", 1, ", PV_STOP"},
    {"ft_scheduler_suspend", PVC_FT_PLAIN, "pv_order", 1, ", PV_SUSPEND"},
    {"ft_scheduler_resume", PVC_FT_PLAIN, "pv_order", 1, ", PV_RESUME"},
    {"ft_scheduler_broadcast", PVC_FT_PLAIN, "pv_broadcast", 1, ""},
    {"ft_exit", PVC_FT_ENDS, "pv_end", 0, ""},
    {"pthread_exit", PVC_FT_ENDS, "pv_end", 0, ""},
    {"exit", PVC_FT_EXIT, "pv_exit", 1, ""},
};

static const struct pvc_ft_call pvc_sc_calls[] = {
    {"sysc_thread", PVC_SC_THREAD, "pv_create", 1, ""},
    {"sysc_method", PVC_SC_METHOD, "pv_create", 1, ""},
    {"sysc_event_new", PVC_SC_EVENT, "", 0, ""},
    {"sysc_timed_out", PVC_FT_PLAIN, "pv_timed_out", 0, ""},
    {"sysc_wait", PVC_FT_WAITS, "pv_wait_static", 0, "0"},
    {"sysc_wait_n", PVC_FT_WAITS, "pv_wait_static", 1, ""},
    {"sysc_wait_time", PVC_FT_WAITS, "pv_wait_time", 1, ""},
    {"sysc_wait_event", PVC_FT_WAITS, "pv_wait_event", 1, ", 0, 0"},
    {"sysc_wait_event_for", PVC_FT_WAITS, "pv_wait_event", 2, ", 1"},
    {"sysc_wait_any", PVC_FT_WAITS, "pv_wait_list", 2, ", 0, 0, PV_ANY"},
    {"sysc_wait_any_for", PVC_FT_WAITS, "pv_wait_list", 3, ", 1, PV_ANY"},
    {"sysc_wait_all", PVC_FT_WAITS, "pv_wait_list", 2, ", 0, 0, PV_EVERY"},
    {"sysc_wait_all_for", PVC_FT_WAITS, "pv_wait_list", 3, ", 1, PV_EVERY"},
};

const struct pvc_ft_call *pvc_ft_call(const struct pvc *c, const struct pv_edge *e) {
  if (!c->threads || e->op != PV_OP_CALL || e->callee == PV_NO_FUNC) return NULL;
  const struct pv_function *f = &c->p->functions.at[e->callee];
  bool systemc = c->threads->how->systemc;
  const struct pvc_ft_call *table = systemc ? pvc_sc_calls : pvc_ft_calls;
  size_t n = systemc ? sizeof pvc_sc_calls / sizeof *table : sizeof pvc_ft_calls / sizeof *table;
  for (size_t i = 0; f->is_model && i < n; i++)
    if (!strcmp(table[i].name, f->name)) return &table[i];
  return NULL;
}

bool pvc_creates(const struct pvc_ft_call *call) {
  return call->kind == PVC_FT_CREATE || call->kind == PVC_SC_THREAD || call->kind == PVC_SC_METHOD;
}
/* The function that a created thread runs. */
static const struct pv_expr_node *function_of(const struct pvc *c, const struct pvc_ft_call *call,
                                              const struct pv_edge *e) {
  uint32_t at = call->kind == PVC_FT_CREATE;
  return at < e->args.n ? pv_node(c->p, pv_arg(c->p, e->args, at)) : NULL;
}

/* ---- what yields ----------------------------------------------------------------------------- */
static bool edge_yields(const struct pvc *c, uint32_t function, uint32_t edge) {
  const struct pvc_ft_call *call = pvc_ft_call(c, &c->p->functions.at[function].edges.at[edge]);
  if (call) return call->kind == PVC_FT_WAITS || call->kind == PVC_FT_ENDS;
  return pvc_yielding(c, function, edge) != 0;
}

/* In functions that are printed. */
static void find_yields(struct pvc *c) {
  const struct pv_program *p = c->p;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < p->functions.n; i++) {
      const struct pv_function *f = &p->functions.at[i];
      bool yields = false;
      if (!c->function_used[i] || c->threads->yields[i] || i == c->threads->main) continue;
      for (uint32_t k = 0; k < f->edges.n && !yields; k++) yields = edge_yields(c, i, k);
      c->threads->yields[i] = yields;
      changed |= yields;
    }
  }
}

/* The last program function on a way from this one to a call that waits. `fuel` ends recursion. */
static uint32_t waiting_in(const struct pvc *c, uint32_t function, unsigned fuel) {
  const struct pv_function *f = &c->p->functions.at[function];
  for (uint32_t i = 0; fuel && i < f->edges.n; i++)
    if (!pvc_ft_call(c, &f->edges.at[i]) && pvc_yielding(c, function, i))
      return waiting_in(c, c->threads->callees[0], fuel - 1);
  return function;
}

/* Main may end its thread, but neither wait nor call a function that yields. */
static void check_main(struct pvc *c) {
  const struct pv_function *f = &c->p->functions.at[c->threads->main];
  for (uint32_t i = 0; i < f->edges.n; i++) {
    const struct pv_edge *e = &f->edges.at[i];
    const struct pvc_ft_call *call = pvc_ft_call(c, e);
    if (!edge_yields(c, c->threads->main, i) || (call && call->kind == PVC_FT_ENDS)) continue;
    uint32_t callee = call ? e->callee : waiting_in(c, c->threads->callees[0], 50);
    pvc_unfit(c, "main waits for threads, in", c->p->functions.at[callee].name);
  }
}

static bool is_called(const struct pvc *c, uint32_t function) {
  for (uint32_t i = 0; i < c->p->functions.n; i++) {
    const struct pv_function *f = &c->p->functions.at[i];
    for (uint32_t k = 0; c->function_used[i] && k < f->edges.n; k++)
      if (f->edges.at[k].op == PV_OP_CALL && f->edges.at[k].callee == function) return true;
  }
  return false;
}

/* ---- slots ----------------------------------------------------------------------------------- */
/* May the edge be taken again after it was taken? */
static bool in_loop(const struct pv_function *f, const struct pv_edge *e) {
  bool *seen = pv_alloc(f->locs.n);
  PV_VEC(pv_loc) todo = {0};
  pv_vec_push(&todo, e->to);
  while (todo.n && !seen[e->from]) {
    pv_loc l = pv_vec_pop(&todo);
    if (seen[l]) continue;
    seen[l] = true;
    for (uint32_t i = 0; i < f->locs.at[l].n_out; i++)
      pv_vec_push(&todo, f->edges.at[f->locs.at[l].first_out + i].to);
  }
  bool loops = seen[e->from];
  pv_vec_free(&todo);
  free(seen);
  return loops;
}

/* Is the function called at most once in a run? `fuel` ends recursion. */
static bool runs_once(const struct pvc *c, uint32_t function, unsigned fuel) {
  const struct pv_program *p = c->p;
  if (function == c->threads->main) return true;
  if (!fuel || c->threads->address_taken[function]) return false;
  uint32_t calls = 0;
  bool once = true;
  for (uint32_t i = 0; i < p->functions.n; i++) {
    const struct pv_function *f = &p->functions.at[i];
    for (uint32_t k = 0; c->function_used[i] && k < f->edges.n; k++) {
      const struct pv_edge *e = &f->edges.at[k];
      const struct pvc_ft_call *call = pvc_ft_call(c, e);
      const struct pv_expr_node *run = call && pvc_creates(call) ? function_of(c, call, e) : NULL;
      bool starts = run && run->op == PV_X_FUNC && run->lo == function;
      if (e->op != PV_OP_CALL || (e->callee != function && !starts)) continue;
      calls++;
      once = once && !in_loop(f, e) && runs_once(c, i, fuel - 1);
    }
  }
  return once && calls <= 1;
}

static bool is_null(const struct pvc *c, pv_expr e) {
  const struct pv_expr_node *n = pv_node(c->p, e);
  return n->op == PV_X_CONST && n->lo == 0;
}

static void add_slots(struct pvc *c, uint32_t function, uint32_t edge, bool once) {
  const struct pv_edge *e = &c->p->functions.at[function].edges.at[edge];
  const struct pvc_ft_call *call = pvc_ft_call(c, e);
  const struct pv_expr_node *run = function_of(c, call, e);
  if (!run || run->op != PV_X_FUNC) {
    pvc_unfit(c, "a thread is created with a function that is not named in the call, in",
              c->p->functions.at[function].name);
    return;
  }
  if (call->kind == PVC_FT_CREATE && !is_null(c, pv_arg(c->p, e->args, 2)))
    c->threads->cleans = true;
  struct pvc_slot slot = {function, edge, (uint32_t)run->lo, call->kind == PVC_SC_METHOD};
  if (slot.is_method && c->threads->yields[slot.start])
    pvc_unfit(c, "a method waits:", c->p->functions.at[slot.start].name);
  for (unsigned i = 0; i < (once ? 1 : SEVERAL_THREADS); i++) pv_vec_push(&c->threads->slots, slot);
}

/* Those of main come first. */
static void find_slots(struct pvc *c) {
  const struct pv_program *p = c->p;
  for (uint32_t n = 0; n <= p->functions.n; n++) {
    uint32_t i = n ? n - 1 : c->threads->main;
    const struct pv_function *f = &p->functions.at[i];
    if (!c->function_used[i] || (n && i == c->threads->main)) continue;
    bool once = runs_once(c, i, 20);
    for (uint32_t k = 0; k < f->edges.n; k++) {
      const struct pv_edge *e = &f->edges.at[k];
      const struct pvc_ft_call *call = pvc_ft_call(c, e);
      if (!call) continue;
      bool single = once && !in_loop(f, e);
      if (pvc_creates(call)) add_slots(c, i, k, single);
      if (call->kind == PVC_FT_EVENT || call->kind == PVC_SC_EVENT)
        c->threads->events += single ? 1 : SEVERAL_EVENTS;
      c->threads->asks_late |= !strcmp(call->calls, "pv_timed_out");
      if (strstr(call->more, "PV_STOP")) c->threads->stops = true;
    }
  }
  if (c->threads->events > MAX_EVENTS) c->threads->events = MAX_EVENTS;
  if (c->threads->slots.n > MAX_SLOTS) pvc_unfit(c, "more than 63 threads may be created", NULL);
  if (c->threads->stops && c->threads->cleans)
    pvc_unfit(c, "threads with a cleanup function are stopped", NULL);
}

/* ---- what is refused ------------------------------------------------------------------------- */
static void check_start(struct pvc *c) {
  const struct pv_function *f = &c->p->functions.at[c->p->start];
  for (uint32_t i = 0; i < f->edges.n; i++) {
    const struct pv_edge *e = &f->edges.at[i];
    if (e->op != PV_OP_CALL || e->callee == c->threads->main) continue;
    const struct pvc_ft_call *call = pvc_ft_call(c, e);
    if (!call || call->kind != PVC_FT_EXIT)
      pvc_unfit(c, "something is executed before main or after it:",
                e->callee == PV_NO_FUNC ? "?" : c->p->functions.at[e->callee].name);
  }
}

/* A primitive that is a function of the printed kernel of SystemC. */
static bool kernel_has(const struct pvc *c, const struct pv_edge *e) {
  static const char *const names[] = {
      "cancel",     "channel",   "collect",    "deltas",    "end_event",  "event",
      "is_pending", "keep",      "next",       "notify",    "notify_now", "now",
      "request",    "run",       "running",    "self",      "sensitive",  "sorts_updates",
      "stop",       "triggered", "until_next", "wait_first"};
  static const char own[] = "__proviso_sc_";
  const char *name = c->p->prims.at[e->aux].name;
  if (!c->threads->how->systemc || strncmp(name, own, sizeof own - 1) != 0) return false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(name + sizeof own - 1, names[i])) return true;
  return false;
}

static void check_functions(struct pvc *c) {
  const struct pv_program *p = c->p;
  for (uint32_t i = 0; i < p->functions.n; i++) {
    const struct pv_function *f = &p->functions.at[i];
    if (!c->function_used[i]) continue;
    if (f->is_model && (!strcmp(f->name, "atexit") || !strcmp(f->name, "on_exit")))
      pvc_unfit(c, "the program calls", f->name);
    for (uint32_t k = 0; k < f->edges.n; k++) {
      const struct pv_edge *e = &f->edges.at[k];
      if (e->op == PV_OP_PRIM && !kernel_has(c, e))
        pvc_unfit(c, "not supported in sequential programs:",
                  f->is_model ? f->name : p->prims.at[e->aux].name);
    }
  }
}

/* Main runs beside the scheduler once it is started. Here it would run to its end first: so it may
 * do nothing more than end. */
static void check_after_start(struct pvc *c, const struct pv_edge *start) {
  const struct pv_function *f = &c->p->functions.at[c->threads->main];
  bool *seen = pv_alloc(f->locs.n);
  PV_VEC(pv_loc) todo = {0};
  pv_vec_push(&todo, start->to);
  while (todo.n) {
    pv_loc l = pv_vec_pop(&todo);
    if (seen[l]) continue;
    seen[l] = true;
    for (uint32_t i = 0; i < f->locs.at[l].n_out; i++) {
      const struct pv_edge *e = &f->edges.at[f->locs.at[l].first_out + i];
      const struct pvc_ft_call *call = pvc_ft_call(c, e);
      bool quiet = e->op == PV_OP_SKIP || e->op == PV_OP_ASSIGN || e->op == PV_OP_ASSUME ||
                   e->op == PV_OP_LIVE || e->op == PV_OP_DEAD;
      if (call && call->kind == PVC_FT_ENDS) continue;
      if (!quiet || e->to == l)
        pvc_unfit(c, "main does more than ft_exit after the scheduler is started", NULL);
      else
        pv_vec_push(&todo, e->to);
    }
  }
  pv_vec_free(&todo);
  free(seen);
}

static void check_starts(struct pvc *c) {
  for (uint32_t i = 0; i < c->p->functions.n; i++) {
    const struct pv_function *f = &c->p->functions.at[i];
    for (uint32_t k = 0; c->function_used[i] && k < f->edges.n; k++) {
      const struct pvc_ft_call *call = pvc_ft_call(c, &f->edges.at[k]);
      if (!call || strcmp(call->calls, "pv_start") != 0) continue;
      if (i != c->threads->main) pvc_unfit(c, "the scheduler is not started by main", NULL);
      if (i == c->threads->main) check_after_start(c, &f->edges.at[k]);
    }
  }
}

/* There is one copy of each global. That does not matter for errno, if the program does not look,
 * nor for what matters when the program ends, which it does once. */
static void check_globals(struct pvc *c) {
  const struct pv_program *p = c->p;
  bool looks = false;
  for (uint32_t i = 0; i < p->functions.n; i++) {
    const struct pv_function *f = &p->functions.at[i];
    for (uint32_t k = 0; c->function_used[i] && !f->is_model && k < f->edges.n; k++) {
      const struct pv_edge *e = &f->edges.at[k];
      looks |= e->op == PV_OP_CALL && e->callee != PV_NO_FUNC &&
               !strcmp(p->functions.at[e->callee].name, "__errno_location");
    }
  }
  for (uint32_t i = 0; i < p->globals.n; i++) {
    const struct pv_global *g = &p->globals.at[i];
    bool is_errno = g->is_model && !strcmp(g->name, "__proviso_errno");
    bool of_exit = g->is_model && (!strcmp(g->name, "exiting") || !strcmp(g->name, "registered"));
    if (c->global_used[i] && g->is_thread_local && !of_exit && (looks || !is_errno))
      pvc_unfit(c, "each thread has its own", g->name);
  }
}

void pvc_threads_plan(struct pvc *c) {
  const struct pv_function *main = &c->p->functions.at[c->threads->main];
  pvc_need(c, "stop");
  pvc_need(c, "verifier_error");
  if (main->n_params) pvc_unfit(c, "main has parameters", NULL);
  pvc_targets_begin(c);
  find_yields(c);
  if (!c->threads->how->systemc) check_start(c);
  check_main(c);
  check_functions(c);
  if (!c->threads->how->systemc) check_starts(c);
  check_globals(c);
  find_slots(c);
  if (!c->threads->slots.n) pvc_unfit(c, "no thread or process is created", NULL);
}

void pvc_threads_list(struct pv_str *out, const char *name, uint32_t first, uint32_t n) {
  pv_str_addf(out, "#define %s(X)", name);
  for (uint32_t i = 0; i < n; i++) pv_str_addf(out, " X(%u)", first + i);
  pv_str_addc(out, '\n');
}

static bool same_call(const struct pvc_slot *a, const struct pvc_slot *b) {
  return a->function == b->function && a->edge == b->edge;
}

void pvc_threads_creations(const struct pvc_threads *t, const char *type, const char *parameters,
                           const char *check, const char *what, struct pv_str *out) {
  for (uint32_t first = 0, end; first < t->slots.n; first = end) {
    end = first + 1;
    while (end < t->slots.n && same_call(&t->slots.at[end], &t->slots.at[first])) end++;
    pv_str_addf(out, "static %s pv_create_%u(%s) {\n%s", type, first + 1, parameters, check);
    if (end == first + 1) {
      pv_str_addf(out, "  return pv_make_%u(argument);\n}\n", end);
      continue;
    }
    pv_str_add(out, "  static u32 made;\n  switch (made++) {\n");
    for (uint32_t k = first; k < end; k++)
      pv_str_addf(out, "  case %u: return pv_make_%u(argument);\n", k - first, k + 1);
    pv_str_addf(out, "  }\n  __proviso_unsupported(\"more %s from one call\");\n}\n", what);
  }
}

/* ---- calls in copies ------------------------------------------------------------------------- */
static const char *zero_of(pv_type type) {
  return pv_type_kind(type) == PV_T_PTR ? "(ptr)0" : "0";
}

/* Where a thread waits: saves what is live after the edge, and adds the case that restores it. */
static uint32_t wait_here(struct pvc *c, const struct pv_edge *e) {
  struct pvc_threads *t = c->threads;
  uint32_t place = ++t->resumes;
  pv_str_addf(&t->restore, "  case %u:\n    %s_at = 0;\n", place, t->copy);
  for (uint32_t v = 0; v < c->f->vars.n; v++) {
    bool set = v == e->dst || v == e->dst2, known = false;
    for (uint32_t i = 0; i < e->dsts.n; i++) set |= pv_arg(c->p, e->dsts, i) == v;
    if (set || !(t->live[(size_t)e->to * t->words + v / 64] >> v % 64 & 1)) continue;
    for (uint32_t i = 0; i < t->saved.n; i++) known |= t->saved.at[i] == v;
    if (!known) pv_vec_push(&t->saved, v);
    const char *name = c->var_name[v];
    pv_str_addf(c->out, " %s_%s = %s;", t->copy, name, name);
    pv_str_addf(&t->restore, "    %s = %s_%s, %s_%s = %s;\n", name, t->copy, name, t->copy, name,
                zero_of(c->f->vars.at[v].type));
  }
  pv_str_addf(&t->restore, "    goto W%u;\n", place);
  pv_str_addf(c->out, " %s_at = %u; return 1;", t->copy, place);
  return place;
}

static uint32_t result_of(const struct pvc *c, const struct pv_edge *e) {
  return e->dsts.n ? pv_arg(c->p, e->dsts, 0) : PV_NO_VAR;
}

static void put_args(struct pvc *c, const struct pv_edge *e, uint32_t callee, uint32_t first,
                     uint32_t n) {
  const struct pv_function *f = &c->p->functions.at[callee];
  for (uint32_t i = first; i < first + n; i++) {
    if (i > first) pv_str_add(c->out, ", ");
    if (i < e->args.n)
      pvc_convert(c, pv_arg(c->p, e->args, i), f->vars.at[i].type);
    else
      pv_str_addc(c->out, '0');
  }
}

static void call_copy(struct pvc *c, const struct pv_edge *e, const struct pvc_target *target) {
  const struct pv_function *f = &c->p->functions.at[target->function];
  const char *name = target->copy;
  pv_str_addf(c->out, "if (%s(", name);
  put_args(c, e, target->function, 0, f->n_params);
  pv_str_addf(c->out, ")) { S%u:;", c->threads->resumes + 1);
  uint32_t place = wait_here(c, e);
  pv_str_addf(c->out, " W%u: if (%s(", place, name);
  for (uint32_t i = 0; i < f->n_params; i++) pv_str_add(c->out, i ? ", 0" : "0");
  pv_str_addf(c->out, ")) goto S%u; }", place);
  uint32_t result = result_of(c, e);
  if (result != PV_NO_VAR && f->n_results)
    pv_str_addf(c->out, " %s = %s_result;", c->var_name[result], name);
}

/* Through a pointer: compares it with the functions that it may point to. */
static void call_copies(struct pvc *c, const struct pv_edge *e) {
  uint32_t edge = (uint32_t)(e - c->f->edges.at), n = 0;
  bool direct = e->callee != PV_NO_FUNC || pv_node(c->p, e->e[0])->op == PV_X_FUNC;
  for (uint32_t i = 0; i < c->threads->targets.n; i++) {
    struct pvc_target target = c->threads->targets.at[i];
    if (target.edge != edge) continue;
    if (!direct) {
      pv_str_add(c->out, n++ ? " else if (" : "if (");
      pvc_expr(c, e->e[0], P_COND);
      pv_str_addf(c->out, " == (ptr)%s) { ", c->function_name[target.function]);
    }
    call_copy(c, e, &target);
    if (!direct) pv_str_add(c->out, " }");
  }
  if (direct) return;
  pv_str_add(c->out, " else { ");
  pvc_call(c, e);
  pv_str_add(c->out, " }");
}

static void call_that_waits(struct pvc *c, const struct pv_edge *e, const struct pvc_ft_call *k) {
  uint32_t slot = c->threads->slot, result = result_of(c, e);
  pv_str_addf(c->out, "pv_code = %s_%u(", k->calls, slot);
  put_args(c, e, e->callee, 0, k->n_args);
  pv_str_addf(c->out, "%s); if (pv_code == PV_WAITS) {", k->more);
  uint32_t place = wait_here(c, e);
  pv_str_addf(c->out, " W%u: pv_code = pv_code_%u; pv_code_%u = 0; }", place, slot, slot);
  if (result != PV_NO_VAR) pv_str_addf(c->out, " %s = pv_code;", c->var_name[result]);
}

static void plain_call(struct pvc *c, const struct pv_edge *e, const struct pvc_ft_call *k) {
  uint32_t result = result_of(c, e);
  if (result != PV_NO_VAR) pv_str_addf(c->out, "%s = ", c->var_name[result]);
  if (!pvc_creates(k)) {
    pv_str_addf(c->out, "%s(", k->calls);
    put_args(c, e, e->callee, 0, k->n_args);
    pv_str_addf(c->out, "%s);", k->more);
    return;
  }
  uint32_t first = 0;
  const struct pvc_threads *t = c->threads;
  while (first < t->slots.n &&
         e != &c->p->functions.at[t->slots.at[first].function].edges.at[t->slots.at[first].edge])
    first++;
  pv_str_addf(c->out, "pv_create_%u(", first + 1);
  if (k->kind == PVC_FT_CREATE) {
    put_args(c, e, e->callee, 0, 1);
    pv_str_add(c->out, ", ");
    put_args(c, e, e->callee, 3, 1);
  } else {
    put_args(c, e, e->callee, 1, 1);
  }
  pv_str_add(c->out, ");");
}

static bool prints_call(struct pvc *c, const struct pv_edge *e) {
  const struct pvc_ft_call *k = pvc_ft_call(c, e);
  if (!k) {
    uint32_t function = (uint32_t)(c->f - c->p->functions.at);
    if (!pvc_yielding(c, function, (uint32_t)(e - c->f->edges.at))) return false;
    if (c->threads->slot) call_copies(c, e);
    return true;
  }
  switch (k->kind) {
  case PVC_FT_PLAIN:
  case PVC_FT_CREATE:
  case PVC_FT_EVENT:
  case PVC_FT_EXIT:
  case PVC_SC_THREAD:
  case PVC_SC_METHOD: plain_call(c, e, k); return true;
  case PVC_SC_EVENT: return false;
  case PVC_FT_WAITS:
    if (c->threads->slot) call_that_waits(c, e, k);
    return true;
  case PVC_FT_ENDS:
    if (c->threads->slot)
      pv_str_addf(c->out, "pv_end_%u(); return 1;", c->threads->slot);
    else
      pv_str_add(c->out, "pv_run(); pv_exit(0);");
    return true;
  }
  return false;
}

void pvc_threads_unset(struct pvc *c, uint32_t slot) {
  uint64_t size = c->f->slots.at[slot].size;
  if (size)
    pv_str_addf(c->out, "{ u8 pv_unset[%llu]; __builtin_memcpy(%s, pv_unset, %llu); }",
                (unsigned long long)size, c->slot_name[slot], (unsigned long long)size);
}

bool pvc_threads_edge(struct pvc *c, const struct pv_edge *e) {
  if (!c->threads) return false;
  if (e->op == PV_OP_CALL) return prints_call(c, e);
  if (!c->threads->slot) return false;
  if (e->op == PV_OP_LIVE) {
    pvc_threads_unset(c, e->aux);
    return true;
  }
  if (e->op != PV_OP_RETURN) return false;
  if (c->f->n_results && e->args.n) {
    pv_str_addf(c->out, "%s_result = ", c->threads->copy);
    pvc_convert(c, pv_arg(c->p, e->args, 0), c->f->result[0]);
    pv_str_add(c->out, "; ");
  }
  pv_str_add(c->out, "return 0;");
  return true;
}

bool pvc_threads_copied(const struct pvc *c, uint32_t function) {
  if (!c->threads) return false;
  if (c->threads->yields[function]) return true;
  bool runs = false;
  for (uint32_t i = 0; i < c->threads->slots.n; i++)
    runs |= c->threads->slots.at[i].start == function && !c->threads->slots.at[i].is_method;
  return runs && !c->threads->address_taken[function] && !is_called(c, function);
}

void pvc_threads_stub(struct pvc *c, uint32_t function) {
  pvc_prototype(c, function, false);
  pv_str_add(c->out, " { __proviso_unsupported(\"a call of a function that waits\"); }\n");
}

bool pvc_threads_reach(const struct pvc *c, const struct pv_edge *e, uint32_t *function) {
  const struct pvc_ft_call *call = pvc_ft_call(c, e);
  if (!call || call->kind == PVC_SC_EVENT) return false;
  const struct pv_expr_node *run = pvc_creates(call) ? function_of(c, call, e) : NULL;
  if (run && run->op == PV_X_FUNC) *function = (uint32_t)run->lo;
  return true;
}
