/* result.h -- the result of every engine: verdict, condition, error paths and statistics. */
#ifndef PV_RESULT_H
#define PV_RESULT_H

#include "base/base.h"
#include "condition/condition.h"
#include "property/property.h"

/* The zero value is `unknown`. CONDITIONAL: no error is possible if all provisos hold. */
enum pv_verdict { PV_UNKNOWN, PV_TRUE, PV_CONDITIONAL, PV_FALSE };

struct pv_change {
  char *name, *value; /* "counter", "3" */
  uint32_t owner; /* 1 + the thread with which the variable ends; 0: it is shared, or on the heap */
};
/* What a step has to do with other threads. `thread` is the created, the joined, the waiting one,
 * else the thread of the step; `object` names what is accessed, acquired, waited for. */
/* clang-format off */
#define PV_INTERACTIONS(X)                                                                         \
  X(CREATES, "creates") X(JOINS, "joins") X(ENDS, "ends")                                          \
  X(ACQUIRES, "acquires") X(RELEASES, "releases")                                                  \
  X(WAITS, "waits")         /* from this step on, for `object`: a sentence's end */                \
  X(CONTINUES, "continues") /* from this step on, the thread does not wait any more */             \
  X(READS, "reads") X(WRITES, "writes") X(FREES, "frees")
/* clang-format on */
enum pv_interaction_kind {
#define X(N, T) PV_INTERACTION_##N,
  PV_INTERACTIONS(X)
#undef X
      PV_INTERACTION_COUNT
};
struct pv_interaction {
  enum pv_interaction_kind kind;
  uint32_t thread;
  char *object; /* or NULL */
};
struct pv_step {
  uint32_t thread;
  uint32_t inputs;              /* how many inputs it read */
  char *function, *file, *text; /* text: the source line, trimmed */
  uint32_t line, column;
  char *note;   /* "locks `m`", "input = 3", "blocked: waits for ...", or NULL */
  char *output; /* what the step printed, or NULL */
  PV_VEC(struct pv_change) changes;
  PV_VEC(struct pv_interaction) interactions; /* only what other threads can observe */
};
/* Where inputs come from: an undefined function (FUNCTION), a model of the C library such as rand
 * or malloc's failure (LIBRARY), a parameter of the function that --entry names (PARAMETER), or a
 * read of indeterminate memory (INDETERMINATE). */
/* clang-format off */
#define PV_SOURCE_ORIGINS(X)                                                                       \
  X(FUNCTION, "function") X(LIBRARY, "library") X(PARAMETER, "parameter")                            \
  X(INDETERMINATE, "indeterminate")
#define PV_SOURCE_TYPES(X)                                                                         \
  X(SIGNED, "signed") X(UNSIGNED, "unsigned") X(FLOAT, "float") X(POINTER, "pointer")
/* clang-format on */
enum pv_source_origin {
#define X(N, T) PV_ORIGIN_##N,
  PV_SOURCE_ORIGINS(X)
#undef X
      PV_ORIGIN_COUNT
};
enum pv_source_type {
#define X(N, T) PV_SOURCE_##N,
  PV_SOURCE_TYPES(X)
#undef X
      PV_SOURCE_COUNT
};
/* A place in the program that reads inputs. */
struct pv_source {
  enum pv_source_origin origin;
  enum pv_source_type type;
  uint32_t bits;         /* of the values */
  char *name;            /* "__VERIFIER_nondet_int", "rand", the variable; NULL: unknown */
  char *file, *function; /* in the program's own code, of models the place that called them */
  uint32_t line;
};
/* One value that a run was given. */
struct pv_input {
  uint64_t value[2]; /* the bits, low word first; zero above the width */
  uint32_t source;   /* 1 + index into the path's sources; 0: not said */
  uint32_t thread;   /* that asked */
  uint32_t site;     /* 1 + pv_edge.site of the HAVOC edge; 0: not said */
};
struct pv_error_path {
  PV_VEC(struct pv_choice) choices;
  /* The values of the inputs, in the order in which all threads together read them. Where there are
   * very many and the choices determine them, they are left out (explore/replay.h). */
  PV_VEC(struct pv_input) inputs;
  PV_VEC(struct pv_source) sources;
  uint64_t inputs_left_out; /* how many there were; `inputs` is empty then */
  PV_VEC(struct pv_step) steps;
  bool is_lasso;      /* the execution goes on for ever: ... */
  uint32_t loop;      /* ... the choices from here on repeat (none: nothing happens any more) ... */
  uint32_t loop_step; /* ... and so do the steps from here on */
  uint64_t left_out;  /* the middle of a very long path is dropped: at least that many steps ... */
  uint32_t gap;       /* ... before steps.at[gap] */
};
/* Identifies an error. --keep-going reports one path for each key. */
struct pv_error_key {
  enum pv_property property;
  uint32_t span;       /* of the program; 0: any */
  const char *message; /* borrowed; NULL: any */
};
bool pv_error_is(const struct pv_error_key *a, const struct pv_error_key *b);

/* The length of a path; switches count first. */
struct pv_path_cost {
  uint32_t switches, transitions; /* context switches; choices */
};
struct pv_path_cost pv_path_cost(const struct pv_choice *choices, uint32_t n);
/* Is `a` shorter than `b`: fewer switches, or equally many and fewer transitions? */
bool pv_path_less(struct pv_path_cost a, struct pv_path_cost b);

struct pv_violation {
  enum pv_property property;
  uint32_t span; /* as in pv_error_key */
  char *message; /* "assertion `x == 2` fails", one line */
  char *file, *function;
  uint32_t line, column;
  struct pv_error_path path;
  bool replayed;
  bool minimised;            /* the path was minimised (explore/minimise.h) ... */
  bool shortest;             /* ... and is the shortest one */
  struct pv_path_cost found; /* minimised: the length of the path before */
};

/* clang-format off */
#define PV_STATS(X)                                                                                \
  X(states, "states stored")                                                                       \
  X(transitions, "transitions executed")                                                           \
  X(matched, "transitions to a known state")                                                       \
  X(generated, "states generated, including known ones")                                           \
  X(expanded, "states expanded")                                                                   \
  X(first_error, "states generated when the first error was found")                                \
  X(distance_nodes, "nodes of the graph for distances")                                            \
  X(depth, "longest path")                                                                         \
  X(instructions, "bytecode instructions executed")                                                \
  X(choices, "input values tried")                                                                 \
  X(threads, "most threads alive at once")                                                         \
  X(store_bytes, "bytes of the state store")                                                       \
  X(components, "distinct components stored")                                                      \
  X(component_bytes, "bytes of the store's components")                                            \
  X(nodes, "inner nodes of the store's trees")                                                     \
  X(node_bytes, "bytes of the store's inner nodes")                                                \
  X(root_bytes, "bytes of the store's roots")                                                      \
  X(sched_bytes, "bytes of components: the scheduler's state")                                     \
  X(machine_bytes, "bytes of components: the machine's own state")                                 \
  X(frame_bytes, "bytes of components: frames")                                                    \
  X(memory_bytes, "bytes of components: memory")                                                   \
  X(visited_bytes, "bytes of the lossy set of visited states")                                     \
  X(mask_bytes, "bytes of the sleep sets kept by state")                                           \
  X(parent_bytes, "bytes of the parents kept by state")                                            \
  X(path_bytes, "bytes of the longest path's stack")                                               \
  X(pruned, "paths ended by a false assumption")                                                   \
  X(reduced, "states where partial-order reduction left threads out")                              \
  X(slept, "transitions that sleep sets left out")                                                 \
  X(executions, "executions explored to their end")                                                \
  X(blocked, "executions abandoned, because what could follow was explored already")               \
  X(enlarged, "restarts of the search with more dependences")                                      \
  X(abandoned, "executions explored before the last restart")                                      \
  X(product_states, "states of the products with automata of formulas")                             \
  X(races, "races reversed")                                                                       \
  X(refinements, "refinements of an abstraction")                                                  \
  X(predicates, "predicates found")                                                                \
  X(imprecise, "steps with values that the encoding leaves unconstrained")                         \
  X(wrapping, "operations on signed integers modelled as wrapping around")                         \
  X(sampled, "inputs of which some values were left out")
/* clang-format on */
struct pv_stats {
#define X(N, T) uint64_t N;
  PV_STATS(X)
#undef X
  double seconds, cpu_seconds;
  double distance_seconds; /* wall clock: for the distances, before the search began */
  uint64_t peak_memory;    /* bytes */
  double
      part; /* while an engine runs: the estimated share of its search that is done; 0: unknown */
  uint64_t bound;     /* while it runs: up to which bound it examined; 0: it has none */
  const char *engine; /* while it runs: whose numbers these are; NULL: not said. Borrowed */
};

/* The losses of a store that may take a new state for a known one. */
struct pv_loss {
  double bound;    /* on the probability that a state was lost; 0: the store is exact */
  double expected; /* expected number of lost states */
};

/* The state of the proof behind a verdict `true` or `conditional`, for engines that give one. */
/* clang-format off */
#define PV_PROOF_STATES(X)                                                                         \
  X(NONE, "none")               /* there is none, or no check was asked for */                     \
  X(CHECKED, "checked")         /* an independent check confirmed it */                            \
  X(UNCONFIRMED, "unconfirmed") /* the check had no answer: a proviso */                           \
  X(REFUTED, "refuted")         /* the check found it wrong: an error of ours */
/* clang-format on */
enum pv_proof_state {
#define X(N, T) PV_PROOF_##N,
  PV_PROOF_STATES(X)
#undef X
      PV_PROOF_COUNT
};
/* An invariant of a loop head, or of the entry of a recursive function. */
struct pv_invariant {
  char *file, *function;
  uint32_t line;
  char *calls;     /* "main > f": the call stack that it depends on; else NULL */
  char *formula;   /* a C expression over source names (docs/semantics.md), or its beginning */
  uint64_t larger; /* operands that were left out; 0: it is complete */
};
struct pv_proof_result {
  enum pv_proof_state state;
  uint64_t induction; /* k of a k-induction; 0: the invariants are inductive by themselves */
  PV_VEC(struct pv_invariant) invariants; /* by place */
};

/* Assumptions of a run that an option would lift: name, sentence, option. They are no provisos,
 * because the user can choose. The report lists them in one line. */
/* clang-format off */
#define PV_ASSUMPTIONS(X)                                                                          \
  X(ALLOCATION, "allocation never fails", "--malloc-may-fail")                                     \
  X(READERS, "a read lock is granted while a writer waits", "--writers-first")                     \
  X(CALLS, "creation of threads and synchronisation objects never fails", "--calls-may-fail")      \
  X(WRITES, "writing, flushing and closing of files never fail", "--calls-may-fail")               \
  X(LEAKS, "memory that is never freed is no error", "--property valid-memtrack")
/* clang-format on */
enum pv_assumption {
#define X(N, W, O) PV_ASSUMES_##N,
  PV_ASSUMPTIONS(X)
#undef X
      PV_ASSUMES_COUNT
};
extern const struct pv_assumption_info {
  const char *name, *holds, *option;
} pv_assumption_table[PV_ASSUMES_COUNT];

/* Which edges complete executions pass that were examined and have no error: an
 * under-approximation of what is verified (vm/coverage.h). */
enum { PV_EDGE_REACHED = 1, PV_EDGE_VERIFIED = 2 }; /* executed; on a complete execution */
struct pv_coverage {
  /* By edge, those of all functions one after the other: a set of PV_EDGE_*. Empty: not known,
   * because the engine does not tell or was not asked. */
  PV_VEC(uint8_t) edges;
  /* The share of all executions, up to equivalence, that was examined: an estimate unless it is 1.
   * 0: not known. */
  double share;
};

/* What one engine did for a result, for people. */
struct pv_tried {
  char *engine;  /* "value", "bmc with bit-vectors" */
  char *outcome; /* "true", "conditional", ..., or "stopped" */
  char *why;     /* why it has no better result; NULL: nothing is missing */
  double cpu_seconds;
  uint64_t states;
};
/* How far a run was at a time. */
struct pv_sample {
  double seconds;                 /* wall clock, since the run began */
  uint64_t states, depth, memory; /* bytes */
  uint64_t bound;                 /* of an engine that raises one: iterations of loops, segments */
};

struct pv_result {
  enum pv_verdict verdict;
  pv_properties checked;
  struct pv_condition condition;
  PV_VEC(struct pv_violation) violations; /* the first decides the verdict's name */
  char *reason;                           /* for UNKNOWN: why, one sentence */
  uint32_t assumed; /* a bit for each enum pv_assumption; set after the engines (plan/assumed.h) */
  PV_VEC(char *) notes;             /* remarks on the run; they do not affect the verdict */
  PV_VEC(struct pv_tried) tried;    /* in the order of their first turns; set after the engines */
  PV_VEC(struct pv_sample) samples; /* in their order; kept only for --report */
  struct pv_stats stats;
  struct pv_loss loss;
  struct pv_proof_result proof;
  struct pv_coverage coverage;
};
void pv_step_clear(struct pv_step *s);
void pv_path_clear(struct pv_error_path *p);
void pv_violation_clear(struct pv_violation *v);
void pv_proof_result_clear(struct pv_proof_result *p);
/* Adds to to->tried what the engine did; its result is `r`. `told`: it was asked to end. */
void pv_result_add_tried(struct pv_result *to, const char *engine, const struct pv_result *r,
                         bool told);
void pv_result_clear(struct pv_result *r);
const char *pv_verdict_name(enum pv_verdict v); /* "true", "false", "conditional", "unknown" */
/* "true", "false(no-data-race)", "conditional", "unknown"; appended. */
void pv_result_line(const struct pv_result *r, struct pv_str *out);
int pv_result_exit_status(const struct pv_result *r); /* 0 true, 10 false, 20 otherwise */

extern const char *const pv_proof_state_names[PV_PROOF_COUNT];       /* "checked" */
extern const char *const pv_interaction_names[PV_INTERACTION_COUNT]; /* "acquires" */
extern const char *const pv_source_origin_names[PV_ORIGIN_COUNT];    /* "function" */
extern const char *const pv_source_type_names[PV_SOURCE_COUNT];      /* "signed" */

#endif
