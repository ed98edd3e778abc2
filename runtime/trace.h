/* trace.h -- writes the trace: a buffer for each thread, its head and its end (src/monitor/trace.h
 * has the format). */

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

static inline void put(struct thread *t, enum pv_trace_kind op, uint64_t at, uint32_t site,
                       uint8_t bytes, uint8_t order) {
  if (UNLIKELY(t->n == BUFFER)) flush(t);
  t->buffer[t->n] = (struct pv_trace_event){at, site, (uint8_t)op, bytes, order, 0};
  __atomic_store_n(&t->n, t->n + 1, __ATOMIC_RELEASE);
}

/* The next event is ordered after and before those of other threads. */
static void number_next(struct thread *t) {
  put(t, PV_TRACE_SEQUENCE, __atomic_fetch_add(&sequence_number, 1, __ATOMIC_SEQ_CST), 0, 0, 0);
}

/* An event that is ordered after and before those of other threads. */
static void put_ordered(struct thread *t, enum pv_trace_kind op, uint64_t at) {
  if (trace < 0 || !t->buffer) return;
  number_next(t);
  put(t, op, at, t->site, 0, 0);
  t->epoch++;
}

static void put_range(struct thread *t, enum pv_trace_kind op, uint64_t at, uint64_t bytes,
                      uint32_t site) {
  put(t, PV_TRACE_BYTES, bytes, 0, 0, 0);
  put(t, op, at, site, 0, 0);
}

/* Changes for an address whenever an access to it has to be told again. */
static inline uint32_t era(const struct thread *t, uint64_t at) {
  return t->epoch + t->lines[at / LINE % LINES];
}

static void put_object(struct thread *t, enum pv_trace_kind op, const void *at, size_t bytes,
                       uint32_t site) {
  if (trace < 0 || !t->buffer || !at) return;
  number_next(t);
  put_range(t, op, (uintptr_t)at, bytes, site);
  uint64_t first = (uintptr_t)at / LINE, last = ((uintptr_t)at + bytes) / LINE;
  if (last - first >= LINES) t->epoch++;
  for (uint64_t i = first; i <= last && last - first < LINES; i++) t->lines[i % LINES]++;
}

/* [at, at + bytes) is new memory. */
static void forget(struct thread *t, const void *at, size_t bytes) {
  put_object(t, PV_TRACE_FORGET, at, bytes, t->site);
}

static uint32_t length(const char *text) {
  return (uint32_t)strlen(text) + 1;
}

static void write_head(void) {
  struct {
    char magic[8];
    uint32_t version, sites, objects, text, unused;
  } head = {"PVTRACE", PV_TRACE_VERSION, proviso_site_count, proviso_object_count, 0, 0};
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

static void end_with(int status) {
  close_trace();
  _exit(status);
}
