// The inner loop sets the outer counter back.
// args: --property termination
// expect: false(termination)
// message: and then, for ever
int main(void) {
  int n = 4;
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++)
      if (j == 2)
        i = 1;
  return 0;
}
