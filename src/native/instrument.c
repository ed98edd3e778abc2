#include "native/instrument.h"

#include "frontend/frontend.h"
#include "frontend/native.h"
#include "native/runtime.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Functions that the runtime wraps: NAME becomes proviso_NAME. */
static const char *const wrapped[] = {"pthread_create",
                                      "pthread_join",
                                      "pthread_exit",
                                      "pthread_mutex_lock",
                                      "pthread_mutex_trylock",
                                      "pthread_mutex_unlock",
                                      "pthread_mutex_timedlock",
                                      "pthread_spin_lock",
                                      "pthread_spin_trylock",
                                      "pthread_spin_unlock",
                                      "pthread_rwlock_rdlock",
                                      "pthread_rwlock_tryrdlock",
                                      "pthread_rwlock_wrlock",
                                      "pthread_rwlock_trywrlock",
                                      "pthread_rwlock_timedrdlock",
                                      "pthread_rwlock_timedwrlock",
                                      "pthread_rwlock_unlock",
                                      "pthread_cond_wait",
                                      "pthread_cond_timedwait",
                                      "pthread_cond_signal",
                                      "pthread_cond_broadcast",
                                      "pthread_barrier_wait",
                                      "pthread_once",
                                      "sem_wait",
                                      "sem_trywait",
                                      "sem_timedwait",
                                      "sem_post",
                                      "thrd_create",
                                      "thrd_join",
                                      "mtx_lock",
                                      "mtx_trylock",
                                      "mtx_timedlock",
                                      "mtx_unlock",
                                      "cnd_wait",
                                      "cnd_signal",
                                      "cnd_broadcast",
                                      "malloc",
                                      "calloc",
                                      "realloc",
                                      "aligned_alloc",
                                      "posix_memalign",
                                      "free",
                                      "abort",
                                      "_exit"};

struct pass {
  const struct pv_native_request *request;
  LLVMContextRef ctx;
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  LLVMTargetDataRef layout;
  LLVMTypeRef none, i8, i32, i64, ptr;
  PV_VEC(struct pv_native_site) sites;
  struct pv_map texts; /* text -> index into `text` */
  PV_VEC(LLVMValueRef) text;
  struct pv_map files; /* name in the debug information -> index into `file` */
  PV_VEC(char *) file;
};

/* ---- sites ------------------------------------------------------------------------------------
 */
static char *copy_of(const char *text, unsigned n) {
  return pv_format("%.*s", (int)n, text ? text : "");
}

/* The file's name as everywhere else. */
static char *file_name(struct pass *p, const char *text, unsigned n) {
  char *path = copy_of(text, text ? n : 0);
  bool is_new;
  uint32_t i = *pv_map_put_str(&p->files, path, p->file.n, &is_new);
  if (is_new) pv_vec_push(&p->file, pv_strdup(pv_fe_as_given(p->request->options, path)));
  free(path);
  return pv_strdup(p->file.at[i]);
}

static LLVMValueRef number(const struct pass *p, uint64_t n) {
  return LLVMConstInt(p->i32, n, false);
}

/* The number of a new site at the instruction. */
static LLVMValueRef site_at(struct pass *p, LLVMValueRef at, char kind, uint64_t bytes) {
  unsigned n = 0;
  size_t length;
  const char *file = LLVMGetDebugLocFilename(at, &n);
  LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(at));
  const char *function = LLVMGetValueName2(f, &length);
  struct pv_native_site site = {.file = file_name(p, file, n),
                                .function = copy_of(function, (unsigned)length),
                                .line = LLVMGetDebugLocLine(at),
                                .column = LLVMGetDebugLocColumn(at),
                                .bytes = bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes,
                                .kind = kind};
  pv_vec_push(&p->sites, site);
  return number(p, p->sites.n - 1);
}

static LLVMValueRef text_of(struct pass *p, const char *text) {
  bool is_new;
  uint32_t i = *pv_map_put_str(&p->texts, text, p->text.n, &is_new);
  if (!is_new) return p->text.at[i];
  LLVMValueRef value = LLVMConstStringInContext2(p->ctx, text, strlen(text), false);
  LLVMValueRef global = LLVMAddGlobal(p->module, LLVMTypeOf(value), "");
  LLVMSetInitializer(global, value);
  LLVMSetLinkage(global, LLVMPrivateLinkage);
  LLVMSetGlobalConstant(global, true);
  pv_vec_push(&p->text, global);
  return global;
}

/* struct proviso_site of the runtime. */
static void add_table(struct pass *p) {
  LLVMTypeRef parts[] = {p->ptr, p->ptr, p->i32, p->i32, p->i8, p->i8, p->i8, p->i8, p->i32};
  enum { PARTS = sizeof parts / sizeof *parts };
  LLVMTypeRef type = LLVMStructTypeInContext(p->ctx, parts, PARTS, false);
  LLVMValueRef *rows = pv_alloc((p->sites.n + 1) * sizeof *rows);
  for (uint32_t i = 0; i < p->sites.n; i++) {
    const struct pv_native_site *s = &p->sites.at[i];
    LLVMValueRef row[PARTS] = {text_of(p, s->file),
                               text_of(p, s->function),
                               number(p, s->line),
                               number(p, s->column),
                               LLVMConstInt(p->i8, (uint8_t)s->kind, false),
                               LLVMConstInt(p->i8, s->order, false),
                               LLVMConstInt(p->i8, s->order_failed, false),
                               LLVMConstInt(p->i8, 0, false),
                               number(p, s->bytes)};
    rows[i] = LLVMConstStructInContext(p->ctx, row, PARTS, false);
  }
  rows[p->sites.n] = LLVMConstNull(type);
  LLVMValueRef all = LLVMConstArray2(type, rows, p->sites.n + 1);
  LLVMValueRef table = LLVMAddGlobal(p->module, LLVMTypeOf(all), "proviso_sites");
  LLVMSetInitializer(table, all);
  LLVMSetGlobalConstant(table, true);
  LLVMValueRef count = LLVMAddGlobal(p->module, p->i32, "proviso_site_count");
  LLVMSetInitializer(count, number(p, p->sites.n));
  LLVMSetGlobalConstant(count, true);
  free(rows);
}

/* struct proviso_object of the runtime: the global variables. */
static void add_objects(struct pass *p) {
  LLVMTypeRef parts[] = {p->ptr, p->ptr, p->i64};
  LLVMTypeRef type = LLVMStructTypeInContext(p->ctx, parts, 3, false);
  PV_VEC(LLVMValueRef) rows = {0};
  for (LLVMValueRef g = LLVMGetFirstGlobal(p->module); g; g = LLVMGetNextGlobal(g)) {
    size_t n;
    const char *name = LLVMGetValueName2(g, &n);
    if (!n || LLVMIsDeclaration(g) || LLVMIsGlobalConstant(g) || LLVMIsThreadLocal(g) ||
        strncmp(name, "llvm.", 5) == 0)
      continue;
    uint64_t bytes = LLVMABISizeOfType(p->layout, LLVMGlobalGetValueType(g));
    LLVMValueRef row[] = {text_of(p, name), g, LLVMConstInt(p->i64, bytes, false)};
    pv_vec_push(&rows, LLVMConstStructInContext(p->ctx, row, 3, false));
  }
  uint32_t n = rows.n;
  pv_vec_push(&rows, LLVMConstNull(type));
  LLVMValueRef all = LLVMConstArray2(type, rows.at, rows.n);
  LLVMValueRef table = LLVMAddGlobal(p->module, LLVMTypeOf(all), "proviso_objects");
  LLVMSetInitializer(table, all);
  LLVMSetGlobalConstant(table, true);
  LLVMValueRef count = LLVMAddGlobal(p->module, p->i32, "proviso_object_count");
  LLVMSetInitializer(count, number(p, n));
  LLVMSetGlobalConstant(count, true);
  pv_vec_free(&rows);
}

/* ---- calls of the runtime -----------------------------------------------------------------------
 */
static void place_before(struct pass *p, LLVMValueRef at) {
  LLVMPositionBuilderBefore(p->builder, at);
  LLVMSetCurrentDebugLocation2(p->builder, LLVMInstructionGetDebugLoc(at));
}

static void call(struct pass *p, const char *name, LLVMValueRef *args, unsigned n) {
  LLVMTypeRef types[4];
  for (unsigned i = 0; i < n; i++) types[i] = LLVMTypeOf(args[i]);
  LLVMTypeRef type = LLVMFunctionType(p->none, types, n, false);
  LLVMValueRef f = LLVMGetNamedFunction(p->module, name);
  if (!f) f = LLVMAddFunction(p->module, name, type);
  LLVMBuildCall2(p->builder, type, f, args, n, "");
}

static uint64_t bytes_of(const struct pass *p, LLVMTypeRef type) {
  return LLVMTypeIsSized(type) ? LLVMStoreSizeOfType(p->layout, type) : 0;
}

/* ---- what other threads cannot reach
 * --------------------------------------------------------------
 */
/* Does the address of the local variable stay in the function? */
static bool stays(LLVMValueRef address, unsigned depth) {
  if (depth > 8) return false;
  for (LLVMUseRef u = LLVMGetFirstUse(address); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (LLVMIsALoadInst(user)) continue;
    if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != address) continue;
    if (LLVMIsAIntrinsicInst(user)) continue;
    if ((LLVMIsAGetElementPtrInst(user) || LLVMIsABitCastInst(user)) && stays(user, depth + 1))
      continue;
    return false;
  }
  return true;
}

static bool is_private(LLVMValueRef address) {
  while (LLVMIsAGetElementPtrInst(address) || LLVMIsABitCastInst(address) ||
         (LLVMIsAConstantExpr(address) && LLVMGetConstOpcode(address) == LLVMGetElementPtr))
    address = LLVMGetOperand(address, 0);
  if (LLVMIsAAllocaInst(address)) return stays(address, 0);
  return LLVMIsAGlobalVariable(address) &&
         (LLVMIsGlobalConstant(address) || LLVMIsThreadLocal(address));
}

/* ---- instructions -------------------------------------------------------------------------------
 */
static uint8_t order_of(LLVMAtomicOrdering order) {
  switch (order) {
  case LLVMAtomicOrderingNotAtomic: return 0;
  case LLVMAtomicOrderingAcquire: return 2;
  case LLVMAtomicOrderingRelease: return 3;
  case LLVMAtomicOrderingAcquireRelease: return 4;
  case LLVMAtomicOrderingSequentiallyConsistent: return 5;
  default: return 1;
  }
}

static void tell_access(struct pass *p, LLVMValueRef i, LLVMValueRef address, LLVMTypeRef type,
                        char kind) {
  LLVMAtomicOrdering order = LLVMGetOrdering(i);
  if (!order_of(order) && is_private(address)) return;
  place_before(p, i);
  LLVMValueRef args[3] = {address, site_at(p, i, kind, bytes_of(p, type))};
  struct pv_native_site *site = &pv_vec_last(&p->sites);
  site->order = site->order_failed = order_of(order);
  if (LLVMIsAAtomicCmpXchgInst(i)) {
    site->order = order_of(LLVMGetCmpXchgSuccessOrdering(i));
    site->order_failed = order_of(LLVMGetCmpXchgFailureOrdering(i));
  }
  if (!site->order) {
    call(p, "proviso_access", args, 2);
    return;
  }
  call(p, "proviso_atomic", args, 2);
  LLVMValueRef next = LLVMGetNextInstruction(i);
  LLVMPositionBuilderBefore(p->builder, next);
  args[2] = number(p, kind != 'r');
  if (LLVMIsAAtomicCmpXchgInst(i))
    args[2] = LLVMBuildZExt(p->builder, LLVMBuildExtractValue(p->builder, i, 1, ""), p->i32, "");
  call(p, "proviso_atomic_done", args, 3);
}

static bool begins(const char *name, const char *with) {
  return strncmp(name, with, strlen(with)) == 0;
}

static bool is_section(const char *name) {
  return begins(name, "__VERIFIER_atomic_") && strcmp(name, "__VERIFIER_atomic_begin") != 0 &&
         strcmp(name, "__VERIFIER_atomic_end") != 0;
}

static void tell_block(struct pass *p, LLVMValueRef i, const char *name) {
  bool fills = begins(name, "llvm.memset.");
  if (!fills && !begins(name, "llvm.memcpy.") && !begins(name, "llvm.memmove.")) return;
  LLVMValueRef to = LLVMGetOperand(i, 0), from = LLVMGetOperand(i, 1);
  LLVMValueRef null = LLVMConstNull(p->ptr);
  bool to_told = !is_private(to), from_told = !fills && !is_private(from);
  if (!to_told && !from_told) return;
  place_before(p, i);
  LLVMValueRef n = LLVMBuildZExtOrBitCast(p->builder, LLVMGetOperand(i, 2), p->i64, "");
  LLVMValueRef args[] = {to_told ? to : null, from_told ? from : null, n, site_at(p, i, 'm', 0)};
  call(p, "proviso_block", args, 4);
}

/* ---- ends of local variables ---- */
static void tell_end(struct pass *p, LLVMValueRef before, LLVMValueRef variable) {
  uint64_t bytes = bytes_of(p, LLVMGetAllocatedType(variable));
  if (!bytes || LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(variable, 0))) > 64) return;
  if (!LLVMIsAConstantInt(LLVMGetOperand(variable, 0))) return; /* of variable length */
  bytes *= LLVMConstIntGetZExtValue(LLVMGetOperand(variable, 0));
  place_before(p, before);
  LLVMValueRef args[] = {variable, LLVMConstInt(p->i64, bytes, false), site_at(p, before, 'd', 0)};
  call(p, "proviso_ends", args, 3);
}

static bool is_lifetime_end(LLVMValueRef i) {
  size_t n;
  if (!LLVMIsACallInst(i) || !LLVMIsAFunction(LLVMGetCalledValue(i))) return false;
  const char *name = LLVMGetValueName2(LLVMGetCalledValue(i), &n);
  return begins(name, "llvm.lifetime.end");
}

/* Is its end marked? Then it may begin and end several times. */
static bool has_marks(LLVMValueRef variable) {
  for (LLVMUseRef u = LLVMGetFirstUse(variable); u; u = LLVMGetNextUse(u))
    if (is_lifetime_end(LLVMGetUser(u))) return true;
  return false;
}

/* The variables of the function that live up to its end. */
static void tell_ends(struct pass *p, LLVMValueRef at) {
  LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(at));
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(f);
  for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i))
    if (LLVMIsAAllocaInst(i) && !stays(i, 0) && !has_marks(i)) tell_end(p, at, i);
}

static void wrap(struct pass *p, LLVMValueRef i, LLVMValueRef callee, const char *name) {
  for (size_t k = 0; k < sizeof wrapped / sizeof *wrapped; k++) {
    if (strcmp(wrapped[k], name) != 0) continue;
    char *own = pv_format("proviso_%s", name);
    LLVMValueRef f = LLVMGetNamedFunction(p->module, own);
    if (!f) f = LLVMAddFunction(p->module, own, LLVMGlobalGetValueType(callee));
    LLVMSetOperand(i, (unsigned)LLVMGetNumOperands(i) - 1, f);
    free(own);
  }
}

static void change_section(struct pass *p, int by) {
  LLVMValueRef arg = LLVMConstInt(p->i32, (uint64_t)(int64_t)by, true);
  call(p, "proviso_section", &arg, 1);
}

static bool is_error(const char *name) {
  return !strcmp(name, "reach_error") || !strcmp(name, "__VERIFIER_error");
}

static void tell_error(struct pass *p, LLVMValueRef i) {
  place_before(p, i);
  LLVMValueRef site = site_at(p, i, 'x', 0);
  call(p, "proviso_reach", &site, 1);
}

static void tell_call(struct pass *p, LLVMValueRef i) {
  LLVMValueRef callee = LLVMGetCalledValue(i);
  size_t n;
  const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &n) : "";
  if (LLVMIsAInlineAsm(callee)) return;
  if (is_lifetime_end(i)) {
    LLVMValueRef variable = LLVMGetOperand(i, 1);
    if (LLVMIsAAllocaInst(variable) && !stays(variable, 0)) tell_end(p, i, variable);
    return;
  }
  if (LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee)) {
    tell_block(p, i, name);
    return;
  }
  bool defined = LLVMIsAFunction(callee) && !LLVMIsDeclaration(callee);
  if (defined && is_error(name)) tell_error(p, i);
  if (defined) return;
  bool is_wrapped = false;
  for (size_t k = 0; k < sizeof wrapped / sizeof *wrapped; k++)
    is_wrapped |= !strcmp(wrapped[k], name);
  if (!p->request->places && !is_wrapped && !begins(name, "__VERIFIER_atomic_")) return;
  if (begins(name, "__tsan") || begins(name, "__asan")) return;
  /* In the machine these are no operations. */
  if (!strcmp(name, "__VERIFIER_assume") || !strcmp(name, "assume_abort_if_not")) return;
  place_before(p, i);
  LLVMValueRef site = site_at(p, i, 'c', 0);
  if (!strcmp(name, "__VERIFIER_atomic_end")) change_section(p, -1);
  call(p, "proviso_call", &site, 1);
  if (is_wrapped && !defined) wrap(p, i, callee, name);
  if (strcmp(name, "__VERIFIER_atomic_begin") != 0) return;
  LLVMPositionBuilderBefore(p->builder, LLVMGetNextInstruction(i));
  change_section(p, 1);
}

static void tell_fence(struct pass *p, LLVMValueRef i) {
  place_before(p, i);
  LLVMValueRef site = site_at(p, i, 'f', 0);
  pv_vec_last(&p->sites).order = order_of(LLVMGetOrdering(i));
  call(p, "proviso_fence", &site, 1);
}

static void tell(struct pass *p, LLVMValueRef i, bool is_main, bool section) {
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMLoad: tell_access(p, i, LLVMGetOperand(i, 0), LLVMTypeOf(i), 'r'); break;
  case LLVMStore:
    tell_access(p, i, LLVMGetOperand(i, 1), LLVMTypeOf(LLVMGetOperand(i, 0)), 'w');
    break;
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    tell_access(p, i, LLVMGetOperand(i, 0), LLVMTypeOf(LLVMGetOperand(i, 1)), 'u');
    break;
  case LLVMCall:
  case LLVMInvoke: tell_call(p, i); break;
  case LLVMFence: tell_fence(p, i); break;
  case LLVMRet:
    tell_ends(p, i);
    place_before(p, i);
    if (is_main) call(p, "proviso_main_ends", NULL, 0);
    if (section) change_section(p, -1);
    break;
  default: break;
  }
}

static void tell_function(struct pass *p, LLVMValueRef f) {
  PV_VEC(LLVMValueRef) all = {0};
  size_t n;
  const char *name = LLVMGetValueName2(f, &n);
  bool section = is_section(name);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
      pv_vec_push(&all, i);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
    if (p->request->places && !strcmp(LLVMGetBasicBlockName(b), "ERROR") &&
        !LLVMIsAPHINode(LLVMGetFirstInstruction(b)))
      tell_error(p, LLVMGetFirstInstruction(b));
  for (uint32_t k = 0; k < all.n; k++) tell(p, all.at[k], !strcmp(name, "main"), section);
  pv_vec_free(&all);
  if (!section) return;
  LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetFirstBasicBlock(f));
  while (LLVMIsAAllocaInst(first) || LLVMIsAPHINode(first)) first = LLVMGetNextInstruction(first);
  place_before(p, first);
  LLVMMetadataRef subprogram = LLVMGetSubprogram(f);
  LLVMValueRef site = site_at(p, first, 'c', 0); /* the machine parks at the function's line */
  struct pv_native_site *s = &pv_vec_last(&p->sites);
  if (subprogram) {
    unsigned length = 0;
    const char *file = LLVMDIFileGetFilename(LLVMDIScopeGetFile(subprogram), &length);
    free(s->file);
    s->file = file_name(p, file, length);
    s->line = LLVMDISubprogramGetLine(subprogram);
    s->column = 0;
  }
  call(p, "proviso_call", &site, 1);
  change_section(p, 1);
}

/* ---- files --------------------------------------------------------------------------------------
 */
static LLVMModuleRef parse(LLVMContextRef ctx, const char *path, struct pv_str *err) {
  LLVMMemoryBufferRef buffer;
  LLVMModuleRef m = NULL;
  char *message = NULL;
  if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message) ||
      LLVMParseIRInContext(ctx, buffer, &m, &message)) {
    pv_str_addf(err, "%s: cannot be read: %s", path, message ? message : "");
    LLVMDisposeMessage(message);
    return NULL;
  }
  return m;
}

static enum pv_status link_all(struct pass *p, const struct pv_texts *paths, struct pv_str *err) {
  for (uint32_t i = 0; i < paths->n; i++) {
    LLVMModuleRef m = parse(p->ctx, paths->at[i], err);
    if (!m) return PV_E_INPUT;
    if (!p->module) {
      p->module = m;
    } else if (LLVMLinkModules2(p->module, m)) {
      pv_str_addf(err, "%s: cannot be linked with the other files", paths->at[i]);
      return PV_E_INPUT;
    }
  }
  return PV_OK;
}

/* Optimises before the pass: variables in registers are not accessed. What the source accesses is
 * still accessed, though an optimiser could leave it out. */
static void optimise(const struct pass *p) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMConsumeError(LLVMRunPasses(p->module, "function(sroa,early-cse,simplifycfg)", NULL, options));
  LLVMDisposePassBuilderOptions(options);
}

static enum pv_status run_pass(struct pass *p, struct pv_str *err) {
  char *message = NULL;
  LLVMValueRef start = LLVMGetNamedFunction(p->module, "main");
  if (!start || LLVMIsDeclaration(start)) {
    pv_str_add(err, "the program has no function `main`, where a native run begins");
    return PV_E_INPUT;
  }
  p->none = LLVMVoidTypeInContext(p->ctx);
  p->i8 = LLVMInt8TypeInContext(p->ctx);
  p->i32 = LLVMInt32TypeInContext(p->ctx);
  p->i64 = LLVMInt64TypeInContext(p->ctx);
  p->ptr = LLVMPointerTypeInContext(p->ctx, 0);
  p->builder = LLVMCreateBuilderInContext(p->ctx);
  p->layout = LLVMCreateTargetData(LLVMGetDataLayoutStr(p->module));
  if (!p->request->places) optimise(p);
  PV_VEC(LLVMValueRef) functions = {0};
  for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f)) pv_vec_push(&functions, f);
  for (uint32_t i = 0; i < functions.n; i++) tell_function(p, functions.at[i]);
  pv_vec_free(&functions);
  add_objects(p);
  add_table(p);
  bool broken = LLVMVerifyModule(p->module, LLVMReturnStatusAction, &message);
  if (broken) pv_str_addf(err, "internal error: the instrumented program is wrong: %s", message);
  LLVMDisposeMessage(message);
  return broken ? PV_E_INTERNAL : PV_OK;
}

static void clear(struct pass *p) {
  if (p->builder) LLVMDisposeBuilder(p->builder);
  if (p->layout) LLVMDisposeTargetData(p->layout);
  if (p->module) LLVMDisposeModule(p->module);
  LLVMContextDispose(p->ctx);
  for (uint32_t i = 0; i < p->sites.n; i++) {
    free(p->sites.at[i].file);
    free(p->sites.at[i].function);
  }
  pv_vec_free(&p->sites);
  pv_map_free(&p->texts);
  pv_vec_free(&p->text);
  for (uint32_t i = 0; i < p->file.n; i++) free(p->file.at[i]);
  pv_map_free(&p->files);
  pv_vec_free(&p->file);
}

/* ---- compiling and linking
 * ------------------------------------------------------------------------ */
static bool write_text(const char *path, const char *text, size_t n) {
  FILE *f = fopen(path, "wb");
  if (!f) return false;
  bool ok = fwrite(text, 1, n, f) == n;
  return fclose(f) == 0 && ok;
}

/* Runs the command, whose output goes to `log`. Returns its exit status, or -1. */
static int run(char *const *argv, const char *log) {
  posix_spawn_file_actions_t actions;
  pv_fe_log_child(&actions, log);
  pid_t child;
  int failed = posix_spawnp(&child, argv[0], &actions, NULL, argv, environ), status = 0;
  posix_spawn_file_actions_destroy(&actions);
  if (failed) return -1;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

struct build {
  const struct pv_native_request *request;
  const char *folder;
  struct pv_str *err;
  struct pv_texts words; /* of the command */
};

static void word(struct build *b, const char *text) {
  pv_vec_push(&b->words, text ? pv_strdup(text) : NULL);
}
static void file_word(struct build *b, const char *name) {
  pv_vec_push(&b->words, pv_format("%s/%s", b->folder, name));
}

static enum pv_status finish(struct build *b, bool clang, const char *what) {
  char *log = pv_format("%s/log", b->folder), *text = NULL;
  size_t n = 0;
  word(b, NULL);
  int rc =
      clang ? pv_fe_clang(b->words.at, &b->request->options->limits, log) : run(b->words.at, log);
  if (rc != 0) {
    pv_str_addf(b->err, "%s", what);
    if (clang && rc == PV_CLANG_STOPPED)
      pv_str_addf(b->err, ": `%s` did not end in time", b->words.at[0]);
    else if (rc < 0)
      pv_str_addf(b->err, ": `%s` cannot be run", b->words.at[0]);
    if (pv_read_file(log, 1 << 20, &text, &n, NULL) == PV_OK && n)
      pv_str_addf(b->err, "\n%s", text);
  }
  free(text);
  free(log);
  for (uint32_t i = 0; i < b->words.n; i++) free(b->words.at[i]);
  b->words.n = 0;
  return rc == 0 ? PV_OK : PV_E_INPUT;
}

/* Clang compiles a file of the folder. */
static enum pv_status compile(struct build *b, const char *source, const char *object,
                              bool sanitized, const char *level) {
  static const char *const flags[] = {"-g", "-w", "-c"};
  word(b, "clang-19");
  word(b, level);
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) word(b, flags[i]);
  if (sanitized && b->request->sanitizer)
    pv_vec_push(&b->words, pv_format("-fsanitize=%s", b->request->sanitizer));
  file_word(b, source);
  word(b, "-o");
  file_word(b, object);
  return finish(b, true, "the instrumented program does not compile");
}

/* gcc links: it brings the runtimes of the sanitizers. */
static enum pv_status link_objects(struct build *b, bool added) {
  const struct pv_native_request *r = b->request;
  bool is_cpp = false;
  for (uint32_t i = 0; i < r->options->files.n; i++) {
    const char *dot = strrchr(r->options->files.at[i], '.');
    is_cpp |= dot && (!strcmp(dot, ".cpp") || !strcmp(dot, ".cc") || !strcmp(dot, ".cxx"));
  }
  word(b, is_cpp ? "c++" : "cc");
  if (r->sanitizer) pv_vec_push(&b->words, pv_format("-fsanitize=%s", r->sanitizer));
  file_word(b, "program.o");
  file_word(b, "runtime.o");
  if (added) file_word(b, "added.o");
  word(b, "-pthread");
  word(b, "-lm");
  word(b, "-o");
  word(b, r->out);
  return finish(b, false, "the instrumented program cannot be linked");
}

static enum pv_status build_all(struct build *b, const struct pass *p) {
  const struct pv_native_request *r = b->request;
  char *program = pv_format("%s/program.bc", b->folder);
  char *runtime = pv_format("%s/runtime.c", b->folder);
  char *added = pv_format("%s/added.c", b->folder);
  struct pv_str text = {0};
  bool written = LLVMWriteBitcodeToFile(p->module, program) == 0 &&
                 write_text(runtime, pv_native_runtime.begin,
                            (size_t)(pv_native_runtime.end - pv_native_runtime.begin));
  if (r->add) r->add(r->user, p->sites.at, p->sites.n, &text);
  if (r->add) written &= write_text(added, pv_str_cstr(&text), text.n);
  enum pv_status st = written ? PV_OK : PV_E_INPUT;
  if (!written) pv_str_addf(b->err, "%s: cannot write: %s", b->folder, strerror(errno));
  if (st == PV_OK) st = compile(b, "program.bc", "program.o", true, r->places ? "-O0" : "-O2");
  if (st == PV_OK) st = compile(b, "runtime.c", "runtime.o", false, "-O2");
  if (st == PV_OK && r->add) st = compile(b, "added.c", "added.o", true, "-O0");
  if (st == PV_OK) st = link_objects(b, r->add != NULL);
  pv_str_free(&text);
  free(program);
  free(runtime);
  free(added);
  return st;
}

enum pv_status pv_instrument(const struct pv_native_request *request, struct pv_str *err) {
  char *folder = pv_fe_private_folder(request->options, err);
  if (!folder) return PV_E_INPUT;
  struct pv_texts paths = {0};
  struct pass p = {.request = request, .ctx = LLVMContextCreate()};
  struct build b = {.request = request, .folder = folder, .err = err};
  enum pv_status st = pv_fe_native(request->options, folder, request->sanitizer, &paths, err);
  if (st == PV_OK) st = link_all(&p, &paths, err);
  if (st == PV_OK) st = run_pass(&p, err);
  if (st == PV_OK) st = build_all(&b, &p);
  clear(&p);
  for (uint32_t i = 0; i < paths.n; i++) free(paths.at[i]);
  pv_vec_free(&paths);
  pv_vec_free(&b.words);
  pv_fe_remove_folder(folder);
  free(folder);
  return st;
}
