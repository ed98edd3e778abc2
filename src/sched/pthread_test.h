/* pthread_test.h -- a small machine, and random walks on it, for the tests of the pthread
 * plug-in. */
#ifndef PV_PTHREAD_TEST_H
#define PV_PTHREAD_TEST_H

#include "sched/sched.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- a little machine ------------------------------------------------------------------------ */
enum { BASE = 0x1000, SIZE = 0x400, STATIC_END = 0x300 };
/* Memory before STATIC_END is static (zero), the rest is uninitialised. */
struct machine {
  struct pv_sched_state s;
  uint8_t bytes[SIZE];
  bool known[SIZE];
  unsigned spawned;
  uint64_t result;
  const char *message;
};

static inline bool in_memory(uint64_t address, unsigned bytes) {
  return address >= BASE && address + bytes <= BASE + SIZE;
}

static inline bool load(void *self, uint64_t address, unsigned bytes, uint64_t *value) {
  struct machine *m = self;
  if (!in_memory(address, bytes)) return false;
  *value = 0;
  for (unsigned i = 0; i < bytes; i++) {
    if (!m->known[address - BASE + i]) return false;
    *value |= (uint64_t)m->bytes[address - BASE + i] << 8 * i;
  }
  return true;
}

static inline bool store(void *self, uint64_t address, unsigned bytes, uint64_t value) {
  struct machine *m = self;
  if (!in_memory(address, bytes)) return false;
  for (unsigned i = 0; i < bytes; i++) {
    m->bytes[address - BASE + i] = (uint8_t)(value >> 8 * i);
    m->known[address - BASE + i] = true;
  }
  return true;
}

static inline void spawn(void *self, unsigned thread, uint64_t start, uint64_t argument) {
  (void)start, (void)argument;
  ((struct machine *)self)->spawned = thread;
}

static inline struct pv_sched_env env_of(struct machine *m) {
  return (struct pv_sched_env){m, 64, load, store, spawn, NULL, NULL};
}

static const struct pv_prim *prim(const char *name) {
  char full[64];
  snprintf(full, sizeof full, "__proviso_%s", name);
  const struct pv_prim *p = pv_sched_find(&pv_sched_pthread, full);
  if (!p) fail_msg("no primitive %s", full);
  return p;
}

static inline struct pv_prim_call call(unsigned thread, const char *name, uint64_t a, uint64_t b) {
  return (struct pv_prim_call){.thread = thread, .prim = prim(name), .args = {a, b}};
}

static inline unsigned alternatives_of(struct machine *m, const struct pv_prim_call *c,
                                       enum pv_alternative_kind *kinds) {
  enum pv_alternative_kind room[PV_MAX_THREADS + 2];
  return pv_sched_pthread.alternatives(&m->s, c, kinds ? kinds : room);
}

static inline enum pv_prim_outcome exec(struct machine *m, const struct pv_prim_call *c,
                                        unsigned alternative) {
  struct pv_sched_env env = env_of(m);
  return pv_sched_pthread.exec(&m->s, &env, c, alternative, &m->result, &m->message);
}

static inline unsigned alternatives(struct machine *m, unsigned t, const char *name, uint64_t a,
                                    uint64_t b) {
  struct pv_prim_call c = call(t, name, a, b);
  return alternatives_of(m, &c, NULL);
}

static inline enum pv_alternative_kind kind(struct machine *m, unsigned t, const char *name,
                                            uint64_t a, uint64_t b) {
  enum pv_alternative_kind kinds[PV_MAX_THREADS + 2];
  struct pv_prim_call c = call(t, name, a, b);
  assert_true(alternatives_of(m, &c, kinds) > 0);
  return kinds[0];
}

static inline enum pv_prim_outcome take_alternative(struct machine *m, unsigned t, const char *name,
                                                    uint64_t a, uint64_t b, unsigned alternative) {
  struct pv_prim_call c = call(t, name, a, b);
  assert_true(alternative < alternatives_of(m, &c, NULL));
  return exec(m, &c, alternative);
}

static inline enum pv_prim_outcome go(struct machine *m, unsigned t, const char *name, uint64_t a,
                                      uint64_t b) {
  return take_alternative(m, t, name, a, b, 0);
}

/* Runs a call that finishes, and gives its result. */
static inline uint64_t done(struct machine *m, unsigned t, const char *name, uint64_t a,
                            uint64_t b) {
  enum pv_prim_outcome o = go(m, t, name, a, b);
  if (o == PV_PRIM_MISUSE) fail_msg("%s: %s", name, m->message);
  assert_int_equal(o, PV_PRIM_DONE);
  return m->result;
}

static inline void misuse(struct machine *m, unsigned t, const char *name, uint64_t a, uint64_t b,
                          const char *part) {
  assert_int_equal(go(m, t, name, a, b), PV_PRIM_MISUSE);
  assert_non_null(m->message);
  if (!strstr(m->message, part)) fail_msg("\"%s\" lacks \"%s\"", m->message, part);
}

static inline void machine_init(struct machine *m, unsigned threads) {
  memset(m, 0, sizeof *m);
  memset(m->known, 1, STATIC_END);
  pv_sched_pthread.init(&m->s, PV_ORDER_CREATION);
  for (unsigned i = 1; i < threads; i++) {
    assert_int_equal(done(m, 0, "thread_create", BASE + 0x2f8, 0), i + 1);
    assert_int_equal(m->spawned, i);
  }
}

static inline void copy(struct machine *to, const struct machine *from) {
  uint8_t *data = to->s.data;
  uint32_t cap = to->s.cap;
  *to = *from;
  if (cap < from->s.n) data = pv_realloc(data, cap = from->s.n);
  memcpy(data, from->s.data, from->s.n);
  to->s.data = data;
  to->s.cap = cap;
}

static inline bool same(const struct machine *a, const struct machine *b) {
  return a->s.n == b->s.n && memcmp(a->s.data, b->s.data, a->s.n) == 0 &&
         memcmp(a->bytes, b->bytes, SIZE) == 0 && memcmp(a->known, b->known, SIZE) == 0;
}

enum { M = BASE, M2 = BASE + 0x40, C = BASE + 0x80, RAW = BASE + STATIC_END };

/* ---- random walks ---- */
static uint64_t seed;
static inline unsigned random_below(unsigned n) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(seed >> 33) % n;
}

enum { CAST = 4 };

/* A call that the thread could be at; a thread inside a wait stays at its call. */
static inline struct pv_prim_call random_call(unsigned thread) {
  struct pv_prim_call c = {.thread = thread};
  c.prim = &pv_sched_pthread.prims[random_below(pv_sched_pthread.n_prims)];
  bool creates = c.prim == prim("thread_create");
  if (c.prim->class == PV_PRIM_THREAD && !creates) {
    c.args[0] = 1 + random_below(CAST);
    if (c.prim == prim("thread_join")) c.args[1] = random_below(2) ? BASE + 0x280 : 0;
  } else if (creates) {
    c.args[0] = random_below(4) ? BASE + 0x2c0 + 8 * random_below(3) : 0;
    c.args[3] = random_below(2);
  } else {
    c.args[0] = random_below(20) ? BASE + 0x40 * random_below(3) : RAW;
    c.args[1] = c.prim->two_objects ? BASE + 0x40 * random_below(3) : random_below(3);
  }
  return c;
}

struct walk {
  struct machine m;
  struct pv_prim_call at[PV_MAX_THREADS];
  bool inside[PV_MAX_THREADS]; /* after AGAIN */
};

static inline void step(struct walk *w, unsigned t) {
  if (!pv_sched_pthread.alive(&w->m.s, t)) return;
  if (!w->inside[t]) w->at[t] = random_call(t);
  unsigned n = alternatives_of(&w->m, &w->at[t], NULL);
  if (n == 0) {
    w->inside[t] = w->inside[t] || random_below(4) == 0; /* stay blocked, or try another call */
    return;
  }
  if (w->at[t].prim == prim("thread_exit") && random_below(4)) return;
  enum pv_prim_outcome o = exec(&w->m, &w->at[t], random_below(n));
  w->inside[t] = o == PV_PRIM_AGAIN;
  if (w->at[t].prim == prim("thread_create") && o != PV_PRIM_LIMIT) {
    w->inside[w->m.spawned] = false;
  }
}

struct outcome {
  enum pv_prim_outcome outcome;
  uint64_t result;
  const char *message;
};

static inline struct outcome run(struct machine *m, const struct pv_prim_call *c,
                                 unsigned alternative) {
  struct outcome o = {.outcome = exec(m, c, alternative)};
  o.result = m->result;
  o.message = m->message;
  return o;
}

static inline bool same_outcome(struct outcome a, struct outcome b) {
  return a.outcome == b.outcome && a.result == b.result && a.message == b.message;
}

#endif
