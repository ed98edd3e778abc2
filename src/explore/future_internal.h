/* future_internal.h -- shared by the files of future.h, which are one module: future.c (call
 * stacks, queries), future_summary.c (summaries of code regions), future_values.c (evaluation of
 * addresses).
 */
#ifndef PV_FUTURE_INTERNAL_H
#define PV_FUTURE_INTERNAL_H

#include "analysis/points_to.h"
#include "explore/future.h"

enum {
  LOCKS = 64,
  SYNC_BYTES = 64,     /* no synchronisation object is larger */
  DEPTH_MAX = 24,      /* nesting of calls that are followed */
  TOUCHES_MAX = 512,   /* per frame; more are approximated by all of memory */
  KNOWN_MAX = 1 << 16, /* distinct summaries and futures, */
  WORK_MAX = 1 << 25,  /* and edges visited; beyond that, a future is all of memory */
  STEPS_MAX = 1 << 27, /* of the points-to analysis; less than a second */
  FRAMES = 1 << 14,
  PARKED = 1 << 12,
  ANSWERS = 1 << 14, /* slots of the caches; powers of two */
  CLOSED = 1 << 12,
  GUARD_SETS = 3 /* distinct sets in one answer */
};
#define ALL_GUARDS UINT64_MAX
enum { ANYTHING, NOTHING }; /* numbers of the first two summaries */

struct value {
  /* WITHIN: an address in the object that contains `bits`; OWN: in an object of the thread. */
  enum { UNKNOWN, KNOWN, WITHIN, OWN } kind;
  uint32_t zero; /* no hidden padding: compared as bytes */
  uint64_t bits;
};

/* The code reachable from a location within its function. */
struct code_region {
  uint32_t function;
  pv_loc loc;
  PV_VEC(uint32_t) edges;
  PV_VEC(uint32_t) vars;  /* relevant variables that it does not assign */
  PV_VEC(uint32_t) slots; /* stack slots whose addresses are relevant */
  bool ends_frame;        /* it may return, and the function has stack objects */
};

/* The accesses of a code region, given the values of its variables. */
struct summary {
  uint32_t number;
  PV_VEC(struct pv_touch) at;
  uint64_t guards; /* locks acquired on every path to its return; ALL_GUARDS: it never returns */
};

struct opening { /* cached: of this future (+ 1), for this number of locks */
  uint32_t future, locks, thread;
  struct pv_openings is;
};

/* Cached: may the future conflict with the accesses? The minimal sets of guards; n = 0: never. */
struct answer {
  uint32_t future, touched;
  uint8_t thread, n;
  uint64_t guards[GUARD_SETS];
};

/* Direct-mapped caches. */
struct seen_parked {
  const struct pv_pending *pending;
  struct pv_pending_effects is;
};
struct seen_frame {
  uint64_t frame;
  const struct summary *summary;
};
struct seen_head {
  uint32_t head, locks;
  uint64_t closed;
};
struct seen_stack {
  PV_VEC(uint32_t) leaves;
  uint32_t future;
};

struct pv_future {
  struct pv_space *space;
  const struct pv_program *p;
  const struct pv_sched *sched;
  uint32_t thread_main;
  struct pv_points_to *points_to; /* targets of indirect calls */
  uint32_t *callees;              /* room for all functions */
  uint64_t work;                  /* edges visited */

  struct pv_map code_region_of; /* function, location -> code region */
  PV_VEC(struct code_region *) code_regions;
  struct pv_map summary_of; /* code region, values -> summaries */
  PV_VEC(struct summary *) summary;
  struct pv_map stack_of;           /* summaries of the frames from the top -> future */
  PV_VEC(struct summary *) futures; /* by number: summary of a whole stack */
  struct pv_map touched_of;
  PV_VEC(struct pv_touched *) touched;

  unsigned locks;
  struct {
    uint64_t address;
    const struct pv_prim *prim;
  } lock[LOCKS];
  const struct pv_touched *release[LOCKS]; /* the accesses of an operation that opens it */

  struct seen_parked *parked;
  struct seen_frame *frames;
  struct seen_stack last[PV_MAX_THREADS];
  struct answer *answers;
  struct opening *openings;
  struct seen_head *closed;
};

struct scope { /* known values in a code region, by variable and slot of the function */
  struct pv_future *f;
  struct value *var, *slot;
};

static inline uint64_t mask(unsigned bits) {
  return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static inline struct value pv_known(uint64_t bits) {
  return (struct value){.kind = KNOWN, .bits = bits};
}

/* ---- accesses ---------------------------------------------------------------------------------
 */
static inline struct pv_touch pv_piece(uint64_t low, uint64_t bytes, unsigned effects) {
  uint64_t high = low + bytes < low || low + bytes > PV_MEMORY_END ? PV_MEMORY_END : low + bytes;
  return (struct pv_touch){.low = low, .high = high, .effects = (uint16_t)effects};
}

static inline struct pv_touch pv_anywhere(unsigned effects) {
  return (struct pv_touch){.low = 0, .high = PV_MEMORY_END, .effects = (uint16_t)effects};
}

static inline struct pv_touch pv_at_threads(unsigned effects) {
  return (struct pv_touch){
      .low = PV_AT_THREADS, .high = PV_AT_THREADS + 1, .effects = (uint16_t)effects};
}

static inline struct pv_touch pv_at_heap(void) {
  return (struct pv_touch){.low = PV_AT_HEAP, .high = PV_AT_HEAP + 1, .effects = PV_EFF_WRITE};
}

static inline struct pv_touch pv_own_end(void) {
  return (struct pv_touch){.effects = PV_EFF_WRITE, .own = true};
}

/* Accesses to a synchronisation object. Its scheduler record is identified by its address. Its
 * bytes may be read, and are written when it is initialised. */
static inline unsigned pv_sync_touches(uint64_t address, unsigned effects, struct pv_touch *out) {
  out[0] = pv_piece(address, 1, effects);
  out[1] = pv_piece(address, SYNC_BYTES,
                    effects & PV_EFF_SYNC ? PV_EFF_READ | PV_EFF_WRITE : PV_EFF_READ);
  return 2;
}

/* ---- future.c ---------------------------------------------------------------------------------
 */
/* Returns the unique equal record, with its number. t->id is ignored. */
const struct pv_touched *pv_touched_number(struct pv_future *f, const struct pv_touched *t);
bool pv_is_lock(const struct pv_prim *prim);
/* The bit of a lock, assigned at the first call; 0: all bits are in use. */
uint64_t pv_lock_bit(struct pv_future *f, const struct pv_prim *prim, uint64_t address);

/* ---- future_values.c --------------------------------------------------------------------------
 */
struct value pv_evaluate(const struct scope *c, pv_expr e);

/* ---- future_summary.c ---------------------------------------------------------------------------
 */
struct code_region *pv_find_code_region(struct pv_future *f, uint32_t function, pv_loc loc);
/* The summary of the code from the location on, given the values of the function's variables and
 * the addresses of its slots. `depth`: nesting of followed calls. */
const struct summary *pv_summary_at(struct pv_future *f, uint32_t function, pv_loc loc,
                                    const struct value *var, const struct value *slot,
                                    unsigned depth);
void pv_summary_add(struct summary *d, const struct summary *more, uint64_t guards);
void pv_summary_anything(struct summary *d); /* the summary becomes all of memory */

#endif
