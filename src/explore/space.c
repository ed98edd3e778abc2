#include "explore/symmetry.h"

#include "base/bytes.h"
#include "explore/arrange.h"

#include <pthread.h>
#include <stdlib.h>

#include <string.h>

#define UNKNOWN   UINT32_MAX     /* the VM's content is not that of a stored leaf */
#define AS_IT_WAS PV_LEAF_ABSENT /* a mark in place of the head's leaf, which is never absent */
enum { HEAD = PV_SPACE_HEAD, MACHINE = 1 };

void pv_space_init(struct pv_space *s, struct pv_vm *vm, bool memo) {
  *s = (struct pv_space){.vm = vm, .store = pv_store_new(), .memo = memo ? pv_memo_new() : NULL};
}

void pv_space_free(struct pv_space *s) {
  if (!s->joined) pv_store_free(s->store);
  pv_tuple_free(&s->tuple);
  for (int h = 0; h < 2; h++) pv_vec_free(&s->comp[h]);
  pv_memo_free(s->memo);
  pv_vec_free(&s->held);
  pv_vec_free(&s->stale);
  pv_vec_free(&s->is_stale);
  pv_vec_free(&s->frame);
  pv_vec_free(&s->moved);
  pv_vec_free(&s->base);
  pv_vec_free(&s->place);
  pv_visited_free(s->visited);
  pv_trail_free(&s->trail);
}

void pv_space_order(struct pv_space *s, const struct pv_places *places) {
  s->places = places;
}

void pv_space_may_lose(struct pv_space *s, struct pv_visited *visited) {
  PV_REQUIRE(!s->base.n && !s->trails, "nothing was saved yet");
  s->visited = visited;
  s->trails = true;
}

void pv_space_find_by(struct pv_space *s, struct pv_symmetry *symmetry) {
  PV_REQUIRE(!s->base.n && !s->trails, "nothing was saved yet");
  s->symmetry = symmetry;
  s->trails = true;
}

/* ---- places ---------------------------------------------------------------------------------- */
struct pv_common {
  pthread_mutex_t lock;
  struct pv_registry *registry;
  PV_VEC(uint32_t) placed; /* the components in the order in which they got places */
};

struct pv_common *pv_common_new(void) {
  struct pv_common *c = pv_alloc(sizeof *c);
  pthread_mutex_init(&c->lock, NULL);
  c->registry = pv_registry_new();
  return c;
}

void pv_common_free(struct pv_common *c) {
  if (!c) return;
  pthread_mutex_destroy(&c->lock);
  pv_registry_free(c->registry);
  pv_vec_free(&c->placed);
  free(c);
}

/* Gives the component a place. The two halves of a state should vary about equally: threads and
 * their components are assigned by the parity of the thread's number, other memory alternately. */
static void place_here(struct pv_space *s, uint32_t component) {
  uint32_t thread = pv_vm_component_thread(s->vm, component);
  unsigned half = (thread == UINT32_MAX ? component : thread) & 1;
  s->place.at[component] = s->comp[half].n << 1 | half;
  pv_vec_push(&s->comp[half], component);
}

static void know_components(struct pv_space *s);

/* Takes over the places that other workers assigned; locked. A component has a number before it has
 * a place. */
static void catch_up(struct pv_space *s) {
  const struct pv_common *c = s->common;
  if (s->placed == c->placed.n) return;
  pv_vm_sync(s->vm);
  know_components(s);
  while (s->placed < c->placed.n) place_here(s, c->placed.at[s->placed++]);
}

static void give_place(struct pv_space *s, uint32_t component) {
  struct pv_common *c = s->common;
  if (!c) {
    place_here(s, component);
    return;
  }
  pthread_mutex_lock(&c->lock);
  catch_up(s);
  if (s->place.at[component] == PV_NO_PLACE) {
    pv_vec_push(&c->placed, component);
    catch_up(s);
  }
  pthread_mutex_unlock(&c->lock);
}

void pv_space_sync(struct pv_space *s) {
  pthread_mutex_lock(&s->common->lock);
  pv_vm_sync(s->vm);
  know_components(s);
  catch_up(s);
  pthread_mutex_unlock(&s->common->lock);
}

void pv_space_share(struct pv_space *s, struct pv_common *c) {
  s->common = c;
  pv_vm_share(s->vm, c->registry);
  pv_store_share(s->store);
}

void pv_space_join(struct pv_space *s, const struct pv_space *first, struct pv_common *c) {
  pv_store_free(s->store);
  s->store = first->store;
  s->joined = true;
  pv_space_start(s);
  bool is_new;
  uint32_t initial = pv_space_save(s, &is_new);
  PV_REQUIRE(!is_new && initial == 0, "the machines were started in the same way");
  s->common = c;
  pv_vm_share(s->vm, c->registry);
}

/* The leaf to store at the component's place (0: absent). The first place of each half is never
 * absent. */
static uint32_t to_tuple(const struct pv_space *s, uint32_t component, uint32_t leaf) {
  bool first = s->place.at[component] < 2;
  if (leaf == s->base.at[component] && !first) return 0;
  return leaf ? leaf : PV_LEAF_ABSENT;
}

static uint32_t from_tuple(const struct pv_space *s, uint32_t component, uint32_t leaf) {
  return !leaf ? s->base.at[component] : leaf == PV_LEAF_ABSENT ? 0 : leaf;
}

/* ---- the machine and the tuple --------------------------------------------------------------- */
static void put_in(struct pv_space *s, uint32_t component, uint32_t leaf) {
  uint32_t n = 0;
  const uint8_t *bytes = leaf ? pv_store_leaf_bytes(s->store, leaf, &n) : NULL;
  pv_vm_set_component(s->vm, component, bytes, n);
  s->held.at[component] = leaf;
}

static void count_frames(struct pv_space *s, uint32_t component, bool present) {
  if (!s->frame.at[component]) return;
  unsigned t = s->frame.at[component] >> 24, depth = s->frame.at[component] & 0xffffff;
  if (present && s->depth[t] < depth) {
    s->depth[t] = depth;
    s->top[t] = component;
  }
  while (s->depth[t] && !pv_space_leaf(s, s->top[t]))
    if (--s->depth[t]) s->top[t] = pv_vm_frame_component(s->vm, t, s->depth[t] - 1);
  s->top_leaf[t] = s->depth[t] ? pv_space_leaf(s, s->top[t]) : 0;
}

/* Records the component's new leaf in the tuple. */
static void follow(struct pv_space *s, uint32_t component, uint32_t leaf) {
  count_frames(s, component, leaf != 0);
  if (s->held.at[component] == leaf) return;
  if (component <= MACHINE) {
    put_in(s, component, leaf);
  } else if (!s->is_stale.at[component]) {
    s->is_stale.at[component] = 1;
    pv_vec_push(&s->stale, component);
  }
}

void pv_space_load(struct pv_space *s) {
  for (uint32_t i = 0; i < s->stale.n; i++) {
    uint32_t component = s->stale.at[i], leaf = pv_space_leaf(s, component);
    s->is_stale.at[component] = 0;
    if (s->held.at[component] != leaf) put_in(s, component, leaf);
  }
  s->stale.n = 0;
}

/* ---- changes --------------------------------------------------------------------------------- */
static void set_leaf(struct pv_space *s, uint32_t component, uint32_t leaf) {
  if (component == HEAD) s->tuple.head = leaf;
  if (s->trails) {
    pv_trail_set(&s->trail, component, leaf);
  } else if (component != HEAD) {
    if (s->place.at[component] == PV_NO_PLACE && leaf != s->base.at[component])
      give_place(s, component);
    uint32_t place = s->place.at[component];
    if (place != PV_NO_PLACE)
      pv_tuple_set(&s->tuple, place & 1, place >> 1, to_tuple(s, component, leaf));
  }
  follow(s, component, leaf);
}

static void change(struct pv_space *s, uint32_t component, uint32_t leaf) {
  struct pv_memo_change old = {component, pv_space_leaf(s, component)};
  if (old.leaf == leaf) return;
  pv_vec_push(&s->moved, old);
  set_leaf(s, component, leaf);
}

static uint32_t leaf_of(struct pv_space *s, uint32_t component) {
  const struct pv_comp *c = pv_vm_component(s->vm, component);
  if (!c->n) return 0;
  uint32_t leaf = pv_store_leaf(s->store, c->data, c->n);
  if (leaf > s->last_leaf) { /* a new leaf: leaves are numbered in order of discovery */
    s->last_leaf = leaf;
    s->component_bytes[c->kind] += c->n;
  }
  return leaf;
}

/* New components were absent in all earlier states. */
static void know_components(struct pv_space *s) {
  for (uint32_t i = s->base.n; i < pv_vm_components(s->vm); i++) {
    pv_vec_push(&s->base, 0);
    pv_vec_push(&s->place, PV_NO_PLACE);
    pv_vec_push(&s->held, 0);
    pv_vec_push(&s->is_stale, 0);
    const struct pv_comp *c = pv_vm_component(s->vm, i);
    bool frame = c->kind == PV_COMP_FRAME && c->owner >> 24 < PV_MAX_THREADS;
    pv_vec_push(&s->frame, frame ? c->owner + 1 : 0);
  }
}

void pv_space_start(struct pv_space *s) {
  know_components(s);
  for (uint32_t i = 0; i < s->base.n; i++) {
    s->base.at[i] = s->held.at[i] = leaf_of(s, i);
    if (s->trails) pv_trail_begin(&s->trail, i, s->base.at[i]);
    if (i == HEAD) s->tuple.head = s->base.at[i];
    count_frames(s, i, s->base.at[i] != 0);
  }
  const uint32_t first[] = {MACHINE, pv_vm_frame_component(s->vm, 0, 0)}; /* one in each half */
  for (unsigned i = 0; i < 2 && !s->trails; i++) {
    give_place(s, first[i]);
    set_leaf(s, first[i], s->base.at[first[i]]);
  }
  PV_REQUIRE(s->trails || (s->comp[0].n == 1 && s->comp[1].n == 1),
             "a first component in each half");
  pv_vm_clean(s->vm);
  pv_vm_track(s->vm, s->memo != NULL);
}

struct pv_mark pv_space_mark(const struct pv_space *s) {
  return (struct pv_mark){s->tuple.head,
                          {pv_half_mark(&s->tuple.half[0]), pv_half_mark(&s->tuple.half[1])},
                          pv_trail_mark(&s->trail)};
}

/* ---- arranging ------------------------------------------------------------------------------- */
/* The number of states from which the arrangement is learned, if the tree has more than MANY_NODES
 * nodes for each. */
enum { LEARN = 1 << 16, MANY_NODES = 2 };

struct rows {
  struct pv_tuple tuple;
  const uint32_t *column[2]; /* by half and position */
  uint32_t *row;
};

static void value_changed(void *user, unsigned half, uint32_t position, uint32_t leaf) {
  struct rows *r = user;
  if (half < 2) r->row[r->column[half][position]] = leaf;
}

/* The states stored so far, one row each. The caller frees them. */
static uint32_t *rows_of(struct pv_space *s, uint32_t *const column[2], uint32_t columns) {
  uint32_t states = pv_store_states(s->store);
  uint32_t *all = pv_alloc((size_t)states * columns * sizeof *all);
  uint32_t *row = pv_alloc(columns * sizeof *row);
  struct rows r = {.column = {column[0], column[1]}, .row = row};
  for (uint32_t id = 0; id < states; id++) {
    pv_store_get(s->store, id, &r.tuple, value_changed, &r);
    memcpy(all + (size_t)id * columns, row, columns * sizeof *row);
  }
  pv_tuple_free(&r.tuple);
  free(row);
  return all;
}

/* Assigns the components these places, by column. */
static void move_places(struct pv_space *s, const uint32_t *place, uint32_t *const column[2]) {
  uint32_t n[2] = {s->comp[0].n, s->comp[1].n}, *to[2];
  PV_VEC(uint32_t) comp[2] = {0};
  for (unsigned h = 0; h < 2; h++) {
    to[h] = pv_alloc((n[h] + 1) * sizeof *to[h]);
    for (uint32_t p = 0; p < n[h]; p++) {
      uint32_t at = to[h][p] = place[column[h][p]], component = s->comp[h].at[p];
      while (comp[at & 1].n <= at >> 1) pv_vec_push(&comp[at & 1], PV_NO_COMPONENT);
      comp[at & 1].at[at >> 1] = component;
      if (component != PV_NO_COMPONENT) s->place.at[component] = at;
    }
  }
  pv_store_rearrange(s->store, &s->tuple, s->at, to, n);
  for (unsigned h = 0; h < 2; h++) {
    s->comp[h].n = 0;
    for (uint32_t p = 0; p < comp[h].n; p++) pv_vec_push(&s->comp[h], comp[h].at[p]);
    pv_vec_free(&comp[h]);
    free(to[h]);
  }
  if (s->memo) pv_memo_forget(s->memo);
}

/* Arranges the components by the states so far (arrange.h). Done only by a single worker, because
 * others would have to follow while they work. */
static void arrange(struct pv_space *s) {
  enum { MANY = 1024 }; /* with more components the arrangement takes seconds and much memory */
  uint32_t *column[2], columns = 0;
  PV_VEC(uint32_t) place = {0};
  if (s->comp[0].n + s->comp[1].n > MANY) return;
  for (unsigned h = 0; h < 2; h++) {
    column[h] = pv_alloc((s->comp[h].n + 1) * sizeof *column[h]);
    for (uint32_t p = 0; p < s->comp[h].n; p++) {
      column[h][p] = columns++;
      pv_vec_push(&place, p << 1 | h);
    }
  }
  uint32_t *all = rows_of(s, column, columns);
  struct pv_table t = {all, pv_store_states(s->store), columns};
  if (pv_arrange(&t, place.at)) move_places(s, place.at, column);
  free(all);
  for (unsigned h = 0; h < 2; h++) free(column[h]);
  pv_vec_free(&place);
}

static uint32_t saved(struct pv_space *s, uint32_t state) {
  s->moved.n = 0;
  s->at = state;
  if (!s->arranged && !s->common && !s->trails && pv_store_states(s->store) == LEARN &&
      pv_store_sizes(s->store).nodes > LEARN / MANY_NODES) {
    s->arranged = true;
    arrange(s);
  }
  s->here = pv_space_mark(s);
  return state;
}

/* Makes the target of the pending transition the current state. */
static void enter(struct pv_space *s, uint32_t state) {
  for (uint32_t i = 0; i < s->pending.n; i++)
    set_leaf(s, s->pending.changes[i].component, s->pending.changes[i].leaf);
  pv_tuple_enter(&s->tuple, &s->pending.next);
  pv_vm_loaded(s->vm);
  s->pending.on = false;
  saved(s, state);
}

uint32_t pv_space_find(struct pv_space *s, bool *is_new) {
  if (!s->pending.on) return pv_space_save(s, is_new);
  s->pending.next = pv_store_next(s->store, &s->tuple, &s->pending.move);
  s->pending.state = pv_store_put_next(s->store, &s->pending.next, is_new);
  if (*is_new) enter(s, s->pending.state);
  return s->pending.state;
}

void pv_space_enter(struct pv_space *s) {
  if (s->pending.on) enter(s, s->pending.state);
}

uint32_t pv_space_save(struct pv_space *s, bool *is_new) {
  if (s->pending.on) {
    uint32_t state = pv_space_find(s, is_new);
    pv_space_enter(s);
    return state;
  }
  if (s->symmetry) return saved(s, pv_symmetry_save(s->symmetry, is_new));
  if (!s->visited) return saved(s, pv_store_put(s->store, &s->tuple, is_new));
  *is_new = pv_visited_add(s->visited, &s->trail.fingerprint);
  return saved(s, s->at);
}

struct pv_fingerprint pv_space_arrive(struct pv_space *s) {
  PV_REQUIRE(s->visited, "states have fingerprints");
  saved(s, s->at);
  return s->trail.fingerprint;
}

/* ---- transitions ----------------------------------------------------------------------------- */
static uint32_t leaf_at_hand(const void *user, uint32_t component) {
  const struct pv_space *s = user;
  return component == PV_FOOT_OBJECTS ? pv_vm_objects(s->vm) : pv_space_leaf(s, component);
}

static struct pv_memo_start start_of(const struct pv_space *s, unsigned thread,
                                     unsigned alternative) {
  uint32_t top = pv_space_top(s, thread);
  return (struct pv_memo_start){alternative, top, s->top_leaf[thread], pv_vm_alive_set(s->vm)};
}

/* Does the memo apply? Only outside of atomic sections, where the VM's own state is the same in all
 * states. */
static bool memo_applies(const struct pv_space *s) {
  return s->memo && pv_space_leaf(s, MACHINE) == s->base.at[MACHINE];
}

/* The changes of one half, as a delta. */
static uint32_t delta_of(struct pv_space *s, unsigned half, const struct pv_memo_result *r) {
  PV_VEC(struct pv_leaf_set) sets = {0};
  for (uint32_t i = 0; i < r->n; i++) {
    uint32_t component = r->changes[i].component, leaf = r->changes[i].leaf;
    if (component == HEAD) continue;
    if (s->place.at[component] == PV_NO_PLACE) give_place(s, component);
    uint32_t place = s->place.at[component];
    struct pv_leaf_set set = {place >> 1, to_tuple(s, component, leaf)};
    if ((place & 1) == half) pv_vec_push(&sets, set);
  }
  uint32_t delta = pv_tuple_delta(&s->tuple, sets.at, sets.n);
  pv_vec_free(&sets);
  return delta;
}

/* The change of the tuple that a result makes; computed when it is first needed. */
static struct pv_tuple_change move_of(struct pv_space *s, const struct pv_memo_result *r) {
  if (s->forgotten != pv_memo_forgotten(s->memo)) {
    s->forgotten = pv_memo_forgotten(s->memo);
    pv_tuple_forget_deltas(&s->tuple);
  }
  if (!r->kept[0]) {
    r->kept[0] = AS_IT_WAS;
    for (uint32_t i = 0; i < r->n; i++)
      if (r->changes[i].component == HEAD) r->kept[0] = r->changes[i].leaf;
    for (unsigned h = 0; h < 2; h++) r->kept[1 + h] = delta_of(s, h, r);
  }
  uint32_t head = r->kept[0] == AS_IT_WAS ? s->tuple.head : r->kept[0];
  return (struct pv_tuple_change){head, {r->kept[1], r->kept[2]}};
}

static bool step_known(struct pv_space *s, unsigned thread, unsigned alternative, bool *back) {
  struct pv_memo_start from = start_of(s, thread, alternative);
  struct pv_memo_result r;
  if (!pv_memo_find(s->memo, &from, leaf_at_hand, s, &r)) return false;
  s->instructions += r.instructions;
  s->inputs += r.inputs;
  *back = r.back;
  if (s->trails) {
    for (uint32_t i = 0; i < r.n; i++) change(s, r.changes[i].component, r.changes[i].leaf);
    pv_vm_loaded(s->vm);
    return true;
  }
  s->pending.on = true;
  s->pending.move = move_of(s, &r);
  s->pending.changes = r.changes;
  s->pending.n = r.n;
  return true;
}

/* Stores the transition that the VM just executed from the current state in the memo. */
static void keep(struct pv_space *s, const struct pv_memo_start *from, struct pv_memo_result *r,
                 uint64_t instructions) {
  r->instructions = (uint32_t)instructions;
  const uint32_t *footprint;
  uint32_t n = pv_vm_footprint(s->vm, &footprint), passed;
  pv_vm_passed(s->vm, &passed);
  if (n == UINT32_MAX || passed || instructions > UINT32_MAX) return;
  PV_REQUIRE(n >= 2 && footprint[0] == MACHINE && footprint[1] == from->top,
             "a footprint begins with what every transition looks at");
  for (uint32_t i = 0; i < r->n; i++)
    PV_REQUIRE(pv_vm_component(s->vm, r->changes[i].component)->noted,
               "what a transition changes is in its footprint");
  pv_memo_keep(s->memo, from, leaf_at_hand, s, footprint + 2, n - 2, r);
}

/* Does the transition lead back in the order of places? Compares the threads' stacks of locations
 * frame by frame; a prefix comes before its extensions. A thread that ends within a cycle of states
 * was created in it, so ends count as forward and creations as back. */
static bool goes_back(const struct pv_space *s) {
  struct pv_course c = pv_vm_course(s->vm);
  if (!s->places || c.created || pv_vm_merged(s->vm)) return true;
  if (c.ended) return false;
  uint32_t from = pv_place(s->places, c.function, c.from);
  uint32_t to = pv_place(s->places, c.function, c.to);
  return to < from || (to == from && !c.deeper);
}

enum pv_outcome pv_space_step(struct pv_space *s, unsigned thread, unsigned alternative,
                              bool *back) {
  bool applies = memo_applies(s);
  s->ran = false;
  if (applies && step_known(s, thread, alternative, back)) return PV_RAN;
  struct pv_memo_start from = start_of(s, thread, alternative);
  uint64_t instructions = pv_vm_instructions(s->vm), inputs = pv_vm_inputs(s->vm);
  pv_space_load(s);
  s->ran = true;
  enum pv_outcome outcome = pv_vm_step(s->vm, thread, alternative);
  *back = goes_back(s);
  know_components(s);
  if (outcome != PV_RAN) {
    s->ran_away = true;
    return outcome;
  }
  const uint32_t *dirty;
  PV_VEC(struct pv_memo_change) changes = {0};
  uint32_t n = pv_vm_dirty(s->vm, &dirty);
  for (uint32_t i = 0; i < n; i++) {
    struct pv_memo_change c = {dirty[i], leaf_of(s, dirty[i])};
    s->held.at[c.component] = c.leaf;
    if (c.leaf != pv_space_leaf(s, c.component)) pv_vec_push(&changes, c);
  }
  struct pv_memo_result r = {.changes = changes.at,
                             .n = changes.n,
                             .inputs = (uint32_t)(pv_vm_inputs(s->vm) - inputs),
                             .back = *back};
  if (applies) keep(s, &from, &r, pv_vm_instructions(s->vm) - instructions);
  pv_vm_clean(s->vm);
  for (uint32_t i = 0; i < changes.n; i++) change(s, changes.at[i].component, changes.at[i].leaf);
  pv_vec_free(&changes);
  return PV_RAN;
}

enum pv_outcome pv_space_try(struct pv_space *s, unsigned thread, unsigned alternative) {
  bool back;
  enum pv_outcome outcome = pv_space_step(s, thread, alternative, &back);
  if (outcome != PV_RAN || !s->pending.on) return outcome;
  s->pending.on = false;
  for (uint32_t i = 0; i < s->pending.n; i++)
    change(s, s->pending.changes[i].component, s->pending.changes[i].leaf);
  pv_vm_loaded(s->vm);
  return outcome;
}

const struct pv_event *pv_space_passed(const struct pv_space *s, uint32_t *n) {
  const struct pv_event *e = pv_vm_passed(s->vm, n);
  if (!s->ran) *n = 0; /* a transition with an error is not kept */
  return e;
}

/* ---- undo ------------------------------------------------------------------------------------ */
static void leaf_changed(void *user, unsigned half, uint32_t position, uint32_t leaf) {
  struct pv_space *s = user;
  if (half == 2) {
    follow(s, HEAD, leaf);
  } else if (position < s->comp[half].n && s->comp[half].at[position] != PV_NO_COMPONENT) {
    uint32_t component = s->comp[half].at[position];
    follow(s, component, from_tuple(s, component, leaf));
  }
}

static bool can_undo(const struct pv_space *s, const struct pv_mark *mark) {
  return mark && pv_half_can_undo(&s->tuple.half[0], &mark->half[0]) &&
         pv_half_can_undo(&s->tuple.half[1], &mark->half[1]);
}

static void undo(struct pv_space *s, const struct pv_mark *mark) {
  if (s->tuple.head != mark->head) {
    s->tuple.head = mark->head;
    follow(s, HEAD, mark->head);
  }
  for (unsigned h = 0; h < 2; h++) pv_tuple_undo(&s->tuple, h, &mark->half[h], leaf_changed, s);
}

/* Discards the effects of the VM's last transition. */
static void call_back(struct pv_space *s) {
  const uint32_t *dirty;
  uint32_t n = pv_vm_dirty(s->vm, &dirty);
  for (uint32_t i = 0; i < n; i++) {
    s->held.at[dirty[i]] = UNKNOWN;
    follow(s, dirty[i], pv_space_leaf(s, dirty[i]));
  }
  pv_vm_clean(s->vm);
  s->ran_away = false;
}

void pv_space_asked(struct pv_space *s) {
  know_components(s);
  call_back(s);
}

static void component_changed(void *user, uint32_t component, uint32_t leaf) {
  struct pv_space *s = user;
  if (component == HEAD) s->tuple.head = leaf;
  follow(s, component, leaf);
}

/* Undoes all changes since the state was stored or restored. */
static void take_back(struct pv_space *s) {
  while (s->moved.n) {
    struct pv_memo_change old = pv_vec_pop(&s->moved);
    set_leaf(s, old.component, old.leaf);
  }
  for (unsigned h = 0; h < 2; h++) pv_half_unchanged(&s->tuple.half[h], &s->here.half[h]);
}

void pv_space_back(struct pv_space *s, uint32_t state, const struct pv_mark *mark) {
  s->pending.on = false;
  if (s->ran_away) call_back(s);
  if (s->trails) {
    s->moved.n = 0;
    pv_trail_undo(&s->trail, mark->trail, component_changed, s);
  } else {
    if (s->moved.n) take_back(s);
    if (s->at != state && can_undo(s, mark))
      undo(s, mark);
    else if (s->at != state)
      pv_store_get(s->store, state, &s->tuple, leaf_changed, s);
  }
  s->at = state;
  s->here = pv_space_mark(s);
  pv_vm_loaded(s->vm);
}

uint64_t pv_space_states(const struct pv_space *s) {
  return s->visited ? pv_visited_states(s->visited) : pv_store_states(s->store);
}

uint64_t pv_space_bytes(const struct pv_space *s) {
  return pv_store_bytes(s->store) + (s->visited ? pv_visited_bytes(s->visited) : 0);
}

uint64_t pv_space_growth(const struct pv_space *s) {
  return pv_store_growth(s->store) + (s->visited ? pv_visited_growth(s->visited) : 0);
}

uint64_t pv_space_path_bytes(const struct pv_space *s) {
  const struct pv_half *half = s->tuple.half;
  uint64_t entries = (uint64_t)half[0].journal.cap + half[1].journal.cap;
  return entries * sizeof(struct pv_leaf_set) + pv_pack_bytes(&s->trail.overwritten);
}

/* ---- as bytes -------------------------------------------------------------------------------- */
struct pv_space_mark pv_space_stored(const struct pv_space *s, const struct pv_registry *registry) {
  return (struct pv_space_mark){.store = pv_store_mark(s->store),
                                .registered = pv_registry_size(registry),
                                .places = {s->comp[0].n, s->comp[1].n},
                                .arranged = s->arranged};
}

void pv_space_write(const struct pv_space *s, const struct pv_registry *registry,
                    const struct pv_space_mark *from, struct pv_str *out) {
  pv_registry_write(registry, from->registered, out);
  pv_store_write(s->store, from->store, out);
  pv_put_number(out, s->arranged);
  for (unsigned h = 0; h < 2; h++) {
    pv_put_number(out, s->comp[h].n - from->places[h]);
    for (uint32_t i = from->places[h]; i < s->comp[h].n; i++)
      pv_put_number(out, ((uint64_t)s->comp[h].at[i] + 1) & UINT32_MAX); /* 0: no component */
  }
  pv_put_number(out, s->last_leaf & ~PV_LEAF_TAG);
  for (unsigned i = 0; i <= PV_COMP_MEMORY; i++) pv_put_number(out, s->component_bytes[i]);
  pv_put_number(out, pv_vm_instructions(s->vm) + s->instructions);
  pv_put_number(out, pv_vm_inputs(s->vm) + s->inputs);
}

static bool read_places(struct pv_space *s, unsigned half, struct pv_bytes *in) {
  for (uint32_t n = pv_take_count(in); n && !in->wrong; n--) {
    uint32_t component = (uint32_t)pv_take_up_to(in, s->base.n) - 1;
    if (component != PV_NO_COMPONENT) {
      bool is_first = s->place.at[component] == PV_NO_PLACE;
      if (!is_first || component == HEAD) in->wrong = true;
      s->place.at[component] = s->comp[half].n << 1 | half;
    }
    pv_vec_push(&s->comp[half], component);
  }
  return !in->wrong && s->comp[half].n;
}

bool pv_space_read(struct pv_space *s, struct pv_bytes *in) {
  PV_REQUIRE(!s->trails, "the store is exact");
  if (!pv_registry_read(s->vm, in) || !pv_store_read(s->store, in)) return false;
  s->arranged = pv_take_up_to(in, 1);
  know_components(s);
  if (!read_places(s, 0, in) || !read_places(s, 1, in)) return false;
  s->last_leaf = (uint32_t)pv_take_up_to(in, UINT32_MAX >> 1) | PV_LEAF_TAG;
  for (unsigned i = 0; i <= PV_COMP_MEMORY; i++) s->component_bytes[i] = pv_take_number(in);
  s->instructions = pv_take_number(in) - pv_vm_instructions(s->vm); /* the start is counted twice */
  s->inputs = pv_take_number(in) - pv_vm_inputs(s->vm);
  return !in->wrong;
}

bool pv_space_restart(struct pv_space *s) {
  if (!pv_store_index(s->store) || !pv_store_states(s->store)) return false;
  for (uint32_t i = 0; i < s->base.n; i++) { /* the leaves of the initial state are there */
    s->base.at[i] = s->held.at[i] = leaf_of(s, i);
    if (i == HEAD) s->tuple.head = s->base.at[i];
  }
  for (uint32_t i = 0; i < s->base.n; i++) count_frames(s, i, s->base.at[i] != 0);
  pv_vm_clean(s->vm);
  pv_vm_track(s->vm, s->memo != NULL);
  pv_store_get(s->store, 0, &s->tuple, leaf_changed, s);
  s->at = 0;
  s->here = pv_space_mark(s);
  pv_vm_loaded(s->vm);
  return true;
}
