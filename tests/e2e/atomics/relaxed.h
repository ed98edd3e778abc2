/* What relaxed_in_header.c uses: one line of a header that serves many uses. */
#include <stdatomic.h>

#ifndef ORDER
#define ORDER memory_order_relaxed
#endif

static inline int look(atomic_int *a) {
  return atomic_load_explicit(a, ORDER);
}
static inline int look_again(atomic_int *a) {
  return look(a);
}
#define SET(A, V) atomic_store_explicit(A, V, ORDER)
