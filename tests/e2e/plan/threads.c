// Engines take over from each other in a program with threads. A search that stopped leaves prefixes open.
// expect: true
// args: --property unreach-call --plan 'explicit(search=bfs, states=20); explicit(states=10); explicit'
// run: --property unreach-call --plan 'explicit(search=bfs, states=20); explicit(states=10); explicit' -- -DBUG => false(unreach-call)
// run: --property unreach-call --plan 'explicit(states=20); dpor' => true
// run: --atomic instruction --property unreach-call --plan 'explicit(states=20); dpor' => conditional
// run: --property unreach-call --plan 'explicit(states=20); composite' -- -DBUG => false(unreach-call)
// run: --property unreach-call --limit states=30 => true
// run: --property unreach-call --limit states=23 -- -DBUG => conditional states=23
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static void *add(void *unused) {
#ifdef BUG
  int old = count;
  count = old + 1;
#else
  count++;
#endif
  return unused;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, add, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  assert(count == 3);
}
