#!/bin/sh
# events.sh: listeners to the events of engines, as a plug-in. PROVISO names the program to test.
. "$(dirname "$0")/common/shell.sh"
cd "$work" || exit 2

"$CC" -std=c11 -Wall -Wextra -Werror -shared -fPIC -I "$root/include" -o hot.so "$root/examples/plugin/hot.c" 2>err
check "the example compiles with the header alone" test -e hot.so

cat >two.c <<'END'
#include <pthread.h>
static int x;
static void *run(void *a) { x++; return a; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  x++;
  pthread_join(t, 0);
}
END
sed -e 's/^static int x;/static _Atomic int x;/' two.c >two_fixed.c

run() { # run ARGUMENT...
  timeout 60 "$PROVISO" check "$@" >out 2>err
  status=$?
}
said() { [ "$(grep -c -e "$2" out)" -eq "$1" ]; }
exits() { [ "$status" -eq "$1" ]; }

run --load hot.so --property no-data-race --keep-going --por none two.c
check "race: exit status" exits 10
check "race: told" said 3 'plug-in: no-data-race at .*two.c:[37]: '
check "race: accesses by line" said 2 'plug-in: .*two.c:[37]: [1-9][0-9]* reads, [1-9][0-9]* writes'
run --load ./hot.so --property no-data-race --por none two_fixed.c
check "no race: exit status" exits 0
check "no race: no error is told" said 1 ' 0 errors'
run --load ./hot.so --engine dpor --property no-data-race two_fixed.c
check "dpor: two executions, the second one after steps back" said 1 'plug-in: [1-9][0-9]* steps, 0 new states, 0 known ones, [1-9][0-9]* times back, 0 errors'
run --load ./hot.so --engine predicate --property unreach-call two_fixed.c
check "other engines tell no steps" said 1 'plug-in: 0 steps, [1-9][0-9]* new states'
cat >count.c <<'END'
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = 0, n = __VERIFIER_nondet_int();
  while (x < n) {
    x++;
    if (x < 0) reach_error();
  }
  if (n == WRONG) reach_error();
}
END
run --load ./hot.so --engine predicate --property unreach-call count.c -DWRONG=-2147483649
check "abstract states: verdict" exits 0
check "abstract states: new and covered ones" said 1 'plug-in: 0 steps, [1-9][0-9]* new states, [1-9][0-9]* known ones, 0 times back, 0 errors'
check "abstract states: refinements" said 1 'plug-in: [1-9][0-9]* refinements'
run --load ./hot.so --engine kinduction --property unreach-call count.c -DWRONG=3
check "abstract states: an error" exits 10
check "abstract states: it is told once" said 1 'plug-in: unreach-call at .*count.c:9: '

# What a listener hears is what the statistics say.
run --load ./hot.so --engine explicit --property no-data-race --por none two_fixed.c
check "states, without the initial one" said 1 'plug-in: 9 steps, 6 new states, 1 known ones'
check "... as many as the search has" said 1 'Statistics: 7 states, 9 transitions'

# A plug-in is named by the user and by nobody else.
run --load ./missing.so two.c
check "no such file: exit status" exits 2
check "no such file: told" grep -q 'missing.so: cannot be loaded' err
printf 'int x;\n' >empty.c
"$CC" -shared -fPIC -o empty.so empty.c
run --load ./empty.so two.c
check "no plug-in: exit status" exits 2
run --load ./hot.so --engine explicit --limit states=3 --proviso condition two_fixed.c
check "a condition does not name it" sh -c '! grep -q hot.so condition'
finish
