#!/usr/bin/env python3
"""Injects faults into runs of proviso: memory that runs out at the n-th call, full disks, folders that vanish, closed
streams, signals at random moments, children (clang, solvers in processes of their own) that hang or die.

usage: fuzz/faults/run.py [--binary FILE] [--count N] [--seed N] [--kind KIND...]

A run ends in order if it ends in time by itself (not by a signal, unless it was sent one that nothing can catch), with one
of its exit statuses; if a verdict without a fault's word is printed (true, false), it is the right one; if the status says
that the input is wrong or that there is an internal error, standard error says why, if it is open; and no process is left.
Prints a table (kind, runs, verdicts, other ends, failures) for docs/reliability.md; the last line is "N passed, M failed".
"""
import argparse, os, random, resource, shutil, signal, subprocess, sys, tempfile, threading, time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RESULT = "Verification result: "
TIME = 60
# program, options, verdict without faults
RUNS = [
    ("examples/bank_account.c", ["--engine", "explicit"], "false(unreach-call)"),
    ("examples/bank_account_fixed.c", ["--engine", "explicit"], "true"),
    ("examples/lock_order.c", ["--engine", "dpor"], "false(no-deadlock)"),
    ("sum.c", ["--engine", "kinduction", "--property", "unreach-call"], "true"),
    ("sum.c", ["--engine", "predicate", "--property", "unreach-call"], "true"),
    ("input.c", ["--engine", "bmc", "--property", "unreach-call"], "false(unreach-call)"),
    ("input.c", ["--property", "unreach-call"], "false(unreach-call)"),
]
PROGRAMS = {
    "sum.c": """extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), low = 0, high = n;
  while (low < high) {
    low++;
    high--;
  }
  if (low + high != n) reach_error();
  return 0;
}
""",
    "input.c": """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0;
  while (i < 7) i++;
  if (n == 123457 && i == 7) reach_error();
  return 0;
}
""",
}
OUTPUTS = ["json", "sarif", "junit", "report", "proviso", "witness", "coverage", "harness"]


def children(pid):
    """All descendants."""
    found, rest = [], [pid]
    while rest:
        try:
            with open("/proc/%d/task/%d/children" % (rest[0], rest[0])) as f:
                mine = [int(x) for x in f.read().split()]
        except OSError:
            mine = []
        rest = rest[1:] + mine
        found += mine
    return found


def catches(pid):
    """Has it installed its handler of SIGTERM?"""
    try:
        with open("/proc/%d/status" % pid) as f:
            mask = next(int(line.split()[1], 16) for line in f if line.startswith("SigCgt"))
    except (OSError, StopIteration):
        return True
    return mask >> (signal.SIGTERM - 1) & 1


def in_vfork(pid):
    """Does it wait until its new child executes another program? Nobody could do anything while that child is stopped."""
    try:
        with open("/proc/%d/stat" % pid) as f:
            return f.read().rsplit(")", 1)[1].split()[0] == "D"
    except OSError:
        return False


class Fault:
    def __init__(self, rng, work, shim):
        self.space = float("inf")  # bytes of address space
        self.rng, self.work, self.shim = rng, work, shim
        self.env, self.extra, self.streams, self.before, self.during = dict(os.environ), [], {}, None, None
        self.killed = False

    # each method sets one fault up
    def allocation(self):
        self.env.update(LD_PRELOAD=self.shim, PROVISO_FAIL_AT=str(int(10 ** self.rng.uniform(0, 5.3))),
                        PROVISO_FAIL_ON=str(self.rng.randrange(2)))

    def address_space(self):
        limit = int(10 ** self.rng.uniform(7.3, 9.3))
        self.space = limit
        self.before = lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

    def file_size(self):
        limit = self.rng.choice([0, 100, 1000, 5000, 20000])
        self.before = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        self.with_outputs()

    def full_disk(self):
        self.streams["stdout"] = open("/dev/full", "w")
        if self.rng.randrange(2):
            self.extra += ["--" + self.rng.choice(OUTPUTS), "-"]

    def descriptors(self):
        limit = self.rng.randrange(3, 16)
        self.before = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
        self.with_outputs()

    def with_outputs(self, folder=None):
        folder = folder or tempfile.mkdtemp(dir=self.work)
        for name in self.rng.sample(OUTPUTS, self.rng.randrange(1, 4)):
            self.extra += ["--" + name, os.path.join(folder, name)]
        return folder

    def missing_folder(self):
        self.with_outputs(os.path.join(self.work, "nowhere"))

    def folder_is_a_file(self):
        path = os.path.join(self.work, "a-file")
        open(path, "w").close()
        self.with_outputs(path)

    def vanishing_folder(self):
        folder = self.with_outputs()
        self.env["TMPDIR"] = folder if self.rng.randrange(2) else self.env.get("TMPDIR", "/tmp")
        delay = self.rng.uniform(0, 0.8)

        def remove(process):
            time.sleep(delay)
            shutil.rmtree(folder, ignore_errors=True)
        self.during = remove

    def no_temporary_folder(self):
        self.env["TMPDIR"] = os.path.join(self.work, "nowhere")

    def closed_streams(self):
        which = self.rng.sample([0, 1, 2], self.rng.randrange(1, 4))
        self.before = lambda: [os.close(i) for i in which]
        self.streams["closed"] = which

    def broken_pipe(self):
        reading, writing = os.pipe()
        os.close(reading)
        self.streams["stdout"] = os.fdopen(writing, "w")

    def signal(self):
        number = self.rng.choice([signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE, signal.SIGUSR1, signal.SIGQUIT])
        times, delay = self.rng.randrange(1, 4), self.rng.uniform(0, 0.7)
        self.killed = number in (signal.SIGUSR1, signal.SIGQUIT)  # nobody catches these

        def send(process):
            while process.poll() is None and not catches(process.pid):  # it has not begun
                time.sleep(0.001)
            for _ in range(times):
                time.sleep(delay)
                if process.poll() is None:
                    process.send_signal(number)
        self.during = send

    def child(self):
        number, delay = self.rng.choice([signal.SIGKILL, signal.SIGSEGV, signal.SIGSTOP]), self.rng.uniform(0, 0.6)
        self.extra += ["--limit", "time=5s"]

        def hurt(process):
            end = time.time() + 4
            while time.time() < end and process.poll() is None:
                time.sleep(delay / 10 + 0.001)
                for pid in children(process.pid):
                    if in_vfork(process.pid):
                        continue
                    try:
                        os.kill(pid, number)
                        return
                    except OSError:
                        pass
        self.during = hurt


KINDS = ["allocation", "address_space", "file_size", "full_disk", "descriptors", "missing_folder", "folder_is_a_file",
         "vanishing_folder", "no_temporary_folder", "closed_streams", "broken_pipe", "signal", "child"]


def judge(fault, status, out, err, wanted):
    """(what it ended as, why that is wrong or None)"""
    if status is None:
        return "time", "it does not end"
    if status == -signal.SIGSEGV and fault.space < fault.size:
        return "not begun", None  # the system cannot map the program, and ends it
    if status < 0:
        word = "signal %d" % -status
        return word, None if fault.killed else "it is ended by " + word
    verdict = [line[len(RESULT):] for line in out.splitlines() if line.startswith(RESULT)]
    said = verdict[-1] if verdict else None
    if said and said not in (wanted, "unknown", "conditional"):
        return said, "wrong verdict"
    if status in (0, 10) and said is None and "stdout" not in fault.streams and "closed" not in fault.streams and "-" not in fault.extra:
        return "status %d" % status, "no verdict is printed"
    if status in (0, 10) and (wanted == "true") != (status == 0):
        return "status %d" % status, "the status says another verdict"
    if status == 127 and "error while loading shared libraries" in err:
        return "not begun", None  # the loader has no memory
    if status not in (0, 2, 10, 20, 70, 129, 130, 143):  # the last three: a second signal
        return "status %d" % status, "this is no exit status of ours"
    if status in (2, 70) and not err.strip() and 2 not in fault.streams.get("closed", []):
        return "status %d" % status, "nothing says why"
    return said if said else "status %d" % status, None


def one(binary, rng, kind, work, shim):
    program, options, wanted = rng.choice(RUNS)
    fault = Fault(rng, work, shim)
    fault.env["PROVISO_FAIL_IN"] = os.path.basename(binary)
    fault.size = os.path.getsize(binary)
    getattr(fault, kind)()
    path = program if program in PROGRAMS else os.path.join(ROOT, program)
    command = [binary, "check", path] + options + fault.extra
    process = subprocess.Popen(command, cwd=work, env=fault.env, stdin=subprocess.DEVNULL, text=True, errors="replace",
                               stdout=fault.streams.get("stdout", subprocess.PIPE), stderr=subprocess.PIPE,
                               preexec_fn=fault.before)
    helper = threading.Thread(target=fault.during, args=(process,)) if fault.during else None
    if helper:
        helper.start()
    try:
        out, err = process.communicate(timeout=TIME)  # also waits for children that hold the pipes
        status = process.returncode
    except subprocess.TimeoutExpired:
        for pid in children(process.pid):
            os.kill(pid, signal.SIGKILL)
        process.kill()
        out, err = process.communicate()
        status = None
    if helper:
        helper.join()
    ended, why = judge(fault, status, out or "", err or "", wanted)
    if "stdout" in fault.streams:
        try:
            fault.streams["stdout"].close()
        except OSError:
            pass
    if why:
        words = {k: v for k, v in fault.env.items() if k.startswith("PROVISO_FAIL")}
        print("FAIL %s: %s (%s): %s %s %s: %s" % (kind, why, ended, " ".join(command), words, fault.streams, err.strip()[-300:]))
        sys.stdout.flush()
    return ended, why


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", default=os.path.join(ROOT, "build", "proviso"))
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", nargs="*", default=KINDS)
    arguments = parser.parse_args()
    table, failed = {k: {} for k in arguments.kind}, {k: 0 for k in arguments.kind}
    with tempfile.TemporaryDirectory() as work:
        for name, text in PROGRAMS.items():
            with open(os.path.join(work, name), "w") as f:
                f.write(text)
        shim = os.path.join(work, "alloc.so")
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", shim, os.path.join(ROOT, "fuzz", "faults", "alloc.c")], check=True)
        for i in range(arguments.count):
            kind = arguments.kind[i % len(arguments.kind)]
            rng = random.Random("%d %d" % (arguments.seed, i))
            ended, why = one(os.path.abspath(arguments.binary), rng, kind, work, shim)
            table[kind][ended] = table[kind].get(ended, 0) + 1
            failed[kind] += why is not None
    print("| fault | runs | how they ended | not in order |\n| --- | --- | --- | --- |")
    for kind in arguments.kind:
        ends = ", ".join("%s %d" % x for x in sorted(table[kind].items(), key=lambda x: -x[1]))
        print("| %s | %d | %s | %d |" % (kind.replace("_", " "), sum(table[kind].values()), ends, failed[kind]))
    bad = sum(failed.values())
    print("%d passed, %d failed" % (arguments.count - bad, bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
