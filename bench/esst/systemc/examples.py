#!/usr/bin/env python3
"""Models in SystemC from Accellera's distribution, compiled unchanged and verified; and with a seeded bug.

    bench/esst/systemc/examples.py FOLDER [--binary FILE] [--only REGEX] [--seconds N]

FOLDER is `examples/sysc` of the distribution (not part of this repository). A row of the table below names the files, what is replaced
to seed a bug (nothing: the files are unchanged), options, and the expected verdict. Prints a line for each row: verdict, states, CPU
seconds, and how many provisos the result has. Exits with 1 if a verdict is not the expected one.
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

# name, folder, (file, old, new) or None, options, verdict
ROWS = [
    ("simple_fifo", "simple_fifo", None, ["--order", "any"], "true"),
    ("simple_fifo, index beyond the end", "simple_fifo", ("simple_fifo.cpp", "[(first + num_elements) % max] = c", "[first + num_elements] = c"),
     ["--order", "any"], "false(valid-deref)"),
    ("simple_fifo, writer does not wait", "simple_fifo",
     ("simple_fifo.cpp", "++ num_elements;", "++ num_elements; if (num_elements > max) reach_error();"), ["--order", "any"], "true"),
    ("simple_fifo, writer does not wait, bug", "simple_fifo",
     ("simple_fifo.cpp", "if (num_elements == max)\n         wait(read_event);\n",
      "if (num_elements == max)\n         wait(read_event); else wait(SC_ZERO_TIME);\n       if (num_elements > 2) reach_error();\n"),
     ["--order", "any"], "false(unreach-call)"),
    ("pipe", "pipe", None, ["--order", "any"], "true"),
    ("scx_barrier", "2.1/scx_barrier", None, ["--order", "any"], "true"),
    ("scx_mutex_w_policy", "2.1/scx_mutex_w_policy", None, ["--order", "any"], "true"),
    ("sc_export", "2.1/sc_export", None, ["--order", "any"], "true"),
    ("simple_perf", "simple_perf", None, ["--property", "unreach-call"], "conditional"),
]


def seeded(folder, change):
    if not change:
        return
    path = os.path.join(folder, change[0])
    with open(path, encoding="latin-1") as f:
        text = f.read()
    if change[1] not in text:
        sys.exit("examples.py: %s does not contain %r" % (path, change[1]))
    with open(path, "w", encoding="latin-1") as f:
        f.write('extern "C" void reach_error(void);\n' + text.replace(change[1], change[2]))


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
    for name, place, change, options, wanted in ROWS:
        source = os.path.join(args.folder, place)
        if not re.search(args.only, name) or not os.path.isdir(source):
            continue
        with tempfile.TemporaryDirectory() as folder:
            copy = os.path.join(folder, "model")
            shutil.copytree(source, copy)
            seeded(copy, change)
            got, seconds, result = check(args, copy, options, os.path.join(folder, "result.json"))
        wrong += got != wanted
        print("%-40s %-20s%s %8s states %6.1f s %d provisos" %
              (name, got, "" if got == wanted else " (expected: %s)" % wanted,
               result.get("statistics", {}).get("states", result.get("states", "-")), seconds, len(result.get("provisos", []))), flush=True)
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
