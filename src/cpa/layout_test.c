/* What becomes a cell, what a class, and which of them accesses refer to. */
#include "cpa/cpa_test.h"

static struct pv_checked c;
static struct pv_points_to *pt;
static struct pv_layout *l;

static void begin(const char *text, uint32_t choices) {
  pv_checked_load(&c, text, "unreach-call");
  pt = pv_points_to_new(c.program, NULL);
  l = pv_layout_new(c.program, pt, choices);
}
static void end(void) {
  pv_layout_free(l);
  pv_points_to_free(pt);
  pv_checked_free(&c);
}

static uint32_t global(const char *name) {
  for (uint32_t i = 0; i < c.program->globals.n; i++)
    if (!strcmp(c.program->globals.at[i].name, name)) return pv_layout_global(l, i);
  fail_msg("no %s", name);
  return 0;
}
static uint32_t slot(const char *function, const char *name) {
  for (uint32_t f = 0; f < c.program->functions.n; f++)
    for (uint32_t i = 0; i < c.program->functions.at[f].slots.n; i++)
      if (!strcmp(c.program->functions.at[f].name, function) &&
          !strcmp(c.program->functions.at[f].slots.at[i].name, name))
        return pv_layout_slot(l, f, i);
  fail_msg("no %s::%s", function, name);
  return 0;
}

/* The place has cells of these offsets, "0:i32 4:i32", and is not in a class. */
static void assert_cells(uint32_t place, const char *wanted) {
  const struct pv_place *p = pv_layout_place(l, place);
  struct pv_str got = {0};
  assert_true(p->cut);
  for (uint32_t i = 0; i < p->n_cells; i++) {
    const struct pv_place_cell *k = pv_layout_cell(l, p->first_cell + i);
    uint32_t found;
    assert_int_equal(k->place, place);
    assert_true(pv_layout_find(l, place, k->offset, pv_type_bytes(k->type), &found));
    assert_int_equal(found, p->first_cell + i);
    assert_false(pv_layout_find(l, place, k->offset, pv_type_bytes(k->type) + 1, &found));
    pv_str_addf(&got, "%s%u:%s%u", i ? " " : "", (unsigned)k->offset,
                pv_type_kind(k->type) == PV_T_PTR ? "p" : "i", pv_type_bits(k->type));
  }
  assert_string_equal(pv_str_cstr(&got), wanted);
  pv_str_free(&got);
}

/* Where the n-th LOAD or STORE of a function leads. */
static const struct pv_reach *access_of(const char *function, enum pv_op op, uint32_t n) {
  for (uint32_t f = 0; f < c.program->functions.n; f++) {
    const struct pv_function *fn = &c.program->functions.at[f];
    if (strcmp(fn->name, function) != 0) continue;
    for (uint32_t i = 0; i < fn->edges.n; i++)
      if (fn->edges.at[i].op == op && !n--) return pv_layout_reach(l, f, i, 0);
  }
  fail_msg("no access");
  return NULL;
}
static bool leads_to(const struct pv_reach *r, uint32_t place) {
  bool found = false;
  for (uint32_t i = 0; i < r->places.n; i++) found |= r->places.at[i] == place;
  return found;
}

static const char *const text =
    "#include <stdlib.h>\n"
    "extern int __VERIFIER_nondet_int(void);\n"
    "struct pair { int a; struct pair *next; short s[2]; };\n"
    "static int x, y, unused = 3; static struct pair one, two;\n"
    "static int table[100], other[100], few[3];\n"
    "static union { int i; char c[4]; } both;\n"
    "static void set(int *p, int v) { *p = v; }\n"
    "static int get(int *q, int i) { return q[i]; }\n"
    "static void *make(void) { return malloc(8); }\n"
    "int main(void) {\n"
    "  int n = __VERIFIER_nondet_int(), local = 2, *mine = &local;\n"
    "  set(n ? &x : &y, 4);\n"
    "  one.next = &two; one.a = 1; one.next->s[1] = 2;\n"
    "  int *heap = make(); heap[1] = *mine; int *more = make(); *more = 1;\n"
    "  both.i = 258; both.c[1]++;\n"
    "  few[1] = n;\n"
    "  return get(n > 4 ? table : other, n & 15) + unused + few[0];\n"
    "}\n";

static void places_are_cut(void **state) {
  (void)state;
  begin(text, 24);
  assert_cells(global("x"), "0:i32");
  assert_cells(global("y"), "0:i32");
  assert_cells(slot("main", "local"), "0:i32");
  assert_cells(global("one"), "0:i32 4:i32 8:p64 16:i16 18:i16 20:i32");
  assert_cells(global("two"), "0:i32 4:i32 8:p64 16:i16 18:i16 20:i32");
  assert_cells(global("few"), "0:i32 4:i32 8:i32");
  assert_false(pv_layout_place(l, global("table"))->cut);
  assert_cells(global("both"), "0:i8 1:i8 2:i16"); /* an int, and one of its bytes */
  end();
}

static void classes_hold_what_cannot_be_told_apart(void **state) {
  (void)state;
  begin(text, 24);
  const struct pv_place *a = pv_layout_place(l, global("table"));
  const struct pv_place *b = pv_layout_place(l, global("other"));
  assert_int_equal(a->class, b->class);
  uint32_t n;
  const pv_type *types = pv_layout_class_types(l, a->class, &n);
  assert_int_equal(n, 1);
  assert_int_equal(types[0], PV_INT(32));
  uint32_t heaps = 0;
  for (uint32_t i = 0; i < pv_layout_places(l); i++) {
    const struct pv_place *p = pv_layout_place(l, i);
    heaps += p->kind == PV_PLACE_HEAP;
    if (p->kind == PV_PLACE_HEAP) assert_false(p->cut);
    if (!p->cut) assert_true(p->class < pv_layout_classes(l));
  }
  assert_true(heaps > 0);
  end();
}

static void accesses_lead_to_places(void **state) {
  (void)state;
  begin(text, 24);
  const struct pv_reach *r = access_of("set", PV_OP_STORE, 0);
  assert_false(r->in_class || r->unknown);
  assert_int_equal(r->cells.n, 2);
  assert_int_equal(r->places.n, 2);
  assert_true(leads_to(r, global("x")) && leads_to(r, global("y")));
  r = access_of("get", PV_OP_LOAD, 0);
  assert_true(r->in_class);
  assert_int_equal(r->class, pv_layout_place(l, global("table"))->class);
  assert_true(leads_to(r, global("table")) && leads_to(r, global("other")));
  assert_false(leads_to(r, global("x")));
  assert_true(pv_layout_place(l, global("x"))->stored);
  assert_false(pv_layout_place(l, global("unused"))->stored);
  assert_true(pv_layout_place(l, global("x"))->taken);
  end();
}

/* With fewer choices the same objects are classes. */
static void choices_are_bounded(void **state) {
  (void)state;
  begin(text, 1);
  const struct pv_place *x = pv_layout_place(l, global("x"));
  const struct pv_place *y = pv_layout_place(l, global("y"));
  assert_false(x->cut || y->cut);
  assert_int_equal(x->class, y->class);
  assert_true(access_of("set", PV_OP_STORE, 0)->in_class);
  assert_true(pv_layout_place(l, global("one"))->cut);
  end();
}

static uint32_t heap_place(void) {
  for (uint32_t i = 0; i < pv_layout_places(l); i++)
    if (pv_layout_place(l, i)->kind == PV_PLACE_HEAP) return i;
  fail_msg("no heap");
  return 0;
}

/* Heap objects are divided, up to a size; unless an array is asked for. */
static void objects_are_divided(void **state) {
  static const char *const list = "#include <stdlib.h>\n"
                                  "extern int __VERIFIER_nondet_int(void);\n"
                                  "struct node { int a; struct node *next; };\n"
                                  "int main(void) {\n"
                                  "  struct node *n = malloc(COUNT * sizeof *n);\n"
                                  "  for (int i = 0; i < 2; i++) { n[i].a = i; n[i].next = n; }\n"
                                  "  return n[__VERIFIER_nondet_int() & 1].a;\n"
                                  "}\n";
  (void)state;
  for (int large = 0; large < 2; large++) {
    char *program = pv_format("#define COUNT %s\n%s", large ? "1000" : "2", list);
    pv_checked_load(&c, program, "unreach-call");
    pt = pv_points_to_new(c.program, NULL);
    l = pv_layout_new_objects(c.program, pt, 64, NULL);
    assert_true(pv_layout_has_objects(l));
    if (large)
      assert_false(pv_layout_place(l, heap_place())->cut);
    else
      assert_cells(heap_place(), "0:i32 4:i32 8:p64 16:i32 20:i32 24:p64");
    assert_int_equal(pv_layout_place(l, heap_place())->size, large ? 16000 : 32);
    assert_false(pv_layout_place(l, heap_place())->bounded);
    bool *arrays = pv_alloc(pv_layout_places(l) * sizeof *arrays);
    arrays[heap_place()] = true;
    pv_layout_free(l);
    l = pv_layout_new_objects(c.program, pt, 64, arrays);
    assert_false(pv_layout_place(l, heap_place())->cut);
    free(arrays);
    free(program);
    end();
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(places_are_cut),
      cmocka_unit_test(classes_hold_what_cannot_be_told_apart),
      cmocka_unit_test(accesses_lead_to_places),
      cmocka_unit_test(choices_are_bounded),
      cmocka_unit_test(objects_are_divided),
  };
  return cmocka_run_group_tests_name("cpa/layout", tests, NULL, NULL);
}
