/* native.h -- execution of transitions as machine code, through LLVM's ORC JIT.
 *
 * The bytecode is translated, so that machine code and interpreter have the same semantics: each
 * function of the program that is executed often becomes one LLVM function; functions that became
 * hot at about the same time share a module. Machine code is entered at the beginning of a
 * function, at a loop head and after a call (`entry`). From anywhere else, for example from an
 * access at which the thread was parked, the interpreter continues to the next such place. Calls
 * and returns of the program go back to pv_native_run, which continues in the function of the new
 * top frame. So machine code never nests.
 *
 * The registers of a frame stay in the frame. Arithmetic, branches, and accesses through the page
 * cache (vm->tlb) are inline; everything else calls the functions of the interpreter. The code
 * contains addresses of the host only as constants generated here. It follows addresses of the
 * checked program only through the page cache, which contains only pages of live objects.
 *
 * Peeks, replays and invariants are always interpreted.
 *
 * Invariants: while machine code runs, vm->defer_park is set. Parking zeroes registers that machine
 * code may still use, so it is done after machine code has returned. Operations that neither read
 * nor write registers are declared so to LLVM; all others see the frame as the interpreter leaves
 * it.
 *
 * One module: vm, native (the machine owns its machine code, which calls the machine). */
#ifndef PV_NATIVE_H
#define PV_NATIVE_H

#include "vm/vm_internal.h"

/* Runs from frame->pc until the thread parks or leaves, like pv_run. Compiles hot functions
 * (vm->heat): once about as much time went into interpreting a function as its compilation
 * takes. So the total takes at most about twice the time of the better choice (the ski-rental
 * argument). Option `native-after` sets this point. If machine code cannot be generated,
 * vm->native_failure says why; functions that are not compiled are interpreted. The machine
 * must not move in memory. */
enum pv_outcome pv_native_run(struct pv_vm *vm);
void pv_native_free(struct pv_native *n); /* NULL is fine */

#endif
