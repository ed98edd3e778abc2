/* vm.h -- concrete execution: a working state that is run, one transition at a time.
 *
 * A transition of a thread performs the operation it is parked at (a *visible* one: an access to
 * memory that another thread can reach or its end, a primitive, an input) in one of the
 * alternatives open to it, and then runs on until the next visible operation. A thread that it
 * creates runs until its first one. While one thread is alive nothing is visible, unless invariants
 * look at every state. That is option --atomic visible; the other levels cut runs into other
 * transitions (atomicity.c):
 *
 * instruction: a transition is one edge of the ir, visible or not; a thread that is parked at one
 * that is not has PV_PEND_LOCAL before it. Only atomic sections are still one transition, and a
 * block copy one for each visible access.
 * statement: a transition does not end before another visible operation of the C statement whose
 * operation it performed, but does it, too, unless that has to wait or has several alternatives, or
 * ends the path. What other threads could have done in between is not explored: a proviso says so.
 *
 * The working state is a sequence of components: byte strings that an engine can intern, compare
 * and put back (paper 004, collapse). Component 0 is the scheduler's state, 1 the machine's own
 * (atomic section), then frames (one a call, by thread and depth) and memory (small globals packed
 * together, large objects in pages). Everything that decides the future is in components; positions
 * are given out once a run and never change.
 *
 * Addresses are canonical (paper 004, heap symmetry): an object's address is decided by allocation
 * site, thread, occurrence and size alone, never by what other threads allocated before.
 * Occurrences are taken from the lowest one that is neither live nor still pointed to after its
 * end, so that loops over malloc and free have finitely many states. Deviation from the paper:
 * sizes are part of the key, and freed addresses come back by choice only (see pv_alternative,
 * PV_PEND_ALLOC). */
#ifndef PV_VM_H
#define PV_VM_H

#include "engine.h"
#include "sched/sched.h"

struct pv_vm;

enum pv_comp_kind { PV_COMP_SCHED, PV_COMP_MACHINE, PV_COMP_FRAME, PV_COMP_UNSET, PV_COMP_MEMORY };
struct pv_comp {
  uint8_t *data; /* n bytes, n = 0: absent */
  uint32_t n, cap;
  bool dirty; /* changed since the engine last looked; then it is on the dirty list */
  bool noted; /* on the footprint */
  uint8_t kind;
  uint32_t owner; /* FRAME: thread << 24 | depth; MEMORY: an object in it */
};

/* What a thread is parked at. */
enum pv_pend_kind {
  PV_PEND_NONE,   /* no such thread, or it ended */
  PV_PEND_LOCAL,  /* nothing visible: a thread about to start, or a long local loop */
  PV_PEND_ACCESS, /* load, store, read-modify-write of memory that others can reach */
  PV_PEND_PRIM,
  PV_PEND_INPUT, /* one way a value */
  PV_PEND_ALLOC, /* way 0: a fresh address; others: freed addresses that are still pointed to */
  PV_PEND_FREE,
  PV_PEND_SCOPE,  /* stack objects that others can reach end their lives */
  PV_PEND_ATOMIC, /* begin of an atomic section */
  PV_PEND_END,    /* exit, abort, a false assumption, something not modelled, or an error or bound
                     behind what was visible: the path ends */
};
struct pv_pending {
  enum pv_pend_kind kind;
  bool write, atomic; /* ACCESS; PRIM: of threads, it writes an id or a result there */
  bool stays;         /* ACCESS: a compare-and-exchange known to store nothing: as if it read.
                         pv_vm_pending does not say so: whether it is can change (pv_vm_exchange) */
  uint64_t address;   /* ACCESS, FREE, SCOPE, PRIM that writes */
  uint32_t bytes;     /* SCOPE: 0: all of the frame; ALLOC: the size, and write: a mapping */
  uint32_t thread;
  struct pv_prim_call call; /* PRIM */
  unsigned alternatives,
      progress; /* alternatives open now; those that are more than spurious wake-ups */
  const struct pv_function *function;
  const struct pv_edge *edge;
};

enum pv_outcome {
  PV_RAN,      /* parked at its next visible operation, or the thread ended */
  PV_ENDED,    /* the whole program ended normally */
  PV_PRUNED,   /* the path does not exist (false assumption) or ended by abort */
  PV_CUT,      /* the path ends here under a proviso, already noted or that of a limit now hit */
  PV_VIOLATED, /* see event */
};
struct pv_event { /* an error: of PV_VIOLATED, of a state, or one that was gone on from */
  enum pv_property property;
  uint32_t other;      /* NO_DATA_RACE: the second thread, ... */
  uint32_t other_span; /* ... and where it is */
  char message[1000];
  uint32_t thread, span;
  const struct pv_function *function;
};

/* Observes a replay. All callbacks may be NULL. */
struct pv_recorder {
  void *user;
  void (*edge)(void *user, unsigned thread, const struct pv_function *f, const struct pv_edge *e);
  /* The operation of the edge last told is not done yet: the thread waits for its turn. */
  void (*parked)(void *user, unsigned thread);
  void (*assigned)(void *user, unsigned thread, const struct pv_function *f, uint32_t var);
  void (*stored)(void *user, unsigned thread, uint64_t address, uint32_t bytes);
  void (*printed)(void *user, unsigned thread, const char *text, size_t n);
  /* An input of edge e, told last, gave this value: two words, the low one first. */
  void (*input)(void *user, unsigned thread, const struct pv_function *f, const struct pv_edge *e,
                const uint64_t value[2]);
};

/* What inputs give (edges HAVOC and INDET, those of all threads in the order in which they are run)
 * in one run from the initial state, instead of the values that inputs.c found. Where a thread
 * parks and the alternatives that it has do not change; the way taken at an input says nothing
 * where the script does. Inputs of invariants take no part. */
struct pv_asked {
  uint64_t value[2];
  uint32_t thread;
  const struct pv_function *function, *user_function; /* user: where the program's own code is */
  const struct pv_edge *edge, *user_edge;
};
struct pv_script {
  const struct pv_input *given; /* the values, borrowed */
  uint32_t n;
  const struct pv_source *sources; /* that `given` speaks of, borrowed */
  uint32_t n_sources;
  bool least; /* behind them an input gives what is nearest to 0, not what its way is */
  PV_VEC(struct pv_asked) asked; /* kept by the machine: what inputs gave */
  uint32_t keep;                 /* ... as long as they are no more than that; 0: however many */
  uint64_t n_asked;              /* how many there were */
  char *wrong; /* kept by the machine: why a value was refused, which ends the path (PV_CUT) */
};
void pv_script_clear(struct pv_script *script); /* what the machine kept */

/* What several machines of one program, each run by a thread of its own, have to agree on: which
 * objects and frames there are, and thus every address and the numbers of components. A machine
 * that needs a new one writes it into the registry; the others learn of it with pv_vm_sync, or when
 * they need one themselves. */
struct pv_registry;
struct pv_registry *pv_registry_new(void);
void pv_registry_free(struct pv_registry *r);
/* From now on; all machines that share it are started (pv_vm_start) and have done nothing since. */
void pv_vm_share(struct pv_vm *vm, struct pv_registry *r);
/* Learns of all that is in the registry. */
void pv_vm_sync(struct pv_vm *vm);

/* The task's program, options and properties are borrowed. `condition` receives provisos. */
struct pv_vm *pv_vm_new(const struct pv_task *task, const struct pv_sched *sched,
                        struct pv_condition *condition);
void pv_vm_free(struct pv_vm *vm);
/* Functions that are interpreted much (option `native-after`) are compiled, with the same outcome
 * of transitions. Not for replays, which check what was found. */
void pv_vm_allow_native(struct pv_vm *vm);
const char *pv_vm_native_failure(const struct pv_vm *vm); /* why there is none, or NULL; borrowed */
void pv_vm_start(struct pv_vm *vm); /* the initial state: thread 0 at the entry function */

unsigned pv_vm_threads(const struct pv_vm *vm); /* slots in use */
unsigned pv_vm_alive(const struct pv_vm *vm);
bool pv_vm_is_alive(const struct pv_vm *vm, unsigned thread);
uint64_t pv_vm_alive_set(const struct pv_vm *vm); /* bit t: thread t is alive */
void pv_vm_pending(struct pv_vm *vm, unsigned thread, struct pv_pending *out);
/* In how many alternatives `thread`, which is parked at what `pending` says, can go on now. */
unsigned pv_vm_alternatives(struct pv_vm *vm, unsigned thread, const struct pv_pending *pending,
                            unsigned *progress);
/* The component that holds the thread's top frame; the thread must have one. */
uint32_t pv_vm_top_component(const struct pv_vm *vm, unsigned thread);
/* The component of that frame of the thread's, which it has or had. */
uint32_t pv_vm_frame_component(const struct pv_vm *vm, unsigned thread, uint32_t depth);
/* The thread's frames, 0 = bottom: in which function, and the location it will go on from. */
uint32_t pv_vm_depth(const struct pv_vm *vm, unsigned thread);
void pv_vm_frame(const struct pv_vm *vm, unsigned thread, uint32_t depth, uint32_t *function,
                 pv_loc *loc);
/* The same for the content of a frame's component; top: it is the thread's last frame. */
void pv_vm_frame_in(const struct pv_vm *vm, const void *content, bool top, uint32_t *function,
                    pv_loc *loc);
/* The edge that the thread is at, or that its path ended in, and its function. */
const struct pv_edge *pv_vm_at(const struct pv_vm *vm, unsigned thread, uint32_t *function);
/* The call that a frame waits for, NULL: it is the top one. Its registers: a variable's value (the
 * low word), the address of a stack slot, 0: it is not alive. */
const struct pv_edge *pv_vm_frame_call(const struct pv_vm *vm, unsigned thread, uint32_t depth);
uint64_t pv_vm_frame_variable(const struct pv_vm *vm, unsigned thread, uint32_t depth,
                              uint32_t var);
uint64_t pv_vm_frame_slot(const struct pv_vm *vm, unsigned thread, uint32_t depth, uint32_t slot);
/* Is the content of a frame's component what it was, but for values of variables for which the
 * answer is false? */
bool pv_vm_frame_is_as(const struct pv_vm *vm, uint32_t component, const uint8_t *was, uint32_t n,
                       bool (*matters)(void *user, uint32_t function, uint32_t var), void *user);
uint64_t pv_vm_global_address(const struct pv_vm *vm, uint32_t global); /* not thread-local */
uint64_t pv_vm_function_address(const struct pv_vm *vm, uint32_t function);
uint32_t pv_vm_function_at(const struct pv_vm *vm, uint64_t address); /* or PV_NO_FUNC */
/* The object that the address is in, alive or not; false: none. */
bool pv_vm_object_span(const struct pv_vm *vm, uint64_t address, uint64_t *base, uint64_t *size);
/* The thread inside an atomic section, which alone may run, or UINT32_MAX. */
unsigned pv_vm_exclusive(const struct pv_vm *vm);

/* From now on operations are visible as if there were another thread: a search that looks at the
 * order of all that was done has to see what comes after the end of the last other thread, too. */
void pv_vm_set_observed(struct pv_vm *vm, bool on);
bool pv_vm_is_observed(const struct pv_vm *vm);

/* For searches that look at the order of all that is done: from now on, while there are other
 * threads, an allocation is not visible and gives a fresh address, and which one is decided by what
 * its thread did before. That leaves out that the address of a freed object comes back, so that
 * steps tell of what allows it, and sizes for which it is allowed are as before. In programs that
 * cannot tell there is nothing to be told. */
void pv_vm_fresh(struct pv_vm *vm);
void pv_vm_comes_back(struct pv_vm *vm, bool mapping, uint64_t size);
bool pv_vm_may_come_back(const struct pv_vm *vm, bool mapping, uint64_t size);
/* What the last step did to the heap, in this order, but for sizes that may come back. Borrowed
 * until the next step. */
struct pv_heap_event {
  uint64_t size;
  uint32_t thread, object;
  uint32_t span; /* of an allocation, in the program's own code */
  bool mapping, frees;
  bool again;      /* neither: `object`, which is no heap object, is to begin a new life */
  bool comes_back; /* allocation: a freed object's address could, as things were */
  bool shared;     /* free: other threads could reach the object */
  uint64_t held; /* allocation: bit i: the thread may have had a pointer to an object of a number i
                    modulo 64, where nobody else can tell */
  bool pointed_to; /* free: somebody still points to it now; again: ... did just before */
  uint64_t used;   /* free, again: bit i: there is a thread i then, that nobody has joined */
};
/* The component that holds these bytes, all of them, and where in it; false: there is none. */
bool pv_vm_place(struct pv_vm *vm, uint64_t address, unsigned bytes, uint32_t *component,
                 uint32_t *offset);
/* May the content of a component, as it was, have held a pointer to the object? */
bool pv_vm_held_pointer(const struct pv_vm *vm, uint32_t component, const uint8_t *was, uint32_t n,
                        uint32_t object);
const struct pv_heap_event *pv_vm_heap_events(const struct pv_vm *vm, uint32_t *n);
/* Has the transitions be the frees of all that was, by thread 0: for a state in which there is a
 * second thread for the first time. */
void pv_vm_tell_freed(struct pv_vm *vm);
/* From now on no object like this one, of a block or a thread, gets the address of one that others
 * could reach, be it that nobody points to that any more. */
void pv_vm_keep(struct pv_vm *vm, uint32_t object);
/* Notes the proviso of option no-reuse for the allocation. */
void pv_vm_refuse_reuse(struct pv_vm *vm, uint32_t span);

/* From now on nobody looks at what the edges do for which the answer is true: no thread parks
 * there, unless it would have to wait, or has several alternatives. For searches to which the order
 * of such operations does not matter. Beginnings of atomic sections and ends of the program stay
 * visible.
 */
void pv_vm_hide(struct pv_vm *vm, bool (*hidden)(void *user, uint32_t function, uint32_t edge),
                void *user);

/* Option --atomic, in its order. */
enum pv_atomicity { PV_ATOMIC_VISIBLE, PV_ATOMIC_STATEMENT, PV_ATOMIC_INSTRUCTION };

/* Bit i: thread i did something in the last transition that others could have seen, but for that.
 */
uint64_t pv_vm_hid(const struct pv_vm *vm);
/* The objects (as `held` of a heap event) that threads had pointers to where nobody else can tell,
 * before ends and joins of threads that they did eagerly (pv_vm_set_eager) in the last transition;
 * *threads: those that did. */
uint64_t pv_vm_held_eagerly(const struct pv_vm *vm, uint64_t *threads);

/* Runs one transition. way < pending.alternatives. */
enum pv_outcome pv_vm_step(struct pv_vm *vm, unsigned thread, unsigned alternative);
/* Runs what the thread would do if the creation or the join of a thread that it is parked at were
 * possible now and another thread were there all the time: a thread created is a number and does
 * not run, one that is joined is gone. What that leaves in the machine is no state. Neither
 * provisos nor figures change. */
enum pv_outcome pv_vm_ahead(struct pv_vm *vm, unsigned thread);
/* For questions to the plug-in between transitions; borrowed. */
const struct pv_sched_state *pv_vm_sched_state(const struct pv_vm *vm);
/* Did the last transition begin with a primitive that left the scheduler's state as it was (a
 * failed attempt)? */
bool pv_vm_was_idle(const struct pv_vm *vm);
/* Did the last transition do more visible operations than the one the thread was parked at? */
bool pv_vm_merged(const struct pv_vm *vm);
/* How the last transition moved its thread through the program, seen from the lowest frame that it
 * was the top of at some time: there it came from one location (that of the call, if frames were
 * above it) and got to another. */
struct pv_course {
  bool created; /* a thread */
  bool ended;   /* its own; the rest says nothing then */
  bool deeper;  /* it came from that frame itself and is in a call of it now */
  uint32_t function;
  pv_loc from, to;
};
struct pv_course pv_vm_course(const struct pv_vm *vm);
/* From now on every transition keeps its footprint. */
void pv_vm_track(struct pv_vm *vm, bool on);
/* The footprint of the last transition: the components whose content it looked at, in this order,
 * or changed, and PV_FOOT_OBJECTS where it mattered which objects are known at all; its outcome and
 * what it changed depend on nothing else than thread, way, which threads are alive, and these. The
 * machine's own state and the top frame come first. UINT32_MAX: on too much to say. */
#define PV_FOOT_OBJECTS (UINT32_MAX - 1)
uint32_t pv_vm_footprint(const struct pv_vm *vm, const uint32_t **list);
/* How many objects are known. They are never forgotten. */
uint32_t pv_vm_objects(const struct pv_vm *vm);
const struct pv_event *pv_vm_event(const struct pv_vm *vm);
static inline struct pv_error_key pv_event_key(const struct pv_event *e) {
  return (struct pv_error_key){e->property, e->span, e->message};
}
/* Appends what tells errors apart that are reported: a race is one for each object and pair of
 * places, whichever threads come there, and in which order. */
void pv_event_identity(const struct pv_program *p, const struct pv_event *e, struct pv_str *out);
/* Option keep-going: races inside atomic sections and statements end no path, as races between
 * parked threads end none, and of what leaks all is told; otherwise one error would hide another,
 * and which one is seen would depend on the order of independent transitions. The errors that the
 * last transition met like that. */
const struct pv_event *pv_vm_passed(const struct pv_vm *vm, uint32_t *n);
/* From now on a transition ends at an error with this key (borrowed; NULL: none), with PV_VIOLATED,
 * even if it could go on; for replays. */
void pv_vm_stop_at(struct pv_vm *vm, const struct pv_error_key *key);
/* Do two pending operations conflict in the sense of a data race? Freeing counts as a plain write,
 * and so does what the creation or the join of a thread writes, which is to have a way. */
bool pv_pending_conflict(const struct pv_pending *a, const struct pv_pending *b);
/* A data race between what the two threads are parked at, if there is one: fills the event.
 * Complete over all states: two conflicting accesses are unordered in some execution iff they are
 * next to each other in some execution (adjacency theorem for data-race-free programs under
 * sequential consistency), which is when both threads are parked at them. */
bool pv_vm_race(struct pv_vm *vm, unsigned thread, unsigned other);
/* Does the program's i-th invariant hold in the present state? If not, fills the event. */
bool pv_vm_invariant(struct pv_vm *vm, uint32_t i);
/* The region of mutual exclusion (ir/exclusion.h) that the thread is in, the innermost one, or
 * NULL; regions are looked for if the property was asked for. */
const char *pv_vm_region(const struct pv_vm *vm, unsigned thread);
/* Both threads are in regions: fills the event. */
void pv_vm_explain_exclusion(struct pv_vm *vm, unsigned thread, unsigned other);
/* In a state where no thread has a way that is progress: fills the event for a deadlock. */
void pv_vm_explain_deadlock(struct pv_vm *vm);

/* Components. */
uint32_t pv_vm_components(const struct pv_vm *vm);
struct pv_comp *pv_vm_component(struct pv_vm *vm, uint32_t i);
/* The thread that a component belongs to (a frame, an object it made), or UINT32_MAX. */
uint32_t pv_vm_component_thread(const struct pv_vm *vm, uint32_t i);
/* What a component is to the thread that it belongs to: components of two threads with the same
 * role are counterparts. Without padding, for it is a key of bytes. */
struct pv_role {
  uint32_t kind, site, slot, occurrence, align, page, depth, zero; /* FRAME: only slot, the depth */
  uint64_t size;
};
void pv_vm_role(const struct pv_vm *vm, uint32_t i, struct pv_role *role);
/* A content of component i as any thread could have it: in a frame, registers that hold addresses
 * of the thread's own objects are 0, and behind the registers stands what they point to, by role.
 * Adds it to `out`. Returns the threads (as bits) of whose objects the content holds addresses in
 * any other way. in_memory: addresses of objects that threads made may lie in memory. */
uint64_t pv_vm_relative(const struct pv_vm *vm, uint32_t i, const void *content, uint32_t n,
                        bool in_memory, struct pv_str *out);
/* Is it what is left of an object whose life ended? */
bool pv_vm_is_remnant(const struct pv_vm *vm, uint32_t i, const void *content, uint32_t n);
/* The thread that made the object at an address, or UINT32_MAX: a global, or none. */
uint32_t pv_vm_maker(const struct pv_vm *vm, uint64_t address);
uint32_t pv_vm_dirty(struct pv_vm *vm, const uint32_t **list);
void pv_vm_clean(struct pv_vm *vm); /* empties the dirty list */
/* Puts back a component (n = 0: absent); not marked dirty. */
void pv_vm_set_component(struct pv_vm *vm, uint32_t i, const void *bytes, uint32_t n);
void pv_vm_loaded(struct pv_vm *vm); /* after the last set_component */

void pv_vm_record(struct pv_vm *vm, const struct pv_recorder *recorder); /* NULL: stop */
/* From the initial state on; borrowed. */
void pv_vm_script(struct pv_vm *vm, struct pv_script *script);
uint64_t pv_vm_instructions(const struct pv_vm *vm);
uint64_t pv_vm_inputs(const struct pv_vm *vm);

/* For reports: value of a variable of the thread's top frame in source terms; false if not
 * readable. Names and values of what lies in up to 16 bytes of memory, member by member. Name of
 * the object at an address: "counter", "node.next of the object allocated at x.c:12". */
bool pv_vm_show_variable(struct pv_vm *vm, unsigned thread, const struct pv_function *f,
                         uint32_t var, struct pv_str *out);
/* A value of an ir type, in terms of the source type if that is known (0: not). */
void pv_vm_show_value(struct pv_vm *vm, pv_srctype srctype, pv_type type, const uint64_t value[2],
                      struct pv_str *out);
void pv_vm_show_memory(struct pv_vm *vm, uint64_t address, uint32_t bytes,
                       void (*tell)(void *user, const char *name, const char *value), void *user);
bool pv_vm_name_address(struct pv_vm *vm, uint64_t address, struct pv_str *out);
/* Index of the object at an address, or UINT32_MAX; for dependence. */
uint32_t pv_vm_object(const struct pv_vm *vm, uint64_t address);
/* The global an object is, or UINT32_MAX. */
uint32_t pv_vm_object_global(const struct pv_vm *vm, uint32_t object);
/* The thread whose end is the object's, too (stack slots, thread-local variables), or UINT32_MAX.
 */
uint32_t pv_vm_object_thread(const struct pv_vm *vm, uint32_t object);
/* Is the call an end of its thread, or a join by main, that has nothing to do with what others can
 * do at the same time or later, but for giving a join its way? That is so as long as main alone
 * creates, joins and detaches threads, and if the end takes nothing along that others reach, and
 * the join writes nothing. */
bool pv_vm_is_eager(struct pv_vm *vm, const struct pv_prim_call *call);
/* From now on such calls are done as their thread comes to them, if they have a way; those that
 * have none yet are transitions. */
void pv_vm_set_eager(struct pv_vm *vm, bool eager);
/* Did, in this machine's life, somebody else than main create or join a thread, or anybody detach
 * one, or a detached thread end? Up to then the order of what threads do decides no thread's
 * number. */
bool pv_vm_renumbers(const struct pv_vm *vm);
uint64_t pv_vm_joined(const struct pv_vm *vm); /* threads that the last transition joined */
/* Do others reach anything that would end with the thread if it ended now? */
bool pv_vm_is_end_met(struct pv_vm *vm, unsigned thread);
/* Is the object part of a model, of no interest to users? */
bool pv_vm_object_is_model(const struct pv_vm *vm, uint32_t object);
/* Has the program no name for it: did the compiler put it there? */
bool pv_vm_object_is_temporary(const struct pv_vm *vm, uint32_t object);
/* Reading memory from outside, never a scheduling point. */
bool pv_vm_read(struct pv_vm *vm, uint64_t address, unsigned bytes, uint64_t *value);
/* What the compare-and-exchange that the thread is parked at expects to find; false: it is at
 * none, or at one of more than 8 bytes. */
bool pv_vm_exchange(struct pv_vm *vm, unsigned thread, uint64_t *expected);

#endif
