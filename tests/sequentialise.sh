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
sed 's/^  int rounds = 0;/&\n  int (*waits)(ft_event_t, int *) = number ? wait_for : polls;/; s/wait_for(i == 1/waits(i == 1/
  s/^static void ends/static int polls(ft_event_t e, int *rounds) { return ft_thread_generate(e) + 100 * (*rounds)++; }\n&/' nested.c >pointers.c
same pointers.c

# ---- verdicts -------------------------------------------------------------------------------------
says() { # says NAME VERDICT STATES ENGINE ORDER FILE [OPTION...]
  of=$1 verdict=$2 states=$3 engine=$4 order=$5
  shift 5
  rm -f seq.c
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
says unset false - bmc creation unset.c -DUNTIL=0
says set true - bmc creation unset.c '-DUNTIL=0 || round == 1'

# ---- SystemC --------------------------------------------------------------------------------------
systemc=$root/bench/esst/systemc
says kundu true - explicit any "$systemc/kundu.c"
says kundu-bug false - explicit any "$systemc/kundu.c" -DBUG=1
says ring2 conditional - explicit any "$systemc/token_ring.c" -DN=2
says ring2-bug false - explicit any "$systemc/token_ring.c" -DN=2 -DBUG
# Which notification counts, and what a wait returns. -DWRONG=N: the N-th expectation is the wrong one.
cat >kernel.c <<'END'
#include <sysc.h>
extern void reach_error(void);
static sysc_event e[4];
static sysc_signal s;
static int step, rounds;
static void must(int number, int yes) {
  if (yes == (number == WRONG)) reach_error();
  step++;
}
static int waits(sysc_time most) {
  int late = sysc_wait_any_for(2, e, most);
  return late ? 10 + sysc_timed_out() : sysc_timed_out();
}
static void watch(void *unused) {
  (void)unused;
  rounds++;
  if (rounds == 2) sysc_next_event_for(e[3], 1);
}
static void drives(void *unused) {
  (void)unused;
  sysc_write(s, 1);
  must(1, sysc_read(s) == 0 && sysc_activity() == 1);
  sysc_notify(e[0], 5);
  sysc_notify(e[0], 2); /* sooner: replaces it */
  sysc_notify(e[1], 4);
  must(2, waits(9) == 0 && sysc_now() == 2 && sysc_read(s) == 1);
  sysc_notify(e[1], 0); /* a delta notification replaces it */
  must(3, waits(1) == 0 && sysc_now() == 2);
  must(4, waits(1) == 11 && sysc_now() == 3);
  sysc_notify(e[2], 1);
  sysc_notify(e[3], 2);
  sysc_wait_all(2, e + 2);
  must(6, sysc_now() == 5 && rounds == 3);
  sysc_notify(e[2], 1);
  sysc_cancel(e[2]);
  must(7, sysc_wait_event_for(e[2], 3) == 1 && sysc_now() == 8);
  sysc_stop();
  sysc_wait_time(1);
  reach_error();
}
int main(void) {
  for (int i = 0; i < 4; i++) e[i] = sysc_event_new();
  s = sysc_signal_new(0);
  sysc_thread(drives, 0);
  sysc_sensitive(sysc_method(watch, 0), sysc_changed(s));
  sysc_start(4);
  must(5, sysc_now() == 4 && step == 4 && sysc_activity() == 2);
  sysc_start_all();
  must(8, step == 7 && sysc_status() == 2);
}
END
for order in creation any; do says "kernel, $order" true - explicit $order kernel.c -DWRONG=0; done
for wrong in 2 4 6 8; do says "kernel, $wrong" false - explicit creation kernel.c -DWRONG=$wrong; done
says "stop at once" true - explicit creation "$root/tests/e2e/systemc/stop.c" -DAT_ONCE
says "stop at once, any order" false - explicit any "$root/tests/e2e/systemc/stop.c" -DAT_ONCE
# In C++: two adders behind each other.
cat >adder.cpp <<'END'
#include <systemc.h>
extern "C" void reach_error(void);
SC_MODULE(Adder) {
  sc_in<bool> clk;
  sc_in<int> in;
  sc_out<int> out;
  void adds() { out.write(in.read() + 1); }
  SC_CTOR(Adder) {
    SC_METHOD(adds);
    sensitive << clk.pos();
    dont_initialize();
  }
};
SC_MODULE(Bench) {
  sc_in<bool> clk;
  sc_in<int> result;
  sc_out<int> input;
  void drives() {
    for (int i = 0; i < 3; i++) {
      input.write(i);
      wait();
      wait();
      if (result.read() != i + RESULT) reach_error();
    }
    sc_stop();
  }
  SC_CTOR(Bench) {
    SC_THREAD(drives);
    sensitive << clk.neg();
  }
};
int sc_main(int, char *[]) {
  sc_signal<bool> clk;
  sc_signal<int> a, b, c;
  Adder first("first"), second("second");
  Bench bench("bench");
  first.clk(clk);
  second.clk(clk);
  bench.clk(clk);
  first.in(a);
  first.out(b);
  second.in(b);
  second.out(c);
  bench.input(a);
  bench.result(c);
  for (int i = 0; i < 20; i++) {
    clk.write(i % 2);
    sc_start(1, SC_NS);
  }
  return 0;
}
END
says "C++" true - explicit any adder.cpp -DRESULT=2
says "C++, bug" false - explicit any adder.cpp -DRESULT=1
# A channel whose functions wait, and are called through its interfaces.
cat >channel.cpp <<'END'
#include <systemc.h>
extern "C" void reach_error(void);
struct Puts : virtual public sc_interface {
  virtual void put(int) = 0;
};
struct Takes : virtual public sc_interface {
  virtual int take() = 0;
};
struct Cell : public sc_channel, public Puts, public Takes {
  int value;
  bool full;
  sc_event changed;
  Cell(sc_module_name name) : sc_channel(name), full(false) {}
  void put(int v) {
    while (full) wait(changed);
    if (OVERWRITES || !full) value = v;
    full = true;
    changed.notify(SC_ZERO_TIME);
    if (OVERWRITES) full = false;
  }
  int take() {
    while (!full && !OVERWRITES) wait(changed);
    if (OVERWRITES) wait(changed);
    full = false;
    changed.notify(SC_ZERO_TIME);
    return value;
  }
};
SC_MODULE(Source) {
  sc_port<Puts> out;
  void main() {
    for (int i = 0; i < 3; i++) out->put(i);
  }
  SC_CTOR(Source) { SC_THREAD(main); }
};
SC_MODULE(Sink) {
  sc_port<Takes> in;
  void main() {
    for (int i = 0; i < 3; i++)
      if (in->take() != i) reach_error();
  }
  SC_CTOR(Sink) { SC_THREAD(main); }
};
int sc_main(int, char *[]) {
  Cell cell("cell");
  Source source("source");
  Sink sink("sink");
  source.out(cell);
  sink.in(cell);
  sc_start();
  return 0;
}
END
says "channel" true - explicit any channel.cpp -DOVERWRITES=0
says "channel, bug" false - explicit any channel.cpp -DOVERWRITES=1

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
run sequentialise -o seq.c prog.c
check "a pointer to a function that waits: is sequentialised" is "$status" 0
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
refused "no cooperative threads" 'only programs with FairThreads or SystemC'
printf '#include <sysc.h>\nstatic void f(void *u) { sysc_wait(); }\nint main(void) { sysc_method(f, 0); sysc_start_all(); }\n' >prog.c
refused "a method that waits" 'a method waits: `f`'
printf '#include <sysc.h>\nint main(void) { sysc_start_all(); }\n' >prog.c
refused "no process" 'no thread or process is created'

python3 "$root/fuzz/esst.py" --sequential --binary "$PROVISO" --order all --seeds 0 2 >fuzz
check "random programs" grep -q ' programs, 0 differences, 0 conditional' fuzz
python3 "$root/fuzz/esst.py" --sequential --binary "$PROVISO" --scheduler systemc --order any --seeds 0 2 >fuzz
check "random programs, SystemC" grep -q ' programs, 0 differences, 0 conditional' fuzz
finish
