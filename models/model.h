/* model.h -- declarations that the models of the C library share.
 *
 * A model calls only intrinsics, static helpers and functions named `__proviso_*`, never a function
 * that a program may define itself (strlen, malloc, ...): a program with its own strlen must not
 * change what printf does. State that is shared by threads but invisible to the program (tables of
 * handlers and keys, the pushed-back byte of stdin) is accessed only between __proviso_atomic_begin
 * and __proviso_atomic_end. State that C declares unsafe to share (that of strtok) is accessed
 * plainly, so that races on it are found. */
#ifndef PV_MODEL_H
#define PV_MODEL_H

#include "intrinsics.h"
#include <limits.h>
#include <stdbool.h>

/* Values on Linux, the same for both data models. */
enum {
  EPERM = 1,
  ESRCH = 3,
  EBADF = 9,
  EAGAIN = 11,
  ENOMEM = 12,
  EBUSY = 16,
  EINVAL = 22,
  EDOM = 33,
  ERANGE = 34,
  EDEADLK = 35,
  EOVERFLOW = 75,
  EILSEQ = 84,
  ENOTSUP = 95,
  ETIMEDOUT = 110,
  ECANCELED = 125
};
enum { EOF = -1 };

extern _Thread_local int __proviso_errno;
#define errno __proviso_errno

typedef long ssize_t_model; /* pointer-sized and signed in both data models */

/* The same in both data models of glibc: seconds and nanoseconds have type long. */
struct timespec {
  long tv_sec, tv_nsec;
};

static inline size_t pv_length(const char *s) {
  size_t n = 0;
  while (s[n]) n++;
  return n;
}
static inline size_t pv_length_max(const char *s, size_t max) {
  size_t n = 0;
  while (n < max && s[n]) n++;
  return n;
}
static inline bool pv_is_space(int c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}
static inline bool pv_is_digit(int c) {
  return c >= '0' && c <= '9';
}
static inline bool pv_is_upper(int c) {
  return c >= 'A' && c <= 'Z';
}
static inline bool pv_is_lower(int c) {
  return c >= 'a' && c <= 'z';
}
static inline int pv_to_lower(int c) {
  return pv_is_upper(c) ? c + ('a' - 'A') : c;
}
static inline int pv_to_upper(int c) {
  return pv_is_lower(c) ? c - ('a' - 'A') : c;
}
/* 0..35, or 36 if the character is not a digit in any base. */
static inline unsigned pv_digit_value(int c) {
  if (pv_is_digit(c)) return (unsigned)(c - '0');
  if (pv_is_lower(c)) return (unsigned)(c - 'a') + 10;
  if (pv_is_upper(c)) return (unsigned)(c - 'A') + 10;
  return 36;
}

/* The offset of `to` from the start of a range of n bytes at `from`; it is inside if the result is
 * less than n. If a range of n bytes at `to` begins before `from` and overlaps it: 0. */
static inline size_t pv_offset(const void *from, const void *to, size_t n) {
  size_t d = __proviso_distance(from, to);
  return 0 - d < n ? 0 : d;
}
static inline bool pv_overlap(const void *a, size_t n, const void *b, size_t m) {
  return n > 0 && m > 0 && pv_offset(a, b, m) < n;
}

#define PV_OVERLAP "source and destination of a copied string overlap"
/* C11, 7.24.1: a pointer must be valid even for zero bytes. If there are bytes, the access itself
 * checks it. */
static inline void pv_check_given(const void *p, size_t n) {
  __proviso_check(n > 0 || p != NULL, "a null pointer is passed to a function of string.h");
}
/* An assignment of structures may copy bytes to themselves, a copy of strings may not. */
static inline void pv_copy_text(char *to, const char *from, size_t n) {
  __proviso_check(n == 0 || __proviso_distance(to, from) != 0, "a string is copied to itself");
  __proviso_copy_disjoint(to, from, n);
}

/* Adds the proviso that `WHAT` (a literal) does not happen. */
#define PV_PROVIDED_NOT(WHAT)                                                                      \
  do {                                                                                             \
    if (__proviso_choose(0, 1)) __proviso_unsupported(WHAT);                                       \
  } while (0)

/* stdlib.c */
void *__proviso_malloc(size_t size);
/* number.c; *end is never null */
enum pv_float_kind { PV_KIND_FLOAT, PV_KIND_DOUBLE, PV_KIND_LONG_DOUBLE };
long double __proviso_parse_float(const char *text, const char **end, enum pv_float_kind kind);
/* The magnitude of the number with the digits of `base` at text; sets *overflow if it does not fit
 * into 64 bits. */
unsigned long long __proviso_parse_magnitude(const char *text, const char **end, int base,
                                             bool *negative, bool *overflow);
/* strerror.c: returns a constant, or writes to the buffer (32 bytes) if the number has no message
 * of its own */
const char *__proviso_error_text(int number, char *buffer);

/* file_use.c */
extern const _Bool __proviso_has_files, __proviso_has_threads;
extern const _Bool __proviso_has_cancel, __proviso_has_cleanup, __proviso_has_destructors;
extern const _Bool __proviso_has_sysc_time, __proviso_has_sysc_deltas, __proviso_has_sysc_triggered;
extern const _Bool __proviso_has_sysc_timed_out, __proviso_has_sysc_activity;

/* A stream; programs use it only through pointers. For a standard stream only fd is read, as long
 * as it is 0, 1 or 2. freopen gives it another descriptor, fclose PV_CLOSED. */
enum { PV_CLOSED = -2 };
struct _IO_FILE {
  int fd;
  bool standard; /* stdin, stdout or stderr: not an object of the program */
  int pushed;    /* 1 + the byte that ungetc put back; 0: none */
  bool ended, failed;
  /* The last operation, 'r' or 'w'; 0: none since the last seek. A change between them needs a
   * seek. */
  char last;
  bool can_read, can_write;
  uint64_t lock[6]; /* a mutex, used only if there are threads */
};
typedef struct _IO_FILE FILE;
/* stdio.c */
FILE *__proviso_standard(int fd);
bool __proviso_moved(
    int fd); /* has freopen or fclose been called for the standard stream? See pv_moved */
int __proviso_get(FILE *s); /* any stream */
void __proviso_unget(FILE *s, int c);
bool __proviso_output(int fd, const char *text, size_t n); /* false: failed, errno is set */
/* file_stream.c: streams of files. The caller holds the lock. */
void __proviso_stream_lock(FILE *s);
void __proviso_stream_unlock(FILE *s);
int __proviso_stream_get(FILE *s);
void __proviso_stream_unget(FILE *s, int c);
size_t __proviso_stream_read(FILE *s, void *to, size_t n);
bool __proviso_stream_may_write(FILE *s); /* false: errno is set */
bool __proviso_stream_put(FILE *s, const void *from, size_t n);
/* In programs that open no file both are false at once, and the code behind them is removed
 * (idle.c). They are macros because the branch must be in the caller. */
#define pv_is_file(S) (__proviso_has_files && (unsigned)(S)->fd > 2)
#define pv_moved(FD)  (__proviso_has_files && __proviso_moved(FD))
/* For what uses a standard stream without looking at the object; the program has no freopen. */
static inline void pv_check_open(int fd) {
  if (pv_moved(fd)) __proviso_check(0, "a standard stream is used after it was closed");
}
/* A character is put out by itself: an indeterminate one is used then, by a branch. Of blocks this
 * is not checked, since they may have padding. */
static inline void pv_use_character(int c) {
  if (__proviso_setting(PV_SETTING_DEFINED))
    if ((unsigned char)c) {
    }
}
static inline void pv_lock(FILE *s) {
  if (__proviso_has_threads && pv_is_file(s) && s->fd != PV_CLOSED) __proviso_stream_lock(s);
}
static inline void pv_unlock(FILE *s) {
  if (__proviso_has_threads && pv_is_file(s) && s->fd != PV_CLOSED) __proviso_stream_unlock(s);
}

/* stdio.c: the destination of formatted text. */
struct pv_sink {
  char *at;        /* the destination in memory; for a stream its buffer */
  size_t capacity; /* bytes that fit at `at` */
  size_t total;    /* bytes produced so far */
  size_t held;     /* stream: bytes in the buffer that are not written yet */
  int fd;          /* the descriptor, or -1: memory */
  FILE *file;      /* not NULL: a stream that belongs to a file */
  bool failed;     /* some text could not be written */
  size_t nearest;  /* memory: the smallest offset from its start at which a text was read */
};
void __proviso_emit(struct pv_sink *sink, const char *text, size_t n);
/* Records that a text of the caller is read: it must not overlap the destination. */
static inline void pv_reads(struct pv_sink *sink, const char *text, size_t n) {
  size_t d = sink->fd < 0 ? pv_offset(sink->at, text, n) : SIZE_MAX;
  if (d < sink->nearest) sink->nearest = d;
}
void __proviso_pad(struct pv_sink *sink, char c, size_t n);

/* One conversion of a format. */
struct pv_spec {
  bool left, plus, space, alt, zero;
  int width, precision; /* precision < 0: not given */
  char length;          /* 0, 'h', 'H' (hh), 'l', 'q' (ll, L, j of 64 bits) */
  char conv;
};
/* A va_list by pointer, because it may be an array type. */
struct pv_args {
  va_list ap;
};
/* Call it when arguments were taken from a copy of the list: then the caller's list is
 * indeterminate (C11, 7.16, 3). With 32 bits it is a pointer, which the caller keeps. */
static inline void pv_list_used(va_list list, const struct pv_args *taken) {
#if __SIZEOF_POINTER__ == 8
  char unset[sizeof taken->ap];
  if (taken->ap[0].overflow_arg_area != list[0].overflow_arg_area)
    __proviso_copy(list, unset, sizeof unset);
#else
  (void)list;
  (void)taken;
#endif
}
/* stdio.c: to standard error */
int __proviso_print_error(const char *format, struct pv_args *args);
/* start.c: what exit does */
_Noreturn void __proviso_end_program(int status);
/* format.c: writes the text and returns its length, or -1 with errno set. */
int __proviso_format(struct pv_sink *sink, const char *format, struct pv_args *args);
/* format.c: pieces of a format that is a literal, to standard output or standard error
 * (src/frontend/specialise_formats.c). Each returns the length. The flags are - 1, + 2, space 4, #
 * 8 and 0 16; precision < 0: not given. */
void __proviso_put_begin(int fd);
int __proviso_put_end(int fd, size_t total); /* the result of printf */
size_t __proviso_put_text(int fd, const char *text, size_t n);
size_t __proviso_put_decimal(int fd, int64_t value);
size_t __proviso_put_unsigned(int fd, uint64_t value);
size_t __proviso_put_hexadecimal(int fd, uint64_t value);
size_t __proviso_put_sign(int fd, int64_t value);
size_t __proviso_put_magnitude(int fd, int64_t value);
size_t __proviso_put_pad(int fd, size_t length, int k, int c);
size_t __proviso_length_unsigned(uint64_t value);
size_t __proviso_length_hexadecimal(uint64_t value);
size_t __proviso_length_decimal(int64_t value);
size_t __proviso_length_string(const char *text);
size_t __proviso_put_byte(int fd, int c);
size_t __proviso_put_string(int fd, const char *text);
size_t __proviso_put_integer(int fd, uint64_t value, int width, int precision, int flags, int conv);
size_t __proviso_put_pointer(int fd, const void *p, int width, int precision, int flags, int conv);
size_t __proviso_put_character(int fd, int c, int width, int precision, int flags, int conv);
/* The same for sprintf and snprintf: format_memory.c and format.c. */
size_t __proviso_at_capacity(size_t size);
void __proviso_at_close(char *to, size_t size, size_t total, size_t nearest); /* writes the end */
int __proviso_at_end(char *to, size_t size, size_t total, size_t nearest);    /* the result */
size_t __proviso_at_text(char *to, size_t capacity, size_t total, const char *text, size_t n);
size_t __proviso_at_byte(char *to, size_t capacity, size_t total, int c);
size_t __proviso_at_pad(char *to, size_t capacity, size_t total, size_t length, int k, int c);
size_t __proviso_at_spaces(char *to, size_t capacity, size_t total, size_t length, int width);
const char *__proviso_at_argument(char *to, size_t capacity, size_t total, const char *text,
                                  int precision);
size_t __proviso_at_length(const char *text, int precision);
size_t __proviso_at_reads(char *to, size_t nearest, const char *text, size_t n, int precision);
size_t __proviso_at_sign(char *to, size_t capacity, size_t total, int64_t value);
size_t __proviso_at_magnitude(char *to, size_t capacity, size_t total, int64_t value);
size_t __proviso_at_decimal(char *to, size_t capacity, size_t total, int64_t value);
size_t __proviso_at_unsigned(char *to, size_t capacity, size_t total, uint64_t value);
size_t __proviso_at_hexadecimal(char *to, size_t capacity, size_t total, uint64_t value);
size_t __proviso_at_short_magnitude(char *to, size_t capacity, size_t total, int64_t value);
size_t __proviso_at_short_decimal(char *to, size_t capacity, size_t total, int64_t value);
size_t __proviso_at_short_unsigned(char *to, size_t capacity, size_t total, uint64_t value);
size_t __proviso_at_short_hexadecimal(char *to, size_t capacity, size_t total, uint64_t value);
size_t __proviso_at_integer(char *to, size_t capacity, size_t total, uint64_t value, int width,
                            int precision, int flags, int conv);
size_t __proviso_at_pointer(char *to, size_t capacity, size_t total, const void *p, int width,
                            int precision, int flags, int conv);
size_t __proviso_at_character(char *to, size_t capacity, size_t total, int c, int width,
                              int precision, int flags, int conv);
size_t __proviso_at_double(char *to, size_t capacity, size_t total, double value, int width,
                           int precision, int flags, int conv);
/* scan.c: numbers from standard input, of a format that is a literal */
int __proviso_get_begin(void); /* the first state */
int __proviso_get_integer(int state, void *to, int length, int conv);
int __proviso_get_end(int state);
/* format_float.c: long double represents every double exactly. is_long selects the form of %a. */
void __proviso_format_float(struct pv_sink *sink, const struct pv_spec *spec, long double value,
                            bool is_long);

/* stdin as unconstrained bytes (stdin.c). */
int __proviso_stdin_get(void);
extern _Bool __proviso_stdin_given;  /* --stdin */
bool __proviso_stdin_is_known(void); /* is the text given, or one of those that the VM tries? */
void __proviso_stdin_unget(int c);
bool __proviso_stdin_at_end(void);
void __proviso_stdin_clear(void);
/* SPELLED: the bytes are known; parse them. */
enum pv_stdin_number { PV_STDIN_NUMBER, PV_STDIN_MISMATCH, PV_STDIN_END, PV_STDIN_SPELLED };
/* The next input of a decimal conversion. For PV_STDIN_NUMBER the digits are consumed. */
enum pv_stdin_number __proviso_stdin_number(void);

/* start.c: arguments and environment */
void __proviso_any_count(void);
void __proviso_any_arguments(void);
char *__proviso_get_variable(const char *name);
extern _Bool __proviso_environment_given;
/* start.c: handlers of exit and of thread-local C++ objects */
void __proviso_run_thread_exits(void);
enum { PV_FIRST_THREAD = 1 }; /* the number of the first thread (sched/pthread.c) */
int __proviso_clock_gettime(int clock, struct timespec *result);
int __proviso_processors(void);   /* the number of processors: a choice */
void __proviso_main_leaves(void); /* the first thread ends, but not the program */
/* Is the time limit of a wait a valid time? Reads it. */
static inline bool pv_is_time(const struct timespec *when) {
  (void)*(const volatile long *)&when->tv_sec;
  return when->tv_nsec >= 0 && when->tv_nsec < 1000000000;
}
/* An invalid time is an error only if the call would wait for it. */
static inline int pv_lock_until(void *mutex, const struct timespec *when) {
  if (pv_is_time(when)) return __proviso_mutex_timedlock(mutex);
  int error = __proviso_mutex_trylock(mutex);
  return error == EBUSY ? EINVAL : error;
}
/* signal.c: has a handler been installed, has a mask of signals been set? */
extern bool __proviso_signals_caught;
extern bool __proviso_masks_change;
void __proviso_signal_left(void); /* a handler ended by longjmp */
int __proviso_process(void);      /* unistd.c: the number of this process */
/* signal.c: the mask of the calling thread */
uint64_t __proviso_signal_mask(void);
void __proviso_set_signal_mask(uint64_t mask);
/* setjmp.c: what is in a jmp_buf. */
struct pv_jump_buffer {
  void *marker;
  int saves_mask;
  uint64_t mask;
};
_Noreturn void __proviso_jump(const struct pv_jump_buffer *b, int value);
/* cancel.c: the calling thread ends: its handlers run, then __proviso_leave. */
_Noreturn void __proviso_unwind(void *result);
void __proviso_ends(void);        /* it is not to be cancelled any more */
void __proviso_in_once(int more); /* it begins (1) or ends (-1) an initialiser */
void __proviso_test_cancel(void); /* is the thread asked to end? Then it does. */
void __proviso_await_cancel(
    void); /* the same, where it would wait for that if it can be cancelled */
int __proviso_cancel_join(uintptr_t thread, void **result);
int __proviso_cancel_wait(void *cond, void *mutex);
int __proviso_cancel_timedwait(void *cond, void *mutex);
int __proviso_cancel_sem_wait(void *semaphore);
void __proviso_may_cancel(void); /* the same, perhaps: POSIX leaves it open */
#define pv_cancel_point()                                                                          \
  do {                                                                                             \
    if (__proviso_has_cancel) __proviso_test_cancel();                                             \
  } while (0)
#define pv_may_cancel_point()                                                                      \
  do {                                                                                             \
    if (__proviso_has_cancel) __proviso_may_cancel();                                              \
  } while (0)
/* pthread.c */
_Noreturn void __proviso_leave(void *result); /* the end of a thread, after its handlers */
void __proviso_run_key_destructors(void);
int __proviso_key_create(unsigned *key, void (*destructor)(void *));
int __proviso_key_delete(unsigned key);
void *__proviso_key_get(unsigned key);
int __proviso_key_set(unsigned key, const void *value);

#endif
