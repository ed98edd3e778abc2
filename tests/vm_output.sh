#!/bin/sh
# vm_output.sh [FOLDER...]: the VM runs programs as the machine does. Every .c and .cpp file of the
# folders (by default tests/c and tests/cpp) is run natively and, with a harness that ends the run in
# an error, in the VM: what the error path says was printed, and the exit status, must be the native
# ones. By itself each program must be proven free of every error with the default properties, for
# LP64, for ILP32 and as bitcode. PROVISO names the program to test; with EVERY=N it is every N-th of
# the files in a folder.
#
# A comment `// provisos: KIND...` in a program names further kinds of provisos that its proof may
# have beside limits; `// lp64` keeps it from ILP32.
. "$(dirname "$0")/common/shell.sh"
[ $# -gt 0 ] || set -- "$root/tests/c" "$root/tests/cpp"

cat >"$work/output.py" <<'PYTHON'
"""What the first error path of a report printed; `status 134` if it is a failing assertion."""
import json, sys
report = json.load(open(sys.argv[1], encoding="utf-8", errors="surrogateescape"))
out = sys.stdout
out.reconfigure(encoding="utf-8", errors="surrogateescape", newline="\n")
for violation in report["violations"][:1]:
    for step in violation["steps"]:
        out.write(step.get("output", "").replace("\ufffd", "?"))
    if "reach_error" not in violation["message"]:
        out.write("\nstatus 134\n" if "assertion" in violation["message"] else violation["message"])
for proviso in report["provisos"]:
    if proviso["kind"] not in sys.argv[2:]:
        out.write("proviso: %s\n" % proviso["sentence"])
PYTHON

cat >"$work/kinds.py" <<'PYTHON'
"""Exit status 0 if the verdict is true or has only provisos of the kinds named."""
import json, sys
report = json.load(open(sys.argv[1], encoding="utf-8", errors="surrogateescape"))
allowed = {"TIME", "MEMORY", "STATES", "DEPTH"} | set(sys.argv[2:])
bad = [p["sentence"] for p in report["provisos"] if p["kind"] not in allowed]
bad += [v["message"] for v in report["violations"]]
if report["verdict"] not in ("true", "conditional"):
    bad += [str(report["result"]), str(report["reason"])]
print("\n".join(bad))
sys.exit(1 if bad else 0)
PYTHON

# What an assertion that fails says is the error's message in the VM, not output.
native() { # native FILE ARGUMENT...
  case $1 in
  *.cpp) compiler="$CXX -std=gnu++17 -x c++" ;;
  *) compiler="$CC -std=gnu11" ;;
  esac
  $compiler -O0 -w -pthread -Dmain=program_main "$@" \
    "$root/tests/harness/harness.c" -o "$work/program" -lm 2>"$work/err" || return 1
  mkdir -p "$work/cwd"
  (cd "$work/cwd" && timeout 60 stdbuf -o0 "$work/program" >"$work/wanted" 2>&1 </dev/null
    exit $?) 2>/dev/null
  status=$?
  # the report replaces what is no text
  LC_ALL=C.UTF-8 python3 -c 'import sys
sys.stdout.write(open(sys.argv[1], "rb").read().decode(errors="replace").replace("\ufffd", "?"))' \
    "$work/wanted" >"$work/text" && mv "$work/text" "$work/wanted"
  if [ "$status" -eq 134 ]; then
    sed -i '/: Assertion `.* failed\.$/d; /^Aborted/d' "$work/wanted"
    printf '\nstatus 134\n' >>"$work/wanted"
  fi
  return 0
}

in_vm() { # in_vm FILE ARGUMENT...
  harness=$root/tests/harness/harness.c
  case $1 in *.cpp) cp "$harness" "$work/harness.cpp" && harness=$work/harness.cpp ;; esac
  vm_file=$1
  shift
  rm -f "$work/report"
  timeout 300 "$PROVISO" check --quiet --property unreach-call --limit time=120s \
    --json "$work/report" "$vm_file" "$harness" -- "$@" -w -Dmain=program_main \
    >"$work/err" 2>&1 </dev/null
  [ -s "$work/report" ] && python3 "$work/output.py" "$work/report" $kinds >"$work/got" 2>>"$work/err"
}

proven() { # proven FILE ARGUMENT...: by itself, without an error
  rm -f "$work/report"
  timeout 300 "$PROVISO" check --limit time=60s --json "$work/report" "$@" >"$work/err" 2>&1 \
    </dev/null
  [ -s "$work/report" ] && python3 "$work/kinds.py" "$work/report" $kinds >"$work/err"
}

# As a user makes it, without the flags that proviso gives to clang.
bitcode() { # bitcode FILE
  case $1 in
  *.cpp) language="-std=gnu++17 -fno-exceptions -fno-rtti" ;;
  *) language=-std=gnu11 ;;
  esac
  "$CLANG" $language -O0 -g -w -Xclang -fsanitize-address-use-after-scope -c -emit-llvm "$1" -o "$work/program.bc" 2>"$work/err"
}

one() { # one FILE
  file=$1
  arguments=
  kinds=$(sed -n 's,^// provisos: *,,p' "$file")
  grep -q 'main(int ' "$file" && arguments=-DPROGRAM_ARGUMENTS
  if ! native "$file" $arguments; then
    flunk "$file" "does not compile natively"
    return
  fi
  if ! tail -n 1 "$work/wanted" | grep -q '^status '; then
    tail -n 3 "$work/wanted" >"$work/err"
    flunk "$file" "does not end natively"
    return
  fi
  if ! in_vm "$file" $arguments; then
    flunk "$file" "no report"
    return
  fi
  if ! diff -a "$work/wanted" "$work/got" >"$work/err"; then
    flunk "$file" "the VM behaves otherwise"
    return
  fi
  tail -n 1 "$work/wanted" | grep -q '^status 134$' && { passed=$((passed + 1)); return; }
  if ! proven "$file"; then
    flunk "$file" "not proven"
    return
  fi
  if ! bitcode "$file" || ! proven "$work/program.bc"; then
    flunk "$file" "not proven as bitcode"
    return
  fi
  case $file in *.cpp) passed=$((passed + 1)) && return ;; esac # headers of C++ are for LP64 only
  if ! grep -q '^// lp64' "$file" && ! proven "$file" --32; then
    flunk "$file" "not proven for ILP32"
    return
  fi
  passed=$((passed + 1))
}

for folder; do
  if [ -f "$folder" ]; then
    one "$folder"
    continue
  fi
  for file in "$folder"/*.c "$folder"/*.cpp; do
    [ -e "$file" ] && chosen && one "$file"
  done
done
finish
