/* points_to.h -- which memory objects an address may lie in, for the whole program: inclusion-based
 * and flow-insensitive.
 *
 * References: Andersen, "Program Analysis and Specialization for the C Programming Language", 1994;
 * solved by waves (Pereira and Berlin, CGO 2009): cycles are collapsed as in Nuutila's variant of
 * Tarjan's algorithm, sets are propagated in topological order, then loads, stores and indirect
 * calls add edges, until nothing changes.
 *
 * Objects are globals (the copies of a thread-local one are one object), functions, stack slots and
 * allocations, each as a whole: there are no fields. A function of the program is analysed once.
 * A function of a model is analysed once for every call edge in the program's own code that leads
 * into it (its *context*), so that what malloc gives is told apart by the caller, as the VM does,
 * and what one call hands to a model does not meet what another one hands. Threads have a context
 * for each place that creates them. Only what can be reached by calls is analysed. Calls too large
 * to be copied again share one context.
 *
 * What holds addresses: every variable and every byte of memory, of any type. A value has three
 * parts: the objects that its bits may be the address of (also when an address is read through an
 * integer), the objects it was computed from as an integer, and whether it is an arbitrary integer
 * (an input, an undefined value). An integer cast to a pointer has all three as targets. The result
 * of pointer + offset has those of the pointer and the second of the offset, so that
 * `p += new - old` is right; an index that lies in memory beside pointers does not drag them in.
 * A pointer that is arbitrary is *unknown*: it may point to every object whose address was taken.
 *
 * What is assumed of the program: an address does not travel through control flow (bit by bit, by
 * branching on it), it is not a number that was not computed from an address (constants below 4096
 * and arithmetic on them are taken for numbers, as are inputs that are turned into pointers through
 * memory instead of by a cast), and arithmetic on a pointer without the help of another object's
 * address stays within the object. */
#ifndef PV_POINTS_TO_H
#define PV_POINTS_TO_H

#include "ir/ir.h"

struct pv_points_to;

/* Where a bound of the work is hit the result is the trivial one (see pv_points_to_complete). */
struct pv_points_to_options {
  uint64_t bytes; /* of memory, approximately */
  uint64_t steps; /* words of sets looked at: the same in every run, unlike time */
  uint32_t edges; /* of models' functions that are copied for contexts; beyond: one context */
  /* An allocation may get the address of a freed object that is still pointed to, as in the VM for
   * programs that compare pointers: then what dangling pointers reach is the new object, so that a
   * freed object may be any object of the heap. All sets are closed under this. */
  bool reuse;
};

/* Does it make a difference to the program whether an address comes back: are there comparisons of
 * pointers, casts to integers, compare-and-swap of words, or p->reads_addresses? */
bool pv_points_to_sees_reuse(const struct pv_program *p);
/* Such a difference by other means, where the above finds none: may a number be read from where
 * pointers to heap objects lie that are freed (a union, the bytes that memcmp goes through)? Kept
 * in p->reads_addresses, which the above looks at, by who loads programs. */
bool pv_points_to_reads_addresses(const struct pv_program *p);
/* 64 MiB, two thousand million steps, 2^18 edges; reuse if pv_points_to_sees_reuse. */
struct pv_points_to_options pv_points_to_defaults(const struct pv_program *p);

/* The program is borrowed and must not change. options: NULL for the defaults. */
struct pv_points_to *pv_points_to_new(const struct pv_program *p,
                                      const struct pv_points_to_options *options);
void pv_points_to_free(struct pv_points_to *pt); /* NULL is fine */
/* False: a limit was hit. Then object 0 stands for all memory and all functions: it is the answer
 * to every question below, everything escapes and every call may lead to every function. */
bool pv_points_to_complete(const struct pv_points_to *pt);

/* ---- objects --------------------------------------------------------------------------------- */
enum pv_pt_kind {
  PV_PT_ANYTHING, /* object 0: never in a set unless the analysis is not complete */
  PV_PT_GLOBAL,
  PV_PT_FUNCTION,
  PV_PT_SLOT,
  PV_PT_HEAP,
  PV_PT_ALLOCA, /* also temporaries of calls */
};
struct pv_pt_object {
  enum pv_pt_kind kind;
  /* SLOT: the function it belongs to. HEAP: that of the program's own edge that allocates, be it a
   * call that led into models or the ALLOC itself (then, where no code of the program's is on the
   * stack, a model's). ALLOCA: that of the ALLOC edge. */
  uint32_t function;
  uint32_t index; /* GLOBAL, FUNCTION: which; SLOT: which slot; HEAP, ALLOCA: edge in `function` */
  uint32_t instance; /* SLOT, ALLOCA: the instance of the function (see below) it lives in */
};
uint32_t pv_points_to_objects(const struct pv_points_to *pt);
const struct pv_pt_object *pv_points_to_object(const struct pv_points_to *pt, uint32_t object);
void pv_points_to_name(const struct pv_points_to *pt, uint32_t object, struct pv_str *out);
/* May another thread than the one it was made by (or whose copy it is) reach the object? */
bool pv_points_to_escapes(const struct pv_points_to *pt, uint32_t object);
/* Was its address ever used other than to access it at once? If not, no pointer leads to it. */
bool pv_points_to_taken(const struct pv_points_to *pt, uint32_t object);

/* From the VM's identity of an object to the objects here: several where contexts tell apart what
 * the VM does not. *n is 0 for what no reachable code makes. Borrowed. O(1). */
const uint32_t *pv_points_to_global(const struct pv_points_to *pt, uint32_t global, uint32_t *n);
const uint32_t *pv_points_to_slot(const struct pv_points_to *pt, uint32_t function, uint32_t slot,
                                  uint32_t *n);
/* `edge` (index into the function's edges) as in pv_pt_object. */
const uint32_t *pv_points_to_heap(const struct pv_points_to *pt, uint32_t function, uint32_t edge,
                                  uint32_t *n);
const uint32_t *pv_points_to_alloca(const struct pv_points_to *pt, uint32_t function, uint32_t edge,
                                    uint32_t *n);

/* ---- instances: functions in a context --------------------------------------------------------
 * A reachable function of the program has one instance, one of a model one a context; a function
 * that cannot be reached has none. */
uint32_t pv_points_to_instances(const struct pv_points_to *pt, uint32_t function,
                                const uint32_t **instances);
uint32_t pv_points_to_function_of(const struct pv_points_to *pt, uint32_t instance);
/* The instances that a CALL edge of the instance leads to, or the bottom frames of the threads that
 * a PRIM edge creates. *n is 0 where a call leads nowhere. Borrowed. O(log calls). */
const uint32_t *pv_points_to_calls(const struct pv_points_to *pt, uint32_t instance, uint32_t edge,
                                   uint32_t *n);
/* Functions that a CALL edge may lead to in any context: fills `callees` (room for all functions),
 * sorted, and returns how many. */
uint32_t pv_points_to_callees(const struct pv_points_to *pt, uint32_t function, uint32_t edge,
                              uint32_t *callees);

/* The object that an ALLOC edge makes in the instance; 0: it is never run, or see ANYTHING. */
uint32_t pv_points_to_allocated(const struct pv_points_to *pt, uint32_t instance, uint32_t edge);

/* ---- sets of objects --------------------------------------------------------------------------
 * Bit sets of pv_points_to_words() words, bit = object. The functions add to a set. */
uint32_t pv_points_to_words(const struct pv_points_to *pt);
/* Objects that the value of `address`, evaluated in the function in any context, or in one instance
 * of it, may point into. Returns whether it may be unknown; all objects whose address was taken are
 * in the set then. An empty set means that the access cannot succeed. O(size of e, sets). */
bool pv_points_to_address(const struct pv_points_to *pt, uint32_t function, pv_expr address,
                          uint64_t *set);
bool pv_points_to_address_in(const struct pv_points_to *pt, uint32_t instance, pv_expr address,
                             uint64_t *set);
/* What pointers that lie in the object may point to; likewise. */
bool pv_points_to_contents(const struct pv_points_to *pt, uint32_t object, uint64_t *set);

/* ---- for tests and people -------------------------------------------------------------------- */
struct pv_points_to_stats {
  uint64_t bytes, steps;
  uint32_t nodes, instances, objects, rounds;
  bool unknown_used; /* some access goes through an unknown pointer */
};
struct pv_points_to_stats pv_points_to_stats(const struct pv_points_to *pt);
/* Every access and indirect call of the program's own functions with its set, one a line. */
void pv_points_to_print(const struct pv_points_to *pt, struct pv_str *out);

#endif
