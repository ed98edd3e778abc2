#!/usr/bin/env python3
"""Runs proviso over programs with known verdicts and prints a table.

usage: bench/tasks/run.py FOLDER [FOLDER ...] [options]

Each FOLDER holds a file tasks.tsv with the columns file, property, verdict, note (no heading); the
files are relative to it. `property` is a property of proviso, a comma list of them, or one of the words
`assert` (unreach-call) and `assert-or-deadlock` (unreach-call,no-deadlock). A note that contains
data_model=ILP32 selects --32. A verdict is right if it is the expected one, wrong if it is
the opposite one; conditional and unknown are neither.
"""
import argparse, concurrent.futures, json, os, re, subprocess, sys, tempfile, time

PROPERTIES = {"assert": "unreach-call", "assert-or-deadlock": "unreach-call,no-deadlock"}


def read_tasks(folder):
    with open(os.path.join(folder, "tasks.tsv")) as f:
        for line in f:
            columns = line.rstrip("\n").split("\t")
            if len(columns) >= 3:
                yield columns + [""] * (4 - len(columns))


def run_task(binary, folder, row, arguments, seconds, memory, clang, override):
    file, prop, expected, note = row[:4]
    prop = override or prop
    path = os.path.join(folder, file)
    with tempfile.TemporaryDirectory() as scratch:
        report = os.path.join(scratch, "result.json")
        command = [binary, "check", "--quiet", "--property", PROPERTIES.get(prop, prop),
                   "--limit", f"time={seconds}s,memory={memory}", "--json", report]
        if "ILP32" in note:
            command.append("--32")
        command += arguments + [path]
        if clang:
            command += ["--"] + clang
        start = time.monotonic()
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=seconds * 2 + 30)
            lines = [l for l in done.stdout.splitlines() if l.strip()]
            last = lines[-1] if lines else ""
            got = last.removeprefix("Verification result: ") if last.startswith("Verification result: ") else ""
            why = next((l for l in lines if l.startswith("Proviso: ")), "")
            if not got:
                got = f"error({done.returncode})"
                why = (done.stderr.strip().splitlines() or [""])[0]
        except subprocess.TimeoutExpired:
            got, why = "error(hang)", ""
        elapsed = time.monotonic() - start
        try:
            with open(report) as f:
                states = json.load(f)["stats"]["states"]
        except (OSError, KeyError, ValueError):
            states = 0
    kind = got.split("(")[0]
    if kind not in ("true", "false"):
        status = "open"
    else:
        status = "right" if kind == expected else "WRONG"
    return dict(folder=os.path.basename(folder.rstrip("/")), file=file, property=prop, expected=expected, got=got,
                states=states, seconds=elapsed, status=status, why=why)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--binary", default="build/proviso")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--memory", default="8GB")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--filter", default="", help="regular expression on folder/file")
    parser.add_argument("--sample", type=int, default=0, help="every N-th task only")
    parser.add_argument("--option", action="append", default=[], help="passed to proviso (repeatable)")
    parser.add_argument("--clang", action="append", default=[], help="passed to clang (repeatable)")
    parser.add_argument("--property", default="", help="instead of the property column")
    parser.add_argument("--tsv", help="also write the table to this file")
    arguments = parser.parse_args()
    work = [(folder, row) for folder in arguments.folders for row in read_tasks(folder)
            if re.search(arguments.filter, os.path.join(os.path.basename(folder.rstrip("/")), row[0]))]
    if arguments.sample:
        work = work[::arguments.sample]
    rows = []
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        jobs = [pool.submit(run_task, arguments.binary, folder, row, arguments.option, arguments.seconds,
                            arguments.memory, arguments.clang, arguments.property) for folder, row in work]
        for job in jobs:
            r = job.result()
            rows.append(r)
            print(f"{r['status']:5} {r['folder']}/{r['file']}\t{r['property']}\t{r['expected']}\t{r['got']}\t"
                  f"{r['states']}\t{r['seconds']:.1f}\t{r['why'][:120]}", flush=True)
    if arguments.tsv:
        with open(arguments.tsv, "w") as f:
            for r in rows:
                f.write("\t".join(str(r[k]) for k in ("folder", "file", "property", "expected", "got", "states")) +
                        f"\t{r['seconds']:.1f}\t{r['status']}\n")
    count = lambda s: sum(r["status"] == s for r in rows)
    errors = sum(r["got"].startswith("error") for r in rows)
    print(f"{len(rows)} tasks: {count('right')} right, {count('WRONG')} wrong, {count('open')} open ({errors} errors)")
    return 1 if count("WRONG") else 0


sys.exit(main())
