// pthread_create writes an id, pthread_join a result: another thread that reads or writes there races with that (true was said once).
// expect: false(no-data-race)
// args: --property no-data-race
// message: data race on id: write by thread 0 and read by thread 1
// run: --property no-data-race --por none => false(no-data-race)
// run: --engine dpor --property no-data-race => false(no-data-race)
// run: --engine dpor --dpor classic --dependence conflict --property no-data-race => false(no-data-race)
// run: --property no-data-race -- -DRESULT => false(no-data-race)
// run: --property no-data-race --por none -- -DRESULT => false(no-data-race)
// run: --engine dpor --property no-data-race -- -DRESULT => false(no-data-race)
// run: --property no-data-race -- -DFIX => true
// run: --engine dpor --property no-data-race -- -DFIX => true
// run: --property no-data-race -- -DFIX -DRESULT => true
// run: --engine dpor --property no-data-race -- -DFIX -DRESULT => true
#include <pthread.h>

static pthread_t id;
static void *result, *seen;

static void *reads(void *arg) {
#ifdef RESULT
  seen = result;
#else
  seen = (void *)id;
#endif
  return arg;
}

static void *works(void *arg) {
  return arg;
}

int main(void) {
  pthread_t reader;
#ifdef FIX
  pthread_create(&id, 0, works, 0);
  pthread_join(id, &result);
  pthread_create(&reader, 0, reads, 0);
#else
  pthread_create(&reader, 0, reads, 0);
  pthread_create(&id, 0, works, 0);
  pthread_join(id, &result);
#endif
  pthread_join(reader, 0);
  return 0;
}
