#!/bin/sh
# report.sh: the files that tell of a result: the page for the browser (tests/report.py), SARIF and
# JUnit (tests/exports.py). PROVISO names the program to test.
. "$(dirname "$0")/common/shell.sh"
cd "$work" || exit 2

# Debian's own interpreter has Debian's modules.
python=python3
if [ -x /usr/bin/python3 ]; then python=/usr/bin/python3; fi
for part in report exports; do
  counted "$part.py" "$python" "$root/tests/$part.py" --binary "$PROVISO"
done
finish
