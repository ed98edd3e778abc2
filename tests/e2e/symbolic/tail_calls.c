// Tail calls of recursive functions do not nest: they are a loop through the entries of functions.
// run: --engine kinduction --property unreach-call --check-proof => true
// run: --engine kinduction --property unreach-call --integers bitvector -- -DMOVE => true
// run: --engine kinduction --property unreach-call -- -DMOVE -DBUG => false(unreach-call)
// run: --engine bmc --property unreach-call -- -DBUG => false(unreach-call)
// run: --engine predicate --property unreach-call -- -DBUG => false(unreach-call)
// run: --engine kinduction --property unreach-call -- -DOWNS => true
// run: --engine kinduction --property unreach-call -- -DOWNS -DLOST=1 => false(unreach-call)
// run: --engine bmc --property unreach-call -- -DFEW => true
#ifndef LOST
#define LOST 0
#endif
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int odd(int n);
static int even(int n) {
  return n == 0 ? 1 : odd(n - 1);
}
static int odd(int n) {
  if (n == 0) return 0;
#ifdef BUG
  if (n == 7) return 0;
#endif
  return even(n - 1);
}

/* Its own frame is replaced by itself: the arguments are evaluated first. */
static int left;
static void move(int from, int to) {
  if (from <= 0) {
    left = from;
    return;
  }
  move(from - 1, to + 1);
}

#ifdef OWNS
/* A pointer to a variable of the caller is passed on: its frame must stay. */
static int last(const int *p, int n) {
  int mine = *p + 1;
  if (n <= 0) return *p;
  return last(&mine, n - 1);
}
#endif

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0) return 0;
#ifdef FEW
  if (n > 12) return 0;
#endif
  if (even(n) == n % 2) reach_error();
#ifdef MOVE
  move(n, 0);
  if (left != 0) reach_error();
#endif
#ifdef OWNS
  int zero = 0;
  if (n < 3 && last(&zero, n) != n + LOST) reach_error();
#endif
  return 0;
}
