/* frontend_internal.h -- shared by the files of frontend/ only.
 *
 * `struct pv_fe` is one loading of a program, `struct pv_fn` the lowering of one function. Values
 * of LLVM are lists of scalar components (`PV_MAX_PARTS` at most): structs, arrays and small
 * vectors held in registers are taken apart here and do not exist in the ir. */
#ifndef PV_FRONTEND_INTERNAL_H
#define PV_FRONTEND_INTERNAL_H

#include "frontend/frontend.h"
#include "frontend/old_c.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

enum { PV_MAX_PARTS = 32, PV_MAX_RESULTS = 4 };

struct pv_part { /* a scalar inside a type */
  pv_type type;
  uint64_t offset;
};

struct pv_stmt_table { /* statement starts of one file, by rising offset */
  PV_VEC(uint32_t) start;
  bool made;
};

struct pv_typedef {
  pv_srctype type, of;
};

struct pv_expr_info { /* of one expression, for folding */
  uint16_t size;      /* nodes of the tree, saturating */
  bool ub;            /* evaluating it may be undefined behaviour */
};

struct pv_fe {
  const struct pv_options *options;
  const struct pv_sched *sched;
  struct pv_program *p;
  struct pv_str *err;
  struct pv_str folded; /* see pv_fe_compile */
  struct pv_old_c old;
  LLVMContextRef ctx;
  LLVMModuleRef module;
  LLVMTargetDataRef layout;
  bool foreign; /* some of it is bitcode, or optimised: clang's names say nothing, and functions may
                   have been put in where they are called */
  bool all_c;   /* all inputs are C source */
  pv_type ptr, word;                        /* pointer, int of pointer width */
  struct pv_map function_of;                /* struct function_key -> index */
  struct pv_map global_of;                  /* LLVMValueRef -> index */
  PV_VEC(struct pv_source_function) source; /* by function index */
  PV_VEC(LLVMValueRef) global_source;       /* by global index */
  uint32_t functions_done, globals_done;
  const char *cannot_start; /* what the ir cannot express of what is there before the start: a
                               global's initialiser, assembly at file scope */
  PV_VEC(struct pv_expr_info) info;
  struct pv_map srctype_of, file_of, span_of, stmt_of, prim_of;
  PV_VEC(struct pv_stmt_table) statements; /* by file */
  PV_VEC(struct pv_typedef) typedefs;      /* to be filled when all types are known */
};

enum pv_source_kind {
  PV_SOURCE_BODY,   /* a definition in the module */
  PV_SOURCE_EXTERN, /* no body: calls go by name; its address is that of a stub */
  PV_SOURCE_REPORT, /* a stub before a defined error function: reports, then calls it */
  PV_SOURCE_OWN     /* made by the frontend */
};
struct pv_source_function {
  LLVMValueRef llvm;
  enum pv_source_kind kind;
  uint32_t body; /* REPORT: the definition's index */
};

/* ---- compile.c, link.c, start.c -------------------------------------------------------------- */
struct pv_fe_input { /* a source file to be compiled */
  const struct pv_options *options;
  uint32_t number;          /* in options->files */
  const char *folder, *out; /* a private folder; the bitcode, in it */
  bool with_invariants;     /* the user's invariants go behind it */
};
/* `folded` receives a line "file:line" for each constant expression whose overflow clang folded,
 * `old` what was taken as GCC takes it. */
enum pv_status pv_fe_compile(const struct pv_fe_input *in, struct pv_str *folded,
                             struct pv_old_c *old, struct pv_str *err);
/* Do clang's arguments ask for optimised code? */
bool pv_fe_optimises(const struct pv_options *o);
bool pv_fe_is_source(const char *file);  /* .c .i .cpp ... */
bool pv_fe_is_bitcode(const char *file); /* .ll .bc */
bool pv_fe_is_c(const char *file);
/* Loads, checks and links everything into fe->module. */
enum pv_status pv_fe_link(struct pv_fe *fe, const char *const *bitcode, const bool *trusted,
                          unsigned n);
enum pv_status pv_fe_make_start(struct pv_fe *fe);

/* ---- types.c, constants.c -------------------------------------------------------------------- */
/* The scalars of a type; false if the ir cannot hold it (then *what names the construct). */
bool pv_fe_flatten(struct pv_fe *fe, LLVMTypeRef t, struct pv_part *parts, unsigned *n,
                   const char **what);
/* The attribute of that name of a function, or of a call, at LLVM's index (0: the result, k + 1:
 * the k-th argument), or NULL. */
LLVMAttributeRef pv_fe_attribute(LLVMValueRef f, unsigned index, const char *name);
LLVMAttributeRef pv_fe_call_attribute(LLVMValueRef call, unsigned index, const char *name);
bool pv_fe_scalar(struct pv_fe *fe, LLVMTypeRef t, pv_type *out, const char **what);
/* Offset of getelementptr's constant part; calls `step` for each variable index. */
bool pv_fe_constant(struct pv_fe *fe, LLVMValueRef c, pv_expr *out, unsigned *n, const char **what);
uint32_t pv_fe_global(struct pv_fe *fe, LLVMValueRef g);
/* The function behind an address (a stub where there is no body). */
uint32_t pv_fe_function_address(struct pv_fe *fe, LLVMValueRef f);
uint32_t pv_fe_function_body(struct pv_fe *fe,
                             LLVMValueRef f); /* for direct calls of definitions */
uint32_t pv_fe_own_function(struct pv_fe *fe, const char *name);
void pv_fe_lower_global(struct pv_fe *fe, uint32_t index);
bool pv_fe_is_model(LLVMValueRef global);
/* The text of a constant C string that `e` points to; NULL if it is none. Caller frees. */
char *pv_fe_string(struct pv_fe *fe, pv_expr e);
LLVMValueRef pv_fe_strip(LLVMValueRef v); /* through aliases */
/* Number of address-taken blocks before `b` in its function. */
uint32_t pv_fe_label_number(LLVMBasicBlockRef b);
bool pv_fe_label_taken(LLVMBasicBlockRef b);
const struct pv_expr_info *pv_fe_info(struct pv_fe *fe, pv_expr e);
bool pv_fe_signature(struct pv_fe *fe, LLVMTypeRef type, struct pv_function *f, const char **what);

/* ---- debuginfo.c, statements.c --------------------------------------------------------------- */
uint32_t pv_fe_span(struct pv_fe *fe, LLVMMetadataRef file, unsigned line, unsigned column);
uint32_t pv_fe_span_of_location(struct pv_fe *fe, LLVMMetadataRef location);
uint32_t pv_fe_statement(struct pv_fe *fe, uint32_t function, uint32_t span);
struct pv_di_variable {
  const char *name;
  pv_srctype type;
  uint32_t span;
};
bool pv_fe_di_variable(struct pv_fe *fe, LLVMValueRef variable, struct pv_di_variable *out);
/* The address that a call of llvm.dbg.declare is about, or NULL; and what it says. Where only a
 * part of what is there is the variable (a structured binding) it has no type. */
LLVMValueRef pv_fe_declared_at(LLVMValueRef i);
LLVMValueRef pv_fe_declaration(LLVMValueRef a); /* of an alloca: that call, or NULL */
bool pv_fe_di_declared(struct pv_fe *fe, LLVMValueRef declare, struct pv_di_variable *out);
bool pv_fe_di_global(struct pv_fe *fe, LLVMValueRef global, struct pv_di_variable *out);
void pv_fe_finish_types(struct pv_fe *fe);
/* What a typedef stands for in the end; before pv_fe_finish_types its own entry is empty. */
pv_srctype pv_fe_typedef_target(struct pv_fe *fe, pv_srctype t);
/* The operand of a debug-information node; NULL if absent. */
LLVMValueRef pv_fe_di_operand(struct pv_fe *fe, LLVMMetadataRef node, unsigned i);
/* What a function returns, by the source; 0 if that is not known. */
pv_srctype pv_fe_di_returned(struct pv_fe *fe, LLVMValueRef function);
void pv_fe_di_function(struct pv_fe *fe, LLVMValueRef function, struct pv_function *f);

/* ---- one function ---------------------------------------------------------------------------- */
enum pv_block_kind {
  PV_BLOCK_PLAIN,
  PV_BLOCK_TRAP, /* nothing but llvm.ubsantrap(aux) */
  PV_BLOCK_TEST, /* phis and a branch on one of them: entered at its successors */
};
struct pv_block {
  LLVMBasicBlockRef llvm;
  enum pv_block_kind kind;
  unsigned trap;
  uint32_t leader; /* first block of the straight line it belongs to */
  pv_loc loc;
  bool shift; /* ends in the branch that opens a shift check (see pv_shift) */
};
struct pv_value {
  LLVMValueRef llvm;
  uint32_t at, n;        /* components in fn->parts */
  uint32_t remaining;    /* uses not lowered yet */
  bool known, ub, cross; /* lowered; undefined behaviour not evaluated yet; used in another line */
  bool promoted;      /* an alloca that became a variable, an address within one that was split */
  bool zeroed;        /* promoted: a result nobody looks at; zero until assigned */
  uint32_t var, init; /* promoted: the variable, its "is assigned" companion or PV_NO_VAR */
  uint32_t slot;      /* other static allocas, else UINT32_MAX */
};
struct pv_vla { /* vla.c: an array of variable length that ends with its block */
  LLVMValueRef array, save;
  uint32_t var; /* its address while it lives, else null */
};
/* What is done with a slot before some instruction, and another one (index, PV_NO_BEGINNING: none):
 * it begins (LIVE), or it is asked whether anybody holds its address (DEAD, HELD). */
struct pv_beginning {
  uint32_t slot, next;
  enum pv_op op;
  uint8_t flags;
  uint32_t span;    /* 0: the instruction's */
  const char *text; /* HELD: names the object */
};
#define PV_NO_BEGINNING UINT32_MAX

struct pv_jump { /* jumps.c: a call of setjmp */
  LLVMValueRef call;
  uint32_t marker, again; /* its slot; the variable of its branches */
  pv_loc back;            /* behind it */
};

struct pv_fn {
  struct pv_fe *fe;
  struct pv_program *p;
  LLVMValueRef llvm;
  uint32_t index;
  bool foreign;         /* fe->foreign, and no model */
  struct pv_function f; /* written back when finished: program->functions may move */
  struct pv_map value_of, block_of;
  PV_VEC(struct pv_value) values;
  PV_VEC(pv_expr) parts;
  PV_VEC(struct pv_block) blocks; /* in reverse postorder */
  PV_VEC(uint32_t) pending;       /* values of this line whose expressions may have to be saved */
  PV_VEC(bool) is_mutable;        /* by variable: assigned more than once */
  struct pv_map unassigned;       /* loads that may read an unassigned variable */
  PV_VEC(struct pv_vla) vlas;
  PV_VEC(struct pv_jump) jumps; /* none where nothing jumps */
  struct pv_map begins;         /* LLVMValueRef -> into beginnings, the last one */
  PV_VEC(struct pv_beginning) beginnings;
  pv_loc cur;
  bool dead; /* the rest of the line is not reached */
  uint32_t span, n_temps;
  uint32_t area;   /* variadic: the variable that holds the area's address */
  uint32_t single; /* the temporary made last, if it has exactly one use */
  uint32_t where;  /* the span of the condition that is branched on next, or 0 */
};

/* promote.c */
void pv_fn_analyse(struct pv_fn *fn);
/* lifetimes.c: to be called for each alloca when slots are made, and before each instruction is
 * lowered. declare: where the source declares it, or NULL. */
void pv_fn_place_life(struct pv_fn *fn, const struct pv_value *v, LLVMValueRef declare);
void pv_fn_begin_lifetimes(struct pv_fn *fn, LLVMValueRef before);
/* To be called when all slots are made: a proviso for bitcode that tells nothing of them. */
void pv_fn_find_lifetimes(struct pv_fn *fn);
/* To be called for a variable that some load may find unassigned. */
void pv_fn_may_be_stale(struct pv_fn *fn, const struct pv_value *v);
/* The alloca of a variable whose declaration this is (llvm.dbg.declare), where it is come to more
 * than once; else NULL. */
LLVMValueRef pv_fn_declares_anew(struct pv_fn *fn, LLVMValueRef i);
bool pv_fn_has_lifetime(LLVMValueRef a); /* promote.c: does clang mark the alloca's life? */
/* unset.c: the masks of the load's part at byte `at`, of a store that changes a bit-field */
void pv_fn_mark_load(struct pv_fn *fn, LLVMValueRef load, uint64_t at, struct pv_edge *e);
void pv_fn_mark_atomic(LLVMValueRef i, struct pv_edge *e);
void pv_fn_mark_store(struct pv_fn *fn, LLVMValueRef store, uint64_t at, struct pv_edge *e);
/* vla.c: to be called once before lowering, at the entry, after an alloca, for llvm.stackrestore.
 */
void pv_fn_find_vlas(struct pv_fn *fn);
void pv_fn_begin_vlas(struct pv_fn *fn);
void pv_fn_vla_allocated(struct pv_fn *fn, LLVMValueRef array, uint32_t address);
void pv_fn_stackrestore(struct pv_fn *fn, LLVMValueRef restore);
/* jumps.c: to be called before and after slots are made, at the entry, before and after each call.
 * pv_fn_setjmp lowers a call of setjmp, if the call is one that something may jump to. */
void pv_fn_find_jumps(struct pv_fn *fn);
void pv_fn_place_jumps(struct pv_fn *fn);
void pv_fn_begin_jumps(struct pv_fn *fn);
void pv_fn_may_come_back(struct pv_fn *fn);
bool pv_fn_setjmp(struct pv_fn *fn, LLVMValueRef call);
struct pv_shift { /* clang's check of `a << b`: exponent, then base */
  LLVMBasicBlockRef check, join, go_on;
  LLVMValueRef exponent, base; /* base: value at the join when coming from check */
};
bool pv_fn_shift(struct pv_fn *fn, LLVMBasicBlockRef b, struct pv_shift *s);

/* lower.c */
void pv_fe_lower_function(struct pv_fe *fe, uint32_t index);
void pv_fn_emit(struct pv_fn *fn, struct pv_edge e); /* at the current place */
/* With an observer automaton, a mark for it: "call f", "intrinsic memcpy", "label L"; labels also
 * with regions of mutual exclusion. */
void pv_fn_mark(struct pv_fn *fn, const char *kind, const char *name, size_t length);
/* The place of a condition, for the branch that comes next. */
void pv_fn_condition(struct pv_fn *fn, LLVMValueRef condition);
void pv_fn_assign(struct pv_fn *fn, uint32_t var, pv_expr e);
uint32_t pv_fn_temp(struct pv_fn *fn, pv_type t);
uint32_t pv_fn_variable(struct pv_fn *fn, const char *name, pv_type t, bool is_temp);
pv_expr pv_fn_var(struct pv_fn *fn, uint32_t var);
struct pv_value *pv_fn_find(struct pv_fn *fn, LLVMValueRef v);
struct pv_block *pv_fn_block(struct pv_fn *fn, LLVMBasicBlockRef b);
/* whole.c */
/* Or an array, or an integer of so many bytes that only clang makes it, to hold a structure. */
bool pv_fn_is_structure(LLVMTypeRef t);
/* The alloca and constant offset an address is built from; NULL if it is no such address. */
LLVMValueRef pv_fn_base_alloca(struct pv_fn *fn, LLVMValueRef v, uint64_t *offset);
struct pv_whole {    /* what an address points into */
  LLVMTypeRef type;  /* with unions as a whole, and no bit-fields */
  pv_srctype source; /* 0: not known; no typedef */
  uint64_t offset;   /* of the address, in bytes */
};
/* What the address points into, if that is a local or a global; else false. Of clang's copy of a
 * structure for a call it is what was copied. (The type of a pointer says nothing: what is read
 * through it may have another one.) */
bool pv_fn_whole(struct pv_fn *fn, LLVMValueRef address, struct pv_whole *whole);
/* The same of where a word of a structure is stored that was passed or returned: of what clang puts
 * together there it is where that is copied. */
bool pv_fn_stored(struct pv_fn *fn, LLVMValueRef address, struct pv_whole *whole);
/* The structure that a function called by name returns, whose word, or one of whose words, this is;
 * its source type is known. */
bool pv_fn_returned(struct pv_fn *fn, LLVMValueRef v, struct pv_whole *whole);
/* The parameter, in a function called by name, that gets what the load reads; else false. */
bool pv_fn_parameter(struct pv_fn *fn, LLVMValueRef load, struct pv_whole *whole);
/* The bits of members among the 128 from the byte `at` behind the address on; the others are
 * padding. */
pv_u128 pv_fn_members(struct pv_fn *fn, const struct pv_whole *whole, uint64_t at);
/* split.c: makes the structure a variable for each of its pieces, if nothing else sees it. */
bool pv_fn_split(struct pv_fn *fn, LLVMValueRef alloca);
/* vector.c: extracting an element, inserting one; shuffling */
void pv_fn_element(struct pv_fn *fn, LLVMValueRef i);
void pv_fn_shuffle(struct pv_fn *fn, LLVMValueRef i);
/* Is nothing but an element meant, which its user loads or the store behind that stores? */
bool pv_fn_loads_element(struct pv_fn *fn, LLVMValueRef load);
bool pv_fn_store_element(struct pv_fn *fn, LLVMValueRef store); /* false: nothing was done */
/* Components of an operand; counts as one use. */
unsigned pv_fn_operand(struct pv_fn *fn, LLVMValueRef v, pv_expr *out);
pv_expr pv_fn_scalar(struct pv_fn *fn, LLVMValueRef v);
void pv_fn_define(struct pv_fn *fn, LLVMValueRef v, const pv_expr *parts, unsigned n);
void pv_fn_define_vars(struct pv_fn *fn, LLVMValueRef v, const uint32_t *vars, unsigned n);
/* The path ends here because the ir cannot express `what`. */
void pv_fn_unsupported(struct pv_fn *fn, const char *what);
void pv_fn_stop(struct pv_fn *fn, enum pv_stop why, const char *text);
/* Saves every pending value whose undefined behaviour was not evaluated yet, except what `e`
 * evaluates. */
void pv_fn_flush(struct pv_fn *fn, const struct pv_edge *e);
/* Two-way branch: assumes cond and goes on in the true branch; the false one starts at the result.
 */
pv_loc pv_fn_branch(struct pv_fn *fn, pv_expr cond);
void pv_fn_goto(struct pv_fn *fn, pv_loc to);
pv_expr pv_fn_size(struct pv_fn *fn, uint64_t bytes); /* constant of pointer width */
void pv_fn_begin(struct pv_fn *fn, struct pv_fe *fe, uint32_t index);
void pv_fn_finish(struct pv_fn *fn);

void pv_fn_error_label(struct pv_fn *fn, LLVMValueRef at);

/* flow.c: terminators, phis */
void pv_fn_make_phis(struct pv_fn *fn, LLVMBasicBlockRef b);
void pv_fn_terminator(struct pv_fn *fn, LLVMValueRef i, LLVMBasicBlockRef *next);
/* lower_inst.c */
void pv_fn_instruction(struct pv_fn *fn, LLVMValueRef i);
/* Converts between scalar types by width (calls through mismatching prototypes). */
pv_expr pv_fn_convert(struct pv_fn *fn, pv_expr e, pv_type to);
/* formats.c: before a call of a function of the C library */
void pv_fn_check_format(struct pv_fn *fn, LLVMValueRef call, const char *name);
/* lower_call.c, intrinsics.c, externals.c */
void pv_fn_call(struct pv_fn *fn, LLVMValueRef i);
void pv_fn_intrinsic(struct pv_fn *fn, LLVMValueRef i, const char *name);
/* lower_assembly.c */
void pv_fn_assembly(struct pv_fn *fn, LLVMValueRef call, LLVMValueRef assembly);

struct pv_call { /* a call of a function without a body, by name */
  const char *name;
  const pv_expr *args;
  unsigned n_args;
  const pv_type *results;
  unsigned n_results;
  bool wanted;                  /* somebody reads the results */
  uint32_t dst[PV_MAX_RESULTS]; /* out: variables with the results (PV_NO_VAR: none made) */
};
void pv_fn_external(struct pv_fn *fn, struct pv_call *call);
/* Fills p->imports. */
void pv_fe_note_imports(struct pv_fe *fe);
bool pv_fe_is_error_function(const char *name);
/* Is the function one that is known by name, so that a model of it is not used? */
bool pv_fe_is_builtin(struct pv_fe *fe, const char *name);
/* What a float function computes, by its name with the C library's suffixes. */
bool pv_fe_math(const char *name, enum pv_math *math, unsigned *arity);
/* What the name is an alias of (`sscanf` for `__isoc99_sscanf`), by its prefix; NULL: of nothing.
 */
const char *pv_fe_plain_name(const char *name);
/* The definition in the module of what an undefined name is an alias of. */
LLVMValueRef pv_fe_alias_body(LLVMModuleRef module, const char *name);

#endif
