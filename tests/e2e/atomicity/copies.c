// A structure of two words is copied: two loads and two stores, so that a torn copy is seen at every
// level but that of statements.
// expect: false(unreach-call)
// states: 299
// args: --property unreach-call
// run: --property unreach-call --atomic instruction => false(unreach-call) states=415
// run: --property unreach-call --atomic statement => conditional states=9
#include <assert.h>
#include <pthread.h>

struct pair {
  long a, b;
};
static struct pair g, one = {1, 1};

static void *work(void *u) {
  g = one;
  return u;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  struct pair p = g;
  assert(p.a == p.b);
  pthread_join(t, 0);
  return 0;
}
