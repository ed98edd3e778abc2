// A reference count under a lock that lies in the object: the last one frees it, and gives back the lock after that.
// expect: false(def-behavior)
// args: --property def-behavior -- -DLATE
// message: unlock of a mutex that is not locked: it is in freed memory
// run: => false(def-behavior)
// run: --engine dpor --property def-behavior -- -DLATE => false(def-behavior)
// run: -- -DFIX => true
// run: --engine dpor -- -DFIX => true
#include <pthread.h>
#include <stdlib.h>

struct object {
  pthread_mutex_t lock;
  int users;
};

static void *drops(void *arg) {
  struct object *o = arg;
  pthread_mutex_lock(&o->lock);
  int left = --o->users;
#ifdef LATE
  pthread_mutex_unlock(&o->lock);
  if (!left) free(o);
  if (!left) pthread_mutex_unlock(&o->lock);
#elif defined FIX
  pthread_mutex_unlock(&o->lock);
  if (!left) free(o);
#else
  if (!left) free(o);
  pthread_mutex_unlock(&o->lock);
#endif
  return 0;
}

int main(void) {
  pthread_t one, other;
  struct object *o = malloc(sizeof *o);
  pthread_mutex_init(&o->lock, 0);
  o->users = 2;
  pthread_create(&one, 0, drops, o);
  pthread_create(&other, 0, drops, o);
  pthread_join(one, 0);
  pthread_join(other, 0);
  return 0;
}
