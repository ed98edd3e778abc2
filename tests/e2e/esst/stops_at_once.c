// A process that stops the simulation at once disables the others, so its block commutes with no other one: in some order another
// process has run before. -DRIGHT: none has an effect.
// args: --engine esst --property unreach-call --order any
// expect: false(unreach-call)
// states: 4
// run: --engine explicit --property unreach-call --order any => false(unreach-call) states=5
// run: --engine esst --property unreach-call --order any --por none => false(unreach-call) states=4
// run: --engine esst --property unreach-call --order any --por sleep => false(unreach-call) states=4
// run: --engine esst --property unreach-call --order any --por persistent => false(unreach-call) states=4
// run: --engine esst --property unreach-call --order any -- -DRIGHT => true states=8
// run: --engine explicit --property unreach-call --order any -- -DRIGHT => true states=5
#include <sysc.h>
extern void reach_error(void);

static int x;

static void stops(void *unused) {
  (void)unused;
  sysc_stop_at_once();
}
static void writes(void *unused) {
  (void)unused;
#ifndef RIGHT
  x = 1;
#endif
}

int main(void) {
  sysc_thread(stops, 0);
  sysc_thread(writes, 0);
  sysc_start_all();
  if (x) reach_error();
  return 0;
}
