// Descriptors: opened, written, read back, cut, removed. Twin: descriptors_bug.c.
// expect: true
// run: --32 => true
// run: --engine dpor => true
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
  char buffer[8];
  struct stat s;
  int fd = open("data.bin", O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (fd < 0) return 1;
  assert(fd > 2 && write(fd, "abcdef", 6) == 6);
  assert(lseek(fd, 0, SEEK_CUR) == 6 && lseek(fd, 2, SEEK_SET) == 2);
  assert(read(fd, buffer, sizeof buffer) == 4 && !memcmp(buffer, "cdef", 4));
  assert(read(fd, buffer, 1) == 0);
  assert(fstat(fd, &s) == 0 && s.st_size == 6 && S_ISREG(s.st_mode));
  assert(ftruncate(fd, 3) == 0 && lseek(fd, 0, SEEK_END) == 3);
  assert(close(fd) == 0 && close(fd) == -1 && errno == EBADF);
  fd = open("data.bin", O_RDONLY);
  assert(fd > 2 && write(fd, "x", 1) == -1 && errno == EBADF);
  if (unlink("data.bin") != 0) return 2; /* it was there, in a directory that may not be changed */
  assert(access("data.bin", F_OK) == -1 && errno == ENOENT);
  assert(read(fd, buffer, 8) == 3); /* what is open stays */
  return 0;
}
