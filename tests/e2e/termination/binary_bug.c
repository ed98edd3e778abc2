// The lower bound stays where it is.
// args: --property termination
// expect: false(termination)
// message: and then, for ever
int main(void) {
  unsigned low = 0, high = 8, key = 7;
  while (low < high) {
    unsigned middle = low + (high - low) / 2;
    if (middle < key)
      low = middle;
    else
      high = middle;
  }
  return (int)low;
}
