/* program.h -- what the pass and the schedule provide: tables of the program. */

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
  char error;          /* 'r' data race, 'd' deadlock, 'f' use of freed memory, 't' none: threads
                          stop where the path ends, 0: another one */
  uint32_t one, other; /* the threads of a race */
  uint32_t patience;   /* tenths of a second without progress until the path is given up */
};
extern const struct proviso_schedule proviso_schedule __attribute__((weak));

enum { ERROR_SHOWN = 107, OFF_THE_PATH = 108 };
enum { MAX_THREADS = 1024, MAX_KEYS = 4096 };
