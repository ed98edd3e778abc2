/* native_internal.h -- the interface between native.c, which sets up the JIT and runs its code, and
 * native_translate.c, which generates LLVM IR from bytecode. */
#ifndef PV_NATIVE_INTERNAL_H
#define PV_NATIVE_INTERNAL_H

#include "vm/native.h"

#include <llvm-c/Core.h>

/* A compiled function. It runs from `entry` until a call or return (PV_FLOW_JUMP; frame->pc says
 * where to continue) or until the end of the transition (PV_FLOW_LEAVE; vm->outcome and
 * vm->deferred say how it ended). */
typedef uint32_t (*pv_native_function)(struct pv_vm *vm, uint32_t entry);

enum { PV_NATIVE_NAME = 16 }; /* bytes of a function's name in the module: "f" and its number */

/* The instructions of a function are contiguous: from its entry up to the pc returned, which is
 * excluded. */
uint32_t pv_native_end(const struct pv_code *code, uint32_t function);
/* Finds where the machine code of a function can be entered: sets entry[pc] to the number of that
 * place in the function's switch. */
void pv_native_entries(const struct pv_code *code, uint32_t function, uint32_t *entry);
/* Adds these functions to the module, named "f" and their number. */
void pv_native_translate(LLVMModuleRef module, const struct pv_vm *vm, const uint32_t *functions,
                         uint32_t n, const uint32_t *entry);

/* Called by machine code if the page cache misses. The loaded value is in vm->loaded. */
enum pv_flow pv_native_load(struct pv_vm *vm, const struct pv_edge *e, uint64_t address);
enum pv_flow pv_native_store(struct pv_vm *vm, const struct pv_edge *e, uint64_t address,
                             uint64_t low, uint64_t high);
uint32_t pv_native_late(struct pv_vm *vm); /* like pv_out_of_time; if true, vm->outcome is PV_CUT */
void pv_native_park(struct pv_vm *vm);     /* parks at a loop head */
enum pv_flow pv_native_edge(struct pv_vm *vm, const struct pv_code_edge *ce);

#endif
