/* stdio.c -- stdio.h: characters, lines and formatted text. Output is formatted exactly and passed
 * on as a whole if it fits a buffer. Standard input comes from stdin.c; files are opened and closed
 * in file_stream.c. */
#include "file.h"

static FILE streams[3] = {
    {.fd = 0, .standard = true}, {.fd = 1, .standard = true}, {.fd = 2, .standard = true}};
FILE *stdin = &streams[0], *stdout = &streams[1], *stderr = &streams[2];

enum { BUFFER = 256 };

FILE *__proviso_standard(int fd) {
  return &streams[fd];
}
bool __proviso_moved(int fd) {
  return streams[fd].fd != fd;
}

/* ---- output ---- */

bool __proviso_output(int fd, const char *text, size_t n) {
  if (fd == 1 || fd == 2) {
    __proviso_print(fd, text, n);
    return true;
  }
  if (__proviso_has_files && (__proviso_file_rights(fd) & PV_WRITE)) {
    if (n > 0 && __proviso_call_may_fail("a file cannot be written")) {
      errno = ENOSPC;
      return false;
    }
    __proviso_file_put(fd, text, n);
    return true;
  }
  if (!__proviso_has_files && fd > 2)
    __proviso_unsupported("output to a file descriptor other than 1 and 2");
  errno = EBADF; /* stdin is not open for writing */
  return false;
}

static int print_to(int fd, FILE *s, const char *format, struct pv_args *args) {
  if (__proviso_has_cancel) { /* a stream of a file is locked already */
    if (s == NULL) __proviso_may_cancel();
  }
  char buffer[BUFFER];
  struct pv_sink sink = {.at = buffer, .capacity = sizeof buffer, .fd = fd, .file = s};
  if (fd != 1 && fd != 2 && !__proviso_output(fd, buffer, 0)) return -1;
  int n = __proviso_format(&sink, format, args);
  return sink.failed ? -1 : n;
}
int __proviso_print_error(const char *format, struct pv_args *args) {
  return print_to(2, NULL, format, args);
}
static int print_stream(FILE *s, const char *format, struct pv_args *args) {
  if (!pv_is_file(s)) return print_to(s->fd, NULL, format, args);
  pv_may_cancel_point();
  pv_lock(s);
  int n = __proviso_stream_may_write(s) ? print_to(s->fd, s, format, args) : -1;
  pv_unlock(s);
  return n;
}
static int print_out(const char *format, struct pv_args *args) {
  return pv_moved(1) ? print_stream(&streams[1], format, args) : print_to(1, NULL, format, args);
}
static int print_at(char *to, size_t size, const char *format, struct pv_args *args) {
  struct pv_sink sink = {.at = to, .capacity = __proviso_at_capacity(size), .fd = -1};
  int n = __proviso_format(&sink, format, args);
  __proviso_at_close(to, size, sink.total, sink.nearest);
  return n;
}
/* Measures, allocates, writes. */
static int print_new(char **result, const char *format, struct pv_args *args) {
  struct pv_args again;
  struct pv_sink sink = {.fd = -1};
  va_copy(again.ap, args->ap);
  int n = __proviso_format(&sink, format, args);
  *result = NULL;
  if (n >= 0) {
    char *text = __proviso_malloc((size_t)n + 1);
    if (text) {
      print_at(text, (size_t)n + 1, format, &again);
      *result = text;
    } else {
      n = -1;
    }
  }
  va_end(again.ap);
  return n;
}

/* Each function with `...` and its variant with a va_list. */
#define WITH_ARGUMENTS(EXPRESSION, LAST)                                                           \
  struct pv_args args;                                                                             \
  va_start(args.ap, LAST);                                                                         \
  int result = (EXPRESSION);                                                                       \
  va_end(args.ap);                                                                                 \
  return result
#define WITH_LIST(EXPRESSION)                                                                      \
  struct pv_args args;                                                                             \
  va_copy(args.ap, list);                                                                          \
  int result = (EXPRESSION);                                                                       \
  pv_list_used(list, &args);                                                                       \
  va_end(args.ap);                                                                                 \
  return result

int printf(const char *restrict f, ...) {
  WITH_ARGUMENTS(print_out(f, &args), f);
}
int vprintf(const char *restrict f, va_list list) {
  WITH_LIST(print_out(f, &args));
}
int fprintf(FILE *restrict s, const char *restrict f, ...) {
  WITH_ARGUMENTS(print_stream(s, f, &args), f);
}
int vfprintf(FILE *restrict s, const char *restrict f, va_list list) {
  WITH_LIST(print_stream(s, f, &args));
}
int dprintf(int fd, const char *restrict f, ...) {
  WITH_ARGUMENTS(print_to(fd, NULL, f, &args), f);
}
int vdprintf(int fd, const char *restrict f, va_list list) {
  WITH_LIST(print_to(fd, NULL, f, &args));
}
int sprintf(char *restrict to, const char *restrict f, ...) {
  WITH_ARGUMENTS(print_at(to, SIZE_MAX, f, &args), f);
}
int vsprintf(char *restrict to, const char *restrict f, va_list list) {
  WITH_LIST(print_at(to, SIZE_MAX, f, &args));
}
int snprintf(char *restrict to, size_t n, const char *restrict f, ...) {
  WITH_ARGUMENTS(print_at(to, n, f, &args), f);
}
int vsnprintf(char *restrict to, size_t n, const char *restrict f, va_list list) {
  WITH_LIST(print_at(to, n, f, &args));
}
int asprintf(char **restrict to, const char *restrict f, ...) {
  WITH_ARGUMENTS(print_new(to, f, &args), f);
}
int vasprintf(char **restrict to, const char *restrict f, va_list list) {
  WITH_LIST(print_new(to, f, &args));
}
/* The functions that a fortified program calls; every access checks object sizes anyway. */
int __printf_chk(int flag, const char *restrict f, ...) {
  (void)flag;
  WITH_ARGUMENTS(print_out(f, &args), f);
}
int __vprintf_chk(int flag, const char *restrict f, va_list list) {
  (void)flag;
  WITH_LIST(print_out(f, &args));
}
int __fprintf_chk(FILE *restrict s, int flag, const char *restrict f, ...) {
  (void)flag;
  WITH_ARGUMENTS(print_stream(s, f, &args), f);
}
int __vfprintf_chk(FILE *restrict s, int flag, const char *restrict f, va_list list) {
  (void)flag;
  WITH_LIST(print_stream(s, f, &args));
}
int __dprintf_chk(int fd, int flag, const char *restrict f, ...) {
  (void)flag;
  WITH_ARGUMENTS(print_to(fd, NULL, f, &args), f);
}
int __sprintf_chk(char *restrict to, int flag, size_t room, const char *restrict f, ...) {
  (void)flag;
  (void)room;
  WITH_ARGUMENTS(print_at(to, SIZE_MAX, f, &args), f);
}
int __vsprintf_chk(char *restrict to, int flag, size_t room, const char *restrict f, va_list list) {
  (void)flag;
  (void)room;
  WITH_LIST(print_at(to, SIZE_MAX, f, &args));
}
int __snprintf_chk(char *restrict to, size_t n, int flag, size_t room, const char *restrict f,
                   ...) {
  (void)flag;
  (void)room;
  WITH_ARGUMENTS(print_at(to, n, f, &args), f);
}
int __vsnprintf_chk(char *restrict to, size_t n, int flag, size_t room, const char *restrict f,
                    va_list list) {
  (void)flag;
  (void)room;
  WITH_LIST(print_at(to, n, f, &args));
}
int __asprintf_chk(char **restrict to, int flag, const char *restrict f, ...) {
  (void)flag;
  WITH_ARGUMENTS(print_new(to, f, &args), f);
}

static bool put(FILE *s, const char *text, size_t n) {
  pv_may_cancel_point();
  if (!pv_is_file(s)) return __proviso_output(s->fd, text, n);
  pv_lock(s);
  bool fine = __proviso_stream_put(s, text, n);
  pv_unlock(s);
  return fine;
}
static int put_char(int c, FILE *s) {
  pv_use_character(c);
  char byte = (char)c;
  return put(s, &byte, 1) ? (unsigned char)c : EOF;
}
/* To stdout or stderr. */
static int print_text(int fd, const char *text, size_t n) {
  if (pv_moved(fd)) return put(&streams[fd], text, n) ? 1 : EOF;
  __proviso_print(fd, text, n);
  return 1;
}
static int put_out(int c) {
  pv_use_character(c);
  pv_may_cancel_point();
  char byte = (char)c;
  return print_text(1, &byte, 1) == EOF ? EOF : (unsigned char)c;
}
int putchar(int c) {
  return put_out(c);
}
int putchar_unlocked(int c) {
  return put_out(c);
}
int fputc(int c, FILE *s) {
  return put_char(c, s);
}
int putc(int c, FILE *s) {
  return put_char(c, s);
}
int putc_unlocked(int c, FILE *s) {
  return put_char(c, s);
}
int fputc_unlocked(int c, FILE *s) {
  return put_char(c, s);
}
int _IO_putc(int c, FILE *s) {
  return put_char(c, s);
}
int fputs(const char *restrict text, FILE *restrict s) {
  return put(s, text, pv_length(text)) ? 1 : EOF;
}
int fputs_unlocked(const char *restrict text, FILE *restrict s) {
  return put(s, text, pv_length(text)) ? 1 : EOF;
}
int puts(const char *text) {
  pv_may_cancel_point();
  return print_text(1, text, pv_length(text)) == EOF ? EOF : print_text(1, "\n", 1);
}
size_t fwrite(const void *restrict data, size_t size, size_t count, FILE *restrict s) {
  size_t bytes;
  if (__builtin_mul_overflow(size, count, &bytes))
    __proviso_unsupported("fwrite of more than the address space");
  return bytes == 0 || !put(s, data, bytes) ? 0 : count;
}
static void complain(const char *text) {
  print_text(2, text, pv_length(text));
}
void perror(const char *prefix) {
  pv_may_cancel_point();
  char buffer[32];
  const char *text = __proviso_error_text(errno, buffer);
  if (prefix && *prefix) {
    complain(prefix);
    complain(": ");
  }
  complain(text);
  complain("\n");
}
void setbuf(FILE *restrict s, char *restrict buffer) {
  (void)s, (void)buffer;
}
void setlinebuf(FILE *s) {
  (void)s;
}
int setvbuf(FILE *restrict s, char *restrict buffer, int mode, size_t size) {
  (void)s, (void)buffer, (void)size;
  return mode < 0 || mode > 2 ? -1 : 0;
}
int fileno(FILE *s) {
  return s->fd;
}
int fileno_unlocked(FILE *s) {
  return s->fd;
}

/* ---- input ---- */

int __proviso_get(FILE *s) {
  if (s->fd == 0) return __proviso_stdin_get();
  if (pv_is_file(s)) return __proviso_stream_get(s);
  errno = EBADF;
  return EOF;
}
void __proviso_unget(FILE *s, int c) {
  if (s->fd == 0)
    __proviso_stdin_unget(c);
  else if (pv_is_file(s))
    __proviso_stream_unget(s, c);
}
static int get(FILE *s) {
  pv_may_cancel_point();
  pv_lock(s);
  int c = __proviso_get(s);
  pv_unlock(s);
  return c;
}
static int get_in(void) {
  pv_may_cancel_point();
  return pv_moved(0) ? get(&streams[0]) : __proviso_stdin_get();
}
int getchar(void) {
  return get_in();
}
int getchar_unlocked(void) {
  return get_in();
}
int fgetc(FILE *s) {
  return get(s);
}
int getc(FILE *s) {
  return get(s);
}
int getc_unlocked(FILE *s) {
  return get(s);
}
int fgetc_unlocked(FILE *s) {
  return get(s);
}
int _IO_getc(FILE *s) {
  return get(s);
}
int ungetc(int c, FILE *s) {
  bool file = pv_is_file(s);
  if (c == EOF || (s->fd != 0 && !file)) return EOF;
  pv_lock(s);
  bool fine = !file || s->can_read;
  if (fine) __proviso_unget(s, (unsigned char)c);
  pv_unlock(s);
  return fine ? (unsigned char)c : EOF;
}
static char *get_line(char *to, int size, FILE *s) {
  int n = 0;
  if (size <= 0) return NULL;
  while (n < size - 1) {
    int c = __proviso_get(s);
    if (c == EOF) {
      if (n == 0) return NULL;
      break;
    }
    to[n++] = (char)c;
    if (c == '\n') break;
  }
  to[n] = 0;
  return to;
}
char *fgets(char *restrict to, int size, FILE *restrict s) {
  pv_may_cancel_point();
  pv_lock(s);
  char *line = get_line(to, size, s);
  pv_unlock(s);
  return line;
}
char *fgets_unlocked(char *restrict to, int size, FILE *restrict s) {
  return get_line(to, size, s);
}
char *__fgets_chk(char *restrict to, size_t room, int n, void *restrict stream) {
  (void)room; /* every access is checked against its object */
  return fgets(to, n, stream);
}
char *gets(char *to) {
  size_t n = 0;
  int c;
  while ((c = get_in()) != EOF && c != '\n') to[n++] = (char)c;
  if (c == EOF && n == 0) return NULL;
  to[n] = 0;
  return to;
}
static size_t read_file(void *to, size_t size, size_t count, FILE *s) {
  size_t bytes;
  if (__builtin_mul_overflow(size, count, &bytes))
    __proviso_unsupported("fread of more than the address space");
  if (bytes == 0) return 0;
  pv_may_cancel_point();
  pv_lock(s);
  size_t got = __proviso_stream_read(s, to, bytes);
  pv_unlock(s);
  return got / size;
}
size_t fread(void *restrict to, size_t size, size_t count, FILE *restrict s) {
  if (pv_is_file(s)) return read_file(to, size, count, s);
  unsigned char *at = to;
  for (size_t i = 0; size > 0 && i < count; i++) {
    for (size_t j = 0; j < size; j++) {
      int c = get(s);
      if (c == EOF) return i;
      *at++ = (unsigned char)c;
    }
  }
  return size > 0 ? count : 0;
}
static ssize_t_model get_record(char **line, size_t *room, int delimiter, FILE *s) {
  size_t n = 0;
  int c;
  if (!line || !room) {
    errno = EINVAL;
    return -1;
  }
  if (!*line) *room = 0;
  do {
    c = __proviso_get(s);
    if (c == EOF && n == 0) return -1;
    if (n + 2 > *room) {
      size_t larger = *room < 120 ? 120 : *room * 2;
      char *moved = __proviso_malloc(larger);
      if (!moved) return -1;
      if (n > 0) __proviso_copy(moved, *line, n);
      __proviso_free(*line);
      *line = moved;
      *room = larger;
    }
    if (c != EOF) (*line)[n++] = (char)c;
  } while (c != EOF && c != delimiter);
  (*line)[n] = 0;
  return (ssize_t_model)n;
}
static ssize_t_model read_record(char **line, size_t *room, int delimiter, FILE *s) {
  pv_may_cancel_point();
  pv_lock(s);
  ssize_t_model n = get_record(line, room, delimiter, s);
  pv_unlock(s);
  return n;
}
ssize_t_model getline(char **restrict line, size_t *restrict room, FILE *restrict s) {
  return read_record(line, room, '\n', s);
}
ssize_t_model __getdelim(char **restrict line, size_t *restrict room, int end, FILE *restrict s) {
  return read_record(line, room, end, s);
}
ssize_t_model getdelim(char **restrict line, size_t *restrict room, int end, FILE *restrict s) {
  return read_record(line, room, end, s);
}
static int at_end(FILE *s) {
  if (!pv_is_file(s)) return s->fd == 0 && __proviso_stdin_at_end();
  pv_lock(s);
  bool end = s->ended;
  pv_unlock(s);
  return end;
}
static int has_failed(FILE *s) {
  if (!pv_is_file(s)) return 0;
  pv_lock(s);
  bool failed = s->failed;
  pv_unlock(s);
  return failed;
}
int feof(FILE *s) {
  return at_end(s);
}
int feof_unlocked(FILE *s) {
  return at_end(s);
}
int ferror(FILE *s) {
  return has_failed(s);
}
int ferror_unlocked(FILE *s) {
  return has_failed(s);
}
static void clear(FILE *s) {
  if (s->fd == 0) __proviso_stdin_clear();
  if (!pv_is_file(s)) return;
  pv_lock(s);
  s->ended = s->failed = false;
  pv_unlock(s);
}
void clearerr(FILE *s) {
  clear(s);
}
void clearerr_unlocked(FILE *s) {
  clear(s);
}
void flockfile(FILE *s) {
  (void)s;
  __proviso_unsupported("flockfile");
}
