#!/usr/bin/env python3
"""Interrupts searches and continues them from the condition that they wrote.

usage: tests/resume.py [--binary FILE] [--parts N] [PROGRAM ...]

Each program is searched to its end, and again with a limit on states that is raised N times, each run continuing the
one before. The verdict and all counts of the last run must be those of the search that was never interrupted. Another
search is killed, and killed again after it was continued. The last line is "N passed, M failed".
"""
import argparse, json, os, subprocess, sys, tempfile, time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COUNTS = ("states", "transitions", "matched", "expanded", "reduced", "slept", "executions", "blocked", "races")
HEAD = 29  # bytes of a file of increments without any
PROGRAMS = ["examples/peterson_fixed.c", "examples/philosophers_fixed.c", "examples/bounded_buffer_fixed.c",
            "examples/lockfree_stack_fixed.c", "examples/lockfree_stack.c", "examples/lock_order.c",
            "examples/rwlock_cache_fixed.c", "examples/semaphore_pool_fixed.c"]


def run(binary, words, directory):
    path = os.path.join(directory, "result.json")
    if os.path.exists(path):
        os.remove(path)
    process = subprocess.run([binary] + words + ["--quiet", "--json", path], cwd=ROOT, capture_output=True, text=True,
                             timeout=300)
    if not os.path.exists(path):
        return None, process.stderr
    with open(path, encoding="utf-8") as f:
        return json.load(f), process.stdout + process.stderr


def counts(result):
    return [result["verdict"]] + [result["stats"].get(name, 0) for name in COUNTS]


def test(binary, options, program, parts, directory):
    """None, or what is wrong."""
    whole, said = run(binary, ["check"] + options + [program, "--limit", "time=20s"], directory)
    if whole is None:
        return "no result: " + said
    if any(p["kind"] == "TIME" for p in whole["provisos"]):
        return None
    unit = "transitions" if "dpor" in options else "states"
    total, condition = whole["stats"].get(unit, 0), os.path.join(directory, "condition")
    if total <= parts:
        return None
    for part in range(1, parts + 1):
        limit = [] if part == parts else ["--limit", "states=%d" % max(1, total * part // parts)]
        words = ["check"] + options + [program, "--proviso", condition] if part == 1 else ["resume", condition]
        result, said = run(binary, words + limit, directory)
        if result is None:
            return "part %d has no result: %s" % (part, said)
        if result["verdict"] == "false":
            break
    if counts(result) != counts(whole):
        return "continued %s, at once %s" % (counts(result), counts(whole))
    return None


# `unknown` is called in an execution that the explicit engine explores early.
UNKNOWN = """#include <pthread.h>
#include <stdatomic.h>
extern void unknown(void);
static atomic_int x, y;
static void *work(void *a) {
  for (int i = 0; i < 4; i++) { x++; y += i; }
  return a;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, 0);
  if (x == 12) unknown();
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
}
"""


def test_own_provisos(binary, directory):
    """The state of an engine has what it noted, whatever the condition around it says; None, or what is wrong."""
    program, condition = os.path.join(directory, "unknown.c"), os.path.join(directory, "condition")
    with open(program, "w", encoding="utf-8") as f:
        f.write(UNKNOWN)
    for engine in ("explicit", "dpor", "auto"):
        for limit in (300, 2000):
            words = ["check", "--engine", engine, "--limit", "states=%d" % limit, program, "--proviso", condition]
            run(binary, words, directory)
            result, said = run(binary, ["resume", condition], directory)
            if result is None or result["verdict"] != "conditional":
                return "%s, %d states: %s" % (engine, limit, said or result["verdict"])
            if not any("unknown" in p["sentence"] for p in result["provisos"]):
                return "%s, %d states: the proviso about `unknown` is lost" % (engine, limit)
    return None


def test_kill(binary, directory):
    """A run and a continued one are killed when they have added to the state that they wrote; None, or what is wrong."""
    program, condition = os.path.join(directory, "five.c"), os.path.join(directory, "killed")
    with open(program, "w", encoding="utf-8") as f:
        f.write('#define NPR 2\n#define NCO 2\n#define ITEMS 5\n#include "%s"\n' % os.path.join(ROOT, "bench/spin/big.c"))
    words = ["--engine", "explicit", "--por", "none", program]
    whole, said = run(binary, ["check"] + words, directory)
    if whole is None:
        return "no result: " + said
    command, size = ["check", "--quiet", "--proviso", condition] + words, HEAD
    for _ in range(2):
        process = subprocess.Popen([binary] + command, cwd=ROOT, stdout=subprocess.DEVNULL)
        try:
            while process.poll() is None and not (os.path.exists(condition + ".more") and
                                                  os.path.getsize(condition + ".more") > size):
                time.sleep(0.01)
        finally:
            process.kill()
            process.wait()
        if not os.path.exists(condition + ".more"):
            return "it ended, or wrote no increments"
        command, size = ["resume", "--quiet", condition], os.path.getsize(condition + ".more")
    result, said = run(binary, command, directory)
    if result is None:
        return "no result: " + said
    return None if counts(result) == counts(whole) else "continued %s, at once %s" % (counts(result), counts(whole))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--binary", default=os.environ.get("PROVISO", os.path.join(ROOT, "build/proviso")))
    parser.add_argument("--parts", type=int, default=4)
    parser.add_argument("--engines", default="explicit:dfs,explicit:bfs,dpor")
    o = parser.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as directory:
        for single in () if o.programs else (test_own_provisos, test_kill):
            wrong = single(o.binary, directory)
            passed, failed = passed + (not wrong), failed + bool(wrong)
            if wrong:
                print(wrong)
        for program in o.programs or [p for p in PROGRAMS if os.path.exists(os.path.join(ROOT, p))]:
            for engine in o.engines.split(","):
                name, _, search = engine.partition(":")
                options = ["--engine", name] + (["--search", search] if search else [])
                wrong = test(o.binary, options, program, o.parts, directory)
                passed, failed = passed + (not wrong), failed + bool(wrong)
                if wrong:
                    print(program, " ".join(options), wrong)
    print("%d passed, %d failed" % (passed, failed))
    return failed != 0


sys.exit(main())
