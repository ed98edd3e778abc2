/* frontend_internal.h -- declarations that only the files of frontend/ share.
 *
 * `struct pv_fe` is the state of loading one program, `struct pv_fn` that of lowering one function.
 * A value of LLVM is a list of at most `PV_MAX_PARTS` scalar components: structures, arrays and
 * small vectors in registers are split here and do not exist in the ir. A *line* is a sequence of
 * basic blocks that are always executed one after the other. */
#ifndef PV_FRONTEND_INTERNAL_H
#define PV_FRONTEND_INTERNAL_H

#include "frontend/frontend.h"
#include "frontend/native.h"
#include "frontend/old_c.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

enum { PV_MAX_PARTS = 32, PV_MAX_RESULTS = 4 };

struct pv_part { /* a scalar inside a type */
  pv_type type;
  uint64_t offset;
};

struct pv_stmt_table { /* the positions where statements of one file start, sorted by offset */
  PV_VEC(uint32_t) start;
  bool made;
};

struct pv_typedef {
  pv_srctype type, of;
};

struct pv_expr_info { /* facts about one expression, for folding */
  uint16_t size;      /* number of nodes of the tree, saturating */
  bool ub;            /* its evaluation may be undefined behaviour */
};

/* Expressions of the user that engines look at in every state: the invariants, then the
 * propositions of formulas. Each becomes a function (pv_program.invariants). */
struct pv_watched {
  struct pv_texts text;
  uint32_t invariants; /* the number of the invariants */
};
static inline const char *pv_watched_option(const struct pv_watched *w, uint32_t i) {
  return i < w->invariants ? "--invariant" : "--ap";
}

struct pv_fe {
  struct pv_watched watched;
  struct pv_compiled *compiled; /* borrowed, or NULL */
  const struct pv_options *options;
  const struct pv_sched *sched;
  struct pv_program *p;
  struct pv_str *err;
  struct pv_str folded; /* see pv_fe_compile */
  struct pv_old_c old;
  LLVMContextRef ctx;
  LLVMModuleRef module;
  LLVMTargetDataRef layout;
  /* Some inputs are bitcode or optimised: clang's naming conventions do not hold, and functions
   * may have been inlined. */
  bool foreign;
  bool all_c;                               /* all inputs are C source */
  bool has_cancel, has_cleanup;             /* as in models/file_use.c */
  pv_type ptr, word;                        /* pointer, int of pointer width */
  struct pv_map function_of;                /* struct function_key -> index */
  struct pv_map global_of;                  /* LLVMValueRef -> index */
  PV_VEC(struct pv_source_function) source; /* by function index */
  PV_VEC(LLVMValueRef) global_source;       /* by global index */
  uint32_t functions_done, globals_done;
  uint32_t undefined; /* the function that chooses variables without a definition, or PV_NO_FUNC */
  /* A construct before the start that the ir cannot express (a global's initialiser, assembly at
   * file scope), or NULL. */
  const char *cannot_start;
  PV_VEC(struct pv_expr_info) info;
  struct pv_map srctype_of, file_of, span_of, stmt_of, prim_of;
  PV_VEC(struct pv_stmt_table) statements; /* by file */
  PV_VEC(struct pv_typedef) typedefs;      /* filled when all types are known */
};

enum pv_source_kind {
  PV_SOURCE_BODY,   /* a definition in the module */
  PV_SOURCE_EXTERN, /* no body: calls are lowered by name; its address is that of a stub */
  /* A stub for an error function that the program defines: reports the error, then calls the
   * definition. */
  PV_SOURCE_REPORT,
  PV_SOURCE_OWN /* created by the frontend */
};
struct pv_source_function {
  LLVMValueRef llvm;
  enum pv_source_kind kind;
  uint32_t body; /* REPORT: the index of the definition */
};

/* ---- compile.c, link.c, start.c -------------------------------------------------------------- */
struct pv_fe_input { /* a source file to be compiled */
  const struct pv_options *options;
  uint32_t number;                  /* in options->files */
  const char *folder, *out;         /* a private folder, and the path of the bitcode in it */
  const struct pv_watched *watched; /* append these expressions to this file; NULL: none */
  bool native;                  /* for native execution: without our headers, and without checks */
  const char *sanitizer;        /* native: what -fsanitize= gets; NULL: nothing */
  struct pv_compiled *compiled; /* bitcode of earlier compilations; NULL: none is kept */
};
/* Compiles one input to bitcode. Appends to `folded` a line "file:line" for each constant
 * expression whose overflow clang folded, and to `old` what was translated as GCC translates it. */
enum pv_status pv_fe_compile(const struct pv_fe_input *in, struct pv_str *folded,
                             struct pv_old_c *old, struct pv_str *err);
bool pv_fe_write_file(const char *path, const char *text, size_t n);
/* PV_E_INPUT, with a message, if the file does not exist or is a directory. */
enum pv_status pv_fe_check_readable(const char *file, struct pv_str *err);
/* Do clang's arguments ask for optimised code? */
bool pv_fe_optimises(const struct pv_options *o);
bool pv_fe_is_source(const char *file);  /* .c .i .cpp ... */
bool pv_fe_is_bitcode(const char *file); /* .ll .bc */
bool pv_fe_is_c(const char *file);
/* C++ with SystemC: it includes its header, directly or by its own headers, or --scheduler says so.
 */
bool pv_fe_is_systemc(const char *file, const struct pv_options *o);
/* Waits for a child process. One that hangs is killed when the time is over, or on an interrupt: it
 * may be stopped, so that a limit on CPU time does not end it. false: it cannot be waited for. */
bool pv_fe_wait(pid_t child, const struct pv_limits *limits, int *status);
/* Loads and checks all bitcode, and links it into fe->module. */
enum pv_status pv_fe_link(struct pv_fe *fe, const char *const *bitcode, const bool *trusted,
                          unsigned n);
enum pv_status pv_fe_make_start(struct pv_fe *fe);
/* overflow_checks.c: makes plain operations of those that clang's sanitizer checks for signed
 * overflow, but for operations on constants, whose checks become edges. */
void pv_fe_drop_overflow_checks(LLVMModuleRef m);

/* ---- undefined.c ----------------------------------------------------------------------------- */
/* May the program have variables without a definition that become inputs? */
bool pv_fe_may_have_undefined(struct pv_fe *fe);
/* Call it when the program is lowered: makes the body of the function, which the start calls
 * first. It chooses the inputs. PV_NO_FUNC: there are none. */
void pv_fe_choose_undefined(struct pv_fe *fe, uint32_t function);

/* ---- types.c, constants.c -------------------------------------------------------------------- */
/* Lists the scalars of a type. Returns false if the ir cannot represent it; *what then names the
 * construct. */
bool pv_fe_flatten(struct pv_fe *fe, LLVMTypeRef t, struct pv_part *parts, unsigned *n,
                   const char **what);
/* The attribute of that name of a function or a call, or NULL. `index` is LLVM's: 0 for the result,
 * k + 1 for the k-th argument. */
LLVMAttributeRef pv_fe_attribute(LLVMValueRef f, unsigned index, const char *name);
LLVMAttributeRef pv_fe_call_attribute(LLVMValueRef call, unsigned index, const char *name);
/* The one scalar that a type is; else false, as above. */
bool pv_fe_scalar(struct pv_fe *fe, LLVMTypeRef t, pv_type *out, const char **what);
/* The scalars of a constant, at most PV_MAX_PARTS. Returns false if the ir cannot represent it. */
bool pv_fe_constant(struct pv_fe *fe, LLVMValueRef c, pv_expr *out, unsigned *n, const char **what);
uint32_t pv_fe_global(struct pv_fe *fe, LLVMValueRef g);
/* The function whose address it is (a stub if it has no body). */
uint32_t pv_fe_function_address(struct pv_fe *fe, LLVMValueRef f);
/* The function for a direct call of a definition. */
uint32_t pv_fe_function_body(struct pv_fe *fe, LLVMValueRef f);
uint32_t pv_fe_own_function(struct pv_fe *fe, const char *name);
void pv_fe_lower_global(struct pv_fe *fe, uint32_t index);
bool pv_fe_is_model(LLVMValueRef global);
/* The constant C string that `e` points to, or NULL. The caller frees it. */
char *pv_fe_string(struct pv_fe *fe, pv_expr e);
LLVMValueRef pv_fe_strip(LLVMValueRef v); /* resolves aliases */
/* The number of address-taken blocks before `b` in its function. */
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
/* The address that a call of llvm.dbg.declare describes, or NULL; and its variable, name and type.
 * If the variable is only a part of the object there (a structured binding), it has no type. */
LLVMValueRef pv_fe_declared_at(LLVMValueRef i);
LLVMValueRef pv_fe_declaration(LLVMValueRef a); /* the llvm.dbg.declare of an alloca, or NULL */
bool pv_fe_di_declared(struct pv_fe *fe, LLVMValueRef declare, struct pv_di_variable *out);
bool pv_fe_di_global(struct pv_fe *fe, LLVMValueRef global, struct pv_di_variable *out);
void pv_fe_finish_types(struct pv_fe *fe);
/* The type that a typedef finally stands for. Its own entry is empty before pv_fe_finish_types. */
pv_srctype pv_fe_typedef_target(struct pv_fe *fe, pv_srctype t);
/* The operand of a debug-information node; NULL if absent. */
LLVMValueRef pv_fe_di_operand(struct pv_fe *fe, LLVMMetadataRef node, unsigned i);
/* The return type of a function in the source; 0 if it is not known. */
pv_srctype pv_fe_di_returned(struct pv_fe *fe, LLVMValueRef function);
void pv_fe_di_function(struct pv_fe *fe, LLVMValueRef function, struct pv_function *f);

/* ---- one function ---------------------------------------------------------------------------- */
enum pv_block_kind {
  PV_BLOCK_PLAIN,
  PV_BLOCK_TRAP, /* contains only llvm.ubsantrap(aux) */
  /* Contains only phis and a branch on one of them; predecessors are connected directly to its
   * successors. */
  PV_BLOCK_TEST,
};
struct pv_block {
  LLVMBasicBlockRef llvm;
  enum pv_block_kind kind;
  unsigned trap;
  uint32_t leader; /* the first block of its line */
  pv_loc loc;
  bool shift; /* ends in the branch that starts a shift check (see pv_shift) */
};
struct pv_lowered_value {
  LLVMValueRef llvm;
  uint32_t at, n;     /* components in fn->parts */
  uint32_t remaining; /* uses that are not lowered yet */
  bool known;         /* it is lowered */
  bool ub;            /* its undefined behaviour is not evaluated yet */
  bool cross;         /* it is used in another line */
  /* An alloca that became a variable, or an address inside one that was split. */
  bool promoted;
  bool zeroed; /* promoted: a result that is never used; zero until it is assigned */
  /* promoted: the variable; the variable that says whether it is assigned, or PV_NO_VAR. */
  uint32_t var, init;
  uint32_t slot; /* other static allocas: their slot; else UINT32_MAX */
};
struct pv_vla { /* vla.c: an array of variable length that ends with its block */
  LLVMValueRef array, save;
  uint32_t var; /* its address while it is alive, else null */
};
/* What to do with a slot before an instruction: begin its lifetime (LIVE), or test whether its
 * address is still held (DEAD with HELD). `next` is the index of another one for the same
 * instruction, or PV_NO_BEGINNING. */
struct pv_beginning {
  uint32_t slot, next;
  enum pv_op op;
  uint8_t flags;
  uint32_t span;    /* 0: that of the instruction */
  const char *text; /* HELD: names the object */
};
#define PV_NO_BEGINNING UINT32_MAX

struct pv_jump { /* jumps.c: a call of setjmp */
  LLVMValueRef call;
  bool for_handlers;      /* it belongs to a pthread_cleanup_push */
  uint32_t marker, again; /* its slot; the variable that its branches test */
  pv_loc back;            /* the location after it */
};

struct pv_fn {
  struct pv_fe *fe;
  struct pv_program *p;
  LLVMValueRef llvm;
  uint32_t index;
  bool foreign;         /* fe->foreign, and the function is not a model */
  struct pv_function f; /* stored back when it is finished, because program->functions may move */
  struct pv_map value_of, block_of;
  PV_VEC(struct pv_lowered_value) values;
  PV_VEC(pv_expr) parts;
  PV_VEC(struct pv_block) blocks; /* in reverse postorder */
  /* Values of this line whose expressions may have to be saved in temporaries. */
  PV_VEC(uint32_t) pending;
  PV_VEC(bool) is_mutable;  /* by variable: assigned more than once */
  struct pv_map unassigned; /* loads that may read an unassigned variable */
  PV_VEC(struct pv_vla) vlas;
  PV_VEC(struct pv_jump) jumps; /* empty if the program has no longjmp */
  struct pv_map begins;         /* LLVMValueRef -> index of its last entry in `beginnings` */
  PV_VEC(struct pv_beginning) beginnings;
  pv_loc cur;
  bool dead; /* the rest of the line is unreachable */
  uint32_t span, n_temps;
  uint32_t area;   /* variadic: the variable with the address of the variadic area */
  uint32_t single; /* the last temporary made, if it has exactly one use */
  uint32_t where;  /* the span of the condition of the next branch, or 0 */
};

/* promote.c */
void pv_fn_analyse(struct pv_fn *fn);
/* lifetimes.c: call it for each alloca after slots are created, and before each instruction is
 * lowered. declare: its declaration in the source, or NULL. */
void pv_fn_place_lifetime(struct pv_fn *fn, const struct pv_lowered_value *v, LLVMValueRef declare);
void pv_fn_begin_lifetimes(struct pv_fn *fn, LLVMValueRef before);
/* Call it after all slots are created: adds a proviso for bitcode without any information
 * about lifetimes. */
void pv_fn_note_unknown_lifetimes(struct pv_fn *fn);
/* Finds the loads that may read an unassigned variable: fn->unassigned (assigned.c). */
void pv_fn_find_unassigned(struct pv_fn *fn);
/* Is it a marker of a variable's lifetime? *start: of its begin (promote.c). */
bool pv_fe_is_lifetime(LLVMValueRef i, bool *start);
/* Call it for a variable that some load may read unassigned. */
void pv_fn_may_be_stale(struct pv_fn *fn, const struct pv_lowered_value *v);
/* The alloca of the variable that this instruction declares (llvm.dbg.declare), if it may be
 * executed more than once; else NULL. */
LLVMValueRef pv_fn_declares_anew(struct pv_fn *fn, LLVMValueRef i);
bool pv_fn_has_lifetime(LLVMValueRef a); /* promote.c: does clang mark the alloca's life? */
/* unset.c: sets the masks of padding for the part of a load at byte `at`, and for a store that
 * changes a bit-field */
void pv_fn_mark_load(struct pv_fn *fn, LLVMValueRef load, uint64_t at, struct pv_edge *e);
void pv_fn_mark_atomic(LLVMValueRef i, struct pv_edge *e);
void pv_fn_mark_store(struct pv_fn *fn, LLVMValueRef store, uint64_t at, struct pv_edge *e);
/* vla.c: call it once before lowering, at the entry, after an alloca, and for
 * llvm.stackrestore. */
void pv_fn_find_vlas(struct pv_fn *fn);
void pv_fn_begin_vlas(struct pv_fn *fn);
void pv_fn_vla_allocated(struct pv_fn *fn, LLVMValueRef array, uint32_t address);
void pv_fn_stackrestore(struct pv_fn *fn, LLVMValueRef restore);
/* jumps.c: call it before and after slots are created, at the entry, and before and after each
 * call. pv_fn_setjmp lowers a call of setjmp if some longjmp may return to it. */
void pv_fn_find_jumps(struct pv_fn *fn);
void pv_fn_place_jumps(struct pv_fn *fn);
void pv_fn_begin_jumps(struct pv_fn *fn);
void pv_fn_may_come_back(struct pv_fn *fn);
bool pv_fn_setjmp(struct pv_fn *fn, LLVMValueRef call);
struct pv_shift { /* clang's check of `a << b`: first of the exponent, then of the base */
  LLVMBasicBlockRef check, join, go_on;
  /* base: the value of the phi at the join for the edge from `check`. */
  LLVMValueRef exponent, base;
};
bool pv_fn_shift(struct pv_fn *fn, LLVMBasicBlockRef b, struct pv_shift *s);

/* lower.c */
void pv_fe_lower_function(struct pv_fe *fe, uint32_t index);
void pv_fn_emit(struct pv_fn *fn, struct pv_edge e); /* adds an edge at the current location */
/* Adds a mark for observer automata, if there are any: "call f", "intrinsic memcpy", "label L".
 * Labels are also marked for regions of mutual exclusion. */
void pv_fn_mark(struct pv_fn *fn, const char *kind, const char *name, size_t length);
/* Sets the source position of the condition for the next branch. */
void pv_fn_condition(struct pv_fn *fn, LLVMValueRef condition);
void pv_fn_assign(struct pv_fn *fn, uint32_t var, pv_expr e);
uint32_t pv_fn_temp(struct pv_fn *fn, pv_type t);
uint32_t pv_fn_variable(struct pv_fn *fn, const char *name, pv_type t, bool is_temp);
pv_expr pv_fn_var(struct pv_fn *fn, uint32_t var);
struct pv_lowered_value *pv_fn_find(struct pv_fn *fn, LLVMValueRef v);
struct pv_block *pv_fn_block(struct pv_fn *fn, LLVMBasicBlockRef b);
/* whole.c */
/* Is it a structure, an array, or an integer of a width that clang uses only to hold a
 * structure? */
bool pv_fn_is_structure(LLVMTypeRef t);
/* The alloca that an address is a constant offset from, with the offset; NULL if there is none. */
LLVMValueRef pv_fn_base_alloca(struct pv_fn *fn, LLVMValueRef v, uint64_t *offset);
struct pv_whole {    /* the object that an address points into */
  LLVMTypeRef type;  /* with unions as a whole, without bit-fields */
  pv_srctype source; /* 0: not known; never a typedef */
  uint64_t offset;   /* of the address in the object, in bytes */
};
/* Finds the object that an address points into, if that is a local or a global; else returns false.
 * For clang's copy of a structure for a call, it is the original. (The type of the pointer does not
 * tell, because memory may be read with another type.) */
bool pv_fn_whole(struct pv_fn *fn, LLVMValueRef address, struct pv_whole *whole);
/* The same for the destination of a store of a word of a structure that was passed or returned. If
 * clang assembles the structure in a temporary, it is the destination of the copy. */
bool pv_fn_stored(struct pv_fn *fn, LLVMValueRef address, struct pv_whole *whole);
/* The structure that a function called by name returns and that this value is a word of (or the
 * first of them). Its source type is known. Else returns false. */
bool pv_fn_returned(struct pv_fn *fn, LLVMValueRef v, struct pv_whole *whole);
/* The parameter of a function called by name to which the result of the load is passed; else
 * returns false. */
bool pv_fn_parameter(struct pv_fn *fn, LLVMValueRef load, struct pv_whole *whole);
/* A mask of 128 bits from byte `at` after the address on: 1 for bits of members, 0 for padding. */
pv_u128 pv_fn_members(struct pv_fn *fn, const struct pv_whole *whole, uint64_t at);
/* split.c: replaces the structure by one variable for each piece, if only direct loads and stores
 * access it. */
bool pv_fn_split(struct pv_fn *fn, LLVMValueRef alloca);
/* vector.c: extract an element, insert one, shuffle */
void pv_fn_element(struct pv_fn *fn, LLVMValueRef i);
void pv_fn_shuffle(struct pv_fn *fn, LLVMValueRef i);
/* Is only one element of the loaded vector used (by an extract, or by a store after an insert)? */
bool pv_fn_loads_element(struct pv_fn *fn, LLVMValueRef load);
bool pv_fn_store_element(struct pv_fn *fn, LLVMValueRef store); /* false: it did nothing */
/* The components of an operand; counts as one use of it. */
unsigned pv_fn_operand(struct pv_fn *fn, LLVMValueRef v, pv_expr *out);
pv_expr pv_fn_scalar(struct pv_fn *fn, LLVMValueRef v);
void pv_fn_define(struct pv_fn *fn, LLVMValueRef v, const pv_expr *parts, unsigned n);
void pv_fn_define_vars(struct pv_fn *fn, LLVMValueRef v, const uint32_t *vars, unsigned n);
/* Ends the path here, because the ir cannot express `what`. */
void pv_fn_unsupported(struct pv_fn *fn, const char *what);
void pv_fn_stop(struct pv_fn *fn, enum pv_stop why, const char *text);
/* Saves all pending values whose undefined behaviour was not evaluated yet, except those that `e`
 * evaluates. */
void pv_fn_flush(struct pv_fn *fn, const struct pv_edge *e);
/* Adds a two-way branch and continues in the true branch. Returns the start of the false one. */
pv_loc pv_fn_branch(struct pv_fn *fn, pv_expr cond);
void pv_fn_goto(struct pv_fn *fn, pv_loc to);
pv_expr pv_fn_size(struct pv_fn *fn, uint64_t bytes); /* a constant of pointer width */
void pv_fn_begin(struct pv_fn *fn, struct pv_fe *fe, uint32_t index);
void pv_fn_finish(struct pv_fn *fn);

void pv_fn_error_label(struct pv_fn *fn, LLVMValueRef at);

/* array_bounds.c: the condition of clang's check of an index. It is true if nothing is accessed
 * with the index. `go_on`: the block behind the check. */
pv_expr pv_fn_within_bounds(struct pv_fn *fn, LLVMValueRef condition, LLVMBasicBlockRef go_on);
/* flow.c: terminators, phis */
void pv_fn_make_phis(struct pv_fn *fn, LLVMBasicBlockRef b);
void pv_fn_terminator(struct pv_fn *fn, LLVMValueRef i, LLVMBasicBlockRef *next);
/* lower_inst.c */
void pv_fn_instruction(struct pv_fn *fn, LLVMValueRef i);
/* Converts between scalar types by width (for calls through mismatching prototypes). */
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
  bool wanted;                  /* the results are used */
  bool comes_back;              /* it is not known that the function never returns */
  LLVMTypeRef structure;        /* that the result is used to point to; NULL: not known */
  uint32_t dst[PV_MAX_RESULTS]; /* out: the variables with the results (PV_NO_VAR: none) */
};
void pv_fn_external(struct pv_fn *fn, struct pv_call *call);
/* Fills p->imports. */
void pv_fe_note_imports(struct pv_fe *fe);
bool pv_fe_is_error_function(const char *name);
/* Is the function known by name, so that no model of it is used? */
bool pv_fe_is_builtin(struct pv_fe *fe, const char *name);
/* Which float function it is, by its name without the C library's suffixes. */
bool pv_fe_math(const char *name, enum pv_math *math, unsigned *arity);
/* The name without the prefix that marks an alias (`sscanf` for `__isoc99_sscanf`); NULL: it is no
 * alias. */
const char *pv_fe_plain_name(const char *name);
/* The definition in the module that an undefined name is an alias of. */
LLVMValueRef pv_fe_alias_body(LLVMModuleRef module, const char *name);

#endif
