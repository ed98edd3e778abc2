/* atomic.c -- library functions for atomic objects of any size, for which there is no machine
 * instruction.
 *
 * An atomic section makes the access one step. A read-modify-write of the object's first byte, with
 * the order that the program asked for, orders other accesses before and after it. */
#include "model.h"

static void order_at(void *object, int order) {
  switch (order) {
  case __ATOMIC_RELAXED: __proviso_order(object, __ATOMIC_RELAXED); break;
  case __ATOMIC_CONSUME:
  case __ATOMIC_ACQUIRE: __proviso_order(object, __ATOMIC_ACQUIRE); break;
  case __ATOMIC_RELEASE: __proviso_order(object, __ATOMIC_RELEASE); break;
  case __ATOMIC_ACQ_REL: __proviso_order(object, __ATOMIC_ACQ_REL); break;
  default: __proviso_order(object, __ATOMIC_SEQ_CST); break;
  }
}

/* clang knows these names as builtins with other types, so each function is defined under another
 * name. */
#define LIBCALL(NAME) __asm__(NAME)
void model_load(size_t size, void *object, void *result, int order) LIBCALL("__atomic_load");
void model_store(size_t size, void *object, void *value, int order) LIBCALL("__atomic_store");
void model_exchange(size_t size, void *object, void *value, void *result, int order)
    LIBCALL("__atomic_exchange");
bool model_compare_exchange(size_t size, void *object, void *expected, void *desired, int success,
                            int failure) LIBCALL("__atomic_compare_exchange");
bool model_is_lock_free(size_t size, const void *object) LIBCALL("__atomic_is_lock_free");

void model_load(size_t size, void *object, void *result, int order) {
  __proviso_atomic_begin();
  order_at(object, order);
  __proviso_copy(result, object, size);
  __proviso_atomic_end();
}
void model_store(size_t size, void *object, void *value, int order) {
  __proviso_atomic_begin();
  order_at(object, order);
  __proviso_copy(object, value, size);
  __proviso_atomic_end();
}
void model_exchange(size_t size, void *object, void *value, void *result, int order) {
  unsigned char old[size];
  __proviso_atomic_begin();
  order_at(object, order);
  __proviso_copy(old, object, size);
  __proviso_copy(object, value, size);
  __proviso_atomic_end();
  __proviso_copy(result, old, size);
}
/* The comparison includes padding, whose content is not known. */
static bool same(const unsigned char *a, const unsigned char *b, size_t size) {
  for (size_t i = 0; i < size; i++)
    if (__proviso_any_byte(a + i) != __proviso_any_byte(b + i)) return false;
  return true;
}
bool model_compare_exchange(size_t size, void *object, void *expected, void *desired, int success,
                            int failure) {
  unsigned char old[size];
  __proviso_atomic_begin();
  __proviso_copy(old, object, size);
  bool equal = same(old, expected, size);
  order_at(object, equal ? success : failure);
  if (equal) __proviso_copy(object, desired, size);
  __proviso_atomic_end();
  if (!equal) __proviso_copy(expected, old, size);
  return equal;
}
bool model_is_lock_free(size_t size, const void *object) {
  (void)object;
  return size <= sizeof(void *) && (size & (size - 1)) == 0;
}
