// Two threads can fail together, while others do what has nothing to do with it. All are equally near to
// the assertion: who lets transitions that interfere with the last one go first leaves the others alone.
//
// expect: false(unreach-call)
// states: 41
// args: --property unreach-call --por none --search best --ties interference
// message: 40 states generated, 14 expanded
// run: --property unreach-call --por none --search best => false(unreach-call) states=48
// run: --property unreach-call --por none --search beam --ties interference => false(unreach-call) states=41
// run: --property unreach-call --search best --ties interference -- -DORDERED -DREST=1 => true states=38
// run: --property unreach-call --search bfs --por persistent -- -DORDERED -DREST=1 => true states=38
// run: --property unreach-call --por none --search best --ties interference -- -DORDERED -DREST=1 => true states=247
// run: --property unreach-call --por none --search best -- -DORDERED -DREST=1 => true states=247
#include <assert.h>
#include <pthread.h>

#ifndef REST
#define REST 3
#endif
static int first, second, others[REST];

static void *both(void *arg) {
  first = 1;
  second = 1;
  return arg;
}

static void *look(void *arg) {
#ifdef ORDERED
  int s = second, f = first;
  assert(f || !s);
#else
  int f = first, s = second;
  assert(f == s);
#endif
  return arg;
}

static void *rest(void *arg) {
  int *other = arg;
  *other += 1;
  *other += 1;
  return arg;
}

int main(void) {
  pthread_t t;
  for (int i = 0; i < REST; i++) pthread_create(&t, 0, rest, &others[i]);
  pthread_create(&t, 0, both, 0);
  pthread_create(&t, 0, look, 0);
}
