/* externals.c -- functions known by name: intrinsics of the models, scheduler primitives, verifier
 * functions of SV-COMP. A call of any other undefined function ends the path, with its name. */
#include "frontend/externals.h"

#include <stdlib.h>
#include <string.h>

typedef void (*handler)(struct pv_fn *fn, struct pv_call *call);

static bool starts(const char *s, const char *with) {
  return strncmp(s, with, strlen(with)) == 0;
}

static pv_type type_of(struct pv_fn *fn, pv_expr e) {
  return pv_node(fn->p, e)->type;
}

pv_expr pv_ext_arg(struct pv_fn *fn, const struct pv_call *call, unsigned k, pv_type t) {
  if (k >= call->n_args) {
    char *text = pv_format("%s with too few arguments", call->name);
    pv_fn_unsupported(fn, text);
    free(text);
    return pv_mk_const(fn->p, t, 0);
  }
  return pv_fn_convert(fn, call->args[k], t);
}

static pv_expr pointer(struct pv_fn *fn, const struct pv_call *call, unsigned k) {
  return pv_ext_arg(fn, call, k, fn->fe->ptr);
}

/* Argument k as a size_t. An int, from a missing prototype, is taken as nonnegative. */
static pv_expr size(struct pv_fn *fn, const struct pv_call *call, unsigned k) {
  return pv_ext_arg(fn, call, k, fn->fe->word);
}

static pv_expr condition(struct pv_fn *fn, const struct pv_call *call, unsigned k) {
  if (k >= call->n_args) return pv_ext_arg(fn, call, k, PV_INT(1));
  pv_type t = type_of(fn, call->args[k]);
  if (t == PV_INT(1)) return call->args[k];
  if (pv_type_kind(t) == PV_T_FLOAT) return pv_ext_arg(fn, call, k, PV_INT(1));
  return pv_mk_binary(fn->p, PV_X_NE, 0, PV_INT(1), call->args[k], pv_mk_const(fn->p, t, 0));
}

/* Argument k if it is a string literal, else the function's name; interned. */
static const char *text(struct pv_fn *fn, const struct pv_call *call, unsigned k) {
  char *s = k < call->n_args ? pv_fe_string(fn->fe, call->args[k]) : NULL;
  const char *kept = pv_program_string(fn->p, s ? s : call->name);
  free(s);
  return kept;
}

uint32_t pv_ext_result(struct pv_fn *fn, struct pv_call *call) {
  if (!call->n_results) return PV_NO_VAR;
  return call->dst[0] = pv_fn_temp(fn, call->results[0]);
}

void pv_ext_give(struct pv_fn *fn, struct pv_call *call, pv_expr e) {
  if (fn->dead || !call->n_results || !call->wanted) return;
  uint32_t t = pv_ext_result(fn, call);
  pv_fn_assign(fn, t, pv_fn_convert(fn, e, call->results[0]));
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void allocate(struct pv_fn *fn, struct pv_call *call, enum pv_storage storage,
                     uint32_t align) {
  struct pv_edge e = pv_edge_of(PV_OP_ALLOC, 0, 0);
  e.e[0] = size(fn, call, 0);
  e.aux = storage;
  e.align = align;
  e.site = fn->p->n_sites++;
  if (fn->dead) return;
  uint32_t t = pv_fn_temp(fn, fn->fe->ptr);
  e.dst = t;
  pv_fn_emit(fn, e);
  if (call->n_results && call->results[0] == fn->fe->ptr)
    call->dst[0] = t;
  else
    pv_ext_give(fn, call, pv_fn_var(fn, t));
}

static void do_alloc(struct pv_fn *fn, struct pv_call *call) {
  allocate(fn, call, PV_STORAGE_HEAP, 16);
}

static void do_alloc_aligned(struct pv_fn *fn, struct pv_call *call) {
  pv_expr align = pv_ext_arg(fn, call, 1, fn->fe->word);
  if (fn->dead) return;
  const struct pv_expr_node *n = pv_node(fn->p, align);
  if (n->op == PV_X_CONST && n->lo <= 4096)
    allocate(fn, call, PV_STORAGE_HEAP, (uint32_t)n->lo);
  else
    pv_fn_unsupported(fn, call->name);
}

static void do_map(struct pv_fn *fn, struct pv_call *call) {
  allocate(fn, call, PV_STORAGE_MAPPING, 4096);
}

static void do_alloca(struct pv_fn *fn, struct pv_call *call) {
  allocate(fn, call, PV_STORAGE_ALLOCA, 16);
}

static void do_open_stream(struct pv_fn *fn, struct pv_call *call) {
  allocate(fn, call, PV_STORAGE_STREAM, 16);
}

static void release(struct pv_fn *fn, struct pv_call *call, enum pv_storage storage) {
  struct pv_edge e = pv_edge_of(PV_OP_FREE, 0, 0);
  e.aux = storage;
  e.e[0] = pointer(fn, call, 0);
  pv_fn_emit(fn, e);
}

static void do_free(struct pv_fn *fn, struct pv_call *call) {
  release(fn, call, PV_STORAGE_HEAP);
}

static void do_given(struct pv_fn *fn, struct pv_call *call) {
  allocate(fn, call, PV_STORAGE_GIVEN, 16);
}

static void do_close_stream(struct pv_fn *fn, struct pv_call *call) {
  release(fn, call, PV_STORAGE_STREAM);
}

static void do_unmap(struct pv_fn *fn, struct pv_call *call) {
  release(fn, call, PV_STORAGE_MAPPING);
}

static void copy(struct pv_fn *fn, struct pv_call *call, bool disjoint) {
  struct pv_edge e = pv_edge_of(PV_OP_COPY, 0, 0);
  e.e[0] = pointer(fn, call, 0);
  e.e[1] = pointer(fn, call, 1);
  e.e[2] = size(fn, call, 2);
  e.aux = disjoint;
  pv_fn_emit(fn, e);
}

static void do_copy(struct pv_fn *fn, struct pv_call *call) {
  copy(fn, call, false);
}

static void do_copy_disjoint(struct pv_fn *fn, struct pv_call *call) {
  copy(fn, call, true);
}

static void do_fill(struct pv_fn *fn, struct pv_call *call) {
  struct pv_edge e = pv_edge_of(PV_OP_FILL, 0, 0);
  e.e[0] = pointer(fn, call, 0);
  e.e[1] = pv_ext_arg(fn, call, 1, PV_INT(8));
  e.e[2] = size(fn, call, 2);
  pv_fn_emit(fn, e);
}

static void do_any_byte(struct pv_fn *fn, struct pv_call *call) {
  struct pv_edge e = pv_edge_of(PV_OP_LOAD, 0, 0);
  e.type = PV_INT(8);
  e.e[0] = pointer(fn, call, 0);
  e.align = 1;
  e.unset = UINT32_C(1) << 16 | 1;
  if (fn->dead) return;
  uint32_t t = pv_fn_temp(fn, e.type);
  e.dst = t;
  pv_fn_emit(fn, e);
  pv_ext_give(fn, call, pv_fn_var(fn, t));
}

static void do_order(struct pv_fn *fn, struct pv_call *call) {
  static const uint8_t orders[] = {
      [__ATOMIC_RELAXED] = PV_ORDER_RELAXED, [__ATOMIC_CONSUME] = PV_ORDER_ACQUIRE,
      [__ATOMIC_ACQUIRE] = PV_ORDER_ACQUIRE, [__ATOMIC_RELEASE] = PV_ORDER_RELEASE,
      [__ATOMIC_ACQ_REL] = PV_ORDER_ACQ_REL, [__ATOMIC_SEQ_CST] = PV_ORDER_SEQ_CST};
  struct pv_edge e = pv_edge_of(PV_OP_RMW, 0, 0);
  e.type = PV_INT(8);
  e.e[0] = pointer(fn, call, 0);
  e.e[1] = pv_mk_const(fn->p, e.type, 0);
  e.aux = PV_RMW_OR;
  pv_expr order = pv_ext_arg(fn, call, 1, PV_INT(32));
  if (fn->dead) return;
  const struct pv_expr_node *n = pv_node(fn->p, order);
  if (n->op != PV_X_CONST || n->lo >= sizeof orders) {
    pv_fn_unsupported(fn, call->name);
    return;
  }
  e.order = orders[n->lo];
  e.align = 1;
  pv_fn_emit(fn, e);
}

static void query(struct pv_fn *fn, struct pv_call *call, enum pv_query kind, pv_type type) {
  struct pv_edge e = pv_edge_of(PV_OP_QUERY, 0, 0);
  e.aux = kind;
  bool of_option = kind == PV_QUERY_MALLOC_MAY_FAIL || kind == PV_QUERY_CALLS_MAY_FAIL;
  pv_expr p = of_option ? 0 : pointer(fn, call, 0);
  if (fn->dead) return;
  e.args = pv_mk_args(fn->p, &p, p ? 1 : 0);
  uint32_t t = pv_fn_temp(fn, type);
  e.dst = t;
  e.type = type;
  pv_fn_emit(fn, e);
  if (call->n_results && call->results[0] == type)
    call->dst[0] = t;
  else
    pv_ext_give(fn, call, pv_fn_var(fn, t));
}

static void do_object_size(struct pv_fn *fn, struct pv_call *call) {
  query(fn, call, PV_QUERY_OBJECT_SIZE, fn->fe->word);
}

static void do_usable_size(struct pv_fn *fn, struct pv_call *call) {
  query(fn, call, PV_QUERY_USABLE_SIZE, fn->fe->word);
}

/* Objects are far apart, so whether ranges overlap does not depend on addresses. Therefore this
 * operation reveals no addresses, unlike casts of the program. */
static void do_distance(struct pv_fn *fn, struct pv_call *call) {
  pv_expr ends[2];
  for (unsigned k = 0; k < 2; k++) {
    struct pv_expr_node n = {.op = PV_X_BITCAST,
                             .flags = PV_XF_MEASURED,
                             .type = fn->fe->word,
                             .a = pointer(fn, call, k)};
    if (fn->dead) return;
    ends[k] = pv_mk(fn->p, n);
  }
  pv_ext_give(fn, call, pv_mk_binary(fn->p, PV_X_SUB, 0, fn->fe->word, ends[1], ends[0]));
}

static void do_is_heap_start(struct pv_fn *fn, struct pv_call *call) {
  query(fn, call, PV_QUERY_IS_HEAP_START, PV_INT(1));
}

static void havoc(struct pv_fn *fn, struct pv_call *call, const char *name, pv_expr low,
                  pv_expr high) {
  struct pv_edge e = pv_edge_of(PV_OP_HAVOC, 0, 0);
  e.type = call->results[0];
  e.text = name;
  e.site = fn->p->n_sites++;
  e.e[0] = low;
  e.e[1] = high;
  e.aux = 1;
  e.dst = pv_ext_result(fn, call);
  pv_fn_emit(fn, e);
}

/* If the option is on, an input decides whether this allocation fails. */
static void may_fail(struct pv_fn *fn, struct pv_call *call, enum pv_query option,
                     const char *what) {
  query(fn, call, option, PV_INT(1));
  if (fn->dead || !call->n_results) return;
  uint32_t fails = pv_fn_temp(fn, PV_INT(1)), answer = call->dst[0];
  pv_type type = PV_INT(1);
  pv_loc otherwise = pv_fn_branch(fn, pv_fn_var(fn, answer)), end = pv_loc_add(&fn->f);
  struct pv_call choice = {.name = call->name, .results = &type, .n_results = 1};
  havoc(fn, &choice, what, 0, 0);
  pv_fn_assign(fn, fails, pv_fn_var(fn, choice.dst[0]));
  pv_fn_goto(fn, end);
  fn->dead = false;
  fn->cur = otherwise;
  pv_fn_assign(fn, fails, pv_mk_const(fn->p, PV_INT(1), 0));
  pv_fn_goto(fn, end);
  fn->dead = false;
  fn->cur = end;
  if (call->results[0] == type)
    call->dst[0] = fails;
  else
    pv_ext_give(fn, call, pv_fn_var(fn, fails));
}

static void do_malloc_may_fail(struct pv_fn *fn, struct pv_call *call) {
  may_fail(fn, call, PV_QUERY_MALLOC_MAY_FAIL, pv_program_string(fn->p, "malloc fails"));
}

static void do_call_may_fail(struct pv_fn *fn, struct pv_call *call) {
  may_fail(fn, call, PV_QUERY_CALLS_MAY_FAIL, text(fn, call, 0));
}

/* ---- control --------------------------------------------------------------------------------- */

static void do_exit(struct pv_fn *fn, struct pv_call *call) {
  struct pv_edge e = pv_edge_of(PV_OP_STOP, 0, 0);
  e.aux = PV_STOP_EXIT;
  e.e[0] = pv_ext_arg(fn, call, 0, PV_INT(32));
  pv_fn_emit(fn, e);
}

static void do_abort(struct pv_fn *fn, struct pv_call *call) {
  (void)call;
  pv_fn_stop(fn, PV_STOP_ABORT, NULL);
}

static void do_longjmp(struct pv_fn *fn, struct pv_call *call) {
  struct pv_edge e = pv_edge_of(PV_OP_LONGJMP, 0, 0);
  e.e[0] = pv_ext_arg(fn, call, 0, fn->fe->ptr);
  e.e[1] = pv_ext_arg(fn, call, 1, PV_INT(32));
  fn->p->has_jumps = true;
  pv_fn_emit(fn, e);
}

static void do_unsupported(struct pv_fn *fn, struct pv_call *call) {
  pv_fn_unsupported(fn, text(fn, call, 0));
}

/* Ends the path if `cond` is false. */
static void require(struct pv_fn *fn, pv_expr cond, enum pv_stop why) {
  if (fn->dead) return;
  const struct pv_expr_node *n = pv_node(fn->p, cond);
  if (n->op == PV_X_CONST) {
    if (!n->lo) pv_fn_stop(fn, why, NULL);
    return;
  }
  pv_loc otherwise = pv_fn_branch(fn, cond), here = fn->cur;
  fn->cur = otherwise;
  pv_fn_stop(fn, why, NULL);
  fn->dead = false;
  fn->cur = here;
}

static void do_assume(struct pv_fn *fn, struct pv_call *call) {
  require(fn, condition(fn, call, 0), PV_STOP_ASSUME);
}

static void do_check(struct pv_fn *fn, struct pv_call *call) {
  struct pv_edge e = pv_edge_of(PV_OP_CHECK, 0, 0);
  e.aux = PV_CHECK_ARGUMENT;
  e.e[0] = condition(fn, call, 0);
  e.text = text(fn, call, 1);
  pv_fn_emit(fn, e);
}

static void do_atomic_begin(struct pv_fn *fn, struct pv_call *call) {
  (void)call;
  pv_fn_emit(fn, pv_edge_of(PV_OP_ATOMIC_BEGIN, 0, 0));
}

static void do_atomic_end(struct pv_fn *fn, struct pv_call *call) {
  (void)call;
  pv_fn_emit(fn, pv_edge_of(PV_OP_ATOMIC_END, 0, 0));
}

/* ---- errors ---------------------------------------------------------------------------------- */

static void error(struct pv_fn *fn, enum pv_error_kind kind, const char *what) {
  struct pv_edge e = pv_edge_of(PV_OP_ERROR, 0, 0);
  char *message = kind == PV_ERROR_ASSERT ? pv_format("assertion `%s` fails", what)
                                          : pv_format("`%s` is called", what);
  e.aux = kind;
  e.text = pv_program_string(fn->p, message);
  free(message);
  pv_fn_emit(fn, e);
}

static void do_error(struct pv_fn *fn, struct pv_call *call) {
  error(fn, PV_ERROR_CALL, call->name);
}

static void fail(struct pv_fn *fn, const char *what) {
  error(fn, PV_ERROR_ASSERT, what);
  pv_fn_stop(fn, PV_STOP_ABORT, NULL);
}

static void do_assert_fail(struct pv_fn *fn, struct pv_call *call) {
  fail(fn, text(fn, call, 0));
}

static void do_assert_rtn(struct pv_fn *fn, struct pv_call *call) {
  fail(fn, text(fn, call, 3));
}

static void do_verifier_assert(struct pv_fn *fn, struct pv_call *call) {
  pv_expr cond = condition(fn, call, 0);
  if (fn->dead) return;
  const struct pv_expr_node *n = pv_node(fn->p, cond);
  if (n->op == PV_X_CONST) {
    if (!n->lo) fail(fn, call->name);
    return;
  }
  pv_loc otherwise = pv_fn_branch(fn, cond), here = fn->cur;
  fn->cur = otherwise;
  fail(fn, call->name);
  fn->dead = false;
  fn->cur = here;
}

/* ---- inputs and output ----------------------------------------------------------------------- */

/* Values that are returned in several registers (`__int128`, small structures): one input for
 * each. */
static void input_in_parts(struct pv_fn *fn, struct pv_call *call) {
  for (unsigned i = 0; i < call->n_results && !fn->dead; i++) {
    char *name = pv_format("part %u of %s", i + 1, call->name);
    struct pv_call part = {.name = call->name, .results = &call->results[i], .n_results = 1};
    havoc(fn, &part, pv_program_string(fn->p, name), 0, 0);
    call->dst[i] = part.dst[0];
    free(name);
  }
}

static void do_input(struct pv_fn *fn, struct pv_call *call) {
  if (!call->n_results) {
    pv_fn_unsupported(fn, call->name);
    return;
  }
  if (call->n_results > 1) {
    input_in_parts(fn, call);
    return;
  }
  pv_type t = call->results[0];
  const char *name =
      starts(call->name, "__proviso_") ? text(fn, call, 0) : pv_program_string(fn->p, call->name);
  size_t n = strlen(call->name);
  bool is_bool = n > 5 && strcmp(call->name + n - 5, "_bool") == 0;
  bool bounded = is_bool && pv_type_kind(t) == PV_T_INT && t != PV_INT(1) && pv_type_bits(t) <= 64;
  havoc(fn, call, name, bounded ? pv_mk_const(fn->p, t, 0) : 0,
        bounded ? pv_mk_const(fn->p, t, 1) : 0);
}

static void do_choose(struct pv_fn *fn, struct pv_call *call) {
  bool number = call->n_results == 1 && pv_type_kind(call->results[0]) == PV_T_INT;
  if (!number || call->n_args != 2 || pv_type_bits(call->results[0]) > 64) {
    pv_fn_unsupported(fn, call->name);
    return;
  }
  pv_expr low = pv_ext_arg(fn, call, 0, call->results[0]),
          high = pv_ext_arg(fn, call, 1, call->results[0]);
  if (fn->dead) return;
  require(fn, pv_mk_binary(fn->p, PV_X_SLE, 0, PV_INT(1), low, high),
          PV_STOP_ASSUME); /* no value: the path does not exist */
  if (fn->dead) return;
  const char *name = starts(call->name, "__") ? call->name + 2 : call->name;
  havoc(fn, call, pv_program_string(fn->p, name), low, high);
}

static void do_pick(struct pv_fn *fn, struct pv_call *call) {
  pv_expr low = pv_ext_arg(fn, call, 0, PV_INT(32)), high = pv_ext_arg(fn, call, 1, PV_INT(32));
  if (!fn->dead) havoc(fn, call, text(fn, call, 2), low, high);
}

static void print_to(struct pv_fn *fn, struct pv_call *call, unsigned fd) {
  struct pv_edge e = pv_edge_of(PV_OP_PRINT, 0, 0);
  e.aux = fd;
  e.e[0] = pointer(fn, call, 1);
  e.e[1] = size(fn, call, 2);
  pv_fn_emit(fn, e);
}

static void do_print(struct pv_fn *fn, struct pv_call *call) {
  pv_expr fd = pv_ext_arg(fn, call, 0, PV_INT(32));
  if (fn->dead) return;
  if (pv_node(fn->p, fd)->op == PV_X_CONST) {
    print_to(fn, call, (unsigned)pv_node(fn->p, fd)->lo);
    return;
  }
  pv_expr is_error =
      pv_mk_binary(fn->p, PV_X_EQ, 0, PV_INT(1), fd, pv_mk_const(fn->p, PV_INT(32), 2));
  pv_loc otherwise = pv_fn_branch(fn, is_error), end = pv_loc_add(&fn->f);
  print_to(fn, call, 2);
  pv_fn_goto(fn, end);
  fn->dead = false;
  fn->cur = otherwise;
  print_to(fn, call, 1);
  pv_fn_goto(fn, end);
  fn->dead = false;
  fn->cur = end;
}

/* A number of 64 bits: a double or an integer. */
static void do_print_number(struct pv_fn *fn, struct pv_call *call) {
  struct pv_edge e = pv_edge_of(PV_OP_PRINT, 0, 0);
  pv_expr fd = pv_ext_arg(fn, call, 0, PV_INT(32));
  e.e[0] = pointer(fn, call, 1);
  if (fn->dead) return;
  e.aux = (uint32_t)pv_node(fn->p, fd)->lo; /* a constant */
  e.e[1] = pv_mk_const(fn->p, fn->fe->word, sizeof(uint64_t));
  e.text = text(fn, call, 2);
  pv_fn_emit(fn, e);
}

/* ---- the table ------------------------------------------------------------------------------- */

static const struct {
  const char *name;
  handler handle;
} known[] = {
    {"__proviso_alloc", do_alloc},
    {"__proviso_alloc_aligned", do_alloc_aligned},
    {"__proviso_free", do_free},
    {"__proviso_map", do_map},
    {"__proviso_unmap", do_unmap},
    {"__proviso_object_size", do_object_size},
    {"__proviso_distance", do_distance},
    {"__proviso_whole", pv_ext_whole},
    {"__proviso_usable_size", do_usable_size},
    {"__proviso_is_heap_start", do_is_heap_start},
    {"__proviso_malloc_may_fail", do_malloc_may_fail},
    {"__proviso_call_may_fail", do_call_may_fail},
    {"__proviso_open_stream", do_open_stream},
    {"__proviso_close_stream", do_close_stream},
    {"__proviso_copy", do_copy},
    {"__proviso_copy_disjoint", do_copy_disjoint},
    {"__proviso_fill", do_fill},
    {"__proviso_order", do_order},
    {"__proviso_any_byte", do_any_byte},
    {"__proviso_exit", do_exit},
    {"__proviso_abort", do_abort},
    {"__proviso_unsupported", do_unsupported},
    {"__proviso_longjmp", do_longjmp},
    {"__proviso_assert_fail", do_assert_fail},
    {"__proviso_assume", do_assume},
    {"__proviso_check", do_check},
    {"__proviso_atomic_begin", do_atomic_begin},
    {"__proviso_atomic_end", do_atomic_end},
    {"__proviso_nondet_int", do_input},
    {"__proviso_nondet_uint", do_input},
    {"__proviso_nondet_long", do_input},
    {"__proviso_nondet_ulong", do_input},
    {"__proviso_choose", do_choose},
    {"__proviso_print", do_print},
    {"__proviso_print_number", do_print_number},
    {"__proviso_given", do_given},
    {"__proviso_pick", do_pick},
    {"__proviso_texts", pv_ext_texts},
    {"__proviso_any_text", pv_ext_any_text},
    {"__proviso_text", pv_ext_text},
    {"__proviso_tried", pv_ext_tried},
    {"__proviso_bound", pv_ext_bound},
    {"__proviso_signals_end", pv_ext_signals_end},
    {"__proviso_order_matters", pv_ext_order_matters},
    {"__proviso_setting", pv_ext_setting},
    {"proviso_choose", do_choose},
    {"__VERIFIER_assume", do_assume},
    {"assume_abort_if_not", do_assume},
    {"__VERIFIER_assert", do_verifier_assert},
    {"__VERIFIER_error", do_error},
    {"reach_error", do_error},
    {"__assert_fail", do_assert_fail},
    {"__assert", do_assert_fail},
    {"__assert_rtn", do_assert_rtn},
    {"__VERIFIER_atomic_begin", do_atomic_begin},
    {"__VERIFIER_atomic_end", do_atomic_end},
    {"abort", do_abort},
    {"alloca", do_alloca},
    {"__builtin_alloca", do_alloca},
};

/* Functions that are primitives under other names. */
static const struct {
  const char *name, *primitive;
} primitive_names[] = {
    {"pthread_mutex_lock", "__proviso_mutex_lock"},
    {"pthread_mutex_trylock", "__proviso_mutex_trylock"},
    {"pthread_mutex_unlock", "__proviso_mutex_unlock"},
    {"pthread_mutex_destroy", "__proviso_mutex_destroy"},
    {"pthread_cond_wait", "__proviso_cond_wait"},
    {"pthread_cond_signal", "__proviso_cond_signal"},
    {"pthread_cond_broadcast", "__proviso_cond_broadcast"},
    {"pthread_cond_destroy", "__proviso_cond_destroy"},
    {"pthread_rwlock_rdlock", "__proviso_rwlock_rdlock"},
    {"pthread_rwlock_tryrdlock", "__proviso_rwlock_tryrdlock"},
    {"pthread_rwlock_wrlock", "__proviso_rwlock_wrlock"},
    {"pthread_rwlock_trywrlock", "__proviso_rwlock_trywrlock"},
    {"pthread_rwlock_unlock", "__proviso_rwlock_unlock"},
    {"pthread_rwlock_destroy", "__proviso_rwlock_destroy"},
    {"pthread_spin_lock", "__proviso_spin_lock"},
    {"pthread_spin_trylock", "__proviso_spin_trylock"},
    {"pthread_spin_unlock", "__proviso_spin_unlock"},
    {"pthread_spin_destroy", "__proviso_spin_destroy"},
    {"pthread_barrier_wait", "__proviso_barrier_wait"},
    {"pthread_barrier_destroy", "__proviso_barrier_destroy"},
    {"pthread_self", "__proviso_thread_self"},
    {"sched_yield", "__proviso_thread_yield"},
    {"pthread_yield", "__proviso_thread_yield"},
};

static const struct pv_prim *find_primitive(struct pv_fe *fe, const char *name) {
  if (fe->has_cancel && !strcmp(name, "pthread_cond_wait")) return NULL; /* it does more */
  for (size_t i = 0; i < sizeof primitive_names / sizeof primitive_names[0]; i++)
    if (strcmp(primitive_names[i].name, name) == 0) name = primitive_names[i].primitive;
  if (fe->options->writers_first && strcmp(name, "__proviso_rwlock_wrlock") == 0)
    name = "__proviso_rwlock_wrlock_first";
  return pv_sched_find(fe->sched, name);
}

static handler find_known(const char *name) {
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (strcmp(known[i].name, name) == 0) return known[i].handle;
  return NULL;
}

/* Is it __VERIFIER_nondet_T for any T, or nondet_T for the types of SV-COMP? */
static bool is_input(const char *name) {
  static const char *const types[] = {
      "bool",          "_Bool",  "char",    "uchar",  "short",    "ushort",
      "int",           "uint",   "long",    "ulong",  "longlong", "ulonglong",
      "float",         "double", "pointer", "size_t", "unsigned", "unsigned_int",
      "unsigned_char", "loff_t", "pchar",   "charp",  "u8",       "u16",
      "u32",           "int128", "uint128", "S8",     "U8",       "S16",
      "U16",           "S32",    "U32",     "S64",    "U64",      NULL};
  if (starts(name, "__VERIFIER_nondet_")) return true;
  if (!starts(name, "nondet_")) return false;
  for (int i = 0; types[i]; i++)
    if (strcmp(name + 7, types[i]) == 0) return true;
  return false;
}

bool pv_fe_is_error_function(const char *name) {
  return strcmp(name, "reach_error") == 0 || strcmp(name, "__VERIFIER_error") == 0;
}

/* ---- what the program leaves to its verifier ---------------------------------------------------
 */
static bool is_import(const char *name) {
  static const char *const others[] = {
      "reach_error",           "__VERIFIER_error",        "__VERIFIER_assert",
      "__VERIFIER_assume",     "assume_abort_if_not",     "proviso_choose",
      "__VERIFIER_atomic_end", "__VERIFIER_atomic_begin", NULL};
  for (int i = 0; others[i]; i++)
    if (strcmp(name, others[i]) == 0) return true;
  return is_input(name);
}

static bool zero_extends(LLVMValueRef f) {
  return pv_fe_attribute(f, LLVMAttributeReturnIndex, "zeroext") != NULL;
}

static int by_name(const void *a, const void *b) {
  const struct pv_import *x = a, *y = b;
  return strcmp(x->name, y->name);
}

void pv_fe_note_imports(struct pv_fe *fe) {
  struct pv_program *p = fe->p;
  for (LLVMValueRef f = LLVMGetFirstFunction(fe->module); f; f = LLVMGetNextFunction(f)) {
    size_t n;
    const char *name = LLVMGetValueName2(f, &n), *what;
    struct pv_function signature = {0};
    if (!LLVMIsDeclaration(f) || !is_import(name)) continue;
    struct pv_import import = {.name = pv_program_string(p, name),
                               .zero_extended = zero_extends(f)};
    if (pv_fe_signature(fe, LLVMGlobalGetValueType(f), &signature, &what)) {
      import.n_results = signature.n_results;
      memcpy(import.result, signature.result, sizeof import.result);
      if (signature.n_params) import.param = signature.vars.at[0].type;
    }
    pv_vec_free(&signature.vars);
    pv_vec_push(&p->imports, import);
  }
  if (p->imports.n) qsort(p->imports.at, p->imports.n, sizeof *p->imports.at, by_name);
}

bool pv_fe_is_builtin(struct pv_fe *fe, const char *name) {
  return find_known(name) || is_input(name) || find_primitive(fe, name);
}

/* ---- primitives ------------------------------------------------------------------------------ */

/* Option calls-may-fail: an input decides whether the call fails for lack of resources. If so, its
 * result is the error, and it has no effect; `fn` continues in the other branch. Returns the
 * location where the branches meet. */
static pv_loc may_be_exhausted(struct pv_fn *fn, struct pv_call *call, const struct pv_prim *prim,
                               uint32_t dst) {
  struct pv_program *p = fn->p;
  pv_type type = PV_INT(1);
  struct pv_call choice = {.name = call->name, .results = &type, .n_results = 1};
  bool model = starts(call->name, "__proviso_"); /* the program does not contain the call */
  char *text = pv_format("%s fails", model ? "the call" : call->name);
  havoc(fn, &choice, pv_program_string(p, text), 0, 0);
  free(text);
  pv_loc otherwise = pv_fn_branch(fn, pv_fn_var(fn, choice.dst[0])), end = pv_loc_add(&fn->f);
  if (dst != PV_NO_VAR)
    pv_fn_assign(fn, dst, pv_mk_const(p, fn->f.vars.at[dst].type, prim->exhausted));
  pv_fn_goto(fn, end);
  fn->dead = false;
  fn->cur = otherwise;
  return end;
}

static void primitive(struct pv_fn *fn, struct pv_call *call, const struct pv_prim *prim) {
  struct pv_program *p = fn->p;
  struct pv_edge e = pv_edge_of(PV_OP_PRIM, 0, 0);
  pv_expr args[6];
  for (unsigned k = 0; k < prim->n_args && k < 6; k++)
    args[k] = k < call->n_args ? call->args[k] : pv_ext_arg(fn, call, k, fn->fe->word);
  if (fn->dead) return;
  bool is_new;
  e.aux = *pv_map_put_str(&fn->fe->prim_of, call->name, p->prims.n, &is_new);
  if (is_new) {
    struct pv_prim_use use = {pv_program_string(p, call->name), prim};
    pv_vec_push(&p->prims, use);
  }
  e.args = pv_mk_args(p, args, prim->n_args);
  if (call->wanted) e.dst = pv_ext_result(fn, call);
  bool may_fail = prim->exhausted && fn->fe->options->calls_may_fail;
  pv_loc end = may_fail ? may_be_exhausted(fn, call, prim, e.dst) : 0;
  pv_fn_emit(fn, e);
  if (may_fail) {
    pv_fn_goto(fn, end);
    fn->dead = false;
    fn->cur = end;
  }
  if (!strcmp(prim->name, "__proviso_thread_cancel")) p->has_jumps = true;
  if (prim->role != PV_ROLE_CREATES) return;
  LLVMValueRef bottom = LLVMGetNamedFunction(fn->fe->module, "__proviso_thread_main");
  if (bottom && !LLVMIsDeclaration(bottom)) pv_fe_function_body(fn->fe, bottom);
}

/* ---- functions without a definition ---------------------------------------------------------- */

/* The structure that the first members of t begin with. */
static LLVMTypeRef first_structure(LLVMTypeRef t) {
  while (t && LLVMCountStructElementTypes(t)) {
    LLVMTypeRef first = LLVMStructGetTypeAtIndex(t, 0);
    if (LLVMGetTypeKind(first) != LLVMStructTypeKind) break;
    t = first;
  }
  return t;
}

/* The address of the object that they return, one for all structures that begin alike, since others
 * do not overlap (C11, 6.5p7); it begins with zeros. */
static pv_expr undefined_object(struct pv_fn *fn, LLVMTypeRef structure) {
  enum { BYTES = 4096, ALIGN = 16 };
  LLVMTypeRef begins = first_structure(structure);
  const char *type = begins ? LLVMGetStructName(begins) : NULL;
  char *name = pv_format("%s of undefined functions", type ? type : "object");
  for (char *dot = type ? strchr(name, '.') : NULL; dot; dot = NULL) *dot = ' ';
  LLVMModuleRef m = fn->fe->module;
  LLVMValueRef g = LLVMGetNamedGlobal(m, name);
  if (!g) {
    LLVMTypeRef t = LLVMArrayType2(LLVMInt8TypeInContext(LLVMGetModuleContext(m)), BYTES);
    g = LLVMAddGlobal(m, t, name);
    LLVMSetInitializer(g, LLVMConstNull(t));
    LLVMSetAlignment(g, ALIGN);
  }
  free(name);
  struct pv_expr_node n = {.op = PV_X_GLOBAL, .type = fn->fe->ptr, .lo = pv_fe_global(fn->fe, g)};
  return pv_mk(fn->p, n);
}

static void note_undefined(struct pv_program *p, const char *name) {
  for (uint32_t i = 0; i < p->undefined.n; i++)
    if (!strcmp(p->undefined.at[i], name)) return;
  pv_vec_push(&p->undefined, name);
}

/* A call ends the path; or, as the user asked, it returns. */
static void undefined(struct pv_fn *fn, struct pv_call *call) {
  bool returns = fn->fe->options->undefined_functions == PV_UNDEFINED_FUNCTIONS_RETURN;
  const char *name = pv_program_string(fn->p, call->name);
  if (!returns || !call->comes_back || call->n_results > 1) {
    pv_fn_unsupported(fn, name);
    return;
  }
  note_undefined(fn->p, name);
  if (!call->n_results) return;
  if (call->results[0] == fn->fe->ptr)
    pv_ext_give(fn, call, undefined_object(fn, call->structure));
  else
    havoc(fn, call, name, 0, 0);
}

/* ---- combination ----------------------------------------------------------------------------- */

const char *pv_fe_plain_name(const char *name) {
  static const char *const prefixes[] = {"__isoc99_", "__isoc23_", "__builtin_", "__GI_", "_IO_"};
  for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
    if (starts(name, prefixes[i])) return name + strlen(prefixes[i]);
  return NULL;
}

LLVMValueRef pv_fe_alias_body(LLVMModuleRef module, const char *name) {
  const char *plain = pv_fe_plain_name(name);
  LLVMValueRef f = plain ? LLVMGetNamedFunction(module, plain) : NULL;
  return f && !LLVMIsDeclaration(f) ? f : NULL;
}

void pv_fn_external(struct pv_fn *fn, struct pv_call *call) {
  for (unsigned i = 0; i < PV_MAX_RESULTS; i++) call->dst[i] = PV_NO_VAR;
  const struct pv_prim *prim = find_primitive(fn->fe, call->name);
  handler handle = find_known(call->name);
  if (prim)
    primitive(fn, call, prim);
  else if (handle)
    handle(fn, call);
  else if (is_input(call->name))
    do_input(fn, call);
  else if (!pv_ext_float_function(fn, call) && !pv_ext_float_test(fn, call))
    undefined(fn, call);
}
