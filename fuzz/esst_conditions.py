#!/usr/bin/env python3
"""Conditions from engine to engine, on random programs with cooperative threads (FairThreads, SystemC).

    fuzz/esst_conditions.py [--binary FILE] [--build FOLDER] [--seeds FIRST LAST] [--minutes N] [--keep DIRECTORY]

Engine explicit examines the program completely. Then a chain of two or three engines follows, chosen by the seed: explicit or esst, under
one order of threads, each with a reduction. Each one but the last stops at a random number of states, and each one but the first examines what is
open in the condition of the one before. A chain that ends in `true` although there is an error is a wrong `true`, one that ends in `false` although
there is none a wrong `false`. Prints a line for each of these, how often the condition of a run that was stopped had an open part that is not
everything, how many states the engine after it expanded, and how many it expands without a condition; at the end `N passed, N failed`.
Exits with 1 if there is a difference. With --build a program is read once (fuzz/server.c), and many engines that would stop are killed instead, when they
have written an interim condition, at a random moment of those at which that may happen.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time

from esst import GLOBALS, Maker, compiled
from server import Server, build_server
from systemc_programs import SystemcMaker

SECONDS = 10


class LoopMaker(Maker):
    """Threads that end early or go through a loop, as others have set variables: a bound on repetitions leaves open some orders."""

    def statement(self, depth):
        target = "g%d" % self.random.randrange(GLOBALS)
        return self.random.choice([
            "%s = %d;" % (target, self.random.randint(0, 2)), "%s = %d;" % (target, self.random.randint(0, 2)),
            "if (%s == %d) return;" % (target, self.random.randint(0, 1)), "{ int i; for (i = 0; i < 2; i++) l++; }",
            "if (%s == %d) { int i; for (i = 0; i < 2; i++) l++; }" % (target, self.random.randint(0, 1)),
            "if (%s == 2) reach_error();" % target,
            "%s = __VERIFIER_nondet_bool();" % target, "ft_thread_cooperate();", "ft_thread_generate(e[0]);", "ft_thread_await(e[0]);"])

    def __init__(self, seed):
        super().__init__(seed)
        self.small = True


class Run:
    """One run of an engine; with a server (fuzz/server.py), which has read the program already. dies: after so many interim conditions."""

    def __init__(self, binary, folder, options, path, server=None, dies=None):
        if server:
            words = {name[2:]: value for name, value in zip(options[::2], options[1::2])}
            result = server.check({**words, "interim": dies} if dies else words) or {"verdict": "none"}
            self.verdict, self.states = result["verdict"].split("(")[0], result.get("stats", {}).get("states", 0)
            return
        report = os.path.join(folder, "result.json")
        if os.path.exists(report):
            os.remove(report)
        subprocess.run([binary, "check", "--quiet", "--json", report, "--property", "unreach-call", *options, path], capture_output=True, check=False)
        try:
            with open(report, encoding="utf-8") as f:
                result = json.load(f)
        except (OSError, ValueError):
            result = {"verdict": "none", "stats": {}}
        self.verdict = result["verdict"].split("(")[0]
        self.states = result["stats"].get("states", 0)


def is_partial(binary, condition):
    shown = subprocess.run([binary, "condition", "show", condition], capture_output=True, text=True, check=False).stdout
    return "Open: exactly" in shown


def engine(lot, order, last):
    name = lot.choice(["esst", "esst", "explicit"] if last else ["esst", "esst", "esst", "explicit"])
    options = ["--engine", name, "--order", order]
    if name == "esst":
        options += ["--por", lot.choice(["none", "sleep", "persistent", "both", "both"])]
        if lot.random() < (0 if last else 0.6):
            options += ["--condition", lot.choice(["path-length=%d" % lot.randint(2, 40), "busy-edge=%d" % lot.randint(1, 6), "path-repetitions=%d" % lot.randint(1, 4), "path-switches=%d" % lot.randint(1, 8), "path-instants=%d" % lot.randint(1, 5), "path-assumes=%d" % lot.randint(1, 8)])]
    return options


def main():
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=os.path.join(root, "build", "proviso"))
    parser.add_argument("--seeds", nargs=2, type=int, default=(0, 100))
    parser.add_argument("--minutes", type=float, help="begin no further seed after this time")
    parser.add_argument("--build", metavar="FOLDER", help="of libproviso.a, without link-time optimisation: a program is read once, and engines are killed")
    parser.add_argument("--keep", help="where programs with a difference are kept")
    args = parser.parse_args()
    begin, programs, different, partial, stopped, killed, under, without, ends = time.monotonic(), 0, 0, 0, 0, 0, 0, 0, {}
    server_binary = build_server(args.build) if args.build else None
    for seed in range(*args.seeds):
        if args.minutes and time.monotonic() - begin > args.minutes * 60:
            break
        lot = random.Random(seed * 7919 + 1)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "program.c")
            with open(path, "w", encoding="utf-8") as f:
                text = lot.choice([Maker, SystemcMaker, LoopMaker, LoopMaker])(seed).program()
                f.write(text.replace("i < 2;", "i < 6;"))  # longer than a bound on repetitions
            subject, order = compiled(root, path), lot.choice(["creation", "all", "any", "any"])
            limit = ["--limit", "time=%ds" % SECONDS]
            server = Server(server_binary, subject, "unreach-call", folder, ["order=" + order]) if server_binary else None
            truth = Run(args.binary, folder, ["--engine", "explicit", "--order", order] + limit, subject, server).verdict
            if truth not in ("true", "false"):
                if server:
                    server.close()
                continue
            programs += 1
            # A wrong `true` needs an error, which one program of ten has.
            for _ in range(6 if server and truth == "false" else 1):
                given, said, last = [], [], None
                length = lot.choice([2, 2, 3])
                for i in range(length):
                    options, dies = engine(lot, order, i + 1 == length), None
                    if "--condition" in options:
                        options += limit
                    elif i + 1 < length and server and lot.random() < 0.6:
                        total = Run(args.binary, folder, options + limit, subject, server).states
                        dies = str(lot.randint(1, max(2, total if "esst" in options else total // 16)))
                        options += limit
                    elif i + 1 < length:
                        total = Run(args.binary, folder, options + limit, subject, server).states
                        options += ["--limit", "states=%d,time=%ds" % (lot.randint(1, max(2, total)), SECONDS)]
                    else:
                        options += limit
                    written = os.path.join(folder, "condition%d" % i)
                    if os.path.exists(written):
                        os.remove(written)
                    last = Run(args.binary, folder, options + given + ["--proviso", written], subject, server, dies)
                    said.append(" ".join(options) + (" killed" if dies else "") + ": " + last.verdict)
                    killed += last.verdict == "killed"
                    if given and is_partial(args.binary, given[1]) and last.verdict == truth == "true":
                        under += last.states
                        without += Run(args.binary, folder, options, subject, server).states
                    if last.verdict in ("true", "false") or not os.path.exists(written):
                        break
                    given = ["--given", written]
                    if i + 1 < length:
                        stopped += 1
                        partial += is_partial(args.binary, written)
                what = "%s, chain %s" % (truth, last.verdict)
                ends[what] = ends.get(what, 0) + 1
                if last.verdict in ("true", "false") and last.verdict != truth or last.verdict == "none":
                    different += 1
                    print("seed %d: explicit %s; %s" % (seed, truth, "; ".join(said)), flush=True)
                    if args.keep:
                        subprocess.run(["cp", path, os.path.join(args.keep, "program%d.c" % seed)], check=True)
            if server:
                server.close()
    for what in sorted(ends):
        print("%6d %s" % (ends[what], what))
    print("%d of %d conditions have an open part; %d states under them, %d without; %d engines killed" % (partial, stopped, under, without, killed))
    print("%d passed, %d failed" % (programs - different, different))
    return different > 0


if __name__ == "__main__":
    sys.exit(main())
