#!/bin/sh
# orders.sh: provisos about weak memory orders are dropped only where C11 allows nothing else, in random programs (a
# sample of fuzz/orders.py; EVERY=4: of 15 programs rather than 60); a data race that only the orders allow is named.
# PROVISO names the program to test.
. "$(dirname "$0")/common/shell.sh"
orders=$root/tests/e2e/orders
note='^Note: the memory orders leave the accesses to message at .*fences.c:27 and .*fences.c:64 unordered: a data race in C11\.$'
races() { # races ARGUMENT...: how many notes name a race
  "$PROVISO" check "$@" 2>&1 | grep -c '^Note: the memory orders leave' || true
}
check "a message without a release races" sh -c '"$PROVISO" check "$1/fences.c" -DNO_RELEASE | grep -q "$2"' sh "$orders" "$note"
check "one with fences does not" [ "$(races "$orders/fences.c")" = 0 ]
check "atomic data cannot race" [ "$(races "$orders/store_buffering.c")" = 0 ]
python3 "$root/fuzz/orders.py" --binary "$PROVISO" $(sample 1 60) --jobs 1 >"$work/random"
check "random programs" [ "$?" = 0 ]
tail -n 5 "$work/random"
passed=$((passed + $(sed -n 's/^\([0-9]*\) passed.*/\1/p' "$work/random" || echo 0)))
finish
