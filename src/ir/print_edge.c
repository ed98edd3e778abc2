/* print_edge.c -- the label of an edge in source terms: "x = y + 1", "[x < 10]", "call f(x)". */
#include "ir/print_internal.h"

#include <string.h>

const char *pv_order_text(unsigned order) {
  static const char *const names[] = {"plain",   "relaxed", "acquire",
                                      "release", "acq_rel", "seq_cst"};
  return order <= PV_ORDER_SEQ_CST ? names[order] : "?";
}

const char *pv_rmw_text(unsigned rmw) {
  static const char *const names[] = {
      "exchange",  "fetch_add", "fetch_sub",  "fetch_and",  "fetch_nand", "fetch_or", "fetch_xor",
      "fetch_max", "fetch_min", "fetch_umax", "fetch_umin", "fetch_add",  "fetch_sub"};
  return rmw <= PV_RMW_FSUB ? names[rmw] : "rmw";
}

const char *pv_check_text(unsigned check) {
  static const char *const names[PV_CHECK_COUNT] = {"shift exponent out of range",
                                                    "shift of a signed value overflows",
                                                    "shift of a signed value out of range",
                                                    "signed overflow",
                                                    "index out of bounds",
                                                    "float out of range of the integer type",
                                                    "array length not positive",
                                                    "unreachable code",
                                                    "precondition of a library function"};
  return check < PV_CHECK_COUNT ? names[check] : "?";
}

static const char *query_text(unsigned query) {
  switch ((enum pv_query)query) {
  case PV_QUERY_OBJECT_SIZE: return "object_size";
  case PV_QUERY_USABLE_SIZE: return "usable_size";
  case PV_QUERY_IS_HEAP_START: return "is_heap_start";
  case PV_QUERY_MALLOC_MAY_FAIL: return "malloc_may_fail";
  case PV_QUERY_ORDER: return "order_matters";
  case PV_QUERY_CALLS_MAY_FAIL: return "calls_may_fail";
  case PV_QUERY_TEXT: return "text";
  }
  return "query";
}

struct edge_printer {
  const struct pv_program *p;
  const struct pv_function *f;
  const struct pv_edge *e;
  struct pv_str *out;
};

static void put(struct edge_printer *ep, pv_expr e) {
  pv_expr_print(ep->p, ep->f, e, ep->out);
}

static void put_args(struct edge_printer *ep, struct pv_args args, const char *sep) {
  for (uint32_t i = 0; i < args.n; i++) {
    if (i) pv_str_add(ep->out, sep);
    put(ep, pv_arg(ep->p, args, i));
  }
}

/* "x = ", or nothing if the result is not used. */
static void put_dst(struct edge_printer *ep, uint32_t var) {
  if (var == PV_NO_VAR) return;
  pv_print_var(ep->p, ep->f, var, ep->out);
  pv_str_add(ep->out, " = ");
}

static void put_order(struct edge_printer *ep) {
  if (ep->e->order != PV_ORDER_NONE) pv_str_addf(ep->out, " (%s)", pv_order_text(ep->e->order));
}

static void put_call(struct edge_printer *ep) {
  const struct pv_edge *e = ep->e;
  uint32_t kept = 0, last = PV_NO_VAR;
  for (uint32_t i = 0; i < e->dsts.n; i++) {
    uint32_t var = pv_arg(ep->p, e->dsts, i);
    if (var == PV_NO_VAR) continue;
    last = var;
    kept++;
  }
  if (kept == 0) {
    pv_str_add(ep->out, "call ");
  } else if (e->dsts.n == 1) {
    put_dst(ep, last);
  } else {
    pv_str_addc(ep->out, '{');
    for (uint32_t i = 0; i < e->dsts.n; i++) {
      uint32_t var = pv_arg(ep->p, e->dsts, i);
      if (i) pv_str_add(ep->out, ", ");
      if (var == PV_NO_VAR)
        pv_str_addc(ep->out, '_');
      else
        pv_print_var(ep->p, ep->f, var, ep->out);
    }
    pv_str_add(ep->out, "} = ");
  }
  if (e->callee != PV_NO_FUNC) {
    pv_str_add(ep->out, ep->p->functions.at[e->callee].name);
  } else {
    bool simple = pv_node(ep->p, e->e[0])->op == PV_X_VAR;
    pv_str_add(ep->out, simple ? "" : "(*");
    put(ep, e->e[0]);
    pv_str_add(ep->out, simple ? "" : ")");
  }
  pv_str_addc(ep->out, '(');
  put_args(ep, e->args, ", ");
  if (e->e[1]) {
    pv_str_add(ep->out, e->args.n ? ", ... " : "... ");
    put(ep, e->e[1]);
  }
  pv_str_addc(ep->out, ')');
}

static void put_havoc(struct edge_printer *ep) {
  const struct pv_edge *e = ep->e;
  put_dst(ep, e->dst);
  pv_str_addf(ep->out, "%s(", e->text && *e->text ? e->text : "input");
  if (e->e[0]) put(ep, e->e[0]);
  if (e->e[0] && e->e[1]) pv_str_add(ep->out, " .. ");
  if (e->e[1]) put(ep, e->e[1]);
  pv_str_addc(ep->out, ')');
}

/* The bits of an access that matter, if not all do: a bit-field. */
static void put_bits(struct edge_printer *ep, pv_expr mask) {
  if (!mask) return;
  const struct pv_expr_node *n = pv_node(ep->p, mask);
  pv_str_add(ep->out, "{bits 0x");
  if (n->hi) pv_str_addf(ep->out, "%llx", (unsigned long long)n->hi);
  pv_str_addf(ep->out, n->hi ? "%016llx}" : "%llx}", (unsigned long long)n->lo);
}

static void put_memory(struct edge_printer *ep) {
  const struct pv_edge *e = ep->e;
  switch ((enum pv_op)e->op) {
  case PV_OP_LOAD:
    put_dst(ep, e->dst);
    pv_print_access(ep->p, ep->f, e->e[0], e->type, ep->out);
    put_bits(ep, e->e[1]);
    put_order(ep);
    return;
  case PV_OP_STORE:
    pv_print_access(ep->p, ep->f, e->e[0], e->type, ep->out);
    put_bits(ep, e->e[2]);
    pv_str_add(ep->out, " = ");
    put(ep, e->e[1]);
    put_order(ep);
    return;
  case PV_OP_RMW:
    put_dst(ep, e->dst);
    pv_str_addf(ep->out, "%s(", pv_rmw_text(e->aux));
    pv_print_access(ep->p, ep->f, e->e[0], e->type, ep->out);
    pv_str_add(ep->out, ", ");
    put(ep, e->e[1]);
    pv_str_addc(ep->out, ')');
    put_order(ep);
    return;
  case PV_OP_CMPXCHG:
    if (e->dst != PV_NO_VAR || e->dst2 != PV_NO_VAR) {
      pv_str_addc(ep->out, '{');
      if (e->dst == PV_NO_VAR) pv_str_addc(ep->out, '_');
      if (e->dst != PV_NO_VAR) pv_print_var(ep->p, ep->f, e->dst, ep->out);
      pv_str_add(ep->out, ", ");
      if (e->dst2 == PV_NO_VAR) pv_str_addc(ep->out, '_');
      if (e->dst2 != PV_NO_VAR) pv_print_var(ep->p, ep->f, e->dst2, ep->out);
      pv_str_add(ep->out, "} = ");
    }
    pv_str_add(ep->out, "compare_exchange(");
    pv_print_access(ep->p, ep->f, e->e[0], e->type, ep->out);
    pv_str_add(ep->out, ", ");
    put(ep, e->e[1]);
    pv_str_add(ep->out, ", ");
    put(ep, e->e[2]);
    pv_str_addc(ep->out, ')');
    put_order(ep);
    return;
  default: return;
  }
}

/* "name(e0, e1, e2)" with the operands that exist. */
static void put_operation(struct edge_printer *ep, const char *name) {
  pv_str_addf(ep->out, "%s(", name);
  for (unsigned i = 0; i < 3 && ep->e->e[i]; i++) {
    if (i) pv_str_add(ep->out, ", ");
    put(ep, ep->e->e[i]);
  }
  pv_str_addc(ep->out, ')');
}

static void put_stop(struct edge_printer *ep) {
  const char *text = ep->e->text ? ep->e->text : "?";
  switch ((enum pv_stop)ep->e->aux) {
  case PV_STOP_EXIT: put_operation(ep, "exit"); return;
  case PV_STOP_ABORT: pv_str_add(ep->out, "abort()"); return;
  case PV_STOP_ASSUME: pv_str_add(ep->out, "assume(false)"); return;
  case PV_STOP_UNSUPPORTED: pv_str_addf(ep->out, "unsupported: %s", text); return;
  case PV_STOP_UNREACHABLE: pv_str_add(ep->out, "unreachable"); return;
  case PV_STOP_OBSERVER:
  case PV_STOP_BOUND:
  case PV_STOP_TRIED: pv_str_addf(ep->out, "cut: %s", text); return;
  }
}

static void put_prim(struct edge_printer *ep) {
  const struct pv_edge *e = ep->e;
  const char *name = e->aux < ep->p->prims.n ? ep->p->prims.at[e->aux].name : "primitive";
  static const char own[] = "__proviso_";
  if (strncmp(name, own, sizeof own - 1) == 0) name += sizeof own - 1;
  put_dst(ep, e->dst);
  pv_str_addf(ep->out, "%s(", name);
  put_args(ep, e->args, ", ");
  pv_str_addc(ep->out, ')');
}

static const char *storage_text(unsigned storage) {
  static const char *const texts[] = {
      [PV_STORAGE_HEAP] = "malloc", [PV_STORAGE_ALLOCA] = "alloca", [PV_STORAGE_TEMP] = "temp",
      [PV_STORAGE_MAPPING] = "map", [PV_STORAGE_GIVEN] = "given",   [PV_STORAGE_STREAM] = "stream"};
  return texts[storage];
}

void pv_edge_print(const struct pv_program *p, const struct pv_function *f, const struct pv_edge *e,
                   struct pv_str *out) {
  struct edge_printer printer = {p, f, e, out}, *ep = &printer;
  switch ((enum pv_op)e->op) {
  case PV_OP_SKIP: pv_str_add(out, "skip"); return;
  case PV_OP_ASSUME:
    pv_str_addc(out, '[');
    put(ep, e->e[0]);
    pv_str_addc(out, ']');
    return;
  case PV_OP_ASSIGN:
    put_dst(ep, e->dst);
    put(ep, e->e[0]);
    return;
  case PV_OP_HAVOC: put_havoc(ep); return;
  case PV_OP_INDET:
    put_dst(ep, e->dst);
    pv_str_add(out, "indeterminate");
    return;
  case PV_OP_LOAD:
  case PV_OP_STORE:
  case PV_OP_RMW:
  case PV_OP_CMPXCHG: put_memory(ep); return;
  case PV_OP_COPY: put_operation(ep, e->aux ? "memcpy" : "memmove"); return;
  case PV_OP_FILL: put_operation(ep, "memset"); return;
  case PV_OP_ALLOC:
    put_dst(ep, e->dst);
    put_operation(ep, storage_text(e->aux));
    return;
  case PV_OP_FREE:
    put_operation(ep, e->aux == PV_STORAGE_HEAP      ? "free"
                      : e->aux == PV_STORAGE_MAPPING ? "unmap"
                      : e->aux == PV_STORAGE_STREAM  ? "close"
                                                     : "end");
    return;
  case PV_OP_LIVE:
  case PV_OP_DEAD:
    pv_str_add(out, e->op == PV_OP_LIVE ? "live " : e->flags & PV_EF_HELD ? "held " : "dead ");
    pv_print_slot(p, f, e->aux, out);
    if (e->flags & PV_EF_AGAIN) pv_str_add(out, " again");
    return;
  case PV_OP_SETJMP:
    put_dst(ep, e->dst);
    put_operation(ep, "setjmp");
    return;
  case PV_OP_LONGJMP: put_operation(ep, "longjmp"); return;
  case PV_OP_CALL: put_call(ep); return;
  case PV_OP_RETURN:
    pv_str_add(out, e->args.n ? "return " : "return");
    put_args(ep, e->args, ", ");
    return;
  case PV_OP_FENCE: pv_str_addf(out, "fence(%s)", pv_order_text(e->order)); return;
  case PV_OP_PRIM: put_prim(ep); return;
  case PV_OP_ATOMIC_BEGIN: pv_str_add(out, "atomic begin"); return;
  case PV_OP_ATOMIC_END: pv_str_add(out, "atomic end"); return;
  case PV_OP_CHECK:
    put_operation(ep, "check");
    pv_str_addf(out, " else %s", e->text && *e->text ? e->text : pv_check_text(e->aux));
    return;
  case PV_OP_ERROR:
    pv_str_addf(out, "error: %s", e->text && *e->text ? e->text : "reached");
    return;
  case PV_OP_STOP: put_stop(ep); return;
  case PV_OP_PRINT:
    pv_str_addf(out, "print(%u, ", e->aux);
    if (e->text) pv_str_addf(out, "\"%s\", ", e->text);
    put(ep, e->e[0]);
    pv_str_add(out, ", ");
    put(ep, e->e[1]);
    pv_str_addc(out, ')');
    return;
  case PV_OP_QUERY:
    put_dst(ep, e->dst);
    pv_str_addf(out, "%s(", query_text(e->aux));
    put_args(ep, e->args, ", ");
    pv_str_addc(out, ')');
    return;
  case PV_OP_COUNT: break;
  }
  pv_str_add(out, "?");
}
