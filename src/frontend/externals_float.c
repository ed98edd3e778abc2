/* externals_float.c -- functions on floating-point numbers. */
#include "frontend/externals.h"

#include <string.h>

bool pv_fe_math(const char *name, enum pv_math *math, unsigned *arity) {
  static const struct {
    const char *name;
    unsigned arity;
  } table[] = {
#define X(N, A) {#N, A},
      PV_MATH_FUNCTIONS(X)
#undef X
  };
  for (unsigned i = 0; i < PV_MATH_COUNT; i++) {
    size_t n = strlen(table[i].name);
    if (strncmp(name, table[i].name, n) != 0) continue;
    if (name[n] && !((name[n] == 'f' || name[n] == 'l') && !name[n + 1])) continue;
    *math = (enum pv_math)i;
    *arity = table[i].arity;
    return true;
  }
  return false;
}

bool pv_ext_float_function(struct pv_fn *fn, struct pv_call *call) {
  enum pv_math math;
  unsigned arity;
  if (!pv_fe_math(call->name, &math, &arity) || call->n_results != 1 || call->n_args != arity)
    return false;
  pv_type t = call->results[0];
  if (pv_type_kind(t) != PV_T_FLOAT || pv_node(fn->p, call->args[0])->type != t) return false;
  struct pv_expr_node n = {.op = PV_X_MATH, .aux = (uint16_t)math, .type = t, .a = call->args[0]};
  if (arity == 2) n.b = call->args[1];
  if (n.b && math != PV_MATH_ldexp && pv_node(fn->p, n.b)->type != t) return false;
  pv_ext_give(fn, call, pv_mk(fn->p, n));
  return true;
}

/* isnan, isinf and finite as functions, with the underscores and suffixes of glibc. */
bool pv_ext_float_test(struct pv_fn *fn, struct pv_call *call) {
  const char *name = call->name;
  while (*name == '_') name++;
  bool nan = !strncmp(name, "isnan", strlen("isnan")),
       inf = !strncmp(name, "isinf", strlen("isinf")),
       finite = !strncmp(name, "finite", strlen("finite"));
  const char *end = name + (finite ? 6 : 5);
  if (!(nan || inf || finite) || (*end && (end[1] || (*end != 'f' && *end != 'l')))) return false;
  if (call->n_args != 1 || call->n_results != 1 || pv_type_kind(call->results[0]) != PV_T_INT)
    return false;
  pv_expr x = call->args[0];
  pv_type t = pv_node(fn->p, x)->type, to = call->results[0];
  if (pv_type_kind(t) != PV_T_FLOAT) return false;
  struct pv_expr_node test = {
      .op = PV_X_FCMP, .aux = PV_FCMP_UNO, .type = PV_INT(1), .a = x, .b = x};
  if (!nan) { /* x - x is NaN exactly for infinities and NaN */
    test.a = test.b = pv_mk_binary(fn->p, PV_X_FSUB, 0, t, x, x);
    if (finite) test.aux = PV_FCMP_ORD;
  }
  pv_expr e = pv_mk(fn->p, test);
  if (inf) {
    struct pv_expr_node number = {.op = PV_X_FCMP, .aux = PV_FCMP_ORD, .type = PV_INT(1)};
    number.a = number.b = x;
    e = pv_mk_binary(fn->p, PV_X_AND, 0, PV_INT(1), e, pv_mk(fn->p, number));
    struct pv_expr_node minus = {.op = PV_X_FCMP, .aux = PV_FCMP_OLT, .type = PV_INT(1), .a = x};
    minus.b = pv_mk_const(fn->p, t, 0);
    struct pv_expr_node sign = {.op = PV_X_SELECT, .type = to, .a = pv_mk(fn->p, minus)};
    sign.b = pv_mk(fn->p, (struct pv_expr_node){
                              .op = PV_X_CONST, .type = to, .lo = UINT64_MAX, .hi = UINT64_MAX});
    sign.c = pv_mk_const(fn->p, to, 1);
    struct pv_expr_node all = {.op = PV_X_SELECT, .type = to, .a = e, .b = pv_mk(fn->p, sign)};
    all.c = pv_mk_const(fn->p, to, 0);
    pv_ext_give(fn, call, pv_mk(fn->p, all));
    return true;
  }
  pv_ext_give(fn, call, to == PV_INT(1) ? e : pv_mk_unary(fn->p, PV_X_ZEXT, to, e));
  return true;
}

void pv_ext_whole(struct pv_fn *fn, struct pv_call *call) {
  struct pv_expr_node n = {.op = PV_X_FPTOUI,
                           .flags = PV_XF_IN_RANGE,
                           .type = PV_INT(64),
                           .a = pv_ext_arg(fn, call, 0, PV_FLOAT(64))};
  if (!fn->dead) pv_ext_give(fn, call, pv_mk(fn->p, n));
}
