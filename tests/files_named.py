#!/usr/bin/env python3
"""Files that the pages about the code name exist, and every file of src/ is named: in docs/architecture.md, or, by its
name or that of its header, in the comment of a header of its room. A name may be a pattern (`lower*.c`)."""
import fnmatch
import os
import re
import sys

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGES = ["CONTRIBUTING.md", "docs/architecture.md", "docs/glossary.md", "docs/papers.md"]
EXAMPLES = {"src/room/part_test.c", "part.c", "models/HEADER.c", "part_test.c"}  # names that stand for others
NAME = re.compile(r"`([\w./*-]+\.(?:c|h|py|sh|js|html|css|cmake|toml))`")


def read(path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def files():
    for folder, below, names in os.walk(root):
        below[:] = [b for b in below if not b.startswith((".", "build"))]
        for name in names:
            yield os.path.relpath(os.path.join(folder, name), root)


def comments(text):
    return " ".join(re.findall(r"/\*.*?\*/", text, re.S))


everything = set(files())
failed = passed = 0
for page in PAGES:
    for name in sorted(set(NAME.findall(read(page))) - EXAMPLES):
        if any(fnmatch.fnmatch(f, name) or fnmatch.fnmatch(f, "*/" + name) for f in everything):
            passed += 1
        else:
            failed += 1
            print(f"FAILED: {page} names {name}, which does not exist")
patterns = NAME.findall(read("docs/architecture.md"))
rooms = {}
for path in everything:
    if path.startswith("src/") and path.endswith(".h"):
        room = os.path.dirname(path)
        rooms[room] = rooms.get(room, "") + comments(read(path))
for path in sorted(everything):
    if not path.startswith("src/") or not path.endswith((".c", ".h")) or re.search(r"_test\.[ch]$", path):
        continue
    stem = os.path.splitext(os.path.basename(path))[0]
    near = path[len("src/"):]
    named = any(
        fnmatch.fnmatch(os.path.basename(path), p) or fnmatch.fnmatch(near, p) or
        fnmatch.fnmatch(stem + ".h", p) or fnmatch.fnmatch(os.path.splitext(near)[0] + ".h", p) for p in patterns)
    if named or re.search(rf"\b{stem}\b", rooms.get(os.path.dirname(path), "")):
        passed += 1
    else:
        failed += 1
        print(f"FAILED: no page and no header names {path}")
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
