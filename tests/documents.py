#!/usr/bin/env python3
"""Runs the examples of a document.

usage: tests/documents.py DOCUMENT PROGRAM [--binary FILE]

The first block of C in the document is written to PROGRAM in a new directory. Each command of the `console` blocks must
print there what the document says. The last line is "N passed, M failed".
"""
import argparse, os, re, shlex, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def examples(text):
    """(command, output) of all console blocks."""
    for block in re.findall(r"^```console\n(.*?)^```$", text, re.S | re.M):
        for example in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, output = example.partition("\n")
            yield command, output


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("document")
    parser.add_argument("program")
    parser.add_argument("--binary", default=os.environ.get("PROVISO", os.path.join(ROOT, "build/proviso")))
    o = parser.parse_args()
    binary = os.path.abspath(o.binary)
    with open(o.document, encoding="utf-8") as f:
        text = f.read()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as directory:
        with open(os.path.join(directory, o.program), "w", encoding="utf-8") as f:
            f.write(re.search(r"^```c\n(.*?)^```$", text, re.S | re.M).group(1))
        for command, wanted in examples(text):
            words = shlex.split(command)
            done = subprocess.run([binary] + words[1:], cwd=directory, capture_output=True, text=True, timeout=300)
            right = done.stdout.strip() == wanted.strip()
            passed, failed = passed + right, failed + (not right)
            if not right:
                print("%s\n%s%s" % (command, done.stdout, done.stderr))
    print("%d passed, %d failed" % (passed, failed))
    return failed != 0


sys.exit(main())
