// A C11 condition variable with the usual loop.
// expect: true
// states: 19
#include <assert.h>
#include <threads.h>

static mtx_t lock;
static cnd_t changed;
static int stage;

static int produce(void *arg) {
  (void)arg;
  mtx_lock(&lock);
  stage = 1;
  cnd_signal(&changed);
  mtx_unlock(&lock);
  thrd_exit(9);
}

int main(void) {
  mtx_init(&lock, mtx_plain);
  cnd_init(&changed);
  thrd_t t;
  thrd_create(&t, produce, NULL);
  mtx_lock(&lock);
  while (stage == 0) cnd_wait(&changed, &lock);
  mtx_unlock(&lock);
  int result;
  thrd_join(t, &result);
  assert(result == 9);
  cnd_destroy(&changed);
  mtx_destroy(&lock);
}
