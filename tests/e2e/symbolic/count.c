// A loop with a known number of rounds: unwinding and values come to its end.
// run: --engine bmc --property unreach-call => true
// run: --engine value --property unreach-call => true
// run: --engine bmc --property unreach-call,no-overflow => true
// run: --engine bmc --property unreach-call -- -DBUG => false(unreach-call)
// run: --engine value --property unreach-call -- -DBUG => false(unreach-call)
// run: --engine bmc --property unreach-call --integers bitvector => true
extern void reach_error(void);
int main(void) {
  int i = 0, sum = 0;
  while (i < 300) {
    i++;
    sum += i;
  }
#ifdef BUG
  if (sum == 45150) reach_error();
#else
  if (sum != 45150) reach_error();
#endif
}
