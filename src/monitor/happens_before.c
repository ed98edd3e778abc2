/* happens_before.c -- accesses that nothing orders.
 *
 * Vector clocks represent the happens-before relation of the execution: program order, forks and
 * joins, from a release of a lock or other object to the next acquisition, and from an atomic write
 * that releases to an atomic read of it that acquires. A fence makes earlier atomic reads acquire,
 * and later atomic writes release, what precedes it. Two conflicting accesses that are not
 * ordered, at least one of which is not atomic, are a data race of C11, though they may be far
 * apart in this execution.
 *
 * Every warning is real, not only the first one: a plain read also happens after the write that it
 * reads (schedulable happens-before).
 *
 * Reference: Flanagan, Freund, "FastTrack", PLDI 2009 (epochs for writes); Mathur, Kini,
 * Viswanathan, "What happens-after the first race?", OOPSLA 2018 (SHB). Deviation: reads keep an
 * epoch for each thread, since programs that are observed here have few. */
#include <stdlib.h>
#include <string.h>

#include "monitor/monitor.h"

struct clock {
  uint32_t at[PV_MAX_THREADS];
};
/* An access: the thread's clock when it occurred; 0: there was none. */
struct epoch {
  uint32_t clock, place;
  bool atomic;
  PV_VEC(uint64_t) held;
};
struct byte {
  uint32_t writer;
  struct epoch write;
  struct clock written;       /* by the last write: what happens before its reads */
  struct clock released;      /* what happens before atomic reads that acquire */
  PV_VEC(struct epoch) reads; /* by thread, since the last write */
};
struct happens_before {
  struct pv_holdings holdings;
  struct clock now[PV_MAX_THREADS];
  struct clock to_acquire[PV_MAX_THREADS]; /* by a fence: what atomic reads have read */
  struct clock fenced[PV_MAX_THREADS];     /* what precedes the last fence that releases */
  struct pv_map index, object_index;
  PV_VEC(struct byte) bytes;
  PV_VEC(struct clock) objects;
};

static void join(struct clock *c, const struct clock *with) {
  for (unsigned i = 0; i < PV_MAX_THREADS; i++)
    if (with->at[i] > c->at[i]) c->at[i] = with->at[i];
}

static struct byte *byte_at(struct happens_before *s, uint64_t address) {
  bool is_new;
  uint32_t i = *pv_map_put(&s->index, &address, sizeof address, s->bytes.n, &is_new);
  if (is_new) pv_vec_push(&s->bytes, ((struct byte){0}));
  return &s->bytes.at[i];
}

static struct clock *object_at(struct happens_before *s, uint64_t object) {
  bool is_new;
  uint32_t i = *pv_map_put(&s->object_index, &object, sizeof object, s->objects.n, &is_new);
  if (is_new) pv_vec_push(&s->objects, ((struct clock){0}));
  return &s->objects.at[i];
}

static void clear_byte(struct byte *b) {
  pv_vec_free(&b->write.held);
  for (uint32_t i = 0; i < b->reads.n; i++) pv_vec_free(&b->reads.at[i].held);
  pv_vec_free(&b->reads);
  *b = (struct byte){0};
}

static void set_epoch(const struct happens_before *s, struct epoch *to,
                      const struct pv_observed *e) {
  to->clock = s->now[e->thread].at[e->thread];
  to->place = e->place;
  to->atomic = e->atomic;
  to->held.n = 0;
  for (uint32_t i = 0; i < s->holdings.of[e->thread].n; i++)
    pv_vec_push(&to->held, s->holdings.of[e->thread].at[i].lock);
}

/* Warns if the earlier access is not ordered before the event, and one of them is not atomic. */
static void compare(const struct happens_before *s, uint32_t thread, const struct epoch *earlier,
                    bool wrote, const struct pv_observed *e, struct pv_warnings *out) {
  if (!earlier->clock || thread == e->thread || (earlier->atomic && e->atomic)) return;
  if (s->now[e->thread].at[thread] >= earlier->clock) return;
  struct pv_warning w = {.kind = PV_WARNING_RACE, .at = e->at, .n = 2};
  w.side[0] = (struct pv_warning_side){.thread = thread, .place = earlier->place, .writes = wrote};
  for (uint32_t i = 0; i < earlier->held.n; i++) pv_vec_push(&w.side[0].held, earlier->held.at[i]);
  w.side[1] = (struct pv_warning_side){
      .thread = e->thread, .place = e->place, .writes = e->kind == PV_OBSERVED_WRITE};
  w.side[1].ends = e->kind == PV_OBSERVED_FORGET;
  pv_holdings_list(&s->holdings, e->thread, &w.side[1]);
  pv_warn(out, &w);
}

static void read_byte(struct happens_before *s, struct byte *b, const struct pv_observed *e,
                      struct pv_warnings *out) {
  if (e->atomic) join(e->acquires ? &s->now[e->thread] : &s->to_acquire[e->thread], &b->released);
  compare(s, b->writer, &b->write, true, e, out);
  if (!e->atomic) join(&s->now[e->thread], &b->written);
  while (b->reads.n <= e->thread) pv_vec_push(&b->reads, ((struct epoch){0}));
  set_epoch(s, &b->reads.at[e->thread], e);
}

static void write_byte(struct happens_before *s, struct byte *b, const struct pv_observed *e,
                       struct pv_warnings *out) {
  compare(s, b->writer, &b->write, true, e, out);
  for (uint32_t i = 0; i < b->reads.n; i++) {
    compare(s, i, &b->reads.at[i], false, e, out);
    b->reads.at[i].clock = 0;
  }
  b->writer = e->thread;
  set_epoch(s, &b->write, e);
  b->written = s->now[e->thread];
  if (!(e->atomic && e->updates))
    b->released = (struct clock){0}; /* else a release sequence goes on */
  if (e->atomic) join(&b->released, e->releases ? &s->now[e->thread] : &s->fenced[e->thread]);
}

/* The end of an object conflicts with every access to it. */
static void forget_byte(struct happens_before *s, uint64_t address, const struct pv_observed *e,
                        struct pv_warnings *out) {
  const uint32_t *known = pv_map_get(&s->index, &address, sizeof address);
  struct byte *b = known ? &s->bytes.at[*known] : NULL;
  if (!b) return;
  if (!e->begins) compare(s, b->writer, &b->write, true, e, out);
  for (uint32_t i = 0; i < b->reads.n && !e->begins; i++)
    compare(s, i, &b->reads.at[i], false, e, out);
  clear_byte(b);
}

static void tell(void *self, const struct pv_observed *e, struct pv_warnings *out) {
  struct happens_before *s = self;
  struct clock *now = &s->now[e->thread];
  pv_holdings_tell(&s->holdings, e);
  if (!now->at[e->thread]) now->at[e->thread] = 1;
  switch (e->kind) {
  case PV_OBSERVED_READ:
    for (uint32_t i = 0; i < e->bytes; i++) read_byte(s, byte_at(s, e->at + i), e, out);
    break;
  case PV_OBSERVED_WRITE:
    for (uint32_t i = 0; i < e->bytes; i++) write_byte(s, byte_at(s, e->at + i), e, out);
    now->at[e->thread]++;
    break;
  case PV_OBSERVED_LOCK:
  case PV_OBSERVED_ACQUIRE: join(now, object_at(s, e->at)); break;
  case PV_OBSERVED_UNLOCK:
  case PV_OBSERVED_RELEASE:
    join(object_at(s, e->at), now);
    now->at[e->thread]++;
    break;
  case PV_OBSERVED_FORK:
    join(&s->now[e->at], now);
    if (!s->now[e->at].at[e->at]) s->now[e->at].at[e->at] = 1;
    now->at[e->thread]++;
    break;
  case PV_OBSERVED_JOIN:
    join(now, &s->now[e->at]);
    s->now[e->at].at[e->at]++;
    break;
  case PV_OBSERVED_FORGET:
    for (uint32_t i = 0; i < e->bytes; i++) forget_byte(s, e->at + i, e, out);
    break;
  case PV_OBSERVED_FENCE:
    if (e->acquires) join(now, &s->to_acquire[e->thread]);
    if (!e->releases) break;
    s->fenced[e->thread] = *now;
    now->at[e->thread]++;
    break;
  }
}

static void *begin(void) {
  return pv_alloc(sizeof(struct happens_before));
}

static void end(void *self, struct pv_warnings *out) {
  (void)self, (void)out;
}

static void release(void *self) {
  struct happens_before *s = self;
  for (uint32_t i = 0; i < s->bytes.n; i++) clear_byte(&s->bytes.at[i]);
  pv_vec_free(&s->bytes);
  pv_vec_free(&s->objects);
  pv_map_free(&s->index);
  pv_map_free(&s->object_index);
  pv_holdings_free(&s->holdings);
  free(s);
}

const struct pv_runtime_analysis pv_happens_before = {"happens-before", begin, tell, end, release};
