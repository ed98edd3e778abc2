#!/bin/sh
# layers.sh: who may include whom, as docs/architecture.md tells ("Which directory may include which"). Tests may
# include more. And files of a room do not include each other in a circle, unless a header of theirs
# says that they are "One module: this, that". (X and X_internal are one by their names.) And no two
# headers define the same type or have the same guard. And no file names a path outside the common
# system directories, and no engine or analysis opens a file. Prints "N passed, M failed", one case for
# each file, for each room and for each header.
set -u
cd "$(dirname "$(readlink -f "$0")")/.."
python3 - <<'PYTHON'
import glob, os, re, sys

# Each room and the rooms that it may include besides itself.
low = {"base", "proviso_events.h"}
middle = low | {"ir", "sched", "property"}
upper = middle | {"analysis", "condition", "result", "frontend", "smt"}
machine = upper | {"vm", "report", "engine.h"}
allowed = {
    "base": {"property", "proviso_events.h"},  # base/options.h names the properties
    "ir": low, "sched": low, "property": low, "ltl": low | {"property", "smt"},
    "analysis": middle, "condition": middle, "result": middle | {"condition"}, "frontend": middle | {"ltl"},
    "smt": middle,
    "witness": middle | {"condition", "result", "observer"}, "observer": middle | {"condition"}, "distance": middle | {"analysis"},
    "vm": upper | {"engine.h"}, "report": upper | {"distance"}, "engine.h": upper,
    "explore": machine | {"distance", "ltl"}, "dpor": machine, "monitor": machine, "cpa": machine,
    "project": middle | {"frontend"},
    "esst": machine | {"cpa"}, "native": machine | {"monitor"},
    "abstraction": middle | {"analysis", "smt"},
}
# Headers of libraries, and who may include them.
libraries = {r"z3.*\.h": {"smt"}, r"c?cadical\..*": {"smt"}, r"llvm-c/.*": {"frontend", "vm", "native"}, r"cjson/.*": {"report", "project"}}
libraries[r"yaml\.h"] = {"witness"}

passed = failed = 0
for path in sorted(glob.glob("src/*/*.[ch]") + glob.glob("src/*.[ch]")):
    room = path.split("/")[1]
    if path.endswith(("_test.c", "_test.h")):
        continue
    wrong = []
    for line in open(path, encoding="utf-8"):
        ours = re.match(r'#\s*include "([^"]+)"', line)
        theirs = re.match(r"#\s*include <([^>]+)>", line)
        if ours:
            target = ours.group(1).split("/")[0]
            if room in allowed and target != room and target not in allowed[room]:
                wrong.append(ours.group(1))
        elif theirs:
            for pattern, rooms in libraries.items():
                if re.fullmatch(pattern, theirs.group(1)) and room not in rooms:
                    wrong.append(theirs.group(1))
    if wrong:
        failed += 1
        print(f"{path}: may not include {', '.join(wrong)}")
    else:
        passed += 1


def graph_of(room):
    """Module -> the modules of the room that its files include; and those that are one by their headers."""
    direct, together = {}, []
    for path in sorted(glob.glob(f"src/{room}/*.[ch]")):
        if path.endswith(("_test.c", "_test.h")):
            continue
        with open(path, encoding="utf-8") as f:
            text = f.read()
        module = os.path.basename(path)[:-2].removesuffix("_internal")
        found = re.findall(rf'^#include "{room}/([^"]+)\.h"', text, re.M)
        direct.setdefault(module, set()).update(f.removesuffix("_internal") for f in found)
        for names in re.findall(r"^ \* One module: ([\w, ]+)", text, re.M):
            together.append({name.strip() for name in names.split(",")})
    return direct, together


def circles_of(direct):
    """The sets of modules that reach each other."""
    reached = {}
    for module in direct:
        seen, todo = set(), [module]
        while todo:
            for other in direct.get(todo.pop(), set()) - seen:
                seen.add(other)
                todo.append(other)
        reached[module] = seen
    groups = {frozenset(o for o in reached[m] if m in reached.get(o, ())) for m in direct if m in reached[m]}
    return sorted(sorted(g) for g in groups if len(g) > 1)


for room in sorted(r for r in os.listdir("src") if os.path.isdir("src/" + r)):
    direct, together = graph_of(room)
    circles = circles_of(direct)
    new = [c for c in circles if not any(set(c) <= names for names in together)]
    old = [sorted(names) for names in together if not any(names <= set(c) for c in circles)]
    for circle in new:
        print(f"src/{room}: {', '.join(circle)} include each other in a circle")
    for names in old:
        print(f"src/{room}: {', '.join(names)} are said to be one module, and are no circle")
    failed, passed = failed + bool(new or old), passed + (not new and not old)
defined = {}
for path in sorted(glob.glob("src/**/*.h", recursive=True)):
    with open(path, encoding="utf-8") as f:
        names = re.findall(r"\b((?:struct|enum|union) pv_\w+) \{|^#ifndef (\w+_H)$", f.read(), re.M)
    twice = {n for name in names if (n := "".join(name)) in defined}
    for name in sorted(twice):
        print(f"{path}: {defined[name]} defines {name}, too")
    defined |= {"".join(name): path for name in names}
    failed, passed = failed + bool(twice), passed + (not twice)
# Absolute paths, and files that engines and analyses open.
system = r"/(bin|dev|etc|proc|sys|tmp|usr)/"
engines = ("analysis", "cpa", "distance", "dpor", "esst", "explore", "ir", "ltl", "sched", "vm")
kinds = ("src/**/*.[ch]", "models/**/*", "include/**/*.h", "runtime/**/*")
for path in sorted(p for kind in kinds for p in glob.glob(kind, recursive=True)):
    if os.path.isdir(path) or path.endswith(("_test.c", "_test.h")):
        continue
    with open(path, encoding="utf-8") as f:
        text = f.read()
    named = set(re.findall(r'"(/[A-Za-z]+/[^"]*)"', text)) - {"/include/"}
    places = sorted(p for p in named if not re.match(system, p))
    strange = path.split("/")[1] in engines and re.search(r"\bf(re)?open\(", text)
    if places:
        print(f"{path}: names {', '.join(places)}")
    if strange:
        print(f"{path}: opens a file")
    failed, passed = failed + bool(places or strange), passed + (not places and not strange)
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
PYTHON
