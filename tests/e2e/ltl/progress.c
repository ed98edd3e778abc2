// A loop without end that makes progress is no livelock.
// args: --property no-livelock
// expect: true
// states: 10
// run: --property termination => false(termination)
int n;

int main(void) {
  for (;;) {
  progress:
    n = (n + 1) % 3;
  }
}
