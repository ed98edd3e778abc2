#include "cpa/monitor.h"

#include "cpa/scheduler.h"

#include <stdlib.h>
#include <string.h>

/* How often a loop head or a function was visited on a path; a list, the latest first. */
struct visits {
  const struct visits *before;
  uint32_t function;
  pv_loc loc;
  uint32_t n;
};
struct measures { /* of the path to a state */
  uint64_t length, assumes, switches, instants;
  double time;
  const struct visits *visits;
};
struct left_out {
  uint32_t node, frame, edge;
};

struct pv_monitor {
  struct pv_analysis_context *g;
  struct pv_monitors most;
  struct pv_cpa *cpa;
  const struct pv_analysis *parts[PV_CPA_PARTS];
  uint32_t n_parts, part; /* part: the measures */
  struct pv_analysis analysis;
  struct pv_cpa_watch watch;
  struct pv_pool pool;
  struct pv_map edges;    /* function and edge -> successors computed */
  struct pv_map left_out; /* struct left_out -> kind */
  struct pv_map nodes;    /* nodes with such a move */
  /* the successor that is computed, or the refinement */
  double entered, spent; /* seconds */
  uint64_t memory_entered, memory_spent;
  bool over_memory;
  enum pv_monitor_kind exceeded; /* by the refinement; PV_MONITOR_COUNT: none */
  struct pv_str why;
};

static bool over(const struct pv_monitor *m, enum pv_monitor_kind kind, double value) {
  return m->most.most[kind] > 0 && value > m->most.most[kind];
}

/* ---- measures of paths ----------------------------------------------------------------------- */
static const void *initial(void *self) {
  struct pv_monitor *m = self;
  struct measures *s = pv_pool_alloc(&m->pool, sizeof *s);
  *s = (struct measures){.length = 1};
  return s;
}

static const struct visits *visits_of(const struct visits *v, uint32_t function, pv_loc loc) {
  while (v && (v->function != function || v->loc != loc)) v = v->before;
  return v;
}

/* The list with one more visit. What lies after the place's old entry is shared. */
static const struct visits *visit(struct pv_monitor *m, const struct visits *list,
                                  uint32_t function, pv_loc loc) {
  const struct visits *old = visits_of(list, function, loc), *rest = old ? old->before : list;
  PV_VEC(const struct visits *) newer = {0};
  for (const struct visits *v = list; old && v != old; v = v->before) pv_vec_push(&newer, v);
  while (newer.n) {
    struct visits *copy = pv_pool_alloc(&m->pool, sizeof *copy);
    *copy = *pv_vec_pop(&newer);
    copy->before = rest;
    rest = copy;
  }
  pv_vec_free(&newer);
  struct visits *v = pv_pool_alloc(&m->pool, sizeof *v);
  *v = (struct visits){rest, function, loc, (old ? old->n : 0) + 1};
  return v;
}

static bool is_counted(const struct pv_monitor *m, struct pv_point at) {
  const struct pv_function *f = pv_control_function(m->g->control, at.frame);
  return f->locs.at[at.loc].loop_head || pv_control_is_entry(m->g->control, at);
}

/* The instants that end in the move: what happens between two instants happens in a call (sched.h).
 */
static uint32_t count_instants(const struct pv_control *c, const struct pv_move *move) {
  const struct pv_executed *x = pv_control_executed(c, move);
  return x && pv_control_state_in_instant(c, x->before) &&
         !pv_control_state_in_instant(c, x->after);
}

static void transfer(void *self, const void *state, const struct pv_move *move,
                     struct pv_post *out) {
  struct pv_monitor *m = self;
  const struct measures *before = state;
  struct measures *s = pv_pool_alloc(&m->pool, sizeof *s);
  *s = *before;
  s->length++;
  s->assumes += pv_move_edge(m->g->control, move)->op == PV_OP_ASSUME;
  bool goes_on = move->kind == PV_MOVE_STEP || move->kind == PV_MOVE_CALL;
  if (goes_on && pv_control_executes_scheduler(m->g->control)) {
    s->switches += pv_control_is_switch(m->g->control, move->to);
    s->instants += count_instants(m->g->control, move);
  }
  if (m->most.most[PV_MONITOR_PATH_REPETITIONS] > 0 && goes_on && is_counted(m, move->to))
    s->visits = visit(m, s->visits, pv_control_frame(m->g->control, move->to.frame)->function,
                      move->to.loc);
  out->state = s;
}

static const void *merge(void *self, const void *fresh, const void *reached, struct pv_point at) {
  (void)self;
  (void)fresh;
  (void)at;
  return reached;
}

static bool covers(void *self, const void *fresh, const void *reached) {
  (void)self;
  (void)fresh;
  (void)reached;
  return true;
}

/* ---- moves ----------------------------------------------------------------------------------- */
/* For good: several moves may share the edge, and a later expansion may admit only one of them. */
static void leave_out(struct pv_monitor *m, uint32_t node, const struct pv_move *move,
                      enum pv_monitor_kind kind) {
  const struct left_out key = {node, move->frame, move->edge};
  *pv_map_put(&m->left_out, &key, sizeof key, 0, NULL) = (uint32_t)kind;
  pv_map_put(&m->nodes, &node, sizeof node, 1, NULL);
}

/* The bound that the move exceeds before its successor is known; PV_MONITOR_COUNT: none. */
static enum pv_monitor_kind exceeded_by(struct pv_monitor *m, uint32_t node,
                                        const struct pv_move *move) {
  const struct pv_frame *f = pv_control_frame(m->g->control, move->frame);
  const uint32_t edge[2] = {f->function, move->edge};
  struct pv_post post = {0};
  bool ends = move->kind == PV_MOVE_END || move->kind == PV_MOVE_CUT ||
              move->kind == PV_MOVE_NOWHERE; /* no state follows */
  uint32_t *posts = pv_map_put(&m->edges, edge, sizeof edge, 0, NULL);
  if (!ends) {
    uint32_t to = pv_control_frame(m->g->control, move->to.frame)->function;
    double reached = (double)pv_cpa_reached(m->cpa) + 1;
    double there = (double)pv_cpa_reached_at(m->cpa, to, move->to.loc) + 1;
    if (over(m, PV_MONITOR_STATES, reached)) return PV_MONITOR_STATES;
    if (over(m, PV_MONITOR_LOCATION, there)) return PV_MONITOR_LOCATION;
    transfer(m, pv_cpa_node(m->cpa, node)->state.part[m->part], move, &post);
    const struct measures *s = post.state;
    const struct visits *v = visits_of(s->visits, to, move->to.loc);
    if (over(m, PV_MONITOR_PATH_LENGTH, (double)s->length)) return PV_MONITOR_PATH_LENGTH;
    if (over(m, PV_MONITOR_PATH_ASSUMES, (double)s->assumes)) return PV_MONITOR_PATH_ASSUMES;
    if (over(m, PV_MONITOR_PATH_SWITCHES, (double)s->switches)) return PV_MONITOR_PATH_SWITCHES;
    if (over(m, PV_MONITOR_PATH_INSTANTS, (double)s->instants)) return PV_MONITOR_PATH_INSTANTS;
    if (over(m, PV_MONITOR_PATH_TIME, s->time)) return PV_MONITOR_PATH_TIME;
    if (v && over(m, PV_MONITOR_PATH_REPETITIONS, v->n)) return PV_MONITOR_PATH_REPETITIONS;
  }
  if (over(m, PV_MONITOR_EDGE, *posts + 1.0)) return PV_MONITOR_EDGE;
  *posts += *posts < UINT32_MAX;
  return PV_MONITOR_COUNT;
}

static bool admits(void *self, uint32_t node, const struct pv_move *move) {
  struct pv_monitor *m = self;
  enum pv_monitor_kind kind = exceeded_by(m, node, move);
  m->spent = 0;
  m->memory_spent = 0;
  m->over_memory = false;
  if (kind != PV_MONITOR_COUNT) {
    leave_out(m, node, move, kind);
    return false;
  }
  return true;
}

static uint64_t memory_now(void) {
  return pv_allocated() + pv_smt_memory();
}

static void begin(struct pv_monitor *m, enum pv_monitor_kind time, enum pv_monitor_kind memory) {
  double seconds = m->most.most[time];
  m->entered = pv_clock();
  m->memory_entered = memory_now();
  if (seconds > 0 && seconds - m->spent < seconds / 1000)
    seconds /= 1000;
  else if (seconds > 0)
    seconds -= m->spent;
  pv_smt_bound(m->g->smt, seconds, (uint64_t)m->most.most[memory]);
}

static void end(struct pv_monitor *m) {
  uint64_t now = memory_now();
  m->over_memory |= pv_smt_unbound(m->g->smt);
  m->spent += pv_clock() - m->entered;
  if (now > m->memory_entered) m->memory_spent += now - m->memory_entered;
}

static void enter(void *self) {
  begin(self, PV_MONITOR_POST_TIME, PV_MONITOR_POST_MEMORY);
}
static void leave(void *self) {
  end(self);
}

static bool accepts(void *self, uint32_t node, const struct pv_move *move,
                    const struct pv_composite *next) {
  struct pv_monitor *m = self;
  enum pv_monitor_kind kind = PV_MONITOR_COUNT;
  double size = 0;
  for (uint32_t i = 0; i < m->n_parts && m->most.most[PV_MONITOR_STATE_SIZE] > 0; i++)
    if (m->parts[i]->size) size += (double)m->parts[i]->size(m->parts[i]->self, next->part[i]);
  if (over(m, PV_MONITOR_POST_TIME, m->spent))
    kind = PV_MONITOR_POST_TIME;
  else if (m->over_memory || over(m, PV_MONITOR_POST_MEMORY, (double)m->memory_spent))
    kind = PV_MONITOR_POST_MEMORY;
  else if (over(m, PV_MONITOR_STATE_SIZE, size))
    kind = PV_MONITOR_STATE_SIZE;
  if (kind != PV_MONITOR_COUNT) {
    leave_out(m, node, move, kind);
    return false;
  }
  /* The measures were made by this module just now, and nobody has compared them yet. */
  ((struct measures *)(uintptr_t)next->part[m->part])->time += m->spent;
  return true;
}

static void restarted(void *self) {
  struct pv_monitor *m = self;
  pv_map_free(&m->left_out);
  pv_map_free(&m->nodes);
  m->left_out = m->nodes = (struct pv_map){0};
}

/* ---- refinements ----------------------------------------------------------------------------- */
void pv_monitor_begin_refinement(struct pv_monitor *m) {
  if (!m) return;
  m->spent = 0;
  m->memory_spent = 0;
  m->over_memory = false;
  m->exceeded = PV_MONITOR_COUNT;
  begin(m, PV_MONITOR_REFINEMENT_TIME, PV_MONITOR_REFINEMENT_MEMORY);
}

const char *pv_monitor_end_refinement(struct pv_monitor *m) {
  if (!m) return NULL;
  end(m);
  if (m->exceeded != PV_MONITOR_COUNT)
    ;
  else if (over(m, PV_MONITOR_REFINEMENT_TIME, m->spent))
    m->exceeded = PV_MONITOR_REFINEMENT_TIME;
  else if (m->over_memory || over(m, PV_MONITOR_REFINEMENT_MEMORY, (double)m->memory_spent))
    m->exceeded = PV_MONITOR_REFINEMENT_MEMORY;
  if (m->exceeded == PV_MONITOR_COUNT) return NULL;
  pv_str_clear(&m->why);
  pv_str_add(&m->why, "condition: ");
  pv_monitors_print(&m->most, m->exceeded, &m->why);
  return pv_str_cstr(&m->why);
}

bool pv_monitor_admits_formula(struct pv_monitor *m, uint32_t n, const pv_term *parts) {
  if (!m || !(m->most.most[PV_MONITOR_PATH_FORMULA] > 0)) return true;
  if (!over(m, PV_MONITOR_PATH_FORMULA, (double)pv_smt_size(m->g->smt, n, parts))) return true;
  m->exceeded = PV_MONITOR_PATH_FORMULA;
  return false;
}

/* ---- what was left out ----------------------------------------------------------------------- */
static bool is_in_graph(const struct pv_monitor *m, uint32_t node) {
  const struct pv_node *n = pv_cpa_node(m->cpa, node);
  return !n->removed && n->covered_by == PV_NO_NODE;
}

bool pv_monitor_report(struct pv_monitor *m, struct pv_result *result) {
  bool any = false;
  for (uint32_t i = 0; m && m->cpa && i < m->left_out.n; i++) {
    struct left_out key;
    memcpy(&key, m->left_out.entry[i].key, sizeof key);
    uint32_t kind = m->left_out.entry[i].value;
    if (!is_in_graph(m, key.node)) continue;
    struct pv_str text = {0}, bound = {0};
    const struct pv_program *p = m->g->task->program;
    const struct pv_function *library;
    uint32_t span = pv_control_user_span(m->g->control, key.frame, key.edge, &library);
    pv_control_place(m->g->control, key.frame, key.edge, &text);
    pv_monitors_print(&m->most, (enum pv_monitor_kind)kind, &bound);
    pv_condition_add(&result->condition, PV_PROVISO_EXCLUDED, span ? pv_span_file(p, span) : NULL,
                     span ? pv_span_of(p, span)->line : 0,
                     "what was left out from %s on has no error (condition: %s)",
                     pv_str_cstr(&text), pv_str_cstr(&bound));
    pv_str_free(&text);
    pv_str_free(&bound);
    any = true;
  }
  return any;
}

bool pv_monitor_left_out(const struct pv_monitor *m, uint32_t node, uint32_t frame, uint32_t edge) {
  const struct left_out key = {node, frame, edge};
  if (!m || !pv_map_get(&m->nodes, &node, sizeof node)) return false;
  if (frame == UINT32_MAX) return true;
  return pv_map_get(&m->left_out, &key, sizeof key) != NULL;
}

/* ---- the whole ------------------------------------------------------------------------------- */
struct pv_monitor *pv_monitor_new(struct pv_analysis_context *g) {
  if (!pv_monitors_any(&g->task->options->monitors)) return NULL;
  struct pv_monitor *m = pv_alloc(sizeof *m);
  m->g = g;
  m->most = g->task->options->monitors;
  m->exceeded = PV_MONITOR_COUNT;
  m->analysis = (struct pv_analysis){.name = "measures",
                                     .self = m,
                                     .initial = initial,
                                     .transfer = transfer,
                                     .merge = merge,
                                     .covers = covers};
  m->watch = (struct pv_cpa_watch){.self = m,
                                   .admits = admits,
                                   .enter = enter,
                                   .leave = leave,
                                   .accepts = accepts,
                                   .restarted = restarted};
  g->monitor = m;
  return m;
}

void pv_monitor_free(struct pv_monitor *m) {
  if (!m) return;
  m->g->monitor = NULL;
  pv_pool_free(&m->pool);
  pv_map_free(&m->edges);
  pv_map_free(&m->left_out);
  pv_map_free(&m->nodes);
  pv_str_free(&m->why);
  free(m);
}

const struct pv_analysis *pv_monitor_analysis(struct pv_monitor *m) {
  return &m->analysis;
}

void pv_monitor_watch(struct pv_monitor *m, struct pv_cpa *cpa, uint32_t n,
                      const struct pv_analysis *const *parts, uint32_t part) {
  if (!m) return;
  m->cpa = cpa;
  m->n_parts = n;
  m->part = part;
  for (uint32_t i = 0; i < n; i++) m->parts[i] = parts[i];
  pv_cpa_set_watch(cpa, &m->watch);
}
