// mtx_trylock says thrd_busy; a recursive mutex is taken again by its owner.
// expect: true
// states: 6
// run: --property unreach-call,no-deadlock,no-overflow,valid-memsafety,def-behavior => true states=6
#include <assert.h>
#include <threads.h>

static mtx_t plain, recursive;

static int outsider(void *arg) {
  (void)arg;
  int a = mtx_trylock(&plain), b = mtx_trylock(&recursive);
  assert(a == thrd_busy && b == thrd_busy);
  return 0;
}

int main(void) {
  mtx_init(&plain, mtx_plain);
  mtx_init(&recursive, mtx_plain | mtx_recursive);
  int a = mtx_trylock(&plain), b = mtx_lock(&recursive), c = mtx_trylock(&recursive);
  assert(a == thrd_success && b == thrd_success && c == thrd_success);
  thrd_t t;
  thrd_create(&t, outsider, NULL);
  thrd_join(t, NULL);
  mtx_unlock(&recursive);
  mtx_unlock(&recursive);
  mtx_unlock(&plain);
  mtx_destroy(&recursive);
  mtx_destroy(&plain);
}
