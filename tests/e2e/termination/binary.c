// Binary search.
// args: --property termination
// expect: true
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned low = 0, high = __VERIFIER_nondet_uint() % 100000, key = __VERIFIER_nondet_uint();
  while (low < high) {
    unsigned middle = low + (high - low) / 2;
    if (middle < key)
      low = middle + 1;
    else
      high = middle;
  }
  return (int)low;
}
