#!/bin/sh
# report.sh: the files that tell of a result: the page for the browser (tests/report.py), SARIF and
# JUnit (tests/exports.py). PROVISO names the program to test.
. "$(dirname "$0")/common/shell.sh"
cd "$work" || exit 2

# Debian's own interpreter has Debian's modules.
python=python3
if [ -x /usr/bin/python3 ]; then python=/usr/bin/python3; fi
for part in report exports; do
  "$python" "$root/tests/$part.py" --binary "$PROVISO" >"$work/out" 2>"$work/err" || true
  grep -v ' passed, ' "$work/out"
  last=$(tail -n 1 "$work/out")
  p=${last%% passed*} f=${last##*, }
  f=${f%% failed*}
  case $p$f in
  '' | *[!0-9]*) check "$part.py ends in order" false ;;
  *)
    passed=$((passed + p))
    failed=$((failed + f))
    ;;
  esac
done
finish
