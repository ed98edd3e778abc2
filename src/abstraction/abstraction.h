/* abstraction.h -- abstract programs: the variables that predicates mention are replaced by the
 * predicates.
 *
 * A *cell* is a global variable, a local variable that a global holds instead
 * (pv_abstract_globalise), or an element or member of one at a constant place, that some
 * predicate mentions. The abstract program has a global of one byte for each predicate and no
 * longer uses the cells. A write to a cell becomes a write to the predicates about it: what the
 * predicates before imply of the weakest precondition, or a choice if they do not decide it. A
 * branch on a value that was read from a cell is decided in the same way. Every execution of the
 * original is one of the abstract program (simulation), so what is true of the abstract program is
 * true of the original; the converse does not hold if an execution passes a choice.
 *
 * Values that were read from cells are followed through local variables. Facts about them (`t ==
 * x`, `t == u + 1`, a predicate at the time of the read) are used only where no write can have come
 * in between: of the thread itself, of functions that it calls, or of other threads outside of an
 * atomic section.
 *
 * References: Visser et al., ASE Journal 2003, section 3.3.2; weakest preconditions and cubes as in
 * Ball, Majumdar, Millstein, Rajamani, "Automatic predicate abstraction of C programs", PLDI 2001.
 * Deviations: cubes have at most three literals; integers do not overflow, with a proviso; a cell
 * whose address is taken is refused. */
#ifndef PV_ABSTRACTION_H
#define PV_ABSTRACTION_H

#include "ir/ir.h"
#include "base/options.h"
#include "smt/smt.h"

struct pv_named_predicate {
  char *name, *text; /* text: a C expression over globals, and local variables of the function */
  char *function;    /* in which it is declared; NULL: at file scope */
};
typedef PV_VEC(struct pv_named_predicate) pv_named_predicates;
/* Appends the predicates that the text declares with PROVISO_PREDICATE("name", expression). */
void pv_predicates_scan(const char *text, pv_named_predicates *out);
void pv_named_predicates_free(pv_named_predicates *all);

/* A local variable or parameter that predicates are about. Its function neither calls itself nor is
 * executed by two threads, so it has one value at a time, and a global can hold it. */
struct pv_abstract_local {
  char *function, *name;
  char *global; /* the name of the global, in the text that is compiled */
};
typedef PV_VEC(struct pv_abstract_local) pv_abstract_locals;
/* The predicate as text to compile with the program: the local variables are replaced by globals,
 * which it declares. p: the program without predicates. Appends the variables that are not in *all
 * yet. The caller frees the text. NULL: a variable cannot be abstracted; *err says why. */
char *pv_predicate_text(const struct pv_program *p, const struct pv_named_predicate *x,
                        pv_abstract_locals *all, struct pv_str *err);
/* Makes the local variables globals, in place. */
void pv_abstract_globalise(struct pv_program *p, const pv_abstract_locals *all);
void pv_abstract_locals_free(pv_abstract_locals *all);

/* A predicate that refinement found: SMT-LIB text over the cells, for pv_smt_read. */
struct pv_found_predicate {
  char *text;
};
/* What a choice was made about, to learn from it. */
struct pv_choice_place {
  uint32_t site;                            /* of its HAVOC edge */
  PV_VEC(struct pv_found_predicate) wanted; /* predicates that would decide it */
};
struct pv_abstracted {
  uint32_t predicates, cells;
  uint32_t choices; /* places with a choice */
  uint64_t queries; /* of the solver */
  PV_VEC(struct pv_choice_place) places;
  PV_VEC(char *) provisos; /* sentences: what was taken for granted */
};
struct pv_abstract_options {
  const pv_named_predicates *named; /* in the order of the program's invariants from `first` on */
  uint32_t first;
  const struct pv_found_predicate *found; /* of earlier rounds, with equal cells */
  uint32_t n_found;
  bool choose_free; /* paths end at the first choice, with a proviso: errors are real then */
  struct pv_limits *limits; /* of the run: without time there are more choices; NULL: none */
  bool marks;               /* SKIP edges "FUNCTION EDGE" where an edge of the original was taken */
};
/* Abstracts the program in place. Its invariants from options->first on are the named predicates;
 * they are removed. PV_E_INPUT: *err says what cannot be abstracted. The caller clears *out. */
enum pv_status pv_abstract(struct pv_program *p, const struct pv_abstract_options *options,
                           struct pv_abstracted *out, struct pv_str *err);
void pv_abstracted_clear(struct pv_abstracted *a);

#endif
