#!/usr/bin/env python3
"""Writes the witness of every error of the programs of tests/e2e and examples, and validates it.

usage: tests/witness.py [--binary FILE] [--filter TEXT...] [--sample N] [--time SECONDS] [--proofs]

The main run of each program whose verdict is `false(...)` is made with --witness, and the witness validated with the same
options: it must be confirmed. A property that the format has no form for is not counted. With --sample only every N-th
program is taken. With --proofs the same for proofs. Prints what is not confirmed, and "N passed, M failed" at the end.
"""
import argparse, os, re, shlex, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests", "e2e"))
import run as e2e  # noqa: E402

FORMLESS = ("invariant", "observer", "mutual-exclusion", "ltl", "termination", "no-livelock", "starvation-free", "no-endless-instant")
# Options that say how to search or what to write, not what the program is.
SEARCH = ("--engine", "--search", "--store", "--por", "--symmetry", "--exec", "--limit", "--threads", "--minimise", "--dpor",
          "--keep-going", "--plan", "--json", "--heuristic", "--dependence", "--unwind", "--seed", "--peek", "--prune",
          "--preemptions", "--condition", "--check-proof", "--queue-limit", "--predicates", "--look-ahead", "--hashes", "--integers", "--ties")


def programs(filters):
    found = []
    for folder, _, files in sorted(os.walk(os.path.join(ROOT, "tests", "e2e"))):
        found += [os.path.relpath(os.path.join(folder, f), ROOT) for f in sorted(files)]
    found += ["examples/" + f for f in sorted(os.listdir(os.path.join(ROOT, "examples")))]
    found = [f for f in found if f.endswith((".c", ".cpp")) and not f.endswith(("_part.c", "_part.cpp"))]
    return [f for f in found if not filters or any(x in f for x in filters)]


def without_search(words):
    """The options that the validator needs as well."""
    out, skip = [], False
    for i, word in enumerate(words):
        if word == "--":
            return out + words[i:]
        if skip:
            skip = False
        elif word.split("=")[0] in SEARCH:
            skip = "=" not in word and word not in ("--minimise", "--keep-going", "--check-proof")
        else:
            out.append(word)
    return out


def call(command, seconds):
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=seconds, errors="replace")
        return done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        return "", "no answer in time"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", default=os.path.join(ROOT, "build", "proviso"))
    parser.add_argument("--filter", nargs="*", default=[])
    parser.add_argument("--sample", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="which of the N")
    parser.add_argument("--time", type=int, default=60)
    parser.add_argument("--proofs", action="store_true")
    parser.add_argument("--keep", help="a directory for the witnesses")
    arguments = parser.parse_args()
    wanted = "true" if arguments.proofs else "false("
    passed = failed = skipped = 0
    count = 0
    work = arguments.keep or tempfile.mkdtemp()
    for path in programs(arguments.filter):
        try:
            runs = [r for r in e2e.parse(path) if r.expect.startswith(wanted)]
        except ValueError:
            continue
        runs = [r for r in runs if " or " not in r.expect][:1]
        runs = [r for r in runs if not re.search(r"\((%s)\)" % "|".join(FORMLESS), r.expect)]
        count += len(runs)
        if runs and re.search(r"--(ltl|observer|invariant|mutex-region|starvation-free)\b", runs[0].args):
            continue
        if not runs or count % arguments.sample != arguments.first:
            continue
        words, witness = shlex.split(runs[0].args), os.path.join(work, "%d.yml" % count)
        tail = words[words.index("--"):] if "--" in words else []
        head = words[:words.index("--")] if "--" in words else words
        out, err = call([arguments.binary, "check", path, "--witness", witness] + head + tail, arguments.time)
        if not os.path.exists(witness):
            why = re.search(r"no witness is written: (.*)", out)
            print("%s: no witness: %s" % (path, why.group(1) if why else (err or out)[-200:]))
            skipped += 1
            continue
        shared = without_search(words)
        cut = shared.index("--") if "--" in shared else len(shared)
        command = [arguments.binary, "validate", path, "--witness", witness, "--limit",
                   "time=%ds" % arguments.time] + shared[:cut] + shared[cut:]
        out, err = call(command, 2 * arguments.time + 20)
        if "Witness: confirmed" in out:
            passed += 1
        else:
            failed += 1
            print("%s (%s): %s" % (path, runs[0].expect, (err + out).strip().replace("\n", " | ")[-300:]))
        sys.stdout.flush()
    print("%d without a witness" % skipped)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
