#!/bin/sh
# swarm.sh: contrib/proviso-swarm with two local workers gives the verdict of one run, also if a worker is
# killed; and with GNU parallel, where that is installed. PROVISO names the program to test.
. "$(dirname "$0")/common/shell.sh"
cd "$work" || exit 2
program=$root/bench/dpor/writers.c
dpor="--engine dpor --dependence conflict --peek 0 --prune 0"

swarm() {
  timeout 300 "$root/contrib/proviso-swarm" --proviso "$worker" "$@" >out 2>err
  status=$?
}
says() { grep -q -e "$1" err; }
worker=$PROVISO

for engine in "$dpor" "--engine explicit"; do
  for bug in "" ",-DBUG"; do
    # shellcheck disable=SC2086 # words on purpose
    "$PROVISO" check --quiet --property unreach-call $engine "$program:-DN=3,-DFIRST=3$bug" >whole 2>err
    status=$? verdict=$(tail -n 1 whole)
    alone=$status
    # shellcheck disable=SC2086
    swarm -j 2 --first states=100 --limit states=300 -- --property unreach-call $engine "$program:-DN=3,-DFIRST=3$bug"
    check "$engine$bug: the verdict of one run" is "$status $(tail -n 1 out)" "$alone $verdict"
  done
done
# shellcheck disable=SC2086
swarm -j 2 --first states=100 --limit states=300 -o rest --time 0.1 -- --property unreach-call $dpor \
  "$program:-DN=3,-DFIRST=4,-DOTHERS=4"
check "no time" ends 20 conditional
swarm -j 2 --continue rest
check "and goes on" ends 0 true

# A worker that is killed the first three times.
cat >killed <<END
#!/bin/sh
if [ "\$1" = resume ] && { mkdir once || mkdir twice || mkdir thrice; } 2>/dev/null; then
  "$PROVISO" "\$@" & sleep 0.05
  kill -9 \$!
  kill -9 \$\$
fi
exec "$PROVISO" "\$@"
END
chmod +x killed
worker=./killed
for retries in 0 3; do
  rm -rf once twice thrice
  # shellcheck disable=SC2086
  swarm -j 2 --first states=100 --limit states=2000 --retries $retries -- --property unreach-call $dpor \
    "$program:-DN=3,-DFIRST=3"
  check "killed, repeated at most $retries times" ends 0 true
  check "and it is told" says "died (status -9)"
done

# Jobs of dpor give parts of their work away, so that there are no rounds; jobs that got one are killed, too.
for bug in "" ",-DBUG"; do
  rm -rf once twice thrice
  # shellcheck disable=SC2086
  swarm -j 3 -- --property unreach-call $dpor "$program:-DN=3,-DFIRST=4,-DOTHERS=4$bug"
  if [ -z "$bug" ]; then
    check "parts are given away: true, though jobs are killed" ends 0 true
    check "and there are several jobs" grep -q "^proviso-swarm: [0-9]* jobs$" err
  else
    check "parts are given away: false" ends 10 "false(unreach-call)"
  fi
done

# The first job that gets a part is killed, and not repeated: what it leaves open is explored in rounds.
cat >lost <<END
#!/bin/sh
if [ "\$1" = resume ] && mkdir once 2>/dev/null; then kill -9 \$\$; fi
exec "$PROVISO" "\$@"
END
chmod +x lost
worker=./lost
rm -rf once
# shellcheck disable=SC2086
swarm -j 2 --retries 0 -- --property unreach-call $dpor "$program:-DN=3,-DFIRST=4,-DOTHERS=4"
check "a part is lost: true" ends 0 true
check "after rounds" says "round 1"

# Every job of the first round is killed before it has begun, and no job is repeated: the next round tries again.
cat >lost <<END
#!/bin/sh
if [ "\$1" = resume ] && { [ -e always ] || ! grep -q two round; }; then kill -9 \$\$; fi
if [ "\$1" = join ] && [ "\$2" = -o ]; then echo two >>round; fi
exec "$PROVISO" "\$@"
END
chmod +x lost
worker=./lost
lost() {
  : >round
  # shellcheck disable=SC2086
  swarm "$@" --rounds --retries 0 --first states=100 -- --property unreach-call $dpor "$program:-DN=3,-DFIRST=3"
}
lost -j 2
check "a lost round: true" ends 0 true
check "and it is told" says "the round changed nothing"
touch always
lost -j 2 --patience 2
check "all rounds lost: the end" ends 20 conditional
check "after the third" is "$(grep -c "the round changed nothing" err)" 3
rm always
worker=./killed

# Two hosts, which are this one.
if command -v parallel >/dev/null; then
  cat >fakessh <<'END'
#!/bin/sh
while case ${1:-} in -*) true ;; *) false ;; esac; do shift; done
shift
[ "${1:-}" != -- ] || shift
exec sh -c "$*"
END
  chmod +x fakessh
  for bug in "" ",-DBUG"; do
    rm -rf once twice thrice
    # shellcheck disable=SC2086
    swarm -j 1 --runner parallel --host 1/first --host 1/second --ssh "$work/fakessh" --first states=100 \
      --limit states=2000 -- --property unreach-call $dpor "$program:-DN=3,-DFIRST=3$bug"
    if [ -z "$bug" ]; then
      check "GNU parallel: true, though jobs are killed" ends 0 true
    else
      check "GNU parallel: false" ends 10 "false(unreach-call)"
    fi
  done
  worker=./lost
  lost -j 2 --runner parallel
  check "GNU parallel, a lost round: true" ends 0 true
else
  echo "GNU parallel is not installed: jobs on several hosts are not tested"
fi
finish
