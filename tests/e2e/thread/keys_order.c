// The destructors of several keys run in any order.
// expect: false(unreach-call)
// run: --engine dpor => false(unreach-call)
// run: -- -DANY_ORDER => true
// run: --engine dpor -- -DANY_ORDER => true
#include <assert.h>
#include <pthread.h>
static pthread_key_t buffer, log_of;
static int log_open = 1, flushed;
static void free_buffer(void *p) {
#ifndef ANY_ORDER
  assert(log_open); // writes to the log what is left
#endif
  (void)p;
  flushed++;
}
static void close_log(void *p) {
  (void)p;
  log_open = 0;
}
static void *worker(void *a) {
  pthread_setspecific(buffer, a);
  pthread_setspecific(log_of, a);
  return NULL;
}
int main(void) {
  pthread_t t;
  int x;
  pthread_key_create(&buffer, free_buffer);
  pthread_key_create(&log_of, close_log);
  pthread_create(&t, NULL, worker, &x);
  pthread_join(t, NULL);
  assert(flushed == 1 && !log_open);
  return 0;
}
