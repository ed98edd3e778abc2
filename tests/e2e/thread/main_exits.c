// Main ends by pthread_exit; its thread goes on and may even join it.
// expect: true
// states: 6
#include <pthread.h>

static pthread_t main_thread;
static int value;

static void *work(void *arg) {
  pthread_join(main_thread, NULL);
  value = 2;
  return arg;
}

int main(void) {
  main_thread = pthread_self();
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  value = 1;
  pthread_exit(NULL);
}
