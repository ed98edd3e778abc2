// Many states, of which an error is near: `auto` finds it breadth first, since depth first goes far away.
// expect: false(unreach-call)
// args: --property unreach-call
// run: --engine explicit --search bfs --property unreach-call => false(unreach-call) states=10910
// run: --engine explicit --search bfs --property unreach-call -- -DMOST=50 => true states=4944
// run: --property unreach-call -- -DMOST=50 => true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#ifndef MOST
#define MOST 1000003
#endif

int main(void) {
  unsigned x = 1, y = 0;
  for (;;) {
    int input = __VERIFIER_nondet_int();
    if (input == 1)
      x = x * 1103515245u + 12345u;
    else if (input == 2)
      x ^= x >> 7;
    else if (input == 3)
      x = x / 3 + y;
    else if (input == 4 && y < 100)
      y += x % 5;
    else
      continue;
    x %= MOST;
    if (x == 15274 && y == 1) reach_error();
  }
}
