// Handlers of pthread_cleanup_push run when a thread is cancelled or leaves by pthread_exit. Each case is a program of
// its own (-DCASE=N), and has a wrong twin (-DBUG).
// expect: true
// states: 60
// args: -- -DCASE=1
// run: -- -DCASE=1 -DBUG => false(unreach-call) states=37
// run: --property valid-memtrack,valid-free -- -DCASE=2 => true states=14
// run: --property valid-memtrack,valid-free -- -DCASE=2 -DBUG => false(valid-memtrack) states=6
// run: -- -DCASE=3 => true states=9
// run: -- -DCASE=3 -DBUG => false(unreach-call) states=9
// run: --32 -- -DCASE=3 => true states=9
// run: --32 -- -DCASE=3 -DBUG => false(unreach-call) states=9
// run: -- -DCASE=4 => true states=46
// run: -- -DCASE=4 -DBUG => false(unreach-call) states=36
// run: -- -DCASE=5 => true states=26
// run: -- -DCASE=5 -DBUG => false(unreach-call) states=7
// run: -- -DCASE=6 => true states=527
// run: -- -DCASE=6 -DBUG => false(no-data-race) states=34
// run: -- -DCASE=7 => true states=6
// run: -- -DCASE=7 -DBUG => false(def-behavior) states=2
// run: -- -DCASE=8 => true states=3
// run: -- -DCASE=8 -DBUG => false(valid-deref) states=2
// run: -- -DCASE=9 => true states=23
// run: -- -DCASE=9 -DBUG => conditional states=27
// run: --engine dpor -- -DCASE=1 => true executions=4
// run: --engine dpor -- -DCASE=6 => true executions=17
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int order;
static void digit(void *arg) {
  order = order * 10 + *(int *)arg;
}
static int one = 1, two = 2, three = 3;

#if CASE == 1 /* the innermost first, in the frames of all callers */
static void inner(void) {
  pthread_cleanup_push(digit, &one);
  pthread_cleanup_push(digit, &two);
  pthread_testcancel();
  pthread_cleanup_pop(0);
  pthread_testcancel();
  pthread_cleanup_pop(0);
}
static void *run(void *arg) {
  pthread_cleanup_push(digit, &three);
  inner();
  pthread_cleanup_pop(1);
  return arg;
}
int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, NULL, run, NULL);
  pthread_cancel(t);
  pthread_join(t, &result);
  if (result == NULL) assert(order == 3); /* the request came too late */
#ifdef BUG
  else assert(order == 213);
#else
  else assert(order == 213 || order == 13);
#endif
}

#elif CASE == 2 /* what is held where a thread may be cancelled */
static void *run(void *arg) {
  char *p = malloc(8);
#ifdef BUG
  pthread_testcancel();
  free(p);
#else
  pthread_cleanup_push(free, p);
  pthread_testcancel();
  pthread_cleanup_pop(1);
#endif
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, run, NULL);
  pthread_cancel(t);
  pthread_join(t, NULL);
}

#elif CASE == 3 /* pthread_exit, without any cancellation */
static void *run(void *arg) {
  pthread_cleanup_push(digit, &one);
  pthread_cleanup_push(digit, &two);
  if (arg) pthread_exit(arg);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return arg;
}
int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, NULL, run, &three);
  pthread_join(t, &result);
  assert(result == &three);
#ifdef BUG
  assert(order == 12);
#else
  assert(order == 21);
#endif
}

#elif CASE == 4 /* destructors of keys come after the handlers */
static pthread_key_t key;
static void *run(void *arg) {
  pthread_setspecific(key, &two);
  pthread_cleanup_push(digit, &one);
  pthread_testcancel();
  pthread_cleanup_pop(0);
  return arg;
}
int main(void) {
  pthread_t t;
  void *result;
  pthread_key_create(&key, digit);
  pthread_create(&t, NULL, run, NULL);
  pthread_cancel(t);
  pthread_join(t, &result);
#ifdef BUG
  assert(order == 12);
#else
  assert(order == (result == PTHREAD_CANCELED ? 12 : 2));
#endif
}

#elif CASE == 5 /* handlers see what variables hold when they run; what the thread is asked then is in vain */
static void last(void *arg) {
  order = *(int *)arg;
  pthread_testcancel(); /* in vain, but where the thread is not ending: at pop */
}
static void *run(void *arg) {
  int at = 1;
  pthread_cleanup_push(last, &at);
  at = 2;
  pthread_testcancel();
  at = 3;
  pthread_cleanup_pop(1);
  return arg;
}
int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, NULL, run, NULL);
  pthread_cancel(t);
  pthread_join(t, &result);
#ifdef BUG
  assert(order == 3 || (order == 1 && result == PTHREAD_CANCELED));
#else
  assert(order == 3 || (order == 2 && result == PTHREAD_CANCELED));
#endif
}

#elif CASE == 6 /* handlers run in their thread */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void locked(void *arg) {
#ifndef BUG
  pthread_mutex_lock(&lock);
#endif
  digit(arg);
#ifndef BUG
  pthread_mutex_unlock(&lock);
#endif
}
static void *run(void *arg) {
  pthread_cleanup_push(locked, &one);
  pthread_testcancel();
  pthread_cleanup_pop(1);
  return arg;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, run, NULL);
  pthread_create(&u, NULL, run, NULL);
  pthread_cancel(t);
  pthread_cancel(u);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  assert(order == 11);
}

#elif CASE == 7 /* a handler does not leave once more (POSIX.1-2017, pthread_exit) */
static void leave(void *arg) {
#ifdef BUG
  pthread_exit(arg);
#else
  digit(arg);
#endif
}
static void *run(void *arg) {
  pthread_cleanup_push(leave, &one);
  pthread_exit(arg);
  pthread_cleanup_pop(0);
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, run, NULL);
  pthread_join(t, NULL);
  assert(order == 1);
}

#elif CASE == 8 /* push and pop come in pairs */
static void nothing(void *arg) {
  (void)arg;
}
static int half(int leave) {
  pthread_cleanup_push(nothing, NULL);
#ifdef BUG
  if (leave) return 1; /* undefined; the handler stays, its frame does not */
#endif
  pthread_cleanup_pop(0);
  return leave;
}
static void *run(void *arg) {
  half(1);
  pthread_exit(arg);
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, run, NULL);
  pthread_join(t, NULL);
}

#elif CASE == 9 /* in an initialiser of pthread_once */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void initialise(void) {
#ifdef BUG
  pthread_testcancel(); /* glibc would run it anew; this is not modelled */
#endif
  order = 1;
}
static void *run(void *arg) {
  pthread_once(&once, initialise);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, run, NULL);
  pthread_cancel(t);
  pthread_once(&once, initialise);
  pthread_join(t, NULL);
  assert(order == 1);
}
#endif
