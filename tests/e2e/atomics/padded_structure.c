// The padding of a structure that is stored, exchanged or compared atomically has no value of its own, which is no error; but a comparison could tell (false
// was said once).
// expect: true
// run: --engine dpor => true
// run: --32 => true
// run: -- -DSMALL => true
// run: -- -DBUGGY => false(unreach-call)
// run: --engine dpor -- -DBUGGY => false(unreach-call)
// run: -- -DOTHER => conditional
// run: -- -DUNSET => conditional
// run: -- -DPLAIN => false(def-behavior)
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

static void *pushes(void *arg) {
  struct head old = atomic_load(&head), new;
#ifdef BUGGY
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
  struct head first;
  first.value = 0;
  first.tag = 1;
  atomic_store(&head, first);
  pthread_create(&one, 0, pushes, 0);
  pthread_create(&two, 0, pushes, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  struct head last = atomic_exchange(&head, first);
  assert(last.tag == 3);
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
#ifdef PLAIN
  struct head unset, copy;
  unset.value = 0;
  copy = unset;
  assert(copy.tag != 1);
#endif
  return 0;
}
