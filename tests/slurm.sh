#!/bin/sh
# slurm.sh: contrib/proviso-swarm with job arrays of Slurm, on a Slurm of one node that contrib/slurm-one-node starts. A job
# that is killed half-way is submitted again, and the verdict is that of one run. Without Slurm nothing is tested, and
# the test says so. PROVISO names the program to test.
. "$(dirname "$0")/common/shell.sh"
cd "$work" || exit 2
if [ -z "${SLURM_CONF:-}" ]; then
  for tool in slurmctld slurmd sbatch sinfo; do
    command -v "$tool" >/dev/null || [ -x "/usr/sbin/$tool" ] || missing=$tool
  done
  if [ -n "${missing:-}" ] || [ "$(id -u)" -ne 0 ]; then
    echo "Slurm is not installed, or the user is not root: its job arrays are not tested"
    finish
    exit
  fi
  PATH=$PATH:/usr/sbin
  PROVISO=$(readlink -f "$PROVISO") timeout 300 "$root/contrib/slurm-one-node" sh "$root/tests/slurm.sh"
  status=$?
  [ "$status" -ne 77 ] || echo "0 passed, 0 failed"
  [ "$status" -ne 77 ] || exit 0
  exit "$status"
fi
program=$root/bench/dpor/writers.c
swarm() {
  timeout 200 "$root/contrib/proviso-swarm" --runner slurm -j 2 --folder "$work/$1" --proviso "$2" --first states=100 --limit states=2000 -- \
    --property unreach-call --engine dpor --dependence conflict --peek 0 --prune 0 "$program:-DN=3,-DFIRST=3$3" >out 2>err
  status=$?
}

# Two jobs are killed half-way, with all their processes: once by Slurm, once by a signal that nobody can catch.
cat >killed <<END
#!/bin/sh
if [ "\$1" = resume ] && mkdir once 2>/dev/null; then
  "$PROVISO" "\$@" & sleep 0.05
  scancel --signal=KILL --full "\${SLURM_ARRAY_JOB_ID}_\$SLURM_ARRAY_TASK_ID"
  sleep 20
elif [ "\$1" = resume ] && mkdir twice 2>/dev/null; then
  "$PROVISO" "\$@" & sleep 0.05
  kill -9 \$!
  kill -9 \$\$
fi
exec "$PROVISO" "\$@"
END
chmod +x killed
swarm right "$work/killed" ""
check "jobs that are killed: true" ends 0 true
check "they are submitted again" grep -q "died, submitted again: " err
check "both were killed" [ -d once ] && [ -d twice ]
swarm wrong "$PROVISO" ",-DBUG"
check "an error: false" ends 10 "false(unreach-call)"
check "no job is left" [ -z "$(squeue -h)" ]
finish
