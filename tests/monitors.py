#!/usr/bin/env python3
"""Continues from what a condition of figure 7 left out.

usage: tests/monitors.py [--binary FILE]

Each program of tests/e2e/conditions is checked as it says itself, which ends in a condition. Then other engines examine
what is open: the correct programs are proved, and in the wrong ones (*_wrong.c) the error is found. The last line is "N passed, M failed".
"""
import argparse, glob, json, os, re, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def check(binary, program, options, directory):
    path = os.path.join(directory, "result.json")
    process = subprocess.run([binary, "check", "--quiet", "--json", path] + options + [program], cwd=ROOT,
                             capture_output=True, text=True, timeout=300)
    if process.returncode not in (0, 10, 20):
        raise RuntimeError(process.stderr)
    with open(path, encoding="utf-8") as f:
        return json.load(f)


def test(binary, program, directory):
    """What is wrong; one entry for each continuation, None where nothing is."""
    with open(os.path.join(ROOT, program), encoding="utf-8") as f:
        args = re.search(r"^// args: (.*)$", f.read(), re.M).group(1).split()
    wanted = "false" if program.endswith("_wrong.c") else "true"
    condition = os.path.join(directory, "condition")
    first = check(binary, program, args + ["--proviso", condition], directory)
    if first["verdict"] != "conditional":
        return ["the first run says " + first["verdict"]]
    outcomes = []
    for engine in ("explicit", "value", "composite"):
        options = ["--engine", engine, "--property", "unreach-call"]
        result = check(binary, program, options + ["--given", condition], directory)
        wrong = None if result["verdict"] == wanted else "engine %s says %s" % (engine, result["verdict"])
        outcomes.append(wrong)
    return outcomes


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=os.environ.get("PROVISO", os.path.join(ROOT, "build/proviso")))
    o = parser.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as directory:
        for program in sorted(glob.glob("tests/e2e/conditions/*.c", root_dir=ROOT)):
            for wrong in test(os.path.abspath(o.binary), program, directory):
                passed, failed = passed + (not wrong), failed + bool(wrong)
                if wrong:
                    print(program, wrong)
    print("%d passed, %d failed" % (passed, failed))
    return failed != 0


sys.exit(main())
