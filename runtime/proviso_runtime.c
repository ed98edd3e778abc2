/* proviso_runtime.c -- what `proviso instrument` and `proviso replay --native` link to a program.
 *
 * The pass (src/native/instrument.c) inserts calls to the functions with the prefix proviso_ before
 * memory accesses, atomic operations and calls, and replaces functions of the thread library by the
 * wrappers below. This file does two things with them, together or alone:
 *
 * It writes a trace of the execution to the file that PROVISO_TRACE names (docs/native.md has the
 * format). Each thread fills a buffer of its own; events of synchronisation have numbers from one
 * counter, which order the buffers afterwards. An access that repeats one of the same place to the
 * same address, with no synchronisation in between, is left out.
 *
 * It imposes a schedule, if one is linked: a list of turns. A turn is the n-th time that a thread
 * comes to a place. The thread waits there until all turns before have been taken, and holds its
 * turn until it comes to its next one. After the last turn all threads go on freely.
 *
 * Compiled by clang or gcc, without sanitizers, so that these do not see its synchronisation. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <malloc.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#define LIKELY(X)   __builtin_expect(!!(X), 1)
#define UNLIKELY(X) __builtin_expect(!!(X), 0)

/* ---- what the pass and the schedule provide ----------------------------------------------------
 */
struct proviso_site {
  const char *file, *function;
  uint32_t line, column;
  uint8_t kind;  /* 'r' read, 'w' write, 'u' update, 'm' block, 'c' call */
  uint8_t order; /* atomic: 1 + the order of C11; 0: plain */
  uint8_t order_failed;
  uint8_t unused;
  uint32_t bytes;
};
extern const struct proviso_site proviso_sites[];
extern const uint32_t proviso_site_count;

struct proviso_object { /* a global variable */
  const char *name;
  const void *address;
  uint64_t bytes;
};
extern const struct proviso_object proviso_objects[];
extern const uint32_t proviso_object_count;

struct proviso_turn {
  uint32_t thread, times; /* the n-th time, from 1, that this thread comes ... */
  uint32_t key;           /* ... to this place: a number of proviso_keys */
  uint32_t step;          /* of the error path, for people */
  uint32_t flags;
};
enum {
  AGAIN = 1,    /* the same operation goes on: a wait that ends */
  LAST = 2,     /* not a turn: where the thread is at the end of the path */
  TIMES_OUT = 4 /* the wait ends because its time is over */
};
struct proviso_key {
  const char *file;
  uint32_t line, column;
  char kind; /* as of sites; 'e': the end of the thread */
};
struct proviso_schedule {
  const struct proviso_turn *turns;
  uint32_t n_turns, n_keys;
  const struct proviso_key *keys;
  char error;          /* 'r' data race, 'd' deadlock, 'f' use of freed memory, 0: another one */
  uint32_t one, other; /* the threads of a race */
  uint32_t patience;   /* tenths of a second without progress until the path is given up */
};
extern const struct proviso_schedule proviso_schedule __attribute__((weak));

enum { ERROR_SHOWN = 107, OFF_THE_PATH = 108 };
enum { MAX_THREADS = 1024, MAX_KEYS = 4096 };

/* ---- the trace ----------------------------------------------------------------------------------
 */
enum op {
  SEQUENCE,
  READ,
  WRITE,
  UPDATE,
  LOCK,
  LOCK_SHARED,
  UNLOCK,
  RELEASE,
  ACQUIRE,
  FORK,
  JOIN,
  FORGET,
  BYTES
};
struct event {
  uint64_t at;
  uint32_t site;
  uint8_t op, bytes, order, unused;
};
enum { BUFFER = 1 << 15, SEEN = 1 << 12 };
struct seen {
  uint64_t at;
  uint32_t site, epoch;
};

struct thread {
  uint32_t number;
  uint32_t site;  /* of the last call, for the wrappers */
  uint32_t epoch; /* counts synchronisation, for `seen` */
  uint32_t n;
  struct event *buffer;
  struct seen *seen;
  uint32_t atomic; /* depth of atomic sections */
  bool inside;     /* of the runtime */
  /* the schedule */
  uint32_t next;  /* its next turn, an index into the schedule, or n_turns */
  bool runs;      /* it holds the turn */
  bool times_out; /* in this turn the time of the operation is over */
  bool at_last;   /* it came to where it is at the end of the path */
  bool ended;
  const char *blocked; /* the function in which it may be blocked */
  uint64_t at;         /* the address that it is about to access */
  uint32_t at_site;
  uint32_t *times; /* by key */
  pthread_t id;
  thrd_t c_id;
  bool has_id;
};

static struct thread *threads[MAX_THREADS];
static uint32_t n_threads;
static __thread struct thread *self;
static int trace = -1;
static bool imposed;
static uint32_t sequence_number, table_lock, file_lock;
static uint16_t *key_of_site; /* 1 + key; 0: none */

static void lock_word(uint32_t *word) {
  while (__atomic_exchange_n(word, 1, __ATOMIC_ACQUIRE))
    while (__atomic_load_n(word, __ATOMIC_RELAXED)) __builtin_ia32_pause();
}
static void unlock_word(uint32_t *word) {
  __atomic_store_n(word, 0, __ATOMIC_RELEASE);
}

static void say(const char *text) {
  size_t n = strlen(text);
  while (n) {
    ssize_t done = write(2, text, n);
    if (done <= 0) return;
    text += done;
    n -= (size_t)done;
  }
}

static void write_all(const void *data, size_t n) {
  const char *at = data;
  while (n && trace >= 0) {
    ssize_t done = write(trace, at, n);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) {
      say("proviso: the trace cannot be written\n");
      trace = -1;
      return;
    }
    at += done;
    n -= (size_t)done;
  }
}

static void flush(struct thread *t) {
  uint32_t n = t->n;
  if (!n) return;
  uint32_t head[2] = {t->number, n};
  lock_word(&file_lock);
  write_all(head, sizeof head);
  write_all(t->buffer, n * sizeof *t->buffer);
  unlock_word(&file_lock);
  t->n = 0;
}

static inline void put(struct thread *t, enum op op, uint64_t at, uint32_t site, uint8_t bytes,
                       uint8_t order) {
  if (UNLIKELY(t->n == BUFFER)) flush(t);
  t->buffer[t->n] = (struct event){at, site, (uint8_t)op, bytes, order, 0};
  __atomic_store_n(&t->n, t->n + 1, __ATOMIC_RELEASE);
}

/* An event that is ordered after and before those of other threads. */
static void put_ordered(struct thread *t, enum op op, uint64_t at) {
  if (trace < 0 || !t->buffer) return;
  put(t, SEQUENCE, __atomic_fetch_add(&sequence_number, 1, __ATOMIC_SEQ_CST), 0, 0, 0);
  put(t, op, at, t->site, 0, 0);
  t->epoch++;
}

static void put_range(struct thread *t, enum op op, uint64_t at, uint64_t bytes, uint32_t site) {
  put(t, BYTES, bytes, 0, 0, 0);
  put(t, op, at, site, 0, 0);
}

/* [at, at + bytes) is new memory. */
static void forget(struct thread *t, const void *at, size_t bytes) {
  if (trace < 0 || !t->buffer || !at) return;
  put(t, SEQUENCE, __atomic_fetch_add(&sequence_number, 1, __ATOMIC_SEQ_CST), 0, 0, 0);
  put_range(t, FORGET, (uintptr_t)at, bytes, t->site);
  t->epoch++;
}

static uint32_t length(const char *text) {
  return (uint32_t)strlen(text) + 1;
}

static void write_head(void) {
  struct {
    char magic[8];
    uint32_t version, sites, objects, text, unused;
  } head = {"PVTRACE", 1, proviso_site_count, proviso_object_count, 0, 0};
  uint32_t at = 0;
  for (uint32_t i = 0; i < proviso_site_count; i++)
    head.text += length(proviso_sites[i].file) + length(proviso_sites[i].function);
  for (uint32_t i = 0; i < proviso_object_count; i++) head.text += length(proviso_objects[i].name);
  write_all(&head, 28);
  for (uint32_t i = 0; i < proviso_site_count; i++) {
    const struct proviso_site *s = &proviso_sites[i];
    uint32_t row[4] = {at, at + length(s->file), s->line, s->column};
    at = row[1] + length(s->function);
    write_all(row, sizeof row);
  }
  for (uint32_t i = 0; i < proviso_object_count; i++) {
    const struct proviso_object *o = &proviso_objects[i];
    struct {
      uint64_t address, bytes;
      uint32_t name, unused;
    } row = {(uintptr_t)o->address, o->bytes, at, 0};
    at += length(o->name);
    write_all(&row, sizeof row);
  }
  for (uint32_t i = 0; i < proviso_site_count; i++) {
    write_all(proviso_sites[i].file, length(proviso_sites[i].file));
    write_all(proviso_sites[i].function, length(proviso_sites[i].function));
  }
  for (uint32_t i = 0; i < proviso_object_count; i++)
    write_all(proviso_objects[i].name, length(proviso_objects[i].name));
}

/* The last block has no events: the trace is complete. */
static void close_trace(void) {
  static uint32_t closed;
  if (trace < 0 || __atomic_exchange_n(&closed, 1, __ATOMIC_SEQ_CST)) return;
  uint32_t n = __atomic_load_n(&n_threads, __ATOMIC_ACQUIRE);
  lock_word(&file_lock);
  for (uint32_t i = 0; i < n; i++) {
    struct thread *t = threads[i];
    uint32_t events = t ? __atomic_load_n(&t->n, __ATOMIC_ACQUIRE) : 0, head[2] = {i, events};
    if (!events) continue;
    write_all(head, sizeof head);
    write_all(t->buffer, events * sizeof *t->buffer);
  }
  uint32_t end[2] = {UINT32_MAX, 0};
  write_all(end, sizeof end);
  close(trace);
  trace = -1;
}

/* ---- threads ------------------------------------------------------------------------------------
 */
static void find_next(struct thread *t, uint32_t from);

static struct thread *new_thread(void) {
  struct thread *t = calloc(1, sizeof *t);
  uint32_t number = __atomic_fetch_add(&n_threads, 1, __ATOMIC_SEQ_CST);
  if (!t || number >= MAX_THREADS) {
    say("proviso: too many threads, or no memory\n");
    _exit(OFF_THE_PATH);
  }
  t->number = number;
  t->epoch = 1;
  if (trace >= 0) {
    t->buffer = malloc(BUFFER * sizeof *t->buffer);
    t->seen = calloc(SEEN, sizeof *t->seen);
    if (!t->buffer || !t->seen) {
      say("proviso: no memory for the trace\n");
      _exit(OFF_THE_PATH);
    }
  }
  if (imposed) {
    t->times = calloc(proviso_schedule.n_keys + 1, sizeof *t->times);
    find_next(t, 0);
  }
  __atomic_store_n(&threads[number], t, __ATOMIC_RELEASE);
  return t;
}

static void prepare_schedule(void);
static void *watch(void *unused);

static void start(void) {
  static uint32_t once, ready;
  if (!__atomic_exchange_n(&once, 1, __ATOMIC_SEQ_CST)) {
    const char *path = getenv("PROVISO_TRACE");
    if (path && *path) {
      trace = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
      if (trace < 0) {
        say("proviso: the trace cannot be written\n");
        _exit(OFF_THE_PATH);
      }
      write_head();
      atexit(close_trace);
    }
    imposed = &proviso_schedule && proviso_schedule.n_turns;
    if (imposed) prepare_schedule();
    self = new_thread();
    self->id = pthread_self();
    __atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
    if (imposed) {
      pthread_t watcher;
      if (pthread_create(&watcher, NULL, watch, NULL) == 0) pthread_detach(watcher);
    }
    return;
  }
  while (!__atomic_load_n(&ready, __ATOMIC_ACQUIRE)) usleep(100);
  if (!self) self = new_thread(); /* made by code that is not instrumented */
}

static inline struct thread *me(void) {
  if (UNLIKELY(!self)) start();
  return self;
}

__attribute__((constructor)) static void begin(void) {
  me();
}

/* ---- the schedule -------------------------------------------------------------------------------
 */
static uint32_t turn; /* how many turns have been taken */
static uint32_t progress;

static void futex(uint32_t *word, int op, uint32_t value) {
  syscall(SYS_futex, word, op, value, NULL, NULL, 0);
}

static void find_next(struct thread *t, uint32_t from) {
  const struct proviso_schedule *s = &proviso_schedule;
  for (t->next = from; t->next < s->n_turns && s->turns[t->next].thread != t->number; t->next++) {
  }
}

static bool is_last(uint32_t i) {
  return proviso_schedule.turns[i].flags & LAST;
}

static uint32_t n_real(void) {
  uint32_t n = proviso_schedule.n_turns;
  while (n && is_last(n - 1)) n--;
  return n;
}

static void prepare_schedule(void) {
  const struct proviso_schedule *s = &proviso_schedule;
  key_of_site = calloc(proviso_site_count + 1, sizeof *key_of_site);
  if (!key_of_site) _exit(OFF_THE_PATH);
  for (uint32_t i = 0; i < proviso_site_count; i++)
    for (uint32_t k = 0; k < s->n_keys; k++) {
      const struct proviso_site *site = &proviso_sites[i];
      const struct proviso_key *key = &s->keys[k];
      if ((char)site->kind == key->kind && site->line == key->line && site->column == key->column &&
          !strcmp(site->file, key->file))
        key_of_site[i] = (uint16_t)(k + 1);
    }
}

/* For debuggers: turn number i begins, and it is another thread's than the one before. */
__attribute__((noinline)) void proviso_switches(uint32_t i, uint32_t thread, uint32_t step);
void proviso_switches(uint32_t i, uint32_t thread, uint32_t step) {
  __asm__ volatile("" : : "r"(i), "r"(thread), "r"(step) : "memory");
}

static void pass_on(struct thread *t) {
  if (!t->runs) return;
  t->runs = false;
  __atomic_fetch_add(&turn, 1, __ATOMIC_SEQ_CST);
  futex(&turn, FUTEX_WAKE_PRIVATE, INT_MAX);
}

static void show_race(void);

/* Waits for turn number i, which is the thread's. */
static void wait_for(struct thread *t, uint32_t i) {
  uint32_t end = n_real();
  bool last = is_last(i);
  uint32_t wanted = last ? end : i;
  if (last) __atomic_store_n(&t->at_last, true, __ATOMIC_SEQ_CST);
  pass_on(t);
  for (uint32_t now; (now = __atomic_load_n(&turn, __ATOMIC_SEQ_CST)) < wanted;)
    futex(&turn, FUTEX_WAIT_PRIVATE, now);
  find_next(t, i + 1);
  if (last) {
    if (proviso_schedule.error == 'r') show_race();
    return;
  }
  t->runs = true;
  t->times_out = proviso_schedule.turns[i].flags & TIMES_OUT;
  __atomic_fetch_add(&progress, 1, __ATOMIC_RELAXED);
  static uint32_t held_by = UINT32_MAX; /* the thread of the last turn */
  if (held_by != t->number) proviso_switches(i, t->number, proviso_schedule.turns[i].step);
  held_by = t->number;
}

/* The thread comes to a place. */
static void come_to(struct thread *t, uint32_t key) {
  uint32_t n = ++t->times[key];
  if (t->next >= proviso_schedule.n_turns) return;
  const struct proviso_turn *next = &proviso_schedule.turns[t->next];
  if (next->key == key && next->times == n && !(next->flags & AGAIN)) wait_for(t, t->next);
}

static inline void come(struct thread *t, uint32_t site, uint64_t at) {
  uint32_t key = key_of_site[site];
  if (!key || t->atomic) return;
  t->at = at;
  t->at_site = site;
  come_to(t, key - 1);
}

/* Does the operation that the thread executes go on in a turn of its own? for_ever: not in this
 * path. */
static bool goes_on(const struct thread *t, bool *for_ever) {
  *for_ever = false;
  if (!imposed || t->next >= proviso_schedule.n_turns) return false;
  const struct proviso_turn *next = &proviso_schedule.turns[t->next];
  *for_ever = next->flags & LAST;
  return next->flags & AGAIN;
}

static void describe(const struct thread *t, char *out, size_t n) {
  const struct proviso_site *s = &proviso_sites[t->at_site];
  snprintf(out, n, "thread %u at %s:%u:%u (%s)", t->number, s->file, s->line, s->column,
           s->function);
}

/* Both threads are about to access: does one of them write, and do the bytes overlap? */
static void show_race(void) {
  static uint32_t shown;
  const struct proviso_schedule *s = &proviso_schedule;
  struct thread *a, *b;
  for (int i = 0; i < 2000; i++) { /* the other one may not have come yet */
    a = threads[s->one], b = threads[s->other];
    if (a && b && __atomic_load_n(&a->at_last, __ATOMIC_SEQ_CST) &&
        __atomic_load_n(&b->at_last, __ATOMIC_SEQ_CST))
      break;
    usleep(1000);
  }
  if (!a || !b || !a->at_last || !b->at_last || __atomic_exchange_n(&shown, 1, __ATOMIC_SEQ_CST))
    return;
  const struct proviso_site *x = &proviso_sites[a->at_site], *y = &proviso_sites[b->at_site];
  bool accesses = a->at && b->at;
  bool overlap =
      a->at < b->at + (y->bytes ? y->bytes : 1) && b->at < a->at + (x->bytes ? x->bytes : 1);
  bool writes = x->kind != 'r' || y->kind != 'r';
  if (accesses && (!overlap || !writes)) return;
  char one[400], other[400], text[1000];
  describe(a, one, sizeof one);
  describe(b, other, sizeof other);
  /* A call, as of free, has no address here: then the path tells that it is the same memory. */
  uintptr_t at = a->at ? a->at : b->at;
  if (at)
    snprintf(text, sizeof text, "proviso: data race: %s and %s are both about to access %#lx\n",
             one, other, (unsigned long)at);
  else
    snprintf(text, sizeof text, "proviso: data race: %s and %s are both about to access it\n", one,
             other);
  say(text);
  if (!getenv("PROVISO_GO_ON")) _exit(ERROR_SHOWN);
}

static void show_deadlock(uint32_t n) {
  char place[400], text[600];
  say("proviso: deadlock: no thread goes on\n");
  for (uint32_t i = 0; i < n; i++) {
    struct thread *t = threads[i];
    if (!t || t->ended) continue;
    describe(t, place, sizeof place);
    snprintf(text, sizeof text, "proviso:   %s waits in %s\n", place,
             t->blocked ? t->blocked : "?");
    say(text);
  }
  if (!getenv("PROVISO_GO_ON")) _exit(ERROR_SHOWN);
}

static void give_up(uint32_t now) {
  char text[600];
  const struct proviso_schedule *s = &proviso_schedule;
  const struct proviso_turn *next = &s->turns[now];
  const struct proviso_key *key = &s->keys[next->key];
  struct thread *t = threads[next->thread];
  snprintf(text, sizeof text,
           "proviso: off the path: thread %u does not come to %s:%u:%u (turn %u of %u)%s%s\n",
           next->thread, key->file ? key->file : "its end", key->line, key->column, now + 1,
           n_real(), t && t->blocked ? "; it is in " : "", t && t->blocked ? t->blocked : "");
  say(text);
  _exit(OFF_THE_PATH);
}

/* Looks every tenth of a second whether the threads go on. */
static void *watch(void *unused) {
  uint32_t before = UINT32_MAX, same = 0;
  for (;;) {
    usleep(20000);
    uint32_t now = __atomic_load_n(&turn, __ATOMIC_SEQ_CST);
    uint32_t moved = __atomic_load_n(&progress, __ATOMIC_SEQ_CST) + now, n = n_threads;
    same = moved == before ? same + 1 : 0;
    before = moved;
    if (now < n_real()) {
      if (same > proviso_schedule.patience * 5) give_up(now);
      continue;
    }
    bool all = true;
    for (uint32_t i = 0; i < n; i++)
      all &= threads[i] && (threads[i]->ended || threads[i]->blocked);
    if (all && same >= 10) {
      show_deadlock(n);
      return unused;
    }
  }
}

/* ---- what the pass calls ------------------------------------------------------------------------
 */
static const struct freed {
  uint64_t from, to;
  uint32_t site;
} * freed_at(uint64_t address);
static void show_freed(struct thread *t, uint64_t at, uint32_t site);

void proviso_access(const void *address, uint32_t site) {
  struct thread *t = me();
  uint64_t at = (uintptr_t)address;
  if (UNLIKELY(imposed)) {
    come(t, site, at);
    if (proviso_schedule.error == 'f') show_freed(t, at, site);
  }
  if (trace < 0) return;
  struct seen *s = &t->seen[((at >> 2) ^ (at >> 14) ^ site * 97) & (SEEN - 1)];
  if (LIKELY(s->at == at && s->site == site && s->epoch == t->epoch)) return;
  *s = (struct seen){at, site, t->epoch};
  const struct proviso_site *p = &proviso_sites[site];
  if (UNLIKELY(p->bytes > 255)) {
    put(t, BYTES, p->bytes, 0, 0, 0);
    put(t, p->kind == 'r' ? READ : WRITE, at, site, 0, 0);
    return;
  }
  put(t, p->kind == 'r' ? READ : WRITE, at, site, (uint8_t)p->bytes, 0);
}

/* A block operation: n bytes from `from` (or none) to `to` (or none). */
void proviso_block(const void *to, const void *from, uint64_t n, uint32_t site) {
  struct thread *t = me();
  if (UNLIKELY(imposed)) come(t, site, (uintptr_t)(to ? to : from));
  if (trace < 0 || !n) return;
  if (from) put_range(t, READ, (uintptr_t)from, n, site);
  if (to) put_range(t, WRITE, (uintptr_t)to, n, site);
}

/* Before and after an atomic operation. Those on one address exclude each other, so that their
 * numbers are in their order. */
static uint32_t atomic_locks[64];
static uint32_t *atomic_lock(const void *address) {
  return &atomic_locks[((uintptr_t)address >> 3) & 63];
}
void proviso_atomic(const void *address, uint32_t site) {
  struct thread *t = me();
  if (UNLIKELY(imposed)) come(t, site, (uintptr_t)address);
  if (trace >= 0) lock_word(atomic_lock(address));
}
void proviso_atomic_done(const void *address, uint32_t site, uint32_t wrote) {
  struct thread *t = me();
  if (trace < 0) return;
  const struct proviso_site *p = &proviso_sites[site];
  put(t, SEQUENCE, __atomic_fetch_add(&sequence_number, 1, __ATOMIC_SEQ_CST), 0, 0, 0);
  unlock_word(atomic_lock(address));
  enum op op = p->kind == 'r' || !wrote ? READ : p->kind == 'w' ? WRITE : UPDATE;
  put(t, op, (uintptr_t)address, site, (uint8_t)p->bytes, wrote ? p->order : p->order_failed);
  t->epoch++;
}

/* Before a call of a function that is not instrumented. */
void proviso_call(uint32_t site) {
  struct thread *t = me();
  t->site = site;
  if (UNLIKELY(imposed)) come(t, site, 0);
}
/* Where the program calls its own error function, or comes to the label of an error. */
void proviso_reach(uint32_t site) {
  if (!imposed || proviso_schedule.error) return;
  struct thread *t = me();
  const struct proviso_site *s = &proviso_sites[site];
  char text[600];
  snprintf(text, sizeof text, "proviso: the error is reached: thread %u at %s:%u (%s)\n", t->number,
           s->file, s->line, s->function);
  say(text);
  if (!getenv("PROVISO_GO_ON")) _exit(ERROR_SHOWN);
}
void proviso_section(int change) {
  me()->atomic += (uint32_t)change;
}

static void end_of_thread(struct thread *t) {
  if (imposed) {
    t->at = 0;
    for (uint32_t key = 0; key < proviso_schedule.n_keys; key++)
      if (proviso_schedule.keys[key].kind == 'e') come_to(t, key);
    pass_on(t);
  }
  t->ended = true;
  __atomic_fetch_add(&progress, 1, __ATOMIC_RELAXED);
  if (trace >= 0 && t->buffer) flush(t);
}
/* Before main returns. */
void proviso_main_ends(void) {
  struct thread *t = me();
  if (!imposed) return;
  t->at = 0;
  for (uint32_t key = 0; key < proviso_schedule.n_keys; key++)
    if (proviso_schedule.keys[key].kind == 'e') come_to(t, key);
  pass_on(t);
}

static void enter(struct thread *t, const char *name) {
  __atomic_store_n(&t->blocked, name, __ATOMIC_SEQ_CST);
}
static void leave(struct thread *t) {
  __atomic_store_n(&t->blocked, NULL, __ATOMIC_SEQ_CST);
  __atomic_fetch_add(&progress, 1, __ATOMIC_RELAXED);
}

/* ---- memory
 * -------------------------------------------------------------------------------------- */
enum { FREED = 4096 };
static struct freed freed[FREED];
static uint32_t n_freed, freed_lock;

static const struct freed *freed_at(uint64_t address) {
  for (uint32_t i = 0; i < n_freed; i++)
    if (freed[i].from <= address && address < freed[i].to) return &freed[i];
  return NULL;
}

static void show_freed(struct thread *t, uint64_t at, uint32_t site) {
  lock_word(&freed_lock);
  const struct freed *f = freed_at(at);
  struct freed copy = f ? *f : (struct freed){0};
  unlock_word(&freed_lock);
  if (!copy.to) return;
  const struct proviso_site *s = &proviso_sites[site], *by = &proviso_sites[copy.site];
  char text[600];
  snprintf(text, sizeof text,
           "proviso: use of freed memory: thread %u at %s:%u:%u (%s) uses %#lx, which was freed at "
           "%s:%u\n",
           t->number, s->file, s->line, s->column, s->function, (unsigned long)at, by->file,
           by->line);
  say(text);
  if (!getenv("PROVISO_GO_ON")) _exit(ERROR_SHOWN);
}

static void note_freed(struct thread *t, void *p) {
  if (!imposed || proviso_schedule.error != 'f' || !p) return;
  show_freed(t, (uintptr_t)p, t->site);
  lock_word(&freed_lock);
  if (n_freed < FREED)
    freed[n_freed++] = (struct freed){(uintptr_t)p, (uintptr_t)p + malloc_usable_size(p), t->site};
  unlock_word(&freed_lock);
}
static void note_allocated(void *p) {
  if (!imposed || proviso_schedule.error != 'f') return;
  lock_word(&freed_lock);
  uint64_t from = (uintptr_t)p, to = from + malloc_usable_size(p);
  for (uint32_t i = 0; i < n_freed;)
    if (freed[i].from < to && from < freed[i].to)
      freed[i] = freed[--n_freed];
    else
      i++;
  unlock_word(&freed_lock);
}
static void *allocated(void *p) {
  if (!p) return p;
  note_allocated(p);
  if (trace >= 0) forget(me(), p, malloc_usable_size(p));
  return p;
}
void *proviso_malloc(size_t n) {
  return allocated(malloc(n));
}
void *proviso_calloc(size_t n, size_t size) {
  return allocated(calloc(n, size));
}
void *proviso_aligned_alloc(size_t align, size_t n) {
  return allocated(aligned_alloc(align, n));
}
void *proviso_realloc(void *p, size_t n) {
  note_freed(me(), p);
  return allocated(realloc(p, n));
}
int proviso_posix_memalign(void **p, size_t align, size_t n) {
  int rc = posix_memalign(p, align, n);
  if (!rc) allocated(*p);
  return rc;
}
void proviso_free(void *p) {
  note_freed(me(), p);
  free(p);
}

/* ---- threads of the program
 * ----------------------------------------------------------------------- */
struct routine {
  void *(*run)(void *);
  int (*run_c)(void *);
  void *argument;
  struct thread *thread;
};
static pthread_key_t end_key;
static void on_exit_of_thread(void *value) {
  struct thread *t = value;
  if (!t->ended) end_of_thread(t);
}
__attribute__((constructor)) static void make_key(void) {
  pthread_key_create(&end_key, on_exit_of_thread);
}

static void first_steps(struct thread *t) {
  self = t;
  pthread_setspecific(end_key, t);
  if (trace < 0) return;
  pthread_attr_t attr;
  void *stack = NULL;
  size_t n = 0;
  if (pthread_getattr_np(pthread_self(), &attr) == 0) {
    pthread_attr_getstack(&attr, &stack, &n);
    pthread_attr_destroy(&attr);
  }
  forget(t, stack, n);
}
static void *run_thread(void *argument) {
  struct routine r = *(struct routine *)argument;
  free(argument);
  first_steps(r.thread);
  void *result = r.run(r.argument);
  end_of_thread(r.thread);
  return result;
}
static int run_c_thread(void *argument) {
  struct routine r = *(struct routine *)argument;
  free(argument);
  first_steps(r.thread);
  int result = r.run_c(r.argument);
  end_of_thread(r.thread);
  return result;
}
static struct routine *new_routine(struct thread *t) {
  struct routine *r = calloc(1, sizeof *r);
  if (!r) _exit(OFF_THE_PATH);
  r->thread = new_thread();
  put_ordered(t, FORK, r->thread->number);
  return r;
}
int proviso_pthread_create(pthread_t *id, const pthread_attr_t *attr, void *(*run)(void *),
                           void *argument) {
  struct thread *t = me();
  struct routine *r = new_routine(t);
  struct thread *made = r->thread;
  r->run = run;
  r->argument = argument;
  pthread_t own;
  int rc = pthread_create(&own, attr, run_thread, r);
  if (rc) {
    made->ended = true;
    return rc;
  }
  *id = own;
  lock_word(&table_lock);
  made->id = own;
  made->has_id = true;
  unlock_word(&table_lock);
  return 0;
}
int proviso_thrd_create(thrd_t *id, thrd_start_t run, void *argument) {
  struct thread *t = me();
  struct routine *r = new_routine(t);
  struct thread *made = r->thread;
  r->run_c = run;
  r->argument = argument;
  int rc = thrd_create(id, run_c_thread, r);
  if (rc != thrd_success) {
    made->ended = true;
    return rc;
  }
  lock_word(&table_lock);
  made->id = (pthread_t)*id;
  made->has_id = true;
  unlock_word(&table_lock);
  return rc;
}
static struct thread *take_joined(pthread_t id) {
  struct thread *found = NULL;
  lock_word(&table_lock);
  for (uint32_t i = 0; i < n_threads && i < MAX_THREADS; i++)
    if (threads[i] && threads[i]->has_id && pthread_equal(threads[i]->id, id)) found = threads[i];
  if (found) found->has_id = false;
  unlock_word(&table_lock);
  return found;
}
int proviso_pthread_join(pthread_t id, void **result) {
  struct thread *t = me(), *joined = take_joined(id);
  enter(t, "pthread_join");
  int rc = pthread_join(id, result);
  leave(t);
  if (!rc && joined) put_ordered(t, JOIN, joined->number);
  return rc;
}
int proviso_thrd_join(thrd_t id, int *result) {
  struct thread *t = me(), *joined = take_joined((pthread_t)id);
  enter(t, "thrd_join");
  int rc = thrd_join(id, result);
  leave(t);
  if (rc == thrd_success && joined) put_ordered(t, JOIN, joined->number);
  return rc;
}
void proviso_pthread_exit(void *result) {
  end_of_thread(me());
  pthread_exit(result);
}

/* ---- locks
 * ----------------------------------------------------------------------------------------- */
#define LOCKS(NAME, TYPE, OP)                                                                      \
  int proviso_##NAME(TYPE *m) {                                                                    \
    struct thread *t = me();                                                                       \
    enter(t, #NAME);                                                                               \
    int rc = NAME(m);                                                                              \
    leave(t);                                                                                      \
    if (!rc) put_ordered(t, OP, (uintptr_t)m);                                                     \
    return rc;                                                                                     \
  }
#define UNLOCKS(NAME, TYPE, OP)                                                                    \
  int proviso_##NAME(TYPE *m) {                                                                    \
    put_ordered(me(), OP, (uintptr_t)m);                                                           \
    return NAME(m);                                                                                \
  }
LOCKS(pthread_mutex_lock, pthread_mutex_t, LOCK)
LOCKS(pthread_mutex_trylock, pthread_mutex_t, LOCK)
UNLOCKS(pthread_mutex_unlock, pthread_mutex_t, UNLOCK)
LOCKS(pthread_spin_lock, pthread_spinlock_t, LOCK)
LOCKS(pthread_spin_trylock, pthread_spinlock_t, LOCK)
UNLOCKS(pthread_spin_unlock, pthread_spinlock_t, UNLOCK)
LOCKS(pthread_rwlock_rdlock, pthread_rwlock_t, LOCK_SHARED)
LOCKS(pthread_rwlock_tryrdlock, pthread_rwlock_t, LOCK_SHARED)
LOCKS(pthread_rwlock_wrlock, pthread_rwlock_t, LOCK)
LOCKS(pthread_rwlock_trywrlock, pthread_rwlock_t, LOCK)
UNLOCKS(pthread_rwlock_unlock, pthread_rwlock_t, UNLOCK)
LOCKS(sem_wait, sem_t, ACQUIRE)
LOCKS(sem_trywait, sem_t, ACQUIRE)
UNLOCKS(sem_post, sem_t, RELEASE)
UNLOCKS(pthread_cond_signal, pthread_cond_t, RELEASE)
UNLOCKS(pthread_cond_broadcast, pthread_cond_t, RELEASE)
LOCKS(mtx_lock, mtx_t, LOCK)
LOCKS(mtx_trylock, mtx_t, LOCK)
UNLOCKS(mtx_unlock, mtx_t, UNLOCK)
UNLOCKS(cnd_signal, cnd_t, RELEASE)
UNLOCKS(cnd_broadcast, cnd_t, RELEASE)

int proviso_pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *until) {
  struct thread *t = me();
  if (imposed && t->times_out) return ETIMEDOUT;
  enter(t, "pthread_mutex_timedlock");
  int rc = pthread_mutex_timedlock(m, until);
  leave(t);
  if (!rc) put_ordered(t, LOCK, (uintptr_t)m);
  return rc;
}
int proviso_sem_timedwait(sem_t *s, const struct timespec *until) {
  struct thread *t = me();
  if (imposed && t->times_out) {
    errno = ETIMEDOUT;
    return -1;
  }
  enter(t, "sem_timedwait");
  int rc = sem_timedwait(s, until);
  leave(t);
  if (!rc) put_ordered(t, ACQUIRE, (uintptr_t)s);
  return rc;
}

/* A wait of the schedule: the mutex is released, other threads have their turns, and it is acquired
 * again. If the path ends before, the thread waits as the program does. */
static int wait_on(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *until) {
  struct thread *t = me();
  bool for_ever, times_out = imposed && t->times_out;
  int rc = 0;
  put_ordered(t, UNLOCK, (uintptr_t)m);
  if (goes_on(t, &for_ever)) {
    pthread_mutex_unlock(m);
    bool last = false;
    while (!last && goes_on(t, &for_ever)) {
      last = for_ever;
      wait_for(t, t->next);
      times_out |= t->times_out;
    }
    enter(t, "pthread_cond_wait");
    pthread_mutex_lock(m);
    if (last) rc = until ? pthread_cond_timedwait(c, m, until) : pthread_cond_wait(c, m);
    leave(t);
    if (!last && times_out && until) rc = ETIMEDOUT;
  } else {
    enter(t, "pthread_cond_wait");
    rc = until ? pthread_cond_timedwait(c, m, until) : pthread_cond_wait(c, m);
    leave(t);
  }
  put_ordered(t, LOCK, (uintptr_t)m);
  put_ordered(t, ACQUIRE, (uintptr_t)c);
  return rc;
}
int proviso_pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m) {
  return wait_on(c, m, NULL);
}
int proviso_pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m,
                                   const struct timespec *until) {
  return wait_on(c, m, until);
}
int proviso_cnd_wait(cnd_t *c, mtx_t *m) {
  return wait_on((pthread_cond_t *)c, (pthread_mutex_t *)m, NULL) ? thrd_error : thrd_success;
}

int proviso_pthread_barrier_wait(pthread_barrier_t *b) {
  struct thread *t = me();
  bool for_ever, goes = goes_on(t, &for_ever);
  uint32_t again = t->next;
  put_ordered(t, RELEASE, (uintptr_t)b);
  if (goes) pass_on(t);
  enter(t, "pthread_barrier_wait");
  if (goes && for_ever) t->at_last = true;
  int rc = pthread_barrier_wait(b);
  leave(t);
  if (goes) wait_for(t, again);
  put_ordered(t, ACQUIRE, (uintptr_t)b);
  return rc;
}

static __thread void (*initialise)(void);
static __thread pthread_once_t *once_of;
static void run_once(void) {
  pthread_once_t *once = once_of;
  initialise();
  put_ordered(me(), RELEASE, (uintptr_t)once);
}
int proviso_pthread_once(pthread_once_t *once, void (*run)(void)) {
  struct thread *t = me();
  bool for_ever;
  initialise = run;
  once_of = once;
  int rc = pthread_once(once, run_once);
  if (goes_on(t, &for_ever)) wait_for(t, t->next);
  put_ordered(t, ACQUIRE, (uintptr_t)once);
  return rc;
}

/* ---- ends of the program that run no handlers
 * ------------------------------------------------------ */
void proviso_abort(void) {
  close_trace();
  abort();
}
void proviso__exit(int status) {
  close_trace();
  _exit(status);
}

/* ---- what clang expects of its own runtime of ThreadSanitizer, and gcc's does not have
 * -------------- */
__attribute__((weak)) void *__tsan_memcpy(void *to, const void *from, size_t n) {
  return memcpy(to, from, n);
}
__attribute__((weak)) void *__tsan_memmove(void *to, const void *from, size_t n) {
  return memmove(to, from, n);
}
__attribute__((weak)) void *__tsan_memset(void *to, int value, size_t n) {
  return memset(to, value, n);
}
