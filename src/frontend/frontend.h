/* frontend.h -- translates C, C++, .i, .ll and .bc files into a pv_program.
 *
 * Runs clang 19 as a child process for each source file (unoptimised, with debug information),
 * links the bitcode and the models it needs (models/), and lowers LLVM to ir, keeping source names.
 * Nothing of the program is ever executed natively. */
#ifndef PV_FRONTEND_H
#define PV_FRONTEND_H

#include "base/options.h"
#include "ir/ir.h"
#include "sched/sched.h"

/* Loads options->files into one program. On PV_E_INPUT `err` holds a message for the user: one
 * line, then, after a compile error, clang's own output. Constructs that the ir cannot express
 * become STOP edges (unsupported), not errors. Caller frees *out with pv_program_free. sched: whose
 * primitives the program uses; NULL: option `scheduler` says it, and by default what the program
 * calls. */
enum pv_status pv_load(const struct pv_options *options, const struct pv_sched *sched,
                       struct pv_program **out, struct pv_str *err);
/* The same, but takes bitcode that `compiled` has (compiled.h), and adds what it compiles. */
struct pv_compiled;
enum pv_status pv_load_cached(const struct pv_options *options, const struct pv_sched *sched,
                              struct pv_compiled *compiled, struct pv_program **out,
                              struct pv_str *err);
/* The path as the user wrote it on the command line, if it is one of the inputs; else as it is.
 * Clang makes absolute paths relative to the current folder. Both are borrowed. */
const char *pv_fe_as_given(const struct pv_options *o, const char *path);

#endif
