// The padding of a structure that is passed, returned or stored atomically is not known where it arrives, which matters to who looks at bytes there (it
// was zero, and `true` was said).
// expect: conditional
// proviso: the unset members of the structure
// run: --engine dpor => conditional
// run: -- -DRETURNED => conditional
// run: -- -DBYTE => conditional
// run: --engine dpor -- -DBYTE => conditional
// run: -- -DCOPY => conditional
// run: -- -DATOMIC => conditional
// run: -- -DATOMIC -DBYTE => conditional
// run: --engine dpor -- -DATOMIC -DBYTE => conditional
// run: -- -DNONE => true
// run: --engine dpor -- -DNONE => true
// run: -- -DZERO => true
// run: -- -DZERO -DBYTE => true
// run: -- -DZERO -DWRONG => false(unreach-call)
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

static int take(struct record r) {
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
