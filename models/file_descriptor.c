/* file_descriptor.c -- fcntl.h, sys/stat.h, and the functions of unistd.h on files, over file.c.
 * Standard descriptors are read and written in unistd.c; nothing else is done with them. */
#include "file.h"

/* Values on Linux for x86. */
enum {
  O_ACCMODE = 3,
  O_CREAT = 0100,
  O_EXCL = 0200,
  O_NOCTTY = 0400,
  O_TRUNC = 01000,
  O_APPEND = 02000,
  O_NONBLOCK = 04000,
  O_DSYNC = 010000,
  O_LARGEFILE = 0100000,
  O_NOFOLLOW = 0400000,
  O_CLOEXEC = 02000000,
  O_SYNC = 04010000,
  KNOWN = O_ACCMODE | O_CREAT | O_EXCL | O_NOCTTY | O_TRUNC | O_APPEND | O_NONBLOCK | O_DSYNC |
          O_LARGEFILE | O_NOFOLLOW | O_CLOEXEC | O_SYNC,
  AT_FDCWD = -100
};

static int fail(int number) {
  errno = number;
  return -1;
}
static int rights_of(int flags) {
  static const int access[] = {PV_READ, PV_WRITE, PV_READ | PV_WRITE, 0};
  int how = access[flags & O_ACCMODE];
  if (flags & O_CREAT) how |= PV_CREATE;
  if (flags & O_EXCL) how |= PV_EXCLUSIVE;
  if (flags & O_TRUNC) how |= PV_TRUNCATE;
  if (flags & O_APPEND) how |= PV_APPEND;
  return how;
}
static int open_it(const char *name, int flags) {
  pv_cancel_point();
  (void)pv_length(name); /* read as the program reads it */
  if ((flags & O_ACCMODE) == O_ACCMODE) return fail(EINVAL);
  if (flags & ~KNOWN) __proviso_unsupported("open of a directory, or with flags that are rare");
  if ((flags & O_TRUNC) && (flags & O_ACCMODE) == 0)
    __proviso_unsupported("open with O_TRUNC of a file that is only read");
  return __proviso_file_open(name, rights_of(flags));
}
int open(const char *name, int flags, ...) {
  return open_it(name, flags);
}
int open64(const char *name, int flags, ...) {
  return open_it(name, flags);
}
int __open_2(const char *name, int flags) {
  return open_it(name, flags);
}
int __open64_2(const char *name, int flags) {
  return open_it(name, flags);
}
int openat(int folder, const char *name, int flags, ...) {
  if (folder != AT_FDCWD && *name != '/') __proviso_unsupported("openat in a directory");
  return open_it(name, flags);
}
int creat(const char *name, unsigned mode) {
  (void)mode;
  return open_it(name, 1 | O_CREAT | O_TRUNC);
}
int creat64(const char *name, unsigned mode) {
  (void)mode;
  return open_it(name, 1 | O_CREAT | O_TRUNC);
}
int close(int fd) {
  pv_cancel_point();
  if (fd >= 0 && fd <= 2) __proviso_unsupported("close of a standard descriptor");
  if (!__proviso_file_rights(fd)) return fail(EBADF);
  __proviso_file_close(fd);
  return __proviso_call_may_fail("what was written cannot be stored") ? fail(ENOSPC) : 0;
}

/* ---- position and length --------------------------------------------------------------------- */
static long long seek(int fd, long long offset, int whence) {
  if (fd >= 0 && fd <= 2) __proviso_unsupported("lseek of a standard descriptor");
  if (!__proviso_file_rights(fd)) return fail(EBADF);
  return __proviso_file_seek(fd, offset, whence) ? __proviso_file_tell(fd) : -1;
}
long lseek(int fd, long offset, int whence) {
  return (long)seek(fd, offset, whence);
}
long long lseek64(int fd, long long offset, int whence) {
  return seek(fd, offset, whence);
}
static int truncate_it(int fd, long long length) {
  if (!(__proviso_file_rights(fd) & PV_WRITE)) return fail(EINVAL);
  if (length < 0) return fail(EINVAL);
  if (__proviso_call_may_fail("a file cannot be written")) return fail(ENOSPC);
  __proviso_file_resize(fd, (size_t)length);
  return 0;
}
int ftruncate(int fd, long length) {
  return truncate_it(fd, length);
}
int ftruncate64(int fd, long long length) {
  return truncate_it(fd, length);
}

/* ---- by name --------------------------------------------------------------------------------- */
int unlink(const char *name) {
  (void)pv_length(name);
  return __proviso_file_remove(name);
}
int access(const char *name, int mode) {
  enum { F_OK = 0, X_OK = 1, W_OK = 2, R_OK = 4 };
  (void)pv_length(name);
  if (mode & ~(X_OK | W_OK | R_OK)) return fail(EINVAL);
  if (__proviso_file_access(name, mode & W_OK) != 0) return -1;
  return (mode & X_OK) && __proviso_choose(0, 1) ? fail(EACCES) : 0;
}

/* ---- stat ------------------------------------------------------------------------------------
 * The layout of glibc for x86-64 and for i386. */
enum { REGULAR = 0100644, BLOCK = 4096 };
struct stat {
  uint64_t device;
#if __SIZEOF_POINTER__ == 8
  uint64_t node, links;
  uint32_t mode, user, group, pad;
  uint64_t kind;
  int64_t size, block_size, blocks;
  struct timespec access, change, status;
  int64_t unused[3];
#else
  uint16_t pad;
  uint32_t node, mode, links, user, group;
  uint64_t kind;
  uint16_t other_pad;
  long size, block_size, blocks;
  struct timespec access, change, status;
  uint32_t unused[2];
#endif
};
#if __SIZEOF_POINTER__ == 8
struct stat64 {
  struct stat all;
};
_Static_assert(sizeof(struct stat) == 144, "struct stat");
#else
struct stat64 {
  uint64_t device;
  uint32_t pad, node, mode, links, user, group;
  uint64_t kind;
  uint32_t other_pad;
  int64_t size;
  int32_t block_size;
  int64_t blocks;
  struct timespec access, change, status;
  uint64_t long_node;
};
_Static_assert(sizeof(struct stat) == 88 && sizeof(struct stat64) == 96, "struct stat");
#endif

static int tell(struct stat *to, long long length, unsigned long number) {
  if (length < 0) return -1;
  *to = (struct stat){.device = 1, .mode = REGULAR, .links = 1, .block_size = BLOCK};
  to->node = (__typeof__(to->node))number;
  to->size = (__typeof__(to->size))length;
  to->blocks = (__typeof__(to->blocks))((length + 511) / 512);
  return 0;
}
static int tell64(struct stat64 *to, long long length, unsigned long number) {
#if __SIZEOF_POINTER__ == 8
  return tell(&to->all, length, number);
#else
  if (length < 0) return -1;
  *to = (struct stat64){.device = 1, .mode = REGULAR, .links = 1, .block_size = BLOCK};
  to->node = (uint32_t)number;
  to->long_node = number;
  to->size = length;
  to->blocks = (length + 511) / 512;
  return 0;
#endif
}
static long long length_of(int fd) {
  if (fd >= 0 && fd <= 2) __proviso_unsupported("fstat of a standard descriptor");
  return __proviso_file_rights(fd) ? __proviso_file_length(fd) : fail(EBADF);
}
int stat(const char *restrict name, struct stat *restrict to) {
  (void)pv_length(name);
  return tell(to, __proviso_file_length_of(name), __proviso_file_number_of(name));
}
int lstat(const char *restrict name, struct stat *restrict to) {
  return stat(name, to);
}
int fstat(int fd, struct stat *to) {
  return tell(to, length_of(fd), __proviso_file_number(fd));
}
int stat64(const char *restrict name, struct stat64 *restrict to) {
  (void)pv_length(name);
  return tell64(to, __proviso_file_length_of(name), __proviso_file_number_of(name));
}
int lstat64(const char *restrict name, struct stat64 *restrict to) {
  return stat64(name, to);
}
int fstat64(int fd, struct stat64 *to) {
  return tell64(to, length_of(fd), __proviso_file_number(fd));
}
