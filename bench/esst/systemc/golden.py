#!/usr/bin/env python3
"""The output of SystemC programs, as the machine runs them, against golden logs.

    golden.py [--binary FILE] [--match REGEX] [--list FILE] [--verbose] FOLDER

FOLDER is `tests/systemc` of Accellera's distribution of SystemC (not part of this repository). Each directory D in
it with golden/D.log or golden/NAME.log is a test: all its .cpp files, or NAME.cpp if there are several logs. The program runs in
Accellera's order (--order accellera). What it prints is taken from the path to an error that is put at its end. The log
agrees if it is the same after the lines that the reference implementation adds (version, file and process of a
report) are dropped. Prints a line for each test, and the counts.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

END = """extern void reach_error(void);
extern int atexit(void (*)(void));
static void end(void) { reach_error(); }
__attribute__((constructor)) static void begin(void) { atexit(end); }
"""


def tests(folder):
    for path, folders, files in sorted(os.walk(folder)):
        if os.path.basename(path) != "golden":
            continue
        home = os.path.dirname(path)
        logs = sorted(f for f in files if f.endswith(".log"))
        sources = sorted(f for f in os.listdir(home) if f.endswith(".cpp"))
        listed = [f for f in os.listdir(home) if f.endswith(".f")]
        for log in logs:
            name = log[:-4]
            own = [s for s in sources if s == name + ".cpp"] if len(logs) > 1 else sources
            if len(logs) > 1 and name + ".f" in listed:
                with open(os.path.join(home, name + ".f"), encoding="latin-1") as f:
                    own = [os.path.basename(line.strip()) for line in f if line.strip().endswith(".cpp")]
            if own:
                yield os.path.relpath(home, folder) + "/" + name, [os.path.join(home, s) for s in own], os.path.join(path, log)


def outputs(value, found):
    if isinstance(value, dict):
        if isinstance(value.get("output"), str):
            found.append(value["output"])
        for v in value.values():
            outputs(v, found)
    elif isinstance(value, list):
        for v in value:
            outputs(v, found)


def plain(text):
    lines = []
    for line in text.splitlines():
        line = line.rstrip()
        if line == "SystemC Simulation" or re.match(r"^In (file|process): ", line) or not line:
            continue
        lines.append(line)
    return lines


def run(binary, sources, end, seconds):
    command = [binary, "check", "--engine", "explicit", "--scheduler", "systemc", "--order", "accellera", "--property",
               "unreach-call", "--limit", "time=%ds" % seconds, "--json", "-"] + sources + [end]
    command += ["--", "-I" + os.path.dirname(sources[0])]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=seconds * 4, errors="replace")
    except subprocess.TimeoutExpired:
        return None, "time"
    try:
        result = json.loads(done.stdout)
    except ValueError:
        errors = [l for l in done.stderr.splitlines() if "error:" in l]
        return None, "not compiled: " + (errors[0] if errors else done.stderr.strip()[-150:])
    found = []
    outputs(result.get("violations") or result.get("errors") or [], found)
    if not found and result.get("verdict") != "false":
        provisos = json.dumps(result.get("provisos") or result.get("condition") or "")
        return None, "%s %s" % (result.get("verdict"), provisos[:200])
    return "".join(found), "ran"


def main():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=os.path.join(root, "build", "proviso"))
    parser.add_argument("--match", default="")
    parser.add_argument("--list", help="a file with the names of the tests to run, one a line")
    parser.add_argument("--time", type=int, default=100)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("folder")
    args = parser.parse_args()
    wanted = set(open(args.list, encoding="utf-8").read().split()) if args.list else None
    counts = {}
    with tempfile.TemporaryDirectory() as folder:
        end = os.path.join(folder, "end.c")
        with open(end, "w", encoding="utf-8") as f:
            f.write(END)
        for name, sources, log in tests(args.folder):
            if not re.search(args.match, name) or (wanted is not None and name not in wanted):
                continue
            text, what = run(args.binary, sources, end, args.time)
            if text is not None:
                with open(log, encoding="latin-1") as f:
                    golden = plain(f.read())
                what = "golden" if plain(text) == golden else "differs"
                if args.verbose and what == "differs":
                    print("--- got\n%s\n--- golden\n%s" % ("\n".join(plain(text)), "\n".join(golden)))
            kind = what.split(":")[0].split(" ")[0]
            counts[kind] = counts.get(kind, 0) + 1
            print("%-60s %s" % (name, what[:300]), flush=True)
    print(", ".join("%d %s" % (n, what) for what, n in sorted(counts.items())))


if __name__ == "__main__":
    sys.exit(main())
