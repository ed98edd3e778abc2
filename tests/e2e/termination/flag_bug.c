// The flag is always set at the end.
// args: --property termination
// expect: false(termination)
// message: and then, for ever
int main(void) {
  _Bool go = 1;
  unsigned char tries = 0;
  while (go || tries < 100) {
    if (tries < 100)
      tries++;
    go = !go || tries == 100;
  }
  return tries;
}
