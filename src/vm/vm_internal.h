/* vm_internal.h -- shared by the files of vm/ only: the VM's data structures and its memory. */
#ifndef PV_VM_INTERNAL_H
#define PV_VM_INTERNAL_H

#include "ir/exclusion.h"
#include "vm/code.h"
#include "vm/vm.h"

#include <stdlib.h>
#include <string.h>

/* Bytes: large objects are divided into pages of PV_PAGE; globals of at most PV_PACK share one. */
enum { PV_PAGE = 512, PV_PACK = 8 };

enum pv_object_kind {
  PV_OBJ_GLOBAL,
  PV_OBJ_CONST,
  PV_OBJ_TLS,
  PV_OBJ_SLOT,
  PV_OBJ_ALLOCA,
  PV_OBJ_TEMP,
  PV_OBJ_HEAP,
  PV_OBJ_FUNCTIONS
};

/* Flags in the last four bytes of an object's pages. */
enum {
  PV_MEM_LIVE = 1,
  PV_MEM_ENDED = 2,
  PV_MEM_SHARED = 4,
  PV_MEM_SHADOW = 8,
  PV_MEM_BITS = 16,  /* some byte is partly initialised, by a bit-field */
  PV_MEM_SPARSE = 32 /* unchanged since the object's lifetime began: only the flags are stored */
};

/* A memory object: an address range whose identity is the same during the whole run. Its components
 * in the state tell whether it is live. They are absent before its first lifetime and when it is
 * forgotten; ENDED if its lifetime is over but pointers to it may exist; or LIVE. A component is a
 * page: the payload; with SHADOW one bit for each payload byte (1: initialised); with BITS one byte
 * for each payload byte (the initialised bits of bytes that are partly initialised); then four
 * bytes of flags. A page of a large object that was never written is SPARSE: payload and shadow,
 * all zero, are omitted. Components of GLOBALs have a payload only, and several globals share one.
 * Their uninitialised bytes are listed in a separate component (unset.c). */
struct pv_object {
  uint64_t base, size;
  uint32_t comp, offset, pages; /* first component, offset in it (packed globals) */
  uint8_t kind;
  bool avoided; /* its address was not reused, and a proviso says so */
  uint32_t thread, occurrence, align;
  uint32_t site;  /* GLOBAL, CONST, TLS: the global; SLOT: function; others: edge's site */
  uint32_t slot;  /* SLOT: which; HEAP: 1 if it is mapped */
  uint32_t depth; /* SLOT, ALLOCA, TEMP: of the frame, 1: the bottom */
  uint32_t span;
  uint8_t *constant; /* CONST: its bytes */
};

/* What a thread is parked at: a visible operation; an invisible one; or the end of its path, by an
 * error or a proviso. NOT: it is not parked. */
enum pv_stand { PV_STAND_VISIBLE, PV_STAND_LOCAL, PV_STAND_END, PV_STAND_NOT };

struct pv_frame_head { /* head of a FRAME component; registers follow, then n_owned object numbers
                        */
  uint32_t pc;
  uint16_t n_owned, local; /* local: an enum pv_stand */
};

struct pv_thread {
  uint32_t depth;
  PV_VEC(uint32_t) frames; /* depth -> component */
};

struct pv_machine {            /* component 1; after it the automaton's state, if there is one */
  uint32_t exclusive, nesting; /* 1 + the thread in an atomic section */
};

/* A software translation lookaside buffer for machine code: the pages that the running thread may
 * access without any check. The first access of a page performs the checks and enters the page
 * (pv_tlb_fill). All pages are removed when the outcome of a check may have changed (pv_tlb_flush).
 * Accesses of uninitialised bytes still take the slow path. */
enum { PV_TLB_ENTRIES = 64, PV_TLB_NONE = -1 };
struct pv_tlb_entry {
  uint64_t load_page, store_page; /* address / PV_PAGE; PV_TLB_NONE: nothing */
  uint8_t *payload, *shadow;      /* shadow: vm->all_set where the page has none */
  uint32_t n;                     /* bytes of payload */
  uint32_t shared;                /* stores must call pv_publish */
  uint64_t unused[3];             /* padding to 64 bytes, so that indexing is a shift */
};

struct pv_native;
struct pv_taint { /* of a value */
  uint64_t unset[2];
};
/* The identity of an object; without padding, for it is a key of bytes. */
struct pv_object_key {
  uint32_t kind, site, slot, thread, depth, align, occurrence, zero;
  uint64_t size;
};
struct pv_heap_size {
  uint64_t size;
  bool mapping;
};
struct pv_kept_object {
  uint32_t kind, site, slot;
};
struct pv_vm {
  const struct pv_program *program;
  const struct pv_options *options;
  pv_properties properties;
  const struct pv_sched *sched;
  struct pv_sched_env env;
  struct pv_condition *condition;
  struct pv_condition *lasting; /* the same, but also while pv_vm_ahead runs */
  struct pv_code *code;

  PV_VEC(struct pv_comp) comps;
  PV_VEC(uint64_t) filled; /* bit i: component i has more than flags */
  PV_VEC(uint32_t) dirty;
  /* While `tracks`: components that the transition has read or changed. */
  PV_VEC(uint32_t) footprint;
  bool tracks, saw_all;                         /* saw_all: it read all components */
  bool saw_objects;                             /* it depended on which objects exist */
  uint32_t objects_before;                      /* their number when the transition began */
  struct pv_sched_state sched_state;            /* shares its bytes with component 0 */
  struct pv_thread threads[PV_MAX_THREADS + 1]; /* the last one is for invariants */
  uint64_t alive_set;                           /* bit t: thread t is alive */
  unsigned alive;

  PV_VEC(uint64_t) arguments; /* of the current call, two words each */
  PV_VEC(uint32_t) ends;      /* objects whose lifetime ends with the frame being popped */
  PV_VEC(struct pv_object) objects;
  struct pv_map object_keys;
  struct pv_registry *registry; /* NULL: this is the only VM */
  uint32_t registered;          /* entries of the registry that this VM has taken over */
  PV_VEC(uint32_t) owner;       /* address >> shift -> object + 1 */
  unsigned shift;
  uint64_t first_slot; /* of the lowest object */
  uint64_t below;      /* pv_object_meant */
  uint32_t unset_comp; /* unset.c */
  bool full;           /* the address space is exhausted; an object was refused */
  uint64_t *global_address, *function_address;
  uint64_t functions_base;
  bool compares_pointers;
  bool restarts;        /* the scheduler stopped the running thread, which begins anew */
  bool beside;          /* the thread runs beside a cooperative scheduler (sched.h) */
  uint32_t thread_main; /* function that every thread's bottom frame runs */
  struct pv_exclusion exclusion;

  /* the running transition */
  unsigned thread, alternative;
  enum pv_go {
    PV_GO_NOT,
    PV_GO,
    PV_GOES
  } go;                       /* PV_GO: the next visible operation may be executed;
                                 PV_GOES: it is being executed */
  bool ending;                /* the thread was parked at the end of its path, and reaches it now */
  uint32_t low;               /* frames that the transition never left, and */
  uint32_t low_edge;          /* the edge of the last of them, as an index into code->edges */
  struct pv_course course;    /* of the running thread */
  uint64_t spawned;           /* bits of threads that it created and that have not run yet */
  bool observed;              /* pv_vm_set_observed */
  bool silent;                /* nothing is visible (invariants) */
  bool ahead;                 /* pv_vm_ahead: threads are neither created nor ended */
  struct pv_pending *peek;    /* not NULL: only determine what the thread is parked at */
  bool expects;               /* the operation is a compare-and-exchange ... */
  uint64_t expected;          /* ... with this expected value */
  uint32_t fuel;              /* loop heads until the transition is ended */
  uint32_t until_limit_check; /* loop heads and calls until the limits are checked */
  uint32_t limit_check_period; /* ... and between two checks */
  struct pv_limits *limits;    /* the task's; may be NULL */
  uint64_t *scratch, *regs;
  struct pv_frame_head *frame;
  uint32_t frame_comp;
  bool atomic;     /* inside an atomic section */
  bool whole;      /* inside a read-modify-write, which is one step */
  uint8_t *noted;  /* by code edge: was the proviso on its weak memory order added? (run.c) */
  uint8_t *hidden; /* by code edge: is it hidden (pv_vm_hide)? NULL: none is */
  struct pv_event event;
  PV_VEC(struct pv_event) passed;     /* pv_vm_passed */
  const struct pv_error_key *stop_at; /* pv_vm_stop_at */
  enum pv_outcome outcome;
  const struct pv_recorder *recorder;
  struct pv_script *script; /* NULL: none */
  uint64_t instructions, inputs;
  uint64_t first_read; /* the address of the latest value that first_read.c chose */

  struct pv_follow *follow; /* follow.c; NULL: there is no automaton */

  /* option --atomic: atomicity.c */
  bool watched;           /* an observer or option --atomic inspects each instruction */
  bool probe;             /* the peek asks whether the operation is visible */
  struct {                /* the statement whose visible operation the transition executed */
    uint32_t depth, stmt; /* of the frame in the program's own code; stmt 0: none */
  } statement;
  bool idle;                      /* the first primitive did not change the scheduler's state */
  bool eager;                     /* pv_vm_set_eager */
  uint64_t joined;                /* bits of the threads joined in this step */
  bool renumbers;                 /* pv_vm_renumbers */
  uint64_t hid;                   /* pv_vm_hid */
  PV_VEC(uint32_t) published;     /* pv_vm_published */
  PV_VEC(struct pv_fence) fences; /* pv_vm_fences */
  bool notes_fences;
  const struct pv_global *sizeless; /* the last fault was in a variable that no file defines and
                                       whose accesses are not followed; or NULL */
  uint64_t held_eagerly;            /* pv_vm_held_eagerly */
  uint64_t eager_threads;           /* likewise */
  struct {                          /* fresh.c */
    bool on;
    PV_VEC(struct pv_heap_event) transitions;
    PV_VEC(struct pv_heap_size) back;
    PV_VEC(struct pv_kept_object) kept; /* pv_vm_keep */
  } fresh;
  bool merged;  /* a visible operation was executed without parking */
  bool assumed; /* the proviso for that was added */

  /* machine code: native.c */
  struct pv_native *native; /* NULL: nothing is compiled */
  uint64_t *heat;           /* by function: instructions interpreted so far; NULL: never compile */
  uint64_t native_look;     /* the value of `instructions` at which to compile hot functions next */
  struct pv_str native_failure;
  bool defer_park;        /* machine code is running: parking is deferred until it returns */
  enum pv_stand deferred; /* what to park at then */
  bool tainted;           /* a register holds an indeterminate value: taint.c */
  uint64_t *taint;        /* by scratch cell: its unset bits, while `tainted` */
  PV_VEC(struct pv_taint) taints; /* of arguments or results being passed */
  uint64_t stored_unset[2];       /* unset bits of the value to be stored next */
  uint64_t loaded[2];             /* the value of the last pv_native_load */
  struct pv_tlb_entry tlb[PV_TLB_ENTRIES];
  uint64_t tlb_used;                               /* bit set: entries in use */
  uint8_t all_set[PV_PAGE / 8];                    /* the shadow of pages without one: all ones */
  uint8_t tlb_shadow[PV_TLB_ENTRIES][PV_PAGE / 8]; /* of pages of globals with unset bytes */
};

/* ---- pages ----------------------------------------------------------------------------------- */
/* Do the object's pages have flags? Globals have none: they are always live and shared. */
static inline bool pv_object_has_flags(const struct pv_object *o) {
  return o->kind != PV_OBJ_GLOBAL && o->kind != PV_OBJ_CONST && o->kind != PV_OBJ_FUNCTIONS;
}
/* The number of the object's bytes in this page. */
static inline uint32_t pv_page_payload(const struct pv_object *o, uint32_t page) {
  uint64_t rest = o->size - (uint64_t)page * PV_PAGE;
  return rest < PV_PAGE ? (uint32_t)rest : PV_PAGE;
}
static inline uint32_t pv_page_flags(const struct pv_comp *c) {
  uint32_t f;
  memcpy(&f, c->data + c->n - 4, 4);
  return f;
}
static inline void pv_page_set_flags(struct pv_comp *c, uint32_t f) {
  memcpy(c->data + c->n - 4, &f, 4);
}
static inline bool pv_page_is_sparse(const struct pv_object *o, const struct pv_comp *c) {
  return pv_object_has_flags(o) && c->n == 4 && (pv_page_flags(c) & PV_MEM_SPARSE);
}

/* ---- follow.c -------------------------------------------------------------------------------- */
void pv_follow_free(struct pv_follow *x);
void pv_follow_start(struct pv_vm *vm);
void pv_follow_resume(struct pv_vm *vm); /* a thread goes on from where it was parked */
/* The last edge of the running thread was its end. true: the automaton came to `verified`. */
bool pv_follow_ended(struct pv_vm *vm);
void pv_follow_waits(struct pv_vm *vm); /* it called a cooperative scheduler, and is to be parked */
/* The running thread was parked, perhaps within an edge. true: the automaton came to `verified`. */
bool pv_follow_parked(struct pv_vm *vm);
/* The instruction at `pc` is next. true: the automaton came to `verified`. */
bool pv_follow_begin(struct pv_vm *vm, uint32_t pc);

/* ---- memory.c -------------------------------------------------------------------------------- */
uint32_t pv_comp_new(struct pv_vm *vm, enum pv_comp_kind kind, uint32_t owner);
void pv_comp_resize(struct pv_vm *vm, uint32_t comp,
                    uint32_t n); /* new bytes are zero; marks dirty */
/* Call it before a transition reads or writes a component. */
static inline void pv_comp_note(struct pv_vm *vm, uint32_t comp) {
  if (!vm->tracks || vm->comps.at[comp].noted) return;
  vm->comps.at[comp].noted = true;
  pv_vec_push(&vm->footprint, comp);
}
/* The scheduler's state. To be used for every access, except for which threads are alive. */
static inline struct pv_sched_state *pv_sched_seen(struct pv_vm *vm) {
  pv_comp_note(vm, 0);
  return &vm->sched_state;
}
/* Call it where a transition depends on the absence of an object. */
static inline void pv_objects_note(struct pv_vm *vm) {
  if (!vm->tracks || vm->saw_objects) return;
  vm->saw_objects = true;
  pv_vec_push(&vm->footprint, PV_FOOT_OBJECTS);
}
static inline void pv_comp_touch(struct pv_vm *vm, uint32_t comp) {
  if (vm->comps.at[comp].dirty) return;
  vm->comps.at[comp].dirty = true;
  pv_vec_push(&vm->dirty, comp);
}
/* Enters the page of a non-atomic access that was just executed. */
void pv_tlb_fill(struct pv_vm *vm, uint64_t address, bool write);
void pv_tlb_flush(struct pv_vm *vm);
/* Mixes the page number and the number of the object's address slot. Machine code computes the
 * same. */
static inline unsigned pv_tlb_index(const struct pv_vm *vm, uint64_t address) {
  return (unsigned)(address / PV_PAGE + (address >> vm->shift)) % PV_TLB_ENTRIES;
}
void pv_memory_init(struct pv_vm *vm);
void pv_memory_start(struct pv_vm *vm); /* gives globals their initial values */
void pv_memory_free(struct pv_vm *vm);

/* Call it when the running thread or the scheduler's state has changed. */
void pv_look_beside(struct pv_vm *vm);
void pv_note_beside(struct pv_vm *vm); /* edge.c */
void pv_note_provided(struct pv_vm *vm, const char *sentence);
void pv_thread_gone(struct pv_vm *vm, unsigned thread); /* lifetime.c: its stack and data end */
/* The running thread, inside a primitive, was stopped by its own order. */
enum pv_outcome pv_stop_self(struct pv_vm *vm);
/* Are there other threads, or should visible operations park anyway (pv_vm_set_observed)? */
static inline bool pv_is_observed(const struct pv_vm *vm) {
  return (vm->alive > 1 && vm->sched->preemptive) || vm->observed;
}
/* Are accesses to shared memory visible: to other threads, or to invariants? */
static inline bool pv_seen(const struct pv_vm *vm) {
  return pv_is_observed(vm) || vm->beside || (vm->properties & PV_PROP_WATCHING);
}

/* Is the current operation hidden (pv_vm_hide)? */
static inline bool pv_hides(const struct pv_vm *vm) {
  return vm->hidden && vm->hidden[vm->code->where.at[vm->frame->pc]];
}

static inline void pv_note_hid(struct pv_vm *vm) {
  vm->hid |= UINT64_C(1) << vm->thread;
}

/* Can other threads observe the current operation? */
static inline bool pv_watched(const struct pv_vm *vm) {
  return pv_is_observed(vm) && !vm->silent && !vm->atomic && !pv_hides(vm);
}

/* A pointer at most vm->below bytes below an object (4 KiB; in the 64-bit data model 1 MiB), or at
 * most PV_BEHIND bytes behind it, still refers to it. The gap behind each object is at least twice
 * as large as both together. */
enum { PV_BEHIND = 64 };
static inline struct pv_object *pv_object_at(struct pv_vm *vm, uint64_t address) {
  uint64_t s = address >> vm->shift;
  uint32_t o = s < vm->owner.n ? vm->owner.at[s] : 0;
  if (!o && s >= vm->first_slot) pv_objects_note(vm); /* no object lies below */
  return o ? &vm->objects.at[o - 1] : NULL;
}
/* The object that a pointer refers to. The pointer may lie outside of its object. For example,
 * `container_of` of a list head may yield an address below it, and so does an array that is indexed
 * from 1. A value in the gap between two objects refers to the upper one if it is at most vm->below
 * bytes below it, and to the lower one if it is at most PV_BEHIND bytes behind it. */
static inline struct pv_object *pv_object_meant(struct pv_vm *vm, uint64_t value) {
  struct pv_object *o = pv_object_at(vm, value);
  if (o && value - o->base <= o->size + PV_BEHIND) return o;
  struct pv_object *above = pv_object_at(vm, value + vm->below);
  return above && above != o && above->base - value <= vm->below ? above : o;
}
uint32_t pv_object_state(struct pv_vm *vm, const struct pv_object *o); /* PV_MEM_* flags */
static inline bool pv_object_shared(struct pv_vm *vm, const struct pv_object *o) {
  return o->kind == PV_OBJ_GLOBAL || (pv_object_state(vm, o) & PV_MEM_SHARED);
}
/* Is the object shared, or has its lifetime ended? An access after the end of the lifetime parks
 * just like one before it, so that the order of independent steps does not change their number. */
static inline bool pv_object_met(struct pv_vm *vm, const struct pv_object *o) {
  return o->kind == PV_OBJ_GLOBAL || (pv_object_state(vm, o) & (PV_MEM_SHARED | PV_MEM_ENDED)) != 0;
}
/* The `slot` of a heap object: the allocator that made it, and must free it. */
enum pv_heap_kind { PV_HEAP_MALLOC, PV_HEAP_MAPPING, PV_HEAP_STREAM };
static inline enum pv_heap_kind pv_heap_kind(unsigned storage) {
  return storage == PV_STORAGE_STREAM                                   ? PV_HEAP_STREAM
         : storage == PV_STORAGE_MAPPING || storage == PV_STORAGE_GIVEN ? PV_HEAP_MAPPING
                                                                        : PV_HEAP_MALLOC;
}
/* Such objects are initialised from the beginning, and are never leaks. */
static inline bool pv_object_is_mapping(const struct pv_object *o) {
  return o->kind == PV_OBJ_HEAP && o->slot != PV_HEAP_MALLOC;
}
/* Finds or creates the object with this key. */
struct pv_object *pv_object_get(struct pv_vm *vm, const struct pv_object_key *key);
/* The object for the next lifetime: the first occurrence, from key->occurrence on, that is neither
 * live nor lingering. Updates key->occurrence. NULL: the address space is exhausted. */
struct pv_object *pv_object_next(struct pv_vm *vm, struct pv_object_key *key, bool by_thread);
void pv_object_begin(struct pv_vm *vm, struct pv_object *o,
                     bool initialised); /* makes it LIVE and not SHARED */
void pv_object_forget(struct pv_vm *vm,
                      struct pv_object *o); /* it stays LIVE, but is uninitialised */
void pv_comp_noted_size(struct pv_vm *vm,
                        uint32_t comp); /* after the size of a component changed */
void pv_object_end(struct pv_vm *vm, struct pv_object *o,
                   bool keep); /* keep: as ENDED; else it is forgotten */
/* Ends the lifetime of a stack object. A shared one is always kept as ENDED. Otherwise the state
 * would depend on whether other threads point to it at this moment, and so on the order of
 * independent steps. */
void pv_stack_object_end(struct pv_vm *vm, struct pv_object *o);

/* Can a run of the program create an object with this key? For keys that were read. */
bool pv_object_key_is_possible(const struct pv_vm *vm, const struct pv_object_key *key);
/* Creates the object with this key, which does not exist yet. */
void pv_object_make(struct pv_vm *vm, const struct pv_object_key *key);

/* ---- registry.c ------------------------------------------------------------------------------ */
/* Creates the object or the frame's component, in the same order in all VMs. */
void pv_register_object(struct pv_vm *vm, const struct pv_object_key *key);
void pv_register_frame(struct pv_vm *vm, unsigned thread, uint32_t depth);
/* Compilation is serialised among VMs, because LLVM requires it. */
void pv_registry_lock_compiler(struct pv_vm *vm);
void pv_registry_unlock_compiler(struct pv_vm *vm);

uint64_t pv_constant_value(const struct pv_vm *vm, pv_expr e); /* of an initialiser */
/* Describes why an access is invalid; NULL: it is valid. */
const char *pv_access_fault(struct pv_vm *vm, uint64_t address, uint64_t bytes, bool write,
                            enum pv_property *property);
/* Copies without checks; the range must lie in a live object. init: one bit for each byte; may be
 * NULL. */
void pv_memory_read(struct pv_vm *vm, struct pv_object *o, uint64_t offset, void *to, uint32_t n,
                    uint32_t *init);
void pv_memory_write(struct pv_vm *vm, struct pv_object *o, uint64_t offset, const void *from,
                     uint32_t n);
/* A write that initialises only the bits in `set`, one word for each 8 bytes: for bit-fields, and
 * for values that are partly uninitialised. */
void pv_memory_write_set(struct pv_vm *vm, struct pv_object *o, uint64_t offset, const void *from,
                         uint32_t n, const uint64_t *set);
/* Allocates a heap object: a fresh one for alternative 0, the k-th freed one that fits for k. */
struct pv_object *pv_heap_new(struct pv_vm *vm, unsigned storage, uint32_t site, uint64_t size,
                              uint32_t align, unsigned alternative);
unsigned pv_heap_reusable(struct pv_vm *vm, unsigned storage, uint64_t size);

/* ---- shadow.c -------------------------------------------------------------------------------- */
/* Is the object initialised when its lifetime begins? Its pages have a shadow only while some byte
 * is uninitialised. */
static inline bool pv_object_begins_set(const struct pv_object *o) {
  return o->kind == PV_OBJ_TLS || pv_object_is_mapping(o);
}
/* The initialised bits of at most 8 bytes, byte 0 lowest. Bytes beyond n count as initialised. */
uint64_t pv_memory_set_bits(struct pv_vm *vm, const struct pv_object *o, uint64_t offset,
                            uint32_t n);
/* Call it after a store: marks n bytes from byte `in` of a page as initialised. */
void pv_shadow_all_set(struct pv_vm *vm, const struct pv_object *o, uint32_t page, uint32_t in,
                       uint32_t n);
/* The same for the bits in `set` of at most 8 bytes anywhere in the object, byte 0 lowest. */
void pv_shadow_put(struct pv_vm *vm, const struct pv_object *o, uint64_t offset, uint32_t n,
                   uint64_t set);

/* ---- taint.c --------------------------------------------------------------------------------- */
/* Are uninitialised values tracked to their use (--indeterminate use)? */
bool pv_taint_follows(const struct pv_vm *vm);
/* Updates vm->tainted from the current state. */
void pv_taint_look(struct pv_vm *vm);
/* The unset bits of a cell of the running frame. Put them after the value. */
uint64_t pv_taint_get(struct pv_vm *vm, int32_t cell);
void pv_taint_put(struct pv_vm *vm, int32_t cell, uint64_t unset);
/* Call it when the frame was popped. */
void pv_taint_drop_frame(struct pv_vm *vm, unsigned thread, uint32_t depth);
/* Appends the unset bits of the edge's arguments to vm->taints. */
void pv_taint_arguments(struct pv_vm *vm, const struct pv_code_edge *ce);
/* Transfers the unset bits of value i in vm->taints, if any, to a variable of the running frame,
 * whose function is given. */
void pv_taint_variable(struct pv_vm *vm, uint32_t function, uint32_t var, uint32_t i);

/* ---- unset.c --------------------------------------------------------------------------------- */
struct pv_unset_word { /* of globals: in the component unset_comp, by address */
  uint64_t address;    /* a multiple of 8 */
  uint64_t set;        /* the bits that are set, byte 0 lowest; never all */
};
/* The first listed address in [address, address + n), or 0. */
uint64_t pv_unset_first(struct pv_vm *vm, uint64_t address, uint64_t n);
/* Is some bit unset in the words that overlap [address, address + n)? */
bool pv_unset_any(struct pv_vm *vm, uint64_t address, uint64_t n);
/* Reads and writes the initialised bits of at most 8 bytes, as pv_memory_set_bits. */
uint64_t pv_unset_get(struct pv_vm *vm, uint64_t address, uint32_t n);
void pv_unset_put(struct pv_vm *vm, uint64_t address, uint32_t n, uint64_t set);
void pv_unset_clear(struct pv_vm *vm, uint64_t address, uint32_t n); /* marks all as initialised */
/* Writes one bit for each of n bytes; 1: fully initialised. The address is a multiple of 8. */
void pv_unset_shadow(struct pv_vm *vm, uint64_t address, uint32_t n, uint8_t *shadow);

/* ---- pointers.c ------------------------------------------------------------------------------ */
/* The objects to which the thread's frames, or memory that only it can reach, point. Bit i stands
 * for all objects whose number is i modulo 64. */
uint64_t pv_objects_held(struct pv_vm *vm, unsigned thread);
bool pv_object_referenced(struct pv_vm *vm,
                          const struct pv_object *o); /* may a pointer to it exist? */
void pv_publish(
    struct pv_vm *vm,
    uint64_t value); /* other threads can now reach the object that value may point to */
/* Is there a pointer to the object outside of the memory that only the running thread can reach? */
bool pv_object_held_elsewhere(struct pv_vm *vm, const struct pv_object *o);
/* Is the object ENDED, but not available for a new lifetime because pointers to it may exist?
 * by_thread: decide independently of what other threads do (pv_vm_fresh). */
bool pv_object_lingers(struct pv_vm *vm, const struct pv_object *o, bool by_thread);
/* The first live heap object from objects.at[from] on; lost: the first that is unreachable from
 * live memory. NULL: none. */
struct pv_object *pv_heap_leak(struct pv_vm *vm, bool lost, uint32_t from);

/* ---- fresh.c --------------------------------------------------------------------------------- */
/* Does the allocation get a fresh address invisibly (pv_vm_fresh)? If so, records it. */
bool pv_fresh_allocates(struct pv_vm *vm, const struct pv_code_edge *ce, uint64_t size);
/* Must an ENDED object that was shared be kept, whether or not pointers to it exist? Stack objects
 * need not, unless the search asks for it (pv_vm_keep); their new lifetime is recorded. */
bool pv_fresh_keeps(struct pv_vm *vm, const struct pv_object *o);
/* Call it before an eager end or join of a thread: records the objects to which the caller has
 * pointers. */
void pv_fresh_eager(struct pv_vm *vm, const struct pv_code_edge *ce);
/* Records that the object was freed. shared: other threads could reach it. */
void pv_fresh_frees(struct pv_vm *vm, const struct pv_object *o, bool shared);
void pv_fresh_begin(struct pv_vm *vm); /* call it before and after every step */
void pv_fresh_end(struct pv_vm *vm);

/* ---- frames: frames.c, vm.c ------------------------------------------------------------------ */
void pv_frame_make(struct pv_vm *vm, unsigned thread,
                   uint32_t depth); /* creates the component of the next frame */
void pv_frame_push(struct pv_vm *vm, unsigned thread, uint32_t function);
void pv_frame_pop(struct pv_vm *vm, unsigned thread);
void pv_frame_enter(struct pv_vm *vm, unsigned thread); /* caches the registers of the top frame */
void pv_resume(struct pv_vm *vm, unsigned thread);      /* makes it the running thread */
void pv_count_alive(struct pv_vm *vm);   /* call it when the scheduler's state may have changed */
void pv_sched_changed(struct pv_vm *vm); /* component 0 is the scheduler's own byte string */
void pv_frame_own(struct pv_vm *vm, uint32_t object);
const uint32_t *pv_frame_owned(const struct pv_vm *vm); /* frame->n_owned objects */
uint64_t pv_slot_address(struct pv_vm *vm, uint32_t function, uint32_t slot, unsigned thread,
                         uint32_t depth);

/* The current edge of the thread in the frame at that depth (1: the bottom), as an index into
 * code->edges. In all frames but the top one this is a call: pc is after it there. */
uint32_t pv_edge_number(const struct pv_vm *vm, unsigned thread, uint32_t depth);
/* The same as an edge. Notes that the frame was read. */
const struct pv_code_edge *pv_edge_at(struct pv_vm *vm, unsigned thread, uint32_t depth);
/* The current edge of the thread; within a model, the call in the program's own code that led
 * there. *depth becomes the depth of its frame. If the stack has models only, the current edge. */
const struct pv_code_edge *pv_user_edge_of(struct pv_vm *vm, unsigned thread, uint32_t *depth);
/* The same for the running thread. */
const struct pv_code_edge *pv_user_edge(struct pv_vm *vm);
/* For messages: headers of the C++ library are passed over, too. */
const struct pv_code_edge *pv_shown_edge_of(struct pv_vm *vm, unsigned thread);

/* ---- heap_names.c ---------------------------------------------------------------------------- */
/* "p->count" for a byte of a block on the heap, and the member that it is in.
 * false, and nothing is added: it is none, or its type is not known. */
bool pv_heap_name(const struct pv_vm *vm, const struct pv_object *o, uint64_t offset,
                  struct pv_member *m, struct pv_str *out);

/* ---- given_names.c --------------------------------------------------------------------------- */
/* "argv[1]", "the value of HOME" for an object that holds an argument or a value of the
 * environment. false, and nothing is added: it is another object. */
bool pv_given_name(struct pv_vm *vm, const struct pv_object *o, struct pv_str *out);

/* ---- script.c -------------------------------------------------------------------------------- */
/* Bounds of an input, both included. */
struct pv_input_bounds {
  uint64_t low, high;
  bool is_signed;
};
/* Replaces *value, which the alternative selects, by the script's value for the input of an edge.
 * bounds NULL: those of the type. false: the script's value is impossible. */
bool pv_script_next(struct pv_vm *vm, const struct pv_code_edge *ce,
                    const struct pv_input_bounds *bounds, uint64_t value[2]);
/* The running thread has executed its load. */
void pv_script_loads(struct pv_vm *vm);
/* Withdraws all inputs but the first `n_asked`. */
void pv_script_back(struct pv_vm *vm, uint64_t n_asked);

/* ---- atomicity.c ----------------------------------------------------------------------------- */
/* Call it before the instruction at frame->pc; first: it is the first of the transition. true:
 * it begins another transition, and the thread was parked. */
bool pv_edge_begins(struct pv_vm *vm, bool first);
/* Call it when the visible operation at which the thread was parked is executed: its statement
 * begins. */
void pv_statement_begin(struct pv_vm *vm);
/* The transition ends at the next visible operation. */
static inline void pv_statement_end(struct pv_vm *vm) {
  vm->statement.stmt = 0;
}
/* May an enabled visible operation with one alternative be part of this transition? */
bool pv_statement_goes_on(struct pv_vm *vm, enum pv_pend_kind kind);

/* ---- run.c, edge.c, lifetime.c, rare.c ------------------------------------------------------- */
/* The number of alternatives of a primitive that the options allow. *progress: without spurious
 * wake-ups. */
unsigned pv_prim_alternatives(struct pv_vm *vm, const struct pv_prim_call *call,
                              unsigned *progress);
/* Call it at loop heads and calls; if true, leave with PV_CUT. */
bool pv_out_of_time(struct pv_vm *vm);
/* Accounts for an operation that reads or copies that many bytes, so that limits are checked in
 * time. */
static inline void pv_charge(struct pv_vm *vm, uint64_t bytes) {
  uint64_t worth = bytes / 64; /* as many loop heads take as long */
  vm->until_limit_check -= worth < vm->until_limit_check ? (uint32_t)worth : vm->until_limit_check;
}
/* The result of an operation: continue with the next instruction, continue at frame->pc, or leave
 * the interpreter. */
enum pv_flow { PV_FLOW_NEXT, PV_FLOW_JUMP, PV_FLOW_LEAVE };
static inline enum pv_flow pv_leave(struct pv_vm *vm, enum pv_outcome outcome) {
  vm->outcome = outcome;
  return PV_FLOW_LEAVE;
}
enum pv_outcome pv_run(struct pv_vm *vm);
/* Interprets from frame->pc. Returns PV_FLOW_LEAVE with vm->outcome set, or PV_FLOW_JUMP with
 * frame->pc set: at a call, return or loop head with entries[pc] != 0, or at any call or return
 * after that many instructions. `entries` may be NULL. */
enum pv_flow pv_interpret(struct pv_vm *vm, const uint32_t *entries, uint64_t instructions);
/* The effects of an arithmetic or checking instruction other than its value: undefined behaviour of
 * the operands, and the checks of ORDER, PROV and SLOT. */
enum pv_flow pv_run_event(struct pv_vm *vm, const struct pv_insn *i, uint64_t a, uint64_t b);
uint64_t pv_run_tls(struct pv_vm *vm, uint32_t global);
/* Parks the thread at its current edge; dead registers become zero. With vm->defer_park this is
 * deferred. */
void pv_run_park(struct pv_vm *vm, enum pv_stand as);
/* The same without a call of the recorder. */
void pv_run_stand(struct pv_vm *vm, enum pv_stand as);
/* Call it where the thread's path ends, before the edge has any effect. If the transition has
 * executed a visible operation, the thread is parked first, so that others may observe it. true: it
 * was parked; the caller leaves. */
bool pv_stands_at_end(struct pv_vm *vm);

/* ---- undefined.c ----------------------------------------------------------------------------- */
/* The variable that no file defines, if the object is one. */
const struct pv_global *pv_undefined_global(const struct pv_vm *vm, const struct pv_object *o);
void pv_undefined_begin(struct pv_vm *vm, const struct pv_object *o);
/* Call it before a read of n bytes: ends the path if bytes of such a variable are read that
 * the program has not written. `matter`: the bits of the first 8 bytes that the reader needs. */
enum pv_flow pv_undefined_read(struct pv_vm *vm, const struct pv_object *o, uint64_t address,
                               uint32_t n, uint64_t matter);
/* Ends the path, with the proviso about this variable. */
enum pv_flow pv_undefined_leave(struct pv_vm *vm, const struct pv_global *g);

/* ---- edge.c, taint.c, vm.c, run.c: operations and their errors ------------------------------- */
/* Call it before each instruction while vm->tainted. LEAVE: it uses an uninitialised value. */
enum pv_flow pv_taint_step(struct pv_vm *vm, const struct pv_insn *i);
/* Executes the operation of an edge (instruction EDGE). */
enum pv_flow pv_run_edge(struct pv_vm *vm, const struct pv_code_edge *ce);
/* Does an error where the running thread is count (pv_goal)? */
bool pv_vm_counts(struct pv_vm *vm);
/* Reports undefined behaviour: a violation if the property is checked; else the path ends with a
 * proviso. Returns PV_FLOW_NEXT, or LEAVE with vm->outcome set. */
enum pv_flow pv_fault(struct pv_vm *vm, enum pv_property property, const char *fmt, ...)
    PV_PRINTF(3, 4);
/* vm->event is an error after which execution may continue. Returns PV_FLOW_NEXT if it continues
 * (the error is recorded), or LEAVE with vm->outcome set. */
enum pv_flow pv_pass(struct pv_vm *vm);
/* Reports a violation if the property is checked; else execution continues. */
enum pv_flow pv_remark(struct pv_vm *vm, enum pv_property property, const char *fmt, ...)
    PV_PRINTF(3, 4);
/* Is it an RMW that stores the value it reads and has no result? models/atomic.c orders atomics of
 * unusual sizes with it. Uninitialised bits stay uninitialised. */
bool pv_edge_is_idle(const struct pv_program *p, const struct pv_edge *e);
/* The access of a LOAD, STORE, RMW or CMPXCHG edge. */
enum pv_flow pv_run_load(struct pv_vm *vm, const struct pv_edge *e, uint64_t address, uint64_t *to);
enum pv_flow pv_run_store(struct pv_vm *vm, const struct pv_edge *e, uint64_t address,
                          const uint64_t *from);
/* true: the caller must leave, because the thread was parked at the visible operation, or because
 * this is a peek. */
bool pv_visible_access(struct pv_vm *vm, uint64_t address, uint32_t bytes, bool write, bool atomic);
/* Checks an access at which the thread did not park, in an atomic section or later in a statement,
 * for races with pending accesses of other threads. */
enum pv_flow pv_section_race(struct pv_vm *vm, uint64_t address, uint32_t bytes, bool write,
                             bool atomic);
/* Call it before an access or a free of memory that is not SHARED. If it belongs to another
 * thread, the path ends with a proviso. */
enum pv_flow pv_foreign(struct pv_vm *vm, const struct pv_object *o);
/* Call it when an access is executed: reports a hidden pointer, a weak memory order, or a race
 * of an atomic section. */
enum pv_flow pv_shared_access(struct pv_vm *vm, struct pv_object *o, uint64_t address,
                              unsigned bytes, bool write, bool atomic);
/* Would an access there be visible to other threads or invariants? */
bool pv_is_seen(struct pv_vm *vm, uint64_t address);
bool pv_park(struct pv_vm *vm, enum pv_pend_kind kind, unsigned alternatives);
/* What a peek reports for an operation: its kind, or LOCAL if it probes and the operation is
 * invisible. */
static inline enum pv_pend_kind pv_peeked_kind(const struct pv_vm *vm, bool seen,
                                               enum pv_pend_kind kind) {
  return vm->probe && !seen ? PV_PEND_LOCAL : kind;
}
enum pv_flow pv_rare(struct pv_vm *vm, const struct pv_insn *i);
static inline uint64_t *
pv_cell(struct pv_vm *vm, int32_t c) { /* without a branch, which would often be mispredicted */
  uint64_t *base = c < 0 ? vm->scratch : vm->regs;
  return base + (c ^ (c >> 31));
}
static inline uint64_t pv_mask(unsigned w) {
  return w >= 64 ? UINT64_MAX : ((uint64_t)1 << w) - 1;
}
static inline int64_t pv_signed(uint64_t v, unsigned w) {
  return w >= 64 ? (int64_t)v : (int64_t)(v << (64 - w)) >> (64 - w);
}

#endif
