/* specialise_streams.c -- texts that are written to a stream of C++ and are constant: `os << text`
 * becomes `os.text(text, length)` (models/include/cxx/ostream), so that no engine measures them. */
#include "frontend/frontend_internal.h"
#include "frontend/texts.h"

#include <string.h>

/* The length of the constant text that the value points to. Returns false if it is none. */
static bool constant_length(LLVMValueRef text, size_t *length) {
  if (!LLVMIsAGlobalVariable(text) || !LLVMIsGlobalConstant(text)) return false;
  LLVMValueRef bytes = LLVMGetInitializer(text);
  if (!bytes || !LLVMIsConstantString(bytes)) return false;
  size_t n;
  const char *s = LLVMGetAsString(bytes, &n), *end = memchr(s, 0, n);
  if (end) *length = (size_t)(end - s);
  return end;
}

void pv_fe_specialise_streams(struct pv_fe *fe) {
  LLVMValueRef write = LLVMGetNamedFunction(fe->module, "_ZStlsRSoPKc"),
               show = LLVMGetNamedFunction(
                   fe->module, fe->p->pointer_bits == 32 ? "_ZNSo4textEPKcj" : "_ZNSo4textEPKcm");
  if (!write || !show || fe->options->observer.n) return;
  LLVMContextRef ctx = LLVMGetModuleContext(fe->module);
  LLVMTypeRef size = LLVMIntTypeInContext(ctx, fe->p->pointer_bits);
  LLVMBuilderRef b = LLVMCreateBuilderInContext(ctx);
  LLVMUseRef next;
  for (LLVMUseRef use = LLVMGetFirstUse(write); use; use = next) {
    LLVMValueRef call = LLVMGetUser(use);
    size_t length;
    next = LLVMGetNextUse(use);
    if (!LLVMIsACallInst(call) || LLVMGetCalledValue(call) != write) continue;
    if (!constant_length(LLVMGetOperand(call, 1), &length)) continue;
    LLVMValueRef args[] = {LLVMGetOperand(call, 0), LLVMGetOperand(call, 1),
                           LLVMConstInt(size, length, 0)};
    LLVMPositionBuilderBefore(b, call);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(call));
    LLVMValueRef shown = LLVMBuildCall2(b, LLVMGlobalGetValueType(show), show, args, 3, "");
    LLVMReplaceAllUsesWith(call, shown);
    LLVMInstructionEraseFromParent(call);
  }
  LLVMDisposeBuilder(b);
}
