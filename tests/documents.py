#!/usr/bin/env python3
"""Runs the examples of a document.

usage: tests/documents.py DOCUMENT PROGRAM [--binary FILE]

The first block of C in the document is written to PROGRAM in a new directory, each further one that is followed by a
`console` block to the file of C that this block names first, and a block of `file NAME` to this file. Each command of the `console` blocks must print there what
the document says. The last line is "N passed, M failed".
"""
import argparse, os, re, shlex, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def examples(text):
    """(command, output) of all console blocks."""
    for block in re.findall(r"^```console\n(.*?)^```$", text, re.S | re.M):
        for example in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, output = example.partition("\n")
            yield command, output


def programs(text, first):
    """(name, text) of all programs."""
    blocks = re.findall(r"^```(c|console)\n(.*?)^```$", text, re.S | re.M)
    yield from re.findall(r"^```file (\S+)\n(.*?)^```$", text, re.S | re.M)
    for i, (kind, block) in enumerate(blocks):
        if kind != "c":
            continue
        after = blocks[i + 1][1] if i + 1 < len(blocks) and blocks[i + 1][0] == "console" else ""
        named = re.search(r"\S+\.c\b", after)
        if first or named:
            yield first or named.group(0), block
        first = None


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
        for name, program in programs(text, o.program):
            with open(os.path.join(directory, name), "w", encoding="utf-8") as f:
                f.write(program)
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
