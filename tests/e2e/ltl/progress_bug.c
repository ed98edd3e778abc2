// Here it stops making progress.
// args: --property no-livelock
// expect: false(no-livelock)
int n;

int main(void) {
  for (;;) {
    if (n < 2) {
    progress:
      n++;
    }
  }
}
