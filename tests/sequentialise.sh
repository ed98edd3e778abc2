#!/bin/sh
# sequentialise.sh: the programs that `proviso sequentialise` prints compile, do natively what the threads do,
# and have their verdicts in every order; what cannot be sequentialised is refused. With a sample of
# fuzz/esst.py --sequential. PROVISO names the program to test.
. "$(dirname "$0")/common/shell.sh"
cd "$work" || exit 2

run() { # run ARGUMENT...
  timeout 120 "$PROVISO" "$@" >out 2>err
  status=$?
}

# ---- natively: the same output as with the library (examples/native) ------------------------------
"$CC" -std=gnu11 -O1 -I "$root/models/include" -c "$root/examples/native/fthread.c" -o fthread.o
cat >errors.c <<'END'
extern void abort(void);
void reach_error(void) { abort(); }
END
natively() { # natively PROGRAM OUTPUT: the last line is the status; threads that wait for ever: 0
  (timeout 20 "./$1" >"$2" 2>err </dev/null
    echo "status $?" >>"$2") 2>/dev/null
  sed -i 's/^status 2$/status 0/' "$2"
}
same() { # same FILE
  of=$(basename "$1" .c)
  run sequentialise -o seq.c "$1"
  check "$of: is sequentialised" is "$status" 0
  "$CC" -std=gnu11 -O1 -w -I "$root/models/include" "$1" fthread.o -o threads
  "$CC" -std=gnu11 -fno-strict-aliasing -fwrapv -Werror=implicit-function-declaration -w seq.c errors.c -o seq 2>err
  check "$of: compiles" is "$?" 0
  natively threads wanted
  natively seq got
  check "$of: prints the same" cmp wanted got
}
for name in lamp_fixed meeting meeting_fixed; do same "$root/examples/$name.c"; done
# Nested calls that wait keep their variables, also those whose address is taken; a result comes back; a thread
# that ends deep inside; a call that creates several threads; orders; a broadcast of main; time-outs.
cat >nested.c <<'END'
#include <fthread.h>
#include <stdio.h>
static ft_event_t ping, pong;
static ft_thread_t idle;
static int wait_for(ft_event_t e, int *rounds) {
  int code = ft_thread_await_n(e, 2), before = *rounds;
  (*rounds)++;
  ft_thread_cooperate();
  return code + 10 * before;
}
static void ends(int when) {
  if (when) ft_exit();
  printf("goes on\n");
}
static void worker(void *number) {
  int rounds = 0;
  long me = (long)number;
  for (int i = 0; i < 3; i++) {
    int code = wait_for(i == 1 ? pong : ping, &rounds);
    printf("%ld: round %d, code %d, rounds %d\n", me, i, code, rounds);
    if (me == 1) ft_thread_generate(pong);
    ends(i == 1 && me == 2);
  }
}
static void idles(void *unused) {
  (void)unused;
  for (int i = 0;; i++) {
    printf("idle %d\n", i);
    ft_thread_cooperate();
  }
}
static void orders(void *unused) {
  (void)unused;
  ft_thread_cooperate();
  ft_scheduler_suspend(idle);
  ft_thread_cooperate_n(2);
  ft_scheduler_resume(idle);
  ft_scheduler_broadcast(pong);
  ft_thread_cooperate_n(3);
  printf("join: %d\n", ft_thread_join_n(idle, 2));
  ft_scheduler_stop(idle);
  printf("join: %d\n", ft_thread_join(idle));
}
int main(void) {
  ft_scheduler_t s = ft_scheduler_create();
  ping = ft_event_create(s);
  pong = ft_event_create(s);
  for (long i = 0; i < 3; i++) ft_thread_create(s, worker, 0, (void *)i);
  idle = ft_thread_create(s, idles, 0, 0);
  ft_thread_create(s, orders, 0, 0);
  ft_scheduler_broadcast(ping);
  ft_scheduler_start(s);
  ft_exit();
}
END
same nested.c
check "nested: it is not trivial" test "$(wc -l <got)" -gt 20

# ---- verdicts -------------------------------------------------------------------------------------
says() { # says NAME VERDICT STATES ENGINE ORDER FILE [OPTION...]
  of=$1 verdict=$2 states=$3 engine=$4 order=$5
  shift 5
  run sequentialise --order "$order" -o seq.c "$@"
  run check --property unreach-call --engine "$engine" --limit time=60s --json result.json seq.c
  check "$of: verdict" is "$(sed -n 's/^Verification result: \([a-z]*\).*/\1/p' out)" "$verdict"
  [ "$states" = - ] || check "$of: states" grep -q "\"states\": $states[,}]" result.json
}
says fact1 true - explicit creation "$root/bench/esst/fact1.c"
says fact1-bug false - explicit creation "$root/bench/esst/fact1.c" -DBUG
says fact1 true - bmc creation "$root/bench/esst/fact1.c"
says fact1-bug false - bmc creation "$root/bench/esst/fact1.c" -DBUG
says fact2 true - explicit all "$root/bench/esst/fact2.c"
says fact2-bug false - explicit all "$root/bench/esst/fact2.c" -DBUG
says ring3-bug false - explicit all "$root/bench/esst/token_ring.c" -DBUG
# The order decides: 2 x 3 threads in any order, and one that stays.
cat >orders.c <<'END'
#include <fthread.h>
extern void reach_error(void);
static int x;
static void first(void *unused) {
  (void)unused;
  x = 1;
  ft_thread_cooperate();
  x = 2;
}
static void second(void *unused) {
  (void)unused;
  int seen = x;
  ft_thread_cooperate();
  if (seen == WAS && x == IS) reach_error();
}
int main(void) {
  ft_scheduler_t s = ft_scheduler_create();
  ft_thread_create(s, first, 0, 0);
  ft_thread_create(s, second, 0, 0);
  ft_scheduler_start(s);
  ft_exit();
}
END
for order in creation all any; do
  for was in 0 1; do
    for is in 1 2; do
      case $order$was$is in
      creation12 | all12 | all01 | any*) verdict=false ;;
      *) verdict=true ;;
      esac
      says "orders $order $was $is" $verdict - explicit $order orders.c -DWAS=$was -DIS=$is
    done
  done
done

# In version 1.0 a thread that is stopped ends when its turn comes, so who joins it goes on after the threads behind it.
cat >stop.c <<'END'
#include <fthread.h>
extern void reach_error(void);
static ft_thread_t victim;
static int x;
static void joins(void *unused) {
  (void)unused;
  ft_thread_join(victim);
  if (x == WAS) reach_error();
}
static void stays(void *unused) {
  (void)unused;
  for (;;) ft_thread_cooperate();
}
static void stops(void *unused) {
  (void)unused;
  ft_scheduler_stop(victim);
  ft_thread_cooperate();
  x = 1;
}
int main(void) {
  ft_scheduler_t s = ft_scheduler_create();
  ft_thread_create(s, joins, 0, 0);
  victim = ft_thread_create(s, stays, 0, 0);
  ft_thread_create(s, stops, 0, 0);
  ft_scheduler_start(s);
  ft_exit();
}
END
says "stop 1.0" true - explicit creation stop.c --fairthreads 1.0 -DWAS=0
says "stop 1.0, bug" false - explicit creation stop.c --fairthreads 1.0 -DWAS=1
says "stop 1.1" true - explicit creation stop.c --fairthreads 1.1 -DWAS=1
says "stop 1.1, bug" false - explicit creation stop.c --fairthreads 1.1 -DWAS=0

# A variable in memory that is not set has any value, also in a new call of a function that waits.
cat >unset.c <<'END'
#include <fthread.h>
extern void reach_error(void);
static void set(unsigned char *x, int round) {
  if (round == UNTIL) *x = 0;
}
static void waits(int round) {
  unsigned char x;
  set(&x, round);
  ft_thread_cooperate();
  if (x == 200) reach_error();
}
static void rounds(void *unused) {
  (void)unused;
  waits(0);
  waits(1);
}
int main(void) {
  ft_scheduler_t s = ft_scheduler_create();
  ft_thread_create(s, rounds, 0, 0);
  ft_scheduler_start(s);
  ft_exit();
}
END
says unset conditional - bmc creation unset.c -DUNTIL=0
says set true - bmc creation unset.c '-DUNTIL=0 || round == 1'

# ---- long paths -----------------------------------------------------------------------------------
# Of a path with very many steps the middle is not described, but what it printed is told.
cat >long.c <<'END'
#include <fthread.h>
#include <stdio.h>
extern void reach_error(void);
static void counts(void *unused) {
  (void)unused;
  for (int i = 1; i <= 25000; i++) {
    if (i % 1000 == 0) printf("%d ", i / 1000);
    ft_thread_cooperate();
  }
  reach_error();
}
int main(void) {
  ft_scheduler_t s = ft_scheduler_create();
  ft_thread_create(s, counts, 0, 0);
  ft_scheduler_start(s);
  ft_exit();
}
END
run check --property unreach-call --engine explicit --json long.json long.c
check "long path: verdict" grep -q "false(unreach-call)" out
check "long path: its output" is "$(seq -s ' ' 1 25) " "$(python3 -c '
import json
print("".join(s.get("output", "") for s in json.load(open("long.json"))["violations"][0]["steps"]), end="")
')"

# ---- refused --------------------------------------------------------------------------------------
refused() { # refused NAME MESSAGE: prog.c
  rm -f seq.c
  run sequentialise -o seq.c prog.c
  check "$1: refused" is "$status" 2
  check "$1: message" grep -q "$2" err
  check "$1: nothing is written" test ! -e seq.c
}
sed 's/ft_thread_generate(pong)/ft_thread_generate_value(pong, 0)/' nested.c >prog.c
refused "a function that is not supported" 'not supported in sequential programs: `ft_thread_generate_value`'
sed 's/  ft_exit();$/  ft_thread_cooperate();/' nested.c >prog.c
refused "main waits" 'main waits for threads, in `ft_thread_cooperate`'
sed 's/^static void ends(int when) {/&\n  if (when > 1) ends(when - 1);/' nested.c >prog.c
refused "recursion" 'calls itself: `ends`'
sed 's/^  int rounds = 0;/&\n  void (*f)(int) = number ? ends : 0; if (f) f(0);/' nested.c >prog.c
refused "a pointer to a function that waits" 'called through a pointer: `ends`'
sed 's/^static void worker/static void cleans(void *u) { (void)u; }\n&/
     s/ft_thread_create(s, orders, 0, 0)/ft_thread_create(s, orders, cleans, 0)/' nested.c >prog.c
refused "cleanup functions" 'cleanup function are stopped'
sed 's/^  ft_exit();$/  ft_thread_generate(ping);\n  ft_exit();/' nested.c >prog.c
refused "main goes on" 'main does more than ft_exit'
sed 's/^static ft_thread_t idle/_Thread_local int mine;\n&/; s/^  int rounds = 0;/&\n  mine++;/' nested.c >prog.c
refused "thread-local variables" 'each thread has its own `mine`'
sed 's/^#include <stdio.h>/&\n#include <errno.h>/; s/^  int rounds = 0;/&\n  errno = 1;/' nested.c >prog.c
refused "errno" 'each thread has its own `__proviso_errno`'
printf '#include <pthread.h>\nint main(void) { return 0; }\n' >prog.c
refused "no FairThreads" 'only programs with FairThreads'

python3 "$root/fuzz/esst.py" --sequential --binary "$PROVISO" --order all --seeds 0 2 >fuzz
check "random programs" grep -q ' programs, 0 differences, 0 conditional' fuzz
finish
