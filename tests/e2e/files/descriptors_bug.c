// Twin of descriptors.c: more is read than the buffer holds.
// expect: false(valid-deref)
#include <fcntl.h>
#include <unistd.h>

int main(void) {
  char buffer[8];
  int fd = open("data.bin", O_RDONLY);
  if (fd < 0) return 1;
  long n = read(fd, buffer, 16);
  close(fd);
  return n > 0 && buffer[0] == 'x';
}
