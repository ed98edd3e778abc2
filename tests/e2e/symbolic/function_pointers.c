// Calls through pointers go where the pointer points.
// run: --engine bmc --property unreach-call => true
// run: --engine value --property unreach-call => true
// run: --engine bmc --property unreach-call -- -DBUG => false(unreach-call)
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int twice(int x) {
  return 2 * x;
}
static int next(int x) {
  return x + 1;
}
static int (*const table[2])(int) = {twice, next};
int main(void) {
  int which = __VERIFIER_nondet_int() != 0;
  int (*f)(int) = which ? table[0] : table[1];
  int y = f(5);
  f(y); /* what it gives is no matter */
#ifdef BUG
  if (y == 6) reach_error();
#endif
  if (y != 10 && y != 6) reach_error();
}
