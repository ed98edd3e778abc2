#!/usr/bin/env python3
"""The runtime analyses of one schedule in the machine and natively: the same warnings.

usage: fuzz/monitors.py [--binary FILE] [--from N] [--count N] [--seeds S,S...] [FILE.c...]

`proviso observe` executes the program in the machine, `proviso observe --native` imposes the same schedule on the real
program and analyses the trace of that. The warnings are compared as sets: their kinds, and for each side what the thread does,
in which function and line, and how many locks it holds. Predictions are left out, since traces have none. Without files it
takes random programs (fuzz/generate.py). The last line is "N passed, M failed"; programs that cannot be had natively,
executions that end in an error, and paths that the real program leaves are counted by themselves.
"""
import argparse, concurrent.futures, os, re, subprocess, sys, tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import generate

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WARNING = re.compile(r"Warning: (no lock protects|data race on|two threads take two locks|threads take locks in a circle|the execution ends)")
SIDE = re.compile(r"  thread \d+ (\S+(?: it)?) ?.*? ?in ([A-Za-z_0-9.]+) \((?:[^)]*?):(\d+)\).*?(?:holding (.*))?$")


def run(words, seconds):
    try:
        done = subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=seconds)
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        return None, "", "takes too long"


def warnings(text):
    out, now, predicted = set(), None, False
    for line in text.splitlines() + ["Warning: "]:
        if line.startswith("Warning:"):
            if now and not predicted and now[0] != "the execution ends":
                out.add((now[0], tuple(sorted(now[1:]))))
            found = WARNING.match(line)
            now, predicted = [found.group(1)] if found else None, ": another execution" in line and "data race" in line
        elif now and line.startswith("  thread"):
            side = SIDE.match(line)
            held = (side.group(4) or "no lock").replace("no lock", "")
            now.append((side.group(1), side.group(2), int(side.group(3)), len([h for h in held.split(", ") if h])))
    return out


def compare(binary, path, seed, args, properties=()):
    """(outcome, what differs)"""
    words = [binary, "observe", path, "--seed", str(seed), "--limit", "time=20s", *properties] + (["--"] + args if args else [])
    status, machine, err = run(words, 60)
    if status not in (0, 10, 20):
        return "refused", err
    if "was observed until" in machine and "deadlock" not in machine:
        return "ends early", machine
    status, native, err = run(words[:2] + ["--native"] + words[2:], 120)
    if status not in (0, 10, 20):
        return "not natively", err
    if "the program left it" in native:
        return "left", native
    if "Not imposed natively" in native or "do not exist in the compiled program" in native:
        return "not imposed", native
    one, two = warnings(machine), warnings(native)
    if one == two:
        return "same" if one else "same, none", ""
    text = [f"  machine only: {w}" for w in sorted(one - two)] + [f"  natively only: {w}" for w in sorted(two - one)]
    return "differs", "\n".join(text)


def job(binary, name, text, seed, args):
    if text is None:
        return name, seed, *compare(binary, name, seed, args)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "p.c")
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return name, seed, *compare(binary, path, seed, args)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=os.path.join(ROOT, "build/proviso"))
    parser.add_argument("--from", dest="first", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seeds", default="0,1", help="of the schedules")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("files", nargs="*")
    a = parser.parse_args()
    seeds = [int(s) for s in a.seeds.split(",")]
    work = [(f, None, s, []) for f in a.files for s in seeds]
    if not a.files:
        work = [(f"seed {n}", generate.generate(n, 3, 2 + n % 4, alike=n % 4 == 0), s, [])
                for n in range(a.first, a.first + a.count) for s in seeds]
    count = {}
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        for name, seed, outcome, what in pool.map(lambda w: job(os.path.abspath(a.binary), *w), work):
            count[outcome] = count.get(outcome, 0) + 1
            if outcome == "differs" or (a.verbose and not outcome.startswith("same")):
                print(f"{name}, schedule {seed}: {outcome}\n{what}", flush=True)
    print(", ".join(f"{n} {what}" for what, n in sorted(count.items())))
    failed = count.get("differs", 0)
    print(f"{count.get('same', 0) + count.get('same, none', 0)} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
