/* native_internal.h -- between native.c, which sets up the JIT and drives its code, and
 * native_translate.c, which makes LLVM's ir from bytecode. */
#ifndef PV_NATIVE_INTERNAL_H
#define PV_NATIVE_INTERNAL_H

#include "vm/native.h"

#include <llvm-c/Core.h>

/* A compiled function: runs from `entry` until a call or return (PV_FLOW_JUMP, frame->pc tells
 * where to go on) or the end of the transition (PV_FLOW_LEAVE, vm->outcome and vm->deferred tell
 * how). */
typedef uint32_t (*pv_native_function)(struct pv_vm *vm, uint32_t entry);

enum { PV_NATIVE_NAME = 16 }; /* bytes of a function's name in the module: "f" and its number */

/* The instructions of a function stand together: from its entry up to the pc answered. */
uint32_t pv_native_end(const struct pv_code *code, uint32_t function);
/* Where the machine code of a function can be entered: by pc, the number that its switch knows the
 * place by is set in `entry`. */
void pv_native_entries(const struct pv_code *code, uint32_t function, uint32_t *entry);
/* Fills the module with these functions, named "f" and the number. */
void pv_native_translate(LLVMModuleRef module, const struct pv_vm *vm, const uint32_t *functions,
                         uint32_t n, const uint32_t *entry);

/* Called by machine code where the page cache has no answer. The value loaded is in vm->loaded. */
enum pv_flow pv_native_load(struct pv_vm *vm, const struct pv_edge *e, uint64_t address);
enum pv_flow pv_native_store(struct pv_vm *vm, const struct pv_edge *e, uint64_t address,
                             uint64_t low, uint64_t high);
uint32_t pv_native_late(struct pv_vm *vm); /* pv_out_of_time; then vm->outcome is PV_CUT */
void pv_native_park(struct pv_vm *vm);     /* at a loop head */
enum pv_flow pv_native_edge(struct pv_vm *vm, const struct pv_code_edge *ce);

#endif
