/* double_close.c -- two threads close a channel if it is open; they look and act under the lock, but
 * not under one lock. */
#include <assert.h>

#include "crowd.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int open_channels = 1, hint;

static void *closer(void *x) {
  pthread_mutex_lock(&lock);
  int is_open = open_channels > 0;
  pthread_mutex_unlock(&lock);
  hint = is_open; /* what the analysis warns of */
  if (is_open) {
    pthread_mutex_lock(&lock);
    assert(open_channels > 0);
    open_channels--;
    pthread_mutex_unlock(&lock);
  }
  return x;
}

int main(void) {
  pthread_t t, u;
  start_crowd();
  pthread_create(&t, 0, closer, 0);
  pthread_create(&u, 0, closer, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
