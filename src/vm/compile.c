/* compile.c -- translates the ir to bytecode. */
#include "analysis/input_classes.h"
#include "analysis/liveness.h"
#include "vm/code.h"

#include <stdlib.h>
#include <string.h>

/* Scratch cells of intermediate values have numbers above this one until they are renumbered at
 * the end. */
#define TEMP_BASE 0x10000000

struct jump {
  uint32_t at;
  pv_loc to;
};
struct compiler {
  const struct pv_program *p;
  struct pv_code *code;
  const uint64_t *global_address, *function_address;
  struct pv_map constants;
  const struct pv_function *f;
  struct pv_code_function *cf;
  uint32_t edge; /* index of the edge being compiled */
  uint32_t temps, max_temps;
  PV_VEC(struct jump) jumps;
  PV_VEC(pv_loc) todo;
  uint32_t *loc_pc; /* pc + 1; 0 = not translated yet */
  uint64_t *live;
  uint32_t words;
  bool every_edge; /* see pv_code_compile */
};

static bool wide(pv_type t) {
  return pv_type_bits(t) > 64;
}

static int32_t eval(struct compiler *c, pv_expr e);
static void eval_to(struct compiler *c, pv_expr e, int32_t d);

static struct pv_insn *emit(struct compiler *c, enum pv_insn_op op, unsigned w, int32_t d,
                            int32_t a, int32_t b) {
  struct pv_insn i = {.op = (uint16_t)op, .w = (uint8_t)w, .d = d, .a = a, .b = b};
  pv_vec_push(&c->code->insns, i);
  pv_vec_push(&c->code->where, c->edge);
  return &pv_vec_last(&c->code->insns);
}

static int32_t temp(struct compiler *c, pv_type t) {
  int32_t cell = ~(int32_t)(TEMP_BASE + c->temps);
  c->temps += wide(t) ? 2 : 1;
  if (c->temps > c->max_temps) c->max_temps = c->temps;
  return cell;
}

static int32_t constant(struct compiler *c, uint64_t lo, uint64_t hi, bool is_wide) {
  uint64_t key[3] = {lo, hi, is_wide};
  bool is_new;
  uint32_t *at = pv_map_put(&c->constants, key, sizeof key, c->code->constants.n, &is_new);
  /* The cells of a wide value are consecutive: ~i is the low half, ~(i + 1) the high one. */
  if (is_new) {
    pv_vec_push(&c->code->constants, lo);
    if (is_wide) pv_vec_push(&c->code->constants, hi);
  }
  return ~(int32_t)*at;
}

/* ---- expressions ----------------------------------------------------------------------------- */
static void eval_select(struct compiler *c, const struct pv_expr_node *n, int32_t d) {
  int32_t cond = eval(c, n->a);
  emit(c, PV_I_JZ, 1, 0, cond, 0);
  uint32_t to_else = c->code->insns.n - 1;
  eval_to(c, n->b, d);
  emit(c, PV_I_JMP, 0, 0, 0, 0);
  uint32_t to_end = c->code->insns.n - 1;
  c->code->insns.at[to_else].x = c->code->insns.n;
  eval_to(c, n->c, d);
  c->code->insns.at[to_end].x = c->code->insns.n;
}

static bool narrow_int(const struct compiler *c, pv_expr e) {
  pv_type t = pv_node(c->p, e)->type;
  return (pv_type_kind(t) == PV_T_INT || pv_type_kind(t) == PV_T_PTR) && !wide(t);
}

static void eval_rare(struct compiler *c, pv_expr e, int32_t d) {
  const struct pv_expr_node n = *pv_node(c->p, e);
  int32_t a = n.a ? eval(c, n.a) : 0, b = n.b ? eval(c, n.b) : 0, x = n.c ? eval(c, n.c) : 0;
  struct pv_insn *i = emit(c, PV_I_RARE, pv_type_bits(n.type) & 0xff, d, a, b);
  i->c = x;
  i->x = e;
}

static const int16_t simple_insn[PV_X_COUNT] = {
    [PV_X_ADD] = PV_I_ADD,   [PV_X_SUB] = PV_I_SUB,   [PV_X_MUL] = PV_I_MUL,
    [PV_X_UDIV] = PV_I_UDIV, [PV_X_SDIV] = PV_I_SDIV, [PV_X_UREM] = PV_I_UREM,
    [PV_X_SREM] = PV_I_SREM, [PV_X_SHL] = PV_I_SHL,   [PV_X_LSHR] = PV_I_LSHR,
    [PV_X_ASHR] = PV_I_ASHR, [PV_X_AND] = PV_I_AND,   [PV_X_OR] = PV_I_OR,
    [PV_X_XOR] = PV_I_XOR,   [PV_X_EQ] = PV_I_EQ,     [PV_X_NE] = PV_I_NE,
    [PV_X_ULT] = PV_I_ULT,   [PV_X_ULE] = PV_I_ULE,   [PV_X_SLT] = PV_I_SLT,
    [PV_X_SLE] = PV_I_SLE,   [PV_X_PTRADD] = PV_I_ADD};

static void eval_binary(struct compiler *c, pv_expr e, int32_t d) {
  const struct pv_expr_node n = *pv_node(c->p, e);
  if (!narrow_int(c, n.a)) {
    eval_rare(c, e, d);
    return;
  }
  int32_t a = eval(c, n.a), b = eval(c, n.b);
  if ((n.flags & PV_XF_PTRCMP) && n.op != PV_X_EQ && n.op != PV_X_NE)
    emit(c, PV_I_ORDER, 0, 0, a, b)->flags = pv_type_kind(pv_node(c->p, n.a)->type) == PV_T_INT;
  struct pv_insn *i =
      emit(c, (enum pv_insn_op)simple_insn[n.op], pv_type_bits(pv_node(c->p, n.a)->type), d, a, b);
  i->flags = n.op == PV_X_PTRADD ? 0 : n.flags & PV_XF_NSW;
}

static void eval_to(struct compiler *c, pv_expr e, int32_t d) {
  const struct pv_expr_node n = *pv_node(c->p, e);
  uint32_t mark = c->temps;
  unsigned bits = pv_type_bits(n.type);
  switch (n.op) {
  case PV_X_CONST:
  case PV_X_VAR:
  case PV_X_GLOBAL:
  case PV_X_FUNC:
  case PV_X_LABEL:
  case PV_X_SLOT: emit(c, PV_I_MOV, bits, d, eval(c, e), 0); break;
  case PV_X_SELECT: eval_select(c, &n, d); break;
  case PV_X_ZEXT:
  case PV_X_BITCAST:
    if (wide(n.type) || wide(pv_node(c->p, n.a)->type))
      eval_rare(c, e, d);
    else if (pv_type_bits(pv_node(c->p, n.a)->type) > bits)
      emit(c, PV_I_TRUNC, bits, d, eval(c, n.a), 0);
    else
      emit(c, PV_I_MOV, bits, d, eval(c, n.a), 0);
    break;
  case PV_X_TRUNC:
    if (wide(n.type))
      eval_rare(c, e, d);
    else
      emit(c, PV_I_TRUNC, bits, d, eval(c, n.a), 0); /* the low half of a wide value comes first */
    break;
  case PV_X_SEXT:
    if (wide(n.type))
      eval_rare(c, e, d);
    else {
      int32_t a = eval(c, n.a);
      emit(c, PV_I_SEXT, pv_type_bits(pv_node(c->p, n.a)->type), d, a, 0)->x = bits;
    }
    break;
  default:
    if (simple_insn[n.op])
      eval_binary(c, e, d);
    else
      eval_rare(c, e, d);
  }
  c->temps = mark;
}

static int32_t eval(struct compiler *c, pv_expr e) {
  const struct pv_expr_node n = *pv_node(c->p, e);
  int32_t d;
  switch (n.op) {
  case PV_X_CONST: return constant(c, n.lo, n.hi, wide(n.type));
  case PV_X_VAR: return (int32_t)c->cf->reg[n.lo];
  case PV_X_FUNC: return constant(c, c->function_address[n.lo], 0, false);
  case PV_X_LABEL: return constant(c, pv_label_address(c->p, n.lo, n.hi), 0, false);
  case PV_X_GLOBAL:
    if (!c->p->globals.at[n.lo].is_thread_local)
      return constant(c, c->global_address[n.lo], 0, false);
    d = temp(c, n.type);
    emit(c, PV_I_TLS, 64, d, 0, 0)->x = (uint32_t)n.lo;
    return d;
  case PV_X_SLOT:
    d = temp(c, n.type);
    emit(c, PV_I_SLOT, 64, d, (int32_t)(c->cf->slot_reg + n.lo), 0)->x = (uint32_t)n.lo;
    return d;
  default:
    d = temp(c, n.type);
    eval_to(c, e, d);
    return d;
  }
}

/* Evaluates an address. *root is the cell of the pointer to which all offsets were added, or the
 * result itself if no check is needed. */
static int32_t eval_pointer(struct compiler *c, pv_expr e, int32_t *root) {
  const struct pv_expr_node n = *pv_node(c->p, e);
  if (n.op != PV_X_PTRADD) return *root = eval(c, e);
  int32_t a = eval_pointer(c, n.a, root), b = eval(c, n.b), d = temp(c, n.type);
  emit(c, PV_I_ADD, pv_type_bits(n.type), d, a, b);
  return d;
}

static int32_t eval_address(struct compiler *c, pv_expr e) {
  int32_t root, a = eval_pointer(c, e, &root);
  if (a != root) emit(c, PV_I_PROV, 64, 0, a, root);
  return a;
}

/* ---- edges ----------------------------------------------------------------------------------- */
static void kills(struct compiler *c, pv_loc at, const struct pv_edge *except, uint32_t *first,
                  uint32_t *n) {
  const uint64_t *live = c->live + (size_t)at * c->words;
  *first = c->code->kills.n;
  for (uint32_t v = 0; v < c->f->vars.n; v++) {
    bool dead = !(live[v / 64] >> (v % 64) & 1);
    for (uint32_t i = 0; except && i < except->dsts.n; i++)
      dead |= pv_arg(c->p, except->dsts, i) == v;
    if (!dead) continue;
    pv_vec_push(&c->code->kills, c->cf->reg[v]);
    if (wide(c->f->vars.at[v].type)) pv_vec_push(&c->code->kills, c->cf->reg[v] + 1);
  }
  *n = c->code->kills.n - *first;
}

static int32_t reg_of(const struct compiler *c, uint32_t var) {
  return var == PV_NO_VAR ? -1 : (int32_t)c->cf->reg[var];
}

static bool address_first(enum pv_op op) {
  return op == PV_OP_RMW || op == PV_OP_CMPXCHG || op == PV_OP_COPY || op == PV_OP_FILL;
}

static void compile_general(struct compiler *c, const struct pv_edge *e, struct pv_code_edge *ce) {
  for (int i = 0; i < 3; i++) {
    if (!e->e[i]) continue;
    bool address = (i == 0 && address_first((enum pv_op)e->op)) || (i == 1 && e->op == PV_OP_COPY);
    ce->e[i] = address ? eval_address(c, e->e[i]) : eval(c, e->e[i]);
  }
  PV_VEC(int32_t) cells = {0};
  for (uint32_t i = 0; i < e->args.n; i++) pv_vec_push(&cells, eval(c, pv_arg(c->p, e->args, i)));
  ce->args = c->code->cells.n;
  for (uint32_t i = 0; i < cells.n; i++) pv_vec_push(&c->code->cells, cells.at[i]);
  pv_vec_free(&cells);
  emit(c, PV_I_EDGE, 0, 0, 0, 0)->x = c->edge;
  ce->resume = c->code->insns.n;
  if (e->op == PV_OP_CALL) kills(c, e->to, e, &ce->kill_call, &ce->n_kill_call);
}

static void compile_edge(struct compiler *c, const struct pv_edge *e) {
  struct pv_code_edge ce = c->code->edges.at[c->edge];
  uint32_t mark = c->temps;
  int32_t a, b;
  unsigned bits = pv_type_bits(e->type);
  switch (e->op) {
  case PV_OP_FENCE: emit(c, PV_I_EDGE, 0, 0, 0, 0)->x = c->edge; break;
  case PV_OP_SKIP:
    if (!c->every_edge) break;
    emit(c, PV_I_JMP, 0, 0, 0, 0);
    pv_vec_last(&c->code->insns).x = c->code->insns.n;
    break;
  case PV_OP_ASSIGN: eval_to(c, e->e[0], ce.d); break;
  case PV_OP_LOAD:
    a = eval_address(c, e->e[0]);
    emit(c, PV_I_LOAD, bits, ce.d, a, 0)->x = pv_type_bytes(e->type);
    break;
  case PV_OP_STORE:
    b = eval(c, e->e[1]);
    a = eval_address(c, e->e[0]);
    emit(c, PV_I_STORE, bits, 0, a, b)->x = pv_type_bytes(e->type);
    break;
  default: compile_general(c, e, &ce);
  }
  c->temps = mark;
  c->code->edges.at[c->edge] = ce;
}

static uint32_t add_edge(struct compiler *c, const struct pv_edge *e) {
  struct pv_code_edge ce = {.function = (uint32_t)(c->f - c->p->functions.at), .edge = e};
  ce.pc = c->code->insns.n;
  ce.d = reg_of(c, e->dst);
  ce.d2 = reg_of(c, e->dst2);
  pv_vec_push(&c->code->edges, ce);
  return c->code->edges.n - 1;
}

static void jump(struct compiler *c, enum pv_insn_op op, int32_t a, pv_loc to) {
  emit(c, op, 0, 0, a, 0);
  struct jump j = {c->code->insns.n - 1, to};
  pv_vec_push(&c->jumps, j);
  pv_vec_push(&c->todo, to);
}

static void compile_branches(struct compiler *c, const struct pv_location *loc) {
  for (uint32_t k = 0; k < loc->n_out; k++) {
    const struct pv_edge *e = &c->f->edges.at[loc->first_out + k];
    if (k) {
      c->edge = add_edge(c, e);
      c->code->edges.at[c->edge].is_branch = true;
    }
    if (k + 1 == loc->n_out) { /* the conditions cover everything, so the last one needs no test */
      jump(c, PV_I_JMP, 0, e->to);
      return;
    }
    uint32_t mark = c->temps;
    int32_t cond = eval(c, e->e[0]);
    emit(c, PV_I_JZ, 1, 0, cond, 0);
    uint32_t skip = c->code->insns.n - 1;
    jump(c, PV_I_JMP, 0, e->to);
    c->code->insns.at[skip].x = c->code->insns.n;
    c->temps = mark;
  }
}

static void compile_location(struct compiler *c, pv_loc l) {
  for (;;) {
    const struct pv_location *loc = &c->f->locs.at[l];
    if (c->loc_pc[l]) return;
    c->loc_pc[l] = c->code->insns.n + 1;
    if (!loc->n_out) { /* after RETURN or STOP: never reached */
      emit(c, PV_I_JMP, 0, 0, 0, 0)->x = c->code->insns.n;
      return;
    }
    const struct pv_edge *e = &c->f->edges.at[loc->first_out];
    c->edge = add_edge(c, e);
    struct pv_code_edge *ce = &c->code->edges.at[c->edge];
    kills(c, l, NULL, &ce->kill, &ce->n_kill);
    if (loc->loop_head) emit(c, PV_I_LOOP, 0, 0, 0, 0);
    if (e->op == PV_OP_ASSUME) {
      compile_branches(c, loc);
      return;
    }
    compile_edge(c, e);
    if (e->op == PV_OP_RETURN || e->op == PV_OP_STOP) return;
    if (c->loc_pc[e->to]) {
      jump(c, PV_I_JMP, 0, e->to);
      return;
    }
    l = e->to;
  }
}

static void compile_function(struct compiler *c, uint32_t index) {
  c->f = &c->p->functions.at[index];
  c->cf = &c->code->functions[index];
  const struct pv_function *f = c->f;
  c->cf->reg = pv_alloc((f->vars.n + 1) * sizeof(uint32_t));
  uint32_t r = 0;
  for (uint32_t v = 0; v < f->vars.n; v++) {
    c->cf->reg[v] = r;
    r += wide(f->vars.at[v].type) ? 2 : 1;
  }
  c->cf->slot_reg = r;
  r += f->slots.n;
  c->cf->copy_reg = r;
  bool copies = false;
  for (uint32_t i = 0; i < f->edges.n; i++)
    copies |= f->edges.at[i].op == PV_OP_COPY || f->edges.at[i].op == PV_OP_FILL;
  c->cf->n_regs = r + (copies ? PV_COPY_REGS : 0);
  if (!f->defined) return;

  c->loc_pc = pv_alloc((f->locs.n + 1) * sizeof(uint32_t));
  c->live = pv_liveness(c->p, f, &c->words);
  c->jumps.n = c->todo.n = 0;
  c->cf->entry = c->code->insns.n;
  compile_location(c, f->entry);
  while (c->todo.n) compile_location(c, pv_vec_pop(&c->todo));
  for (uint32_t i = 0; i < c->jumps.n; i++)
    c->code->insns.at[c->jumps.at[i].at].x = c->loc_pc[c->jumps.at[i].to] - 1;
  free(c->loc_pc);
  free(c->live);
}

/* ---- whole programs -------------------------------------------------------------------------- */
static int32_t renumber(int32_t cell, uint32_t n_constants) {
  if (cell >= 0 || ~cell < TEMP_BASE) return cell;
  return ~(int32_t)(n_constants + (uint32_t)(~cell - TEMP_BASE));
}

static void renumber_temps(struct pv_code *code) {
  uint32_t n = code->constants.n;
  for (uint32_t k = 0; k < code->insns.n; k++) {
    struct pv_insn *i = &code->insns.at[k];
    i->d = renumber(i->d, n);
    i->a = renumber(i->a, n);
    i->b = renumber(i->b, n);
    i->c = renumber(i->c, n);
  }
  for (uint32_t k = 0; k < code->cells.n; k++) code->cells.at[k] = renumber(code->cells.at[k], n);
  for (uint32_t k = 0; k < code->edges.n; k++)
    for (int j = 0; j < 3; j++) code->edges.at[k].e[j] = renumber(code->edges.at[k].e[j], n);
}

uint64_t pv_label_address(const struct pv_program *p, uint64_t function, uint64_t label) {
  /* Labels are numbered over all functions; small numbers are in the slot of the null pointer. */
  uint64_t n = 1;
  for (uint64_t f = 0; f < function; f++) n += p->functions.at[f].labels.n;
  return n + label;
}

struct pv_code *pv_code_compile(const struct pv_program *p, const uint64_t *global_address,
                                const uint64_t *function_address, long max_inputs,
                                bool every_edge) {
  struct pv_code *code = pv_alloc(sizeof *code);
  struct compiler c = {.p = p,
                       .code = code,
                       .global_address = global_address,
                       .function_address = function_address,
                       .every_edge = every_edge};
  code->program = p;
  code->functions = pv_alloc((p->functions.n + 1) * sizeof *code->functions);
  struct pv_code_edge none = {0};
  pv_vec_push(&code->edges, none);
  for (uint32_t i = 0; i < p->functions.n; i++) compile_function(&c, i);
  renumber_temps(code);
  code->n_scratch = code->constants.n + c.max_temps + 4;
  code->inputs = pv_alloc(code->edges.n * sizeof *code->inputs);
  struct pv_input_classes *classes = NULL;
  for (uint32_t i = 1; i < code->edges.n; i++) {
    const struct pv_code_edge *ce = &code->edges.at[i];
    if (ce->edge->op == PV_OP_HAVOC || ce->edge->op == PV_OP_INDET)
      pv_inputs_find(p, &p->functions.at[ce->function], ce->edge, max_inputs, &classes,
                     &code->inputs[i]);
  }
  pv_input_classes_free(classes);
  pv_map_free(&c.constants);
  pv_vec_free(&c.jumps);
  pv_vec_free(&c.todo);
  return code;
}

void pv_code_free(struct pv_code *code) {
  if (!code) return;
  for (uint32_t i = 0; i < code->program->functions.n; i++) free(code->functions[i].reg);
  for (uint32_t i = 0; i < code->edges.n; i++) free(code->inputs[i].value);
  free(code->inputs);
  free(code->functions);
  pv_vec_free(&code->insns);
  pv_vec_free(&code->where);
  pv_vec_free(&code->edges);
  pv_vec_free(&code->kills);
  pv_vec_free(&code->cells);
  pv_vec_free(&code->constants);
  free(code);
}
