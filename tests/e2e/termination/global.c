// The counter is a global that a function lowers.
// args: --property termination
// expect: true
extern int __VERIFIER_nondet_int(void);
static int left = 1000000;
static void use(int n) {
  if (n > 0)
    left = left - 1;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++)
    use(i);
  while (left > 0)
    left -= 3;
  return 0;
}
