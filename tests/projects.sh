#!/bin/sh
# projects.sh: compile_commands.json, several starts, proviso.toml, and which arguments for clang are
# refused. PROVISO names the program to test.
. "$(dirname "$0")/common/shell.sh"
cd "$work" || exit 2

run() {
  timeout 120 "$PROVISO" "$@" >out 2>err
  status=$?
}
said() { grep -q -e "$1" out; }
complained() { grep -q -e "$1" err; }
not() { ! "$@"; }

# ---- a project of five files: a counter with and without a lock, two tests, two programs -----------
mkdir -p p/src p/inc p/build
cat >p/inc/counter.h <<'END_'
void counter_add(int n);
int counter_get(void);
END_
cat >p/src/counter.c <<'END_'
#include "counter.h"
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;
extern void never_called(void);
void counter_log(void) { never_called(); }
void counter_add(int n) {
#if LOCKED
  pthread_mutex_lock(&lock);
#endif
  value += n;
#if LOCKED
  pthread_mutex_unlock(&lock);
#endif
}
int counter_get(void) { return value; }
END_
cat >p/src/unused.c <<'END_'
void never_called(void) { *(volatile int *)0 = 1; }
END_
cat >p/src/tests.c <<'END_'
#include <assert.h>
#include <pthread.h>
#include "counter.h"
static void *work(void *x) { counter_add(1); return x; }
int test_two(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(counter_get() == 2);
  return 0;
}
int test_one(void) { counter_add(START); assert(counter_get() == 1); return 0; }
END_
printf '#include "counter.h"\nint main(void) { counter_add(1); return 0; }\n' >p/src/tool.c
printf 'int main(void) { return 0; }\n' >p/src/other.c
database() { # database LOCKED [FLAG]
  python3 - "$1" "${2:-}" <<'END_'
import json, os, sys
here, rows = os.path.abspath("p"), []
for name in ("counter", "unused", "tests", "tool", "other"):
    command = f"cc -I../inc -DSTART=1 -DLOCKED={sys.argv[1]} {sys.argv[2]} -O2 -Wall -o {name}.o -c ../src/{name}.c"
    entry = {"directory": here + "/build", "file": f"../src/{name}.c"}
    entry.update({"command": command} if name != "tool" else {"arguments": command.split()})
    rows.append(entry)
json.dump(rows, open("p/build/compile_commands.json", "w"))
END_
}
database 1
run check -p p/build --entry test_two
check "the test is linked with what it reaches" ends 0 true
check "and with nothing else" said 'p/src/tests.c:-Ip/inc,-DSTART=1,-DLOCKED=1$\|Checked p/src/counter.c'
check "unused files are not" not said 'unused.c'
run check -p p/build p/src/tool.c
check "a file named chooses the program" ends 0 true
run check -p p/build
check "two programs" is "$status" 2
check "both are named" complained '`main` is defined in p/src/tool.c and in p/src/other.c'
run check -p p/build --entry nothing
check "no such function" is "$status" 2
# a program that includes the source has its definitions, too
printf '#define LOCKED 0\n#include "counter.c"\nint main(void) { return 0; }\n' >p/src/copy.c
extend() { # extend NAME: adds a file to the database
  python3 -c 'import json, sys; p = "p/build/compile_commands.json"; rows = json.load(open(p))
rows.append(dict(rows[0], file="../src/" + sys.argv[1])); json.dump(rows, open(p, "w"))' "$1"
}
sed -i 's/-DLOCKED=1//' p/build/compile_commands.json
extend copy.c
run check -p p/build --entry test_one
check "another program is not linked" ends 0 true
check "only the library is" not said 'copy.c'
sed '/int main/d' p/src/copy.c >p/src/twin.c
extend twin.c
run check -p p/build --entry test_one
check "two libraries: a choice is asked for" is "$status" 2
run check -p p/build --entry test_one p/src/twin.c
check "and taken" said 'twin.c'
database 0
run check -p p/build --entry test_two --json two.json
check "the twin without a lock" ends 10 "false(no-data-race)"
run replay two.json
check "is replayed from its record" ends 10 "false(no-data-race)"
run check -p p/build --entry test_one --entry test_two --json r.json
check "two starts: the worst verdict" ends 10 "false(no-data-race)"
check "each has its line" said '^  test_one  *true$'
check "each has its file" test -s r-test_one.json -a -s r-test_two.json
database 1 "-DNDEBUG -fgnu-runtime"
run check -p p/build --entry test_one
check "assertions that are not there are told" said 'Note: p/src/tests.c is compiled with NDEBUG'
check "flags that are dropped are told" said 'Note: flags of the project.*-fgnu-runtime'
echo '{' >p/build/compile_commands.json
run check -p p/build --entry test_one
check "a broken database" is "$status" 2
echo '[{"file": "a.c", "directory": "/"}]' >p/build/compile_commands.json
run check -p p/build --entry test_one
check "an entry without a command" is "$status" 2

# ---- proviso.toml ----------------------------------------------------------------------------------
database 1
cd p || exit 2
run init -p build
check "init" is "$status" 0
check "init finds programs and tests" is "$(grep -c '^\[\[check' proviso.toml)" 4
run init -p build
check "init overwrites nothing" is "$status" 2
run ci
check "nothing is expected yet" is "$status$(tail -n 1 out)" "04 checks: 0 as expected, 0 better, 0 worse, 4 new (--update records them)"
run ci --update
check "update" is "$(grep -c '^expect = "true"' proviso.toml)" 4
check "comments stay" grep -q '^# The checks of this project' proviso.toml
run ci
check "as expected" is "$status$(tail -n 1 out)" "04 checks: 4 as expected, 0 better, 0 worse, 0 new"
cp proviso.toml good.toml
cd .. && database 0 && cd p || exit 2
run ci
check "a lost true fails" is "$status$(tail -n 1 out)" "14 checks: 3 as expected, 0 better, 1 worse, 0 new"
check "and says where" said '^WORSE *test_two *false(no-data-race)'
sed '/^expect/d' good.toml >proviso.toml
run ci
check "an error for which nothing is expected fails" is "$status$(tail -n 1 out)" "14 checks: 0 as expected, 0 better, 0 worse, 4 new (--update records them)"
cp good.toml proviso.toml
run ci --quiet
check "--quiet: what got worse" is "$(grep -c '^ok' out)$(grep -c '^WORSE' out)" 01
run ci --update
cd .. && database 1 && cd p || exit 2
run ci
check "an error that is gone passes" is "$status$(tail -n 1 out)" "04 checks: 3 as expected, 1 better, 0 worse, 0 new (--update records them)"
cat >conditional.toml <<'END_'
engine = "explicit"
[[check]] # a bound on states
name = 'bounded'
files = ["src/loop.c"] # one
limit = "states=20"
expect = "conditional"
provisos = [ # none yet ]
  "a [strange] \"one\"",
]
unwind = 0
END_
printf 'extern int __VERIFIER_nondet_int(void);\nint main(void) { unsigned n = 0; while (__VERIFIER_nondet_int()) n++; return n == 77; }\n' >src/loop.c
run ci conditional.toml
check "a new proviso fails" is "$status$(tail -n 1 out)" "11 check: 0 as expected, 0 better, 1 worse, 0 new"
run ci --update conditional.toml
run ci conditional.toml
check "a proviso that is known passes" is "$status$(tail -n 1 out)" "01 check: 1 as expected, 0 better, 0 worse, 0 new"
check "the rest of the file stays" is "$(grep -c -e 'strange' conditional.toml)$(grep -c -e '^unwind = 0' -e '# a bound' conditional.toml)" 02
sed -i 's/states=20/states=200/' conditional.toml
run ci conditional.toml
check "numbers in provisos do not count" is "$status" 0
for line in 'expect = "yes"' 'engine = "warp"' 'nothing = 1' 'expect = true' 'limit = 1.5' 'limit = """x"""' '[check]' '[[other]]' 'limit = "a' 'expect = "true" x'; do
  { cat good.toml; echo "$line"; } >bad.toml
  run ci bad.toml
  check "refused: $line" is "$status" 2
done
cd .. || exit 2

# ---- arguments for clang ---------------------------------------------------------------------------
printf 'int main(void) { return 0; }\n' >ok.c
echo '-DX' >options
for flags in '-o touched' '-otouched' '-fplugin=touched.so' '@options' '-Xclang -load' '-load x' '-Wp,-MD,touched' '-MD' '-MF touched' \
  '-save-temps' '-ftime-trace=touched' '-mllvm -x' '--config options' '-emit-ast' '-fsave-optimization-record' '-S' '-fmodules' '-B.' \
  '-Xclang -o' '-gsplit-dwarf' '-fproc-stat-report=touched' '-Xpreprocessor -MD' '-include-pch touched'; do
  # shellcheck disable=SC2086
  run check ok.c -- $flags
  check "refused: $flags" complained "clang's argument .* is refused"
  check "status: $flags" is "$status" 2
done
run check 'ok.c:-fplugin=touched.so'
check "refused for one file" complained "is refused"
check "nothing was written" test ! -e touched
run check ok.c -- -DA=1 -U B -I . -include stddef.h -std=gnu17 -O2 -Wall -fwrapv -Xclang -fsanitize-address-use-after-scope
check "others are passed on" ends 0 true

# Files are compiled once for all entries.
cat >clang.sh <<END
#!/bin/sh
echo run >>"$PWD/runs"
exec clang-19 "\$@"
END
chmod +x clang.sh
cat >entries.c <<'END'
int increment(int n);
static int a[2];
void one(void) { a[increment(0)] = 1; }
void two(void) { a[increment(1)] = 1; }
END
echo 'int increment(int n) { return n + 1; }' >increment.c
export PROVISO_CLANG="$PWD/clang.sh"
run check entries.c increment.c --entry one --entry two
check "two entries" ends 10 'false(def-behavior)'
check "two entries: each file is compiled once" is "$(wc -l <runs | tr -d ' ')" 2
run check entries.c increment.c --entry one
check "another command compiles anew" is "$(wc -l <runs | tr -d ' ')" 4
unset PROVISO_CLANG

finish
