#!/bin/sh
# everyday.sh -- those of the everyday programs (bench/everyday/run) that are decided in less than a second.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
programs="bank counter_threads lazy_singleton message_queue reader_writer semaphore_pool thread_pool work_queue"
passed=0 failed=0
for name in $programs; do
  for each in "$name" "${name}_bug"; do
    file=$root/tests/everyday/$each.c
    right=$(sed -n 's|^// expect: ||p' "$file")
    said=$("${PROVISO:-$root/build/proviso}" check --limit time=20s "$file" | sed -n 's/^Verification result: //p')
    if [ "$said" = "$right" ]; then
      passed=$((passed + 1))
    else
      failed=$((failed + 1))
      echo "FAIL $each: expected $right, got $said"
    fi
  done
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
