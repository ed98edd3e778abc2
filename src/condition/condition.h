/* condition.h -- the condition under which a result holds (Beyer, Henzinger, Keremoglu, Wendler,
 * "Conditional model checking", FSE 2012).
 *
 * A condition has two parts. Assumptions are about the world, and no engine examines them: "`f` is
 * never called". They add up over all engines that contributed. Open parts are sets of executions
 * that were not examined. All other executions are covered: under the assumptions they have no
 * error of the properties that were checked.
 *
 * Every assumption and every open part is told to the user as a proviso, a sentence that completes
 * "provided that ...". Another engine continues from the open parts as data. A proviso that is no
 * assumption and refers to no open part leaves everything open: then another engine must examine
 * all executions.
 *
 * Both are kept for each property: a proviso names the properties that it concerns. So engines that
 * check different properties contribute to one condition, and what one of them has covered for its
 * properties need not be examined for the others.
 *
 * Deviation from the paper: there a condition is one automaton. Here an open part has the form that
 * its engine can express exactly: an automaton, a bound, input values, or a frontier. */
#ifndef PV_CONDITION_H
#define PV_CONDITION_H

#include "base/base.h"
#include "base/bytes.h"
#include "base/limits.h"
#include "property/property.h"

/* The kinds of provisos: why a part of the program's behaviour is not covered. */
/* clang-format off */
#define PV_PROVISO_KINDS(X)                                                                        \
  X(TIME, OPEN, "time limit")                                                                      \
  X(MEMORY, OPEN, "memory limit")                                                                  \
  X(STATES, OPEN, "limit on states")                                                               \
  X(DEPTH, OPEN, "limit on depth")                                                                 \
  X(INTERRUPT, OPEN, "interrupted")                                                                \
  X(BOUND, ASSUMED, "bound on the program's environment")                                          \
  X(INPUT, OPEN, "values of an input left out")                                                    \
  X(THREADS, ASSUMED, "bound on threads")                                                          \
  X(UNMODELLED, ASSUMED, "unmodelled function")                                                    \
  X(UNSUPPORTED, ASSUMED, "unsupported construct")                                                 \
  X(ORDERING, ASSUMED, "weak memory order run as sequentially consistent")                         \
  X(QUEUE, OPEN, "limit on waiting states")                                                        \
  X(SAMPLING, OPEN, "random search")                                                               \
  X(LOSSY, ASSUMED, "lossy state store")                                                           \
  X(ADDRESS_ORDER, ASSUMED, "depends on the order of addresses")                                   \
  X(ADDRESS_REUSE, ASSUMED, "reuse of addresses")                                                  \
  X(INDETERMINATE, OPEN, "indeterminate value cut")                                                \
  X(UNWINDING, OPEN, "bound on loop iterations")                                                   \
  X(PREEMPTIONS, OPEN, "bound on preemptions")                                                     \
  X(RECURSION, OPEN, "bound on recursion")                                                         \
  X(ATOMIC_BLOCKED, ASSUMED, "blocked inside an atomic section")                                   \
  X(ATOMICITY, ASSUMED, "switches inside statements left out")                                     \
  X(OBSERVER, ASSUMED, "path cut by an automaton")                                                 \
  X(SHARE, ASSUMED, "part of a split")                                                             \
  X(EXCLUDED, OPEN, "bound on a part of the analysis")                                             \
  X(CHANGED, OPEN, "changed since an earlier run")                                                 \
  X(ENGINE, OPEN, "engine's own restriction")                                                      \
  X(CRASH, OPEN, "failure inside the engine")
/* clang-format on */

enum pv_proviso_kind {
#define X(N, C, T) PV_PROVISO_##N,
  PV_PROVISO_KINDS(X)
#undef X
      PV_PROVISO_COUNT
};
/* How the sentence of a proviso about a failed attempt (trylock, trywait) begins. */
#define PV_UNORDERED "no accesses are ordered only by the failure of the attempt"
struct pv_proviso {
  enum pv_proviso_kind kind;
  /* The properties that it concerns; 0: all those that the condition is about. The others hold
   * without it. */
  pv_properties about;
  char *sentence; /* completes "provided that ...": "the call of `f` at x.c:12 is never reached" */
  char *file;     /* NULL if it refers to no location */
  uint32_t line;
  uint32_t part;  /* 1 + index of the open part that it describes; 0: none */
  uint64_t times; /* how often the engine met it */
};
/* Does it concern one of these properties? */
bool pv_proviso_concerns(const struct pv_proviso *p, pv_properties set);
/* Is a proviso of this kind an assumption about the world, which no engine examines? */
bool pv_proviso_is_assumption(enum pv_proviso_kind kind);
/* Does it tell of the end of a run before it was complete? A run that continues removes it. */
bool pv_proviso_is_interruption(enum pv_proviso_kind kind);
/* The kind of the proviso for a limit that ended a run; not PV_LIMIT_NONE. */
enum pv_proviso_kind pv_proviso_of_limit(enum pv_limit limit);

/* The forms of open parts. */
/* clang-format off */
#define PV_OPEN_KINDS(X)                                                                           \
  X(BOUND, "bound")         /* executions that exceed a bound */                                   \
  X(INPUTS, "inputs")       /* executions in which an input gives a value that was not tried */    \
  X(FRONTIER, "frontier")   /* executions that continue one of several prefixes */                 \
  X(AUTOMATON, "automaton") /* executions that an automaton does not take to `verified` */
/* clang-format on */
enum pv_open_kind {
#define X(N, T) PV_OPEN_##N,
  PV_OPEN_KINDS(X)
#undef X
      PV_OPEN_COUNT
};

/* What a bound counts. The place, for those that have one, is a location of a function. */
/* clang-format off */
#define PV_BOUND_KINDS(X)                                                                          \
  X(UNWINDING, "unwinding")     /* rounds of the loop at the place; no place: of every loop */     \
  X(RECURSION, "recursion")     /* nested calls of one thread */                                   \
  X(HEADS, "heads")             /* visits of loop heads and recursive functions, in all */         \
  X(DEPTH, "depth")             /* transitions of an execution */                                  \
  X(PREEMPTIONS, "preemptions") /* switches away from a thread that could continue */
/* clang-format on */
enum pv_bound_kind {
#define X(N, T) PV_BOUND_##N,
  PV_BOUND_KINDS(X)
#undef X
      PV_BOUND_COUNT
};

/* Values of an input as 64-bit words, both ends included. */
struct pv_value_range {
  uint64_t low, high;
};
/* One choice of a run: the thread that moved, and which of its alternatives. A run is determined by
 * its choices and inputs. */
struct pv_choice {
  uint32_t thread, alternative;
};
enum { PV_EVERY_ALTERNATIVE = UINT32_MAX }; /* in a sleep set: all alternatives of the thread */
/* A node of a tree of prefixes, in preorder. The node's prefix is that of its parent with one more
 * choice; the root has the empty prefix and no choice. */
struct pv_prefix {
  uint32_t depth; /* of the node: at most 1 more than that of the node before; 0: the root */
  struct pv_choice choice;
  /* Are the executions that continue this prefix open? Those that begin, up to equivalence, with a
   * transition of the sleep set are not. */
  uint32_t is_open;
  /* Is it open only if a search below it needs that? Whoever explores what is open below the prefix
   * watches for races that are to be reversed there, and then opens it. Others may take it as open.
   * Where nothing is open below it, it means nothing. */
  uint32_t is_deferred;
  uint32_t sleeping; /* size of its sleep set */
};
/* A transition of an assumption automaton: taken when a thread takes an edge of a function. */
struct pv_automaton_move {
  uint32_t from, to;
  uint32_t thread, function, edge;
};
enum { PV_AUTOMATON_VERIFIED = 0, PV_AUTOMATON_OPEN = 1, PV_AUTOMATON_FIRST = 2 };

/* Executions that were not examined. Which members count depends on the form. Places refer to the
 * program of the condition. */
struct pv_open_part {
  enum pv_open_kind kind;
  /* BOUND */
  enum pv_bound_kind bound;
  uint64_t number;
  /* BOUND: 1 + function, and a location of it; function 0: no place. INPUTS: 1 + function, and one
   * of its edges, a HAVOC. */
  uint32_t function, place;
  /* INPUTS: the values that were tried, ascending and disjoint. In every execution that is covered,
   * all visits of the edge give one of them. */
  PV_VEC(struct pv_value_range) tried;
  /* FRONTIER. The choices are those of the machine at option --atomic. */
  PV_VEC(struct pv_prefix) prefixes;
  PV_VEC(struct pv_choice) sleeping; /* the sleep sets of the prefixes, one after the other */
  /* FRONTIER: the sleep sets are those of a search that does not continue from known states, and
   * that found a cycle. A transition asleep may lead back to a state that is still open, and prove
   * nothing by itself. So they are of use only to searches of this kind; others take them as
   * empty. */
  uint32_t circular;
  /* AUTOMATON, deterministic. State PV_AUTOMATON_FIRST is the initial one. An execution that comes
   * to `open` is open. Once it comes to `verified`, it is covered whatever follows. An edge for
   * which a state has no transition leads to `otherwise`, one of the two. The moves are sorted by
   * `from`. */
  uint32_t states, otherwise;
  PV_VEC(struct pv_automaton_move) moves;
};
/* What an engine needs to continue exactly where it was: opaque bytes, which only this engine
 * understands. Whatever the condition leaves open, the engine examines the rest of all executions
 * if it continues. */
struct pv_engine_state {
  char *engine;
  PV_VEC(uint8_t) bytes;
};

struct pv_condition {
  PV_VEC(struct pv_proviso) provisos; /* without duplicates, in the order of first occurrence */
  PV_VEC(struct pv_open_part) parts;
  PV_VEC(struct pv_engine_state) states; /* of several engines, or of several runs of one */
};

/* Adds a proviso about all properties, or counts another occurrence of the same sentence. The
 * result is valid until the next one is added. */
struct pv_proviso *pv_condition_add(struct pv_condition *c, enum pv_proviso_kind kind,
                                    const char *file, uint32_t line, const char *fmt, ...)
    PV_PRINTF(5, 6);
/* Adds for each of these properties a proviso that leaves it open entirely: nothing checked it. */
void pv_condition_leave_unchecked(struct pv_condition *c, pv_properties missing);
/* Adds an open part, which the condition owns from now on, and links the latest proviso to it. The
 * result is valid until the next part is added. */
struct pv_open_part *pv_condition_open(struct pv_condition *c, struct pv_open_part part);
/* Removes the provisos for which `drop` is true, and the parts that no proviso refers to. */
void pv_condition_filter(struct pv_condition *c,
                         bool (*drop)(const struct pv_proviso *p, void *user), void *user);
void pv_open_part_clear(struct pv_open_part *p);
void pv_condition_clear(struct pv_condition *c);
void pv_condition_copy(struct pv_condition *to, const struct pv_condition *from); /* *to is zero */

/* Does every number in it refer to something that exists? For conditions that were read. */
bool pv_condition_is_valid(const struct pv_condition *c);

/* How much is open. NOTHING: at most assumptions. PARTS: exactly what the parts describe.
 * EVERYTHING: some proviso that is no assumption has no open part. */
enum pv_openness { PV_OPEN_NOTHING, PV_OPEN_PARTS, PV_OPEN_EVERYTHING };
enum pv_openness pv_condition_openness(const struct pv_condition *c);
/* The same for some of the properties. */
enum pv_openness pv_condition_openness_of(const struct pv_condition *c, pv_properties set);
/* The properties of the set for which something is open. */
pv_properties pv_condition_open_properties(const struct pv_condition *c, pv_properties set);
/* The properties of the set that hold without a proviso. */
pv_properties pv_condition_unconditional(const struct pv_condition *c, pv_properties set);
/* Makes it a condition about these properties only; they are some of those that it is about. */
void pv_condition_restrict(struct pv_condition *c, pv_properties set);
/* The latest occurrence of proviso *p left out values of an input; `inputs` has its edge and the
 * values that were tried. Makes that the open part of the proviso. If the proviso stands for
 * several edges, it gets no open part, and so leaves everything open. Takes `inputs` over. */
void pv_condition_open_inputs(struct pv_condition *c, struct pv_proviso *p,
                              struct pv_open_part inputs);
/* The open part of this form, if there is exactly one and nothing else is open; else NULL. */
const struct pv_open_part *pv_condition_only(const struct pv_condition *c, enum pv_open_kind kind);

/* The same if values of inputs may be open besides. *inputs: whether they are. */
const struct pv_open_part *pv_condition_beside_inputs(const struct pv_condition *c,
                                                      enum pv_open_kind kind, bool *inputs);
/* Adds the state of an engine. Takes the bytes over. */
void pv_condition_add_state(struct pv_condition *c, const char *engine, struct pv_str *bytes);
/* Finds a state of the engine that begins with these bytes, which tell what the state is good for.
 * *rest: what follows them, borrowed. false: there is none. */
bool pv_condition_find_state(const struct pv_condition *c, const char *engine,
                             const struct pv_str *identity, struct pv_bytes *rest);
/* Adds the states of another condition, which it has no longer then. */
void pv_condition_move_states(struct pv_condition *to, struct pv_condition *from);
/* Adds the provisos of another condition about the same properties, with their parts. */
void pv_condition_append(struct pv_condition *to, const struct pv_condition *from);
/* Adds proviso number i of another condition, with its part. */
void pv_condition_append_one(struct pv_condition *to, const struct pv_condition *from, uint32_t i);
/* Adds what proviso number i of another condition says about some properties. `all` are those that
 * `to` is about. */
void pv_condition_append_for(struct pv_condition *to, const struct pv_condition *from, uint32_t i,
                             pv_properties set, pv_properties all);
/* Two results about one program and the properties `all`. `next` was made under the condition
 * `given`, so it examined at least what `given` leaves open, for the properties `checked`. Turns
 * `next` into the condition of both, for each property by itself: the assumptions of both, and open
 * is what both leave open, or the smaller of the two descriptions of it. For a property of which
 * `given` leaves everything open it is of no use, and `next` counts alone; for one that `next` has
 * not checked `given` counts alone. */
void pv_condition_sequence(const struct pv_condition *given, struct pv_condition *next,
                           pv_properties all, pv_properties checked);

extern const char *const pv_proviso_kind_names[PV_PROVISO_COUNT];   /* "TIME", for machines */
extern const char *const pv_proviso_kind_reasons[PV_PROVISO_COUNT]; /* "time limit" */
extern const char *const pv_open_kind_names[PV_OPEN_COUNT];
extern const char *const pv_bound_kind_names[PV_BOUND_COUNT];

#endif
