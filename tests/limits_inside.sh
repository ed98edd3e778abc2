#!/bin/sh
# limits_inside.sh: a limit on time and SIGTERM end a run also inside of one long transition,
# interpreted and as machine code. PROVISO names the program to test.
. "$(dirname "$0")/common/shell.sh"
cd "$work" || exit 2

# Every end of a block looks for pointers to it in all of memory.
cat >frees.c <<'END'
#include <stdlib.h>
int main(void) {
  static char *table[4096];
  for (int i = 0; i < 4096; i++) table[i] = malloc(4096);
  for (unsigned i = 0;; i++) {
    free(table[i % 4096]);
    table[i % 4096] = calloc(1, 4096);
  }
}
END
cat >copies.c <<'END'
#include <stdlib.h>
#include <string.h>
enum { N = 1 << 25 };
int main(void) {
  char *a = malloc(N), *b = malloc(N);
  memset(a, 1, N);
  for (;;) {
    memcpy(b, a, N);
    memcpy(a, b, N);
  }
}
END
cat >calls.c <<'END'
static unsigned f(unsigned n) { return n < 2 ? n : f(n - 1) + f(n - 2); }
int main(void) { return f(60) == 1; }
END

# timed LIMIT SIGNAL_AFTER ARGUMENT...: runs proviso; keeps its output, and by how many seconds it
# ended later than the limit, or than the signal
timed() {
  python3 - "$PROVISO" "$@" <<'END'
import signal, subprocess, sys, time
proviso, limit, after, arguments = sys.argv[1], float(sys.argv[2]), float(sys.argv[3]), sys.argv[4:]
with open("out", "w") as out:
    start = time.monotonic()
    p = subprocess.Popen([proviso, "check", "--engine", "explicit", "--limit", f"time={limit}s",
                          *arguments], stdout=out, stderr=subprocess.STDOUT)
    if after:
        time.sleep(after)
        start = time.monotonic()
        p.send_signal(signal.SIGTERM)
    p.wait()
with open("late", "w") as f:
    f.write(str(time.monotonic() - start - (0 if after else limit)))
END
}
# Half a second on an idle machine.
soon() { python3 -c 'import sys; sys.exit(float(open("late").read()) > 2)'; }

for program in frees copies calls; do
  for how in native interpret; do
    timed 0.7 0 --exec $how $program.c
    check "$program, $how: the limit is kept" soon
    check "$program, $how: its proviso" grep -q 'time limit' out
  done
  timed 60 0.7 $program.c
  check "$program: SIGTERM is heeded" soon
  check "$program: its proviso" grep -q 'interrupted' out
done
finish
