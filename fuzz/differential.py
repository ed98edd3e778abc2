#!/usr/bin/env python3
"""Runs random programs under configurations that must agree and reports every difference.

usage: fuzz/differential.py [--from SEED] [--count N] [--binary build/proviso] [--jobs N]

For each program and each property asked alone, every configuration must give the verdict of the first one (no
reduction, depth first). A differing program is shrunk by removing lines while the difference
stays, and written to --keep FOLDER. Closes with `N passed, N failed`.
"""
import argparse, concurrent.futures, os, subprocess, sys, tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import generate

CONFIGURATIONS = [["--por", "none"], ["--por", "persistent"], ["--por", "none", "--native-after", "0"],
                  ["--por", "persistent", "--search", "bfs"]]
PROPERTIES = ["unreach-call", "no-deadlock", "no-data-race", "valid-memsafety"]


def verdict(binary, path, options):
    done = subprocess.run([binary, "check", "--quiet", "--limit", "time=60s"] + options + [path], capture_output=True, text=True)
    lines = done.stdout.strip().splitlines()
    return lines[-1] if done.returncode in (0, 10, 20) and lines else f"exit {done.returncode}: {done.stderr.strip()[:200]}"


def difference(binary, text, folder):
    """None, or (property, configuration, verdict, other verdict)."""
    path = os.path.join(folder, "program.c")
    with open(path, "w") as f:
        f.write(text)
    for prop in PROPERTIES:
        base = verdict(binary, path, CONFIGURATIONS[0] + ["--property", prop])
        if "exit" in base:
            return (prop, CONFIGURATIONS[0], base, base)
        for configuration in CONFIGURATIONS[1:]:
            other = verdict(binary, path, configuration + ["--property", prop])
            if other != base:
                return (prop, configuration, base, other)
    return None


def shrink(binary, text, folder):
    lines, size = text.splitlines(), 8
    while size:
        at = 0
        while at < len(lines):
            attempt = lines[:at] + lines[at + size:]
            found = difference(binary, "\n".join(attempt) + "\n", folder)
            if found and "exit" not in found[2]:
                lines = attempt
            else:
                at += size
        size //= 2
    return "\n".join(lines) + "\n"


def one(binary, seed, keep):
    with tempfile.TemporaryDirectory() as folder:
        text = generate.generate(seed)
        found = difference(binary, text, folder)
        if not found:
            return None
        if keep:
            os.makedirs(keep, exist_ok=True)
            with open(os.path.join(keep, f"seed{seed}.c"), "w") as f:
                f.write(f"// {found[0]}: {found[2]} but with {' '.join(found[1])}: {found[3]}\n" +
                        (shrink(binary, text, folder) if "exit" not in found[2] else text))
        return f"seed {seed}: {found[0]}: {' '.join(CONFIGURATIONS[0])}: {found[2]}; {' '.join(found[1])}: {found[3]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--from", dest="first", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--binary", default="build/proviso")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", default="")
    a = parser.parse_args()
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        for message in pool.map(lambda s: one(a.binary, s, a.keep), range(a.first, a.first + a.count)):
            if message:
                failed += 1
                print(message, flush=True)
    print(f"{a.count - failed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
