/* pfscan: two workers search the files that main finds, for "needle". The file system is this
 * file's: FILES files of one line, each with or without the needle.
 *
 * main is to come back with the number of matches. -DWRONG: one less is expected.
 * Start: --entry search. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef FILES
#  define FILES 2
#endif
#ifndef WORKERS
#  define WORKERS "-n2"
#endif

static char content[2][8] = {"needle.", "neither"};
static const char *const names[] = {"a", "b", "c", "d", "e", "f"};

static int number(const char *name) {
  return name[0] - 'a';
}

int ftw(const char *folder, int (*f)(const char *, const struct stat *, int), int descriptors) {
  (void)folder, (void)descriptors;
  struct stat st;
  memset(&st, 0, sizeof st);
  st.st_size = sizeof *content;
  for (int i = 0; i < FILES; i++) {
    int r = f(names[i], &st, FTW_F);
    if (r) return r;
  }
  return 0;
}
int open(const char *path, int flags, ...) {
  (void)flags;
  return 3 + number(path);
}
int fstat(int fd, struct stat *st) {
  (void)fd;
  st->st_size = sizeof *content;
  return 0;
}
void *mmap(void *hint, size_t n, int protection, int flags, int fd, off_t offset) {
  (void)hint, (void)n, (void)protection, (void)flags, (void)offset;
  return content[(fd - 3) % 2];
}
int munmap(void *at, size_t n) {
  (void)at, (void)n;
  return 0;
}
int close(int fd) {
  (void)fd;
  return 0;
}
int getrlimit(__rlimit_resource_t what, struct rlimit *limit) {
  (void)what;
  limit->rlim_cur = limit->rlim_max = 1024;
  return 0;
}
int setrlimit(__rlimit_resource_t what, const struct rlimit *limit) {
  (void)what, (void)limit;
  return 0;
}
char *setlocale(int category, const char *name) {
  (void)category, (void)name;
  return "C";
}

int main(int argc, char **argv);

void search(void) {
  char *argv[] = {"pfscan", WORKERS, "needle", ".", NULL};
  int matches = main(4, argv);
#ifdef WRONG
  assert(matches == (FILES + 1) / 2 - 1);
#else
  assert(matches == (FILES + 1) / 2);
#endif
}
