// SystemC: who runs first. The standard leaves it open (any); a fixed order of processes is one of its cases (all), and so
// is the order of creation. In any order, the two that are woken together may run in another order the second time.
// expect: true
// states: 6
// args: --engine explicit
// run: -- -DA=0 => false(unreach-call) states=6
// run: -- -DA=5 => true states=6
// run: --order all -- -DA=0 => false(unreach-call) states=6
// run: --order all -- -DA=5 => false(unreach-call) states=10
// run: --order all -- -DA=1 => true states=10
// run: --order all -- -DA=4 => true states=10
// run: --order any -- -DA=1 => false(unreach-call) states=8
// run: --order any -- -DA=4 => false(unreach-call) states=8
// run: --order any -- -DA=6 => true states=14
#include <assert.h>
#include <sysc.h>
#ifndef A
#define A 5
#endif
/* Each of two processes runs twice: the four digits, most significant first. */
static int history;
static void process(void *number) {
  history = history * 2 + (int)(long)number;
  sysc_wait_time(1);
  history = history * 2 + (int)(long)number;
}
int main(void) {
  sysc_thread(process, (void *)0);
  sysc_thread(process, (void *)1);
  sysc_start_all();
  if (A == 0) assert(history != 5);
  if (A == 5) assert(history == 5);
  if (A == 1) assert(history == 5 || history == 10); /* fixed orders */
  if (A == 4) assert(history != 6 && history != 9);
  if (A == 6) assert(history == 5 || history == 6 || history == 9 || history == 10);
  return 0;
}
