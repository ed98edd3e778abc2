/* state.h -- the threads, and the state of the runtime. */

enum { BUFFER = 1 << 15, SEEN = 1 << 12, LINES = 1 << 10, LINE = 64 /* bytes */ };
struct seen {
  uint64_t at;
  uint32_t site, epoch;
};

struct thread {
  uint32_t number;
  uint32_t site;         /* of the last call, for the wrappers */
  uint32_t epoch;        /* counts synchronisation, for `seen`, and */
  uint32_t lines[LINES]; /* ends and begins of objects, by where they are */
  uint32_t n;
  struct pv_trace_event *buffer;
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
