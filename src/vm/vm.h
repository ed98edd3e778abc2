/* vm.h -- the machine: concrete execution of a program, one transition at a time.
 *
 * A transition of a thread executes its pending operation in one of the enabled alternatives, and
 * then continues to the next visible operation. Visible operations are accesses to memory that
 * another thread can reach, ends of such memory, primitives, and inputs. A thread that the
 * transition creates runs to its first visible operation. While only one thread is alive, nothing
 * is visible, unless invariants look at every state. This is option --atomic visible. The other
 * levels cut runs into other transitions (atomicity.c):
 *
 * instruction: a transition is one edge of the ir, visible or not. A thread parked at an invisible
 * edge has PV_PEND_LOCAL. Only atomic sections are one transition, and a block copy is one for each
 * visible access. statement: after the pending operation the transition continues with further
 * visible operations of the same C statement, unless one has to wait, has several alternatives, or
 * ends the path. What other threads could do in between is not explored; a proviso says so.
 *
 * The working state is a sequence of components: byte strings that an engine can intern, compare
 * and restore (paper 004, collapse). Component 0 is the scheduler's state, component 1 the
 * machine's own (atomic section). Then come frames (one for each call, by thread and depth) and
 * memory (small globals packed together, large objects in pages). Components contain everything
 * that decides the future. Positions are assigned once in a run and never change.
 *
 * Addresses are canonical (paper 004, heap symmetry). Allocation site, thread, occurrence and size
 * determine an object's address; allocations of other threads do not matter. The occurrence is the
 * lowest one that is neither live nor still pointed to after its end; so loops over malloc and free
 * have finitely many states. Deviations from the paper: the size is part of the key, and a freed
 * address is reused by choice only (PV_PEND_ALLOC). */
#ifndef PV_VM_H
#define PV_VM_H

#include "engine.h"
#include "ir/exclusion.h"
#include "sched/sched.h"

struct pv_vm;

enum pv_comp_kind { PV_COMP_SCHED, PV_COMP_MACHINE, PV_COMP_FRAME, PV_COMP_UNSET, PV_COMP_MEMORY };
struct pv_comp {
  uint8_t *data; /* n bytes, n = 0: absent */
  uint32_t n, cap;
  bool dirty; /* changed since the engine last looked; then it is on the dirty list */
  bool noted; /* in the footprint */
  uint8_t kind;
  uint32_t owner; /* FRAME: thread << 24 | depth; MEMORY: an object in it */
};

/* The pending operation of a thread. */
enum pv_pend_kind {
  PV_PEND_NONE,   /* no such thread, or it ended */
  PV_PEND_LOCAL,  /* invisible: the start of a thread, or a long local loop */
  PV_PEND_ACCESS, /* load, store, read-modify-write of memory that other threads can reach */
  PV_PEND_PRIM,
  PV_PEND_INPUT, /* one alternative for each value */
  PV_PEND_ALLOC, /* alternative 0: a fresh address; others: freed ones that are still pointed to */
  PV_PEND_FREE,
  PV_PEND_SCOPE,  /* the end of stack objects that other threads can reach */
  PV_PEND_ATOMIC, /* begin of an atomic section */
  PV_PEND_END,    /* the path ends: exit, abort, a false assumption, something not modelled, or an
                     error or bound after the visible operation */
};
struct pv_pending {
  enum pv_pend_kind kind;
  bool write, atomic; /* ACCESS; PRIM of threads: it writes an id or a result there */
  bool stays;         /* ACCESS: a compare-and-exchange that is known to store nothing counts as a
                         read. Not set by pv_vm_pending, as it may change (pv_vm_exchange) */
  uint64_t address;   /* ACCESS, FREE, SCOPE, PRIM that writes */
  uint32_t bytes;     /* SCOPE: 0: all of the frame; ALLOC: the size, and write: a mapping */
  uint32_t thread;
  struct pv_prim_call call;        /* PRIM */
  unsigned alternatives, progress; /* enabled alternatives; those that are not spurious wake-ups */
  const struct pv_function *function;
  const struct pv_edge *edge;
};

enum pv_outcome {
  PV_RAN,      /* parked at its next visible operation, or the thread ended */
  PV_ENDED,    /* the whole program ended normally */
  PV_PRUNED,   /* the path does not exist (false assumption) or ended by abort */
  PV_CUT,      /* the path ends under a proviso, which was added, or at a limit */
  PV_VIOLATED, /* see event */
};
struct pv_event { /* an error: of PV_VIOLATED, of a state, or one that did not end the path */
  enum pv_property property;
  uint32_t other;      /* NO_DATA_RACE: the second thread, ... */
  uint32_t other_span; /* ... and where it is */
  char message[1000];
  uint32_t thread, span;
  const struct pv_function *function;
};

/* A primitive, or a stage of it, that was executed. */
struct pv_called {
  const struct pv_prim_call *call;
  bool again;       /* only a stage: the thread waits now */
  bool ordered;     /* it acquired and released what its table says */
  unsigned awaited; /* the thread that a JOINS joined; PV_MAX_THREADS: none */
};

/* Observes a replay. All callbacks may be NULL. */
struct pv_recorder {
  void *user;
  void (*edge)(void *user, unsigned thread, const struct pv_function *f, const struct pv_edge *e);
  /* The operation of the last edge is not executed yet: the thread is parked at it. */
  void (*parked)(void *user, unsigned thread);
  void (*assigned)(void *user, unsigned thread, const struct pv_function *f, uint32_t var);
  void (*stored)(void *user, unsigned thread, uint64_t address, uint32_t bytes);
  void (*printed)(void *user, unsigned thread, const char *text, size_t n);
  /* An input of edge e, the last one reported, gave this value: two words, low one first. */
  void (*input)(void *user, unsigned thread, const struct pv_function *f, const struct pv_edge *e,
                const uint64_t value[2]);
  void (*called)(void *user, unsigned thread, const struct pv_called *called);
  /* A thread has taken an edge of a function: the next one of it begins, or it ended there. Told
   * only after pv_vm_follow, and then of all edges, those without an effect too. */
  void (*taken)(void *user, unsigned thread, uint32_t function, uint32_t edge);
};

/* Values of inputs (edges HAVOC and INDET, in order of execution over all threads) for one run from
 * the initial state, instead of the values that inputs.c proposes. Where threads park, and their
 * alternatives, do not change; the alternative taken at a scripted input is ignored. Inputs of
 * invariants are not scripted. */
struct pv_asked {
  uint64_t value[2];
  uint32_t thread;
  const struct pv_function *function, *user_function; /* user: where the program's own code is */
  const struct pv_edge *edge, *user_edge;
  uint32_t taken; /* of the given values, up to and with this one */
};
struct pv_script {
  const struct pv_input *given; /* the values, borrowed */
  uint32_t n;
  const struct pv_source *sources; /* referred to by `given`, borrowed */
  uint32_t n_sources;
  bool least; /* after them an input gives the value nearest to 0, whatever the alternative */
  /* An input of another edge than the next given value also gives the value nearest to 0; all that
   * was asked is kept. */
  bool skips;
  /* NULL: loads of memory that was never set take from `given`, too. Else they take these values,
   * or 0, and nothing that starts threads may be undone silently: a recorder is needed. */
  const struct pv_loaded *loaded;
  uint32_t n_loaded;
  struct pv_map loaded_index, loads; /* the machine's: of `loaded`, by place; loads so far */
  PV_VEC(struct pv_asked) asked;     /* kept by the machine: what inputs gave */
  uint32_t keep;                     /* at most so many are kept; 0: all */
  uint64_t n_asked;                  /* the number of inputs */
  char *wrong; /* kept by the machine: why a value was refused, which ends the path (PV_CUT) */
};
void pv_script_index(struct pv_script *script); /* once, if there are `loaded` values */
void pv_script_clear(struct pv_script *script); /* what the machine kept */

/* Shared by several machines of one program that run in parallel: the objects and frames that
 * exist, and thus all addresses and component numbers. A machine that needs a new one adds it to
 * the registry. The others see it after pv_vm_sync, or when they add one themselves. */
struct pv_registry;
struct pv_registry *pv_registry_new(void);
void pv_registry_free(struct pv_registry *r);
/* Joins the registry. All machines that share it must be in the initial state (pv_vm_start). */
void pv_vm_share(struct pv_vm *vm, struct pv_registry *r);
/* Reads everything in the registry. */
void pv_vm_sync(struct pv_vm *vm);
struct pv_bytes;
/* What exists beyond the initial state, as bytes, but for the first `from` entries; and the same in
 * another run of the program, in the initial state, with an empty registry, or with the entries
 * before these. false: the bytes are wrong. */
uint32_t pv_registry_size(const struct pv_registry *r); /* in entries */
void pv_registry_write(const struct pv_registry *r, uint32_t from, struct pv_str *out);
bool pv_registry_read(struct pv_vm *vm, struct pv_bytes *in);

/* Makes a machine for the task's program, options and properties, which are borrowed. `condition`
 * receives provisos. The caller frees it. */
struct pv_vm *pv_vm_new(const struct pv_task *task, const struct pv_sched *sched,
                        struct pv_condition *condition);
void pv_vm_free(struct pv_vm *vm);
/* Allows machine code for hot functions (option `native-after`). Outcomes are the same. Not for
 * replays, which check results. */
void pv_vm_allow_native(struct pv_vm *vm);
/* Why there is no machine code, or NULL; borrowed. */
const char *pv_vm_native_failure(const struct pv_vm *vm);
/* Executions end as pruned as soon as the automaton of the part, which is borrowed, is in state
 * `verified`. Its state is part of the machine's state. Call it before the start, and not
 * together with machine code or caches of transitions. NULL: there is no automaton, but a recorder
 * is told of all edges taken. */
void pv_vm_follow(struct pv_vm *vm, const struct pv_open_part *automaton);
/* The state that the automaton is in; `open` if there is none. */
uint32_t pv_vm_automaton_state(const struct pv_vm *vm);
void pv_vm_start(struct pv_vm *vm); /* the initial state: thread 0 at the entry function */

unsigned pv_vm_threads(const struct pv_vm *vm); /* slots in use */
/* Does a register of some thread hold an indeterminate value (taint.c)? */
bool pv_vm_has_unset_registers(const struct pv_vm *vm);
unsigned pv_vm_alive(const struct pv_vm *vm);
bool pv_vm_is_alive(const struct pv_vm *vm, unsigned thread);
uint64_t pv_vm_alive_set(const struct pv_vm *vm); /* bit t: thread t is alive */
/* Bit t: the scheduler lets thread t move now. Always set if the scheduler is preemptive. */
uint64_t pv_vm_may_run(const struct pv_vm *vm);
/* Does an instant of a cooperative scheduler go on (`inside` of sched/sched.h)? */
bool pv_vm_inside(const struct pv_vm *vm);
void pv_vm_pending(struct pv_vm *vm, unsigned thread, struct pv_pending *out);
/* The number of enabled alternatives of `thread`, whose pending operation is `pending`. */
unsigned pv_vm_alternatives(struct pv_vm *vm, unsigned thread, const struct pv_pending *pending,
                            unsigned *progress);
/* The component that holds the thread's top frame; the thread must have one. */
uint32_t pv_vm_top_component(const struct pv_vm *vm, unsigned thread);
/* The component of a frame that the thread has or had. */
uint32_t pv_vm_frame_component(const struct pv_vm *vm, unsigned thread, uint32_t depth);
/* The thread's frames, 0 = bottom: the function, and the location where it continues. */
uint32_t pv_vm_depth(const struct pv_vm *vm, unsigned thread);
void pv_vm_frame(const struct pv_vm *vm, unsigned thread, uint32_t depth, uint32_t *function,
                 pv_loc *loc);
/* The same for the content of a frame's component; top: it is the thread's last frame. */
void pv_vm_frame_in(const struct pv_vm *vm, const void *content, bool top, uint32_t *function,
                    pv_loc *loc);
/* The edge before which the thread is parked, or at which its path ended, and its function. */
const struct pv_edge *pv_vm_at(const struct pv_vm *vm, unsigned thread, uint32_t *function);
/* The call that a frame waits for; NULL for the top frame. And its registers: the value of a
 * variable (low word), the address of a stack slot (0: not alive). */
const struct pv_edge *pv_vm_frame_call(const struct pv_vm *vm, unsigned thread, uint32_t depth);
uint64_t pv_vm_frame_variable(const struct pv_vm *vm, unsigned thread, uint32_t depth,
                              uint32_t var);
uint64_t pv_vm_frame_slot(const struct pv_vm *vm, unsigned thread, uint32_t depth, uint32_t slot);
/* Is the content of a frame's component equal to `was`, ignoring variables that do not matter? */
bool pv_vm_frame_is_as(const struct pv_vm *vm, uint32_t component, const uint8_t *was, uint32_t n,
                       bool (*matters)(void *user, uint32_t function, uint32_t var), void *user);
/* Does this error count in the current state (pv_goal)? */
bool pv_vm_at_goal(struct pv_vm *vm, const struct pv_event *e);
uint64_t pv_vm_global_address(const struct pv_vm *vm, uint32_t global); /* not thread-local */
uint64_t pv_vm_function_address(const struct pv_vm *vm, uint32_t function);
uint32_t pv_vm_function_at(const struct pv_vm *vm, uint64_t address); /* or PV_NO_FUNC */
/* The object that contains the address, live or not. false: there is none. */
bool pv_vm_object_span(const struct pv_vm *vm, uint64_t address, uint64_t *base, uint64_t *size);
/* The thread inside an atomic section, which alone may run, or UINT32_MAX. */
unsigned pv_vm_exclusive(const struct pv_vm *vm);

/* Makes operations visible even while only one thread is alive. Searches over the order of all
 * events need to see what happens after the end of the last other thread, too. */
void pv_vm_set_observed(struct pv_vm *vm, bool on);
bool pv_vm_is_observed(const struct pv_vm *vm);

/* For searches over the order of events: while there are other threads, an allocation becomes
 * invisible and returns a fresh address that depends only on the history of its thread. This
 * excludes reuse of freed addresses. So steps report when reuse would be possible
 * (pv_vm_heap_events), and it can be allowed again by size (pv_vm_comes_back). Programs that cannot
 * observe reuse report nothing. */
void pv_vm_fresh(struct pv_vm *vm);
void pv_vm_comes_back(struct pv_vm *vm, bool mapping, uint64_t size);
bool pv_vm_may_come_back(const struct pv_vm *vm, bool mapping, uint64_t size);
/* The allocations and frees of the last step, in order, except for sizes whose addresses may be
 * reused. Borrowed until the next step. */
struct pv_heap_event {
  uint64_t size;
  uint32_t thread, object;
  uint32_t span; /* of an allocation, in the program's own code */
  bool mapping, frees;
  bool again;      /* neither: `object`, which is not on the heap, begins a new life */
  bool comes_back; /* allocation: the address of a freed object could be reused */
  bool shared;     /* free: other threads could reach the object */
  uint64_t held;   /* allocation: bit i: the thread may hold a private pointer to an object with
                      number i modulo 64 */
  bool pointed_to; /* free: a pointer to it is left; again: there was one just before */
  uint64_t used;   /* free, again: bit i: thread i exists and is not joined */
};
const struct pv_heap_event *pv_vm_heap_events(const struct pv_vm *vm, uint32_t *n);
/* The component that contains all these bytes, and the offset. false: there is none. */
bool pv_vm_place(struct pv_vm *vm, uint64_t address, unsigned bytes, uint32_t *component,
                 uint32_t *offset);
/* May the old content `was` of a component contain a pointer to the object? */
bool pv_vm_held_pointer(const struct pv_vm *vm, uint32_t component, const uint8_t *was, uint32_t n,
                        uint32_t object);
/* Reports all earlier frees as heap events of thread 0. For the first state with a second thread.
 */
void pv_vm_tell_freed(struct pv_vm *vm);
/* From now on no object like this one (of a block or a thread) reuses an address that others could
 * reach, even if no pointer to it is left. */
void pv_vm_keep(struct pv_vm *vm, uint32_t object);
/* What pv_vm_comes_back and pv_vm_keep were told, and pv_vm_renumbers, as bytes. */
void pv_vm_fresh_write(const struct pv_vm *vm, struct pv_str *out);
bool pv_vm_fresh_read(struct pv_vm *vm, struct pv_bytes *in);
/* Adds the proviso of option no-reuse for the allocation. */
void pv_vm_refuse_reuse(struct pv_vm *vm, uint32_t span);

/* Hides edges: no thread parks at a hidden edge, unless it has to wait or has several alternatives.
 * For searches to which the order of these operations does not matter. Beginnings of atomic
 * sections and ends of the program stay visible. */
void pv_vm_hide(struct pv_vm *vm, bool (*hidden)(void *user, uint32_t function, uint32_t edge),
                void *user);

/* Option --atomic, in its order. */
enum pv_atomicity { PV_ATOMIC_VISIBLE, PV_ATOMIC_STATEMENT, PV_ATOMIC_INSTRUCTION };

/* The objects that other threads can reach since the last transition: n of them, valid until the
 * next one. With option `robustness` only. */
const uint32_t *pv_vm_published(const struct pv_vm *vm, uint32_t *n);
/* The fences that followed the visible operation of the last transition, in their order: likewise,
 * but with listeners, too. */
struct pv_fence {
  uint32_t thread;
  enum pv_order order;
};
const struct pv_fence *pv_vm_fences(const struct pv_vm *vm, uint32_t *n);
/* Bit i: thread i executed a hidden operation in the last transition. */
uint64_t pv_vm_hid(const struct pv_vm *vm);
/* The objects (as `held` of a heap event) to which threads held private pointers before their eager
 * ends and joins (pv_vm_set_eager) in the last transition; *threads: these threads. */
uint64_t pv_vm_held_eagerly(const struct pv_vm *vm, uint64_t *threads);

/* Executes one transition. alternative < pending.alternatives. */
enum pv_outcome pv_vm_step(struct pv_vm *vm, unsigned thread, unsigned alternative);
/* Looks ahead: executes the thread as if its pending creation or join of a thread were enabled. A
 * created thread is only a number and does not run; a joined one is gone. The machine is not in a
 * proper state afterwards. Provisos and statistics do not change. */
enum pv_outcome pv_vm_ahead(struct pv_vm *vm, unsigned thread);
/* For questions to the plug-in between transitions; borrowed. */
const struct pv_sched_state *pv_vm_sched_state(const struct pv_vm *vm);
/* Did the last transition begin with a primitive that did not change the scheduler's state (a
 * failed attempt)? */
bool pv_vm_was_idle(const struct pv_vm *vm);
/* Did the last transition execute more visible operations than the pending one? */
bool pv_vm_merged(const struct pv_vm *vm);
/* The progress of the thread in its last transition, in the lowest frame that was its top frame at
 * some time: from one location (that of the call, if there were frames above) to another. */
struct pv_course {
  bool created; /* a thread */
  bool ended;   /* the thread ended; the rest is meaningless then */
  bool deeper;  /* it started in that frame and is in a call from it now */
  uint32_t function;
  pv_loc from, to;
};
struct pv_course pv_vm_course(const struct pv_vm *vm);
/* Switches recording of footprints on or off. */
void pv_vm_track(struct pv_vm *vm, bool on);
/* The footprint of the last transition: the components that it read or changed, in this order, and
 * PV_FOOT_OBJECTS if it depended on which objects are known. Its effect depends only on the thread,
 * the alternative, the set of live threads, and the footprint. The machine's own component and the
 * top frame come first. UINT32_MAX: it depended on too much. */
#define PV_FOOT_OBJECTS (UINT32_MAX - 1)
uint32_t pv_vm_footprint(const struct pv_vm *vm, const uint32_t **list);
/* The number of known objects, which never decreases. */
uint32_t pv_vm_objects(const struct pv_vm *vm);
const struct pv_event *pv_vm_event(const struct pv_vm *vm);
static inline struct pv_error_key pv_event_key(const struct pv_event *e) {
  return (struct pv_error_key){e->property, e->span, e->message};
}
/* Appends what tells errors apart that are reported: a race is one for each object and pair of
 * places, whichever threads come there, and in which order. */
void pv_event_identity(const struct pv_program *p, const struct pv_event *e, struct pv_str *out);
/* The errors in the last transition that did not end it. With option keep-going, races inside
 * atomic sections and statements do not end paths, like races between parked threads, and all leaks
 * are reported. Otherwise one error would hide another, depending on the order of independent
 * transitions.
 */
const struct pv_event *pv_vm_passed(const struct pv_vm *vm, uint32_t *n);
/* For replays: a transition ends with PV_VIOLATED at an error with this key, even if it could go
 * on. Borrowed; NULL: none. */
void pv_vm_stop_at(struct pv_vm *vm, const struct pv_error_key *key);
/* Do two pending operations conflict in the sense of a data race? Freeing counts as a plain write,
 * and so does what an enabled creation or join of a thread writes. */
bool pv_pending_conflict(const struct pv_pending *a, const struct pv_pending *b);
/* Is there a data race between the pending operations of two threads? Then fills the event.
 * Complete over all states: two conflicting accesses are unordered in some execution if and only if
 * they are adjacent in some execution (adjacency theorem for data-race-free programs under
 * sequential consistency); then there is a state in which both are pending. */
bool pv_vm_race(struct pv_vm *vm, unsigned thread, unsigned other);
/* Does the program's i-th invariant hold in the current state? If not, fills the event. */
bool pv_vm_invariant(struct pv_vm *vm, uint32_t i);
/* The value of the i-th proposition of formulas that is an expression. false: it has none here, its
 * evaluation goes wrong. */
bool pv_vm_proposition(struct pv_vm *vm, uint32_t i, bool *holds);
/* The innermost region of mutual exclusion (ir/exclusion.h) that contains the thread, or NULL.
 * Regions are determined only if the property was asked for. */
const char *pv_vm_region(const struct pv_vm *vm, unsigned thread);
/* The same for other regions. The program was marked for them. */
const char *pv_vm_within(const struct pv_vm *vm, unsigned thread, const struct pv_exclusion *x);
/* Both threads are in regions: fills the event. */
void pv_vm_explain_exclusion(struct pv_vm *vm, unsigned thread, unsigned other);
/* In a state without an alternative that is progress: fills the event for a deadlock. */
void pv_vm_explain_deadlock(struct pv_vm *vm);

/* ---- components -------------------------------------------------------------------------------
 */
uint32_t pv_vm_components(const struct pv_vm *vm);
struct pv_comp *pv_vm_component(struct pv_vm *vm, uint32_t i);
/* The thread that a component belongs to (a frame, an object it made), or UINT32_MAX. */
uint32_t pv_vm_component_thread(const struct pv_vm *vm, uint32_t i);
/* The role of a component for its thread: components of two threads with the same role correspond.
 * No padding, because it is compared as bytes. */
struct pv_role {
  uint32_t kind, site, slot, occurrence, align, page, depth, zero; /* FRAME: only slot, the depth */
  uint64_t size;
};
void pv_vm_role(const struct pv_vm *vm, uint32_t i, struct pv_role *role);
/* Appends the content of component i in a form that is independent of the thread's number: in a
 * frame, registers with addresses of the thread's own objects are 0, and after the registers follow
 * the roles of what they point to. Returns the threads, as bits, whose objects the content refers
 * to in any other way. in_memory: addresses of threads' objects may be stored in memory. */
uint64_t pv_vm_relative(const struct pv_vm *vm, uint32_t i, const void *content, uint32_t n,
                        bool in_memory, struct pv_str *out);
/* Is the content the remnant of an object that ended? */
bool pv_vm_is_remnant(const struct pv_vm *vm, uint32_t i, const void *content, uint32_t n);
/* The thread that created the object at an address; UINT32_MAX: a global, or no object. */
uint32_t pv_vm_maker(const struct pv_vm *vm, uint64_t address);
/* The components that changed since the list was emptied, and their number. */
uint32_t pv_vm_dirty(struct pv_vm *vm, const uint32_t **list);
void pv_vm_clean(struct pv_vm *vm); /* empties the dirty list */
/* Restores a component (n = 0: absent) without marking it dirty. */
void pv_vm_set_component(struct pv_vm *vm, uint32_t i, const void *bytes, uint32_t n);
void pv_vm_loaded(struct pv_vm *vm); /* after the last set_component */

void pv_vm_record(struct pv_vm *vm, const struct pv_recorder *recorder); /* NULL: stop */
/* Takes inputs from the script, which is borrowed, from the initial state on. */
void pv_vm_script(struct pv_vm *vm, struct pv_script *script);
uint64_t pv_vm_instructions(const struct pv_vm *vm); /* executed by this machine */
uint64_t pv_vm_inputs(const struct pv_vm *vm);       /* read by it */

/* ---- for reports: names and values in terms of the source ------------------------------------
 */
/* The value of a variable of the thread's top frame. false: it cannot be read. */
bool pv_vm_show_variable(struct pv_vm *vm, unsigned thread, const struct pv_function *f,
                         uint32_t var, struct pv_str *out);
/* A value of an ir type, in terms of the source type if that is known (0: not). */
void pv_vm_show_value(struct pv_vm *vm, pv_srctype srctype, pv_type type, const uint64_t value[2],
                      struct pv_str *out);
/* Calls `tell` with the name and value of each member that lies in these bytes, at most 16. */
void pv_vm_show_memory(struct pv_vm *vm, uint64_t address, uint32_t bytes,
                       void (*tell)(void *user, const char *name, const char *value), void *user);
/* The name of the object at an address: "counter", "node.next of the object allocated at x.c:12".
 * false: there is none. */
bool pv_vm_name_address(struct pv_vm *vm, uint64_t address, struct pv_str *out);
/* The same for what is accessed there: the member of a block on the heap, where its type is known.
 */
bool pv_vm_name_place(struct pv_vm *vm, uint64_t address, struct pv_str *out);
/* Where the latest load read that chose a value for memory that was never set. */
uint64_t pv_vm_first_read(const struct pv_vm *vm);

/* ---- objects ----------------------------------------------------------------------------------
 */
/* Index of the object at an address, or UINT32_MAX; for dependence. */
uint32_t pv_vm_object(const struct pv_vm *vm, uint64_t address);
/* The number of the global that the object is, or UINT32_MAX. */
uint32_t pv_vm_object_global(const struct pv_vm *vm, uint32_t object);
/* The thread whose end is the object's, too (stack slots, thread-local variables), or UINT32_MAX.
 */
uint32_t pv_vm_object_thread(const struct pv_vm *vm, uint32_t object);
/* Is the call eager: an end of its thread, or a join by main, that is independent of everything
 * else, except that an end enables a join? This holds as long as only main creates, joins and
 * detaches threads, if other threads reach nothing that ends with the thread, and if the join
 * stores no result. */
bool pv_vm_is_eager(struct pv_vm *vm, const struct pv_prim_call *call);
/* From now on eager calls are executed as soon as their thread reaches them, if they are enabled;
 * otherwise they are transitions. */
void pv_vm_set_eager(struct pv_vm *vm, bool eager);
/* Has a thread other than main created or joined a thread, or has any thread been detached? Until
 * then the order of events does not decide the numbers of threads. */
bool pv_vm_renumbers(const struct pv_vm *vm);
uint64_t pv_vm_joined(const struct pv_vm *vm); /* threads that the last transition joined */
/* Can other threads reach anything that would end with the thread now? */
bool pv_vm_is_end_met(struct pv_vm *vm, unsigned thread);
/* Is the object part of a model, of no interest to users? */
bool pv_vm_object_is_model(const struct pv_vm *vm, uint32_t object);
/* The same, or a variable of a function of the C++ library's headers. */
bool pv_vm_object_is_library(const struct pv_vm *vm, uint32_t object);
/* The function of a model that makes the object and fills it with text of the program's
 * environment; NULL: it is another object. */
const struct pv_function *pv_vm_object_giver(const struct pv_vm *vm, uint32_t object);
/* Is it a temporary of the compiler, without a name in the program? */
bool pv_vm_object_is_temporary(const struct pv_vm *vm, uint32_t object);
/* Reading memory from outside, never a scheduling point. */
bool pv_vm_read(struct pv_vm *vm, uint64_t address, unsigned bytes, uint64_t *value);
/* The expected value of the pending compare-and-exchange. false: the pending operation is not one,
 * or it has more than 8 bytes. */
bool pv_vm_exchange(struct pv_vm *vm, unsigned thread, uint64_t *expected);

#endif
