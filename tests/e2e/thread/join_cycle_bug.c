// Main and its thread wait for each other's end.
// expect: false(no-deadlock)
// states: 3
#include <pthread.h>

static pthread_t main_thread;

static void *work(void *arg) {
  pthread_join(main_thread, NULL);
  return arg;
}

int main(void) {
  main_thread = pthread_self();
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  pthread_join(t, NULL);
}
