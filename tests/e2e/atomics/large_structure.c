// Atomic structures of more than two words: members that are not set stay so, which is no error by itself; but where structures are compared, what is
// not set could tell (padding in static memory counted as zero, and `true` was said).
// expect: true
// run: --engine dpor => true
// run: -- -DCOMPARED => conditional
// run: --engine dpor -- -DCOMPARED => conditional
// run: -- -DZERO -DCOMPARED => true
// run: -- -DZERO -DCOMPARED -DWRONG => false(unreach-call)
// run: --engine dpor -- -DZERO -DCOMPARED -DWRONG => false(unreach-call)
// run: -- -DREAD => false(def-behavior)
// run: --engine dpor -- -DREAD => false(def-behavior)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct head {
  long first;
  int count; /* and padding behind it */
  long last;
};
static _Atomic struct head head;
static struct head expected, wanted;

static void *changes(void *arg) {
  struct head new;
  new.count = 7;
  new.last = 8; /* `first` is not set */
  head = new;
  return arg;
}

int main(void) {
#ifdef ZERO
  struct head value = {0}; /* all of it: clang fills it with zeros */
#else
  struct head value;
#endif
  value.first = 1;
  value.count = 2;
  value.last = 3;
  atomic_store(&head, value);
  struct head now = atomic_exchange(&head, value);
  assert(now.first == 1 && now.last == 3);
#ifdef COMPARED
  expected = value;
  wanted = value;
  wanted.last = 4;
  assert(atomic_compare_exchange_strong(&head, &expected, wanted));
  now = atomic_load(&head);
#ifdef WRONG
  assert(now.last != 4);
#endif
  assert(now.last == 4);
#endif
  pthread_t thread;
  pthread_create(&thread, 0, changes, 0);
  now = atomic_load(&head);
  assert(now.count == 2 || now.count == 7);
  pthread_join(thread, 0);
  now = atomic_load(&head);
  assert(now.count == 7 && now.last == 8);
#ifdef READ
  assert(now.first != 1);
#endif
  return 0;
}
