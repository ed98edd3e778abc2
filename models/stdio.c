/* stdio.c -- stdio.h on the three standard streams. Output is formatted exactly and handed over in
 * one piece where it fits a buffer; input comes from stdin.c. Opening files is not modelled: fopen
 * and what only works on its results have no model at all. */
#include "model.h"

/* Programs see FILE only through pointers. */
struct _IO_FILE {
  int fd;
};
typedef struct _IO_FILE FILE;
static FILE streams[3] = {{0}, {1}, {2}};
FILE *stdin = &streams[0], *stdout = &streams[1], *stderr = &streams[2];

enum { BUFFER = 256 };

/* ---- output ---- */

static int print_to(int fd, const char *format, struct pv_args *args) {
  char buffer[BUFFER];
  struct pv_sink sink = {.at = buffer, .capacity = sizeof buffer, .fd = fd};
  if (fd == 0) { /* stdin is not open for writing */
    errno = EBADF;
    return -1;
  }
  if (fd > 2) __proviso_unsupported("output to a file descriptor other than 1 and 2");
  return __proviso_format(&sink, format, args);
}
static int print_at(char *to, size_t size, const char *format, struct pv_args *args) {
  struct pv_sink sink = {.at = to, .capacity = size > 0 ? size - 1 : 0, .fd = -1};
  int n = __proviso_format(&sink, format, args);
  if (size > 0) {
    size_t last = sink.total < size ? sink.total : size - 1;
    to[last] = 0;
    __proviso_check(sink.nearest > last,
                    "sprintf writes over its format or an argument of its own");
  }
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

/* Each function with `...` and its twin with a va_list. */
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
  va_end(args.ap);                                                                                 \
  return result

int printf(const char *restrict f, ...) {
  WITH_ARGUMENTS(print_to(1, f, &args), f);
}
int vprintf(const char *restrict f, va_list list) {
  WITH_LIST(print_to(1, f, &args));
}
int fprintf(FILE *restrict s, const char *restrict f, ...) {
  WITH_ARGUMENTS(print_to(s->fd, f, &args), f);
}
int vfprintf(FILE *restrict s, const char *restrict f, va_list list) {
  WITH_LIST(print_to(s->fd, f, &args));
}
int dprintf(int fd, const char *restrict f, ...) {
  WITH_ARGUMENTS(print_to(fd, f, &args), f);
}
int vdprintf(int fd, const char *restrict f, va_list list) {
  WITH_LIST(print_to(fd, f, &args));
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
/* What a fortified program calls; the object sizes are checked by every access anyway. */
int __printf_chk(int flag, const char *restrict f, ...) {
  (void)flag;
  WITH_ARGUMENTS(print_to(1, f, &args), f);
}
int __vprintf_chk(int flag, const char *restrict f, va_list list) {
  (void)flag;
  WITH_LIST(print_to(1, f, &args));
}
int __fprintf_chk(FILE *restrict s, int flag, const char *restrict f, ...) {
  (void)flag;
  WITH_ARGUMENTS(print_to(s->fd, f, &args), f);
}
int __vfprintf_chk(FILE *restrict s, int flag, const char *restrict f, va_list list) {
  (void)flag;
  WITH_LIST(print_to(s->fd, f, &args));
}
int __dprintf_chk(int fd, int flag, const char *restrict f, ...) {
  (void)flag;
  WITH_ARGUMENTS(print_to(fd, f, &args), f);
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

static int put(const char *text, size_t n, int fd) {
  if (fd == 0) {
    errno = EBADF;
    return EOF;
  }
  __proviso_print(fd, text, n);
  return 1;
}
static int put_char(int c, int fd) {
  char byte = (char)c;
  return put(&byte, 1, fd) == EOF ? EOF : (unsigned char)c;
}
int putchar(int c) {
  return put_char(c, 1);
}
int putchar_unlocked(int c) {
  return put_char(c, 1);
}
int fputc(int c, FILE *s) {
  return put_char(c, s->fd);
}
int putc(int c, FILE *s) {
  return put_char(c, s->fd);
}
int putc_unlocked(int c, FILE *s) {
  return put_char(c, s->fd);
}
int fputc_unlocked(int c, FILE *s) {
  return put_char(c, s->fd);
}
int _IO_putc(int c, FILE *s) {
  return put_char(c, s->fd);
}
int fputs(const char *restrict text, FILE *restrict s) {
  return put(text, pv_length(text), s->fd);
}
int fputs_unlocked(const char *restrict text, FILE *restrict s) {
  return put(text, pv_length(text), s->fd);
}
int puts(const char *text) {
  put(text, pv_length(text), 1);
  return put("\n", 1, 1);
}
size_t fwrite(const void *restrict data, size_t size, size_t count, FILE *restrict s) {
  size_t bytes;
  if (__builtin_mul_overflow(size, count, &bytes))
    __proviso_unsupported("fwrite of more than the address space");
  return bytes == 0 || put(data, bytes, s->fd) == EOF ? 0 : count;
}
void perror(const char *prefix) {
  char buffer[32];
  const char *text = __proviso_error_text(errno, buffer);
  if (prefix && *prefix) {
    put(prefix, pv_length(prefix), 2);
    put(": ", 2, 2);
  }
  put(text, pv_length(text), 2);
  put("\n", 1, 2);
}
/* Nothing is ever held back, so that buffers need no model. */
int fflush(FILE *s) {
  __proviso_check(!s || s->fd != 0, "fflush of a stream that is read from");
  return 0;
}
int fflush_unlocked(FILE *s) {
  (void)s;
  return 0;
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

static int get(FILE *s) {
  if (s->fd != 0) {
    errno = EBADF;
    return EOF;
  }
  return __proviso_stdin_get();
}
int getchar(void) {
  return __proviso_stdin_get();
}
int getchar_unlocked(void) {
  return __proviso_stdin_get();
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
  if (c == EOF || s->fd != 0) return EOF;
  __proviso_stdin_unget((unsigned char)c);
  return (unsigned char)c;
}
char *fgets(char *restrict to, int size, FILE *restrict s) {
  int n = 0;
  if (size <= 0) return NULL;
  while (n < size - 1) {
    int c = get(s);
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
char *__fgets_chk(char *restrict to, size_t room, int n, void *restrict stream) {
  (void)room; /* every access is checked against its object */
  return fgets(to, n, stream);
}
char *gets(char *to) {
  size_t n = 0;
  int c;
  while ((c = __proviso_stdin_get()) != EOF && c != '\n') to[n++] = (char)c;
  if (c == EOF && n == 0) return NULL;
  to[n] = 0;
  return to;
}
size_t fread(void *restrict to, size_t size, size_t count, FILE *restrict s) {
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
static ssize_t_model read_record(char **line, size_t *room, int delimiter, FILE *s) {
  size_t n = 0;
  int c;
  if (!line || !room) {
    errno = EINVAL;
    return -1;
  }
  if (!*line) *room = 0;
  do {
    c = get(s);
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
ssize_t_model getline(char **restrict line, size_t *restrict room, FILE *restrict s) {
  return read_record(line, room, '\n', s);
}
ssize_t_model __getdelim(char **restrict line, size_t *restrict room, int end, FILE *restrict s) {
  return read_record(line, room, end, s);
}
ssize_t_model getdelim(char **restrict line, size_t *restrict room, int end, FILE *restrict s) {
  return read_record(line, room, end, s);
}
int feof(FILE *s) {
  return s->fd == 0 && __proviso_stdin_at_end();
}
int feof_unlocked(FILE *s) {
  return s->fd == 0 && __proviso_stdin_at_end();
}
int ferror(FILE *s) {
  (void)s->fd;
  return 0;
}
int ferror_unlocked(FILE *s) {
  (void)s->fd;
  return 0;
}
void clearerr(FILE *s) {
  if (s->fd == 0) __proviso_stdin_clear();
}
void flockfile(FILE *s) {
  (void)s;
  __proviso_unsupported("flockfile");
}
