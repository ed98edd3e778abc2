#!/usr/bin/env python3
"""Engine esst against exhaustive search, on random programs with cooperative threads (FairThreads, SystemC).

    fuzz/esst.py [--sequential] [--binary FILE] [--seeds FIRST LAST] [--scheduler fairthreads|systemc] [--order ORDER]... [--por POR]...
                 [--fairthreads 1.0|1.1] [--minutes N] [--source] [--alike] [--objects] [--keep DIRECTORY] [--printed FILE]

The programs have small data, so engine explicit covers them completely. Where it says `true`, esst must say `true` or
`conditional`; where it says `false`, `false` or `conditional`. Each program is examined under every order, and with every
reduction of these. Prints a line for each difference, and `N seeds, N runs` and `N programs, N differences, N conditional` at the end, where a
program counts once for each order; runs are those that are compared with explicit. --minutes ends the work early. Exits with 1 if there
is a difference. A program with a difference is made smaller before it is kept: lines are left out as long as the difference stays. With --sequential, engine explicit examines the program that `proviso
sequentialise` prints, instead of esst; it must then give the same verdict, and a program that is refused is a difference.

--printed names a binary that was built with -DPROVISO_POR_AS_PRINTED: the reduction as the paper prints it, which loses errors. Where
it says `true` and that is right, its abstract states are compared with those of the repaired reduction (orders any and all, reductions sleep
and both). The line `repaired / printed` at the end gives both sums, and `lost` counts the errors that it loses.

Each program is compiled once, as proviso does it, and the runs get the bitcode: most of their time would go into compiling it. --source
gives them the program itself, as --sequential does.

With --objects the shared data is in objects on the heap that point to each other, and in an array; threads change which object
comes first.
With --alike several threads of a program run the same function, and nothing names a thread; the runs have --symmetry threads.

A third of the programs (seed % 3 == 2) are small, with threads that touch few variables: there reduction leaves out most.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time

from systemc_programs import SystemcMaker

GLOBALS, EVENTS = 3, 3
OBJECTS = ["#include <stdlib.h>", "struct object { struct object *next; int value; };",
           "static struct object *first;", "static int row[2];",
           "static struct object *make(struct object *next) {",
           "  struct object *o = malloc(sizeof *o); o->next = next; o->value = 0; return o;", "}",
           "#define g0 first->value", "#define g1 first->next->value", "#define g2 row[first->value & 1]"]
ORDERS = ["creation", "all", "any"]
REDUCTIONS = ["none", "sleep", "persistent", "both"]
SECONDS = 20
ENGINE = ["esst"]  # what is compared with explicit; set by --sequential
PROPERTY = ["unreach-call"]  # set by --property
COMPILE = ["clang-19", "-O0", "-g", "-w", "-std=gnu11", "-fgnu89-inline", "-Xclang", "-disable-O0-optnone", "-fno-discard-value-names", "-Xclang",
           "-fsanitize-address-use-after-scope", "-fno-stack-protector", "-ffp-contract=off", "-emit-llvm", "-c", "-D__PROVISO__=1", "-idirafter"]
VERSION = []  # options, set by --fairthreads


class Maker:
    def __init__(self, seed, alike=False, objects=False):
        self.random = random.Random(seed)
        self.alike = alike
        self.objects = objects
        self.small = seed % 3 == 2
        self.threads = self.random.randint(3, 4) if self.small else self.random.randint(2, 3)

    def value(self):
        return self.random.choice(["0", "1", "2", "g%d" % self.random.randrange(GLOBALS)])

    def condition(self):
        left = self.random.choice(["g%d" % self.random.randrange(GLOBALS), "l"])
        return "%s %s %s" % (left, self.random.choice(["==", "!=", "<", ">"]), self.value())

    def statement(self, depth):
        if self.objects and self.random.randrange(6) == 0:
            return "first = first->next;"
        target = self.random.choice(["g%d" % self.random.randrange(GLOBALS), "l"])
        event = "e[%d]" % self.random.randrange(EVENTS)
        chosen = self.random.randrange(14)
        if chosen < 2:
            return "%s = %s;" % (target, self.value())
        if chosen == 2:
            return "if (%s < 3) %s = %s + 1;" % (target, target, target)
        if chosen == 3:
            return "%s = __VERIFIER_nondet_bool();" % target
        if chosen in (4, 5):
            return "ft_thread_generate(%s);" % event
        if chosen == 6:
            return "ft_thread_await(%s);" % event
        if chosen == 7:
            return "%s = ft_thread_await_n(%s, %d);" % (target, event, self.random.randint(0, 2))
        if chosen == 8:
            return "ft_thread_cooperate();"
        if chosen == 9 and not self.alike:
            other = "t[%d]" % self.random.randrange(self.threads)
            name = self.random.choice(["stop", "suspend", "resume"])
            if self.random.random() < 0.4:
                return "%s = ft_thread_join_n(%s, %d);" % (target, other, self.random.randint(1, 3))
            return "ft_scheduler_%s(%s);" % (name, other)
        if chosen == 10 and depth:
            return "{ int i; for (i = 0; i < 2; i++) { %s } }" % self.block(depth - 1, 2)
        if depth and chosen < 13:
            other = " else { %s }" % self.block(depth - 1, 1) if self.random.random() < 0.5 else ""
            return "if (%s) { %s }%s" % (self.condition(), self.block(depth - 1, 2), other)
        return "if (%s && %s) reach_error();" % (self.condition(), self.condition())

    def block(self, depth, most):
        return " ".join(self.statement(depth) for _ in range(self.random.randint(1, most)))

    def program(self):
        lines = ["#include <fthread.h>", "extern _Bool __VERIFIER_nondet_bool(void);",
                 "extern void reach_error(void);", "static ft_event_t e[%d];" % EVENTS,
                 "static ft_thread_t t[%d];" % self.threads]
        lines += OBJECTS if self.objects else ["static int g%d;" % i for i in range(GLOBALS)]
        for i in range(self.threads):
            body = "\n  ".join(self.statement(0 if self.small else 2)
                               for _ in range(self.random.randint(1, 4) if self.small else self.random.randint(2, 6)))
            if self.random.random() < (0.15 if self.small else 0.3):
                # Without it, or if it is left out sometimes, an instant may go on for ever.
                endless = PROPERTY[0] == "no-endless-instant" and self.random.random() < 0.5
                when = self.random.choice(["", "if (%s) " % self.condition()]) if endless else ""
                body = "for (;;) {\n  %s\n  %sft_thread_cooperate(); }" % (body, when)
            unset = PROPERTY[0] == "def-behavior" and self.random.random() < 0.5
            lines.append("static void f%d(void *u) {\n  int l%s; (void)u;\n  %s\n}" % (i, "" if unset else " = 0", body))
        lines.append("int main(void) {\n  ft_scheduler_t s = ft_scheduler_create();")
        if self.objects:
            lines.append("  first = make(0); first->next = make(make(first));")
        lines += ["  e[%d] = ft_event_create(s);" % i for i in range(EVENTS)]
        for i in range(self.threads):
            runs = self.random.choice([0, 0, i]) if self.alike else i
            lines.append("  t[%d] = ft_thread_create(s, f%d, 0, 0);" % (i, runs))
        return "\n".join(lines + ["  ft_scheduler_start(s);", "  ft_exit();", "}", ""])


def compiled(root, path):
    """Its bitcode."""
    subprocess.run(COMPILE + [os.path.join(root, "models", "include"), path, "-o", path + ".bc"], check=True)
    return path + ".bc"


def sequential_verdict(binary, order, path):
    """What engine explicit says of the sequentialised program."""
    printed = path + ".seq.c"
    made = subprocess.run([binary, "sequentialise", "--order", order, *VERSION, "-o", printed, path], capture_output=True, text=True, check=False)
    return verdict(binary, "explicit", "creation", printed) if made.returncode == 0 else "none: " + made.stderr.strip()


def verdict(binary, engine, order, path, por="both"):
    if engine == "sequential":
        return sequential_verdict(binary, order, path)
    run = subprocess.run([binary, "check", "--quiet", "--property", PROPERTY[0], "--engine", engine, "--order", order,
                          "--por", por, *VERSION, "--limit", "time=%ds" % SECONDS, path], capture_output=True, text=True, check=False)
    for line in run.stdout.splitlines():
        if line.startswith("Verification result: "):
            return line.split(": ")[1].split("(")[0]
    return "none: " + (run.stderr or run.stdout).strip()[-200:]


def states_of(binary, order, path, por):
    """Verdict and abstract states."""
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        subprocess.run([binary, "check", "--quiet", "--json", out.name, "--property", PROPERTY[0], "--engine", "esst", "--order", order,
                        "--por", por, *VERSION, "--limit", "time=%ds" % SECONDS, path], capture_output=True, check=False)
        try:
            with open(out.name, encoding="utf-8") as f:
                result = json.load(f)
        except ValueError:
            return "none", 0
    return result["verdict"].split("(")[0], result.get("stats", {}).get("states", 0)


class Printed:
    """The reduction as printed beside the repaired one."""
    repaired = printed = programs = lost = above = 0

    def compare(self, args, order, por, path, right):
        verdict_printed, printed = states_of(args.printed, order, path, por)
        if right == "false" and verdict_printed == "true":
            self.lost += 1
        if right != "true" or verdict_printed != "true":
            return
        verdict_repaired, repaired = states_of(args.binary, order, path, por)
        if verdict_repaired != "true":
            return
        self.programs += 1
        self.repaired += repaired
        self.printed += printed
        self.above += repaired > 1.05 * printed

    def line(self):
        return "repaired / printed: %d / %d states (%+.2f %%) in %d runs, %d of them above by more than 5 %%; lost by the printed rules: %d" % (
            self.repaired, self.printed, 100.0 * (self.repaired - self.printed) / max(1, self.printed), self.programs, self.above, self.lost)


def differs(binary, order, por, path):
    """The two verdicts, if they contradict each other."""
    right = verdict(binary, "explicit", order, path)
    got = verdict(binary, ENGINE[0], order, path, por)
    return (right, got) if right in ("true", "false") and got not in (right, "conditional", "unknown") else None


def shrink(binary, order, por, text, path):
    """Leaves out lines while the difference stays."""
    lines, at = text.split("\n"), 0
    while at < len(lines):
        shorter = lines[:at] + lines[at + 1:]
        with open(path, "w", encoding="utf-8") as f:
            f.write("\n".join(shorter))
        if differs(binary, order, por, path):
            lines = shorter
        else:
            at += 1
    return "\n".join(lines)


def main():
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=os.path.join(root, "build", "proviso"))
    parser.add_argument("--seeds", nargs=2, type=int, default=(0, 100))
    parser.add_argument("--order", action="append", choices=ORDERS + ["accellera"])
    parser.add_argument("--por", action="append", choices=REDUCTIONS)
    parser.add_argument("--scheduler", default="fairthreads", choices=("fairthreads", "systemc"))
    parser.add_argument("--fairthreads", choices=("1.0", "1.1"))
    parser.add_argument("--property", default="unreach-call", choices=("unreach-call", "no-deadlock", "def-behavior", "no-endless-instant"))
    parser.add_argument("--keep", help="where programs with a difference are kept")
    parser.add_argument("--printed", help="a binary with the reduction as printed")
    parser.add_argument("--minutes", type=float, help="begin no further seed after this time")
    parser.add_argument("--source", action="store_true", help="compile the program in each run")
    parser.add_argument("--sequential", action="store_true", help="compare the sequentialised program")
    parser.add_argument("--objects", action="store_true", help="the data is in objects that point to each other")
    parser.add_argument("--alike", action="store_true", help="threads run the same function, and nothing names them")
    args = parser.parse_args()
    if args.sequential:
        ENGINE[0] = "sequential"
    PROPERTY[0] = args.property
    if args.fairthreads:
        VERSION[:] = ["--fairthreads", args.fairthreads]
    if args.alike:
        VERSION.extend(["--symmetry", "threads"])
    different, conditional, known, seeds, runs, counts, printed = 0, 0, 0, 0, 0, {}, Printed()
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(*args.seeds):
            if args.minutes and time.monotonic() - begin > args.minutes * 60:
                break
            seeds += 1
            path = os.path.join(folder, "program%d.c" % seed)
            text = (Maker(seed, args.alike, args.objects) if args.scheduler == "fairthreads" else SystemcMaker(seed)).program()
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
            subject = path if args.source or args.sequential else compiled(root, path)
            for order in args.order or ORDERS:
                right = verdict(args.binary, "explicit", order, subject)
                if right not in ("true", "false"):
                    counts["explicit " + right] = counts.get("explicit " + right, 0) + 1
                    continue
                known += 1
                all_reductions = order in ("all", "any") and not args.sequential
                for por in (args.por or REDUCTIONS) if all_reductions else ["both"]:
                    got = verdict(args.binary, ENGINE[0], order, subject, por)
                    runs += 1
                    what = "%s, %s %s" % (right, ENGINE[0], got)
                    counts[what] = counts.get(what, 0) + 1
                    conditional += got == "conditional"
                    if args.printed and all_reductions and por in ("sleep", "both"):
                        printed.compare(args, order, por, subject, right)
                    if got in (right, "conditional", "unknown"):
                        continue
                    different += 1
                    print("seed %d, order %s, por %s: explicit %s, %s %s" % (seed, order, por, right, ENGINE[0], got), flush=True)
                    if args.keep:
                        small = shrink(args.binary, order, por, text, path)
                        with open(os.path.join(args.keep, "program%d_%s_%s.c" % (seed, order, por)), "w", encoding="utf-8") as f:
                            f.write(small)
                        with open(path, "w", encoding="utf-8") as f:
                            f.write(text)
    for what in sorted(counts):
        print("%6d %s" % (counts[what], what))
    if args.printed:
        print(printed.line())
    print("%d seeds from %d, %d runs" % (seeds, args.seeds[0], runs))
    print("%d programs, %d differences, %d conditional" % (known, different, conditional))
    return different > 0


if __name__ == "__main__":
    sys.exit(main())
