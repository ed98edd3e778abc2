// What becomes of requests to cancel a thread. Each case is a program of its own (-DCASE=N), and has a wrong twin
// (-DBUG).
// expect: true
// states: 7
// args: -- -DCASE=1
// run: -- -DCASE=1 -DBUG => false(def-behavior) states=4
// run: -- -DCASE=2 => true states=13
// run: -- -DCASE=2 -DBUG => false(unreach-call) states=8
// run: -- -DCASE=3 => true states=20
// run: -- -DCASE=3 -DBUG => false(unreach-call) states=7
// run: -- -DCASE=4 => true states=21
// run: -- -DCASE=4 -DBUG => false(unreach-call) states=7
// run: -- -DCASE=5 => true states=113
// run: -- -DCASE=5 -DBUG => false(unreach-call) states=9
// run: -- -DCASE=6 => true states=19
// run: -- -DCASE=6 -DBUG => false(def-behavior) states=8
// run: -- -DCASE=7 => true states=10
// run: -- -DCASE=7 -DBUG => conditional states=4
// run: -- -DCASE=8 => true states=1838
// run: -- -DCASE=8 -DBUG => false(unreach-call) states=280
// run: -- -DCASE=9 => true states=34
// run: -- -DCASE=9 -DBUG => false(unreach-call) states=9
// run: -- -DCASE=10 => true states=264
// run: --property def-behavior -- -DCASE=10 -DBUG => false(def-behavior) states=20
// run: -- -DCASE=11 => true states=26
// run: -- -DCASE=11 -DBUG => false(unreach-call) states=10
// run: -- -DCASE=12 => true states=13
// run: -- -DCASE=12 -DBUG => false(no-deadlock) states=12
// run: --engine dpor -- -DCASE=3 => true executions=3
// run: --engine dpor -- -DCASE=11 => true executions=3
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
#include <unistd.h>

static int done;

#if CASE == 1 /* a thread that has ended keeps its result; one that was joined is no more */
static void *run(void *arg) {
  return arg;
}
int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, NULL, run, &done);
#ifdef BUG
  pthread_join(t, &result);
#endif
  assert(pthread_cancel(t) == 0);
#ifndef BUG
  pthread_join(t, &result);
#endif
  assert(result == &done); /* it has no cancellation point */
}

#elif CASE == 2 /* a request waits until the thread can be cancelled, and then for the next point */
static void *run(void *arg) {
  int old;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
  assert(old == PTHREAD_CANCEL_ENABLE);
  pthread_cancel(pthread_self());
  pthread_testcancel();
  done = 1;
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
  assert(old == PTHREAD_CANCEL_DISABLE);
  done = 2;
  pthread_testcancel();
  done = 3;
  return arg;
}
int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, NULL, run, NULL);
  pthread_join(t, &result);
  assert(result == PTHREAD_CANCELED);
#ifdef BUG
  assert(done == 1);
#else
  assert(done == 2);
#endif
}

#elif CASE == 3 /* a thread that is cancelled before it begins */
static void *run(void *arg) {
  done = 1;
  pthread_testcancel();
  done = 2;
  return arg;
}
int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, NULL, run, NULL);
  pthread_cancel(t);
  pthread_join(t, &result);
#ifdef BUG
  assert(done == 2 || done == 0);
#else
  assert(done == (result == PTHREAD_CANCELED ? 1 : 2));
#endif
}

#elif CASE == 4 /* the first thread, too */
static void *run(void *arg) {
  pthread_cancel(*(pthread_t *)arg);
  void *result;
  pthread_join(*(pthread_t *)arg, &result);
#ifdef BUG
  assert(done);
#else
  assert(!done && result == PTHREAD_CANCELED);
#endif
  return NULL;
}
static pthread_t first;
int main(void) {
  pthread_t t;
  first = pthread_self();
  pthread_create(&t, NULL, run, &first);
  pthread_join(t, NULL); /* waits for a thread that waits for this one */
  done = 1;
}

#elif CASE == 5 /* what sleeps, reads and writes is a cancellation point, what locks is not */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *run(void *arg) {
  char c = 0;
  pthread_cancel(pthread_self());
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  switch (*(int *)arg) {
  case 0: sleep(1); break;
  case 1: usleep(1); break;
  case 2: thrd_sleep(&(struct timespec){0, 1}, NULL); break;
  case 3: nanosleep(&(struct timespec){0, 1}, NULL); break;
  case 4: clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){0, 1}, NULL); break;
  case 5: read(0, &c, 1); break;
  case 6: write(1, &c, 1); break;
  case 7: close(open("file", O_RDONLY)); break;
  }
  done = 1;
  return NULL;
}
int main(void) {
  for (int i = 0; i < 8; i++) {
    pthread_t t;
    void *result;
    pthread_create(&t, NULL, run, &i);
    pthread_join(t, &result);
#ifdef BUG
    assert(result != PTHREAD_CANCELED);
#else
    assert(result == PTHREAD_CANCELED && !done);
#endif
  }
}

#elif CASE == 6 /* a detached thread: it may have ended */
static void *run(void *arg) {
#ifndef BUG
  for (;;) pause();
#endif
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, run, NULL);
  pthread_detach(t);
  pthread_cancel(t);
  pthread_exit(NULL);
}

#elif CASE == 7 /* the other type of cancellation is not modelled */
static void *run(void *arg) {
#ifdef BUG
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
#else
  int old;
  pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old);
  assert(old == PTHREAD_CANCEL_DEFERRED);
#endif
  done = 1;
  return arg;
}
int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, NULL, run, NULL);
  pthread_cancel(t);
  pthread_join(t, &result);
  assert(result == NULL && done);
}

#elif CASE == 8 /* a signal or a request ends the waiting */
static void on_signal(int s) {
  (void)s;
}
static void *run(void *arg) {
  pause();
  done = 1;
  return arg;
}
int main(void) {
  pthread_t t;
  void *result;
  signal(SIGUSR1, on_signal);
  pthread_create(&t, NULL, run, NULL);
  pthread_cancel(t);
  pthread_join(t, &result);
#ifdef BUG
  assert(!done);
#else
  assert(done == (result == NULL));
#endif
}

#elif CASE == 9 /* threads of C11 */
static mtx_t lock;
static cnd_t event;
static int run(void *arg) {
  mtx_lock(&lock);
  cnd_wait(&event, &lock);
  done = 1;
  mtx_unlock(&lock);
  return *(int *)arg;
}
int main(void) {
  thrd_t t;
  int result, five = 5;
  mtx_init(&lock, mtx_plain);
  cnd_init(&event);
  thrd_create(&t, run, &five);
  pthread_cancel(t);
  thrd_join(t, &result);
#ifdef BUG
  assert(result == 5);
#else
  assert(result == (done ? 5 : -1));
#endif
}

#elif CASE == 10 /* two threads cancel each other */
static pthread_t t[2];
static pthread_barrier_t both;
static void *run(void *arg) {
  pthread_barrier_wait(&both);
  pthread_cancel(t[arg == NULL]);
#ifndef BUG
  pthread_barrier_wait(&both); /* else one may have been joined before the other cancels it */
#endif
  pthread_testcancel();
  return NULL;
}
int main(void) {
  void *a, *b;
  pthread_barrier_init(&both, NULL, 3);
  pthread_create(&t[0], NULL, run, NULL);
  pthread_create(&t[1], NULL, run, &done);
  pthread_barrier_wait(&both);
#ifndef BUG
  pthread_barrier_wait(&both);
#endif
  pthread_join(t[0], &a);
  pthread_join(t[1], &b);
  assert(a == PTHREAD_CANCELED && b == PTHREAD_CANCELED);
}

#elif CASE == 11 /* the number of a thread comes back; the request of the one before does not */
static void *run(void *arg) {
  pthread_testcancel();
  return arg;
}
int main(void) {
  pthread_t t, u;
  void *a, *b;
  pthread_create(&t, NULL, run, NULL);
  pthread_cancel(t);
  pthread_join(t, &a);
  pthread_create(&u, NULL, run, NULL);
  pthread_join(u, &b);
#ifdef BUG
  assert(a == NULL);
#endif
  assert(b == NULL);
}

#elif CASE == 12 /* the functions of stdio.h may be cancellation points, or not */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *run(void *arg) {
#ifndef BUG
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
#endif
  pthread_mutex_lock(&lock);
  puts("in the section");
  pthread_mutex_unlock(&lock);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, run, NULL);
  pthread_cancel(t);
  pthread_join(t, NULL);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
}
#endif
