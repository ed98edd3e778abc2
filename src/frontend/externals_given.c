/* externals_given.c -- intrinsics of the models about the program's environment: texts to try,
 * bounds, options, signals. */
#include "frontend/externals.h"

#include <stdlib.h>

/* Argument 0, which must be a constant less than `n`. Otherwise ends the path and returns `n`. */
static unsigned constant(struct pv_fn *fn, struct pv_call *call, unsigned n) {
  pv_expr e = pv_ext_arg(fn, call, 0, PV_INT(32));
  if (fn->dead) return n;
  const struct pv_expr_node *node = pv_node(fn->p, e);
  if (node->op == PV_X_CONST && node->lo < n) return (unsigned)node->lo;
  pv_fn_unsupported(fn, call->name);
  return n;
}

void pv_ext_texts(struct pv_fn *fn, struct pv_call *call) {
  unsigned kind = constant(fn, call, PV_TEXT_COUNT);
  if (!fn->dead) pv_ext_give(fn, call, pv_mk_const(fn->p, PV_INT(32), fn->p->texts[kind].n));
}

void pv_ext_any_text(struct pv_fn *fn, struct pv_call *call) {
  unsigned kind = constant(fn, call, PV_TEXT_COUNT);
  if (fn->dead) return;
  struct pv_edge e = pv_edge_of(PV_OP_HAVOC, 0, 0);
  e.type = PV_INT(32);
  e.text = pv_text_names[kind];
  e.site = fn->p->n_sites++;
  e.e[0] = pv_mk_const(fn->p, e.type, 0);
  e.e[1] = pv_mk_const(fn->p, e.type, (uint64_t)fn->p->texts[kind].n + 1);
  e.aux = PV_HAVOC_TEXT;
  e.dst = pv_ext_result(fn, call);
  pv_fn_emit(fn, e);
}

void pv_ext_order_matters(struct pv_fn *fn, struct pv_call *call) {
  struct pv_edge e = pv_edge_of(PV_OP_QUERY, 0, 0);
  e.aux = PV_QUERY_ORDER;
  e.type = PV_INT(1);
  for (unsigned i = 0; i < 2; i++) e.e[i] = pv_ext_arg(fn, call, i, PV_INT(32));
  if (fn->dead) return;
  e.dst = pv_fn_temp(fn, e.type);
  pv_fn_emit(fn, e);
  pv_ext_give(fn, call, pv_fn_var(fn, e.dst));
}

void pv_ext_text(struct pv_fn *fn, struct pv_call *call) {
  struct pv_edge e = pv_edge_of(PV_OP_QUERY, 0, 0);
  e.aux = PV_QUERY_TEXT;
  e.type = PV_INT(32);
  for (unsigned i = 0; i < 3; i++) e.e[i] = pv_ext_arg(fn, call, i, PV_INT(32));
  if (fn->dead) return;
  e.dst = pv_ext_result(fn, call);
  pv_fn_emit(fn, e);
}

static void cut(struct pv_fn *fn, enum pv_stop why, char *sentence) {
  pv_fn_stop(fn, why, pv_program_string(fn->p, sentence));
  free(sentence);
}

void pv_ext_bound(struct pv_fn *fn, struct pv_call *call) {
  const struct pv_options *o = fn->fe->options;
  unsigned kind = constant(fn, call, PV_TEXT_COUNT);
  if (fn->dead) return;
  if (kind == PV_TEXT_ARGUMENTS)
    cut(fn, PV_STOP_BOUND,
        pv_format("there are at most %ld arguments of at most %ld bytes", o->max_args,
                  o->max_arg_length));
  else if (kind == PV_TEXT_FILE)
    cut(fn, PV_STOP_BOUND,
        pv_format("the files that the program reads have at most %ld bytes", o->max_file_length));
  else
    cut(fn, PV_STOP_BOUND,
        pv_format("values of the environment have at most %ld bytes", o->max_arg_length));
}

void pv_ext_signals_end(struct pv_fn *fn, struct pv_call *call) {
  long n = fn->fe->options->max_signals;
  (void)call;
  if (fn->dead) return;
  cut(fn, PV_STOP_BOUND,
      n == 0 ? pv_format("no signal with a handler arrives")
             : pv_format("at most %ld signal%s with a handler arrive%s", n, n > 1 ? "s" : "",
                         n > 1 ? "" : "s"));
}

void pv_ext_tried(struct pv_fn *fn, struct pv_call *call) {
  static const char *const formats[] = {
      "the arguments are among the %u lists that were tried",
      "values of the environment are among the %u that were tried",
      "standard input is among the %u texts that were tried",
      "the files that the program reads are among the %u texts that were tried"};
  unsigned kind = constant(fn, call, PV_TEXT_COUNT);
  if (!fn->dead) cut(fn, PV_STOP_TRIED, pv_format(formats[kind], fn->p->texts[kind].n));
}

void pv_ext_setting(struct pv_fn *fn, struct pv_call *call) {
  const struct pv_options *o = fn->fe->options;
  const long values[] = {o->max_args, o->max_arg_length, o->max_file_length, o->fairthreads,
                         !!(o->properties & PV_PROP_BIT(PV_PROP_DEF_BEHAVIOR))};
  unsigned which = constant(fn, call, sizeof values / sizeof *values);
  if (!fn->dead) pv_ext_give(fn, call, pv_mk_const(fn->p, PV_INT(32), (uint64_t)values[which]));
}
