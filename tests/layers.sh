#!/bin/sh
# layers.sh: who may include whom, as docs/architecture.md tells ("Who may include whom"). Tests may
# include more. Prints "N passed, M failed", one case for each file.
set -u
cd "$(dirname "$(readlink -f "$0")")/.."
python3 - <<'PYTHON'
import glob, os, re, sys

# Each room and the rooms that it may include besides itself.
low = {"base"}
middle = low | {"ir", "sched", "property"}
upper = middle | {"analysis", "result", "frontend", "smt"}
machine = upper | {"vm", "report", "engine.h"}
allowed = {
    "base": {"property"},  # base/options.h names the properties
    "ir": low, "sched": low, "property": low,
    "analysis": middle, "result": middle, "frontend": middle, "smt": middle,
    "observer": middle, "distance": middle | {"analysis"},
    "vm": upper | {"engine.h"}, "report": upper | {"distance"}, "engine.h": upper,
    "explore": machine | {"distance"}, "dpor": machine, "cpa": machine,
}
# Headers of libraries, and who may include them.
libraries = {r"z3.*\.h": {"smt"}, r"llvm-c/.*": {"frontend", "vm"}, r"cjson/.*": {"report"}}

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
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
PYTHON
