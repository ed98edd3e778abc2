/* overflow_checks.c -- clang's checks for signed overflow are left to where they are needed.
 *
 * The engines recognise overflow by the flag `nsw` of an operation. But clang folds an operation on
 * constants, as in `65536 * 65536`, before there is bitcode. Where it warns of that, the file is
 * compiled again with the sanitizer for signed overflow: then each operation is a call with a
 * check. Here all of them become plain operations again, but those on constants. */
#include <string.h>

#include "frontend/frontend_internal.h"

/* The traps of clang's SanitizerHandler.h that signed operations end in. */
enum { TRAP_ADD = 0, TRAP_DIVISION = 3, TRAP_MUL = 12, TRAP_NEGATE = 13, TRAP_SUB = 21 };

static bool is_overflow(unsigned long long trap) {
  return trap == TRAP_ADD || trap == TRAP_DIVISION || trap == TRAP_MUL || trap == TRAP_NEGATE ||
         trap == TRAP_SUB;
}

/* The name of the intrinsic function that is called, or "". */
static const char *intrinsic(LLVMValueRef i) {
  size_t n;
  if (!LLVMIsACallInst(i)) return "";
  LLVMValueRef callee = LLVMGetCalledValue(i);
  return callee && LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee)
             ? LLVMGetValueName2(callee, &n)
             : "";
}

static bool traps_on_overflow(LLVMBasicBlockRef b) {
  LLVMValueRef i = LLVMGetFirstInstruction(b);
  if (!i || strcmp(intrinsic(i), "llvm.ubsantrap") != 0) return false;
  LLVMValueRef code = LLVMGetOperand(i, 0);
  return LLVMIsAConstantInt(code) && is_overflow(LLVMConstIntGetZExtValue(code));
}

/* The call of `llvm.s*.with.overflow` whose second result `v` is, or NULL. */
static LLVMValueRef checked_operation(LLVMValueRef v) {
  if (!LLVMIsAExtractValueInst(v) || LLVMGetIndices(v)[0] != 1) return NULL;
  LLVMValueRef call = LLVMGetOperand(v, 0);
  return strstr(intrinsic(call), ".with.overflow.") ? call : NULL;
}

static LLVMValueRef build_plain(LLVMBuilderRef at, LLVMValueRef call) {
  LLVMValueRef a = LLVMGetOperand(call, 0), b = LLVMGetOperand(call, 1);
  const char *name = intrinsic(call);
  LLVMPositionBuilderBefore(at, call);
  if (!strncmp(name, "llvm.sadd", 9)) return LLVMBuildNSWAdd(at, a, b, "");
  if (!strncmp(name, "llvm.ssub", 9)) return LLVMBuildNSWSub(at, a, b, "");
  return LLVMBuildNSWMul(at, a, b, "");
}

/* Replaces the call, whose only uses are the two results. */
static void make_plain(LLVMBuilderRef at, LLVMValueRef call) {
  LLVMValueRef plain = build_plain(at, call);
  for (LLVMUseRef u = LLVMGetFirstUse(call), next; u; u = next) {
    next = LLVMGetNextUse(u);
    LLVMValueRef result = LLVMGetUser(u);
    bool is_first = LLVMGetIndices(result)[0] == 0;
    LLVMTypeRef one_bit = LLVMInt1TypeInContext(LLVMGetTypeContext(LLVMTypeOf(call)));
    LLVMReplaceAllUsesWith(result, is_first ? plain : LLVMConstInt(one_bit, 0, false));
    LLVMInstructionEraseFromParent(result);
  }
  LLVMInstructionEraseFromParent(call);
}

static bool uses_results_only(LLVMValueRef call) {
  for (LLVMUseRef u = LLVMGetFirstUse(call); u; u = LLVMGetNextUse(u))
    if (!LLVMIsAExtractValueInst(LLVMGetUser(u))) return false;
  return true;
}

/* Is the branch clang's check of an operation that does not work on constants alone? Then *call is
 * the operation, or NULL for a division. */
static bool is_needless(LLVMValueRef branch, LLVMValueRef *call) {
  LLVMValueRef holds = LLVMGetCondition(branch);
  *call = NULL;
  if (LLVMIsConstant(holds)) return false;
  if (!LLVMIsABinaryOperator(holds) || LLVMGetInstructionOpcode(holds) != LLVMXor) return true;
  LLVMValueRef c = checked_operation(LLVMGetOperand(holds, 0));
  if (!c) return true;
  bool constants = LLVMIsConstant(LLVMGetOperand(c, 0)) && LLVMIsConstant(LLVMGetOperand(c, 1));
  if (constants || !uses_results_only(c)) return false;
  *call = c;
  return true;
}

/* Erases the condition and what it is computed from, as far as nothing else uses it. */
static void erase_unused(LLVMValueRef v) {
  LLVMValueRef operand[2];
  if (LLVMGetFirstUse(v) || !(LLVMIsABinaryOperator(v) || LLVMIsAICmpInst(v))) return;
  for (unsigned k = 0; k < 2; k++) operand[k] = LLVMGetOperand(v, k);
  LLVMInstructionEraseFromParent(v);
  for (unsigned k = 0; k < 2 && operand[0] != operand[1]; k++) erase_unused(operand[k]);
}

static void drop_check(LLVMBuilderRef at, LLVMValueRef branch) {
  LLVMBasicBlockRef go_on = LLVMGetSuccessor(branch, 0);
  LLVMValueRef holds = LLVMGetCondition(branch), call;
  if (!is_needless(branch, &call)) return;
  LLVMPositionBuilderBefore(at, branch);
  LLVMBuildBr(at, go_on);
  LLVMInstructionEraseFromParent(branch);
  if (!call)
    erase_unused(holds);
  else
    LLVMInstructionEraseFromParent(holds), make_plain(at, call);
}

/* Removes the texts that checks would show: file names and names of types. */
static void remove_texts(LLVMModuleRef m) {
  size_t n;
  for (LLVMValueRef g = LLVMGetFirstGlobal(m), next; g; g = next) {
    next = LLVMGetNextGlobal(g);
    const char *name = LLVMGetValueName2(g, &n);
    bool of_check = !n || !strncmp(name, ".src", 4);
    if (of_check && LLVMGetLinkage(g) == LLVMPrivateLinkage && !LLVMGetFirstUse(g))
      LLVMDeleteGlobal(g);
  }
}

void pv_fe_drop_overflow_checks(LLVMModuleRef m) {
  LLVMBuilderRef at = LLVMCreateBuilderInContext(LLVMGetModuleContext(m));
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
      LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
      if (end && LLVMIsABranchInst(end) && LLVMIsConditional(end) &&
          traps_on_overflow(LLVMGetSuccessor(end, 1)))
        drop_check(at, end);
    }
  LLVMDisposeBuilder(at);
  remove_texts(m);
}
