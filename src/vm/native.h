/* native.h -- transitions as machine code, through LLVM's ORC JIT.
 *
 * What is translated is the bytecode, so that machine code means what the interpreter means: one
 * LLVM function for each function of the program that is executed much; those that became so at
 * about the same time share a module. Machine code is entered at the
 * beginning of a function, at a loop head and behind a call (`entry`); everywhere else, for example
 * at an access that a thread was parked at, the interpreter runs on to the next such place. Calls
 * and returns of the program lead back to pv_native_run, which goes on in the function of the new
 * top frame: machine code nests one deep.
 *
 * Registers of the frame stay in the frame. Everything but arithmetic, branches and accesses
 * through the page cache (vm->tlb) calls what the interpreter calls. The code holds addresses of
 * the host only as constants made here, and follows no address of the checked program but through
 * the page cache, which names pages of live objects alone.
 *
 * Peeks, replays and invariants are always interpreted.
 *
 * Invariants: while machine code runs, vm->defer_park is set: parking zeroes registers that machine
 * code may still hold, and is done when it has returned. Operations that neither read nor write
 * registers are told to LLVM as such; all others see the frame as the interpreter leaves it.
 *
 * One module: vm, native (the machine owns its machine code, which calls the machine). */
#ifndef PV_NATIVE_H
#define PV_NATIVE_H

#include "vm/vm_internal.h"

/* Runs from frame->pc until the thread parks or leaves: what pv_run does. Functions that are hot
 * (vm->heat) are compiled on the way: once as much time went into interpreting one as compiling it
 * takes, so that nothing takes more than about twice the time of the better way (the ski-rental
 * argument); option `native-after` says when that is. Where there is no way to make machine code,
 * vm->native_failure says why, and what is not compiled stays interpreted. The machine must not
 * move in memory. */
enum pv_outcome pv_native_run(struct pv_vm *vm);
void pv_native_free(struct pv_native *n); /* NULL is fine */

#endif
