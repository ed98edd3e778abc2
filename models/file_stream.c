/* file_stream.c -- streams of files: fopen, fclose, and the functions of stdio.h that only apply to
 * files. stdio.c reads and writes characters and lines.
 *
 * There is no buffering, so buffers need no model. A stream is an object, which ends with fclose:
 * its use afterwards is an access to an ended object. In a program with threads each call holds the
 * lock of the stream. */
#include "file.h"

enum { RECURSIVE = 1 };

void __proviso_stream_lock(FILE *s) {
  __proviso_mutex_lock(s->lock);
}
void __proviso_stream_unlock(FILE *s) {
  __proviso_mutex_unlock(s->lock);
}

/* ---- opening and closing --------------------------------------------------------------------- */
/* The rights that a mode asks for, or 0. */
static int rights_of(const char *mode) {
  int how;
  switch (mode[0]) {
  case 'r': how = PV_READ; break;
  case 'w': how = PV_WRITE | PV_CREATE | PV_TRUNCATE; break;
  case 'a': how = PV_WRITE | PV_CREATE | PV_APPEND; break;
  default: return 0;
  }
  for (const char *m = mode + 1; *m && *m != ','; m++) {
    if (*m == '+') how |= PV_READ | PV_WRITE;
    if (*m == 'x') how |= PV_EXCLUSIVE;
  }
  return how;
}

static void begin(FILE *s, int fd, int how) {
  s->fd = fd;
  s->pushed = 0;
  s->ended = s->failed = false;
  s->last = 0;
  s->can_read = (how & PV_READ) != 0;
  s->can_write = (how & PV_WRITE) != 0;
  /* like glibc: a stream that only appends begins at the end */
  if ((how & PV_APPEND) && !(how & PV_READ)) __proviso_file_seek(fd, 0, PV_SEEK_END);
}
static FILE *new_stream(int fd, int how) {
  FILE *s = __proviso_open_stream(sizeof *s);
  begin(s, fd, how);
  if (__proviso_has_threads) __proviso_mutex_init(s->lock, RECURSIVE);
  return s;
}

static FILE *open_stream(const char *name, const char *mode) {
  pv_may_cancel_point();
  int how = rights_of(mode);
  __proviso_check(how != 0, "the mode of fopen is none of C's");
  if (!how) {
    errno = EINVAL;
    return NULL;
  }
  (void)pv_length(name); /* read as the program reads it */
  int fd = __proviso_file_open(name, how);
  return fd < 0 ? NULL : new_stream(fd, how);
}
FILE *fopen(const char *restrict name, const char *restrict mode) {
  return open_stream(name, mode);
}
FILE *fopen64(const char *restrict name, const char *restrict mode) {
  return open_stream(name, mode);
}
FILE *fdopen(int fd, const char *mode) {
  int how = rights_of(mode), rights;
  if (fd >= 0 && fd <= 2) __proviso_unsupported("fdopen of a standard descriptor");
  rights = __proviso_file_rights(fd);
  if (!how || !rights || (how & (PV_READ | PV_WRITE) & ~rights)) {
    errno = rights || !how ? EINVAL : EBADF;
    return NULL;
  }
  if (how & PV_APPEND) __proviso_unsupported("fdopen with mode a");
  return new_stream(fd, how);
}
FILE *tmpfile(void) {
  int fd = __proviso_file_temporary();
  return fd < 0 ? NULL : new_stream(fd, PV_READ | PV_WRITE);
}
FILE *tmpfile64(void) {
  return tmpfile();
}

/* Every access to a stream object detects that it has ended. */
static void check_open(const FILE *s) {
  __proviso_check(s->fd != PV_CLOSED, "a standard stream is used after it was closed");
}
static void end(FILE *s) {
  if (__proviso_has_threads && pv_is_file(s)) __proviso_mutex_destroy(s->lock);
  if (s->standard)
    begin(s, PV_CLOSED, 0);
  else
    __proviso_close_stream(s);
}
static bool flush_fails(void) {
  bool fails = __proviso_call_may_fail("what was written cannot be stored");
  if (fails) errno = ENOSPC;
  return fails;
}
int fclose(FILE *s) {
  if (s && !__proviso_object_size(s)) __proviso_close_stream(s); /* it is closed: an error */
  check_open(s);
  pv_may_cancel_point();
  pv_lock(s);
  int result = s->can_write && flush_fails() ? EOF : 0;
  __proviso_file_close(s->fd);
  pv_unlock(s);
  end(s);
  return result;
}
FILE *freopen(const char *restrict name, const char *restrict mode, FILE *restrict s) {
  pv_may_cancel_point();
  int how = rights_of(mode);
  __proviso_check(how != 0, "the mode of freopen is none of C's");
  if (!name) __proviso_unsupported("freopen without a name");
  __proviso_file_close(s->fd);
  int fd = how ? __proviso_file_open(name, how) : -1;
  if (fd >= 0) {
    if (__proviso_has_threads && !pv_is_file(s)) __proviso_mutex_init(s->lock, RECURSIVE);
    begin(s, fd, how);
    return s;
  }
  end(s); /* it is closed even if it cannot be opened again */
  return NULL;
}
FILE *freopen64(const char *restrict name, const char *restrict mode, FILE *restrict s) {
  return freopen(name, mode, s);
}

/* ---- reading and writing --------------------------------------------------------------------- */
static bool may_read(FILE *s) {
  check_open(s);
  if (!s->can_read) {
    s->failed = true;
    errno = EBADF;
    return false;
  }
  __proviso_check(s->last != 'w',
                  "a stream is read after it was written, without a seek or fflush");
  s->last = 'r';
  return true;
}
int __proviso_stream_get(FILE *s) {
  if (!may_read(s)) return EOF;
  if (s->pushed) {
    int c = s->pushed - 1;
    s->pushed = 0;
    return c;
  }
  int c = s->ended ? EOF : __proviso_file_get(s->fd);
  if (c == EOF) s->ended = true;
  return c;
}
void __proviso_stream_unget(FILE *s, int c) {
  if (c == EOF || !may_read(s)) return;
  if (s->pushed) __proviso_unsupported("ungetc of a second byte");
  s->pushed = 1 + c;
  s->ended = false;
}
size_t __proviso_stream_read(FILE *s, void *to, size_t n) {
  if (n == 0 || !may_read(s)) return 0;
  unsigned char *at = to;
  size_t got = 0;
  if (s->pushed) at[got++] = (unsigned char)__proviso_stream_get(s);
  if (got < n && !s->ended) got += __proviso_file_read(s->fd, at + got, n - got);
  if (got < n) s->ended = true;
  return got;
}

bool __proviso_stream_may_write(FILE *s) {
  check_open(s);
  if (!s->can_write) {
    s->failed = true;
    errno = EBADF;
    return false;
  }
  __proviso_check(s->last != 'r' || s->ended,
                  "a stream is written after it was read, without a seek");
  s->last = 'w';
  return true;
}
bool __proviso_stream_put(FILE *s, const void *from, size_t n) {
  if (!__proviso_stream_may_write(s)) return false;
  if (!__proviso_output(s->fd, from, n)) {
    s->failed = true;
    return false;
  }
  return true;
}

int fflush(FILE *s) {
  if (!s) return __proviso_has_files && flush_fails() ? EOF : 0;
  if (!pv_is_file(s)) {
    __proviso_check(s->fd != 0, "fflush of a stream that is read from");
    return 0;
  }
  pv_may_cancel_point();
  pv_lock(s);
  __proviso_check(s->can_write && s->last != 'r', "fflush of a stream that is read from");
  s->last = 0;
  int result = flush_fails() ? EOF : 0;
  if (result) s->failed = true;
  pv_unlock(s);
  return result;
}

int fflush_unlocked(FILE *s) {
  return fflush(s);
}

/* ---- position -------------------------------------------------------------------------------- */
static int seek(FILE *s, long long offset, int whence) {
  check_open(s);
  if (!pv_is_file(s)) __proviso_unsupported("fseek of a standard stream");
  pv_lock(s);
  if (whence == PV_SEEK_CUR && s->pushed) offset--;
  bool fine = __proviso_file_seek(s->fd, offset, whence);
  if (fine) {
    s->pushed = 0;
    s->ended = false;
    s->last = 0;
  }
  pv_unlock(s);
  return fine ? 0 : -1;
}
static long long tell(FILE *s) {
  check_open(s);
  if (!pv_is_file(s)) __proviso_unsupported("ftell of a standard stream");
  pv_lock(s);
  long long at = __proviso_file_tell(s->fd) - (s->pushed != 0);
  pv_unlock(s);
  return at;
}
int fseek(FILE *s, long offset, int whence) {
  return seek(s, offset, whence);
}
int fseeko(FILE *s, long offset, int whence) {
  return seek(s, offset, whence);
}
int fseeko64(FILE *s, long long offset, int whence) {
  return seek(s, offset, whence);
}
long ftell(FILE *s) {
  return (long)tell(s);
}
long ftello(FILE *s) {
  return (long)tell(s);
}
long long ftello64(FILE *s) {
  return tell(s);
}
void rewind(FILE *s) {
  if (seek(s, 0, PV_SEEK_SET) == 0) s->failed = false;
}
struct position { /* in both data models the offset comes first */
  long at;
};
int fgetpos(FILE *restrict s, struct position *restrict to) {
  to->at = (long)tell(s);
  return 0;
}
int fsetpos(FILE *s, const struct position *from) {
  return seek(s, from->at, PV_SEEK_SET);
}

/* ---- names ----------------------------------------------------------------------------------- */
int remove(const char *name) {
  (void)pv_length(name);
  return __proviso_file_remove(name);
}
int rename(const char *from, const char *to) {
  (void)pv_length(from), (void)pv_length(to);
  return __proviso_file_rename(from, to);
}
