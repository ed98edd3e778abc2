#!/usr/bin/env python3
"""Splits the search of random programs into parts, explores the parts apart and joins them.

usage: fuzz/split.py [--from SEED] [--count N] [--binary FILE] [--keep FOLDER] [--jobs N]

Each program is checked by an explicit search without reduction, whose verdict is taken for the truth. Then a search that the
seed chooses stops at a random limit. What it leaves open is split into two to eight parts, and these are explored in a random
order, by engines that the seed chooses. Some of them stop again, and their parts are split again. In the end everything is
joined. If there is an error, some search must find it or the join must leave something open; if all parts were explored to
their end, it must be found. If there is none, none may be found. Where only the stateless engine was used, every class of
executions must be explored once: the numbers of executions must add up to that of one search. A program with a difference is
written to --keep. Closes with `N passed, N failed`.
"""
import argparse, concurrent.futures, glob, json, os, random, re, subprocess, sys, tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import generate

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CONFLICT = ["--engine", "dpor", "--dependence", "conflict", "--peek", "0", "--prune", "0"]
STATELESS = [CONFLICT, CONFLICT + ["--dpor", "source"]]
STATEFUL = [["--engine", "explicit"], ["--engine", "explicit", "--search", "bfs"], ["--engine", "explicit", "--por", "none"],
            ["--engine", "explicit", "--por", "sleep"], ["--engine", "explicit", "--por", "persistent"]]


class Split:
    def __init__(self, seed, binary, folder, text):
        self.lot, self.binary, self.folder = random.Random(seed), binary, folder
        self.properties = self.lot.choice(["unreach-call", "unreach-call,no-deadlock", "no-data-race"])
        self.engines = self.lot.choice([STATELESS, STATEFUL, STATELESS + STATEFUL])
        self.said, self.executions, self.files, self.found, self.stopped = [], 0, 0, False, False
        self.path = os.path.join(folder, "program.c")
        with open(self.path, "w", encoding="utf-8") as f:
            f.write(text)

    def call(self, words):
        done = subprocess.run([self.binary] + words, capture_output=True, text=True, timeout=120)
        if done.returncode not in (0, 2, 10, 20):
            raise RuntimeError(f"{' '.join(words)}: exit {done.returncode}: {done.stderr.strip()[:300]}")
        return done

    def check(self, options, limit, given=None, written=None):
        report = os.path.join(self.folder, "result.json")
        if os.path.exists(report):
            os.remove(report)
        words = ["check", "--quiet", "--json", report, "--property", self.properties] + options + ["--limit", limit, self.path]
        words += (["--given", given] if given else []) + (["--proviso", written] if written else [])
        done = self.call(words)
        if not os.path.exists(report):
            raise RuntimeError(f"exit {done.returncode}: {done.stderr.strip()[:300]}")
        with open(report, encoding="utf-8") as f:
            return json.load(f)

    def file(self):
        self.files += 1
        return os.path.join(self.folder, f"c{self.files}")

    def explore(self, given, engine, limit, depth):
        """The files that together tell what was covered of `given`."""
        written = self.file()
        result = self.check(engine, limit + ",time=20s", given, written)
        self.executions += result["stats"].get("executions", 0)
        self.found |= result["verdict"] == "false"
        kinds = {p["kind"] for p in result["provisos"]}
        self.stopped |= bool(kinds & {"TIME", "MEMORY", "ENGINE"})
        self.said.append(f"{' '.join(engine[1:])} {limit}: {result['verdict']}")
        if "STATES" not in kinds or result["verdict"] == "false":
            return [written]
        n, done = self.lot.randint(2, 8), None
        while n:
            done = self.call(["split", written, "-n", str(n)])
            few = re.search(r"only (\d+) prefixes", done.stderr)
            if not few:
                break
            n = int(few.group(1))
        if done.returncode:
            self.stopped = True
            return [written]
        parts = glob.glob(written + ".*")
        self.lot.shuffle(parts)
        self.said.append(f"split into {n}")
        return [name for part in parts for name in self.explore_part(part, depth)]

    def explore_part(self, part, depth):
        if self.lot.random() < 0.05:
            self.stopped = True
            return [part]  # nobody does
        again = depth < 2 and self.lot.random() < 0.4
        limit = f"states={self.lot.randint(1, self.total)}" if again else "states=100000000"
        return self.explore(part, self.lot.choice(self.engines), limit, depth + 1)

    def run(self):
        truth = self.check(["--engine", "explicit", "--por", "none"], "time=10s")
        if any(p["kind"] == "TIME" for p in truth["provisos"]):
            return None
        whole = self.check(CONFLICT, "time=10s") if self.engines is STATELESS else None
        if whole and any(p["kind"] in ("TIME", "ENGINE") for p in whole["provisos"]):
            return None
        self.total = max(2, (whole or truth)["stats"]["transitions" if whole else "states"])
        files = self.explore(None, self.lot.choice(self.engines), f"states={self.lot.randint(1, self.total)}", 0)
        self.lot.shuffle(files)
        joined = self.file()
        done = self.call(["join", "-o", joined] + files)
        verdict = done.stdout.strip().rpartition(" ")[2]
        self.said.append(f"join of {len(files)}: {verdict}")
        wrong = truth["verdict"] == "false"
        if done.returncode == 2:
            return "not joined: " + done.stderr
        if self.found != verdict.startswith("false"):
            return "an error is lost, or invented, by the join"
        if self.found and not wrong:
            return "wrong false"
        if verdict == "true" and wrong:
            return "wrong true"
        if wrong and not self.found and not self.stopped:
            return "an error is lost"
        if not wrong and not self.stopped and "leave" in done.stdout + done.stderr:
            return "something is open, although all was explored: " + done.stdout
        if whole and not wrong and not self.stopped and self.executions < whole["stats"]["executions"]:
            return f"{self.executions} executions, of {whole['stats']['executions']}"
        self.exact = whole and not wrong and not self.stopped and self.executions == whole["stats"]["executions"]
        return None


def one(job):
    seed, binary, keep = job
    text = generate.generate(seed)
    with tempfile.TemporaryDirectory() as folder:
        split = Split(seed, binary, folder, text)
        split.exact = False
        try:
            wrong = split.run()
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            wrong = str(error)
    if wrong and keep:
        os.makedirs(keep, exist_ok=True)
        with open(os.path.join(keep, f"{seed}.c"), "w", encoding="utf-8") as f:
            f.write(f"// {split.properties}\n" + "".join(f"// {s}\n" for s in split.said) + text)
    return seed, wrong and f"{wrong}: {split.properties}: {'; '.join(split.said)}", split


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--from", dest="first", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--binary", default=os.path.join(ROOT, "build/proviso"))
    parser.add_argument("--keep")
    parser.add_argument("--jobs", type=int, default=2)
    o = parser.parse_args()
    passed = failed = joined = exact = errors = 0
    jobs = [(seed, o.binary, o.keep) for seed in range(o.first, o.first + o.count)]
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        for seed, wrong, split in pool.map(one, jobs):
            passed, failed = passed + (not wrong), failed + bool(wrong)
            joined, exact, errors = joined + (split.files > 2), exact + bool(split.exact), errors + split.found
            if wrong:
                print(f"seed {seed}: {wrong}", flush=True)
    print(f"{joined} programs were split, {errors} have an error, {exact} have each execution once")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


sys.exit(main())
