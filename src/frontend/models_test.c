/* The guarantees of models.h about the files in models/, for both data models. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "frontend/models.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>

static bool begins(const char *name, const char *with) {
  return !strncmp(name, with, strlen(with));
}

static unsigned looked_at;

static void look(LLVMValueRef value, bool defined) {
  const char *name = LLVMGetValueName(value);
  bool is_hook = LLVMGetLinkage(value) == LLVMExternalWeakLinkage;
  looked_at++;
  if (defined || is_hook || begins(name, "__proviso_") || begins(name, "llvm.")) return;
  fail_msg("a model refers to %s, which another one may define", name);
}

static void look_at_model(LLVMContextRef ctx, const struct pv_model *model) {
  LLVMModuleRef m;
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRange(
      model->begin, (size_t)(model->end - model->begin), "model", 0);
  assert_int_equal(LLVMGetBitcodeModuleInContext2(ctx, buffer, &m), 0);
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
    look(f, !LLVMIsDeclaration(f));
  for (LLVMValueRef g = LLVMGetFirstGlobal(m); g; g = LLVMGetNextGlobal(g))
    look(g, LLVMGetInitializer(g));
  LLVMDisposeModule(m);
}

static void files_share_only_names_of_their_own(void **state) {
  (void)state;
  for (unsigned bits = 32; bits <= 64; bits += 32) {
    unsigned n;
    const struct pv_model *models = pv_models(bits, &n);
    LLVMContextRef ctx = LLVMContextCreate();
    looked_at = 0;
    for (unsigned i = 0; i < n; i++) look_at_model(ctx, &models[i]);
    LLVMContextDispose(ctx);
    assert_true(n > 20 && looked_at > 400);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(files_share_only_names_of_their_own)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
