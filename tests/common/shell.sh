# shell.sh: what the shell tests share, to be sourced by them. PROVISO names the program to test.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
PROVISO=${PROVISO:-$root/build/proviso}
CC=${CC:-gcc}
CXX=${CXX:-g++}
CLANG=${CLANG:-clang-19}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

check() { # check NAME COMMAND...: the command must succeed; else the end of the last run is shown
  name=$1
  shift
  if "$@"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $name"
    for stream in out err; do
      [ ! -e "$work/$stream" ] || tail -n 20 "$work/$stream" | cut -c1-300 | sed "s/^/  $stream: /"
    done
  fi
}
sanitized() { # is the program to test one with sanitizers?
  ldd "$PROVISO" | grep -q libasan
}
flunk() { # flunk FILE WHAT: with the last lines of $work/err
  failed=$((failed + 1))
  echo "FAILED: $1: $2"
  tail -n 10 "$work/err" | cut -c1-200 | sed 's/^/  /'
}
# EVERY=N: an N-th of what a test does with many programs; PROVISO_TURN, a number, says which.
turn=$((${PROVISO_TURN:-0} % ${EVERY:-1}))
met=0
chosen() { # of the files that this is asked of, every $EVERY-th
  met=$((met + 1))
  [ $(((met - 1) % ${EVERY:-1})) -eq $turn ]
}
sample() { # sample FROM COUNT: options for a program of fuzz/, for a part of these seeds
  first=$((turn * $2 / ${EVERY:-1}))
  echo "--from $(($1 + first)) --count $(((turn + 1) * $2 / ${EVERY:-1} - first))"
}
is() { [ "$1" = "$2" ]; }
ends() { # ends STATUS LAST-LINE: the last run, in order and without a report of a sanitizer
  [ "$status" -eq "$1" ] && [ "$(tail -n 1 out)" = "Verification result: $2" ] &&
    ! grep -q -e Sanitizer -e 'runtime error' err
}
counted() { # counted NAME COMMAND...: a program that ends with a line "N passed, M failed"; adds these numbers
  what=$1
  shift
  "$@" >"$work/counted" 2>"$work/err"
  grep -v ' passed, ' "$work/counted"
  last=$(tail -n 1 "$work/counted")
  p=${last%% passed*} f=${last##*, }
  f=${f%% failed*}
  case $p$f in
  '' | *[!0-9]*) check "$what ends in order" false ;;
  *)
    passed=$((passed + p))
    failed=$((failed + f))
    ;;
  esac
}
finish() { # the last line, and the exit status
  echo "$passed passed, $failed failed"
  exit $((failed != 0))
}
