// A flag ends the loop, or a counter does.
// args: --property termination
// expect: true
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  _Bool go = 1;
  unsigned char tries = 0;
  while (go && tries < 100) {
    if (__VERIFIER_nondet_bool())
      go = 0;
    tries++;
  }
  return tries;
}
