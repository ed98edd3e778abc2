/* pages.h -- memory for tables that become large, a mapping each: given back to the system at once
 * when freed, and grown without copying and without having the old and the new table at a time.
 *
 * Large tables are looked at in random places, where huge pages save a page walk a look. They are
 * asked for (a hint only) for the whole mapping, since a mapping of which a part is advised
 * otherwise is two to the kernel and cannot be moved as one, and mappings begin where a huge page
 * may, so that moving one keeps its huge pages. */
#ifndef PV_PAGES_H
#define PV_PAGES_H

#include <stddef.h>

void *pv_pages_new(size_t bytes); /* zeroed; ends the process as pv_alloc does. 0 bytes: NULL */
/* The table of `before` bytes with more; they are zeroed. NULL of 0 bytes is fine. */
void *pv_pages_grow(void *table, size_t before, size_t bytes);
void pv_pages_free(void *table, size_t bytes); /* NULL is fine */

#endif
