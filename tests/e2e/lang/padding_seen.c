// The padding of a structure that is passed or returned by value has no value where it arrives, whatever it was (C11, 6.2.6.1, 6), which who looks at
// bytes there can tell; stored atomically it arrives as it was, and a proviso says so where it was unset (it was zero each time, and `true` was said).
// expect: false(def-behavior)
// run: --engine dpor => false(def-behavior)
// run: -- -DRETURNED => false(def-behavior)
// run: -- -DBYTE => false(def-behavior)
// run: --engine dpor -- -DBYTE => false(def-behavior)
// run: -- -DCOPY => false(def-behavior)
// run: -- -DOTHER => false(def-behavior)
// run: -- -DINLINED => false(def-behavior)
// run: -- -DATOMIC => conditional
// run: -- -DATOMIC -DBYTE => conditional
// run: --engine dpor -- -DATOMIC -DBYTE => conditional
// run: -- -DATOMIC -DOTHER => conditional
// run: -- -DNONE => true
// run: --engine dpor -- -DNONE => true
// run: -- -DNONE -DRETURNED => true
// run: -- -DNONE -DINLINED => true
// run: -- -DZERO -DATOMIC => true
// run: -- -DZERO -DATOMIC -DBYTE => true
// run: -- -DZERO -DATOMIC -DWRONG => false(unreach-call)
#include <assert.h>
#include <stdatomic.h>
#include <string.h>

struct record {
  char kind; /* and padding behind it */
  int value;
};
static _Atomic struct record shared;

static int look(const struct record *r) {
#ifdef BYTE
  return ((const unsigned char *)r)[1];
#elif defined COPY
  unsigned char bytes[sizeof *r];
  memcpy(bytes, r, sizeof bytes);
  return bytes[1];
#elif defined OTHER
  struct {
    char bytes[sizeof *r];
  } other;
  memcpy(&other, r, sizeof other);
  return other.bytes[1];
#elif defined NONE
  return r->value - 2;
#else
  struct record zero;
  memset(&zero, 0, sizeof zero);
  zero.kind = 1;
  zero.value = 2;
  return memcmp(r, &zero, sizeof zero);
#endif
}

#ifdef INLINED
static inline __attribute__((always_inline))
#else
static
#endif
int take(struct record r) {
  return look(&r);
}

#ifdef RETURNED
static struct record make(void) {
  struct record r;
#ifdef ZERO
  memset(&r, 0, sizeof r);
#endif
  r.kind = 1;
  r.value = 2;
  return r;
}

#endif

int main(void) {
#ifdef RETURNED
  struct record r = make();
  int seen = look(&r);
#else
  struct record r;
#ifdef ZERO
  memset(&r, 0, sizeof r);
#endif
  r.kind = 1;
  r.value = 2;
#ifdef ATOMIC
  atomic_store(&shared, r);
  struct record loaded = atomic_load(&shared);
  int seen = look(&loaded);
#else
  int seen = take(r);
#endif
#endif
#ifdef WRONG
  assert(seen != 0);
#endif
  assert(seen == 0);
  return 0;
}
