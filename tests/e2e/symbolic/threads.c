// Threads are not for these engines: they say so.
// run: --engine bmc --property unreach-call => conditional
// run: --engine value --property unreach-call => conditional
// run: --engine kinduction --property unreach-call => conditional
#include <pthread.h>
extern void reach_error(void);
static int x;
static void *work(void *unused) {
  x = 1;
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  if (x == 1) reach_error();
}
