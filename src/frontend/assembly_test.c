/* assembly_test.c -- templates and constraints that are parsed or rejected. */
#include "frontend/assembly.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct pv_asm_template t;
static struct pv_asm_constraints c;
static struct pv_str why;

static int tear_down(void **state) {
  (void)state;
  pv_vec_free(&t.lines);
  pv_vec_free(&c.operands);
  c = (struct pv_asm_constraints){0};
  pv_str_free(&why);
  return 0;
}

static const struct pv_asm_instruction *reads(const char *text, bool wide, unsigned n) {
  tear_down(NULL);
  if (!pv_asm_read(text, strlen(text), wide, &t, &why)) fail_msg("%s: %s", text, pv_str_cstr(&why));
  assert_int_equal(t.lines.n, n);
  return t.lines.at;
}

static void refuses(const char *text, bool wide, const char *message) {
  tear_down(NULL);
  if (pv_asm_read(text, strlen(text), wide, &t, &why)) fail_msg("%s is read", text);
  assert_string_equal(pv_str_cstr(&why), message);
}

static void is_operand(const struct pv_asm_place *at, unsigned number, unsigned bits) {
  assert_int_equal(at->kind, PV_ASM_REGISTER);
  assert_true(at->reg.is_operand);
  assert_int_equal(at->reg.number, number);
  assert_int_equal(at->reg.bits, bits);
}

static void is_register(const struct pv_asm_place *at, unsigned number, unsigned bits, bool high) {
  assert_int_equal(at->kind, PV_ASM_REGISTER);
  assert_false(at->reg.is_operand);
  assert_int_equal(at->reg.number, number);
  assert_int_equal(at->reg.bits, bits);
  assert_int_equal(at->reg.high, high);
}

static void test_instructions(void **state) {
  (void)state;
  const struct pv_asm_instruction *i = reads("lock; cmpxchgl $3, $0 ; setz ${1:b}\n", true, 2);
  assert_int_equal(i[0].op, PV_ASM_CMPXCHG);
  assert_true(i[0].lock);
  assert_int_equal(i[0].bits, 32);
  assert_int_equal(i[0].n, 2);
  is_operand(&i[0].at[0], 3, 0);
  is_operand(&i[0].at[1], 0, 0);
  assert_int_equal(i[1].op, PV_ASM_SET);
  assert_false(i[1].lock);
  assert_int_equal(i[1].condition, PV_ASM_CC_E);
  is_operand(&i[1].at[0], 1, 8);

  i = reads("\tlock cmpxchg16b ${2}\n\n", true, 1);
  assert_int_equal(i->op, PV_ASM_CMPXCHG_PAIR);
  assert_int_equal(i->bits, 128);
  assert_int_equal(reads("cmpxchg8b ($0)", false, 1)->bits, 64);
  assert_int_equal(reads("inc $0", true, 1)->bits, 0);
  assert_int_equal(reads("movzbl %ah, $0", true, 1)->from, 8);
  assert_int_equal(reads("rep; nop", true, 1)->op, PV_ASM_NOP);
  assert_int_equal(reads("rep nop # spin", true, 1)->op, PV_ASM_NOP);
  assert_int_equal(reads("  # nothing; at all\n", true, 0) == NULL, true);
}

static void test_names_with_suffixes(void **state) {
  (void)state;
  assert_int_equal(reads("subl %eax, %ebx", true, 1)->bits, 32);
  assert_int_equal(reads("sub %eax, %ebx", true, 1)->bits, 0);
  assert_int_equal(reads("shl %eax", true, 1)->op, PV_ASM_SHL); /* not sh and a suffix */
  assert_int_equal(t.lines.at[0].at[0].value, 1);
  assert_int_equal(reads("rol $$3, %eax", true, 1)->op, PV_ASM_ROL);
  assert_int_equal(reads("roll $$3, %eax", true, 1)->bits, 32);
  assert_int_equal(reads("btl %eax, %ebx", true, 1)->op, PV_ASM_BT);
  assert_int_equal(reads("cmovl %eax, %ebx", true, 1)->condition, PV_ASM_CC_L);
  assert_int_equal(t.lines.at[0].bits, 0);
  assert_int_equal(reads("cmovll %eax, %ebx", true, 1)->condition, PV_ASM_CC_L);
  assert_int_equal(t.lines.at[0].bits, 32);
  assert_int_equal(reads("cmovnbeq %rax, %rbx", true, 1)->condition, PV_ASM_CC_A);
  assert_int_equal(reads("setnae %al", true, 1)->condition, PV_ASM_CC_B);
  assert_int_equal(reads("setg %al", true, 1)->condition, PV_ASM_CC_G);
}

static void test_places(void **state) {
  (void)state;
  const struct pv_asm_place *at = reads("movb %bh, %r10b", true, 1)->at;
  is_register(&at[0], PV_ASM_BX, 8, true);
  is_register(&at[1], 10, 8, false);
  at = reads("movl $$-0x10, -8($4,%rcx,4)", true, 1)->at;
  assert_int_equal(at[0].kind, PV_ASM_CONSTANT);
  assert_int_equal(at[0].value, -16);
  assert_int_equal(at[1].kind, PV_ASM_MEMORY);
  assert_int_equal(at[1].value, -8);
  assert_true(at[1].has_base && at[1].reg.is_operand && at[1].reg.number == 4);
  assert_true(at[1].scale == 4 && at[1].index.number == PV_ASM_CX && at[1].index.bits == 64);
  at = reads("lea (,%rax,8), %rdi", true, 1)->at;
  assert_false(at[0].has_base);
  at = reads("movq 8+$0, ${1:q}", true, 1)->at;
  assert_true(at[0].kind == PV_ASM_MEMORY && at[0].whole && at[0].value == 8);
  is_operand(&at[1], 1, 64);
  at = reads("incl $0 - 4", true, 1)->at;
  assert_true(at[0].whole && at[0].value == -4);
  at = reads("xchg$(l ${0:k}$|${0:k}$), %eax", true, 1)->at;
  is_operand(&at[0], 0, 32);
}

static void test_refused(void **state) {
  (void)state;
  refuses("rep stosb", true, "inline assembly: rep stosb");
  refuses("incl $0; jmp 1f\n1:", true, "inline assembly: jmp 1f");
  refuses("1: incl $0", true, "inline assembly: 1: incl %0");
  refuses(".byte 0xf3", true, "inline assembly: .byte 0xf3");
  refuses("lock", true, "inline assembly: lock");
  refuses("lock; lock; incl $0", true, "inline assembly: lock");
  refuses("lock movl $$1, $0", true, "inline assembly: lock movl $1, %0");
  refuses("mov", true, "inline assembly: mov");
  refuses("movl $$x, %eax", true, "inline assembly: movl $x, %eax");
  refuses("movl x(%rip), %eax", true, "inline assembly: movl x(%rip), %eax");
  refuses("movl %gs:0, %eax", true, "inline assembly: movl %gs:0, %eax");
  refuses("movl %eax, %ebx, %ecx", true, "inline assembly: movl %eax, %ebx, %ecx");
  refuses("movl (%eax,%ebx,3), %ecx", true, "inline assembly: movl (%eax,%ebx,3), %ecx");
  refuses("movl (), %ecx", true, "inline assembly: movl (), %ecx");
  refuses("movq %rax, $0", false, "inline assembly: movq %rax, %0");
  refuses("movl %r9d, $0", false, "inline assembly: movl %r9d, %0");
  refuses("movb %sil, $0", false, "inline assembly: movb %sil, %0");
  refuses("movl %r16d, $0", true, "inline assembly: movl %r16d, %0");
  refuses("movl ${0:X}, %eax", true, "inline assembly: movl %{0:X}, %eax");
  refuses("movl ${0, %eax", true, "inline assembly: movl %{0, %eax");
  refuses("addps %xmm0, %xmm1", true, "inline assembly: addps %xmm0, %xmm1");
}

/* Every prefix of a text is parsed or rejected without a read beyond its end. */
static void test_cut_short(void **state) {
  (void)state;
  static const char text[] =
      "lock; cmpxchgq ${3:q}, 8+$0; movl $$-0x10,-8($4,%rcx,4)$(a$|b$) # x\n";
  for (size_t n = 0; n < sizeof text; n++) {
    char *copy = malloc(n + 1);
    assert_non_null(copy);
    memcpy(copy, text, n);
    tear_down(NULL);
    pv_asm_read(copy, n, true, &t, &why);
    tear_down(NULL);
    pv_asm_read_constraints(copy, n, true, &c, &why);
    pv_asm_only_marks(copy, n);
    free(copy);
  }
}

static void constraints(const char *text, bool wide, unsigned n) {
  tear_down(NULL);
  if (!pv_asm_read_constraints(text, strlen(text), wide, &c, &why))
    fail_msg("%s: %s", text, pv_str_cstr(&why));
  assert_int_equal(c.operands.n, n);
}

static void test_constraints(void **state) {
  (void)state;
  constraints("=*m,={@ccz},=&{ax},q,*m,2,~{memory},~{cc},~{rbx},~{dirflag}", true, 6);
  const struct pv_asm_operand *o = c.operands.at;
  assert_true(o[0].output && o[0].indirect && !o[0].early);
  assert_int_equal(o[1].condition, PV_ASM_CC_E);
  assert_true(o[2].output && o[2].early && o[2].reg == PV_ASM_AX);
  assert_true(!o[3].output && o[3].reg == PV_ASM_ANY && o[3].tied == -1 && !o[3].constant);
  assert_true(!o[4].output && o[4].indirect);
  assert_int_equal(o[5].tied, 2);
  assert_true(c.memory);
  assert_int_equal(c.clobbered, 1 << PV_ASM_BX);
  constraints("=A,A", false, 2);
  assert_true(c.operands.at[0].pair);
  constraints("=&r,imr,a,ac,{r8}", true, 5);
  assert_true(c.operands.at[1].constant && c.operands.at[1].reg == PV_ASM_ANY);
  assert_int_equal(c.operands.at[2].reg, PV_ASM_AX);
  assert_int_equal(c.operands.at[3].reg, PV_ASM_ANY);
  assert_int_equal(c.operands.at[4].reg, 8);
  constraints("", true, 0);
}

static void test_constraints_refused(void **state) {
  (void)state;
  static const char *const bad[] = {"=x",      "=A", "0",    "=r,1",  "=r,0r",   "{@ccz}",
                                    "={@ccq}", "=",  "{st}", "=*m|r", "~{xmm0}", "!i"};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    tear_down(NULL);
    if (pv_asm_read_constraints(bad[i], strlen(bad[i]), true, &c, &why)) fail_msg("%s", bad[i]);
    assert_non_null(strstr(pv_str_cstr(&why), "inline assembly: constraint "));
  }
}

static void test_file_scope(void **state) {
  (void)state;
  static const char marks[] = "\n.symver old, old@V1\n\t.ident \"x\"\n",
                    code[] = ".symver a,b\nf: ret\n";
  assert_true(pv_asm_only_marks(marks, strlen(marks)));
  assert_true(pv_asm_only_marks("", 0));
  assert_false(pv_asm_only_marks(code, strlen(code)));
  assert_false(pv_asm_only_marks(".ident \"x\"; f: ret", 18));
  assert_false(pv_asm_only_marks(".symversion", 11));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_teardown(test_instructions, tear_down),
      cmocka_unit_test_teardown(test_names_with_suffixes, tear_down),
      cmocka_unit_test_teardown(test_places, tear_down),
      cmocka_unit_test_teardown(test_refused, tear_down),
      cmocka_unit_test_teardown(test_cut_short, tear_down),
      cmocka_unit_test_teardown(test_constraints, tear_down),
      cmocka_unit_test_teardown(test_constraints_refused, tear_down),
      cmocka_unit_test_teardown(test_file_scope, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
