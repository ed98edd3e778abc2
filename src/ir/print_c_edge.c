/* print_c_edge.c -- prints one edge as C statements. The caller prints the jump to the next
 * location. */
#include "ir/print_c_internal.h"

#include <string.h>

static void put(struct pvc *c, pv_expr e) {
  pvc_expr(c, e, P_COND);
}

static void put_text(struct pvc *c, const char *text) {
  pv_str_addc(c->out, '"');
  pv_print_escaped(text, strlen(text), c->out);
  pv_str_addc(c->out, '"');
}

/* ---- atomics --------------------------------------------------------------------------------- */
static const char *c_order(unsigned order) {
  static const char *const names[] = {"__ATOMIC_RELAXED", "__ATOMIC_RELAXED", "__ATOMIC_ACQUIRE",
                                      "__ATOMIC_RELEASE", "__ATOMIC_ACQ_REL", "__ATOMIC_SEQ_CST"};
  return order <= PV_ORDER_SEQ_CST ? names[order] : "__ATOMIC_SEQ_CST";
}

/* The integer type of an atomic access, or NULL if the processor has none: then all accesses of
 * that width use the global lock of atomic sections. */
static const char *atomic_type(pv_type type) {
  if (pv_type_kind(type) == PV_T_PTR) return "ptr";
  if (pv_type_kind(type) == PV_T_FLOAT)
    return pv_type_bits(type) == 32 ? "u32" : pv_type_bits(type) == 64 ? "u64" : NULL;
  unsigned container = pvc_container(type);
  if (container > 64 || pv_type_bytes(type) * 8 != container) return NULL;
  return pvc_type(PV_INT(container));
}

/* Atomic builtins handle float values as integers. */
static const char *to_bits(struct pvc *c, pv_type type) {
  if (pv_type_kind(type) != PV_T_FLOAT) return "";
  pvc_need(c, "float");
  return pv_type_bits(type) == 32 ? "pv_float_bits" : "pv_double_bits";
}
static const char *from_bits(pv_type type) {
  if (pv_type_kind(type) != PV_T_FLOAT) return "";
  return pv_type_bits(type) == 32 ? "pv_float" : "pv_double";
}

static void atomic_load(struct pvc *c, const struct pv_edge *e) {
  const char *t = atomic_type(e->type);
  if (!t) {
    pvc_need(c, "atomic");
    pv_str_add(c->out, "pv_atomic_begin(); ");
    pvc_assign(c, e->dst);
    pvc_load(c, e->e[0], e->type, false);
    pv_str_add(c->out, "; pv_atomic_end();");
    return;
  }
  bool bad = e->order == PV_ORDER_RELEASE || e->order == PV_ORDER_ACQ_REL;
  to_bits(c, e->type);
  pvc_assign(c, e->dst);
  pv_str_addf(c->out, "%s(__atomic_load_n((%s *)", from_bits(e->type), t);
  pvc_expr(c, e->e[0], P_UNARY);
  pv_str_addf(c->out, ", %s)", c_order(bad ? PV_ORDER_SEQ_CST : e->order));
  if (pv_type_kind(e->type) == PV_T_INT && !pvc_exact(e->type)) pv_str_add(c->out, " & ");
  if (pv_type_kind(e->type) == PV_T_INT && !pvc_exact(e->type)) pvc_mask(e->type, c->out);
  pv_str_add(c->out, ");");
}

static void plain_store(struct pvc *c, const struct pv_edge *e) {
  pvc_store_begin(c, e->e[0], e->type, e->flags & PV_EF_VOLATILE);
  put(c, e->e[1]);
  pvc_store_end(c, e->type);
  pv_str_addc(c->out, ';');
}

static void atomic_store(struct pvc *c, const struct pv_edge *e) {
  const char *t = atomic_type(e->type);
  if (!t) {
    pvc_need(c, "atomic");
    pv_str_add(c->out, "pv_atomic_begin(); ");
    plain_store(c, e);
    pv_str_add(c->out, " pv_atomic_end();");
    return;
  }
  bool bad = e->order == PV_ORDER_ACQUIRE || e->order == PV_ORDER_ACQ_REL;
  pv_str_addf(c->out, "__atomic_store_n((%s *)", t);
  pvc_expr(c, e->e[0], P_UNARY);
  pv_str_addf(c->out, ", %s(", to_bits(c, e->type));
  put(c, e->e[1]);
  pv_str_addf(c->out, "), %s);", c_order(bad ? PV_ORDER_SEQ_CST : e->order));
}

/* Computes pv_new from pv_old and the operand, all of the value's type. */
static void rmw_operation(struct pvc *c, const struct pv_edge *e) {
  static const char *const op[] = {
      [PV_RMW_ADD] = "+",  [PV_RMW_SUB] = "-",  [PV_RMW_AND] = "&",  [PV_RMW_OR] = "|",
      [PV_RMW_XOR] = "^",  [PV_RMW_SMAX] = ">", [PV_RMW_SMIN] = "<", [PV_RMW_UMAX] = ">",
      [PV_RMW_UMIN] = "<", [PV_RMW_FADD] = "+", [PV_RMW_FSUB] = "-"};
  bool is_signed = e->aux == PV_RMW_SMAX || e->aux == PV_RMW_SMIN;
  char sign = is_signed ? 'i' : 'u';
  unsigned bits = pvc_container(e->type);
  switch ((enum pv_rmw)e->aux) {
  case PV_RMW_XCHG: put(c, e->e[1]); return;
  case PV_RMW_NAND:
    pv_str_add(c->out, "~(pv_old & ");
    pvc_expr(c, e->e[1], P_UNARY);
    pv_str_addc(c->out, ')');
    return;
  case PV_RMW_SMAX:
  case PV_RMW_SMIN:
  case PV_RMW_UMAX:
  case PV_RMW_UMIN:
    pv_str_addf(c->out, "(%c%u)pv_old %s (%c%u)", sign, bits, op[e->aux], sign, bits);
    pvc_expr(c, e->e[1], P_UNARY);
    pv_str_add(c->out, " ? pv_old : ");
    put(c, e->e[1]);
    return;
  default: pv_str_addf(c->out, "pv_old %s ", op[e->aux]); pvc_expr(c, e->e[1], P_UNARY);
  }
}

static void rmw_locked(struct pvc *c, const struct pv_edge *e) {
  pvc_need(c, "atomic");
  pv_str_addf(c->out, "{ pv_atomic_begin(); %s pv_old = ", pvc_type(e->type));
  pvc_load(c, e->e[0], e->type, false);
  pv_str_add(c->out, "; ");
  pvc_store_begin(c, e->e[0], e->type, false);
  rmw_operation(c, e);
  pvc_store_end(c, e->type);
  pv_str_add(c->out, "; pv_atomic_end(); ");
  pvc_assign(c, e->dst);
  pv_str_add(c->out, "pv_old; }");
}

static void rmw_loop(struct pvc *c, const struct pv_edge *e, const char *t) {
  const char *from = from_bits(e->type), *to = to_bits(c, e->type);
  pv_str_addf(c->out, "{ %s pv_seen = __atomic_load_n((%s *)", t, t);
  pvc_expr(c, e->e[0], P_UNARY);
  pv_str_addf(c->out, ", __ATOMIC_SEQ_CST); %s pv_old; do pv_old = %s(pv_seen); ",
              pvc_type(e->type), from);
  pv_str_addf(c->out, "while (!__atomic_compare_exchange_n((%s *)", t);
  pvc_expr(c, e->e[0], P_UNARY);
  pv_str_addf(c->out, ", &pv_seen, %s(", to);
  rmw_operation(c, e);
  pv_str_add(c->out, "), 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)); ");
  pvc_assign(c, e->dst);
  pv_str_add(c->out, "pv_old; }");
}

static void rmw(struct pvc *c, const struct pv_edge *e) {
  static const char *const name[] = {
      [PV_RMW_XCHG] = "exchange_n", [PV_RMW_ADD] = "fetch_add", [PV_RMW_SUB] = "fetch_sub",
      [PV_RMW_AND] = "fetch_and",   [PV_RMW_OR] = "fetch_or",   [PV_RMW_XOR] = "fetch_xor",
      [PV_RMW_NAND] = "fetch_nand"};
  const char *t = atomic_type(e->type);
  if (!t) {
    rmw_locked(c, e);
    return;
  }
  if (e->aux > PV_RMW_XOR || (pv_type_kind(e->type) == PV_T_FLOAT && e->aux != PV_RMW_XCHG)) {
    rmw_loop(c, e, t);
    return;
  }
  const char *to = to_bits(c, e->type);
  pvc_assign(c, e->dst);
  pv_str_addf(c->out, "%s(__atomic_%s((%s *)", from_bits(e->type), name[e->aux], t);
  pvc_expr(c, e->e[0], P_UNARY);
  pv_str_addf(c->out, ", %s(", to);
  put(c, e->e[1]);
  pv_str_addf(c->out, "), %s));", c_order(e->order ? e->order : PV_ORDER_SEQ_CST));
}

static void cmpxchg(struct pvc *c, const struct pv_edge *e) {
  const char *t = atomic_type(e->type), *to;
  if (!t) {
    pvc_need(c, "atomic");
    pv_str_addf(c->out, "{ pv_atomic_begin(); %s pv_old = ", pvc_type(e->type));
    pvc_load(c, e->e[0], e->type, false);
    pv_str_add(c->out, "; u8 pv_same = pv_old == ");
    pvc_expr(c, e->e[1], P_EQ + 1);
    pv_str_add(c->out, "; if (pv_same) ");
    pvc_store_begin(c, e->e[0], e->type, false);
    put(c, e->e[2]);
    pvc_store_end(c, e->type);
    pv_str_add(c->out, "; pv_atomic_end(); ");
  } else {
    to = to_bits(c, e->type);
    pv_str_addf(c->out, "{ %s pv_old = %s(", t, to);
    put(c, e->e[1]);
    pv_str_addf(c->out, "); u8 pv_same = __atomic_compare_exchange_n((%s *)", t);
    pvc_expr(c, e->e[0], P_UNARY);
    pv_str_addf(c->out, ", &pv_old, %s(", to);
    put(c, e->e[2]);
    pv_str_add(c->out, "), 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); ");
  }
  if (e->dst != PV_NO_VAR) {
    pvc_assign(c, e->dst);
    pv_str_addf(c->out, "%s(pv_old); ", t ? from_bits(e->type) : "");
  }
  if (e->dst2 != PV_NO_VAR) {
    pvc_assign(c, e->dst2);
    pv_str_add(c->out, "pv_same; ");
  }
  pv_str_addc(c->out, '}');
}

/* ---- objects --------------------------------------------------------------------------------- */
static void alloc(struct pvc *c, const struct pv_edge *e) {
  if (e->aux == PV_STORAGE_TEMP && c->constant_temps) {
    /* one array for each edge: declared with the function's locals under the edge's number */
    pvc_assign(c, e->dst);
    pv_str_addf(c->out, "pv_temp_%u;", (unsigned)(e - c->f->edges.at));
    return;
  }
  if (pv_storage_on_heap(e->aux)) {
    pvc_need(c, c->tracked_heap ? "tracked_heap" : "heap");
    pvc_assign(c, e->dst);
    if (e->aux == PV_STORAGE_MAPPING) {
      pv_str_add(c->out, "__builtin_memset(pv_alloc(");
      put(c, e->e[0]);
      pv_str_addf(c->out, ", %u), 0, ", e->align);
      put(c, e->e[0]);
      pv_str_add(c->out, ");");
      return;
    }
    pv_str_add(c->out, "pv_alloc(");
  } else {
    pvc_need(c, "frame");
    pvc_assign(c, e->dst);
    pv_str_add(c->out, "pv_frame_alloc(&pv_frame, ");
  }
  put(c, e->e[0]);
  pv_str_addf(c->out, ", %u);", e->align > 16 ? e->align : 16);
}

static void release(struct pvc *c, const struct pv_edge *e) {
  if (e->aux == PV_STORAGE_TEMP && c->constant_temps) {
    pv_str_addc(c->out, ';');
    return;
  }
  if (pv_storage_on_heap(e->aux))
    pvc_need(c, c->tracked_heap ? "tracked_heap" : "heap");
  else
    pvc_need(c, "frame");
  pv_str_add(c->out, pv_storage_on_heap(e->aux) ? "pv_free(" : "pv_frame_free(&pv_frame, ");
  put(c, e->e[0]);
  pv_str_add(c->out, ");");
}

static void query(struct pvc *c, const struct pv_edge *e) {
  bool cuts = c->weave && c->weave->cuts;
  if (e->aux == PV_QUERY_TEXT && !cuts)
    pvc_unfit(c, "the program reads text of its environment", NULL);
  if (e->aux == PV_QUERY_OBJECT_SIZE || e->aux == PV_QUERY_USABLE_SIZE)
    pvc_unfit(c, "the program reads sizes of objects", NULL);
  pvc_assign(c, e->dst);
  switch ((enum pv_query)e->aux) {
  case PV_QUERY_MALLOC_MAY_FAIL:
  case PV_QUERY_CALLS_MAY_FAIL: pv_str_add(c->out, "0;"); return;
  case PV_QUERY_ORDER: pv_str_add(c->out, "1;"); return;
  case PV_QUERY_TEXT: pv_str_add(c->out, "-1;"); return; /* not reachable: see pvc_havoc */
  case PV_QUERY_OBJECT_SIZE:
  case PV_QUERY_USABLE_SIZE:
  case PV_QUERY_IS_HEAP_START:
    pvc_need(c, "tracked_heap");
    pv_str_add(c->out, e->aux == PV_QUERY_IS_HEAP_START ? "pv_is_heap_start(" : "pv_object_size(");
    put(c, pv_arg(c->p, e->args, 0));
    pv_str_add(c->out, ");");
    return;
  }
}

/* ---- ends ------------------------------------------------------------------------------------ */
/* Converts the frontend's "assertion `x > 0' fails" to the argument of __assert_fail. */
static void assertion_text(struct pvc *c, const char *text) {
  static const char before[] = "assertion `", after[] = "` fails";
  size_t n = strlen(text), b = sizeof before - 1, a = sizeof after - 1;
  bool framed =
      n >= a + b && strncmp(text, before, b) == 0 && strcmp(text + n - a + 1, after + 1) == 0;
  pv_str_addc(c->out, '"');
  pv_print_escaped(framed ? text + b : text, framed ? n - a - b : n, c->out);
  pv_str_addc(c->out, '"');
}

/* Does a call of the program's own reach_error or __VERIFIER_error directly follow the error? */
static bool own_error_follows(const struct pvc *c, const struct pv_edge *e) {
  const struct pv_location *l = &c->f->locs.at[e->to];
  const struct pv_edge *next = l->n_out == 1 ? &c->f->edges.at[l->first_out] : NULL;
  if (!next || next->op != PV_OP_CALL || next->callee == PV_NO_FUNC) return false;
  const struct pv_function *callee = &c->p->functions.at[next->callee];
  return callee->defined &&
         (next->span == e->span || (e->text && strcmp(callee->name, e->text) == 0));
}

static void error(struct pvc *c, const struct pv_edge *e) {
  const char *text = e->text ? e->text : "error";
  if (c->weave || c->sections) {
    pvc_need(c, "verifier_error");
    pv_str_add(c->out, "reach_error();");
    return;
  }
  if (e->aux == PV_ERROR_ASSERT) {
    pvc_need(c, "assert");
    pv_str_add(c->out, "pv_assert_fail(");
    assertion_text(c, text);
    pv_str_add(c->out, ", ");
    put_text(c, pv_span_file(c->p, e->span));
    pv_str_addf(c->out, ", %u, ", e->span < c->p->spans.n ? c->p->spans.at[e->span].line : 0);
    put_text(c, c->f->name);
    pv_str_add(c->out, ");");
    return;
  }
  pvc_need(c, "error");
  bool goes_on = e->aux == PV_ERROR_LABEL || own_error_follows(c, e);
  pv_str_add(c->out, goes_on ? "pv_error_passed(" : "pv_error(");
  put_text(c, text);
  pv_str_add(c->out, ");");
}

/* Nothing follows. */
static void cut(struct pvc *c, const char *function, const struct pv_edge *e) {
  pvc_need(c, "unsupported");
  pv_str_addf(c->out, "%s(", function);
  put_text(c, e->text ? e->text : "?");
  pv_str_add(c->out, ");");
}

static void stop(struct pvc *c, const struct pv_edge *e) {
  if (e->aux == PV_STOP_EXIT || e->aux == PV_STOP_ABORT) pvc_need(c, "stop");
  switch ((enum pv_stop)e->aux) {
  case PV_STOP_EXIT:
    pv_str_add(c->out, "pv_exit(");
    if (e->e[0])
      put(c, e->e[0]);
    else
      pv_str_addc(c->out, '0');
    pv_str_add(c->out, ");");
    return;
  case PV_STOP_ABORT: pv_str_add(c->out, "pv_abort();"); return;
  case PV_STOP_ASSUME:
    pvc_need(c, "assume");
    pv_str_add(c->out, "pv_assume(0);");
    return;
  case PV_STOP_UNSUPPORTED:
    if (c->threads && (c->f->is_model || c->f->is_library)) {
      pv_str_add(c->out, "__proviso_unsupported(");
      put_text(c, e->text ? e->text : "?");
      pv_str_add(c->out, ");");
      return;
    }
    if (c->weave && c->weave->cuts) {
      cut(c, "__proviso_unsupported", e);
      return;
    }
    pvc_unfit(c, "not modelled:", e->text ? e->text : "?");
    pvc_need(c, "die");
    pv_str_add(c->out, "pv_die(\"not modelled\", ");
    put_text(c, e->text ? e->text : "?");
    pv_str_add(c->out, ");");
    return;
  case PV_STOP_OBSERVER:
  case PV_STOP_BOUND:
  case PV_STOP_TRIED:
    if (c->weave && c->weave->cuts && e->aux != PV_STOP_OBSERVER) {
      cut(c, "pv_cut", e);
      return;
    }
    pvc_unfit(c, "paths are cut, provided that", e->text ? e->text : "?");
    pvc_need(c, "die");
    pv_str_add(c->out, "pv_die(\"cut, provided that\", ");
    put_text(c, e->text ? e->text : "?");
    pv_str_add(c->out, ");");
    return;
  case PV_STOP_UNREACHABLE: pv_str_add(c->out, "__builtin_unreachable();"); return;
  }
}

static void check(struct pvc *c, const struct pv_edge *e) {
  if (c->weave || c->sections) return; /* of another property */
  pvc_need(c, "check");
  pv_str_add(c->out, "if (!");
  pvc_expr(c, e->e[0], P_UNARY);
  pv_str_add(c->out, ") pv_check_failed(");
  put_text(c, e->text && *e->text ? e->text : pv_check_text(e->aux));
  pv_str_add(c->out, ");");
}

static void builtin3(struct pvc *c, const struct pv_edge *e, const char *name) {
  pv_str_addf(c->out, "%s(", name);
  for (unsigned i = 0; i < 3; i++) {
    if (i) pv_str_add(c->out, ", ");
    put(c, e->e[i]);
  }
  pv_str_add(c->out, ");");
}

void pvc_edge(struct pvc *c, const struct pv_edge *e) {
  if (pvc_threads_edge(c, e)) return;
  switch ((enum pv_op)e->op) {
  case PV_OP_SKIP:
  case PV_OP_ASSUME: /* the caller prints families of assumptions as jumps */
  case PV_OP_LIVE:
  case PV_OP_DEAD: return;
  case PV_OP_ASSIGN:
    pvc_assign(c, e->dst);
    pvc_expr(c, e->e[0], 0);
    pv_str_addc(c->out, ';');
    return;
  case PV_OP_HAVOC: pvc_havoc(c, e); return;
  case PV_OP_INDET: /* any value, but the same in every run */
    if (c->weave || c->sections) {
      pvc_havoc(c, e);
      return;
    }
    pvc_assign(c, e->dst);
    pv_str_add(c->out, "0;");
    return;
  case PV_OP_LOAD:
    if (e->order != PV_ORDER_NONE) {
      atomic_load(c, e);
      return;
    }
    pvc_assign(c, e->dst);
    pvc_load(c, e->e[0], e->type, e->flags & PV_EF_VOLATILE);
    pv_str_addc(c->out, ';');
    return;
  case PV_OP_STORE:
    if (e->order != PV_ORDER_NONE)
      atomic_store(c, e);
    else
      plain_store(c, e);
    return;
  case PV_OP_COPY: builtin3(c, e, e->aux ? "__builtin_memcpy" : "__builtin_memmove"); return;
  case PV_OP_FILL: builtin3(c, e, "__builtin_memset"); return;
  case PV_OP_ALLOC: alloc(c, e); return;
  case PV_OP_FREE: release(c, e); return;
  case PV_OP_SETJMP: /* its buffer would have to be that of the program */
  case PV_OP_LONGJMP:
    pvc_unfit(c, "the program jumps with longjmp", NULL);
    pv_str_add(c->out, "__builtin_trap();");
    return;
  case PV_OP_CALL: pvc_call(c, e); return;
  case PV_OP_RETURN: pvc_return(c, e); return;
  case PV_OP_RMW: rmw(c, e); return;
  case PV_OP_CMPXCHG: cmpxchg(c, e); return;
  case PV_OP_FENCE: pv_str_addf(c->out, "__atomic_thread_fence(%s);", c_order(e->order)); return;
  case PV_OP_PRIM:
    if (c->weave && !c->weave->threads && !c->threads)
      pvc_unfit(c, "the program has threads or synchronises them", NULL);
    pvc_prim(c, e);
    return;
  case PV_OP_ATOMIC_BEGIN:
  case PV_OP_ATOMIC_END:
    if (c->weave && !c->weave->threads) return; /* there is one thread */
    if (c->weave || c->sections) {
      pvc_need(c, "verifier_atomic");
      pv_str_add(c->out, e->op == PV_OP_ATOMIC_BEGIN ? "__VERIFIER_atomic_begin();"
                                                     : "__VERIFIER_atomic_end();");
      return;
    }
    pvc_need(c, "atomic");
    pv_str_add(c->out, e->op == PV_OP_ATOMIC_BEGIN ? "pv_atomic_begin();" : "pv_atomic_end();");
    return;
  case PV_OP_CHECK: check(c, e); return;
  case PV_OP_ERROR: error(c, e); return;
  case PV_OP_STOP: stop(c, e); return;
  case PV_OP_PRINT:
    pvc_need(c, e->text ? "print_number" : "print");
    pv_str_addf(c->out, "pv_print%s(%u, ", e->text ? "_number" : "", e->aux);
    if (e->text) {
      put_text(c, e->text);
      pv_str_add(c->out, ", ");
      put(c, e->e[0]);
      pv_str_add(c->out, ");");
      return;
    }
    put(c, e->e[0]);
    pv_str_add(c->out, ", ");
    put(c, e->e[1]);
    pv_str_add(c->out, ");");
    return;
  case PV_OP_QUERY: query(c, e); return;
  case PV_OP_COUNT: break;
  }
  PV_REQUIRE(false, "edge of no known kind");
}
