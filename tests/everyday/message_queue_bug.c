// A thread logs messages that others hand over in a list.
// bug: unreach-call: a spurious wake-up ends the logger: the condition is not tested again
// expect: false(unreach-call)
// args:
// stdin:
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct message {
  int number;
  struct message *next;
};
static struct message *first;
static int closed, logged;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void send(int number) {
  struct message *m = malloc(sizeof *m);
  if (!m)
    abort();
  m->number = number;
  pthread_mutex_lock(&lock);
  m->next = first;
  first = m;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
}

static void *logger(void *unused) {
  for (;;) {
    pthread_mutex_lock(&lock);
    if (!first && !closed)
      pthread_cond_wait(&changed, &lock);
    struct message *m = first;
    if (m)
      first = m->next;
    pthread_mutex_unlock(&lock);
    if (!m)
      return unused;
    logged += m->number;
    free(m);
  }
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, logger, NULL);
  send(1);
  send(2);
  pthread_mutex_lock(&lock);
  closed = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
  assert(logged == 3);
  return 0;
}
