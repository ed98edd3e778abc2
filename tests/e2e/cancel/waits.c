// Threads are cancelled while they wait. Each case is a program of its own (-DCASE=N), and has a wrong twin (-DBUG).
// expect: true
// states: 24
// args: -- -DCASE=1
// run: -- -DCASE=1 -DBUG => false(no-deadlock) states=10
// run: -- -DCASE=2 => true states=46
// run: -- -DCASE=2 -DBUG => false(unreach-call) states=12
// run: -- -DCASE=3 => true states=385
// run: -- -DCASE=3 -DBUG => false(no-deadlock) states=56
// run: -- -DCASE=4 => true states=24
// run: -- -DCASE=4 -DBUG => false(unreach-call) states=18
// run: -- -DCASE=5 => true states=31
// run: -- -DCASE=5 -DBUG => false(no-deadlock) states=5
// run: -- -DCASE=6 => true states=27
// run: -- -DCASE=6 -DBUG => false(no-deadlock) states=7
// run: -- -DCASE=7 => true states=89
// run: -- -DCASE=7 -DBUG => false(unreach-call) states=27
// run: --engine dpor -- -DCASE=4 => true executions=4
// run: --engine dpor -- -DCASE=4 -DBUG => false(unreach-call) executions=1
// run: --engine dpor -- -DCASE=5 => true executions=2
// run: --engine dpor --no-spurious -- -DCASE=3 => conditional executions=40
// run: -- -DCASE=8 => true states=113
// run: -- -DCASE=8 -DBUG => false(no-deadlock) states=31
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t event = PTHREAD_COND_INITIALIZER;
static int happened, shared;

static void unlock(void *mutex) {
  pthread_mutex_unlock(mutex);
}

#if CASE == 1 /* a handler that does not give the mutex back */
static void *run(void *arg) {
  pthread_mutex_lock(&lock);
#ifdef BUG
  while (!happened) pthread_cond_wait(&event, &lock);
#else
  pthread_cleanup_push(unlock, &lock);
  while (!happened) pthread_cond_wait(&event, &lock);
  pthread_cleanup_pop(0);
#endif
  pthread_mutex_unlock(&lock);
  return arg;
}
int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, NULL, run, NULL);
  pthread_cancel(t);
  pthread_join(t, &result);
  assert(result == PTHREAD_CANCELED);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
}

#elif CASE == 2 /* handlers have the mutex: what they do is not interrupted */
static void note(void *arg) {
  (void)arg;
  int before = shared;
  shared = before + 1;
#ifdef BUG
  assert(before == 0); /* others had the mutex while the thread waited */
#endif
  pthread_mutex_unlock(&lock);
}
static void *run(void *arg) {
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(note, NULL);
  for (;;) pthread_cond_wait(&event, &lock);
  pthread_cleanup_pop(0);
  return arg;
}
int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, NULL, run, NULL);
  pthread_cancel(t);
  pthread_mutex_lock(&lock);
  shared++;
  pthread_mutex_unlock(&lock);
  pthread_join(t, &result);
  assert(result == PTHREAD_CANCELED && shared == 2);
}

#elif CASE == 3 /* one signal, two waiters, one of them cancelled: the signal is not lost */
static void *run(void *arg) {
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(unlock, &lock);
  shared++;
  while (!happened) pthread_cond_wait(&event, &lock);
  pthread_cleanup_pop(1);
  return arg;
}
static void *take(void *arg) { /* uses up what happened, without a signal */
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(unlock, &lock);
  while (!happened) pthread_cond_wait(&event, &lock);
#ifdef BUG
  happened = 0; /* and the other thread waits for ever */
#endif
  pthread_cleanup_pop(1);
  return arg;
}
int main(void) {
  pthread_t a, b;
  void *result;
  pthread_create(&a, NULL, run, NULL);
  pthread_create(&b, NULL, take, NULL);
  pthread_mutex_lock(&lock);
  happened = 1;
  pthread_cond_signal(&event);
  pthread_mutex_unlock(&lock);
  pthread_cancel(b);
  pthread_join(b, &result);
  pthread_mutex_lock(&lock);
  if (result != PTHREAD_CANCELED) pthread_cond_signal(&event); /* b had it, or came later */
  pthread_mutex_unlock(&lock);
  pthread_join(a, NULL);
}

#elif CASE == 4 /* a semaphore: cancelled, or one less */
static sem_t s;
static void *run(void *arg) {
  sem_wait(&s);
  shared = 1;
  return arg;
}
int main(void) {
  pthread_t t;
  void *result;
  int value;
  sem_init(&s, 0, 0);
  pthread_create(&t, NULL, run, NULL);
  pthread_cancel(t);
  sem_post(&s);
  pthread_join(t, &result);
  sem_getvalue(&s, &value);
#ifdef BUG
  assert(value == 1); /* the post came first, or right after the request */
#endif
  assert(value == (result == PTHREAD_CANCELED) && shared == !value);
}

#elif CASE == 5 /* a join; who was to be joined is still there */
static void *child(void *arg) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return arg;
}
static pthread_t c;
static void *run(void *arg) {
  pthread_join(c, NULL);
  return arg;
}
int main(void) {
  pthread_t t;
  void *result;
  pthread_mutex_lock(&lock);
  pthread_create(&c, NULL, child, NULL);
  pthread_create(&t, NULL, run, NULL);
#ifndef BUG
  pthread_cancel(t);
#endif
  pthread_join(t, &result); /* holding the mutex that the child waits for */
  assert(result == PTHREAD_CANCELED);
  pthread_mutex_unlock(&lock);
  pthread_join(c, NULL);
}

#elif CASE == 6 /* where cancellation is disabled a wait is not interrupted */
static void *run(void *arg) {
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
  pthread_mutex_lock(&lock);
  while (!happened) pthread_cond_wait(&event, &lock);
  pthread_mutex_unlock(&lock);
  return arg;
}
int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, NULL, run, NULL);
  pthread_cancel(t);
#ifndef BUG
  pthread_mutex_lock(&lock);
  happened = 1;
  pthread_cond_signal(&event);
  pthread_mutex_unlock(&lock);
#endif
  pthread_join(t, &result);
  assert(result == NULL);
}

#elif CASE == 7 /* a wait with a time limit: cancelled, late, or signalled */
static void *run(void *arg) {
  const struct timespec when = {0, 0};
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(unlock, &lock);
  if (!happened && pthread_cond_timedwait(&event, &lock, &when) == 0) shared = 1;
  pthread_cleanup_pop(1);
  return arg;
}
int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, NULL, run, NULL);
  pthread_cancel(t);
  pthread_mutex_lock(&lock);
  happened = 1;
  pthread_cond_signal(&event);
  pthread_mutex_unlock(&lock);
  pthread_join(t, &result);
  assert(result == NULL || result == PTHREAD_CANCELED);
#ifdef BUG
  assert(result == NULL);
#endif
  if (result == PTHREAD_CANCELED) assert(!shared);
}

#elif CASE == 8 /* who begins to wait after the signal is not owed it */
static int later;
static void left(void *mutex) {
  if (!later) exit(0); /* only if the other thread waits is there something to see */
  pthread_mutex_unlock(mutex);
}
static void *run(void *arg) {
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(left, &lock);
  shared = 1;
  pthread_cond_wait(&event, &lock);
  pthread_cleanup_pop(0);
  exit(0);
}
static void *come_late(void *arg) {
  pthread_mutex_lock(&lock);
  later = 1;
  pthread_cond_wait(&event, &lock);
  pthread_mutex_unlock(&lock);
  return arg;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, run, NULL);
  pthread_mutex_lock(&lock);
  if (!shared) exit(0);
  pthread_cond_signal(&event); /* for t alone */
  pthread_mutex_unlock(&lock);
  pthread_create(&u, NULL, come_late, NULL);
  pthread_cancel(t);
  pthread_join(t, NULL);
#ifndef BUG
  pthread_mutex_lock(&lock);
  pthread_cond_signal(&event);
  pthread_mutex_unlock(&lock);
#endif
  pthread_join(u, NULL);
}
#endif
