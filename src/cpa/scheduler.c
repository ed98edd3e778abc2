#include "cpa/scheduler.h"

#include "cpa/values.h"

#include <stdlib.h>
#include <string.h>

/* An argument that only passes through the plug-in: its number is found in what comes out. */
enum { MARK = 0x45535400 };

struct made { /* the outcomes of a call */
  uint32_t first, n;
};
struct pv_scheduler {
  const struct pv_program *program;
  const struct pv_sched *sched;
  const uint32_t *rank; /* by thread; NULL: none */
  bool forgets_clock;
  struct pv_pool pool;
  struct pv_map index; /* bytes -> state */
  PV_VEC(struct pv_sched_state) states;
  PV_VEC(struct pv_executed) outcomes;
  struct pv_map calls;    /* struct call_key -> number in `made` */
  struct pv_map supposed; /* the same -> outcome of pv_scheduler_suppose */
  PV_VEC(struct made) made;
};

/* ---- states ---------------------------------------------------------------------------------- */

static uint32_t intern(struct pv_scheduler *s, const struct pv_sched_state *state) {
  bool is_new;
  uint32_t at = *pv_map_put(&s->index, state->data, state->n, s->states.n, &is_new);
  if (!is_new) return at;
  struct pv_sched_state kept = {.data = pv_pool_alloc(&s->pool, state->n + 1), .n = state->n};
  if (state->n) memcpy(kept.data, state->data, state->n);
  pv_vec_push(&s->states, kept);
  return at;
}

/* A copy that the plug-in may change; the caller frees its bytes. */
static struct pv_sched_state copy_of(const struct pv_scheduler *s, uint32_t state) {
  struct pv_sched_state from = s->states.at[state];
  struct pv_sched_state to = {.data = pv_alloc(from.n + 1), .n = from.n, .cap = from.n + 1};
  if (from.n) memcpy(to.data, from.data, from.n);
  return to;
}

uint32_t pv_scheduler_states(const struct pv_scheduler *s) {
  return s->states.n;
}

bool pv_scheduler_in_instant(const struct pv_scheduler *s, uint32_t state) {
  return s->sched->inside && s->sched->inside(&s->states.at[state]);
}

bool pv_scheduler_beside(const struct pv_scheduler *s, uint32_t state, uint32_t thread) {
  return s->sched->beside && s->sched->beside(&s->states.at[state], thread);
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* What a primitive asks of the engine while it is executed. */
struct execution {
  const struct pv_scheduler *s;
  struct pv_executed *call;
  bool is_own;  /* the call is an operation on an object of the scheduler */
  bool strange; /* it read or wrote memory, or used an argument in a way that is not followed */
};

static uint32_t marked(struct execution *x, uint64_t value) {
  if (value >= MARK && value < MARK + PV_CALL_ARGUMENTS) return (uint32_t)(value - MARK);
  x->strange = true;
  return 0;
}

/* A preemptive plug-in reads what kind of lock a static initialiser has made. It is the default
 * one: for others the symbolic state has an event. */
static bool load(void *self, uint64_t address, unsigned bytes, uint64_t *value) {
  struct execution *x = self;
  (void)address;
  (void)bytes;
  *value = 0;
  x->strange |= !x->s->sched->preemptive;
  return true;
}

/* A preemptive plug-in writes to objects of its own, and the results of creations and joins. */
static bool store(void *self, uint64_t address, unsigned bytes, uint64_t value) {
  struct execution *x = self;
  (void)bytes;
  (void)value;
  if (!x->s->sched->preemptive)
    x->strange = true;
  else if (!x->is_own)
    x->call->stores = 1 + marked(x, address);
  return true;
}

static void spawn(void *self, unsigned thread, uint64_t start, uint64_t argument) {
  struct execution *x = self;
  x->call->created = thread;
  x->call->start = marked(x, start);
  x->call->argument = marked(x, argument);
}

static void restart(void *self, unsigned thread, uint64_t start, uint64_t argument) {
  struct execution *x = self;
  x->call->restarted |= UINT64_C(1) << thread;
  x->strange |= start || argument;
}

uint32_t pv_scheduler_wants(const struct pv_scheduler *s, const struct pv_edge *e) {
  const struct pv_prim *prim = s->program->prims.at[e->aux].prim;
  uint32_t wanted = 0;
  for (uint32_t i = 0; i < e->args.n && i < PV_CALL_ARGUMENTS; i++) {
    pv_type type = pv_node(s->program, pv_arg(s->program, e->args, i))->type;
    bool may_pass =
        prim->role == PV_ROLE_CREATES || (s->sched->preemptive && prim->role != PV_ROLE_OTHER);
    bool passes = may_pass && pv_type_kind(type) == PV_T_PTR;
    if (!passes) wanted |= 1u << i;
  }
  return wanted;
}

static uint32_t add(struct pv_scheduler *s, const struct pv_executed *call) {
  pv_vec_push(&s->outcomes, *call);
  return s->outcomes.n - 1;
}

static void execute(struct pv_scheduler *s, const struct pv_executed *call,
                    const struct pv_prim_call *c, unsigned alternative, bool spurious) {
  struct pv_sched_state state = copy_of(s, call->before);
  struct pv_executed done = *call;
  struct execution x = {s, &done, c->prim->class == PV_PRIM_OBJECT, false};
  struct pv_sched_env env = {.self = &x,
                             .pointer_bits = s->program->pointer_bits,
                             .load = load,
                             .store = store,
                             .spawn = spawn,
                             .restart = restart};
  const char *message = NULL;
  done.alternative = alternative;
  done.spurious = spurious;
  done.outcome = s->sched->exec(&state, &env, c, alternative, &done.result, &message);
  if (s->forgets_clock) {
    s->sched->forget_clock(&state);
    done.any_result = s->sched->reads_clock(c->prim);
  }
  bool beside = pv_scheduler_beside(s, call->before, call->thread);
  /* Of an object its address and its life matter. */
  bool strange = x.strange || (x.is_own && !s->sched->preemptive);
  const char *limit = strange ? "the scheduler uses no memory of the program"
                      : beside && c->prim->role != PV_ROLE_EXITS && c->prim->class != PV_PRIM_LOCAL
                          ? "no thread beside the scheduler calls it"
                          : NULL;
  if (limit) {
    done.outcome = PV_PRIM_LIMIT;
    message = limit;
  }
  if (message) {
    size_t n = strlen(message) + 1;
    done.message = memcpy(pv_pool_alloc(&s->pool, n), message, n);
  }
  uint64_t alive = s->sched->alive_set(&s->states.at[call->before]);
  done.ended = alive & ~s->sched->alive_set(&state) & ~(UINT64_C(1) << call->thread);
  done.leaves_alive = s->sched->alive_set(&state) != 0;
  bool stopped = !s->sched->alive(&state, call->thread); /* by its own order, while it waits */
  if (done.outcome == PV_PRIM_AGAIN && stopped) done.outcome = PV_PRIM_EXITED;
  done.after = intern(s, &state);
  free(state.data);
  add(s, &done);
}

struct call_key {
  struct pv_call_values values;
  uint32_t state, thread, function, edge;
};

static struct call_key key_of(uint32_t state, uint32_t thread, uint32_t function, uint32_t edge,
                              const struct pv_call_values *values) {
  struct call_key key;
  memset(&key, 0, sizeof key);
  key.values = *values;
  key.state = state;
  key.thread = thread;
  key.function = function;
  key.edge = edge;
  return key;
}

/* The call as the plug-in sees it. */
static struct pv_prim_call call_with(const struct pv_scheduler *s, uint32_t thread,
                                     const struct pv_edge *e, const struct pv_call_values *values) {
  struct pv_prim_call c = {.thread = thread, .prim = s->program->prims.at[e->aux].prim};
  uint32_t wanted = pv_scheduler_wants(s, e);
  for (uint32_t i = 0; i < e->args.n && i < PV_CALL_ARGUMENTS; i++) {
    unsigned bits = pv_type_bits(pv_node(s->program, pv_arg(s->program, e->args, i))->type);
    uint64_t mask = bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
    c.args[i] = wanted >> i & 1 ? values->lo[i] & mask : MARK + i;
  }
  return c;
}

bool pv_scheduler_blocks(struct pv_scheduler *s, uint32_t state, uint32_t thread, uint32_t function,
                         uint32_t edge, const struct pv_call_values *values, bool for_good) {
  enum pv_alternative_kind kinds[PV_MAX_THREADS + 2];
  const struct pv_edge *e = &s->program->functions.at[function].edges.at[edge];
  struct pv_prim_call c = call_with(s, thread, e, values);
  unsigned n = s->sched->alternatives(&s->states.at[state], &c, kinds), spurious = 0;
  for (unsigned i = 0; i < n; i++) spurious += kinds[i] == PV_ALTERNATIVE_SPURIOUS;
  return for_good ? n == spurious : !n;
}

void pv_scheduler_execute(struct pv_scheduler *s, uint32_t state, uint32_t thread,
                          uint32_t function, uint32_t edge, const struct pv_call_values *values,
                          pv_outcomes *out) {
  struct call_key key = key_of(state, thread, function, edge, values);
  bool is_new;
  uint32_t at = *pv_map_put(&s->calls, &key, sizeof key, s->made.n, &is_new);
  if (is_new) {
    const struct pv_edge *e = &s->program->functions.at[function].edges.at[edge];
    struct pv_executed call = {.function = function,
                               .edge = edge,
                               .thread = thread,
                               .before = state,
                               .values = *values,
                               .wanted = pv_scheduler_wants(s, e)};
    struct pv_prim_call c = call_with(s, thread, e, values);
    enum pv_alternative_kind kinds[PV_MAX_THREADS + 2];
    struct made made = {.first = s->outcomes.n};
    unsigned n = s->sched->alternatives(&s->states.at[state], &c, kinds);
    for (unsigned i = 0; i < n; i++) execute(s, &call, &c, i, kinds[i] == PV_ALTERNATIVE_SPURIOUS);
    made.n = n;
    pv_vec_push(&s->made, made);
  }
  for (uint32_t i = 0; i < s->made.at[at].n; i++) pv_vec_push(out, s->made.at[at].first + i);
}

uint32_t pv_scheduler_rest(struct pv_scheduler *s, uint32_t state, uint32_t thread,
                           uint32_t function, uint32_t edge, const struct pv_call_values *known,
                           uint32_t n) {
  const struct pv_edge *e = &s->program->functions.at[function].edges.at[edge];
  size_t bytes = n * sizeof *known;
  struct pv_executed call = {.function = function,
                             .edge = edge,
                             .thread = thread,
                             .before = state,
                             .after = state,
                             .wanted = pv_scheduler_wants(s, e),
                             .rest = true,
                             .n_known = n};
  if (n) call.known = memcpy(pv_pool_alloc(&s->pool, bytes), known, bytes);
  return add(s, &call);
}

bool pv_scheduler_alike(const struct pv_scheduler *s, uint32_t state, uint32_t a, uint32_t b) {
  return s->sched->alike && s->sched->alike(&s->states.at[state], a, b);
}

uint32_t pv_scheduler_suppose(struct pv_scheduler *s, uint32_t state, uint32_t thread,
                              uint32_t function, uint32_t edge, const struct pv_call_values *values,
                              uint32_t *outcome) {
  const struct pv_edge *e = &s->program->functions.at[function].edges.at[edge];
  struct pv_prim_call c = call_with(s, thread, e, values);
  struct pv_executed done = {.function = function,
                             .edge = edge,
                             .thread = thread,
                             .before = state,
                             .after = state,
                             .values = *values,
                             .wanted = pv_scheduler_wants(s, e),
                             .outcome = PV_PRIM_DONE};
  struct call_key key = key_of(state, thread, function, edge, values);
  bool is_new;
  uint32_t *known = pv_map_put(&s->supposed, &key, sizeof key, s->outcomes.n, &is_new);
  *outcome = is_new ? add(s, &done) : *known;
  return s->sched->awaited(&s->states.at[state], &c);
}

const struct pv_executed *pv_scheduler_outcome(const struct pv_scheduler *s, uint32_t outcome) {
  return &s->outcomes.at[outcome];
}

/* ---- E2 -------------------------------------------------------------------------------------- */

void pv_scheduler_forget_clock(struct pv_scheduler *s) {
  s->forgets_clock = s->sched->forget_clock;
}

void pv_scheduler_guide(struct pv_scheduler *s, const uint32_t rank[PV_MAX_THREADS]) {
  s->rank = rank;
}

/* Keeps the threads with the least rank. */
static uint64_t guided(const struct pv_scheduler *s, uint64_t threads) {
  uint64_t least = 0;
  uint32_t rank = UINT32_MAX;
  for (uint32_t t = 0; t < PV_MAX_THREADS; t++) {
    if (!(threads >> t & 1) || s->rank[t] > rank) continue;
    least = (s->rank[t] < rank ? 0 : least) | UINT64_C(1) << t;
    rank = s->rank[t];
  }
  return least;
}

void pv_scheduler_next(struct pv_scheduler *s, uint32_t state, pv_scheduled_states *out) {
  uint64_t may_run = s->sched->may_run(&s->states.at[state]);
  if (s->rank) may_run = guided(s, may_run);
  for (uint32_t t = 0; t < PV_MAX_THREADS; t++) {
    if (!(may_run >> t & 1)) continue;
    struct pv_sched_state next = copy_of(s, state);
    s->sched->dispatch(&next, t);
    struct pv_scheduled chosen = {intern(s, &next), t};
    free(next.data);
    pv_vec_push(out, chosen);
  }
}

/* ---- the whole ------------------------------------------------------------------------------- */

struct pv_scheduler *pv_scheduler_new(const struct pv_program *p, const struct pv_sched *sched,
                                      enum pv_sched_order order) {
  struct pv_scheduler *s = pv_alloc(sizeof *s);
  struct pv_sched_state first = {0};
  s->program = p;
  s->sched = sched;
  sched->init(&first, order);
  intern(s, &first);
  free(first.data);
  return s;
}

void pv_scheduler_free(struct pv_scheduler *s) {
  if (!s) return;
  pv_pool_free(&s->pool);
  pv_map_free(&s->index);
  pv_map_free(&s->calls);
  pv_map_free(&s->supposed);
  pv_vec_free(&s->states);
  pv_vec_free(&s->outcomes);
  pv_vec_free(&s->made);
  free(s);
}
