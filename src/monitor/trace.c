#include "monitor/trace.h"

#include "monitor/trace_format.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD = 28, SITE = 16, OBJECT = 24, BLOCK = 8, EVENT = 16 };
enum { WORD = 8 };
/* A few bytes can claim accesses to any amount of memory; more is refused. Fuzzers have less time.
 */
#ifndef PV_TRACE_WORDS
#  define PV_TRACE_WORDS (1 << 25)
#endif
#define LONGEST (UINT64_C(1) << 40) /* of an object */

/* What is known of eight bytes of memory after a first look at the whole trace. */
struct word {
  uint64_t number; /* address / 8, plus 1; 0: the row is free */
  uint32_t thread;
  uint8_t cuts; /* bit i: some access begins at byte i, or ends before it */
  bool shared;  /* by several threads */
};
struct cursor {            /* of a thread */
  PV_VEC(uint64_t) blocks; /* offsets in the file */
  uint32_t block, event;
  uint64_t sequence; /* of the next ordered event */
  bool waits;
};
struct end { /* of an object */
  uint64_t at, bytes;
  uint32_t thread;
};
struct reader {
  const char *path, *bytes;
  uint64_t n, sites, objects, text, blocks; /* offsets */
  uint32_t n_sites, n_objects, n_text;
  struct cursor thread[PV_MAX_THREADS];
  struct word *words;
  uint64_t n_words, rows;
  PV_VEC(struct end) ends;
  void *self[PV_RUNTIME_ANALYSES];
  uint32_t *place; /* by site: 1 + place */
  struct pv_map places;
  struct pv_observation *out;
  struct pv_str *err;
  bool complete;
};

static enum pv_status damaged(struct reader *r, const char *what) {
  pv_str_addf(r->err, "%s: %s", r->path, what);
  return PV_E_INPUT;
}

static uint32_t word32(const struct reader *r, uint64_t at) {
  uint32_t value;
  memcpy(&value, r->bytes + at, sizeof value);
  return value;
}
static uint64_t word64(const struct reader *r, uint64_t at) {
  uint64_t value;
  memcpy(&value, r->bytes + at, sizeof value);
  return value;
}

/* ---- the file
 * ------------------------------------------------------------------------------------ */
static enum pv_status read_head(struct reader *r) {
  if (r->n < HEAD || memcmp(r->bytes, "PVTRACE", 8) != 0) return damaged(r, "is not a trace");
  if (word32(r, 8) != PV_TRACE_VERSION) return damaged(r, "is a trace of another version");
  r->n_sites = word32(r, 12);
  r->n_objects = word32(r, 16);
  r->n_text = word32(r, 20);
  r->sites = HEAD;
  r->objects = r->sites + (uint64_t)r->n_sites * SITE;
  r->text = r->objects + (uint64_t)r->n_objects * OBJECT;
  r->blocks = r->text + r->n_text;
  if (r->blocks > r->n) return damaged(r, "the trace is cut");
  if (r->n_text && r->bytes[r->blocks - 1]) return damaged(r, "the trace is damaged");
  for (uint32_t i = 0; i < r->n_sites; i++)
    if (word32(r, r->sites + i * (uint64_t)SITE) >= r->n_text ||
        word32(r, r->sites + i * (uint64_t)SITE + 4) >= r->n_text)
      return damaged(r, "the trace is damaged");
  for (uint32_t i = 0; i < r->n_objects; i++)
    if (word32(r, r->objects + i * (uint64_t)OBJECT + 16) >= r->n_text)
      return damaged(r, "the trace is damaged");
  return PV_OK;
}

/* Finds the blocks. A program that was killed may leave a part of one at the end. */
static enum pv_status find_blocks(struct reader *r) {
  for (uint64_t at = r->blocks; at + BLOCK <= r->n;) {
    uint32_t thread = word32(r, at), n = word32(r, at + 4);
    if (thread == UINT32_MAX && !n) {
      r->complete = at + BLOCK == r->n;
      return r->complete ? PV_OK : damaged(r, "the trace is damaged");
    }
    if (thread >= PV_MAX_THREADS) {
      pv_str_addf(r->err, "%s: the trace has more than %d threads", r->path, PV_MAX_THREADS);
      return PV_E_INPUT;
    }
    uint64_t end = at + BLOCK + (uint64_t)n * EVENT;
    if (end > r->n) return PV_OK;
    pv_vec_push(&r->thread[thread].blocks, at);
    at = end;
  }
  return PV_OK;
}

/* The offset of the thread's next event; 0: there is none. */
static uint64_t next_event(const struct reader *r, struct cursor *c) {
  while (c->block < c->blocks.n && c->event >= word32(r, c->blocks.at[c->block] + 4))
    c->block++, c->event = 0;
  if (c->block >= c->blocks.n) return 0;
  return c->blocks.at[c->block] + BLOCK + (uint64_t)c->event * EVENT;
}

struct event {
  uint64_t at, bytes;
  uint32_t site;
  uint8_t kind, order;
};
/* Is the memory of the event at the very end of the address space, where counting words goes wrong?
 */
static bool wraps(const struct event *e) {
  bool memory = e->kind == PV_TRACE_READ || e->kind == PV_TRACE_WRITE ||
                e->kind == PV_TRACE_UPDATE || e->kind == PV_TRACE_FORGET || e->kind == PV_TRACE_END;
  return memory && e->at > UINT64_MAX - e->bytes - 2 * WORD;
}

/* Reads the event after `at`, with the event BYTES before it. false: there is none. */
static enum pv_status take(struct reader *r, struct cursor *c, struct event *out, bool *any) {
  uint64_t bytes = 0;
  for (;;) {
    uint64_t at = next_event(r, c);
    *any = at != 0;
    if (!at) return PV_OK;
    const uint8_t *tail = (const uint8_t *)r->bytes + at + 12;
    *out =
        (struct event){word64(r, at), bytes ? bytes : tail[1], word32(r, at + 8), tail[0], tail[2]};
    c->event++;
    if (out->kind >= PV_TRACE_KINDS ||
        (out->kind != PV_TRACE_SEQUENCE && out->kind != PV_TRACE_BYTES && r->n_sites &&
         out->site >= r->n_sites))
      return damaged(r, "the trace is damaged");
    if (wraps(out)) return damaged(r, "the trace is damaged");
    if (out->kind != PV_TRACE_BYTES) return PV_OK;
    bytes = out->at;
    if (bytes > LONGEST) return damaged(r, "the trace is damaged");
  }
}

/* ---- a first look: which memory is shared, and in which pieces it is accessed
 * ---------------------- */
static uint64_t row_of(const struct reader *r, uint64_t number) {
  uint64_t row = pv_hash_word(number) & (r->rows - 1);
  while (r->words[row].number && r->words[row].number != number) row = (row + 1) & (r->rows - 1);
  return row;
}

static struct word *word_at(struct reader *r, uint64_t number, bool add) {
  number++;
  if (add && 2 * (r->n_words + 1) > r->rows) {
    struct word *old = r->words;
    uint64_t rows = r->rows;
    r->rows = rows ? 2 * rows : 1024;
    r->words = pv_alloc(r->rows * sizeof *r->words);
    for (uint64_t i = 0; i < rows; i++)
      if (old[i].number) r->words[row_of(r, old[i].number)] = old[i];
    free(old);
  }
  if (!r->rows) return NULL;
  struct word *w = &r->words[row_of(r, number)];
  if (w->number) return w;
  if (!add) return NULL;
  *w = (struct word){.number = number, .thread = UINT32_MAX};
  r->n_words++;
  return w;
}

static void share(struct word *w, uint32_t thread) {
  if (w && w->number) w->shared |= w->thread != UINT32_MAX && w->thread != thread;
}

/* The end of an object is an access of its thread to all that was accessed. */
static void look_at_ends(struct reader *r) {
  for (uint32_t i = 0; i < r->ends.n; i++) {
    const struct end *e = &r->ends.at[i];
    uint64_t first = e->at / WORD, last = (e->at + e->bytes + WORD - 1) / WORD;
    if (last - first < r->rows) {
      for (uint64_t k = first; k < last; k++) share(word_at(r, k, false), e->thread);
    } else {
      for (uint64_t row = 0; row < r->rows; row++)
        if (r->words[row].number > first && r->words[row].number <= last)
          share(&r->words[row], e->thread);
    }
  }
}

static enum pv_status look_at(struct reader *r, uint32_t thread, const struct event *e) {
  if (e->kind == PV_TRACE_END) pv_vec_push(&r->ends, ((struct end){e->at, e->bytes, thread}));
  if (e->kind != PV_TRACE_READ && e->kind != PV_TRACE_WRITE && e->kind != PV_TRACE_UPDATE)
    return PV_OK;
  uint64_t end = e->at + e->bytes;
  if (r->n_words + e->bytes / WORD > PV_TRACE_WORDS)
    return damaged(r, "the trace accesses too much memory");
  for (uint64_t at = e->at; at < end; at = (at / WORD + 1) * WORD) {
    struct word *w = word_at(r, at / WORD, true);
    w->cuts |= (uint8_t)(1u << at % WORD);
    if (end < (at / WORD + 1) * WORD) w->cuts |= (uint8_t)(1u << end % WORD);
    w->shared |= w->thread != UINT32_MAX && w->thread != thread;
    w->thread = thread;
  }
  return PV_OK;
}

static enum pv_status look(struct reader *r) {
  struct event e;
  bool any;
  for (uint32_t t = 0; t < PV_MAX_THREADS; t++) {
    struct cursor *c = &r->thread[t];
    for (;;) {
      PV_TRY(take(r, c, &e, &any));
      if (!any) break;
      PV_TRY(look_at(r, t, &e));
      r->out->steps += e.kind != PV_TRACE_SEQUENCE;
    }
    c->block = c->event = 0;
  }
  look_at_ends(r);
  return PV_OK;
}

/* ---- places and names
 * ----------------------------------------------------------------------------- */
static uint32_t place_of(struct reader *r, uint32_t site) {
  if (site >= r->n_sites) return 0;
  if (r->place[site]) return r->place[site] - 1;
  uint64_t at = r->sites + site * (uint64_t)SITE;
  const char *text = r->bytes + r->text;
  uint32_t line = word32(r, at + 8);
  char *name = pv_format("%s (%s:%u)", text + word32(r, at + 4), text + word32(r, at), line);
  bool is_new;
  uint32_t i = *pv_map_put_str(&r->places, name, r->out->places.n, &is_new);
  if (is_new) {
    pv_vec_push(&r->out->places, name);
    pv_vec_push(&r->out->lines, line);
    pv_vec_push(&r->out->spans, 0);
  } else {
    free(name);
  }
  r->place[site] = i + 1;
  return i;
}

static char *name_of(const struct reader *r, uint64_t address) {
  for (uint32_t i = 0; i < r->n_objects; i++) {
    uint64_t row = r->objects + i * (uint64_t)OBJECT, from = word64(r, row);
    if (address < from || address - from >= word64(r, row + 8)) continue;
    const char *name = r->bytes + r->text + word32(r, row + 16);
    return address == from ? pv_strdup(name)
                           : pv_format("%s+%llu", name, (unsigned long long)(address - from));
  }
  return pv_format("0x%llx", (unsigned long long)address);
}

static void tell(struct reader *r, const struct pv_observed *e) {
  struct pv_observation *out = r->out;
  if (e->kind == PV_OBSERVED_LOCK) {
    bool is_new;
    pv_map_put(&out->locks, &e->at, sizeof e->at, out->lock_names.n, &is_new);
    if (is_new) pv_vec_push(&out->lock_names, name_of(r, e->at));
  }
  for (unsigned i = 0; i < PV_RUNTIME_ANALYSES; i++)
    pv_runtime_analyses[i]->tell(r->self[i], e, &out->warnings);
}

/* ---- the second look: events in their order
 * --------------------------------------------------------- */
/* Tells an access to shared memory in pieces that every access has or has not as a whole. Each
 * piece stands for its first byte. */
static void tell_access(struct reader *r, struct pv_observed *e, uint64_t bytes) {
  uint64_t end = e->at + bytes;
  e->bytes = 1;
  for (uint64_t at = e->at; at < end; at++) {
    const struct word *w = word_at(r, at / WORD, false);
    if (!w || !w->shared) {
      at = (at / WORD + 1) * WORD - 1;
      continue;
    }
    if (!(w->cuts >> at % WORD & 1)) continue;
    e->at = at;
    tell(r, e);
  }
}

static int by_number(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* The end of an object, which may be much larger than what is known of it. */
static void tell_end(struct reader *r, struct pv_observed *e, uint64_t bytes) {
  uint64_t from = e->at, to = from + bytes, first = from / WORD, last = (to + WORD - 1) / WORD;
  PV_VEC(uint64_t) known = {0};
  if (to <= from || last - first < r->rows) {
    tell_access(r, e, bytes);
    return;
  }
  for (uint64_t row = 0; row < r->rows; row++) {
    uint64_t number = r->words[row].number;
    if (number > first && number <= last && r->words[row].shared) pv_vec_push(&known, number - 1);
  }
  if (known.n) qsort(known.at, known.n, sizeof *known.at, by_number);
  for (uint32_t i = 0; i < known.n; i++) {
    uint64_t at = known.at[i] * WORD, end = at + WORD < to ? at + WORD : to;
    e->at = at > from ? at : from;
    tell_access(r, e, end - e->at);
  }
  pv_vec_free(&known);
}

/* New memory: what is known of it counts no more. */
static void tell_forget(struct reader *r, struct pv_observed *e, uint64_t bytes) {
  uint64_t first = e->at / WORD, last = (e->at + bytes) / WORD;
  e->bytes = WORD;
  if (last - first < r->rows) {
    for (uint64_t i = first; i < last; i++) {
      const struct word *w = word_at(r, i, false);
      e->at = i * WORD;
      if (w && w->shared) tell(r, e);
    }
    return;
  }
  for (uint64_t row = 0; row < r->rows; row++) {
    const struct word *w = &r->words[row];
    if (!w->number || !w->shared || w->number - 1 < first || w->number - 1 >= last) continue;
    e->at = (w->number - 1) * WORD;
    tell(r, e);
  }
}

static void tell_event(struct reader *r, uint32_t thread, const struct event *e) {
  struct pv_observed o = {
      .thread = thread, .place = place_of(r, e->site), .at = e->at, .atomic = e->order != 0};
  o.acquires = e->order == 2 || e->order >= 4;
  o.releases = e->order >= 3;
  o.begins = e->kind == PV_TRACE_FORGET;
  switch ((enum pv_trace_kind)e->kind) {
  case PV_TRACE_UPDATE:
    o.kind = PV_OBSERVED_READ;
    tell_access(r, &o, e->bytes);
    o.at = e->at;
    o.kind = PV_OBSERVED_WRITE;
    o.updates = true;
    tell_access(r, &o, e->bytes);
    return;
  case PV_TRACE_READ:
  case PV_TRACE_WRITE:
    o.kind = e->kind == PV_TRACE_READ ? PV_OBSERVED_READ : PV_OBSERVED_WRITE;
    tell_access(r, &o, e->bytes);
    return;
  case PV_TRACE_FORGET:
    o.kind = PV_OBSERVED_FORGET;
    tell_forget(r, &o, e->bytes);
    return;
  case PV_TRACE_END:
    o.kind = PV_OBSERVED_FORGET;
    tell_end(r, &o, e->bytes);
    return;
  case PV_TRACE_FENCE: o.kind = PV_OBSERVED_FENCE; break;
  case PV_TRACE_LOCK:
  case PV_TRACE_LOCK_SHARED:
    o.kind = PV_OBSERVED_LOCK;
    o.shared = e->kind == PV_TRACE_LOCK_SHARED;
    break;
  case PV_TRACE_UNLOCK: o.kind = PV_OBSERVED_UNLOCK; break;
  case PV_TRACE_RELEASE: o.kind = PV_OBSERVED_RELEASE; break;
  case PV_TRACE_ACQUIRE: o.kind = PV_OBSERVED_ACQUIRE; break;
  case PV_TRACE_FORK: o.kind = PV_OBSERVED_FORK; break;
  case PV_TRACE_JOIN: o.kind = PV_OBSERVED_JOIN; break;
  default: return;
  }
  if ((o.kind == PV_OBSERVED_FORK || o.kind == PV_OBSERVED_JOIN) && o.at >= PV_MAX_THREADS) return;
  tell(r, &o);
}

/* Tells the thread's events up to the next ordered one. */
static enum pv_status run_thread(struct reader *r, uint32_t thread) {
  struct cursor *c = &r->thread[thread];
  struct event e;
  bool any;
  for (c->waits = false;;) {
    PV_TRY(take(r, c, &e, &any));
    if (!any) return PV_OK;
    if (e.kind == PV_TRACE_SEQUENCE) {
      c->sequence = e.at;
      c->waits = true;
      return PV_OK;
    }
    tell_event(r, thread, &e);
  }
}

static enum pv_status run_all(struct reader *r) {
  for (uint32_t t = 0; t < PV_MAX_THREADS; t++) PV_TRY(run_thread(r, t));
  for (;;) {
    uint32_t next = PV_MAX_THREADS;
    for (uint32_t t = 0; t < PV_MAX_THREADS; t++)
      if (r->thread[t].waits &&
          (next == PV_MAX_THREADS || r->thread[t].sequence < r->thread[next].sequence))
        next = t;
    if (next == PV_MAX_THREADS) return PV_OK;
    PV_TRY(run_thread(r, next));
  }
}

static enum pv_status observe(struct reader *r) {
  PV_TRY(read_head(r));
  PV_TRY(find_blocks(r));
  PV_TRY(look(r));
  r->place = pv_alloc((r->n_sites + 1) * sizeof *r->place);
  for (unsigned i = 0; i < PV_RUNTIME_ANALYSES; i++) r->self[i] = pv_runtime_analyses[i]->begin();
  enum pv_status st = run_all(r);
  for (unsigned i = 0; i < PV_RUNTIME_ANALYSES; i++) {
    if (st == PV_OK) pv_runtime_analyses[i]->end(r->self[i], &r->out->warnings);
    pv_runtime_analyses[i]->free(r->self[i]);
  }
  PV_TRY(st);
  for (uint32_t i = 0; i < r->out->warnings.list.n; i++) {
    uint64_t at = r->out->warnings.list.at[i].at;
    pv_vec_push(&r->out->names, at ? name_of(r, at) : NULL);
  }
  if (!r->complete) r->out->end = pv_strdup("the trace ends, which is not complete");
  return PV_OK;
}

enum pv_status pv_trace_observe(const char *path, struct pv_observation *out, struct pv_str *err) {
  struct reader r = {.path = path, .out = out, .err = err};
  char *bytes = NULL;
  size_t n = 0;
  PV_TRY(pv_read_file(path, (size_t)16 << 30, &bytes, &n, err));
  r.bytes = bytes;
  r.n = n;
  enum pv_status st = observe(&r);
  for (uint32_t t = 0; t < PV_MAX_THREADS; t++) pv_vec_free(&r.thread[t].blocks);
  pv_map_free(&r.places);
  free(r.place);
  free(r.words);
  pv_vec_free(&r.ends);
  free(bytes);
  return st;
}
