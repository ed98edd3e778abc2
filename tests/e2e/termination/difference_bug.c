// Both counters move in the same direction.
// args: --property termination
// expect: false(termination)
// message: and then, for ever
int main(void) {
  int low = 0, high = 4;
  while (low != high) {
    low++;
    high++;
    if (high > 20) {
      low -= 16;
      high -= 16;
    }
  }
  return 0;
}
