#!/usr/bin/env python3
"""Checks residual programs of random sequential programs against the programs.

usage: fuzz/residual.py [--from SEED] [--count N] [--binary FILE] [--keep FOLDER] [--jobs N]

The explicit engine decides each program. An engine, chosen by the seed, then stops at a random number of states
and writes its condition. What the condition leaves open is printed as C (`proviso residual`) and checked by the explicit
engine. If the first engine found no error, the verdict of the residual program must be that of the program: `true` where
there is an error is a wrong true, and `false` where there is none a wrong false. What the condition verifies is printed
as well (`proviso condition benchmark`): it must not have an error, whatever the program has. Closes with how many residual programs
were woven (the others leave everything open), and with `N passed, N failed`.
"""
import argparse, concurrent.futures, json, os, random, subprocess, sys, tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import symbolic

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BASE = ["--property", "unreach-call"]


def check(binary, path, options, folder):
    report = os.path.join(folder, "result.json")
    if os.path.exists(report):
        os.remove(report)
    done = subprocess.run([binary, "check", "--quiet", "--json", report] + BASE + options + [path], capture_output=True, text=True)
    if not os.path.exists(report):
        raise RuntimeError(f"exit {done.returncode}: {done.stderr.strip()[:300]}")
    with open(report, encoding="utf-8") as f:
        return json.load(f)


def one(job):
    """(seed, what is wrong or None, what became of it)"""
    seed, binary, keep = job
    lot = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        path, condition, rest = (os.path.join(folder, name) for name in ("program.c", "condition", "rest.c"))
        with open(path, "w", encoding="utf-8") as f:
            f.write(symbolic.generate(seed))
        wrong, became = None, "whole"
        try:
            explicit = ["--engine", "explicit", "--limit", "time=10s"]
            truth = check(binary, path, explicit, folder)
            if truth["verdict"] not in ("true", "false"):
                return seed, None, "undecided"
            engine = lot.choice(["explicit", "explicit", "value", "predicate", "composite"])
            first = check(binary, path, ["--engine", engine, "--limit", f"states={lot.choice([2, 5, 10, 20, 40, 80])},time=3s", "--search", lot.choice(["dfs", "bfs"]),
                                         "--proviso", condition], folder)
            if first["verdict"] in ("true", "false"):
                return seed, None, "decided"
            done = subprocess.run([binary, "residual", "--given", condition, "-o", rest, path], capture_output=True, text=True)
            if done.returncode:
                return seed, None if done.returncode == 2 else done.stderr[:300], "refused"
            became = "whole" if "whole program" in done.stderr else "woven"
            compiled = subprocess.run(["gcc", "-std=gnu11", "-w", "-fsyntax-only", rest], capture_output=True, text=True)
            if compiled.returncode:
                wrong = "does not compile: " + compiled.stderr[:300]
            now = check(binary, rest, explicit, folder)
            if now["verdict"] == "true" and truth["verdict"] == "false":
                wrong = f"wrong true after {engine}"
            if now["verdict"] == "false" and truth["verdict"] == "true":
                wrong = f"wrong false after {engine}"
            if now["verdict"] not in ("true", "false"):
                became += " undecided"
            tasks = os.path.join(folder, "tasks")
            verified = os.path.join(tasks, "program.verified.c")
            subprocess.run([binary, "condition", "benchmark", "--given", condition, "-o", tasks, path], capture_output=True)
            if os.path.exists(verified):
                became += ", in two halves"
                if check(binary, verified, explicit, folder)["verdict"] == "false":
                    wrong = f"an error in what {engine} verified"
        except RuntimeError as error:
            wrong = str(error)
        if wrong and keep:
            os.makedirs(keep, exist_ok=True)
            for name in (path, condition, rest):
                if os.path.exists(name):
                    os.rename(name, os.path.join(keep, f"{seed}.{os.path.basename(name)}"))
        return seed, wrong, became


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--from", dest="first", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--binary", default=os.path.join(ROOT, "build/proviso"))
    parser.add_argument("--keep")
    parser.add_argument("--jobs", type=int, default=2)
    o = parser.parse_args()
    passed = failed = 0
    became = {}
    jobs = [(seed, o.binary, o.keep) for seed in range(o.first, o.first + o.count)]
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        for seed, wrong, what in pool.map(one, jobs):
            passed, failed = passed + (not wrong), failed + bool(wrong)
            became[what] = became.get(what, 0) + 1
            if wrong:
                print(f"seed {seed}: {wrong}", flush=True)
    print("; ".join(f"{n} {what}" for what, n in sorted(became.items())))
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
