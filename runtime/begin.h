/* begin.h -- threads become known to the runtime; its beginning. */

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
static void hold(void);

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
    if (imposed) {
      prepare_schedule();
      atexit(hold);
    }
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
