/* print_c_internal.h -- the parts of the C printer: names, expressions, edges, runtime.
 *
 * The printed program is one C file without includes, for gcc or clang, compiled with
 *   -std=gnu11 -fno-strict-aliasing -fwrapv -w -pthread   and linked with -lm.
 *
 * Translation into C:
 *  - An int of N bits is an unsigned C integer of 8, 16, 32, 64 or 128 bits (`u8` .. `u128`) that
 *    always holds the value zero-extended. Signed operations cast their operands, as in
 *    `(i32)x < (i32)y`. Results of odd width are masked. So printed arithmetic has no undefined
 *    behaviour that the ir does not have.
 *  - A pointer is a `ptr` (unsigned char *). AT(p, n) adds offsets to its integer value, so the
 *    compiler cannot assume anything about them. Memory is accessed through may_alias types
 *    without alignment, as in `*(m32 *)p`.
 *  - Locations are labels, and edges are statements. Locals keep their names where C allows it.
 *    Defined functions are `f_NAME` and globals `g_NAME`. All are static, so nothing collides with
 *    the C library. The runtime's own names begin with pv_. Functions without a definition are
 *    declared weak under `f_NAME` with their own link name.
 *  - A function of several results returns a struct. A defined variadic function takes the address
 *    of its argument area as a last parameter, as in the ir.
 *  - Addresses of labels are the addresses of the bytes of `l_FUNCTION`, because the ir only
 *    compares them.
 */
#ifndef PV_IR_PRINT_C_INTERNAL_H
#define PV_IR_PRINT_C_INTERNAL_H

#include "ir/print_internal.h"

struct pvc {
  const struct pv_program *p;
  struct pv_str *out;          /* the text being written */
  const struct pv_function *f; /* the function being written; NULL at file scope */
  bool *function_used, *global_used;
  char **function_name, **global_name;
  char **var_name, **slot_name; /* of f */
  struct pv_map taken;          /* every name of file scope */
  struct pv_map local_taken;
  struct pv_map needed;       /* pieces of the runtime */
  struct pv_map returns;      /* struct names of several results */
  struct pv_str return_types; /* their declarations */
  struct pv_map inputs;       /* "type text" of HAVOC edges */
  char **input_name;          /* by value of `inputs` */
  struct pv_str input_functions;
  struct pv_str last_place;
  const struct pv_c_weave *weave; /* NULL: the program as it is, to be executed */
  bool real_arguments;            /* main has the arguments of the printed program */
  char *unfit;                    /* why it cannot be woven; owned */
  bool sections;                  /* for verifiers: PV_IR_C_SECTIONS */
  bool tracked_heap;              /* the program asks for sizes of objects: the heap keeps a list */
  bool dynamic_frame;             /* f allocates objects of unknown size */
  bool constant_temps;         /* every temporary of f has a constant size: they are local arrays */
  struct pvc_threads *threads; /* print_c_threads.h; NULL: threads stay threads */
};

/* ---- print_c_names.c ------------------------------------------------------------------------- */
void pvc_names_begin(struct pvc *c);  /* functions and globals */
void pvc_locals_begin(struct pvc *c); /* variables and slots of c->f */
void pvc_locals_end(struct pvc *c);
void pvc_names_end(struct pvc *c);
char *pvc_unique(struct pvc *c, const char *prefix, const char *name); /* at file scope */
void pvc_reach(struct pvc *c); /* fills function_used and global_used from the start function */

/* ---- print_c_expr.c -------------------------------------------------------------------------- */
const char *pvc_type(pv_type type);   /* "u32", "ptr", "double", "void" */
unsigned pvc_container(pv_type type); /* bits of the C integer that holds an int type */
bool pvc_exact(pv_type type);         /* an int that fills its C integer */
void pvc_mask(pv_type type, struct pv_str *out);
void pvc_expr(struct pvc *c, pv_expr e, int outer);
void pvc_signed(struct pvc *c, pv_expr e, int outer); /* as a C signed integer of the same value */
void pvc_convert(struct pvc *c, pv_expr e, pv_type to); /* for calls against the prototype */
void pvc_load(struct pvc *c, pv_expr address, pv_type type, bool is_volatile);
/* "*(m32 *)p = " ... up to the value, which the caller prints before pvc_store_end. */
void pvc_store_begin(struct pvc *c, pv_expr address, pv_type type, bool is_volatile);
void pvc_store_end(struct pvc *c, pv_type type);

/* ---- print_c_call.c -------------------------------------------------------------------------- */
void pvc_call(struct pvc *c, const struct pv_edge *e);
void pvc_return(struct pvc *c, const struct pv_edge *e);
void pvc_prototype(struct pvc *c, uint32_t function, bool with_names);
void pvc_havoc(struct pvc *c, const struct pv_edge *e);
void pvc_prim(struct pvc *c, const struct pv_edge *e);
void pvc_assign(struct pvc *c, uint32_t var); /* "x = ", or "(void)" */

/* Appends a call of the function that gives any value of the type. */
void pvc_any_value(struct pvc *c, pv_type type);
/* Is it the model that makes up arguments for main? */
bool pvc_chooses_arguments(const struct pv_function *f);
/* Notes why the program cannot be woven. The first reason counts. */
void pvc_unfit(struct pvc *c, const char *what, const char *name);

/* ---- print_c_edge.c -------------------------------------------------------------------------- */
void pvc_edge(struct pvc *c, const struct pv_edge *e); /* as statements, without the jump */

/* ---- print_c_threads.c ----------------------------------------------------------------------- */
/* Prints the edge if it is a call of FairThreads, or an edge of a copy that is printed in another
 * way. false: it is neither. */
bool pvc_threads_edge(struct pvc *c, const struct pv_edge *e);
/* The function is printed as copies only. */
bool pvc_threads_copied(const struct pvc *c, uint32_t function);
/* The functions to which a call of FairThreads refers are reached by it, not through addresses. */
bool pvc_threads_reach(const struct pvc *c, const struct pv_edge *e, uint32_t *function);

/* ---- print_c_runtime.c ----------------------------------------------------------------------- */
void pvc_need(struct pvc *c, const char *piece);
bool pvc_has_prim(const char *name); /* the runtime has a piece for this primitive */
void pvc_runtime(const struct pvc *c, struct pv_str *out);

#endif
