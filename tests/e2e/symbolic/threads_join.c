// Results of threads, locals that are shared, numbers of threads that come back.
// run: --engine value --property unreach-call => true
// run: --engine composite --property unreach-call => true
// run: --engine value --property unreach-call -- -DEARLY => false(unreach-call)
// run: --engine composite --property unreach-call -- -DEARLY => false(unreach-call)
// proof: none
#include <pthread.h>
#include <stddef.h>
extern void reach_error(void);
static int values[2] = {3, 4};
static void *pick(void *which) {
  *(int *)which = *(int *)which + 1;
  return &values[*(int *)which];
}
static void *nothing(void *unused) {
  pthread_exit(unused);
}
int main(void) {
  pthread_t t;
  int local = 0;
  void *result = NULL;
  pthread_create(&t, 0, pick, &local);
#ifdef EARLY
  if (local == 1) reach_error();
#endif
  pthread_join(t, &result);
  if (local != 1 || *(int *)result != 4) reach_error();
  pthread_create(&t, 0, nothing, &local);
  if (t != 2) reach_error();
  pthread_join(t, &result);
  if (result != &local) reach_error();
}
