#include "base/pages.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/base.h"

static const size_t huge = (size_t)2 << 20;

static size_t whole_pages(size_t bytes) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  return (bytes + page - 1) / page * page;
}

/* A mapping of whole pages that begins at a multiple of the size of a huge page. */
static void *map_aligned(size_t bytes) {
  char *at = mmap(NULL, bytes + huge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) pv_out_of_memory();
  size_t before = (huge - (uintptr_t)at % huge) % huge;
  if (before) munmap(at, before);
  munmap(at + before + bytes, huge - before);
  pv_count_allocated(bytes);
  return at + before;
}

void *pv_pages_new(size_t bytes) {
  if (!bytes) return NULL;
  bytes = whole_pages(bytes);
  void *table = map_aligned(bytes);
  madvise(table, bytes, MADV_HUGEPAGE);
  return table;
}

void *pv_pages_grow(void *table, size_t before, size_t bytes) {
  if (!table) return pv_pages_new(bytes);
  before = whole_pages(before);
  bytes = whole_pages(bytes);
  if (bytes == before) return table;
  PV_REQUIRE(bytes > before, "a table only grows");
  void *to = map_aligned(bytes); /* is replaced by the table */
  to = mremap(table, before, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, to);
  if (to == MAP_FAILED) pv_out_of_memory();
  madvise(to, bytes, MADV_HUGEPAGE);
  return to;
}

void pv_pages_free(void *table, size_t bytes) {
  if (table) munmap(table, whole_pages(bytes));
}
