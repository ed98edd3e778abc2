#!/usr/bin/env python3
"""Hands the condition of one engine to another, for every form that the second one can use.

usage: tests/takers.py [--binary FILE] [--print] [--every N [--first K]] [WORD ...]

Each case has a correct program and a wrong one. The first engine stops somewhere; the second one examines what is open.
It proves the correct program and finds the error of the wrong one, and expands as many states (executes as many transitions) as the case says (and as an
engine without a condition would). --print shows these numbers. With words, only cases with one of them in
their names; with --every each Nth case, from the Kth on. The last line is "N passed, M failed".
"""
import argparse, json, os, re, subprocess, sys, tempfile, time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# LAST: 30 is right, 29 wrong. The error is in the last round.
ROUNDS = """extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  unsigned n = __VERIFIER_nondet_int() & 15;
  unsigned i = 0, s = 0;
  while (i < n) { i++; s += 2; if (s > LAST) reach_error(); }
  if (s != 2 * n) reach_error();
  return 0;
}
"""
# Two loops one after the other; the bound on each is not the bound on both.
TWO = """extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  unsigned n = __VERIFIER_nondet_int() & 3, m = __VERIFIER_nondet_int() & 3, s = 0;
  for (unsigned i = 0; i < n; i++) s++;
  for (unsigned i = 0; i < m; i++) s += 2;
  if (s > LAST) reach_error();
  return 0;
}
"""

# 3 is wrong (the first input tried before, the second one not), 5 right.
MIXED = """extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int s = 0;
  for (int i = 0; i < 2; i++) {
    int n = __VERIFIER_nondet_int();
    if (n == 0) s += 1;
    else if (n > 1000 && n % 977 == 5) s += 2;
  }
  int m = __VERIFIER_nondet_int();
  if (s == LAST && m < 3) reach_error();
  return 0;
}
"""
# One input. A remainder of 5 is not among the values tried; -1 is.
ONCE = """extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int n = __VERIFIER_nondet_int(), s = 0;
  if (n > 1000 && n % 977 == 5) s = 2;
  if (n == -1) while (s < 100) s += 1;
  if (s == LAST) reach_error();
  return 0;
}
"""
# A branch with many inputs that engine value verifies, and a loop that it leaves open. 60 is right, 59 wrong.
BRANCH = """extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  unsigned s = 0, i = 0;
  if (!(__VERIFIER_nondet_bool() & __VERIFIER_nondet_bool())) {
    for (; i < 5; i++) s = 2 * s + __VERIFIER_nondet_bool();
    if (i != 5) reach_error();
  } else {
    for (; i < 30; i++) s += 2;
    if (s > LAST) reach_error();
  }
  return __VERIFIER_nondet_bool() & s & 1;
}
"""
# The same functions are verified for one caller and not for the other. 60 is right, 59 wrong.
CALLS = """extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }
static unsigned sum(unsigned n) {
  unsigned s = 0;
  for (unsigned i = 0; i < n; i++) s += 2;
  return s;
}
static unsigned bits(unsigned n) {
  unsigned s = 0;
  for (unsigned i = 0; i < n; i++) s = 2 * s + __VERIFIER_nondet_bool();
  return s;
}
int main(void) {
  if (!__VERIFIER_nondet_bool()) {
    if (sum(5) > 10) reach_error();
    unsigned s = bits(4);
    if (sum(4) > 8) reach_error();
    return s & 1;
  }
  if (bits(1) > 1) return 1;
  if (sum(30) > LAST) reach_error();
  return 0;
}
"""
# Threads: 2 is right, 1 wrong.
THREADS = """#include <pthread.h>
#include <stdatomic.h>
void reach_error(void) {}
atomic_int a, b, turn;
static void *one(void *unused) { a = 1; turn = b; b = 2; a = turn + 1; return unused; }
static void *two(void *unused) { b = 1; turn = a; a = 2; b = turn + 1; return unused; }
static void *three(void *unused) {
  int x = a, y = b;
  if (x == 3 && y == 1 + LAST && turn == 3 - LAST) reach_error();
  return unused;
}
int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, one, 0);
  pthread_create(&t[1], 0, two, 0);
  pthread_create(&t[2], 0, three, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
"""

# The same for engines with abstract states: a lock, a wait, and values that matter. 3 is right, 2 wrong.
LOCKED = """#include <pthread.h>
void reach_error(void) {}
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int x, y, ready;
static void *one(void *unused) {
  x = 1;
  y = x + 1;
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return unused;
}
static void *two(void *unused) {
  int seen = x;
  pthread_mutex_lock(&m);
  while (!ready) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  if (seen + y > LAST - (seen == 0)) reach_error();
  return unused;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, one, 0);
  pthread_create(&t[1], 0, two, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
"""

# What the threads do depends on a branch; the loop on one side is left open. 6 is right, 5 wrong.
FORK = """#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) {}
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y, z;
static void *add(void *unused) {
  for (int i = 0; i < 6; i++) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
  }
  return unused;
}
static void *look(void *unused) {
  pthread_mutex_lock(&m);
  y = y + x + 1;
  pthread_mutex_unlock(&m);
  return unused;
}
static void *set(void *unused) {
  z = 1;
  return unused;
}
int main(void) {
  pthread_t t[2];
  if (__VERIFIER_nondet_bool()) {
    pthread_create(&t[0], 0, set, 0);
    pthread_join(t[0], 0);
    pthread_create(&t[0], 0, look, 0);
    pthread_join(t[0], 0);
  } else {
    pthread_create(&t[0], 0, add, 0);
    pthread_create(&t[1], 0, look, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
  }
  if (x > LAST || y > x + 1) reach_error();
  return 0;
}
"""

# Three values of `seen`, the largest one if the second thread is late. 3 is right, 2 wrong.
LOCKS = """#include <pthread.h>
void reach_error(void) {}
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y, seen;
static void *add(void *unused) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
  }
  y = 1;
  return unused;
}
static void *look(void *unused) {
  int early = y;
  pthread_mutex_lock(&m);
  seen = early + x;
  pthread_mutex_unlock(&m);
  return unused;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, add, 0);
  pthread_create(&t[1], 0, look, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  if (seen > LAST) reach_error();
  return 0;
}
"""

# Inputs are read between the branches. 10 is right, 9 wrong.
BETWEEN = """extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int a = __VERIFIER_nondet_int(), s = 0;
  if (a <= 0) return 0;
  int b = __VERIFIER_nondet_int();
  for (int i = 0; i < 3; i++) s += 2 + (__VERIFIER_nondet_int() == 9);
  if (b == 77 && s == LAST) reach_error();
  return 0;
}
"""

# Two loops, and a value that is not among those tried. 30 is right, 2 wrong because of such a value, 24 in one of the
# loops.
BOTH = """extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int n = __VERIFIER_nondet_int(), s = 0;
  if (n > 1000 && n % 977 == 5) s = 2;
  if (n == -1) for (int i = 0; i < 6; i++) s += 2 + __VERIFIER_nondet_bool();
  if (n == 1) for (int i = 0; i < 6; i++) s += 3 + __VERIFIER_nondet_bool();
  if (s == LAST) reach_error();
  return 0;
}
"""

# Cooperative threads. In one mode there are many inputs and a few turns, in the other one many turns. 30 is right, 29 wrong.
TURNS = """#include <fthread.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
static ft_event_t done;
static int mode, s;
static void count(void *unused) {
  (void)unused;
  if (mode) {
    for (int i = 0; i < 5; i++) {
      s = 2 * s + __VERIFIER_nondet_bool();
      ft_thread_cooperate();
    }
    s = 0;
  } else {
    for (int i = 0; i < 15; i++) {
      s += 2;
      ft_thread_cooperate();
      if (s > LAST) reach_error();
    }
  }
  ft_thread_generate(done);
}
static void look(void *unused) {
  (void)unused;
  ft_thread_await(done);
  if (s > LAST) reach_error();
}
int main(void) {
  mode = __VERIFIER_nondet_bool();
  ft_scheduler_t scheduler = ft_scheduler_create();
  done = ft_event_create(scheduler);
  ft_thread_create(scheduler, count, 0, 0);
  ft_thread_create(scheduler, look, 0, 0);
  ft_scheduler_start(scheduler);
  ft_exit();
}
"""

# All that begins with one thread is verified, so its block must not be taken for all that it does: what begins with the other one is
# open. 2 is right, 1 wrong.
FIRST = """#include <fthread.h>
extern void reach_error(void);
static int seen, x, k;
static void one(void *unused) {
  (void)unused;
  seen = 1;
  if (x == LAST) reach_error();
}
static void two(void *unused) {
  (void)unused;
  if (seen) return;
  for (int i = 0; i < 20; i++) k++;
  x = 1;
}
int main(void) {
  ft_scheduler_t scheduler = ft_scheduler_create();
  ft_thread_create(scheduler, one, 0, 0);
  ft_thread_create(scheduler, two, 0, 0);
  ft_scheduler_start(scheduler);
  ft_exit();
}
"""

# Name, program, LAST of the correct and of the wrong one, first run, second run, states of both
# programs in the second run, states of a run without a condition.
CASES = [
    ("bmc to bmc", ROUNDS, 30, 29, "bmc --unwind 4", "bmc", (123, 119), (190, 186)),
    ("bmc to kinduction", ROUNDS, 30, 29, "bmc --unwind 4", "kinduction", (630, 611), (630, 611)),
    ("kinduction to itself", ROUNDS, 30, 29, "kinduction --limit states=200", "kinduction", (497, 478), (630, 611)),
    ("kinduction to bmc", ROUNDS, 30, 29, "kinduction --limit states=200", "bmc", (190, 186), (190, 186)),
    ("bmc to bmc, two loops", TWO, 9, 8, "bmc --unwind 2", "bmc", (40, 40), (89, 89)),
    ("kinduction to bmc, two loops", TWO, 9, 8, "kinduction --limit states=100", "bmc", (89, 89), (89, 89)),
    ("inputs to bmc, a site visited twice", MIXED, 5, 3, "explicit", "bmc", (62, 62), (62, 62)),
    ("inputs to kinduction, a site visited twice", MIXED, 5, 3, "explicit", "kinduction", (271, 265), (271, 265)),
    ("inputs to predicate, a site visited twice", MIXED, 5, 3, "explicit", "predicate", (151, 63), (143, 55)),
    ("inputs to composite, a site visited twice", MIXED, 5, 3, "explicit", "composite", (121, 79), (118, 76)),
    ("inputs to value, a site visited twice", MIXED, 5, 3, "explicit", "value", (132, 93), (129, 90)),
    ("inputs to bmc", ONCE, 3, 2, "explicit", "bmc", (14, 15), (629, 17)),
    ("inputs to kinduction", ONCE, 3, 2, "explicit", "kinduction", (38, 9), (46, 9)),
    ("inputs to predicate", ONCE, 3, 2, "explicit", "predicate", (14, 9), (23, 18)),
    ("inputs to composite", ONCE, 3, 2, "explicit", "composite", (14, 17), (23, 83)),
    ("inputs to value", ONCE, 3, 2, "explicit", "value", (261, 221), (261, 221)),
    ("value to explicit", BRANCH, 60, 59, "value --condition path-repetitions=8", "explicit", (5, 4), (68, 67)),
    ("value to explicit, breadth first", BRANCH, 60, 59, "value --condition path-repetitions=8", "explicit --search bfs", (5, 4), (68, 5)),
    ("value to explicit, best first", BRANCH, 60, 59, "value --condition path-repetitions=8", "explicit --search best", (5, 4), (68, 5)),
    ("value to explicit, each instruction", BRANCH, 60, 59, "value --atomic instruction --condition path-repetitions=8", "explicit --atomic instruction", (110, 104), (460, 458)),
    ("predicate to explicit", BRANCH, 60, 59, "predicate --condition path-length=40", "explicit", (5, 4), (68, 67)),
    ("composite to explicit", BRANCH, 60, 59, "composite --condition path-repetitions=8", "explicit", (5, 4), (68, 67)),
    ("value to bmc", BRANCH, 60, 59, "value --condition path-repetitions=8", "bmc", (233, 228), (339, 340)),
    ("value to explicit, calls", CALLS, 60, 59, "value --condition path-repetitions=15", "explicit", (3, 3), (18, 18)),
    ("value to bmc, calls", CALLS, 60, 59, "value --condition path-repetitions=15", "bmc", (285, 280), (523, 523)),
    ("bfs to composite, inputs between branches", BETWEEN, 10, 9, "explicit --search bfs --limit states=6", "composite", (60, 35), (63, 33)),
    ("dfs to composite, a frontier and inputs", BOTH, 30, 2, "explicit --limit states=18", "composite", (200, 275), (189, 263)),
    ("dfs to composite, a frontier and inputs, in the frontier", BOTH, 30, 24, "explicit --limit states=18", "composite", (200, 160), (189, 150)),
    ("dfs to predicate, a frontier and inputs", BOTH, 30, 2, "explicit --limit states=18", "predicate", (496, 420), (533, 458)),
    ("dfs to predicate, a frontier and inputs, in the frontier", BOTH, 30, 24, "explicit --limit states=18", "predicate", (496, 377), (533, 415)),
    ("bfs to predicate, a frontier and inputs", BOTH, 30, 2, "explicit --search bfs --limit states=20", "predicate", (472, 396), (533, 458)),
    ("bfs to predicate, a frontier and inputs, in the frontier", BOTH, 30, 24, "explicit --search bfs --limit states=20", "predicate", (472, 353), (533, 415)),
    ("bfs to composite, threads", LOCKED, 3, 2, "explicit --search bfs --limit states=20", "composite", (1600, 132), (6022, 49)),
    ("dfs to composite, threads", LOCKED, 3, 2, "explicit --limit states=12", "composite", (1563, 42), (6022, 49)),
    ("dfs to dpor, threads", THREADS, 2, 1, "explicit --limit states=100", "dpor --dependence conflict --peek 0 --prune 0", (4323, 2632), (4091, 1045)),
    ("bfs to dpor, threads, with reductions", LOCKS, 3, 2, "explicit --search bfs --limit states=30", "dpor", (58, 8), (62, 21)),
    ("bfs to value, threads", LOCKED, 3, 2, "explicit --search bfs --limit states=20", "value", (2368, 708), (12039, 3307)),
    ("value to kinduction", BRANCH, 60, 59, "value --condition path-repetitions=8", "kinduction", (60, 674), (60, 786)),
    ("value to kinduction, calls", CALLS, 60, 59, "value --condition path-repetitions=15", "kinduction", (129, 3233), (132, 3532)),
    ("value to explicit, threads", FORK, 6, 5, "value --condition path-length=60", "explicit", (187, 36), (197, 36)),
    ("value to explicit, threads, breadth first", FORK, 6, 5, "value --condition path-length=60", "explicit --search bfs", (187, 187), (197, 197)),
    ("value to explicit, threads, no reduction", FORK, 6, 5, "value --condition path-length=60", "explicit --por none", (301, 36), (311, 36)),
    ("composite to explicit, threads", FORK, 6, 5, "composite --condition path-length=60", "explicit --por sleep", (301, 36), (311, 36)),
    ("value to dpor, threads", FORK, 6, 5, "value --condition path-length=60", "dpor --dependence conflict --peek 0 --prune 0", (179, 31), (194, 33)),
    ("composite to dpor, threads", FORK, 6, 5, "composite --condition path-length=60", "dpor --dependence conflict --peek 0 --prune 0", (179, 31), (194, 33)),
    ("best to best", THREADS, 2, 1, "explicit --search best --limit states=40", "explicit --search best", (1589, 821), (1589, 708)),
    ("best to dfs", THREADS, 2, 1, "explicit --search best --limit states=40", "explicit --search dfs", (1507, 843), (1507, 698)),
    ("best to beam", THREADS, 2, 1, "explicit --search best --limit states=40", "explicit --search beam", (1589, 821), (1589, 708)),
    ("best to dpor", THREADS, 2, 1, "explicit --search best --limit states=40", "dpor", (4108, 1062), (4108, 1062)),
    ("dfs to best", THREADS, 2, 1, "explicit --search dfs --limit states=40", "explicit --search best", (1589, 833), (1589, 708)),
    ("bfs to best", THREADS, 2, 1, "explicit --search bfs --limit states=40", "explicit --search best", (1588, 890), (1589, 708)),
    ("astar to best", THREADS, 2, 1, "explicit --search astar --limit states=40", "explicit --search best", (1589, 635), (1589, 708)),
    ("beam to dfs", THREADS, 2, 1, "explicit --search beam --limit states=40", "explicit --search dfs", (1507, 843), (1507, 698)),
    ("esst to esst, order creation", TURNS, 30, 29, "esst --order creation --condition path-switches=9", "esst --order creation", (173, 131), (368, 305)),
    ("esst to explicit, order creation", TURNS, 30, 29, "esst --order creation --condition path-switches=9", "explicit --order creation", (22, 19), (119, 19)),
    ("esst to esst, order any", TURNS, 30, 29, "esst --order any --condition path-switches=9", "esst --order any", (170, 129), (368, 305)),
    ("esst to explicit, order any", TURNS, 30, 29, "esst --order any --condition path-switches=9", "explicit --order any", (24, 19), (122, 19)),
    ("esst to esst, order all", TURNS, 30, 29, "esst --order all --condition path-switches=9", "esst --order all", (204, 128), (368, 610)),
    ("esst to explicit, order all", TURNS, 30, 29, "esst --order all --condition path-switches=9", "explicit --order all", (40, 19), (231, 19)),
    ("esst to esst, one order verified, por both", FIRST, 2, 1, "esst --order any --condition path-repetitions=8", "esst --order any --por both", (41, 163), (43, 164)),
    ("esst to esst, one order verified, por sleep", FIRST, 2, 1, "esst --order any --condition path-repetitions=8", "esst --order any --por sleep", (41, 163), (43, 164)),
    ("esst to esst, one order verified, por none", FIRST, 2, 1, "esst --order any --condition path-repetitions=8", "esst --order any --por none", (41, 163), (43, 164)),
    ("esst to explicit, one order verified", FIRST, 2, 1, "esst --order any --condition path-repetitions=8", "explicit --order any", (5, 4), (6, 5)),
    ("inputs to esst", TURNS, 30, 29, "explicit --order any --limit states=10", "esst --order any", (368, 305), (368, 305)),
]

# A given frontier, of which the second run examines a part; the third one continues. Name, second and third run,
# open prefixes before and after the second one, transitions (states) of both programs in the third one, with the rest and
# with the whole frontier.
CONFLICT = "dpor --dependence conflict --peek 0 --prune 0"
CHAINS = [
    ("bfs to value to dpor, threads", "value --limit states=1300", CONFLICT, (4, 3), (40, 8), (58, 8)),
    ("bfs to value to explicit, threads", "value --limit states=1500", "explicit", (4, 1), (26, 20), (78, 20)),
    ("bfs to value to itself, threads", "value --limit states=1500", "value", (4, 1), (1136, 307), (1548, 307)),
    ("bfs to composite to dpor, threads", "composite --limit states=2100", CONFLICT, (4, 1), (20, 8), (58, 8)),
]


def check(binary, program, words, defines, directory):
    path = os.path.join(directory, "result.json")
    if os.path.exists(path):
        os.remove(path)
    command = [binary, "check", "--quiet", "--json", path, "--property", "unreach-call", "--engine"] + words.split()
    done = subprocess.run(command + [program, "--"] + defines, cwd=directory, capture_output=True, text=True, timeout=100)
    if not os.path.exists(path):
        raise RuntimeError("exit %d: %s" % (done.returncode, done.stderr.strip()))
    with open(path, encoding="utf-8") as f:
        return json.load(f)


def test(binary, case, wrong, prints, directory):
    """None, or what is wrong."""
    name, text, right_last, wrong_last, first, second, with_it, without = case
    program, condition = os.path.join(directory, "program.c"), os.path.join(directory, "condition")
    defines = ["-DLAST=%d" % (wrong_last if wrong else right_last)]
    with open(program, "w", encoding="utf-8") as f:
        f.write(text)
    wanted = "false" if wrong else "true"
    begun = check(binary, program, first + " --proviso " + condition, defines, directory)
    if begun["verdict"] != "conditional":
        return "the first run says " + begun["verdict"]
    ended = check(binary, program, second + " --given " + condition, defines, directory)
    alone = check(binary, program, second, defines, directory)
    unit = "transitions" if second.startswith("dpor") else "states"
    found = (ended["stats"][unit], alone["stats"][unit])
    if prints:
        print("%s, %s: %d %s, %d without the condition" % (name, wanted, found[0], unit, found[1]))
    for result in (ended, alone):
        if result["verdict"] != wanted:
            return "the verdict is %s, not %s" % (result["verdict"], wanted)
    for wanted_states, states in zip((with_it[wrong], without[wrong]), found):
        if wanted_states is not None and states != wanted_states:
            return "%d %s, not %d" % (states, unit, wanted_states)
    return None


def open_prefixes(binary, condition):
    shown = subprocess.run([binary, "condition", "show", condition], capture_output=True, text=True).stdout
    found = re.search(r"frontier, (\d+) open prefix", shown)
    return int(found.group(1)) if found else 0


def test_chain(binary, chain, wrong, prints, directory):
    """A run under a given frontier that ends early leaves open only the prefixes that it is not done with. None, or what
    is wrong."""
    name, second, third, prefixes, *counts = chain
    program, given, rest = (os.path.join(directory, name) for name in ("program.c", "given", "rest"))
    with open(program, "w", encoding="utf-8") as f:
        f.write(LOCKS)
    defines = ["-DLAST=%d" % (2 if wrong else 3)]
    check(binary, program, "explicit --search bfs --limit states=30 --proviso " + given, defines, directory)
    if wrong:  # it ends before it comes to the error
        second = second.split()[0] + " --limit states=60"
    middle = check(binary, program, second + " --given " + given + " --proviso " + rest, defines, directory)
    if middle["verdict"] != "conditional":
        return "the second run says " + middle["verdict"]
    unit = "transitions" if third.startswith("dpor") else "states"
    ends = [check(binary, program, third + " --given " + file, defines, directory) for file in (rest, given)]
    found = (open_prefixes(binary, given), open_prefixes(binary, rest))
    numbers = [end["stats"][unit] for end in ends]
    if prints:
        print("%s, %s: %s open prefixes, %s %s with the rest and with all" % (name, ends[0]["verdict"], found, numbers, unit))
    for end in ends:
        if end["verdict"] != ("false" if wrong else "true"):
            return "the verdict is " + end["verdict"]
    if numbers != [count[wrong] for count in counts]:
        return "%s %s, not %s" % (numbers, unit, [count[wrong] for count in counts])
    if not wrong and found != prefixes:
        return "%s open prefixes, not %s" % (found, prefixes)
    return None


# A branch that engine value verifies, and a loop that it does not come to the end of. 600000 is right, 599999 wrong.
LONG = """extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  unsigned s = 0, i = 0;
  if (__VERIFIER_nondet_bool()) {
    for (; i < 5; i++) s = 2 * s + __VERIFIER_nondet_bool();
    if (i != 5) reach_error();
    abort();
  }
  for (; i < 300000; i++) s += 2;
  if (s > LAST) reach_error();
  return 0;
}
"""


def test_resume(binary, wrong, directory):
    """A run of esst that was stopped is resumed. None, or what is wrong."""
    program, condition, path = (os.path.join(directory, name) for name in ("program.c", "condition", "result.json"))
    with open(program, "w", encoding="utf-8") as f:
        f.write(TURNS)
    check(binary, program, "esst --order any --limit states=150 --proviso " + condition, ["-DLAST=%d" % (29 if wrong else 30)], directory)
    subprocess.run([binary, "resume", condition, "--quiet", "--json", path], cwd=directory, capture_output=True, timeout=100)
    with open(path, encoding="utf-8") as f:
        verdict = json.load(f)["verdict"]
    return None if verdict == ("false" if wrong else "true") else "the verdict is " + verdict


# An instant that never ends, in the branch that is examined first; WRONG=0: its thread cooperates.
ENDLESS = """#include <fthread.h>
extern _Bool __VERIFIER_nondet_bool(void);
static ft_event_t done;
static int mode, s;
static void count(void *unused) {
  (void)unused;
  if (mode) {
    for (;;) {
      ft_thread_generate(done);
      if (!WRONG) ft_thread_cooperate();
    }
  } else {
    for (int i = 0; i < 30; i++) {
      s += 2;
      ft_thread_cooperate();
    }
  }
}
int main(void) {
  mode = __VERIFIER_nondet_bool();
  ft_scheduler_t scheduler = ft_scheduler_create();
  done = ft_event_create(scheduler);
  ft_thread_create(scheduler, count, 0, 0);
  ft_scheduler_start(scheduler);
  ft_exit();
}
"""


def test_instants(binary, wrong, directory):
    """What a run of esst that was cut examined says nothing about cycles. None, or what is wrong."""
    program, condition, path = (os.path.join(directory, name) for name in ("program.c", "condition", "result.json"))
    with open(program, "w", encoding="utf-8") as f:
        f.write(ENDLESS)
    for states in (2, 5, 10, 20, 30):
        for properties in ("no-endless-instant", "no-endless-instant,unreach-call,no-deadlock"):
            start = [binary, "check", "--quiet", "--property", properties, "--engine"]
            end = [program, "--", "-DWRONG=%d" % wrong]
            subprocess.run(start + ["esst", "--limit", "states=%d" % states, "--proviso", condition] + end, cwd=directory, capture_output=True, timeout=100)
            for engine in ("esst", "explicit"):
                subprocess.run(start + [engine, "--given", condition, "--json", path] + end, cwd=directory, capture_output=True, timeout=100)
                with open(path, encoding="utf-8") as f:
                    verdict = json.load(f)["verdict"]
                if verdict != ("false" if wrong else "true"):
                    return "%s after %d states: the verdict is %s" % (engine, states, verdict)
    return None


def leaves_out(binary, condition):
    shown = os.path.exists(condition) and subprocess.run([binary, "condition", "show", condition], capture_output=True, text=True, check=False).stdout
    return shown and "Open: exactly" in shown


def test_kill(binary, engine, wrong, directory):
    """A run that is killed has written what it verified. None, or what is wrong."""
    program, condition = os.path.join(directory, "program.c"), os.path.join(directory, "condition")
    last, text = {"value": (600000, LONG), "esst": (8000, TURNS.replace("i < 15", "i < 4000"))}[engine]
    defines = ["-DLAST=%d" % (last - wrong)]
    with open(program, "w", encoding="utf-8") as f:
        f.write(text)
    if os.path.exists(condition):
        os.remove(condition)
    with subprocess.Popen([binary, "check", "--quiet", "--property", "unreach-call", "--engine", engine, "--proviso", condition, program, "--"] + defines,
                          cwd=directory, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as begun:
        end = time.time() + 100
        # The first ones may be written before anything is verified.
        while not leaves_out(binary, condition) and begun.poll() is None and time.time() < end:
            time.sleep(0.1)
        begun.kill()
    if not leaves_out(binary, condition):
        return "no condition was written that leaves something out"
    ended = check(binary, program, "explicit --given " + condition, defines, directory)
    alone = check(binary, program, "explicit", defines, directory)
    if ended["verdict"] != ("false" if wrong else "true"):
        return "the verdict is " + ended["verdict"]
    if ended["stats"]["states"] + (not wrong) > alone["stats"]["states"]:  # an error may be found before the branch is
        return "%d states, %d without the condition" % (ended["stats"]["states"], alone["stats"]["states"])
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=os.environ.get("PROVISO", os.path.join(ROOT, "build/proviso")))
    parser.add_argument("--print", action="store_true")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("words", nargs="*")
    o = parser.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as directory:
        cases = [c for c in CASES if not o.words or any(word in c[0] for word in o.words)]
        for case in cases[o.first % o.every::o.every]:
            for wrong in (False, True):
                try:
                    said = test(os.path.abspath(o.binary), case, wrong, o.print, directory)
                except RuntimeError as error:
                    said = str(error)
                passed, failed = passed + (not said), failed + bool(said)
                if said:
                    print("%s, %s program: %s" % (case[0], "wrong" if wrong else "correct", said))
        chains = [c for c in CHAINS if not o.words or any(word in c[0] for word in o.words)]
        for chain in chains[o.first % o.every::o.every]:
            for wrong in (False, True):
                said = test_chain(os.path.abspath(o.binary), chain, wrong, o.print, directory)
                passed, failed = passed + (not said), failed + bool(said)
                if said:
                    print("%s, %s program: %s" % (chain[0], "wrong" if wrong else "correct", said))
        others = [("killed, value", lambda *more: test_kill(more[0], "value", *more[1:])),
                  ("killed, esst", lambda *more: test_kill(more[0], "esst", *more[1:])), ("resumed, esst", test_resume),
                  ("instants, esst", test_instants)]
        for name, how in others:
            for wrong in (False, True) if not o.words or any(word in name for word in o.words) else ():
                said = how(os.path.abspath(o.binary), wrong, directory)
                passed, failed = passed + (not said), failed + bool(said)
                if said:
                    print("%s, %s program: %s" % (name, "wrong" if wrong else "correct", said))
    print("%d passed, %d failed" % (passed, failed))
    return failed != 0


sys.exit(main())
