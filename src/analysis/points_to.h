/* points_to.h -- points-to analysis of the whole program: the memory objects that an address may
 * lie in. It is inclusion-based and flow-insensitive.
 *
 * References: Andersen, "Program Analysis and Specialization for the C Programming Language", 1994;
 * wave propagation: Pereira and Berlin, CGO 2009. Cycles are collapsed with Nuutila's variant of
 * Tarjan's algorithm. Sets are propagated in topological order. Then loads, stores and indirect
 * calls add edges. This repeats until nothing changes.
 *
 * Objects are globals, functions, stack slots and allocations. All copies of a thread-local global
 * are one object. Objects are not divided into fields.
 *
 * Contexts. A function of the program is analysed once. A function of a model is analysed once for
 * each call edge of the program's own code that leads into it; this edge is its *context*. So
 * memory from malloc is distinguished by caller, as in the VM, and the arguments of different calls
 * of a model are kept apart. A thread has a context for each place that creates it. Calls that are
 * too large to be copied again share one context. Only reachable functions are analysed.
 *
 * Values. Every variable and every byte of memory, of any type, may hold an address. A value has
 * three parts: the objects whose address its bits may be (even if it is read as an integer), the
 * objects from whose addresses it was computed as an integer, and whether it is an arbitrary
 * integer (an input, an undefined value). An integer that is cast to a pointer has all three as
 * targets. The result of pointer + offset has the targets of the pointer and the second part of the
 * offset. So `p += new - old` is handled soundly, but an index that is stored next to pointers adds
 * no targets. An arbitrary pointer is *unknown*: it may point to every object whose address was
 * taken.
 *
 * Assumptions about the program:
 *  - addresses do not flow through control flow (a program that branches on each bit of one);
 *  - every address was computed from an address: constants below 4096 and arithmetic on them are
 *    numbers; so are inputs that become pointers through memory rather than by a cast;
 *  - pointer arithmetic stays within the object unless it uses the address of another object. */
#ifndef PV_POINTS_TO_H
#define PV_POINTS_TO_H

#include "ir/ir.h"

struct pv_points_to;

/* Bounds of the analysis. If one is hit, the result is trivial (see pv_points_to_complete). */
struct pv_points_to_options {
  uint64_t bytes; /* of memory, approximately */
  uint64_t steps; /* words of sets that are processed; deterministic, unlike time */
  uint32_t edges; /* of models' functions that are copied for contexts; beyond: one context */
  /* An allocation may reuse the address of a freed object that is still pointed to, as in the VM
   * for programs that compare pointers. A dangling pointer then reaches the new object, so a freed
   * object may be any object of the heap. All sets are closed under this. */
  bool reuse;
};

/* Can the program observe whether an address is reused? It can if it has comparisons of pointers,
 * casts to integers or compare-and-swap of words, or if p->reads_addresses is set. */
bool pv_points_to_sees_reuse(const struct pv_program *p);
/* Can it observe reuse in another way: may it read a number from memory that holds pointers to
 * freed heap objects (a union, the bytes that memcmp reads)? The code that loads a program stores
 * the answer in p->reads_addresses. */
bool pv_points_to_reads_addresses(const struct pv_program *p);
/* Marks order comparisons of numbers that may be addresses of different objects as comparisons of
 * pointers (PV_XF_PTRCMP), in the program's own code. Numbers that may be anything are not marked.
 */
void pv_points_to_mark_orders(struct pv_program *p);
/* 64 MiB, two thousand million steps, 2^18 edges; reuse if pv_points_to_sees_reuse. */
struct pv_points_to_options pv_points_to_defaults(const struct pv_program *p);

/* The program is borrowed and must not change. options: NULL for the defaults. */
struct pv_points_to *pv_points_to_new(const struct pv_program *p,
                                      const struct pv_points_to_options *options);
void pv_points_to_free(struct pv_points_to *pt); /* NULL is fine */
/* Returns false if a bound was hit. Then object 0 represents all memory and all functions, and is
 * the answer to every query below. Everything escapes, and every call may lead to every function.
 */
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
/* Appends the name of the object: "x", "f()", "f.x", "heap@" and a place. */
void pv_points_to_name(const struct pv_points_to *pt, uint32_t object, struct pv_str *out);
/* May another thread than the one it was made by (or whose copy it is) reach the object? */
bool pv_points_to_escapes(const struct pv_points_to *pt, uint32_t object);
/* May the address of a freed object of the heap be that of a later one? Then a pointer to one may
 * point into any of them. */
bool pv_points_to_reused(const struct pv_points_to *pt);
/* Was its address ever used except for an immediate access? If not, no pointer leads to it. */
bool pv_points_to_taken(const struct pv_points_to *pt, uint32_t object);

/* The objects that correspond to an object of the VM. There are several if contexts distinguish
 * objects that the VM does not. *n is 0 if no reachable code creates it. Borrowed. O(1). */
const uint32_t *pv_points_to_global(const struct pv_points_to *pt, uint32_t global, uint32_t *n);
const uint32_t *pv_points_to_slot(const struct pv_points_to *pt, uint32_t function, uint32_t slot,
                                  uint32_t *n);
/* `edge` (index into the function's edges) as in pv_pt_object. */
const uint32_t *pv_points_to_heap(const struct pv_points_to *pt, uint32_t function, uint32_t edge,
                                  uint32_t *n);
const uint32_t *pv_points_to_alloca(const struct pv_points_to *pt, uint32_t function, uint32_t edge,
                                    uint32_t *n);

/* ---- instances: functions in a context --------------------------------------------------------
 * A reachable function of the program has one instance, and one of a model has an instance for each
 * context. An unreachable function has none. */
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

/* The object that an ALLOC edge creates in the instance; 0: the edge is unreachable, or the
 * analysis is not complete. */
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
/* The same for the pointers that are stored in the object. */
bool pv_points_to_contents(const struct pv_points_to *pt, uint32_t object, uint64_t *set);

/* ---- for tests and people -------------------------------------------------------------------- */
struct pv_points_to_stats {
  uint64_t bytes, steps;
  uint32_t nodes, instances, objects, rounds;
  bool unknown_used; /* some access goes through an unknown pointer */
};
struct pv_points_to_stats pv_points_to_stats(const struct pv_points_to *pt);
/* Appends every access and indirect call of the program's own functions with its set, one in each
 * line. */
void pv_points_to_print(const struct pv_points_to *pt, struct pv_str *out);

#endif
