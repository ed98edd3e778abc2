// Atomic additions to an object and to a part of it do not commute: both orders are there.
//
// args: --property unreach-call
// expect: false(unreach-call)
// states: 8
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

union {
  _Atomic unsigned whole;
  _Atomic unsigned char part[4];
} u = {0xff00};

static void *add(void *arg) {
  u.part[1]++;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, add, 0);
  u.whole += 0x100;
  pthread_join(t, 0);
  assert(u.whole == 0x10100);
  return 0;
}
