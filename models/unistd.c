/* unistd.c -- unistd.h: sleeping, reading and writing, facts about process and machine. Such facts
 * are inputs. Descriptors are opened in file_descriptor.c. Processes and pipes are not modelled. */
#include "file.h"

unsigned sleep(unsigned seconds) {
  (void)seconds;
  pv_cancel_point();
  __proviso_thread_yield();
  return 0;
}
int usleep(unsigned microseconds) {
  (void)microseconds;
  pv_cancel_point();
  __proviso_thread_yield();
  return 0;
}

static void check_standard(int fd) {
  if (fd >= 0 && fd <= 2 && pv_moved(fd))
    __proviso_unsupported("a standard descriptor after fclose or freopen of its stream");
}
ssize_t_model write(int fd, const void *data, size_t n) {
  pv_cancel_point();
  if (fd == 0) __proviso_unsupported("write to file descriptor 0");
  check_standard(fd);
  return __proviso_output(fd, data, n) ? (ssize_t_model)n : -1;
}
/* Reads at most n bytes. From a file, as many as fit. Other descriptors may give fewer: for known
 * text one byte or all, otherwise as many as the choices of bytes and of stopping allow. */
ssize_t_model read(int fd, void *to, size_t n) {
  pv_cancel_point();
  if (__proviso_has_files && fd > 2 && (__proviso_file_rights(fd) & PV_READ))
    return (ssize_t_model)__proviso_file_read(fd, to, n);
  if (fd > 0 && !(__proviso_has_files && fd > 2))
    __proviso_unsupported("read from a file descriptor other than 0");
  if (fd != 0) {
    errno = EBADF;
    return -1;
  }
  check_standard(fd);
  size_t got = 0, all = n;
  bool known = __proviso_stdin_is_known();
  if (known && !__proviso_stdin_given && n > 1 && __proviso_choose(0, 1)) all = 1;
  while (got < all && (known || got == 0 || __proviso_choose(0, 1))) {
    int c = __proviso_stdin_get();
    if (c == EOF) break;
    ((unsigned char *)to)[got++] = (unsigned char)c;
  }
  return (ssize_t_model)got;
}
ssize_t_model __read_chk(int fd, void *to, size_t n, size_t room) {
  (void)room; /* every access is checked against its object */
  return read(fd, to, n);
}
int isatty(int fd) {
  (void)fd;
  return __proviso_choose(0, 1);
}
int fsync(int fd) {
  (void)fd;
  pv_cancel_point();
  return __proviso_choose(-1, 0);
}

/* An input that stays the same during a run; 0: not chosen yet. */
static int fixed(int *value) {
  __proviso_atomic_begin();
  if (*value == 0) {
    int v = __proviso_nondet_int("a process number");
    __proviso_assume(v > 0);
    *value = v;
  }
  int result = *value;
  __proviso_atomic_end();
  return result;
}
int __proviso_process(void) {
  static int number;
  return fixed(&number);
}
int getpid(void) {
  return __proviso_process();
}
int getppid(void) {
  static int number;
  return fixed(&number);
}
static unsigned user(void) {
  return (unsigned)__proviso_nondet_int("the number of a user or group");
}
unsigned getuid(void) {
  return user();
}
unsigned geteuid(void) {
  return user();
}
unsigned getgid(void) {
  return user();
}
unsigned getegid(void) {
  return user();
}
/* The previous mask. Rights of files are not modelled. */
unsigned umask(unsigned mask) {
  (void)mask;
  return (unsigned)__proviso_choose(0, 1) * 0022;
}
int getpagesize(void) {
  return 4096;
}

enum { SC_CLK_TCK = 2, SC_PAGESIZE = 30, SC_NPROCESSORS_CONF = 83, SC_NPROCESSORS_ONLN = 84 };
int __proviso_processors(void) {
  int n = __proviso_choose(1, 5);
  if (n == 5) __proviso_unsupported("a machine with more than 4 processors");
  return n;
}
long sysconf(int name) {
  switch (name) {
  case SC_CLK_TCK: return 100;
  case SC_PAGESIZE: return 4096;
  case SC_NPROCESSORS_CONF:
  case SC_NPROCESSORS_ONLN: return __proviso_processors();
  default: __proviso_unsupported("sysconf of a value other than pages and processors");
  }
}
