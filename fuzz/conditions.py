#!/usr/bin/env python3
"""Runs chains of engines on random programs, each under the condition of the one before.

usage: fuzz/conditions.py [--from SEED] [--count N] [--binary FILE] [--keep FOLDER] [--jobs N] [--chain "A; B" | --pairs] [--seconds N]

Each program is checked for properties that the seed chooses, first by an explicit search without reduction. Then a chain
of two to four engines follows, also chosen by the seed. Each engine stops at a random limit, and symbolic engines leave out
what exceeds a random bound (--condition), except the last one, which has time only. Each
explores what is open in the condition that the one before it wrote. If the first search finds an error, some engine of
the chain has to find one or leave it open; if it finds none, no engine may find one. A chain that ends in `true` although
there is an error is a wrong `true`. So is a property of which a result says that it holds without a proviso, if a search
for this property alone finds an error. Where the seed chooses two properties, some chains are plans of one run. Some conditions are also written as automata of CPAchecker's language, which an
explicit search of its own is given. With --chain the engines are these, each with its options, and programs have threads with --threads, or if one of them is dpor.
A program with a difference is written to --keep. Closes with `N passed, N failed`.
"""
import argparse, concurrent.futures, json, os, random, subprocess, sys, tempfile, time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import generate, symbolic

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAIRS = {  # engines whose pairs --pairs runs, for programs with threads and without
    True: ["explicit", "explicit --search bfs", "explicit --por none", "explicit --por sleep", "dpor --dependence conflict --peek 0 --prune 0",
           "dpor", "value", "predicate", "composite"],
    False: ["explicit", "explicit --search bfs", "value", "predicate", "composite", "bmc", "kinduction"]}
THREADED = [["--engine", "explicit"], ["--engine", "explicit", "--search", "bfs"], ["--engine", "explicit", "--search", "best"], ["--engine", "explicit", "--por", "none"],
            ["--engine", "explicit", "--por", "sleep"], ["--engine", "explicit", "--por", "persistent"],
            ["--engine", "dpor"], ["--engine", "dpor", "--dependence", "conflict", "--peek", "0", "--prune", "0"],
            ["--engine", "composite"], ["--engine", "value"], ["--engine", "auto"]]
SEQUENTIAL = [["--engine", "explicit"], ["--engine", "explicit", "--search", "bfs"], ["--engine", "value"],
              ["--engine", "predicate"], ["--engine", "composite"], ["--engine", "bmc"], ["--engine", "kinduction"],
              ["--engine", "auto"]]

SYMBOLIC = {"value", "predicate", "composite", "bmc", "kinduction"}
AUTOMATA = {"value", "predicate", "composite"}  # what they leave out has the form of an automaton
# Of --condition: key, smallest and largest value, unit.
MONITORS = [("states", 1, 200, ""), ("states-per-location", 1, 12, ""), ("busy-edge", 1, 12, ""),
            ("path-length", 2, 120, ""), ("path-repetitions", 1, 8, ""), ("path-assumes", 1, 30, ""),
            ("state-size", 1, 8, ""), ("post-time", 1, 500, "ms"), ("post-memory", 1, 2000, "kB"),
            ("path-time", 1, 500, "ms"), ("refinement-time", 1, 100, "ms"), ("refinement-memory", 1, 4000, "kB"),
            ("path-formula", 1, 300, "")]


def monitors(lot):
    """Bounds on parts of the analysis, as options."""
    chosen = lot.sample(MONITORS, lot.choice([1, 1, 1, 2, 3]))
    return ["--condition", ",".join(f"{key}={lot.randint(low, high)}{unit}" for key, low, high, unit in chosen)]


def check(binary, path, options, folder):
    report = os.path.join(folder, "result.json")
    if os.path.exists(report):
        os.remove(report)
    done = subprocess.run([binary, "check", "--quiet", "--json", report] + options + [path], capture_output=True, text=True)
    if not os.path.exists(report):
        raise RuntimeError(f"exit {done.returncode}: {done.stderr.strip()[:300]}")
    with open(report, encoding="utf-8") as f:
        return json.load(f)


def through_automaton(binary, path, base, condition, folder):
    """The verdict of a search for what the condition, written as an automaton, leaves open; None: it is no automaton."""
    automaton = condition + ".spc"
    done = subprocess.run([binary, "condition", "automaton", condition, "-o", automaton], capture_output=True, text=True)
    if done.returncode == 2 and ("no form of an automaton" in done.stderr or "no word for threads" in done.stderr):
        return None
    if done.returncode:
        raise RuntimeError(f"exit {done.returncode}: {done.stderr.strip()[:300]}")
    options = base + ["--engine", "explicit", "--given", automaton, "--limit", "time=20s"]
    return check(binary, path, options, folder)["verdict"]


def one(job):
    """(seed, what is wrong or None, did the chain decide it?)"""
    seed, binary, keep, chain, threads = job
    lot = random.Random(seed)
    threaded = threads or (threads is None and any("dpor" in engine for engine in chain)) if chain else lot.random() < 0.6
    text = generate.generate(seed) if threaded else symbolic.generate(seed)
    properties = lot.choice(["unreach-call", "unreach-call,no-deadlock"] if threaded else ["unreach-call", "no-overflow"])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "program.c")
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        base = ["--property", properties]
        try:
            truth = check(binary, path, base + ["--engine", "explicit", "--por", "none", "--limit", "time=20s"], folder)
            if any(p["kind"] == "TIME" for p in truth["provisos"]):
                return seed, None, False
            # An error of one property may hide that of another one.
            violated = set()
            for one_property in properties.split(","):
                alone = check(binary, path, ["--property", one_property, "--engine", "explicit", "--por", "none",
                                             "--limit", "time=20s"], folder)
                if alone["verdict"] == "false":
                    violated.add(one_property)
            total = max(2, truth["stats"]["states"])
            if "," in properties and lot.random() < 0.3:
                engines = lot.sample(["explicit", "composite", "value", "dpor"] if threaded else
                                     ["explicit", "composite", "value", "predicate", "bmc"], lot.randint(2, 3))
                plan = "; ".join(f"{e}(states={lot.randint(1, total)}, time=3s)" for e in engines)
                result = check(binary, path, base + ["--plan", plan], folder)
                lost = violated & set(result["unconditional"])
                if lost or (result["verdict"] == "false" and truth["verdict"] == "true"):
                    return seed, f"wrong plan: {plan}: {result['verdict']}, without a proviso {sorted(lost)}", False
            said, given, wrong = [], None, None
            length = len(chain) or lot.randint(2, 4)
            for i in range(length):
                engine = chain[i] if chain else lot.choice(THREADED if threaded else SEQUENTIAL)
                limit = f"states={lot.randint(1, total)},time={lot.choice(['2s', '2s', '2s', '0.0001s'])}" if i + 1 < length else "time=10s"
                bounds = monitors(lot) if engine[1] in SYMBOLIC and i + 1 < length and lot.random() < 0.8 else []
                if bounds:
                    limit = "time=4s"
                elif chain and i + 1 < length and engine[1] == "explicit" and lot.random() < (0.1 if threaded else 0.7):
                    limit = "time=4s"  # what it leaves open are values of inputs
                elif i + 1 < length and engine[1] == "bmc" and lot.random() < 0.5:
                    bounds, limit = ["--unwind", str(lot.randint(1, 6))], "time=4s"
                written = os.path.join(folder, f"condition{i}")
                options = base + engine + bounds + ["--limit", limit, "--proviso", written] + (["--given", given] if given else [])
                result = check(binary, path, options, folder)
                given_before = given
                said.append(" ".join(engine[1:] + bounds) + " " + limit + ": " + result["verdict"])
                if result["verdict"] == "unknown" and not os.path.exists(written):
                    return seed, None, False  # the machine is so busy that clang took longer than the limit: there is no program
                given = written
                if result["verdict"] == "false" and truth["verdict"] == "true":
                    wrong = "wrong false"
                if result["verdict"] == "true" and truth["verdict"] == "false":
                    wrong = "wrong true"
                if violated & set(result["unconditional"]):
                    wrong = f"wrong true of {sorted(violated & set(result['unconditional']))}"
                if result["verdict"] in ("false", "true"):
                    break
                if bounds and engine[1] in AUTOMATA and not given_before and not wrong and not threaded:
                    verdict = through_automaton(binary, path, base, written, folder)
                    if verdict == "false" and truth["verdict"] == "true":
                        wrong = "wrong false under an automaton"
                    if verdict in ("true", "conditional") and truth["verdict"] == "false":
                        wrong = "an automaton without the error"
        except RuntimeError as error:
            wrong, said = str(error), said
        if wrong and keep:
            os.makedirs(keep, exist_ok=True)
            with open(os.path.join(keep, f"{seed}.c"), "w", encoding="utf-8") as f:
                f.write(f"// {properties}\n" + "".join(f"// {s}\n" for s in said) + text)
        return seed, wrong and f"{wrong}: {properties}: {'; '.join(said)}", said and said[-1].endswith(("true", "false"))


def run(o, chain, threads):
    """(chains that decided their program, passed, failed)"""
    passed = failed = decided = 0
    end = time.time() + (o.seconds or 1e9)
    jobs = [(seed, o.binary, o.keep, chain, threads) for seed in range(o.first, o.first + o.count)]
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        for seed, wrong, is_decided in pool.map(lambda job: one(job) if time.time() < end else (job[0], "", None), jobs):
            if is_decided is None:
                continue
            passed, failed, decided = passed + (not wrong), failed + bool(wrong), decided + bool(is_decided)
            if wrong:
                print(f"seed {seed}: {wrong}", flush=True)
    return decided, passed, failed


def run_pairs(o):
    """All pairs of engines, on programs with threads and without; a line for each."""
    passed = failed = 0
    for threads, engines in PAIRS.items():
        for first in engines:
            for second in engines:
                chain = [["--engine"] + words.split() for words in (first, second)]
                counts = run(o, chain, threads)
                print("%-8s %-45s -> %-45s %d decided, %d passed, %d failed" % ("threads" if threads else "", first, second, *counts), flush=True)
                passed, failed = passed + counts[1], failed + counts[2]
    return passed, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--from", dest="first", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--binary", default=os.path.join(ROOT, "build/proviso"))
    parser.add_argument("--keep")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--chain", default="")
    parser.add_argument("--threads", action="store_true", default=None, help="programs have threads")
    parser.add_argument("--pairs", action="store_true", help="for each pair of engines --count programs")
    parser.add_argument("--seconds", type=float, default=0, help="no program is begun later")
    o = parser.parse_args()
    chain = [["--engine"] + words.split() for words in o.chain.split(";") if words.strip()]
    if o.pairs:
        passed, failed = run_pairs(o)
    else:
        decided, passed, failed = run(o, chain, o.threads)
        print(f"{decided} chains decided their program")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
