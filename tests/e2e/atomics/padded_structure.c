// The padding of a structure that is stored, exchanged or compared atomically has no value of its own, which is no error (false was said once); but it
// could tell, since it is zero where it arrives (true was said once).
// expect: true
// run: --engine dpor => true
// run: --32 => true
// run: -- -DSMALL => true
// run: -- -DBUGGY => false(unreach-call)
// run: --engine dpor -- -DBUGGY => false(unreach-call)
// run: -- -DPARTS => conditional
// run: --engine dpor -- -DPARTS => conditional
// run: -- -DSTORES => conditional
// run: -- -DOTHER => conditional
// run: -- -DUNSET => conditional
// run: -- -DPLAIN => false(def-behavior)
// run: -- -DMEMBER => false(def-behavior)
// run: -- -DRAW => false(def-behavior)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef SMALL
struct head {
  int value;
  char tag;
};
#else
struct head {
  int *value;
  int tag;
};
#endif
static _Atomic struct head head;
#ifdef PARTS
#define ZERO
#else
#define ZERO = {0}
#endif

static void *pushes(void *arg) {
  struct head old = atomic_load(&head), new ZERO;
#if defined BUGGY || defined STORES
  new.value = 0;
  new.tag = old.tag + 1;
  atomic_store(&head, new);
#else
  do {
    new.value = 0;
    new.tag = old.tag + 1;
  } while (!atomic_compare_exchange_strong(&head, &old, new));
#endif
  return arg;
}

int main(void) {
  pthread_t one, two;
  struct head first ZERO, *there = &first;
  first.value = 0;
  first.tag = 1;
  head = *there;
  pthread_create(&one, 0, pushes, 0);
  pthread_create(&two, 0, pushes, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  struct head last = atomic_exchange(&head, first);
#ifdef STORES
  struct head unpadded[2];
  unpadded[1].value = 0;
  unpadded[1].tag = last.tag;
  head = unpadded[last.tag > 0];
  struct head again = atomic_load(&head);
  assert(again.tag >= 2);
#else
  assert(last.tag == 3);
#endif
#ifdef OTHER
  struct head other;
  other.value = 0;
  other.tag = 1;
  assert(atomic_compare_exchange_strong(&head, &other, first));
#endif
#ifdef UNSET
  struct head unset;
  unset.tag = 1;
  atomic_store(&head, unset);
#endif
#ifdef MEMBER
  struct head unset;
  unset.value = 0;
  static atomic_int member;
  member = unset.tag;
#endif
#ifdef RAW
  union {
    struct {
      int value;
      char tag;
    } parts;
    int raw[2];
  } both;
  both.parts.value = 1;
  both.parts.tag = 2;
  static atomic_int member;
  member = both.raw[1];
#endif
#ifdef PLAIN
  struct head unset, copy;
  unset.value = 0;
  copy = unset;
  assert(copy.tag != 1);
#endif
  return 0;
}
