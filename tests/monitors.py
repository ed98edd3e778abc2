#!/usr/bin/env python3
"""Continues from what a condition of figure 7 left out.

usage: tests/monitors.py [--binary FILE] [--every N [--first K]]

The runs of the programs of tests/e2e/conditions that end in a condition are made; the proviso has to name the condition. Then
other engines examine what is open: the correct programs are proved, and in those with -DBUG the error is found. With --every
it is each Nth of the runs, from the Kth on. The last line is "N passed, M failed".
"""
import argparse, glob, json, os, re, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def check(binary, program, options, directory):
    path = os.path.join(directory, "result.json")
    process = subprocess.run([binary, "check", "--quiet", "--json", path] + options + program, cwd=ROOT,
                             capture_output=True, text=True, timeout=300)
    if process.returncode not in (0, 10, 20):
        raise RuntimeError(process.stderr)
    with open(path, encoding="utf-8") as f:
        return json.load(f)


def conditional_runs(program):
    """The options of the runs that end in a condition, and whether the program is the wrong one."""
    with open(os.path.join(ROOT, program), encoding="utf-8") as f:
        for words in re.findall(r"^// run: (.*?) => conditional\b", f.read(), re.M):
            options, _, define = words.partition(" -- ")
            yield options.split(), define.split()


def test(binary, program, options, define, directory):
    """What is wrong; one entry for each continuation, None where nothing is."""
    wanted, end = "false" if define else "true", [program] + (["--"] + define if define else [])
    condition = os.path.join(directory, "condition")
    first = check(binary, end, options + ["--proviso", condition], directory)
    if first["verdict"] != "conditional":
        return ["the first run says " + first["verdict"]]
    named = "condition: %s" % options[options.index("--condition") + 1]
    outcomes = [None if any(named in p["sentence"] for p in first["provisos"]) else "no proviso says " + named]
    for engine in ("explicit", "value", "composite"):
        more = ["--engine", engine, "--property", "unreach-call"]
        result = check(binary, end, more + ["--given", condition], directory)
        wrong = None if result["verdict"] == wanted else "engine %s says %s" % (engine, result["verdict"])
        outcomes.append(wrong)
    return outcomes


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=os.environ.get("PROVISO", os.path.join(ROOT, "build/proviso")))
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    o = parser.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as directory:
        runs = [(program, *run) for program in sorted(glob.glob("tests/e2e/conditions/*.c", root_dir=ROOT))
                for run in conditional_runs(program)]
        for program, options, define in runs[o.first % o.every::o.every]:
            for wrong in test(os.path.abspath(o.binary), program, options, define, directory):
                passed, failed = passed + (not wrong), failed + bool(wrong)
                if wrong:
                    print(program, *options, *define, wrong)
    print("%d passed, %d failed" % (passed, failed))
    return failed != 0


sys.exit(main())
