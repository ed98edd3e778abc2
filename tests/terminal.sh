#!/bin/sh
# terminal.sh: what a person sees in a terminal: colours, width, folded loops, --explain, the commands
# explain and view. PROVISO names the program to test.
. "$(dirname "$0")/common/shell.sh"
cd "$work" || exit 2

run() {
  timeout 120 "$PROVISO" "$@" >out 2>err
  status=$?
}
said() { grep -q -e "$1" out; }
not() { ! "$@"; }

cat >loop.c <<'END_'
#include <assert.h>
int a[40];
int main(void) {
  int s = 0;
  for (int i = 0; i < 30; i++) {
    a[i] = i;
    s += a[i];
  }
  assert(s BAD 435);
  return 0;
}
END_
sed 's/BAD/==/' loop.c >right.c
sed 's/BAD/!=/' loop.c >wrong.c

# ---- folding ---------------------------------------------------------------------------------------
run check wrong.c --json wrong.json
check "a loop of steps is folded" said '^  \.\.\. these 3 steps 28 more times \.\.\.$'
check "the last round is shown" said 'a\[29\] = 29'
check "the size is that of the whole path" said '^Error path (9[0-9] steps'
check "each line has 80 columns at most" is "$(awk 'length > 80' out | grep -c '^  thread')" 0
run check wrong.c --verbose
check "--verbose folds nothing" not said 'more times'
run replay wrong.json --step 20
check "replay --step folds nothing" is "$(grep -c '^  thread' out)" 20

# ---- --explain, explain ----------------------------------------------------------------------------
run check wrong.c --explain
cp out explained
check "what was tried" said '^What was tried:$'
check "which engine" said '^  [a-z]*: false$'
command=$(sed -n '/^What would help/,$s/^    proviso //p' out | head -n 1)
check "the first command to paste" is "$command" "check --report error.html wrong.c"
# shellcheck disable=SC2086
run $command
check "it works" test "$status" -eq 10 -a -s error.html
run explain wrong.json
check "explain tells the same again" cmp out explained
check "with its exit status" is "$status" 10
run explain --quiet wrong.json
check "explain --quiet: no path" not said '^  thread'
run check right.c --explain
check "a correct twin" ends 0 true
echo 'int main(int argc, char **argv) { return argc > 1 && argv[1][0] == 1; }' >words.c
run check words.c --engine bmc --explain
check "a bound on arguments: its option" said '^    proviso check .*--max-arg-length 32 words.c$'
echo 'int main(void) { return 0; }' >words.c
run check words.c --engine bmc --explain
check "no bound, no option" not said 'max-arg-length'
cat >product.c <<'END_'
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
int main(void) {
  unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
  if (a > 15 || b > 15) return 0;
  if ((a * b ^ b * a) != 0) abort();
  char t[226] = {0};
  return t[a * b];
}
END_
run check product.c --engine bmc --explain
check "products: integers that are exact" said '^    proviso check --engine bmc --integers bitvector product.c$'
run check product.c --engine bmc --integers bitvector --explain
check "and with them" ends 0 true
check "they are no longer proposed" not said 'integers'
run explain right.c
check "explain wants a record" is "$status" 2
cat >calls.c <<'END_'
extern int __VERIFIER_nondet_int(void);
extern void secret(int);
int main(void) {
  if (__VERIFIER_nondet_int() == 5) secret(1);
  return 0;
}
END_
run check calls.c --explain --engine explicit --limit 'states=1' -- -DX='a b'
check "commands are quoted" said " -- '-DX=a b'\$"
check "a bound has advice" said 'To bound the run by time instead'
check "... and other sub-commands: abstract" said "^    proviso abstract --refine --predicates predicates.txt calls.c -- '-DX=a b'\$"
check "... and slice" said "^    proviso slice -o slice.c calls.c -- '-DX=a b'\$"
run check "$root/examples/philosophers_fixed.c" --explain --engine explicit --limit states=100
check "threads: observe" said '^    proviso observe --confirm .*philosophers_fixed.c$'
check "threads: instrument" said '^    proviso instrument -o program .*philosophers_fixed.c && PROVISO_TRACE=trace ./program'
run check "$root/tests/e2e/ltl/response_bug.c" --explain --ltl '[] (a -> <> b)' --ap 'a = 1' --ap 'b = 0'
check "a lasso: ltl" said "^    proviso ltl '\[\] (a -> <> b)'\$"
check "... and slice" said '^    proviso slice -o slice.c '
run check "$root/examples/measurements.c" --explain --property unreach-call --args kelvin
check "inputs are given: a specialised slice" said "^    proviso slice .*--args kelvin.* --specialise -o slice.c "
run check "$root/tests/e2e/ltl/response_bug.c" --explain --ltl '[] (a -> <> b)' --ap 'a = 1' --ap 'b = 0' --limit states=1
check "a bound, with a formula: ltl" said "^    proviso ltl '\[\] (a -> <> b)'\$"
for word in resume replay; do
  run help $word
  check "$word knows --explain" said '^  --explain'
done

# ---- a terminal ------------------------------------------------------------------------------------
cat >term.py <<'END_'
"""term.py COLUMNS KEYS COMMAND...: runs the command in a terminal, sends the keys, prints what it wrote."""
import fcntl, os, pty, select, struct, sys, termios, time
columns, keys, command = int(sys.argv[1]), sys.argv[2].encode().decode("unicode_escape").encode(), sys.argv[3:]
pid, fd = pty.fork()
if pid == 0:
    os.environ["TERM"] = "xterm"
    time.sleep(0.2)
    os.execvp(command[0], command)
fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 30, columns, 0, 0))
written, end, quiet = b"", time.time() + 60, time.time()
while time.time() < end:
    if select.select([fd], [], [], 0.3)[0]:
        try:
            chunk = os.read(fd, 65536)
        except OSError:
            break
        if not chunk:
            break
        written += chunk
        quiet = time.time()
    elif keys and written and time.time() - quiet > 0.3:
        n = 3 if keys.startswith(b"\x1b") else 1
        os.write(fd, keys[:n])
        keys = keys[n:]
sys.stdout.buffer.write(written)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
END_
esc=$(printf '\033')
python3 term.py 100 '' "$PROVISO" check wrong.c >out 2>err
check "colours in a terminal" said "$esc\[1;31m"
NO_COLOR=1 python3 term.py 100 '' "$PROVISO" check --quiet wrong.c >out 2>err
check "none with NO_COLOR" not said "$esc\[1"
cat >wide.c <<'END_'
#include <assert.h>
int main(void) {
  int first_long_name = 1, second_long_name = 2, third_long_name = 3, fourth_long_name = 4, fifth_long_name = 5;
  assert(first_long_name + second_long_name + third_long_name + fourth_long_name + fifth_long_name == 16);
  return 0;
}
END_
for columns in 70 130; do
  NO_COLOR=1 python3 term.py $columns '' "$PROVISO" check wide.c 2>err | tr -d '\r' | sed "s/$esc\[K//g" >out
  check "lines fit into $columns columns" is "$(awk -v n=$columns '/^  thread/ && length > n' out | wc -l)" 0
  check "and use them" test "$(awk '/^  thread/ && length > n {n = length} END {print n}' out)" -gt $((columns - 25))
done

# ---- view ------------------------------------------------------------------------------------------
if "$PROVISO" view wrong.json 2>&1 </dev/null | grep -q 'without curses'; then
  echo "built without curses: view is not tested"
  finish
fi
run view wrong.json
check "view wants a terminal" is "$status" 2
python3 term.py 100 'jjjGq' "$PROVISO" view wrong.json >out 2>err
check "view ends" is "$?" 0
check "it shows the error" said 'assertion `s != 435. fails'
check "and counts steps" said 'step 1 of 9[0-9]'
check "the end has the last value" said '435'
run check right.c --json right.json
run view right.json
check "view without an error" is "$status" 2
run view wrong.json --violation 2
check "view of an error that is not there" is "$status" 2
finish
