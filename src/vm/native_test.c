/* Machine code against the interpreter: every operation on integers, at every width, on values at
 * the ends of ranges and random ones; then calls, loops and memory of a few small functions. Both
 * machines go the same way, and after each transition everything that makes a state must be the
 * same bytes. */
#include "vm/vm_internal.h"

#include <setjmp.h>
#include <stdio.h>
#include <cmocka.h>

enum { VALUES = 14, WORD = 64, WIDE = 128 }; /* bits */

struct machines {
  struct pv_options options;
  struct pv_condition interpreted, compiled;
  struct pv_vm *a, *b; /* the interpreter; machine code */
};

static struct pv_program *p;
static struct pv_function *f;

/* ---- building programs ----------------------------------------------------------------------- */
static uint32_t variable(const char *name, pv_type t) {
  struct pv_variable v = {.name = pv_program_string(p, name), .type = t};
  pv_vec_push(&f->vars, v);
  return f->vars.n - 1;
}

static struct pv_edge *edge(enum pv_op op, pv_loc from, pv_loc to) {
  struct pv_edge e = pv_edge_of(op, from, to);
  pv_vec_push(&f->edges, e);
  return &pv_vec_last(&f->edges);
}

static pv_expr constant(unsigned bits, uint64_t n) {
  return pv_mk_const(p, PV_INT(bits), n);
}

static pv_expr var(uint32_t v) {
  return pv_mk_var(p, f->vars.at[v].type, v);
}

/* A new location behind `from`, reached by v = e. */
static pv_loc assign(pv_loc from, uint32_t v, pv_expr e) {
  pv_loc to = pv_loc_add(f);
  struct pv_edge *a = edge(PV_OP_ASSIGN, from, to);
  a->dst = v;
  a->e[0] = e;
  return to;
}

static pv_loc choose(pv_loc from, uint32_t v, uint64_t high) {
  pv_loc to = pv_loc_add(f);
  struct pv_edge *e = edge(PV_OP_HAVOC, from, to);
  e->dst = v;
  e->type = PV_INT(WORD);
  e->e[0] = constant(WORD, 0);
  e->e[1] = constant(WORD, high);
  return to;
}

static pv_loc load(pv_loc from, uint32_t v, pv_expr address) {
  pv_loc to = pv_loc_add(f);
  struct pv_edge *e = edge(PV_OP_LOAD, from, to);
  e->dst = v;
  e->type = f->vars.at[v].type;
  e->e[0] = address;
  return to;
}

static pv_loc store(pv_loc from, pv_expr address, pv_expr value) {
  pv_loc to = pv_loc_add(f);
  struct pv_edge *e = edge(PV_OP_STORE, from, to);
  e->type = pv_node(p, value)->type;
  e->e[0] = address;
  e->e[1] = value;
  return to;
}

static struct pv_args list(const pv_expr *e, uint32_t n) {
  return pv_mk_args(p, e, n);
}

static pv_expr binary(enum pv_expr_op op, unsigned flags, unsigned bits, pv_expr a, pv_expr b) {
  return pv_mk_binary(p, op, flags, PV_INT(bits), a, b);
}

static pv_expr resized(pv_expr e, unsigned bits) {
  unsigned has = pv_type_bits(pv_node(p, e)->type);
  if (has == bits) return e;
  return pv_mk_unary(p, has < bits ? PV_X_ZEXT : PV_X_TRUNC, PV_INT(bits), e);
}

/* low and high words to an integer of w bits, and back */
static pv_expr joined(pv_expr low, pv_expr high, unsigned w) {
  if (w <= WORD) return resized(low, w);
  pv_expr up = binary(PV_X_SHL, 0, WIDE, resized(high, WIDE), constant(WIDE, WORD));
  return resized(binary(PV_X_OR, 0, WIDE, resized(low, WIDE), up), w);
}

static pv_expr high_word(pv_expr e) {
  if (pv_type_bits(pv_node(p, e)->type) <= WORD) return constant(WORD, 0);
  return resized(binary(PV_X_LSHR, 0, WIDE, resized(e, WIDE), constant(WIDE, WORD)), WORD);
}

static uint32_t global(const char *name, const uint64_t *words, uint32_t n, bool is_const) {
  struct pv_global g = {.name = pv_program_string(p, name),
                        .size = n * sizeof *words,
                        .align = 8,
                        .is_const = is_const};
  if (words) {
    g.init = pv_alloc(g.size);
    memcpy(g.init, words, g.size);
  }
  pv_vec_push(&p->globals, g);
  return p->globals.n - 1;
}

static pv_expr word_of(uint32_t g, pv_expr index, uint64_t offset) {
  struct pv_expr_node n = {.op = PV_X_GLOBAL, .type = PV_TYPE(PV_T_PTR, p->pointer_bits), .lo = g};
  unsigned bits = p->pointer_bits;
  pv_expr at = binary(PV_X_MUL, 0, bits, resized(index, bits), constant(bits, 16));
  at = binary(PV_X_ADD, 0, bits, at, constant(bits, offset));
  return pv_mk_binary(p, PV_X_PTRADD, 0, PV_TYPE(PV_T_PTR, bits), pv_mk(p, n), at);
}

/* ---- the operations -------------------------------------------------------------------------- */
struct operation {
  uint8_t op, flags;
  uint16_t aux;
};
static const struct operation operations[] = {
    {PV_X_ADD, 0, 0},
    {PV_X_ADD, PV_XF_NSW, 0},
    {PV_X_SUB, 0, 0},
    {PV_X_SUB, PV_XF_NSW, 0},
    {PV_X_MUL, 0, 0},
    {PV_X_MUL, PV_XF_NSW, 0},
    {PV_X_UDIV, 0, 0},
    {PV_X_SDIV, 0, 0},
    {PV_X_UREM, 0, 0},
    {PV_X_SREM, 0, 0},
    {PV_X_SHL, 0, 0},
    {PV_X_LSHR, 0, 0},
    {PV_X_ASHR, 0, 0},
    {PV_X_AND, 0, 0},
    {PV_X_OR, 0, 0},
    {PV_X_XOR, 0, 0},
    {PV_X_EQ, 0, 0},
    {PV_X_NE, 0, 0},
    {PV_X_ULT, 0, 0},
    {PV_X_ULE, 0, 0},
    {PV_X_SLT, 0, 0},
    {PV_X_SLE, 0, 0},
    {PV_X_SELECT, 0, 0},
    {PV_X_SEXT, 0, 0},
    {PV_X_TRUNC, 0, 0},
    {PV_X_INTOP, 0, PV_INTOP_CTPOP},
    {PV_X_INTOP, 0, PV_INTOP_SMAX},
    {PV_X_SELECT, 0, 1},
    {PV_X_OVERFLOWS, 0, PV_OVF_UMUL},
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

static pv_expr operate(const struct operation *o, pv_expr a, pv_expr b, unsigned w) {
  struct pv_expr_node n = {.op = o->op, .flags = o->flags, .aux = o->aux, .type = PV_INT(w)};
  bool compares = o->op >= PV_X_EQ && o->op <= PV_X_SLE;
  n.a = a;
  n.b = b;
  if (compares || o->op == PV_X_OVERFLOWS) n.type = PV_INT(1);
  if (o->op == PV_X_INTOP && o->aux == PV_INTOP_CTPOP) n.b = 0;
  if (o->op == PV_X_SELECT) {
    n.a = binary(PV_X_SLT, 0, 1, a, b);
    n.b = a;
    n.c = b;
    if (o->aux) return binary(PV_X_SUB, 0, w, b, pv_mk(p, n)); /* an operand that was moved */
  }
  if (o->op == PV_X_SEXT || o->op == PV_X_TRUNC) {
    n.b = 0;
    bool widen = o->op == PV_X_SEXT;
    if (widen ? w == WIDE : w == 1) return a;
    n.type = PV_INT(widen ? (w < WORD ? w + (WORD - w + 1) / 2 : WIDE) : (w + 1) / 2);
  }
  return pv_mk(p, n);
}

/* (low, high) = operation number `which` on a and b, given by their words */
static uint32_t make_operator(unsigned w) {
  uint32_t index = pv_function_add(p, "operate");
  f = &p->functions.at[index];
  f->defined = true;
  uint32_t which = variable("which", PV_INT(WORD)), words[4];
  for (int i = 0; i < 4; i++) words[i] = variable("word", PV_INT(WORD));
  f->n_params = 5;
  f->n_results = 2;
  f->result[0] = f->result[1] = PV_INT(WORD);
  uint32_t a = variable("a", PV_INT(w)), b = variable("b", PV_INT(w));
  uint32_t low = variable("low", PV_INT(WORD)), high = variable("high", PV_INT(WORD));
  pv_loc at = f->entry = pv_loc_add(f), last = pv_loc_add(f);
  f->exit = pv_loc_add(f);
  at = assign(at, a, joined(var(words[0]), var(words[1]), w));
  at = assign(at, b, joined(var(words[2]), var(words[3]), w));
  for (unsigned i = 0; i < OPERATIONS; i++) {
    pv_loc then = pv_loc_add(f), other = pv_loc_add(f);
    pv_expr is = binary(PV_X_EQ, 0, 1, var(which), constant(WORD, i));
    edge(PV_OP_ASSUME, at, then)->e[0] = is;
    edge(PV_OP_ASSUME, at, other)->e[0] = pv_mk_not(p, is);
    pv_expr r = operate(&operations[i], var(a), var(b), w);
    uint32_t v = variable("r", pv_node(p, r)->type);
    then = assign(then, v, r);
    then = assign(then, low, resized(var(v), WORD));
    then = assign(then, high, high_word(var(v)));
    edge(PV_OP_SKIP, then, last);
    at = other;
  }
  struct pv_edge *stop = edge(PV_OP_STOP, at, f->exit);
  stop->aux = PV_STOP_ABORT;
  pv_expr results[] = {var(low), var(high)};
  edge(PV_OP_RETURN, last, f->exit)->args = list(results, 2);
  pv_function_finish(p, f);
  return index;
}

/* out = table[1]; which, i and k are chosen; out = operate(which, table[i], table[k]) */
static void make_main(uint32_t callee, uint32_t table, uint32_t out) {
  p->start = pv_function_add(p, "__proviso_entry");
  f = &p->functions.at[p->start];
  f->defined = true;
  uint32_t which = variable("which", PV_INT(WORD)), i = variable("i", PV_INT(WORD)),
           k = variable("k", PV_INT(WORD)), words[6];
  for (int n = 0; n < 6; n++) words[n] = variable("word", PV_INT(WORD));
  pv_loc at = f->entry = pv_loc_add(f);
  at = load(at, words[0], word_of(table, constant(WORD, 1), 0));
  at = store(at, word_of(out, constant(WORD, 0), 0), var(words[0]));
  at = choose(at, which, OPERATIONS - 1);
  at = choose(at, i, VALUES - 1);
  at = choose(at, k, VALUES - 1);
  for (unsigned n = 0; n < 4; n++)
    at = load(at, words[n], word_of(table, var(n < 2 ? i : k), 8 * (n % 2)));
  pv_expr args[] = {var(which), var(words[0]), var(words[1]), var(words[2]), var(words[3])};
  pv_loc back = pv_loc_add(f);
  struct pv_edge *e = edge(PV_OP_CALL, at, back);
  e->callee = callee;
  e->args = list(args, 5);
  e->dsts = list(words + 4, 2);
  at = store(back, word_of(out, constant(WORD, 0), 0), var(words[4]));
  at = store(at, word_of(out, constant(WORD, 0), 8), var(words[5]));
  f->exit = pv_loc_add(f);
  e = edge(PV_OP_STOP, at, f->exit);
  e->aux = PV_STOP_EXIT;
  e->e[0] = constant(32, 0);
  pv_function_finish(p, f);
}

static uint64_t next_random(uint64_t *state) { /* xorshift64 */
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

/* Pairs of words: what is interesting at width w first, then anything. */
static void fill_table(uint64_t *words, unsigned w) {
  uint64_t random = 88172645463325252u + w, top = (uint64_t)1 << ((w - 1) % WORD);
  unsigned n = 0;
  memset(words, 0, 2 * VALUES * sizeof *words);
  uint64_t low[] = {0,
                    1,
                    2,
                    w - 1,
                    w,
                    w > WORD ? 0 : top,
                    w > WORD ? UINT64_MAX : top - 1,
                    UINT64_MAX,
                    w > WORD ? 1 : top + 1};
  uint64_t high[] = {0, 0, 0, 0, 0, top, top - 1, UINT64_MAX, top};
  for (; n < sizeof low / sizeof *low; n++) words[2 * n] = low[n], words[2 * n + 1] = high[n];
  for (; n < VALUES; n++) {
    words[2 * n] = next_random(&random) >> (n % 2 ? 0 : random % WORD);
    words[2 * n + 1] = next_random(&random);
  }
}

/* ---- two machines ---------------------------------------------------------------------------- */
static void begin(struct machines *m, struct pv_task *task, const char *property,
                  const char *native_after) {
  char *bad = pv_program_verify(p);
  if (bad) fail_msg("%s", bad);
  *m = (struct machines){0};
  pv_options_init(&m->options);
  assert_int_equal(pv_options_set(&m->options, "native-after", native_after, NULL), PV_OK);
  if (property) assert_int_equal(pv_options_set(&m->options, "property", property, NULL), PV_OK);
  *task = (struct pv_task){.program = p, .options = &m->options};
  task->properties = m->options.properties;
  m->a = pv_vm_new(task, &pv_sched_pthread, &m->interpreted);
  m->b = pv_vm_new(task, &pv_sched_pthread, &m->compiled);
  pv_vm_allow_native(m->b);
}

static void same_conditions(const struct machines *m) {
  assert_int_equal(m->interpreted.provisos.n, m->compiled.provisos.n);
  for (uint32_t i = 0; i < m->compiled.provisos.n; i++) {
    const struct pv_proviso *x = &m->interpreted.provisos.at[i], *y = &m->compiled.provisos.at[i];
    assert_string_equal(x->sentence, y->sentence);
    assert_int_equal(x->times, y->times);
  }
}

static void end(struct machines *m) {
  assert_non_null(m->b->native);
  same_conditions(m);
  pv_vm_free(m->a);
  pv_vm_free(m->b);
  pv_condition_clear(&m->interpreted);
  pv_condition_clear(&m->compiled);
  pv_options_free(&m->options);
  pv_program_free(p);
}

static void same_state(const struct machines *m) {
  assert_int_equal(m->a->comps.n, m->b->comps.n);
  for (uint32_t i = 0; i < m->a->comps.n; i++) {
    const struct pv_comp *x = &m->a->comps.at[i], *y = &m->b->comps.at[i];
    assert_int_equal(x->n, y->n);
    if (x->n && x->data != y->data) assert_memory_equal(x->data, y->data, x->n);
    assert_int_equal(x->dirty, y->dirty);
  }
}

/* As if an earlier transition had used the globals in another state. */
static void leave_old_pages(struct pv_vm *vm) {
  static uint8_t stale[PV_PAGE];
  for (uint32_t g = 0; g < p->globals.n; g++) {
    uint64_t address = vm->global_address[g];
    unsigned index = pv_tlb_index(vm, address);
    struct pv_tlb_entry *t = &vm->tlb[index];
    t->load_page = t->store_page = address / PV_PAGE;
    t->payload = t->shadow = stale;
    t->n = PV_PAGE;
    vm->tlb_used |= (uint64_t)1 << index;
  }
}

/* One transition of thread 0 in both; same outcome, event, state, number of instructions. */
static enum pv_outcome step(struct machines *m, unsigned alternative) {
  leave_old_pages(m->b);
  m->b->native_look = 0; /* however little was executed */
  enum pv_outcome x = pv_vm_step(m->a, 0, alternative), y = pv_vm_step(m->b, 0, alternative);
  assert_int_equal(x, y);
  assert_int_equal(m->a->instructions, m->b->instructions);
  if (x == PV_VIOLATED) {
    assert_int_equal(m->a->event.property, m->b->event.property);
    assert_string_equal(m->a->event.message, m->b->event.message);
  }
  if (x == PV_RAN || x == PV_ENDED) same_state(m);
  return x;
}

static void start(struct machines *m) {
  pv_vm_start(m->a);
  pv_vm_start(m->b);
  pv_vm_clean(m->a);
  pv_vm_clean(m->b);
}

/* ---- tests ----------------------------------------------------------------------------------- */
static void operations_agree(unsigned w, const char *property, const char *native_after) {
  struct machines m;
  struct pv_task task;
  uint64_t words[2 * VALUES];
  fill_table(words, w);
  p = pv_program_new(64);
  uint32_t table = global("table", words, 2 * VALUES, true), out = global("out", NULL, 2, false);
  make_main(make_operator(w), table, out);
  begin(&m, &task, property, native_after);
  unsigned ended = 0;
  for (unsigned which = 0; which < OPERATIONS; which++)
    for (unsigned i = 0; i < VALUES; i++)
      for (unsigned k = 0; k < VALUES; k++) {
        start(&m);
        assert_int_equal(step(&m, 0), PV_RAN);
        assert_int_equal(step(&m, which), PV_RAN);
        assert_int_equal(step(&m, i), PV_RAN);
        ended += step(&m, k) == PV_ENDED;
      }
  assert_true(ended > OPERATIONS * VALUES * VALUES / 2);
  end(&m);
}

static void every_width_up_to_64(void **state) {
  (void)state;
  for (unsigned w = 1; w <= WORD; w++) operations_agree(w, NULL, "0");
}

static void widths_over_64(void **state) {
  (void)state;
  static const unsigned widths[] = {65, 66, 80, 96, 127, 128};
  for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
    operations_agree(widths[i], NULL, "0");
}

static void events_that_were_not_asked_for(void **state) {
  (void)state;
  static const unsigned widths[] = {1, 7, 8, 32, 33, 64, 128};
  for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
    operations_agree(widths[i], "unreach-call", "0");
}

/* The operations are executed more than what calls them, and long: each becomes machine code at a
 * time of its own, and code of both kinds calls and returns to the other. */
static void hot_one_after_the_other(void **state) {
  (void)state;
  operations_agree(32, NULL, "20");
  operations_agree(128, NULL, "200");
}

/* Is the page at the address in the cache, for loads and for stores? */
static bool loads(const struct pv_vm *vm, uint64_t address) {
  return vm->tlb[pv_tlb_index(vm, address)].load_page == address / PV_PAGE;
}

static bool stores(const struct pv_vm *vm, uint64_t address) {
  return vm->tlb[pv_tlb_index(vm, address)].store_page == address / PV_PAGE;
}

static void what_the_page_cache_keeps(void **state) {
  (void)state;
  struct machines m;
  struct pv_task task;
  uint64_t words[2 * VALUES] = {0};
  p = pv_program_new(64);
  uint32_t table = global("table", words, 2 * VALUES, true), out = global("out", NULL, 2, false);
  make_main(make_operator(8), table, out);
  begin(&m, &task, NULL, "0");
  start(&m);
  step(&m, 0);
  struct pv_vm *vm = m.b;
  uint64_t shared = vm->global_address[out], constant_at = vm->global_address[table];
  pv_tlb_flush(vm);
  pv_tlb_fill(vm, constant_at, true);
  assert_false(loads(vm, constant_at) || stores(vm, constant_at));
  pv_tlb_fill(vm, constant_at, false);
  assert_true(loads(vm, constant_at) && !stores(vm, constant_at));
  pv_tlb_fill(vm, shared, true);
  assert_true(loads(vm, shared) && stores(vm, shared));

  struct pv_object *global = pv_object_at(vm, shared);
  const uint64_t byte = 1, none = ~UINT64_C(0xff), two_bits = ~UINT64_C(0xfc);
  pv_memory_write_set(vm, global, 3, &byte, 1, &none);
  assert_int_equal(vm->tlb_used, 0);
  pv_tlb_fill(vm, shared, true);
  assert_false(loads(vm, shared) || stores(vm, shared));
  pv_tlb_fill(vm, shared, false);
  assert_true(loads(vm, shared) && !stores(vm, shared));
  assert_int_equal(vm->tlb[pv_tlb_index(vm, shared)].shadow[0], 0xf7);
  assert_int_equal(pv_memory_set_bits(vm, global, 0, 8), ~UINT64_C(0xff000000));
  pv_memory_write(vm, global, 3, &byte, 1); /* it is set */
  assert_int_equal(vm->tlb_used, 0);
  assert_int_equal(vm->comps.at[vm->unset_comp].n, 0);
  pv_tlb_fill(vm, shared, true);
  assert_true(loads(vm, shared) && stores(vm, shared));

  struct pv_object *o = pv_heap_new(vm, PV_STORAGE_HEAP, 1, 40, 16, 0);
  assert_int_equal(vm->tlb_used, 0); /* an object began */
  pv_tlb_fill(vm, o->base, true);
  pv_publish(vm, o->base + 8);
  assert_false(loads(vm, o->base) || stores(vm, o->base)); /* became shared */
  vm->alive = 2;
  pv_tlb_fill(vm, o->base, true);
  pv_tlb_fill(vm, shared, false);
  assert_int_equal(vm->tlb_used, 0);
  vm->alive = 1;
  pv_tlb_fill(vm, o->base, true);
  pv_memory_write_set(vm, o, 4, &byte, 1, &two_bits); /* two bits of a byte */
  assert_int_equal(vm->tlb_used, 0);
  pv_tlb_fill(vm, o->base, true);
  assert_false(stores(vm, o->base));
  pv_tlb_fill(vm, o->base, false);
  assert_true(loads(vm, o->base));
  pv_object_end(vm, o, true);
  assert_int_equal(vm->tlb_used, 0);
  pv_comp_resize(vm, o->comp, 0);
  end(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_width_up_to_64), cmocka_unit_test(widths_over_64),
      cmocka_unit_test(events_that_were_not_asked_for), cmocka_unit_test(hot_one_after_the_other),
      cmocka_unit_test(what_the_page_cache_keeps)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
