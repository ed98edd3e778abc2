/* pages.h -- memory for large tables. Each table is a mapping of its own. Freeing it returns the
 * memory to the system at once. Growing it copies nothing, and the old and the new table never
 * exist at the same time.
 *
 * Large tables are accessed at random, where huge pages save page-table walks. The module asks for
 * huge pages, which is only a hint. It asks for the whole mapping: if advice covered a part, the
 * kernel would split the mapping in two, and could not move it as one. Mappings are aligned to huge
 * pages, so that moving one keeps its huge pages. */
#ifndef PV_PAGES_H
#define PV_PAGES_H

#include <stddef.h>

void *pv_pages_new(size_t bytes); /* zeroed; ends the process as pv_alloc does. 0 bytes: NULL */
/* Grows a table of `before` bytes to `bytes`; the new ones are zeroed. `table` may be NULL if
 * `before` is 0. Returns the table, which may have moved. */
void *pv_pages_grow(void *table, size_t before, size_t bytes);
void pv_pages_free(void *table, size_t bytes); /* NULL is fine */

#endif
