// The creation of threads and of synchronisation objects may fail for want of resources.
// expect: true
// message: Taken for granted
// run: --calls-may-fail => false(def-behavior)
// run: --calls-may-fail --engine dpor => false(def-behavior)
// run: --calls-may-fail -- -DFIXED => true
// run: --calls-may-fail -- -DMUTEX => false(def-behavior)
// run: --calls-may-fail -- -DMUTEX -DFIXED => true
// run: --calls-may-fail -- -DSEMAPHORE => false(def-behavior)
// run: --calls-may-fail -- -DSEMAPHORE -DFIXED => true
#include <pthread.h>
#include <semaphore.h>
static void *run(void *a) {
  return a;
}
int main(void) {
#ifdef MUTEX
  pthread_mutex_t m;
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
  int failed = pthread_mutex_init(&m, &a);
#ifdef FIXED
  if (failed) return 1;
#endif
  (void)failed;
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
#elif defined SEMAPHORE
  sem_t s;
  int failed = sem_init(&s, 0, 1);
#ifdef FIXED
  if (failed) return 1;
#endif
  (void)failed;
  sem_wait(&s);
#else
  pthread_t t[2];
  int made[2];
  for (int i = 0; i < 2; i++) made[i] = pthread_create(&t[i], NULL, run, NULL) == 0;
#ifndef FIXED
  made[1] = 1;
#endif
  for (int i = 0; i < 2; i++)
    if (made[i]) pthread_join(t[i], NULL);
#endif
  return 0;
}
