// What a pointer or a structure holds that no file defines is not known: a read before it was written is a proviso,
// never an error; after that it is as any other.
// run: => conditional
// run: --engine dpor => conditional
// run: --engine bmc => conditional
// run: --engine value => conditional
// run: -- -DCALL => conditional
// run: --engine predicate -- -DCALL => conditional
// run: -- -DCOPY => conditional
// run: -- -DLOCK => conditional
// run: -- -DLOCK -DWRITTEN => true
// run: -- -DWRITTEN => true
// run: --engine dpor -- -DWRITTEN => true
// run: --engine bmc -- -DWRITTEN => conditional
// run: -- -DWRITTEN -DBUG => false(unreach-call)
// run: --engine bmc -- -DWRITTEN -DBUG => false(unreach-call)
// run: -- -DBUG => false(unreach-call)
// run: -- -DCALL -DBUG => false(unreach-call)
// message: the variable `
#include <assert.h>
#include <pthread.h>
struct ops {
  char kind;
  int (*call)(int);
  int *at;
};
extern struct ops ops;
extern int *place;
extern char text[100];
extern pthread_mutex_t lock;
int own = 1, more = 2;
static int next(int n) {
  return n + 1;
}
int main(void) {
#ifdef BUG
  own = 2;
#endif
#ifdef WRITTEN
  ops.kind = 1;
  ops.call = next;
  ops.at = &own;
  place = ops.at;
  for (unsigned i = 0; i < sizeof text; i++) text[i] = (char)i;
#endif
#if defined WRITTEN || defined BUG
  assert(own != 2);
#endif
#ifdef CALL
  return ops.call(1);
#elif defined COPY
  struct ops copy = ops;
  return copy.kind ? 10 / copy.kind : *copy.at;
#elif defined LOCK
#ifdef WRITTEN
  pthread_mutex_init(&lock, 0);
#endif
  pthread_mutex_lock(&lock);
  return pthread_mutex_unlock(&lock);
#else
  struct ops copy;
#ifdef WRITTEN
  copy = ops;
  assert(copy.kind == 1 && *copy.at == own && copy.call(1) == 2 && text[99] == 99);
#endif
  (void)copy;
  return *place;
#endif
}
