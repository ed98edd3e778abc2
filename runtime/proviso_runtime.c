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
 * The parts are in files of their own, by topic. cmake/runtime.cmake puts them in the places of the
 * lines that include them, so that the text is complete: it is compiled on the user's machine.
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

#include "monitor/trace_format.h"

#include "program.h"
#include "state.h"
#include "trace.h"
#include "begin.h"
#include "schedule.h"

/* ---- what the pass calls ---- */
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
  if (trace < 0 || t->atomic) return;
  if (UNLIKELY(imposed)) {
    number_next(t);
    put_range(t, proviso_sites[site].kind == 'r' ? PV_TRACE_READ : PV_TRACE_WRITE, at,
              proviso_sites[site].bytes, site);
    return;
  }
  struct seen *s = &t->seen[((at >> 2) ^ (at >> 14) ^ site * 97) & (SEEN - 1)];
  uint32_t now = era(t, at);
  if (LIKELY(s->at == at && s->site == site && s->epoch == now)) return;
  *s = (struct seen){at, site, now};
  const struct proviso_site *p = &proviso_sites[site];
  if (UNLIKELY(p->bytes > 255)) {
    put(t, PV_TRACE_BYTES, p->bytes, 0, 0, 0);
    put(t, p->kind == 'r' ? PV_TRACE_READ : PV_TRACE_WRITE, at, site, 0, 0);
    return;
  }
  put(t, p->kind == 'r' ? PV_TRACE_READ : PV_TRACE_WRITE, at, site, (uint8_t)p->bytes, 0);
}

/* A block operation: n bytes from `from` (or none) to `to` (or none). */
void proviso_block(const void *to, const void *from, uint64_t n, uint32_t site) {
  struct thread *t = me();
  if (UNLIKELY(imposed)) come(t, site, (uintptr_t)(to ? to : from));
  if (trace < 0 || !n || t->atomic) return;
  if (from && imposed) number_next(t);
  if (from) put_range(t, PV_TRACE_READ, (uintptr_t)from, n, site);
  if (to && imposed) number_next(t);
  if (to) put_range(t, PV_TRACE_WRITE, (uintptr_t)to, n, site);
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
  if (!t->atomic) number_next(t);
  unlock_word(atomic_lock(address));
  if (t->atomic) return;
  enum pv_trace_kind op = p->kind == 'r' || !wrote ? PV_TRACE_READ
                          : p->kind == 'w'         ? PV_TRACE_WRITE
                                                   : PV_TRACE_UPDATE;
  put(t, op, (uintptr_t)address, site, (uint8_t)p->bytes, wrote ? p->order : p->order_failed);
  t->epoch++;
}

void proviso_fence(uint32_t site) {
  struct thread *t = me();
  if (trace < 0 || !t->buffer) return;
  number_next(t);
  put(t, PV_TRACE_FENCE, 0, site, 0, proviso_sites[site].order);
  t->epoch++;
}

/* Before the end of a local variable that other threads may have reached. */
void proviso_ends(const void *address, uint64_t bytes, uint32_t site) {
  put_object(me(), PV_TRACE_END, address, bytes, site);
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
  if (!getenv("PROVISO_GO_ON")) end_with(ERROR_SHOWN);
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

#include "memory.h"
#include "thread_calls.h"
#include "lock_calls.h"

/* ---- ends of the program that run no handlers ---- */
void proviso_abort(void) {
  close_trace();
  abort();
}
void proviso__exit(int status) {
  if (imposed) hold();
  end_with(status);
}

/* ---- what clang expects of its own runtime of ThreadSanitizer, and gcc's does not have ---- */
__attribute__((weak)) void *__tsan_memcpy(void *to, const void *from, size_t n) {
  return memcpy(to, from, n);
}
__attribute__((weak)) void *__tsan_memmove(void *to, const void *from, size_t n) {
  return memmove(to, from, n);
}
__attribute__((weak)) void *__tsan_memset(void *to, int value, size_t n) {
  return memset(to, value, n);
}
