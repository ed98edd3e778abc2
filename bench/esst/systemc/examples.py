#!/usr/bin/env python3
"""Models in SystemC from Accellera's distribution, compiled unchanged and verified; and with a seeded bug.

    bench/esst/systemc/examples.py FOLDER [--binary FILE] [--only REGEX] [--seconds N]

FOLDER is `examples/sysc` of the distribution (not part of this repository). A row of the table below names the files, what is replaced
to seed a bug (nothing: the files are unchanged), options, and the expected verdict. Prints a line for each row: verdict, CPU seconds,
and how many provisos the result has. Exits with 1 if a verdict is not the expected one.
"""
import argparse
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile

CHECKED = ("simple_fifo.cpp", "in->read(c);", """in->read(c);
         static const char *wanted = "Visit www.accellera.org and see what SystemC can do for you today!\\n";
         if (c != *wanted++) reach_error();""")
LEVEL = ("simple_perf.cpp", "++ num_elements;", "++ num_elements; if (num_elements > size) reach_error();")
PERF = ["--property", "unreach-call", "--args", ""]
PERF_ESST = ["--engine", "esst", *PERF]
# name, folder, changes (file, old, new), options, verdict
ROWS = [
    ("simple_fifo", "simple_fifo", [], ["--order", "any"], "true"),
    ("simple_fifo, its text is checked", "simple_fifo", [CHECKED], ["--order", "any"], "true"),
    ("simple_fifo, bug: a full one is overwritten", "simple_fifo",
     [CHECKED, ("simple_fifo.cpp", "if (num_elements == max)\n         wait(read_event);", "")], ["--order", "any"], "false(unreach-call)"),
    ("simple_fifo, bug: does not wrap around", "simple_fifo", [("simple_fifo.cpp", "first = (first + 1) % max", "first = first + 1")],
     ["--order", "any"], "false(def-behavior)"),
    ("pipe", "pipe", [], ["--order", "any"], "true"),
    ("scx_barrier", "2.1/scx_barrier", [], ["--order", "any"], "true"),
    ("sc_export", "2.1/sc_export", [], ["--order", "any"], "true"),
    ("fft_flpt, which reads files unchecked", "fft/fft_flpt", [], ["--order", "any"], "false(valid-deref)"),
    ("simple_perf", "simple_perf", [], PERF_ESST, "true"),
    ("simple_perf, its level is checked", "simple_perf", [LEVEL], PERF_ESST, "true"),
    ("simple_perf, bug: a full one is overwritten", "simple_perf",
     [LEVEL, ("simple_perf.cpp", "if (num_elements == size)\n        wait(read_event);", "")],
     PERF, "false(unreach-call)"),
]


def seeded(folder, changes):
    for name, old, new in changes:
        path = os.path.join(folder, name)
        with open(path, encoding="latin-1") as f:
            text = f.read()
        if old not in text:
            sys.exit("examples.py: %s does not contain %r" % (path, old))
        with open(path, "w", encoding="latin-1") as f:
            f.write(('' if "reach_error(void)" in text else 'extern "C" void reach_error(void);\n') + text.replace(old, new))


def check(args, folder, options, report):
    sources = sorted(os.path.join(folder, f) for f in os.listdir(folder) if f.endswith(".cpp"))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run([args.binary, "check", "--quiet", "--limit", "time=%ds" % args.seconds, "--json", report, *options, *sources],
                         capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = re.search(r"^Verification result: (.*)$", run.stdout, re.MULTILINE)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if not found:
        return "none: " + run.stderr.strip()[-200:], seconds, {}
    with open(report, encoding="utf-8") as f:
        return found.group(1), seconds, json.load(f)


def main():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    parser = argparse.ArgumentParser(description="Verifies models of Accellera's distribution of SystemC.")
    parser.add_argument("folder")
    parser.add_argument("--binary", default=os.path.join(root, "build", "proviso"))
    parser.add_argument("--only", default="")
    parser.add_argument("--seconds", type=int, default=100)
    args = parser.parse_args()
    wrong = 0
    for name, place, changes, options, wanted in ROWS:
        source = os.path.join(args.folder, place)
        if not re.search(args.only, name) or not os.path.isdir(source):
            continue
        with tempfile.TemporaryDirectory() as folder:
            copy = os.path.join(folder, "model")
            shutil.copytree(source, copy)
            seeded(copy, changes)
            got, seconds, result = check(args, copy, options, os.path.join(folder, "result.json"))
        wrong += got != wanted
        print("%-45s %-20s%s %6.1f s, %d provisos" %
              (name, got, "" if got == wanted else " (expected: %s)" % wanted,
               seconds, len(result.get("provisos", []))), flush=True)
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
