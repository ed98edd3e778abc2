/* errors.c -- the errors that the stateless search finds. */
#include "dpor/search_internal.h"

/* An error without a known path: plan/ turns it into a proviso. */
static struct pv_violation without_path(const struct pv_dpor_search *s, const struct pv_event *e) {
  const struct pv_program *p = s->task->program;
  return (struct pv_violation){.property = e->property,
                               .span = e->span,
                               .message = pv_strdup(e->message),
                               .file = pv_strdup(pv_span_file(p, e->span)),
                               .function = pv_strdup(e->function ? e->function->name : "?"),
                               .line = pv_span_of(p, e->span)->line};
}

/* Does s->path lead to the error? If so, v is its violation; else v is cleared. */
static bool replays(const struct pv_dpor_search *s, const struct pv_event *e,
                    struct pv_violation *v) {
  struct pv_error_key wanted = pv_event_key(e);
  *v = (struct pv_violation){0};
  s->task->replay_choices(s->task, s->path.at, s->path.n, &wanted, v);
  struct pv_error_key got = {v->property, v->span, v->message ? v->message : ""};
  if (v->replayed && pv_error_is(&got, &wanted)) return true;
  pv_violation_clear(v);
  return false;
}

/* What is known about the error. Valid until the next call. */
static struct pv_dpor_error *error_of(struct pv_dpor_search *s, const struct pv_event *e) {
  struct pv_str key = {0};
  bool is_new;
  pv_event_identity(s->task->program, e, &key);
  uint32_t i = *pv_map_put_str(&s->reported, pv_str_cstr(&key), s->errors.n, &is_new);
  pv_str_free(&key);
  if (is_new) pv_vec_push(&s->errors, ((struct pv_dpor_error){.violation = PV_NO_VIOLATION}));
  return &s->errors.at[i];
}

/* Reports the error. If its replay failed and the search is to start again, it will be found again
 * when more is visible. Otherwise it may be found again in another execution whose path can be
 * replayed. */
static void tell(struct pv_dpor_search *s, const struct pv_event *e, struct pv_violation v) {
  if (!v.replayed && pv_dpor_begins_anew(s)) return;
  struct pv_dpor_error *known = error_of(s, e);
  if (!v.replayed && known->violation != PV_NO_VIOLATION) return;
  if (!v.replayed) v = without_path(s, e);
  known->replayed = v.replayed;
  if (known->violation == PV_NO_VIOLATION) {
    known->violation = s->result->violations.n;
    pv_vec_push(&s->result->violations, v);
  } else {
    struct pv_violation *was = &s->result->violations.at[known->violation];
    pv_violation_clear(was);
    *was = v;
  }
  if (v.replayed && !s->task->options->keep_going) s->stop = true;
}

/* Can the search for its path be omitted? If it was reported without a path, only every second,
 * fourth, ... occurrence is tried again. */
static bool is_known(struct pv_dpor_search *s, const struct pv_event *e) {
  struct pv_dpor_error *known = error_of(s, e);
  if (s->stop || known->replayed) return true;
  if (known->violation == PV_NO_VIOLATION) return false;
  known->times++;
  return known->times & (known->times - 1);
}

static void report(struct pv_dpor_search *s, const struct pv_event *e, unsigned thread) {
  if (is_known(s, e)) return;
  struct pv_violation v;
  pv_dpor_path(&s->trace, thread, false, &s->path);
  if (!replays(s, e, &v)) {
    pv_dpor_path(&s->trace, thread, true, &s->path);
    replays(s, e, &v);
  }
  tell(s, e, v);
}

void pv_dpor_report(void *user, const struct pv_event *e) {
  report(user, e, e->thread);
}

/* ---- data races ------------------------------------------------------------------------------ */
static bool something_failed(const struct pv_trace *t) {
  for (uint32_t i = 0; i < t->events.n; i++)
    if (t->events.at[i].failed) return true;
  return false;
}

/* Reports races, each pair of operations once. A pair that comes after the end of a thread's path
 * (an error, a proviso) may be omitted; every other race must be reported. */
void pv_dpor_check_races(struct pv_dpor_search *s) {
  const struct pv_trace *t = &s->trace;
  const struct pv_dpor_event *e = &pv_vec_last(&t->events);
  if (!(s->task->properties & PV_PROP_BIT(PV_PROP_NO_DATA_RACE))) return;
  for (uint32_t i = 0; i < e->n_races; i++) {
    uint32_t earlier = t->races.at[e->races + i].event;
    const struct pv_transition *d = &t->events.at[earlier].transition;
    const struct pv_edge *key[2] = {d->what.edge, e->transition.what.edge};
    struct pv_event error = {.property = PV_PROP_NO_DATA_RACE,
                             .message = "data race",
                             .span = e->transition.what.edge->span,
                             .function = e->transition.what.function};
    if (!pv_pending_conflict(&d->what, &e->transition.what)) continue;
    if (pv_map_get(&s->raced, key, sizeof key)) continue;
    if (!pv_dpor_data_race(t, earlier, &s->path, &error) && something_failed(t)) continue;
    pv_map_put(&s->raced, key, sizeof key, 0, NULL);
    if (is_known(s, &error)) continue;
    struct pv_violation v;
    replays(s, &error, &v);
    tell(s, &error, v);
  }
}

/* ---- states ---------------------------------------------------------------------------------- */
static void report_of_state(void *user, const struct pv_event *e) {
  report(user, e, PV_NO_THREAD);
}

/* Reports what the current state shows: races, deadlock. To examine a thread whose path has ended
 * is slow. */
void pv_dpor_check_state(struct pv_dpor_search *s) {
  if (!(s->task->properties & PV_STATE_PROPERTIES)) return;
  const struct pv_enabled_set *f = pv_trace_enabled_set(&s->trace);
  struct pv_moves m = {.n = f->n, .alive = f->alive, .able = f->able, .exclusive = f->exclusive};
  m.lively = f->able | f->stuck;
  PV_FOR_THREADS(i, f->alive) m.next[i] = &s->trace.pendings.at[f->at[i].next];
  pv_state_errors(s->trace.vm, s->task, &m, report_of_state, s);
}
