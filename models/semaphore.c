/* semaphore.c -- semaphore.h, unnamed semaphores: the scheduler's primitives with errors in errno.
 */
#include "model.h"

static int result(int error) {
  if (error == 0) return 0;
  errno = error;
  return -1;
}
int sem_init(void *s, int shared, unsigned value) {
  (void)shared;
  return result(__proviso_sem_init(s, value));
}
int sem_destroy(void *s) {
  return result(__proviso_sem_destroy(s));
}
int sem_wait(void *s) { /* analysis/signals.h may replace it by another wait */
  if (__proviso_has_cancel) return result(__proviso_cancel_sem_wait(s));
  return result(__proviso_sem_wait(s));
}
int sem_trywait(void *s) {
  return result(__proviso_sem_trywait(s));
}
int sem_timedwait(void *restrict s, const struct timespec *restrict when) {
  pv_cancel_point(); /* a request that comes later may come too late */
  return result(pv_is_time(when) ? __proviso_sem_timedwait(s) : EINVAL);
}
int sem_clockwait(void *s, int clock, const struct timespec *when) {
  (void)clock;
  return sem_timedwait(s, when);
}
int sem_post(void *s) {
  return result(__proviso_sem_post(s));
}
int sem_getvalue(void *restrict s, int *restrict value) {
  *value = __proviso_sem_getvalue(s);
  return 0;
}
