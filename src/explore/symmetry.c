#include "explore/symmetry.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/effects.h"
#include "analysis/thread_effects.h"
#include "explore/moves.h"

enum { MACHINE = 1, NOBODY = UINT32_MAX };
/* A thread whose future has such effects on the set of threads is a manager. */
enum { MANAGES = PV_EFF_SPAWN | PV_EFF_JOIN | PV_EFF_SYNC };

/* Facts about one content of one component. */
struct content {
  uint32_t relative; /* the leaf of the content after the owner's number was abstracted from it */
  bool remnant;
  /* Of a frame: the effects that its function may still have on the set of threads. */
  uint16_t effects;
  pv_threads named; /* the threads to whose objects it holds addresses */
};
/* A component and its content in the current state. */
struct component {
  uint32_t thread, role; /* thread UINT32_MAX: belongs to no thread; role: a number */
  uint32_t leaf;         /* that of `content`; 0: absent, and `content` is invalid */
  bool frame, top;
  struct content content;
};
/* A row that was found before. It is valid in states where the same threads' numbers are in use and
 * these components have these leaves. */
struct row {
  pv_threads used, joined; /* joined: empty if there is no row */
  bool creates;
  uint32_t first;                              /* the thread that it waits for first, or NOBODY */
  PV_VEC(struct pv_memo_change) looked, after; /* after: the components at the end of the row */
  uint32_t next;                               /* the next row of the same manager and place, + 1 */
};
struct pv_symmetry {
  const struct pv_task *task;
  const struct pv_sched *sched;
  struct pv_space *space;
  struct pv_symmetry_facts facts;
  struct pv_thread_effects *effects_of;
  bool rows_apply;
  PV_VEC(struct component) component;
  struct pv_map known; /* (component, leaf, top) -> content */
  PV_VEC(struct content) contents;
  struct pv_map roles;
  PV_VEC(uint32_t) counterpart[PV_MAX_THREADS]; /* by role: 1 + the component of the thread */
  /* The number of objects in the VM when `known` was started. */
  uint32_t objects;
  struct pv_map row_at; /* (thread, leaf of its top frame) -> row */
  PV_VEC(struct row) rows;

  /* the current state */
  pv_threads named, holding; /* holding: threads that have live objects */
  uint16_t effects[PV_MAX_THREADS];
  /* members: the threads that are permuted; room: further numbers for them; dropped: ended
   * threads that count as joined. */
  pv_threads members, room, dropped;
  /* waiting: the manager, if it is in the joins of a row; alone: the manager, if it is not
   * blocked. */
  unsigned waiting, alone;
  /* If there is one: its end replaces the current state of the manager. */
  const struct row *row;
  uint8_t to[PV_MAX_THREADS], from[PV_MAX_THREADS];
  uint64_t part[PV_MAX_THREADS]; /* the sort keys of the members */

  /* data of the key */
  struct pv_tuple key;
  uint32_t places[2]; /* number of places given, by half */
  PV_VEC(uint32_t)
  place; /* by component that belongs to no created thread: half, position << 1 */
  PV_VEC(uint32_t) role_place[PV_MAX_THREADS]; /* by role; the same + 1, 0: none yet */
  struct pv_sched_state permuted;
  struct pv_str text; /* scratch */
};

struct pv_symmetry *pv_symmetry_new(const struct pv_task *task, const struct pv_sched *sched,
                                    struct pv_space *space) {
  struct pv_symmetry *y = pv_alloc(sizeof *y);
  pv_properties whole = PV_PROP_BIT(PV_PROP_INVARIANT) | PV_PROP_BIT(PV_PROP_VALID_MEMTRACK) |
                        PV_PROP_BIT(PV_PROP_VALID_MEMCLEANUP) |
                        PV_PROP_BIT(PV_PROP_MUTUAL_EXCLUSION);
  y->task = task;
  y->sched = sched;
  y->space = space;
  y->facts = pv_symmetry_facts(task->program);
  y->effects_of = pv_thread_effects_new(task->program);
  y->rows_apply = !(task->properties & whole) && !task->limits->depth &&
                  task->options->atomic == PV_ATOMIC_VISIBLE;
  /* The first places are for the VM's own state and for the class. */
  y->places[0] = y->places[1] = 1;
  y->alone = NOBODY;
  pv_space_find_by(space, y);
  return y;
}

void pv_symmetry_free(struct pv_symmetry *y) {
  if (!y) return;
  for (unsigned t = 0; t < PV_MAX_THREADS; t++) {
    pv_vec_free(&y->counterpart[t]);
    pv_vec_free(&y->role_place[t]);
  }
  for (uint32_t i = 0; i < y->rows.n; i++) {
    pv_vec_free(&y->rows.at[i].looked);
    pv_vec_free(&y->rows.at[i].after);
  }
  pv_vec_free(&y->rows);
  pv_vec_free(&y->component);
  pv_vec_free(&y->contents);
  pv_vec_free(&y->place);
  pv_map_free(&y->known);
  pv_map_free(&y->roles);
  pv_map_free(&y->row_at);
  pv_thread_effects_free(y->effects_of);
  pv_symmetry_facts_clear(&y->facts);
  pv_tuple_free(&y->key);
  pv_str_free(&y->text);
  free(y->permuted.data);
  free(y);
}

const char *pv_symmetry_obstacle(const struct pv_symmetry *y) {
  return y->facts.obstacle;
}

unsigned pv_symmetry_alone(const struct pv_symmetry *y) {
  return y->alone;
}

static uint64_t renumber(const uint8_t *to, uint64_t threads) {
  pv_threads set = 0;
  PV_FOR_THREADS(t, threads) set |= PV_THREAD_BIT(to[t]);
  return set;
}

uint64_t pv_symmetry_to_key(const struct pv_symmetry *y, uint64_t threads) {
  return y ? renumber(y->to, threads) : threads;
}

uint64_t pv_symmetry_from_key(const struct pv_symmetry *y, uint64_t threads) {
  return y ? renumber(y->from, threads) : threads;
}

/* ---- contents of components ------------------------------------------------------------------ */
static void know_component(struct pv_symmetry *y, uint32_t i) {
  struct pv_vm *vm = y->space->vm;
  struct pv_role role;
  struct component c = {.thread = pv_vm_component_thread(vm, i),
                        .frame = pv_vm_component(vm, i)->kind == PV_COMP_FRAME};
  if (c.thread < PV_MAX_THREADS) {
    pv_vm_role(vm, i, &role);
    c.role = *pv_map_put(&y->roles, &role, sizeof role, y->roles.n, NULL);
    while (y->counterpart[c.thread].n <= c.role) pv_vec_push(&y->counterpart[c.thread], 0);
    PV_REQUIRE(!y->counterpart[c.thread].at[c.role], "a thread has one component of a role");
    y->counterpart[c.thread].at[c.role] = i + 1;
  }
  pv_vec_push(&y->component, c);
  pv_vec_push(&y->place, 0);
}

static void know_components(struct pv_symmetry *y) {
  while (y->component.n < y->space->base.n) know_component(y, y->component.n);
}

static uint16_t effects_of(const struct pv_symmetry *y, const void *bytes, bool top) {
  uint32_t function;
  pv_loc loc;
  pv_vm_frame_in(y->space->vm, bytes, top, &function, &loc);
  return (uint16_t)pv_thread_effects_of(y->effects_of, function, loc);
}

static struct content look_into(struct pv_symmetry *y, uint32_t i, uint32_t leaf) {
  const struct component *c = &y->component.at[i];
  struct pv_space *s = y->space;
  struct content out = {0};
  uint32_t n;
  const uint8_t *bytes = pv_store_leaf_bytes(s->store, leaf, &n);
  if (c->frame) out.effects = effects_of(y, bytes, c->top);
  pv_str_clear(&y->text);
  out.named = pv_vm_relative(s->vm, i, bytes, n, y->facts.in_memory, &y->text);
  out.remnant = pv_vm_is_remnant(s->vm, i, bytes, n);
  out.relative = pv_store_leaf(s->store, y->text.at, (uint32_t)y->text.n);
  return out;
}

static void renew(struct pv_symmetry *y, uint32_t i, uint32_t leaf, bool top) {
  struct component *c = &y->component.at[i];
  bool fresh = false;
  c->leaf = leaf;
  c->top = top;
  c->content = (struct content){0};
  if (!leaf) return;
  uint32_t key[] = {i, leaf, top};
  uint32_t at = *pv_map_put(&y->known, key, sizeof key, y->contents.n, &fresh);
  if (fresh) pv_vec_push(&y->contents, look_into(y, i, leaf));
  y->component.at[i].content = y->contents.at[at];
}

/* Call it for a new object: a number seen before may look like its address. */
static void begin_anew(struct pv_symmetry *y) {
  pv_map_free(&y->known);
  y->contents.n = 0;
  y->objects = pv_vm_objects(y->space->vm);
  for (uint32_t i = 0; i < y->component.n; i++) y->component.at[i].leaf = 0;
}

static void note_address(void *user, uint64_t address) {
  struct pv_symmetry *y = user;
  uint32_t thread = pv_vm_maker(y->space->vm, address);
  if (thread < PV_MAX_THREADS) y->named |= PV_THREAD_BIT(thread);
}

static bool is_top(const struct pv_space *s, const struct component *c, uint32_t i) {
  return c->frame && c->thread < PV_MAX_THREADS && s->depth[c->thread] && s->top[c->thread] == i;
}

static void look(struct pv_symmetry *y) {
  struct pv_space *s = y->space;
  if (y->objects != pv_vm_objects(s->vm)) begin_anew(y);
  know_components(y);
  y->named = y->holding = 0;
  memset(y->effects, 0, sizeof y->effects);
  for (uint32_t i = MACHINE + 1; i < y->component.n; i++) {
    struct component *c = &y->component.at[i];
    uint32_t leaf = pv_space_leaf(s, i);
    bool top = is_top(s, c, i);
    if (c->leaf != leaf || c->top != top) renew(y, i, leaf, top);
    if (!leaf) continue;
    y->named |= c->content.named;
    if (c->thread >= PV_MAX_THREADS) continue;
    y->effects[c->thread] |= c->content.effects;
    if (!c->frame && !c->content.remnant) y->holding |= PV_THREAD_BIT(c->thread);
  }
  y->sched->addresses(pv_vm_sched_state(s->vm), note_address, y);
}

/* ---- rows ------------------------------------------------------------------------------------ */
/* Records the components that the VM read, with their leaves in the current state. Returns false if
 * there are too many. */
static bool note_footprint(struct pv_symmetry *y, struct row *r) {
  const uint32_t *list;
  uint32_t n = pv_vm_footprint(y->space->vm, &list);
  if (n == UINT32_MAX) return false;
  for (uint32_t i = 0; i < n; i++) {
    bool there = list[i] == PV_SPACE_HEAD || list[i] == PV_FOOT_OBJECTS;
    for (uint32_t k = 0; k < r->looked.n && !there; k++)
      there = r->looked.at[k].component == list[i];
    if (there) continue;
    struct pv_memo_change c = {list[i], pv_space_leaf(y->space, list[i])};
    pv_vec_push(&r->looked, c);
  }
  return true;
}

/* Is everything that the first thread reads written by no other thread? */
static bool reads_own(const struct pv_symmetry *y, unsigned manager,
                      const struct pv_pending *next) {
  const struct pv_vm *vm = y->space->vm;
  if (next->kind != PV_PEND_ACCESS || next->write || manager) return false;
  uint32_t object = pv_vm_object(vm, next->address);
  uint32_t global = object == UINT32_MAX ? UINT32_MAX : pv_vm_object_global(vm, object);
  return global != UINT32_MAX && !y->facts.written[global];
}

enum step { NO_STEP, READS, CREATES, JOINS };

/* The step of the row at which the manager is parked. Adds the thread that it joins. */
static enum step next_step(struct pv_symmetry *y, unsigned manager, const struct row *r,
                           unsigned *joined) {
  struct pv_vm *vm = y->space->vm;
  struct pv_pending next;
  bool on_threads;
  pv_vm_pending(vm, manager, &next);
  if (reads_own(y, manager, &next)) return READS;
  if (next.kind != PV_PEND_PRIM) return NO_STEP;
  unsigned effects = pv_prim_effects(next.call.prim->name, &on_threads);
  if (!on_threads) return NO_STEP;
  if (effects & PV_EFF_SPAWN) return r->joined || y->facts.nested ? NO_STEP : CREATES;
  *joined = y->sched->awaited(pv_vm_sched_state(vm), &next.call);
  bool result = next.call.args[1]; /* the result of the join is used */
  return *joined != PV_MAX_THREADS && !result ? JOINS : NO_STEP;
}

/* Records the VM's current state as the end of the row, unless another join follows. Returns false
 * if that is impossible. */
static bool note_after(struct pv_symmetry *y, struct row *r) {
  const uint32_t *dirty;
  uint32_t n = pv_vm_dirty(y->space->vm, &dirty);
  r->after.n = 0;
  for (uint32_t i = 0; i < n; i++) {
    const struct pv_comp *c = pv_vm_component(y->space->vm, dirty[i]);
    if (dirty[i] == PV_SPACE_HEAD) continue;
    uint32_t leaf = c->n ? pv_store_leaf(y->space->store, c->data, c->n) : 0;
    struct pv_memo_change after = {dirty[i], leaf};
    if (dirty[i] == MACHINE && leaf != y->space->base.at[MACHINE]) return false;
    pv_vec_push(&r->after, after);
  }
  return true;
}

/* Executes the manager ahead of time. Steps that end with a join form a row. */
static void run_row(struct pv_symmetry *y, unsigned manager, struct row *r) {
  enum { STEPS = 8 * PV_MAX_THREADS };
  struct pv_vm *vm = y->space->vm;
  uint32_t looked = 0;
  for (unsigned i = 0; i < STEPS; i++) {
    unsigned thread = NOBODY;
    enum step step = next_step(y, manager, r, &thread);
    if (i && !note_footprint(y, r)) break;
    if (step == NO_STEP || pv_vm_ahead(vm, manager) != PV_RAN || !note_footprint(y, r)) break;
    if (step == CREATES) r->creates = true;
    if (step != JOINS) continue;
    if (i == 0) r->first = thread;
    r->joined = note_after(y, r) ? r->joined | PV_THREAD_BIT(thread) : 0;
    if (!r->joined) break;
    looked = r->looked.n;
  }
  r->looked.n = looked;
}

static struct row find_row(struct pv_symmetry *y, unsigned manager) {
  struct pv_space *s = y->space;
  struct row r = {.used = y->sched->used_set(pv_vm_sched_state(s->vm)), .first = NOBODY};
  pv_space_load(s);
  pv_vm_track(s->vm, true);
  run_row(y, manager, &r);
  pv_vm_track(s->vm, s->memo != NULL);
  pv_space_asked(s);
  pv_vm_loaded(s->vm);
  return r;
}

static bool still_holds(const struct pv_symmetry *y, const struct row *r, pv_threads used) {
  if (r->used != used) return false;
  for (uint32_t i = 0; i < r->looked.n; i++)
    if (pv_space_leaf(y->space, r->looked.at[i].component) != r->looked.at[i].leaf) return false;
  return true;
}

static const struct row *row_of(struct pv_symmetry *y, unsigned manager) {
  struct pv_space *s = y->space;
  pv_threads used = y->sched->used_set(pv_vm_sched_state(s->vm));
  uint32_t key[] = {manager, pv_space_leaf(s, pv_space_top(s, manager))};
  uint32_t first = *pv_map_put(&y->row_at, key, sizeof key, 0, NULL);
  for (uint32_t i = first; i; i = y->rows.at[i - 1].next)
    if (still_holds(y, &y->rows.at[i - 1], used)) return &y->rows.at[i - 1];
  struct row r = find_row(y, manager);
  know_components(y); /* of the state that follows */
  r.next = first;
  pv_vec_push(&y->rows, r);
  *pv_map_put(&y->row_at, key, sizeof key, 0, NULL) = y->rows.n;
  return &pv_vec_last(&y->rows);
}

/* ---- the set of threads to permute ----------------------------------------------------------- */
static void choose_row(struct pv_symmetry *y, unsigned manager, pv_threads alive, pv_threads free) {
  const struct row *r = y->rows_apply && (alive & (alive - 1)) ? row_of(y, manager) : NULL;
  pv_threads joined = r ? r->joined & r->used : 0, ended = joined & ~alive;
  if (!joined) return;
  if (r->creates) {
    y->members = joined;
    return;
  }
  if (ended & (y->named | y->holding)) return;
  y->members = joined & alive;
  y->dropped = ended;
  y->room = free | ended;
  y->waiting = manager;
  if (r->first != NOBODY && (alive & PV_THREAD_BIT(r->first)))
    y->row = r;
  else
    y->alone = manager;
}

static void choose(struct pv_symmetry *y) {
  struct pv_space *s = y->space;
  const struct pv_sched_state *state = pv_vm_sched_state(s->vm);
  pv_threads used = y->sched->used_set(state), alive = y->sched->alive_set(state);
  pv_threads slots = PV_THREAD_BIT(y->sched->n_threads(state) - 1) * 2 - 1;
  pv_threads free = slots & ~used & ~y->holding & ~PV_THREAD_BIT(0), managers = 0;
  unsigned effects = 0;
  y->members = y->room = y->dropped = 0;
  y->row = NULL;
  y->waiting = y->alone = NOBODY;
  if (y->facts.obstacle || pv_space_leaf(s, MACHINE) != s->base.at[MACHINE]) return;
  PV_FOR_THREADS(t, alive) {
    effects |= y->effects[t];
    if (y->effects[t] & MANAGES) managers |= PV_THREAD_BIT(t);
  }
  if (!managers) {
    y->members = used & ~PV_THREAD_BIT(0);
    y->room = free;
  } else if (!(effects & (PV_EFF_JOIN | PV_EFF_SYNC)) && !y->facts.detaches) {
    y->members = used & ~PV_THREAD_BIT(0);
  } else if (!(managers & (managers - 1))) {
    choose_row(y, (unsigned)__builtin_ctzll(managers), alive, free);
  }
  y->members &= ~y->named & ~PV_THREAD_BIT(0);
  y->room &= ~y->named;
}

/* ---- the permutation ------------------------------------------------------------------------- */
/* A round of the finaliser of MurmurHash3 (Appleby, public domain). */
static uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t h = (a << 32 | b) * 0xff51afd7ed558ccdu;
  h = (h ^ h >> 33) * 0xc4ceb9fe1a85ec53u;
  return h ^ h >> 33;
}

/* The leaf in the key for a permuted thread's component of this role. For an ended thread, remnants
 * of its objects are left out, because no pointer to them exists. */
static uint32_t relative(const struct pv_symmetry *y, unsigned thread, uint32_t role) {
  if (role >= y->counterpart[thread].n || !y->counterpart[thread].at[role]) return 0;
  const struct component *c = &y->component.at[y->counterpart[thread].at[role] - 1];
  bool counts = c->leaf && (!c->content.remnant || y->space->depth[thread]);
  return counts ? c->content.relative : 0;
}

static uint64_t part_of(const struct pv_symmetry *y, unsigned thread) {
  uint64_t part = y->sched->part(pv_vm_sched_state(y->space->vm), thread);
  for (uint32_t role = 0; role < y->counterpart[thread].n; role++) {
    uint32_t leaf = relative(y, thread, role);
    if (leaf) part += mix(role, leaf);
  }
  return part;
}

/* Sorts the members by their sort keys. Different threads with equal keys may be sorted in any
 * order: this only makes the reduction smaller. */
static unsigned sorted(struct pv_symmetry *y, uint8_t *list) {
  unsigned n = 0;
  PV_FOR_THREADS(t, y->members) {
    unsigned k = n++;
    y->part[t] = part_of(y, t);
    for (; k && y->part[list[k - 1]] > y->part[t]; k--) list[k] = list[k - 1];
    list[k] = (uint8_t)t;
  }
  return n;
}

static void permute(struct pv_symmetry *y) {
  uint8_t list[PV_MAX_THREADS];
  pv_threads numbers = y->members | y->room;
  for (unsigned t = 0; t < PV_MAX_THREADS; t++) y->to[t] = y->from[t] = (uint8_t)t;
  if (pv_vm_has_unset_registers(y->space->vm)) return; /* they are listed by thread */
  unsigned n = sorted(y, list);
  for (unsigned i = 0; i < n; i++, numbers &= numbers - 1) {
    unsigned number = (unsigned)__builtin_ctzll(numbers);
    y->to[list[i]] = (uint8_t)number;
    y->from[number] = list[i];
  }
}

/* ---- the key --------------------------------------------------------------------------------- */
static uint32_t give_place(struct pv_symmetry *y, unsigned half) {
  return (y->places[half]++ << 1 | half) + 1;
}

static void set(struct pv_symmetry *y, uint32_t place, uint32_t leaf) {
  pv_tuple_set(&y->key, (place - 1) & 1, (place - 1) >> 1, leaf);
}

/* Sets a component that is not permuted. The leaf of the initial state is represented by 0. */
static void set_fixed(struct pv_symmetry *y, uint32_t i, uint32_t leaf) {
  uint32_t base = y->space->base.at[i];
  if (leaf == base && !y->place.at[i]) return;
  if (!y->place.at[i]) y->place.at[i] = give_place(y, i & 1);
  set(y, y->place.at[i], leaf == base ? 0 : leaf ? leaf : PV_LEAF_ABSENT);
}

static void set_role(struct pv_symmetry *y, unsigned number, uint32_t role, uint32_t leaf) {
  while (y->role_place[number].n <= role) {
    if (!leaf) return;
    pv_vec_push(&y->role_place[number], 0);
  }
  uint32_t *place = &y->role_place[number].at[role];
  if (!leaf && !*place) return;
  if (!*place) *place = give_place(y, number & 1);
  set(y, *place, leaf);
}

static uint32_t at_row_end(const struct pv_symmetry *y, uint32_t i, uint32_t leaf) {
  for (uint32_t k = 0; y->row && k < y->row->after.n; k++)
    if (y->row->after.at[k].component == i) return y->row->after.at[k].leaf;
  return leaf;
}

/* Sets the components of a thread's number: those of the thread that is renumbered to it. If there
 * is none, and the number's own thread was renumbered, they are empty. */
static void set_thread(struct pv_symmetry *y, unsigned number) {
  unsigned thread = y->from[number];
  bool permuted = (y->members & PV_THREAD_BIT(thread)) && y->to[thread] == number;
  bool empty = !permuted && ((y->members | y->room) & PV_THREAD_BIT(number));
  for (uint32_t role = 0; role < y->roles.n; role++) {
    uint32_t leaf = permuted ? relative(y, thread, role) : 0, i = 0;
    if (!permuted && !empty && role < y->counterpart[number].n) i = y->counterpart[number].at[role];
    if (i) leaf = at_row_end(y, i - 1, pv_space_leaf(y->space, i - 1));
    set_role(y, number, role, leaf);
  }
}

static uint32_t class_leaf(struct pv_symmetry *y) {
  struct {
    pv_threads numbers;
    uint32_t waiting, alone;
  } class = {renumber(y->to, y->members), y->waiting, y->alone};
  return pv_store_leaf(y->space->store, &class, sizeof class);
}

static uint32_t head_leaf(struct pv_symmetry *y) {
  const struct pv_sched_state *state = pv_vm_sched_state(y->space->vm);
  bool same = !y->dropped;
  PV_FOR_THREADS(t, y->members) same = same && y->to[t] == t;
  if (same) return y->space->tuple.head;
  uint8_t to[PV_MAX_THREADS];
  memcpy(to, y->to, sizeof to);
  PV_FOR_THREADS(t, y->dropped) to[t] = PV_SCHED_DROP;
  y->sched->permute(state, to, &y->permuted);
  return pv_store_leaf(y->space->store, y->permuted.data, y->permuted.n);
}

static void fill_key(struct pv_symmetry *y) {
  struct pv_space *s = y->space;
  y->key.head = head_leaf(y);
  set(y, 1, pv_space_leaf(s, MACHINE));
  set(y, 2, class_leaf(y));
  for (uint32_t i = MACHINE + 1; i < y->component.n; i++) {
    uint32_t thread = y->component.at[i].thread;
    if (thread && thread < PV_MAX_THREADS) continue;
    set_fixed(y, i, at_row_end(y, i, pv_space_leaf(s, i)));
  }
  for (unsigned number = 1; number < PV_MAX_THREADS; number++)
    if (y->counterpart[number].n || y->role_place[number].n) set_thread(y, number);
}

uint32_t pv_symmetry_save(struct pv_symmetry *y, bool *is_new) {
  look(y);
  choose(y);
  permute(y);
  fill_key(y);
  return pv_store_put(y->space->store, &y->key, is_new);
}
