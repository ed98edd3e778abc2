// Two inputs of a few values each; their sum decides the way through a function. (The tests leave out this line.)
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int side(int x) {
  if (x > 3)
    return 1;
  return 2;
}
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 0 || x > 3)
    return 0;
  int y = __VERIFIER_nondet_int();
  if (y < 0 || y > 7)
    return x;
  int z = side(x + y);
  if (z > 2)
    reach_error();
  return z;
}
