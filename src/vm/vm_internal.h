/* vm_internal.h -- shared by the files of vm/ only: the machine's layout and its memory. */
#ifndef PV_VM_INTERNAL_H
#define PV_VM_INTERNAL_H

#include "ir/exclusion.h"
#include "vm/code.h"
#include "vm/vm.h"

#include <stdlib.h>
#include <string.h>

enum {
  PV_PAGE = 512,
  PV_PACK = 8
}; /* bytes: large objects are cut into pages, small globals share */

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
  PV_MEM_BITS = 16,  /* some byte is set in part, by a bit-field */
  PV_MEM_SPARSE = 32 /* as it was when the object began: only the flags are there */
};

/* An address range with an identity that holds for the whole run. Whether it is live is in its
 * components: absent (never or no longer known), ENDED (freed, maybe still pointed to) or LIVE.
 * A page is: payload, then if SHADOW one bit a payload byte (1 = initialised), then if BITS one
 * byte a payload byte (of bytes set in part, the bits that are), then four bytes of flags. Pages of
 * large objects that nobody has written to yet are SPARSE: payload and shadow, all zero, are left
 * out. Components of GLOBALs are bare payload, several of them in one; what of them is unset is
 * listed in a component of its own (unset.c). */
struct pv_object {
  uint64_t base, size;
  uint32_t comp, offset, pages; /* first component, offset in it (packed globals) */
  uint8_t kind;
  bool avoided; /* its address was not given to a new life, and a proviso tells of that */
  uint32_t thread, occurrence, align;
  uint32_t site;  /* GLOBAL, CONST, TLS: the global; SLOT: function; others: edge's site */
  uint32_t slot;  /* SLOT: which; HEAP: 1 if it is mapped */
  uint32_t depth; /* SLOT, ALLOCA, TEMP: of the frame, 1: the bottom */
  uint32_t span;
  uint8_t *constant; /* CONST: its bytes */
};

/* What a thread is parked at, if not at a visible operation: nothing visible; the end of its path,
 * an error or a proviso. (NOT: it is not.) */
enum pv_stand { PV_STAND_VISIBLE, PV_STAND_LOCAL, PV_STAND_END, PV_STAND_NOT };

struct pv_frame { /* head of a FRAME component; registers follow, then n_owned object numbers */
  uint32_t pc;
  uint16_t n_owned, local; /* local: an enum pv_stand */
};

struct pv_thread {
  uint32_t depth;
  PV_VEC(uint32_t) frames; /* depth -> component */
};

struct pv_machine {            /* component 1 */
  uint32_t exclusive, nesting; /* thread in an atomic section + 1 */
};

/* Where machine code finds the payload of a page at once: a software translation lookaside buffer
 * of pages that this thread may access now without any of the questions that an access asks. A page
 * gets in with a first access that asked them (pv_tlb_fill), and all go out when an answer may have
 * changed (pv_tlb_flush). Bytes that are not set are still left to the long way. */
enum { PV_TLB_ENTRIES = 64, PV_TLB_NONE = -1 };
struct pv_tlb_entry {
  uint64_t load_page, store_page; /* address / PV_PAGE; PV_TLB_NONE: nothing */
  uint8_t *payload, *shadow;      /* shadow: vm->all_set where the page has none */
  uint32_t n;                     /* bytes of payload */
  uint32_t shared;                /* what is stored has to be published */
  uint64_t unused[3];             /* 64 bytes an entry, so that its place is a shift */
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
struct pv_kept {
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
  PV_VEC(uint32_t) footprint; /* while `tracks`: components the transition looked at or changed */
  bool tracks, saw_all;       /* saw_all: it looked at all there are */
  bool saw_objects;           /* it mattered which objects are known */
  uint32_t objects_before;    /* that were known when the transition began */
  struct pv_sched_state sched_state;            /* shares its bytes with component 0 */
  struct pv_thread threads[PV_MAX_THREADS + 1]; /* the last one is for invariants */
  uint64_t alive_set;                           /* bit t: thread t is alive */
  unsigned alive;

  PV_VEC(uint64_t) arguments; /* of the call that is being done, two words each */
  PV_VEC(uint32_t) ends;      /* objects that end with the frame that is popped */
  PV_VEC(struct pv_object) objects;
  struct pv_map object_keys;
  struct pv_registry *registry; /* NULL: this machine is the only one */
  uint32_t registered;          /* entries of the registry that are known here */
  PV_VEC(uint32_t) owner;       /* address >> shift -> object + 1 */
  unsigned shift;
  uint64_t first_slot; /* of the lowest object */
  uint64_t below;      /* pv_object_meant */
  uint32_t unset_comp; /* unset.c */
  bool full;           /* an object was refused, as the address space is used up */
  uint64_t *global_address, *function_address;
  uint64_t functions_base;
  bool compares_pointers;
  uint32_t thread_main; /* function that every thread's bottom frame runs */
  struct pv_exclusion exclusion;

  /* the running transition */
  unsigned thread, alternative;
  enum pv_go {
    PV_GO_NOT,
    PV_GO,
    PV_GOES
  } go;                        /* PV_GO: the next visible operation may proceed;
                                  PV_GOES: it is under way */
  bool ending;                 /* the thread stood at the end of its path, and comes to it now */
  uint32_t low;                /* frames that it never left, and */
  uint32_t low_edge;           /* where the last of these was, as an index into code->edges */
  struct pv_course course;     /* of the thread whose transition it is */
  uint64_t spawned;            /* threads created by it that have not run yet, as bits */
  bool observed;               /* pv_vm_set_observed */
  bool silent;                 /* nothing is visible (invariants) */
  bool ahead;                  /* pv_vm_ahead: threads do not come and go */
  struct pv_pending *peek;     /* only find out what the thread is parked at */
  bool expects;                /* ... at a compare-and-exchange, */
  uint64_t expected;           /* which expects to find this */
  uint32_t fuel;               /* loop heads until the transition ends by itself */
  uint32_t until_limit_check;  /* loop heads and calls until the limits are looked at */
  uint32_t limit_check_period; /* ... and from one look to the next */
  struct pv_limits *limits;    /* the task's; may be NULL */
  uint64_t *scratch, *regs;
  struct pv_frame *frame;
  uint32_t frame_comp;
  bool atomic;     /* inside an atomic section */
  bool whole;      /* inside a read-modify-write: its halves are one step */
  uint8_t *noted;  /* by code edge: was its weak memory order told of? (run.c) */
  uint8_t *hidden; /* by code edge: pv_vm_hide; NULL: none is */
  struct pv_event event;
  PV_VEC(struct pv_event) passed;     /* pv_vm_passed */
  const struct pv_error_key *stop_at; /* pv_vm_stop_at */
  enum pv_outcome outcome;
  const struct pv_recorder *recorder;
  struct pv_script *script; /* NULL: none */
  uint64_t instructions, inputs;

  /* option --atomic: atomicity.c */
  bool watched;           /* an observer or a level of atomicity looks at each instruction */
  bool probe;             /* a peek that asks whether the operation is visible at all */
  struct {                /* the statement whose visible operation this transition performed */
    uint32_t depth, stmt; /* of the frame in the program's own code; stmt 0: none */
  } statement;
  bool idle;             /* the primitive that it began with left the scheduler's state as it was */
  bool eager;            /* pv_vm_set_eager */
  uint64_t joined;       /* bit t: thread t was, in this step */
  bool renumbers;        /* pv_vm_renumbers */
  uint64_t hid;          /* pv_vm_hid */
  uint64_t held_eagerly; /* pv_vm_held_eagerly */
  uint64_t eager_threads; /* likewise */
  struct {                /* fresh.c */
    bool on;
    PV_VEC(struct pv_heap_event) transitions;
    PV_VEC(struct pv_heap_size) back;
    PV_VEC(struct pv_kept) kept; /* pv_vm_keep */
  } fresh;
  bool merged;  /* a visible operation was done without being parked at */
  bool assumed; /* the proviso for that is noted */

  /* machine code: native.c */
  struct pv_native *native; /* NULL: nothing is compiled */
  uint64_t *heat;           /* by function: instructions interpreted; NULL: never compile */
  uint64_t native_look;     /* look for functions to compile once `instructions` is that many */
  struct pv_str native_failure;
  bool defer_park;                /* machine code runs: parking waits until it has returned */
  enum pv_stand deferred;         /* as what */
  bool tainted;                   /* a register holds an indeterminate value: taint.c */
  uint64_t *taint;                /* by scratch cell: its unset bits, while `tainted` */
  PV_VEC(struct pv_taint) taints; /* of arguments or results that are passed */
  uint64_t stored_unset[2];       /* of the value that is stored next */
  uint64_t loaded[2];             /* the value of the last pv_native_load */
  struct pv_tlb_entry tlb[PV_TLB_ENTRIES];
  uint64_t tlb_used;                               /* bit set: entries to flush */
  uint8_t all_set[PV_PAGE / 8];                    /* the shadow of pages that have none: ones */
  uint8_t tlb_shadow[PV_TLB_ENTRIES][PV_PAGE / 8]; /* of pages of globals with unset bytes */
};

/* ---- pages ----------------------------------------------------------------------------------- */
/* Do the object's pages have flags? Globals live for ever, are shared, and have none. */
static inline bool pv_object_has_flags(const struct pv_object *o) {
  return o->kind != PV_OBJ_GLOBAL && o->kind != PV_OBJ_CONST && o->kind != PV_OBJ_FUNCTIONS;
}
/* Bytes of the object in that page. */
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

/* ---- memory.c -------------------------------------------------------------------------------- */
uint32_t pv_comp_new(struct pv_vm *vm, enum pv_comp_kind kind, uint32_t owner);
void pv_comp_resize(struct pv_vm *vm, uint32_t comp,
                    uint32_t n); /* new bytes are zero; marks dirty */
/* To be called before a component's content is used in a transition. */
static inline void pv_comp_note(struct pv_vm *vm, uint32_t comp) {
  if (!vm->tracks || vm->comps.at[comp].noted) return;
  vm->comps.at[comp].noted = true;
  pv_vec_push(&vm->footprint, comp);
}
/* To be called before the scheduler's state is used, but for which threads are alive. */
static inline struct pv_sched_state *pv_sched_seen(struct pv_vm *vm) {
  pv_comp_note(vm, 0);
  return &vm->sched_state;
}
/* To be called where it matters that an object is not known. */
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
/* Remembers the page of an access that has just been done, with no order and no peek. */
void pv_tlb_fill(struct pv_vm *vm, uint64_t address, bool write);
void pv_tlb_flush(struct pv_vm *vm);
/* Small objects begin their slots, pages lie within: mixes both. Machine code computes the same. */
static inline unsigned pv_tlb_index(const struct pv_vm *vm, uint64_t address) {
  return (unsigned)(address / PV_PAGE + (address >> vm->shift)) % PV_TLB_ENTRIES;
}
void pv_memory_init(struct pv_vm *vm);
void pv_memory_start(struct pv_vm *vm); /* globals to their initial values */
void pv_memory_free(struct pv_vm *vm);

/* Are there other threads, or are steps told even if not (pv_vm_set_observed)? */
static inline bool pv_is_observed(const struct pv_vm *vm) {
  return vm->alive > 1 || vm->observed;
}
/* Do other threads or invariants look on? Then accesses to shared memory are visible. */
static inline bool pv_seen(const struct pv_vm *vm) {
  return pv_is_observed(vm) || (vm->properties & PV_PROP_BIT(PV_PROP_INVARIANT));
}

/* Is what the thread does now hidden (pv_vm_hide)? */
static inline bool pv_hides(const struct pv_vm *vm) {
  return vm->hidden && vm->hidden[vm->code->where.at[vm->frame->pc]];
}

static inline void pv_note_hid(struct pv_vm *vm) {
  vm->hid |= UINT64_C(1) << vm->thread;
}

/* Do other threads look on at what the thread does now? */
static inline bool pv_watched(const struct pv_vm *vm) {
  return pv_is_observed(vm) && !vm->silent && !vm->atomic && !pv_hides(vm);
}

/* A pointer so far below an object (vm->below: 4 KiB, on a 64-bit machine 1 MiB), or behind it,
 * still refers to it. At least twice as many bytes of no object lie behind each object. */
enum { PV_BEHIND = 64 };
static inline struct pv_object *pv_object_at(struct pv_vm *vm, uint64_t address) {
  uint64_t s = address >> vm->shift;
  uint32_t o = s < vm->owner.n ? vm->owner.at[s] : 0;
  if (!o && s >= vm->first_slot) pv_objects_note(vm); /* nothing ever begins below */
  return o ? &vm->objects.at[o - 1] : NULL;
}
/* The object that a pointer of this value refers to. A pointer need not lie in its object: the list
 * head's container (`container_of`) begins below the head, and so does an array whose first index
 * is
 * 1. Objects are far apart; a value in the gap between two of them refers to the upper one if it is
 * at most vm->below bytes below it, and to the lower one if it is at most PV_BEHIND bytes behind
 * it.
 */
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
/* ... or has ended: whoever comes too late is parked where he would have been in time, so that the
 * order of independent steps does not decide how many there are. */
static inline bool pv_object_met(struct pv_vm *vm, const struct pv_object *o) {
  return o->kind == PV_OBJ_GLOBAL || (pv_object_state(vm, o) & (PV_MEM_SHARED | PV_MEM_ENDED)) != 0;
}
/* What gave an object of the heap, which alone takes it back: its `slot`. */
enum pv_heap_kind { PV_HEAP_MALLOC, PV_HEAP_MAPPING, PV_HEAP_STREAM };
static inline enum pv_heap_kind pv_heap_kind(unsigned storage) {
  return storage == PV_STORAGE_STREAM                                   ? PV_HEAP_STREAM
         : storage == PV_STORAGE_MAPPING || storage == PV_STORAGE_GIVEN ? PV_HEAP_MAPPING
                                                                        : PV_HEAP_MALLOC;
}
/* All of it is set from the beginning; nobody counts it as a leak. */
static inline bool pv_object_is_mapping(const struct pv_object *o) {
  return o->kind == PV_OBJ_HEAP && o->slot != PV_HEAP_MALLOC;
}
/* Finds or makes the object with this identity. */
struct pv_object *pv_object_get(struct pv_vm *vm, const struct pv_object_key *key);
/* The first occurrence of it (key->occurrence is moved there) that is not alive and does not
 * linger: its next life. NULL: there is no more room for it. */
struct pv_object *pv_object_next(struct pv_vm *vm, struct pv_object_key *key, bool by_thread);
void pv_object_begin(struct pv_vm *vm, struct pv_object *o, bool initialised); /* LIVE, private */
void pv_object_forget(struct pv_vm *vm, struct pv_object *o); /* LIVE goes on, nothing is set */
void pv_comp_noted_size(struct pv_vm *vm,
                        uint32_t comp); /* after the size of a component changed */
void pv_object_end(struct pv_vm *vm, struct pv_object *o, bool keep); /* keep: as ENDED */
/* Of an object on the stack. One that others could reach is kept: whether they still point to it
 * may change while they run, and the order of independent steps must not decide what the state is.
 */
void pv_stack_object_end(struct pv_vm *vm, struct pv_object *o);

/* Makes the object that is not known yet. */
void pv_object_make(struct pv_vm *vm, const struct pv_object_key *key);

/* ---- registry.c ------------------------------------------------------------------------------ */
/* Makes the object or the frame's component, in all machines' order. */
void pv_register_object(struct pv_vm *vm, const struct pv_object_key *key);
void pv_register_frame(struct pv_vm *vm, unsigned thread, uint32_t depth);
/* While one of the machines compiles, which LLVM wants one at a time. */
void pv_registry_lock_compiler(struct pv_vm *vm);
void pv_registry_unlock_compiler(struct pv_vm *vm);

uint64_t pv_constant_value(const struct pv_vm *vm, pv_expr e); /* of an initialiser */
/* Why an access is wrong, or NULL if it is fine. */
const char *pv_access_fault(struct pv_vm *vm, uint64_t address, uint64_t bytes, bool write,
                            enum pv_property *property);
/* Raw transfer, no checks: the range must be in a live object. init (may be NULL): bit per byte. */
void pv_memory_read(struct pv_vm *vm, struct pv_object *o, uint64_t offset, void *to, uint32_t n,
                    uint32_t *init);
void pv_memory_write(struct pv_vm *vm, struct pv_object *o, uint64_t offset, const void *from,
                     uint32_t n);
/* A write after which only some bits are set: `set` has them, a word for each 8 bytes. A bit-field
 * that was set leaves its neighbours unset. */
void pv_memory_write_set(struct pv_vm *vm, struct pv_object *o, uint64_t offset, const void *from,
                         uint32_t n, const uint64_t *set);
/* The object of a heap allocation: way 0 a fresh one, way k the k-th freed one that fits. */
struct pv_object *pv_heap_new(struct pv_vm *vm, unsigned storage, uint32_t site, uint64_t size,
                              uint32_t align, unsigned alternative);
unsigned pv_heap_reusable(struct pv_vm *vm, unsigned storage, uint64_t size);

/* ---- shadow.c -------------------------------------------------------------------------------- */
/* Pages of what has a value from its beginning have a shadow only as long as something in them is
 * unset. */
static inline bool pv_object_begins_set(const struct pv_object *o) {
  return o->kind == PV_OBJ_TLS || pv_object_is_mapping(o);
}
/* The bits of at most 8 bytes that are set, byte 0 lowest (bytes past n count as set). */
uint64_t pv_memory_set_bits(struct pv_vm *vm, const struct pv_object *o, uint64_t offset,
                            uint32_t n);
/* To be called after a store: all n bytes from byte `in` of a page with a shadow are set. */
void pv_shadow_all_set(struct pv_vm *vm, const struct pv_object *o, uint32_t page, uint32_t in,
                       uint32_t n);
/* The same of at most 8 bytes anywhere, of which `set` has the bits that are set, byte 0 lowest. */
void pv_shadow_put(struct pv_vm *vm, const struct pv_object *o, uint64_t offset, uint32_t n,
                   uint64_t set);

/* ---- taint.c --------------------------------------------------------------------------------- */
/* Are unset values followed to where they are used (--indeterminate use)? */
bool pv_taint_follows(const struct pv_vm *vm);
/* Sets vm->tainted by the state that is there now. */
void pv_taint_look(struct pv_vm *vm);
/* The unset bits of a cell of the running frame; to be put after its value. */
uint64_t pv_taint_get(struct pv_vm *vm, int32_t cell);
void pv_taint_put(struct pv_vm *vm, int32_t cell, uint64_t unset);
/* The frame is no more. */
void pv_taint_drop_frame(struct pv_vm *vm, unsigned thread, uint32_t depth);
/* The unset bits of the edge's arguments, to vm->taints. */
void pv_taint_arguments(struct pv_vm *vm, const struct pv_code_edge *ce);
/* Those of value i in vm->taints (none: all its bits are set), to a variable of the running frame,
 * which is of that function. */
void pv_taint_variable(struct pv_vm *vm, uint32_t function, uint32_t var, uint32_t i);

/* ---- unset.c --------------------------------------------------------------------------------- */
struct pv_unset_word { /* of globals: in the component unset_comp, by address */
  uint64_t address;    /* a multiple of 8 */
  uint64_t set;        /* the bits that are set, byte 0 lowest; never all */
};
/* The first address of words there that is listed, or 0. */
uint64_t pv_unset_first(struct pv_vm *vm, uint64_t address, uint64_t n);
/* Is something in the words that [address, address + n) touches unset? */
bool pv_unset_any(struct pv_vm *vm, uint64_t address, uint64_t n);
/* The bits of at most 8 bytes that are set, as pv_memory_set_bits; and to say which are. */
uint64_t pv_unset_get(struct pv_vm *vm, uint64_t address, uint32_t n);
void pv_unset_put(struct pv_vm *vm, uint64_t address, uint32_t n, uint64_t set);
void pv_unset_clear(struct pv_vm *vm, uint64_t address, uint32_t n); /* all are set */
/* A bit a byte, 1: all of it is set; of n bytes from the address, which is a multiple of 8. */
void pv_unset_shadow(struct pv_vm *vm, uint64_t address, uint32_t n, uint8_t *shadow);

/* ---- pointers.c ------------------------------------------------------------------------------ */
/* The objects to which frames of the thread, or memory that nobody else can reach, point: bit i, a
 * number i modulo 64. */
uint64_t pv_objects_held(struct pv_vm *vm, unsigned thread);
bool pv_object_referenced(struct pv_vm *vm,
                          const struct pv_object *o); /* does a pointer into it exist? */
void pv_publish(struct pv_vm *vm,
                uint64_t value); /* value may be a pointer that others now can reach */
/* Does anything but what only the running thread reaches hold a pointer to the object? */
bool pv_object_held_elsewhere(struct pv_vm *vm, const struct pv_object *o);
/* Has the object ended, and may not begin again, for somebody may still point to it? by_thread:
 * what others could reach does not (pv_vm_fresh), as their order is not to decide it. */
bool pv_object_lingers(struct pv_vm *vm, const struct pv_object *o, bool by_thread);
/* The first live heap object from objects.at[from] on (lost: that cannot be reached from any live
 * memory), or NULL. */
struct pv_object *pv_heap_leak(struct pv_vm *vm, bool lost, uint32_t from);

/* ---- fresh.c --------------------------------------------------------------------------------- */
/* Is the allocation one that gets a fresh address unseen? Then it is told of. */
bool pv_fresh_allocates(struct pv_vm *vm, const struct pv_code_edge *ce, uint64_t size);
/* Has what others could reach, and what ended, to stay as it is, whoever points to it now? What is
 * on the stack need not unless the search says so (pv_vm_keep), which is told of its new life. */
bool pv_fresh_keeps(struct pv_vm *vm, const struct pv_object *o);
/* Before an end or a join of a thread that is done eagerly: what its caller has pointers to. */
void pv_fresh_eager(struct pv_vm *vm, const struct pv_code_edge *ce);
/* The object has ended; shared: other threads could reach it. */
void pv_fresh_frees(struct pv_vm *vm, const struct pv_object *o, bool shared);
void pv_fresh_begin(struct pv_vm *vm); /* before and after every step */
void pv_fresh_end(struct pv_vm *vm);

/* ---- frames: vm.c ---------------------------------------------------------------------------- */
void pv_frame_make(struct pv_vm *vm, unsigned thread,
                   uint32_t depth); /* the next one's component */
void pv_frame_push(struct pv_vm *vm, unsigned thread, uint32_t function);
void pv_frame_pop(struct pv_vm *vm, unsigned thread);
void pv_frame_enter(struct pv_vm *vm, unsigned thread); /* caches regs etc. of the top frame */
void pv_resume(struct pv_vm *vm, unsigned thread);      /* the thread is the one that runs */
void pv_count_alive(struct pv_vm *vm);   /* after the scheduler's state may have changed */
void pv_sched_changed(struct pv_vm *vm); /* component 0 is the scheduler's own byte string */
void pv_frame_own(struct pv_vm *vm, uint32_t object);
const uint32_t *pv_frame_owned(const struct pv_vm *vm); /* frame->n_owned objects */
uint64_t pv_slot_address(struct pv_vm *vm, uint32_t function, uint32_t slot, unsigned thread,
                         uint32_t depth);

/* Where the thread is in its frame of that depth (1: the bottom): in all but the last, at a call.
 */
const struct pv_code_edge *pv_edge_at(struct pv_vm *vm, unsigned thread, uint32_t depth);
/* The edge that the thread is at, or the call in the program's own code that led into a model's;
 * the depth of its frame. Where only models are on the stack, the edge it is at. */
const struct pv_code_edge *pv_user_edge_of(struct pv_vm *vm, unsigned thread, uint32_t *depth);
/* The same for the running thread. */
const struct pv_code_edge *pv_user_edge(struct pv_vm *vm);

/* ---- script.c -------------------------------------------------------------------------------- */
/* Bounds of an input, both included. */
struct pv_bounds {
  uint64_t low, high;
  bool is_signed;
};
/* What the script gives the input of an edge (bounds NULL: any value of its type); *value holds
 * what its way says. false: the script's value is not possible. */
bool pv_script_next(struct pv_vm *vm, const struct pv_code_edge *ce, const struct pv_bounds *bounds,
                    uint64_t value[2]);
/* Takes back all inputs but the first `n_asked`. */
void pv_script_back(struct pv_vm *vm, uint64_t n_asked);

/* ---- atomicity.c ----------------------------------------------------------------------------- */
/* The instruction at frame->pc is about to be run, the first of the transition or not. true: it
 * begins another transition; the thread is parked. */
bool pv_edge_begins(struct pv_vm *vm, bool first);
/* The visible operation that the thread was parked at is being done: its statement begins. */
void pv_statement_begin(struct pv_vm *vm);
/* From here on the transition ends at the next visible operation. */
static inline void pv_statement_end(struct pv_vm *vm) {
  vm->statement.stmt = 0;
}
/* May a visible operation that can be done at once, in one way, be done in this transition? */
bool pv_statement_goes_on(struct pv_vm *vm, enum pv_pend_kind kind);

/* ---- run.c, edge.c, lifetime.c, rare.c ------------------------------------------------------- */
/* Ways through a primitive that the options allow; *progress: those that are more than spurious
 * wake-ups. */
unsigned pv_prim_alternatives(struct pv_vm *vm, const struct pv_prim_call *call,
                              unsigned *progress);
/* To be asked at loop heads and calls: leave with PV_CUT if so. */
bool pv_out_of_time(struct pv_vm *vm);
/* An operation looks at, or copies, that many bytes: loop heads come later than usual. */
static inline void pv_charge(struct pv_vm *vm, uint64_t bytes) {
  uint64_t worth = bytes / 64; /* loop heads that take as long */
  vm->until_limit_check -= worth < vm->until_limit_check ? (uint32_t)worth : vm->until_limit_check;
}
/* Result of an operation: go on with the next instruction, take over at frame->pc, or leave. */
enum pv_flow { PV_FLOW_NEXT, PV_FLOW_JUMP, PV_FLOW_LEAVE };
static inline enum pv_flow pv_leave(struct pv_vm *vm, enum pv_outcome outcome) {
  vm->outcome = outcome;
  return PV_FLOW_LEAVE;
}
enum pv_outcome pv_run(struct pv_vm *vm);
/* Interprets from frame->pc until the thread leaves (PV_FLOW_LEAVE, vm->outcome says how) or comes
 * (PV_FLOW_JUMP, frame->pc is there) by a call, a return or a loop head to a pc with entries[pc] !=
 * 0, or by a call or return anywhere after that many instructions. `entries` may be NULL. */
enum pv_flow pv_interpret(struct pv_vm *vm, const uint32_t *entries, uint64_t instructions);
/* What an instruction of arithmetic or checking does besides its value: the events of operands that
 * have none, and the checks of ORDER, PROV and SLOT. */
enum pv_flow pv_run_event(struct pv_vm *vm, const struct pv_insn *i, uint64_t a, uint64_t b);
uint64_t pv_run_tls(struct pv_vm *vm, uint32_t global);
/* Parks the thread at the edge it is in: dead registers become zero. Under vm->defer_park it is
 * only noted that this has to be done. */
void pv_run_park(struct pv_vm *vm, enum pv_stand as);
/* The same without telling a recorder. */
void pv_run_stand(struct pv_vm *vm, enum pv_stand as);
/* The thread's path ends here, in an edge that has done nothing yet: if something visible was done
 * in this transition, others may look at that before. true: it is parked, and the caller leaves. */
bool pv_stands_at_end(struct pv_vm *vm);
/* To be called before an instruction runs while vm->tainted: LEAVE where it uses what is unset. */
enum pv_flow pv_taint_step(struct pv_vm *vm, const struct pv_insn *i);
enum pv_flow pv_run_edge(struct pv_vm *vm, const struct pv_code_edge *ce);
/* PV_FLOW_NEXT, or LEAVE with vm->outcome set. Checked: a violation; else the path is cut with a
 * proviso. */
enum pv_flow pv_fault(struct pv_vm *vm, enum pv_property property, const char *fmt, ...)
    PV_PRINTF(3, 4);
/* vm->event is an error that the path may go on from. PV_FLOW_NEXT if it is to (it is remembered),
 * or LEAVE with the outcome set. */
enum pv_flow pv_pass(struct pv_vm *vm);
/* A violation if checked, otherwise nothing: execution goes on. */
enum pv_flow pv_remark(struct pv_vm *vm, enum pv_property property, const char *fmt, ...)
    PV_PRINTF(3, 4);
/* Does the edge put back what it finds, and shows it to nobody? So are atomics of other sizes
 * ordered (models/atomic.c). What is unset stays unset then. */
bool pv_edge_is_idle(const struct pv_program *p, const struct pv_edge *e);
/* The access of a LOAD, STORE, RMW or CMPXCHG edge. */
enum pv_flow pv_run_load(struct pv_vm *vm, const struct pv_edge *e, uint64_t address, uint64_t *to);
enum pv_flow pv_run_store(struct pv_vm *vm, const struct pv_edge *e, uint64_t address,
                          const uint64_t *from);
/* true if the caller has to leave: the operation is visible and it is not its turn (parks), or this
 * is a peek. */
bool pv_visible_access(struct pv_vm *vm, uint64_t address, uint32_t bytes, bool write, bool atomic);
/* An access that nobody parked at, inside an atomic section or later in a statement: does another
 * thread's pending access conflict with it? */
enum pv_flow pv_section_race(struct pv_vm *vm, uint64_t address, uint32_t bytes, bool write,
                             bool atomic);
/* Before memory is accessed or freed that nobody else reaches, as far as anybody knows: the path
 * ends under a proviso if the thread does. */
enum pv_flow pv_foreign(struct pv_vm *vm, const struct pv_object *o);
/* Once an access is sure to happen now: what else must be said of it (a hidden pointer, a weak
 * order, a race of an atomic section). */
enum pv_flow pv_shared_access(struct pv_vm *vm, struct pv_object *o, uint64_t address,
                              unsigned bytes, bool write, bool atomic);
/* Is an access there one that other threads, or invariants, can see? */
bool pv_is_seen(struct pv_vm *vm, uint64_t address);
bool pv_park(struct pv_vm *vm, enum pv_pend_kind kind, unsigned alternatives);
/* What a peek is to say of an operation: its kind, or LOCAL if it probes and nobody sees it. */
static inline enum pv_pend_kind pv_peeked_kind(const struct pv_vm *vm, bool seen,
                                               enum pv_pend_kind kind) {
  return vm->probe && !seen ? PV_PEND_LOCAL : kind;
}
enum pv_flow pv_rare(struct pv_vm *vm, const struct pv_insn *i);
static inline uint64_t *pv_cell(struct pv_vm *vm, int32_t c) { /* no branch: it is often wrong */
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
