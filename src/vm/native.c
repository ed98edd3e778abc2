#include "vm/native_internal.h"

#include <stdio.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/Error.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

struct pv_native {
  LLVMOrcLLJITRef jit;
  uint32_t *entry;              /* by pc: number of the entry; 0 = interpreted up to the next one */
  pv_native_function *function; /* by function; NULL: not compiled */
  struct pv_str report;         /* the first error that the JIT reported */
};

/* ---- functions for machine code -------------------------------------------------------------- */
enum pv_flow pv_native_load(struct pv_vm *vm, const struct pv_edge *e, uint64_t address) {
  enum pv_flow flow = pv_run_load(vm, e, address, vm->loaded);
  if (flow != PV_FLOW_NEXT) return flow;
  vm->go = PV_GO_NOT;
  if (vm->tainted) { /* executed; the interpreter continues */
    const struct pv_code_edge *ce = &vm->code->edges.at[vm->code->where.at[vm->frame->pc]];
    vm->regs[ce->d] = vm->loaded[0];
    if (pv_type_bits(e->type) > 64) vm->regs[ce->d + 1] = vm->loaded[1];
    vm->frame->pc++;
    return PV_FLOW_JUMP;
  }
  if (e->order == PV_ORDER_NONE) pv_tlb_fill(vm, address, false);
  return PV_FLOW_NEXT;
}

enum pv_flow pv_native_store(struct pv_vm *vm, const struct pv_edge *e, uint64_t address,
                             uint64_t low, uint64_t high) {
  uint64_t value[2] = {low, high};
  enum pv_flow flow = pv_run_store(vm, e, address, value);
  if (flow != PV_FLOW_NEXT) return flow;
  vm->go = PV_GO_NOT;
  if (e->order == PV_ORDER_NONE) pv_tlb_fill(vm, address, true);
  return PV_FLOW_NEXT;
}

uint32_t pv_native_late(struct pv_vm *vm) {
  if (!pv_out_of_time(vm)) return 0;
  vm->outcome = PV_CUT;
  return 1;
}

void pv_native_park(struct pv_vm *vm) {
  pv_run_park(vm, PV_STAND_LOCAL);
}

/* Does the operation keep the page cache valid? Calls, returns, checks and queries change neither
 * the number of threads nor the reachability of objects. pv_comp_resize handles objects that they
 * begin or end. */
static bool keeps_pages(const struct pv_edge *e) {
  return e->op == PV_OP_CALL || e->op == PV_OP_RETURN || e->op == PV_OP_CHECK ||
         e->op == PV_OP_ERROR || e->op == PV_OP_QUERY;
}

enum pv_flow pv_native_edge(struct pv_vm *vm, const struct pv_code_edge *ce) {
  enum pv_flow flow = pv_run_edge(vm, ce);
  if (!keeps_pages(ce->edge)) pv_tlb_flush(vm);
  if (flow != PV_FLOW_LEAVE) vm->go = PV_GO_NOT;
  if (flow == PV_FLOW_NEXT && vm->tainted) { /* the interpreter continues */
    vm->frame->pc++;
    return PV_FLOW_JUMP;
  }
  return flow;
}

/* ---- the JIT --------------------------------------------------------------------------------- */
static bool failed(LLVMErrorRef error, const char *what, struct pv_str *why) {
  if (!error) return false;
  char *message = LLVMGetErrorMessage(error);
  pv_str_addf(why, "%s: %s", what, message);
  LLVMDisposeErrorMessage(message);
  return true;
}

/* The JIT reports causes here; status codes only name what could not be built. */
static void keep_report(void *user, LLVMErrorRef error) {
  struct pv_str *report = user;
  char *message = LLVMGetErrorMessage(error);
  if (!report->n) pv_str_add(report, message);
  LLVMDisposeErrorMessage(message);
}

/* LLVM's passes over the module. Instruction selection and register allocation take most of the
 * time. Few passes pay off here: they move loop-invariant and repeated loads (registers of the
 * frame, fields of the page cache) out of loops. The other passes of -O2 double the time without a
 * gain. Large modules use the fast instruction selector, which takes a sixth of the time and
 * generates code of half the speed. */
struct effort {
  uint32_t up_to; /* instructions of bytecode */
  const char *passes;
  LLVMCodeGenOptLevel level;
};
static const struct effort efforts[] = {
    {4000, "function(sroa,early-cse<memssa>,simplifycfg,loop-simplify,lcssa,loop-mssa(licm),gvn)",
     LLVMCodeGenLevelLess},
    {UINT32_MAX, "function(sroa)", LLVMCodeGenLevelNone},
};

static const struct effort *effort_for(uint32_t size) {
  const struct effort *e = efforts;
  while (size > e->up_to) e++;
  return e;
}

/* The target machine for this processor; NULL with a reason if LLVM cannot generate code for it. */
static LLVMTargetMachineRef host_machine(LLVMCodeGenOptLevel level, struct pv_str *why) {
  LLVMTargetRef target;
  char *triple = LLVMGetDefaultTargetTriple(), *message = NULL;
  LLVMTargetMachineRef machine = NULL;
  if (LLVMGetTargetFromTriple(triple, &target, &message)) {
    pv_str_addf(why, "no target: %s", message);
    LLVMDisposeMessage(message);
  } else if (!LLVMTargetHasJIT(target)) {
    pv_str_addf(why, "LLVM has no JIT for %s", triple);
  } else {
    char *cpu = LLVMGetHostCPUName(), *features = LLVMGetHostCPUFeatures();
    machine = LLVMCreateTargetMachine(target, triple, cpu, features, level, LLVMRelocPIC,
                                      LLVMCodeModelJITDefault);
    if (!machine) pv_str_addf(why, "no target machine for %s", triple);
    LLVMDisposeMessage(cpu);
    LLVMDisposeMessage(features);
  }
  LLVMDisposeMessage(triple);
  return machine;
}

static bool create_jit(struct pv_native *n, struct pv_str *why) {
  if (LLVMInitializeNativeTarget() || LLVMInitializeNativeAsmPrinter()) {
    pv_str_add(why, "LLVM makes no code for this machine");
    return false;
  }
  if (failed(LLVMOrcCreateLLJIT(&n->jit, NULL), "no JIT", why)) return false;
  LLVMOrcExecutionSessionSetErrorReporter(LLVMOrcLLJITGetExecutionSession(n->jit), keep_report,
                                          &n->report);
  return true;
}

/* ---- compiling ------------------------------------------------------------------------------- */
struct batch { /* functions that are compiled together */
  PV_VEC(uint32_t) functions;
  uint32_t size; /* instructions of bytecode */
};

/* The module's machine code as an object file; NULL with a reason if it fails. */
static LLVMMemoryBufferRef generate(LLVMModuleRef module, LLVMTargetMachineRef machine,
                                    const struct effort *effort, struct pv_str *why) {
  LLVMMemoryBufferRef object = NULL;
  char *message = NULL;
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  bool bad = failed(LLVMRunPasses(module, effort->passes, machine, options), "passes", why);
  LLVMDisposePassBuilderOptions(options);
  if (!bad &&
      LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMObjectFile, &message, &object)) {
    pv_str_addf(why, "no code: %s", message);
    LLVMDisposeMessage(message);
    object = NULL;
  }
  return object;
}

static LLVMMemoryBufferRef compile(struct pv_native *n, const struct pv_vm *vm,
                                   const struct batch *batch, struct pv_str *why) {
  const struct effort *effort = effort_for(batch->size);
  LLVMTargetMachineRef machine = host_machine(effort->level, why);
  if (!machine) return NULL;
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef module = LLVMModuleCreateWithNameInContext("program", context);
  LLVMSetTarget(module, LLVMOrcLLJITGetTripleString(n->jit));
  LLVMSetDataLayout(module, LLVMOrcLLJITGetDataLayoutStr(n->jit));
  pv_native_translate(module, vm, batch->functions.at, batch->functions.n, n->entry);
#ifndef NDEBUG
  char *broken = NULL;
  PV_REQUIRE(!LLVMVerifyModule(module, LLVMPrintMessageAction, &broken), "the module is broken");
  LLVMDisposeMessage(broken);
#endif
  LLVMMemoryBufferRef object = generate(module, machine, effort, why);
  LLVMDisposeModule(module);
  LLVMContextDispose(context);
  LLVMDisposeTargetMachine(machine);
  return object;
}

static bool look_up(struct pv_native *n, const struct batch *batch, struct pv_str *why) {
  for (uint32_t i = 0; i < batch->functions.n; i++) {
    char name[PV_NATIVE_NAME];
    LLVMOrcExecutorAddress address = 0;
    snprintf(name, sizeof name, "f%u", batch->functions.at[i]);
    LLVMErrorRef error = LLVMOrcLLJITLookup(n->jit, &address, name);
    if (error && n->report.n) {
      LLVMConsumeError(error);
      pv_str_add(why, n->report.at);
      return false;
    }
    if (failed(error, "the code is not there", why)) return false;
    n->function[batch->functions.at[i]] = (pv_native_function)(uintptr_t)address;
  }
  return true;
}

/* Entries are numbered before the translation, which needs the numbers, but are used only from the
 * next transition on. After a failure no entry of the batch is used. */
static bool compile_batch(struct pv_native *n, const struct pv_vm *vm, const struct batch *batch,
                          struct pv_str *why) {
  for (uint32_t i = 0; i < batch->functions.n; i++)
    pv_native_entries(vm->code, batch->functions.at[i], n->entry);
  LLVMMemoryBufferRef object = compile(n, vm, batch, why);
  bool good =
      object &&
      !failed(LLVMOrcLLJITAddObjectFile(n->jit, LLVMOrcLLJITGetMainJITDylib(n->jit), object),
              "the code is refused", why) &&
      look_up(n, batch, why);
  for (uint32_t i = 0; i < batch->functions.n && !good; i++) {
    uint32_t f = batch->functions.at[i], first = vm->code->functions[f].entry;
    n->function[f] = NULL;
    memset(n->entry + first, 0, (pv_native_end(vm->code, f) - first) * sizeof *n->entry);
  }
  return good;
}

static void find_hot(const struct pv_vm *vm, struct batch *batch) {
  uint64_t enough = (uint64_t)vm->options->native_after;
  for (uint32_t f = 0; f < vm->program->functions.n; f++) {
    if (!vm->program->functions.at[f].defined) continue;
    if (vm->native && vm->native->function[f]) continue;
    uint32_t size = pv_native_end(vm->code, f) - vm->code->functions[f].entry;
    if (vm->heat[f] < enough * size) continue;
    pv_vec_push(&batch->functions, f);
    batch->size += size;
  }
}

static struct pv_native *native_new(const struct pv_vm *vm, struct pv_str *why) {
  struct pv_native *n = pv_alloc(sizeof *n);
  n->entry = pv_alloc((vm->code->insns.n + 1) * sizeof *n->entry);
  n->function = pv_alloc((vm->program->functions.n + 1) * sizeof *n->function);
  if (create_jit(n, why)) return n;
  pv_native_free(n);
  return NULL;
}

/* Compiles functions that are hot and not compiled yet. Returns false, with the reason in
 * vm->native_failure, if that fails. */
static bool warm_up(struct pv_vm *vm) {
  struct batch batch = {0};
  find_hot(vm, &batch);
  if (batch.functions.n && !vm->native) vm->native = native_new(vm, &vm->native_failure);
  bool good = !batch.functions.n ||
              (vm->native && compile_batch(vm->native, vm, &batch, &vm->native_failure));
  pv_vec_free(&batch.functions);
  return good;
}

/* ---- running --------------------------------------------------------------------------------- */
static enum pv_flow run_function(struct pv_vm *vm, uint32_t pc) {
  uint32_t function = vm->code->edges.at[vm->code->where.at[pc]].function;
  vm->deferred = PV_STAND_NOT;
  vm->defer_park = true;
  enum pv_flow flow = (enum pv_flow)vm->native->function[function](vm, vm->native->entry[pc]);
  vm->defer_park = false;
  if (vm->deferred != PV_STAND_NOT) pv_run_park(vm, vm->deferred);
  return flow;
}

/* Instructions between two searches for hot functions: some milliseconds. */
enum { LOOK = 1000000 };

static void look_for_hot(struct pv_vm *vm) {
  if (!vm->heat || vm->instructions < vm->native_look) return;
  vm->native_look = vm->instructions + LOOK;
  pv_registry_lock_compiler(vm);
  bool fine = warm_up(vm);
  pv_registry_unlock_compiler(vm);
  if (fine) return;
  free(vm->heat); /* machine code cannot be generated */
  vm->heat = NULL;
}

enum pv_outcome pv_native_run(struct pv_vm *vm) {
  enum pv_flow flow = PV_FLOW_JUMP;
  pv_tlb_flush(vm); /* for another state and another thread */
  while (flow != PV_FLOW_LEAVE) {
    uint32_t pc = vm->frame->pc;
    look_for_hot(vm);
    pv_taint_look(vm);
    if (vm->native && vm->native->entry[pc] && !vm->tainted) {
      flow = run_function(vm, pc);
    } else {
      flow = pv_interpret(vm, vm->native ? vm->native->entry : NULL, LOOK);
      pv_tlb_flush(vm);
    }
  }
  return vm->outcome;
}

void pv_native_free(struct pv_native *n) {
  if (!n) return;
  if (n->jit) LLVMConsumeError(LLVMOrcDisposeLLJIT(n->jit));
  free(n->entry);
  free(n->function);
  pv_str_free(&n->report);
  free(n);
}
