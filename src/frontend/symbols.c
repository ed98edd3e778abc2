#include "frontend/symbols.h"

#include "frontend/frontend_internal.h"

#include <stdlib.h>
#include <string.h>

#include <llvm-c/IRReader.h>

struct lister {
  struct pv_symbols *out;
  struct pv_map index_of; /* LLVMValueRef -> index */
};

static bool is_weak(LLVMLinkage l) {
  return l == LLVMWeakAnyLinkage || l == LLVMWeakODRLinkage || l == LLVMLinkOnceAnyLinkage ||
         l == LLVMLinkOnceODRLinkage || l == LLVMCommonLinkage || l == LLVMExternalWeakLinkage ||
         l == LLVMAvailableExternallyLinkage;
}

static void add_symbol(struct lister *l, LLVMValueRef g) {
  size_t n;
  LLVMLinkage linkage = LLVMGetLinkage(g);
  struct pv_symbol s = {.name = pv_strdup(LLVMGetValueName2(g, &n)),
                        .is_defined = LLVMIsAGlobalAlias(g) || !LLVMIsDeclaration(g),
                        .is_local = linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage,
                        .is_weak = is_weak(linkage)};
  pv_map_put(&l->index_of, &g, sizeof(LLVMValueRef), l->out->at.n, NULL);
  pv_vec_push(&l->out->at, s);
}

/* Adds the symbols that the value refers to, directly or by constants. */
static void add_uses(const struct lister *l, LLVMValueRef v, uint32_t user, struct pv_map *seen) {
  bool is_new;
  if (!v || LLVMValueIsBasicBlock(v) || !LLVMIsAConstant(v)) return;
  pv_map_put(seen, &v, sizeof(LLVMValueRef), 0, &is_new);
  if (!is_new) return;
  if (LLVMIsAGlobalValue(v)) {
    const uint32_t *index = pv_map_get(&l->index_of, &v, sizeof(LLVMValueRef));
    if (index) pv_vec_push(&l->out->at.at[user].uses, *index);
    return;
  }
  for (int i = 0, n = LLVMGetNumOperands(v); i < n; i++)
    add_uses(l, LLVMGetOperand(v, (unsigned)i), user, seen);
}

static void add_uses_of_function(const struct lister *l, LLVMValueRef f, uint32_t user) {
  struct pv_map seen = {0};
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
      for (int k = 0, n = LLVMGetNumOperands(i); k < n; k++)
        add_uses(l, LLVMGetOperand(i, (unsigned)k), user, &seen);
  pv_map_free(&seen);
}

static void list(LLVMModuleRef m, struct lister *l) {
  uint32_t i = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f)) add_symbol(l, f);
  for (LLVMValueRef g = LLVMGetFirstGlobal(m); g; g = LLVMGetNextGlobal(g)) add_symbol(l, g);
  for (LLVMValueRef a = LLVMGetFirstGlobalAlias(m); a; a = LLVMGetNextGlobalAlias(a))
    add_symbol(l, a);
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
    add_uses_of_function(l, f, i++);
  for (LLVMValueRef g = LLVMGetFirstGlobal(m); g; g = LLVMGetNextGlobal(g), i++) {
    struct pv_map seen = {0};
    struct pv_symbol *s = &l->out->at.at[i];
    s->is_constructor = !strcmp(s->name, "llvm.global_ctors");
    add_uses(l, LLVMGetInitializer(g), i, &seen);
    pv_map_free(&seen);
  }
  for (LLVMValueRef a = LLVMGetFirstGlobalAlias(m); a; a = LLVMGetNextGlobalAlias(a), i++) {
    struct pv_map seen = {0};
    add_uses(l, LLVMAliasGetAliasee(a), i, &seen);
    pv_map_free(&seen);
  }
}

static enum pv_status read_symbols(const char *path, struct pv_symbols *out, struct pv_str *err) {
  LLVMContextRef ctx = LLVMContextCreate();
  LLVMMemoryBufferRef buffer;
  LLVMModuleRef m = NULL;
  char *message = NULL;
  struct lister l = {.out = out};
  bool failed = LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message) ||
                LLVMParseIRInContext(ctx, buffer, &m, &message);
  if (failed) pv_str_addf(err, "%s: cannot be read", path);
  if (failed) LLVMDisposeMessage(message);
  if (!failed) list(m, &l);
  pv_map_free(&l.index_of);
  if (m) LLVMDisposeModule(m);
  LLVMContextDispose(ctx);
  return failed ? PV_E_INPUT : PV_OK;
}

enum pv_status pv_symbols_of(const struct pv_options *o, uint32_t number, struct pv_symbols *out,
                             struct pv_str *err) {
  struct pv_str folded = {0};
  struct pv_old_c old = {0};
  *out = (struct pv_symbols){0};
  char *folder = pv_fe_private_folder(o, err);
  if (!folder) return PV_E_INPUT;
  char *path = pv_format("%s/unit.bc", folder);
  const struct pv_fe_input input = {.options = o, .number = number, .folder = folder, .out = path};
  enum pv_status status = pv_fe_compile(&input, &folded, &old, err);
  if (status == PV_OK) status = read_symbols(path, out, err);
  pv_fe_remove_folder(folder);
  free(folder);
  free(path);
  pv_str_free(&folded);
  pv_old_c_free(&old);
  return status;
}

void pv_symbols_free(struct pv_symbols *s) {
  for (uint32_t i = 0; i < s->at.n; i++) {
    free(s->at.at[i].name);
    pv_vec_free(&s->at.at[i].uses);
  }
  pv_vec_free(&s->at);
}
