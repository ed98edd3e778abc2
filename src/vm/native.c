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
  uint32_t *entry;              /* by pc: 0 = interpreted up to the next one */
  pv_native_function *function; /* by function; NULL: not defined */
};

/* ---- what machine code calls ----------------------------------------------------------------- */
enum pv_flow pv_native_load(struct pv_vm *vm, const struct pv_edge *e, uint64_t address) {
  enum pv_flow flow = pv_run_load(vm, e, address, vm->loaded);
  if (flow != PV_FLOW_NEXT) return flow;
  vm->go = false;
  if (e->order == PV_ORDER_NONE) pv_tlb_fill(vm, address, false);
  return PV_FLOW_NEXT;
}

enum pv_flow pv_native_store(struct pv_vm *vm, const struct pv_edge *e, uint64_t address,
                             uint64_t low, uint64_t high) {
  uint64_t value[2] = {low, high};
  enum pv_flow flow = pv_run_store(vm, e, address, value);
  if (flow != PV_FLOW_NEXT) return flow;
  vm->go = false;
  if (e->order == PV_ORDER_NONE) pv_tlb_fill(vm, address, true);
  return PV_FLOW_NEXT;
}

uint32_t pv_native_late(struct pv_vm *vm) {
  if (!pv_out_of_time(vm)) return 0;
  vm->outcome = PV_CUT;
  return 1;
}

void pv_native_park(struct pv_vm *vm) {
  pv_run_park(vm, true);
}

/* Calls, returns, checks and questions leave alone how many threads there are and who reaches what;
 * what they begin and end, pv_comp_resize sees. */
static bool keeps_pages(const struct pv_edge *e) {
  return e->op == PV_OP_CALL || e->op == PV_OP_RETURN || e->op == PV_OP_CHECK ||
         e->op == PV_OP_ERROR || e->op == PV_OP_QUERY;
}

enum pv_flow pv_native_edge(struct pv_vm *vm, const struct pv_code_edge *ce) {
  enum pv_flow flow = pv_run_edge(vm, ce);
  if (!keeps_pages(ce->edge)) pv_tlb_flush(vm);
  if (flow != PV_FLOW_LEAVE) vm->go = false;
  return flow;
}

/* ---- running --------------------------------------------------------------------------------- */
static enum pv_flow run_function(struct pv_vm *vm, uint32_t pc) {
  uint32_t function = vm->code->edges.at[vm->code->where.at[pc]].function;
  vm->deferred = PV_DEFER_NONE;
  vm->defer_park = true;
  enum pv_flow flow = (enum pv_flow)vm->native->function[function](vm, vm->native->entry[pc]);
  vm->defer_park = false;
  if (vm->deferred != PV_DEFER_NONE) pv_run_park(vm, vm->deferred == PV_DEFER_LOCAL);
  return flow;
}

enum pv_outcome pv_native_run(struct pv_vm *vm) {
  enum pv_flow flow = PV_FLOW_JUMP;
  pv_tlb_flush(vm); /* another state, another thread */
  while (flow != PV_FLOW_LEAVE) {
    uint32_t pc = vm->frame->pc;
    if (vm->native->entry[pc]) {
      flow = run_function(vm, pc);
    } else {
      flow = pv_interpret(vm, vm->native->entry);
      pv_tlb_flush(vm);
    }
  }
  return vm->outcome;
}

/* ---- the JIT --------------------------------------------------------------------------------- */
static bool failed(LLVMErrorRef error, const char *what, struct pv_str *why) {
  if (!error) return false;
  char *message = LLVMGetErrorMessage(error);
  pv_str_addf(why, "%s: %s", what, message);
  LLVMDisposeErrorMessage(message);
  return true;
}

static void no_report(void *user, LLVMErrorRef error) { /* what matters comes back as a status */
  (void)user;
  LLVMConsumeError(error);
}

/* What LLVM does to the module: more than -O0 costs time that grows faster than the code. */
struct effort {
  uint32_t up_to; /* instructions of bytecode */
  const char *passes;
  LLVMCodeGenOptLevel level;
};
static const struct effort efforts[] = {
    {8000, "default<O2>", LLVMCodeGenLevelDefault},
    {60000, "default<O1>", LLVMCodeGenLevelLess},
    {UINT32_MAX, "function(sroa)", LLVMCodeGenLevelNone},
};

static const struct effort *effort_for(const struct pv_code *code) {
  const struct effort *e = efforts;
  while (code->insns.n > e->up_to) e++;
  return e;
}

/* For this processor; NULL with a reason where LLVM cannot make code for it. */
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
    machine = LLVMCreateTargetMachine(target, triple, cpu, features, level, LLVMRelocDefault,
                                      LLVMCodeModelJITDefault);
    if (!machine) pv_str_addf(why, "no target machine for %s", triple);
    LLVMDisposeMessage(cpu);
    LLVMDisposeMessage(features);
  }
  LLVMDisposeMessage(triple);
  return machine;
}

static bool optimise(LLVMModuleRef module, const struct effort *effort, struct pv_str *why) {
  LLVMTargetMachineRef machine = host_machine(effort->level, why);
  if (!machine) return false;
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMPassBuilderOptionsSetLoopVectorization(options, 0);
  LLVMPassBuilderOptionsSetSLPVectorization(options, 0);
  LLVMPassBuilderOptionsSetLoopUnrolling(options, 0);
  bool bad = failed(LLVMRunPasses(module, effort->passes, machine, options), "passes", why);
  LLVMDisposePassBuilderOptions(options);
  LLVMDisposeTargetMachine(machine);
  return !bad;
}

static bool create_jit(struct pv_native *n, const struct effort *effort, struct pv_str *why) {
  if (LLVMInitializeNativeTarget() || LLVMInitializeNativeAsmPrinter()) {
    pv_str_add(why, "LLVM makes no code for this machine");
    return false;
  }
  LLVMTargetMachineRef machine = host_machine(effort->level, why);
  if (!machine) return false;
  LLVMOrcLLJITBuilderRef builder = LLVMOrcCreateLLJITBuilder();
  LLVMOrcLLJITBuilderSetJITTargetMachineBuilder(
      builder, LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine(machine));
  if (failed(LLVMOrcCreateLLJIT(&n->jit, builder), "no JIT", why)) return false;
  LLVMOrcExecutionSessionSetErrorReporter(LLVMOrcLLJITGetExecutionSession(n->jit), no_report, NULL);
  return true;
}

/* Verifies (in debug builds), optimises and hands over the module. */
static bool add_module(struct pv_native *n, const struct pv_vm *vm, const struct effort *effort,
                       struct pv_str *why) {
  LLVMOrcThreadSafeContextRef context = LLVMOrcCreateNewThreadSafeContext();
  LLVMModuleRef module =
      LLVMModuleCreateWithNameInContext("program", LLVMOrcThreadSafeContextGetContext(context));
  LLVMSetTarget(module, LLVMOrcLLJITGetTripleString(n->jit));
  LLVMSetDataLayout(module, LLVMOrcLLJITGetDataLayoutStr(n->jit));
  pv_native_translate(module, vm, n->entry);
#ifndef NDEBUG
  char *broken = NULL;
  PV_REQUIRE(!LLVMVerifyModule(module, LLVMPrintMessageAction, &broken), "the module is broken");
  LLVMDisposeMessage(broken);
#endif
  bool good = optimise(module, effort, why);
  LLVMOrcThreadSafeModuleRef safe = LLVMOrcCreateNewThreadSafeModule(module, context);
  LLVMOrcDisposeThreadSafeContext(context); /* the module keeps it */
  if (!good) {
    LLVMOrcDisposeThreadSafeModule(safe);
    return false;
  }
  LLVMErrorRef error =
      LLVMOrcLLJITAddLLVMIRModule(n->jit, LLVMOrcLLJITGetMainJITDylib(n->jit), safe);
  return !failed(error, "the module is refused", why);
}

static bool look_up(struct pv_native *n, const struct pv_program *p, struct pv_str *why) {
  n->function = pv_alloc((p->functions.n + 1) * sizeof *n->function);
  for (uint32_t i = 0; i < p->functions.n; i++) {
    char name[PV_NATIVE_NAME];
    LLVMOrcExecutorAddress address = 0;
    if (!p->functions.at[i].defined) continue;
    snprintf(name, sizeof name, "f%u", i);
    if (failed(LLVMOrcLLJITLookup(n->jit, &address, name), "code", why)) return false;
    n->function[i] = (pv_native_function)(uintptr_t)address;
  }
  return true;
}

struct pv_native *pv_native_new(const struct pv_vm *vm, struct pv_str *why) {
  struct pv_native *n = pv_alloc(sizeof *n);
  const struct effort *effort = effort_for(vm->code);
  n->entry = pv_native_entries(vm->code);
  if (create_jit(n, effort, why) && add_module(n, vm, effort, why) && look_up(n, vm->program, why))
    return n;
  pv_native_free(n);
  return NULL;
}

void pv_native_free(struct pv_native *n) {
  if (!n) return;
  if (n->jit) LLVMConsumeError(LLVMOrcDisposeLLJIT(n->jit));
  free(n->entry);
  free(n->function);
  free(n);
}
