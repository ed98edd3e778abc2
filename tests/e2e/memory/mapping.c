// Anonymous mappings: zero, aligned to pages, given back by munmap alone, no leak.
// expect: true
// args: --property unreach-call,valid-deref,valid-free,valid-memtrack,def-behavior
// states: 1
// run: -- -DBAD=1 => false(valid-free) states=1
// run: -- -DBAD=2 => false(valid-free) states=1
// run: -- -DBAD=3 => false(valid-deref) states=1
// run: -- -DBAD=4 => false(valid-deref) states=1
// run: -- -DBAD=5 => false(valid-free) states=1
// run: -- -DBAD=6 => conditional or unknown states=1
// run: -- -DBAD=7 => conditional or unknown states=1
// run: -- -DBAD=8 => conditional or unknown states=1
// run: --malloc-may-fail -- -DFAIL => false(unreach-call) states=4
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

static char *map(size_t n) {
  void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
#ifdef FAIL
  assert(p != MAP_FAILED);
#endif
  return p;
}

int main(void) {
  char *a = map(5000), *b = map(1 << 22), *h;
  if (a == MAP_FAILED || b == MAP_FAILED) return 1;
  assert((uintptr_t)a % 4096 == 0 && a[8191] == 0 && b[(1 << 22) - 1] == 0);
  b[1 << 21] = 1;
  assert(b[1 << 21] == 1 && b[(1 << 21) + 1] == 0);
  assert(mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED && errno == EINVAL);
  assert(munmap(a + 1, 1) == -1);
  h = aligned_alloc(1024, 4096);
  if (!h) return 1;
  assert((uintptr_t)h % 1024 == 0);
#if BAD == 1
  free(a);
#elif BAD == 2
  munmap(h, 4096);
#elif BAD == 3
  a[8192] = 1;
#elif BAD == 4
  munmap(a, 5000);
  a[0] = 1;
#elif BAD == 5
  b = realloc(b, 1);
#elif BAD == 6
  munmap(b, 4096);
#elif BAD == 8
  munmap(b + (1 << 21), 1 << 21);
#elif BAD == 7
  b = mmap(b, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
#endif
  free(h);
  assert(munmap(a, 5000) == 0);
  return 0;
}
