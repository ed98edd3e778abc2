#!/bin/sh
# documents.sh: every command of the tutorial, the cookbook, the page on provisos, and the pages of engines,
# properties and schedulers prints what the page says; links between pages lead somewhere, and files that they name exist. PROVISO names the program to test.
. "$(dirname "$0")/common/shell.sh"
for page in tutorial:middle.c provisos:blocks.c cookbook:queue.c; do
  python3 "$root/tests/documents.py" "$root/docs/${page%%:*}.md" "${page#*:}" --binary "$PROVISO" >"$work/out"
  status=$?
  check "${page%%:*}" is "$status" 0
  passed=$((passed + $(tail -n 1 "$work/out" | cut -d' ' -f1)))
done
# The pages of engines, properties and schedulers.
for page in "$root"/docs/engines/*.md "$root"/docs/properties/*.md "$root"/docs/schedulers/*.md; do
  python3 "$root/tests/documents.py" "$page" prog.c --binary "$PROVISO" >"$work/out"
  check "$(basename "$page")" is "$?$(tail -n 1 "$work/out")" "01 passed, 0 failed"
done
for page in "$root"/README.md "$root"/docs/*.md "$root"/docs/*/*.md; do
  for link in $(grep -o '](\([a-zA-Z0-9_./-]*\)' "$page" | cut -c3-); do
    check "$(basename "$page"): $link" test -e "$(dirname "$page")/$link"
  done
done
python3 "$root/tests/files_named.py" >"$work/out"
status=$?
check "files that are named" is "$status" 0
passed=$((passed + $(tail -n 1 "$work/out" | cut -d' ' -f1)))
finish
