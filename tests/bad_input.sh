#!/bin/sh
# bad_input.sh: wrong input is answered by one clear line on stderr, nothing on stdout, and exit
# status 2; never by a crash, a leak or a report of a sanitizer. PROVISO names the program to test.
. "$(dirname "$0")/common/shell.sh"
clang=$CLANG
cd "$work" || exit 2
export TMPDIR="$work/tmp"
mkdir tmp

bad() {
  failed=$((failed + 1))
  echo "FAILED: $name: $*"
  sed 's/^/  stderr: /' err | head -n 20
}

# expect LINES NAME TEXT ARGUMENT...: the first line of stderr holds TEXT; LINES is `one` where there
# must be no other, `more` where clang's own output follows.
expect() {
  lines=$1 name=$2 text=$3
  shift 3
  timeout 120 "$PROVISO" "$@" >out 2>err
  status=$?
  first=$(head -n 1 err)
  if [ "$status" -ne 2 ]; then bad "exit status $status instead of 2"
  elif [ -s out ]; then bad "there is output on stdout"
  elif grep -q -e 'Sanitizer' -e 'runtime error' -e 'PLEASE submit' err; then bad "a crash or a leak"
  elif [ "${first#proviso: }" = "$first" ]; then bad "the message does not begin with 'proviso: '"
  elif ! echo "$first" | grep -q -F -e "$text"; then bad "the message does not say '$text'"
  elif [ "$lines" = one ] && [ "$(wc -l <err)" -ne 1 ]; then bad "more than one line"
  elif [ -n "$(ls tmp)" ]; then bad "temporary files were left behind: $(ls tmp)"
  else
    passed=$((passed + 1))
  fi
  rm -rf tmp/*
}

cat >good.c <<'END'
int x;
int main(void) { x = 1; return 0; }
END
: >empty.c
: >empty.bc
: >empty.ll
echo 'int main(void) { return 0 }' >syntax.c
echo 'int f(void) { return 0; }' >nomain.c
echo '#include "nowhere.h"' >include.c
echo 'int main(void) { return y; }' >undeclared.i
echo 'int main(void) { return 0; }' >words.txt
echo 'define i32 @main() { ret' >cut.ll
"$clang" -g -O0 -emit-llvm -c good.c -o good.bc || exit 2
size=$(wc -c <good.bc)
for part in 1 2 3; do head -c $((size * part / 4)) good.bc >cut$part.bc; done
head -c 10000000 /dev/zero >zeros.c
head -c 10000000 /dev/zero | tr '\0' '{' >braces.c
yes 'junk (( "' | head -c 10000000 >junk.c
yes 'junk (( "' | head -c 10000000 >junk.bc
yes 'junk (( "' | head -c 10000000 >junk.ll
mkdir folder folder.c
echo 'int main(void) { return 1; }' >second.c
echo 'CHECK( init(main()), LTL(F G x) )' >formula.prp
yes 'CHECK(' | head -c 2000000 >huge.prp
: >empty.prp

expect one "no command" "no command"
expect one "unknown command" "did you mean \`check\`" chek good.c
expect one "file as command" "did you mean \`proviso check good.c\`" good.c
expect one "no file" "no input file" check
expect one "missing file" "missing.c: No such file" check missing.c
expect one "empty name" "is not a file name" check ""
expect one "directory" "is a directory" check folder
expect one "directory with a good name" "is a directory" check folder.c
expect one "unknown kind of file" "words.txt" check words.txt
expect one "empty source" "no function \`main\`" check empty.c
expect one "no main" "no function \`main\`" check nomain.c
expect one "no such entry" "nosuch" check --entry nosuch good.c
expect more "syntax error" "syntax.c" check syntax.c
expect more "missing header" "include.c" check include.c
expect more "undeclared, preprocessed" "undeclared.i" check undeclared.i
expect more "two definitions of main" "main" check good.c second.c
expect more "clang refuses its arguments" "good.c" check good.c -- -fno-such-argument
expect one "an argument that proviso refuses" "--no-such-argument" check good.c -- --no-such-argument
expect one "empty bitcode" "empty.bc" check empty.bc
expect one "empty assembly" "no function \`main\`" check empty.ll
expect one "bitcode cut at a quarter" "cut1.bc" check cut1.bc
expect one "bitcode cut at the half" "cut2.bc" check cut2.bc
expect one "bitcode cut at three quarters" "cut3.bc" check cut3.bc
expect more "assembly cut" "cut.ll" check cut.ll
expect more "10 MB of junk as source" "junk.c" check junk.c
expect one "10 MB of zeros as source" "zeros.c" check zeros.c
expect more "10 MB of braces as source" "braces.c" check braces.c
expect one "10 MB of junk as bitcode" "junk.bc" check junk.bc
expect more "10 MB of junk as assembly" "junk.ll" check junk.ll
expect one "unknown option" "did you mean \`--search\`" check --serch bfs good.c
expect one "unknown short option" "go after \`--\`" check -O2 good.c
expect one "option of another command" "does not belong" check --format c good.c
expect one "option without its value" "a value is missing" check good.c --search
expect one "wrong choice" "\`dsf\` is not dfs, bfs, best" check --search dsf good.c
expect one "number out of range" "from 1 to 65536" check --inputs 0 good.c
expect one "no number" "from 1 to 64" check --max-threads=many good.c
expect one "switch with a word" "is not 0 or 1" check --keep-going=maybe good.c
expect one "unknown property" "unknown property \`no-races\`" check --property no-races good.c
expect one "unknown limit" "no such limit" check --limit clock=5 good.c
expect one "limit without a number" "time=60s" check --limit time=soon good.c
expect one "store, breadth first" "needs \`--search dfs\`" check --store bitstate --search bfs good.c
expect one "store with sleep sets" "needs \`--por persistent\`" check --store compact64 --por sleep good.c
expect one "store under a depth limit" "no \`--limit depth\`" check --limit depth=9 --store compact128 good.c
expect one "symmetry, breadth first" "needs \`--search dfs\`" check --symmetry threads --search bfs good.c
expect one "symmetry, several threads" "needs \`--threads 1\`" check --symmetry threads --threads 2 good.c
expect one "symmetry with a lossy store" "needs \`--store exact\`" check --symmetry threads --store bitstate good.c
expect one "both data models" "exclude each other" check --32 --64 good.c
expect one "missing spec" "missing.prp: No such file" check --spec missing.prp good.c
expect one "spec is a directory" "is a directory" check --spec folder good.c
expect one "spec is empty" "empty.prp" check --spec empty.prp good.c
expect one "spec is a program" "good.c" check --spec good.c good.c
expect one "spec is huge" "too large" check --spec huge.prp good.c
expect one "spec is zeros" "too large" check --spec zeros.c good.c
expect one "spec asks for a formula" "not supported" check --spec formula.prp good.c
expect more "invariant is no C" "invariant" check --invariant "x >" good.c
expect one "invariant without C source" "C source" check --invariant "x > 0" good.bc
expect one "invariant asked for, none given" "needs an" check --property invariant good.c
expect one "instants of threads without any" "no instants" check --property no-endless-instant good.c
expect one "result into nowhere" "cannot be written" check --json nowhere/out.json good.c
expect one "result into a folder" "cannot be written" check --json folder good.c
expect one "ir of nothing" "missing.c" ir missing.c
expect one "ir in a wrong format" "text, dot or c" ir --format svg good.c
expect one "file without a path" "is not NAME=PATH" check --file words.txt good.c
expect one "file that is missing" "missing.txt: No such file" check --file a=missing.txt good.c
expect one "folder given as file" "is a directory" check --file a=folder good.c
expect one "file given twice" "given more than once" check --file a=words.txt --file a=good.c good.c
expect one "replay of nothing" "missing.json" replay missing.json
expect one "replay of a program" "good.c" replay good.c
expect one "replay of zeros" "zeros.c" replay zeros.c
expect one "replay of two" "one file" replay good.c good.c

cat >predicate.c <<'END'
#include "proviso_predicate.h"
int x;
PROVISO_PREDICATE("zero", x == 0)
int main(void) { x = 1; return 0; }
END
cp predicate.c kept.c
for command in slice sequentialise abstract instrument; do
  expect one "$command over its input" "predicate.c: is an input" "$command" predicate.c -o predicate.c
  expect one "$command over its input, named otherwise" "is an input" "$command" predicate.c -o ./predicate.c
  expect one "$command into nowhere" "nowhere/out: cannot be written" "$command" predicate.c -o nowhere/out
done
expect one "result over its input" "predicate.c: is an input" check --json predicate.c predicate.c
expect one "checks into nowhere" "nowhere/out: cannot be written" init predicate.c -o nowhere/out
echo 'x <' >predicates.txt
expect more "half a predicate" "a predicate: " abstract --predicates predicates.txt -I "$root/include" predicate.c
expect one "a trace and a program" "takes no program" observe --trace zeros.c predicate.c
expect one "a trace to confirm" "no \`--confirm\`" observe --trace zeros.c --confirm
echo 'int f(void) { return 1; }' >part.c
expect one "init without a start" "part.c: there is no function \`main\`" init part.c -o part.toml
expect one "init of nothing" "No such file" init missing.c -o missing.toml
expect one "instrument without a start" "no function \`main\`" instrument part.c -o part
chain() { # chain OPERATOR: sixteen propositions, joined by <->
  printf '%s' "$1 p0"
  for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do printf '%s' " <-> $1 p$i"; done
}
sanitized || # takes long then
  expect one "an automaton that is too large" "proviso: the automaton is too large" ltl "$(chain '<>')"
expect one "the work on a formula is bounded in time" "a limit (time) was reached" ltl --limit time=1ms "$(chain '<>')"
expect one "and not by states" "only time and memory bound the work on a formula" ltl --limit states=3 a
"$PROVISO" ltl "$(chain '')" >out 2>err
name="the same without temporal operators is small"
is "$?$(grep -c '^state' out)" 02 && passed=$((passed + 1)) || bad "it is not"
expect one "a parenthesis of a plan that is open" "a parenthesis is not closed (in \`bmc(unwind=1; predicate\`)" \
  check --plan 'bmc(unwind=1; predicate' good.c
mkfifo endless.bc
expect one "bitcode that never ends" "endless.bc: is not a regular file" check endless.bc
name="an input is never written over"
cmp predicate.c kept.c >err 2>&1 && passed=$((passed + 1)) || bad "it was"

if [ "$(id -u)" -ne 0 ]; then
  cp good.c secret.c
  chmod 000 secret.c
  expect one "unreadable file" "Permission denied" check secret.c
  expect one "unreadable spec" "Permission denied" check --spec secret.c good.c
fi

finish
