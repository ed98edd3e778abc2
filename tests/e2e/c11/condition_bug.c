// The signal may come before the wait.
// expect: false(no-deadlock)
// states: 14
#include <threads.h>

static mtx_t lock;
static cnd_t changed;

static int produce(void *arg) {
  (void)arg;
  cnd_broadcast(&changed);
  return 0;
}

int main(void) {
  mtx_init(&lock, mtx_plain);
  cnd_init(&changed);
  thrd_t t;
  thrd_create(&t, produce, NULL);
  mtx_lock(&lock);
  cnd_wait(&changed, &lock);
  mtx_unlock(&lock);
  thrd_join(t, NULL);
}
