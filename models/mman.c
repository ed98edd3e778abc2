/* mman.c -- sys/mman.h: anonymous memory (MAP_ANONYMOUS), mapped and unmapped as a whole. Mappings
 * of files, at fixed addresses or without access, and unmapping of parts are not modelled. */
#include "model.h"

enum {
  PROT_READ = 1,
  PROT_WRITE = 2,
  PROT_EXEC = 4,
  MAP_SHARED = 1,
  MAP_PRIVATE = 2,
  MAP_ANONYMOUS = 0x20,
  MAP_NORESERVE = 0x4000,
  MAP_POPULATE = 0x8000,
  MAP_STACK = 0x20000,
  KNOWN = MAP_SHARED | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_POPULATE | MAP_STACK,
  PAGE = 4096
};
#define MAP_FAILED ((void *)-1)

static size_t whole_pages(size_t length) {
  return (length + PAGE - 1) / PAGE * PAGE;
}

/* The address is only a hint. Shared or private makes no difference in a single process. */
static void *map(size_t length, int protection, int flags, bool aligned) {
  if (!(flags & MAP_ANONYMOUS)) __proviso_unsupported("mmap of a file");
  if (flags & ~KNOWN)
    __proviso_unsupported("mmap with other flags than MAP_NORESERVE, MAP_POPULATE, MAP_STACK");
  bool one = !(flags & MAP_SHARED) != !(flags & MAP_PRIVATE);
  if (!one || length == 0 || length > PTRDIFF_MAX || !aligned) {
    errno = one && length > PTRDIFF_MAX ? ENOMEM : EINVAL;
    return MAP_FAILED;
  }
  if ((protection & ~PROT_EXEC) != (PROT_READ | PROT_WRITE))
    __proviso_unsupported("mmap of memory that cannot be read and written");
  if (__proviso_malloc_may_fail()) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return __proviso_map(whole_pages(length));
}
void *mmap(void *hint, size_t length, int protection, int flags, int fd, long offset) {
  (void)hint, (void)fd;
  return map(length, protection, flags, offset % PAGE == 0);
}
void *mmap64(void *hint, size_t length, int protection, int flags, int fd, long long offset) {
  (void)hint, (void)fd;
  return map(length, protection, flags, offset % PAGE == 0);
}
int munmap(void *address, size_t length) {
  if (length == 0 || (uintptr_t)address % PAGE != 0) {
    errno = EINVAL;
    return -1;
  }
  size_t size = __proviso_object_size(address); /* 0: not mapped any more */
  bool inside = size != 0 && __proviso_object_size((char *)address - 1) == size + 1;
  if (inside || (size != 0 && size != whole_pages(length)))
    __proviso_unsupported("munmap of what is not one mapping as a whole");
  __proviso_unmap(address);
  return 0;
}
