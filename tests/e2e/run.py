#!/usr/bin/env python3
"""Runs proviso on programs that say themselves what is to come out.

Programs: tests/e2e/**/*.c, *.cpp and examples/*.c (files named *_part.c are parts of others). Comments:

    // expect: VERDICT          true, false(unreach-call), conditional, ...; "A or B" allows both
    // args: ARGS               options for that run; arguments for clang after --
    // states: N                stored states of that run
    // executions: N            instead, where engine dpor gives the result
    // proviso: SUBSTRING       of one of the run's `Proviso:` lines (repeatable)
    // message: SUBSTRING       of the run's output (repeatable)
    // run: ARGS => VERDICT [states=N | executions=N]      a further run with other options (repeatable)
    // proof: none              engines find none that could be checked
    // proof: unchecked         the solver does not decide the proof of the run with `args:`
    // addresses: TEXT          what is told of errors depends on which objects lie next to each other

Runs of the engines that give proofs (bmc, value, predicate, composite, kinduction) check them (--check-proof); one that
is not confirmed is a failure, unless a `proviso:` comment says so; one that is not given, unless there is a comment
`// proof: none`, or `bmc` leaves something open.

Every run is made twice, with address space randomisation as the system has it, and both outputs
must be the same byte for byte (--once: no second run). With --exec-modes it is made a second time interpreted, and a third
time as machine code from its first transition on, and what is printed and what is written to the JSON file must be the
same all three times but for times and memory; symbolic runs, and those with a limit of time, are made as without. With --thread-modes one run searches breadth first with
one thread, the other with three, and both must come to the same result, with the same error paths
and, where nothing was cut short, the same numbers of states and transitions.

With --atomic LEVEL each run is made once at that level of atomicity. At `instruction` the verdict must
be the expected one; at `statement` `conditional` may stand for `true` or `false`. States, provisos and
messages are not looked at.

With --shortest each run that ends in an error is made by A* and breadth first without reduction, at --atomic
visible and instruction, and the path of A* must have as many transitions. Runs that limits end say nothing.

Prints a line for each failure and `N passed, N failed` at the end.
"""

import argparse
import concurrent.futures
import json
import os
import re
import resource
import shlex
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COMMENT = re.compile(r"^\s*//\s*(expect|args|states|executions|proviso|message|run|addresses|proof):\s*(.*?)\s*$")
RESULT = "Verification result: "
STATUS = {"true": 0, "false": 10, "conditional": 20, "unknown": 20}


class Run:
    """One expectation of one program; `line` is where its number of states is written."""

    def __init__(self, path, args, expect, states, line, is_main):
        self.path, self.args, self.expect, self.states = path, args, expect, states
        self.line, self.is_main = line, is_main
        self.provisos, self.messages = [], []
        self.got_states = None
        self.key = None
        self.layout = self.without_proof = self.unchecked = False

    @property
    def counted(self):
        """What is counted of it."""
        stateless = re.search(r"--engine[ =]dpor\b", self.args)
        return self.key or ("executions" if stateless else "states")

    def name(self):
        return self.path + (" [" + self.args + "]" if self.args else "")


def parse(path):
    """The runs a program asks for; raises ValueError on comments that make no sense."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        lines = f.read().splitlines()
    main, runs, layout, without_proof = Run(path, "", None, None, None, True), [], False, False
    for number, text in enumerate(lines):
        match = COMMENT.match(text)
        if not match:
            continue
        key, value = match.groups()
        if key == "expect":
            main.expect = value
            main.line = number if main.line is None else main.line
        elif key == "args":
            main.args = value
        elif key in ("states", "executions"):
            main.states, main.line, main.key = int(value), number, key
        elif key == "proviso":
            main.provisos.append(value)
        elif key == "message":
            main.messages.append(value)
        elif key == "addresses":
            layout = True
        elif key == "proof":
            without_proof = value == "none"
            main.unchecked = value == "unchecked"
        else:
            run = re.match(r"^(.*?)\s*=>\s*(.*?)(?:\s+(states|executions)=(\d+))?$", value)
            if not run:
                raise ValueError("line %d: no `ARGS => VERDICT`" % (number + 1))
            states = int(run.group(4)) if run.group(4) else None
            runs.append(Run(path, run.group(1), run.group(2), states, number, False))
            runs[-1].key = run.group(3)
    if main.expect is not None:
        runs.insert(0, main)
    for run in runs:
        run.layout, run.without_proof = layout, without_proof
    if not runs:
        raise ValueError("no `// expect:` and no `// run:` line")
    return runs


def is_stateless(run):
    """Does engine dpor give the result? Perhaps as the choice of `auto`, or as a step of a plan."""
    return run.counted == "executions" or re.search(r"--plan[ =].*\bdpor\b", run.args) is not None


SYMBOLIC = ("value", "predicate", "composite", "bmc", "kinduction")


def is_symbolic(run):
    return re.search(r"--engine[ =](%s)\b" % "|".join(SYMBOLIC), run.args) is not None


def has_modes(run):
    """Is it the same interpreted and as machine code? How far a run comes in a time is not the same twice."""
    return "time=" not in run.args and not is_symbolic(run)


def has_threads(path):
    """Else nobody sees how large the steps are."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return re.search(r"pthread_create|thrd_create|#include \"", f.read()) is not None


def names_folder(run):
    """Does clang see names in proviso's temporary folder: of our headers, or of a copy of the source?"""
    with open(os.path.join(ROOT, run.path), encoding="utf-8") as f:
        return (re.search(r"--(ltl|ap|invariant)\b", run.args) is not None
                or re.search(r"#include [<\"](osek|fthread|sysc|systemc)\b", f.read()) is not None)


def gives_proof(run):
    return not run.unchecked and re.search(r"--engine[ =](bmc|value|predicate|composite|kinduction)\b", run.args) is not None


def command(binary, run, json_path, mode):
    words = shlex.split(run.args)
    cut = words.index("--") if "--" in words else len(words)
    more = ["--check-proof"] if gives_proof(run) and "--check-proof" not in words else []
    return [binary, "check", "--json", json_path] + mode + more + words[:cut] + [run.path] + words[cut:]


def answered_by(result):
    """The engine that had the answer, with its encoding: two encodings of one engine take turns, too."""
    return result["tried"][-1]["engine"] if result["tried"] else result["engine"]


def facts(result):
    """What a JSON file says about the program and the search: no options, times and memory."""
    facts_of = {key: result[key] for key in ("engine", "verdict", "result", "exit_status", "reason",
                                             "provisos", "violations", "notes", "proof")}
    if facts_of["engine"] in SYMBOLIC:
        facts_of["engine"] = answered_by(result)
    facts_of["stats"] = {key: value for key, value in result["stats"].items()
                         if key not in ("seconds", "cpu_seconds", "distance_seconds", "peak_memory")
                         and not key.endswith("_bytes")}
    for proviso in facts_of["provisos"]:
        del proviso["times"]  # a transition that is looked up does not come to it again
    return facts_of


def thread_facts(result):
    """What does not depend on how many threads search."""
    facts_of = facts(result)
    facts_of["provisos"] = sorted(p["sentence"] for p in result["provisos"])
    whole = result["verdict"] != "false" and "STATES" not in json.dumps(result["provisos"]).upper()
    facts_of["stats"] = {key: value for key, value in result["stats"].items()
                         if whole and key in ("states", "transitions", "matched", "depth", "threads")}
    return facts_of


def differences(one, other):
    if one["engine"] != other["engine"]:  # several take turns, and each has its own path to an error
        one, other = ({"result": facts_of["result"]} for facts_of in (one, other))
    return [("%s: first %s, second %s" % (key, one[key], other[key]))[:1000]
            for key in one if one[key] != other[key]]


def search_of(result):
    """The options of the search that had the answer: depth first may never come to an error that lies near."""
    last = (result["tried"] or [{"engine": ""}])[-1]["engine"]
    ways = {"breadth first": ["--search", "bfs"], "directed": ["--search", "best"]}
    return ways.get(last.partition(", ")[2], [])


def last_line(output):
    return output[0], output[1].splitlines()[-1:]


def execute(binary, run, timeout, modes):
    """(failures, states): runs once in each mode and compares with what is expected.

    Which engine has an answer first, if several take turns, may depend on how fast machine code is made. So where
    the engine is not named, the modes of execution are compared for the engine that had the answer."""
    outputs, results, states, proof, engine, search, answers = [], [], None, None, None, [], set()
    follows = modes[-1][:1] == ["--native-after"] and "--engine" not in run.args + " ".join(modes[0])
    with tempfile.TemporaryDirectory(prefix="proviso-e2e-") as folder:
        json_path = os.path.join(folder, "result.json")
        for number, mode in enumerate(modes):
            if follows and engine:
                mode = mode + ["--engine", engine] + search
            if engine in SYMBOLIC:
                break
            try:
                # What the tests' clang keeps has the name of that folder as it was: the last run does without.
                env = {**os.environ, "PROVISO_CLANG": ""} if 0 < number == len(modes) - 1 and names_folder(run) else None
                done = subprocess.run(command(binary, run, json_path, mode), cwd=ROOT, env=env,
                                      timeout=timeout,
                                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE, check=False)
            except subprocess.TimeoutExpired:
                return ["no answer in %d s" % timeout], None
            outputs.append((done.returncode, done.stdout, done.stderr))
            try:
                with open(json_path, encoding="utf-8") as f:
                    result = json.load(f)
                results.append(thread_facts(result) if "--threads" in modes[-1] else facts(result))
                answers.add(answered_by(result))
                states, proof = result["stats"][run.counted], result["proof"]["state"]
                if follows and not engine:
                    engine, search = result["engine"], search_of(result)
            except (OSError, ValueError, KeyError, TypeError):
                states = None
    if follows and len(outputs) > 1:
        alike = outputs[1] == outputs[2]
        outputs, results = outputs[:1], results[1:]
    elif len(answers) > 1:  # which engine is the first may depend on the load of the machine
        alike = all(last_line(output) == last_line(outputs[0]) for output in outputs)
    else:
        alike = all(output == outputs[0] for output in outputs)
    failures = judge(run, outputs, states, "--threads" in modes[-1], alike)
    if not failures and gives_proof(run):
        failures = judge_proof(run, outputs, proof)
    for result in results[1:] if modes[0] != modes[-1] else []:
        failures = failures or differences(results[0], result)
    return failures, states


def at_level(binary, run, timeout, level):
    """(failures, None): the verdict at another level of atomicity. Runs that choose a level, or that a
    limit on the search ends, say nothing."""
    words = shlex.split(run.args)
    if "--atomic" in words or any(w.startswith(("states=", "depth=")) for w in words):
        return [], None
    cut = words.index("--") if "--" in words else len(words)
    try:
        done = subprocess.run([binary, "check", "--quiet", "--atomic", level] + words[:cut] + [run.path]
                              + words[cut:], cwd=ROOT, timeout=timeout, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    except subprocess.TimeoutExpired:
        return ["no answer in %d s" % timeout], None
    lines = done.stdout.decode("utf-8", "replace").splitlines()
    got = (lines[-1] if lines else "").replace(RESULT, "", 1)
    wanted = [e.strip() for e in run.expect.split(" or ")]
    if level == "statement" and any(w == "true" or w.startswith("false") for w in wanted):
        wanted.append("conditional")
    failures = ["%s: expected %s, got %s" % (level, " or ".join(wanted), got)]
    return [] if got in wanted else failures, None


def path_length(binary, run, timeout, words):
    """(verdict, transitions of the error path) of a run with these options besides."""
    own = shlex.split(run.args)
    cut = own.index("--") if "--" in own else len(own)
    with tempfile.TemporaryDirectory(prefix="proviso-e2e-") as folder:
        json_path = os.path.join(folder, "result.json")
        subprocess.run([binary, "check", "--json", json_path] + words + own[:cut] + [run.path] + own[cut:], cwd=ROOT,
                       timeout=timeout, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       check=False)
        with open(json_path, encoding="utf-8") as f:
            result = json.load(f)
    return result["result"], len(result["violations"][0]["choices"]) if result["violations"] else None


def shortest(binary, run, timeout):
    """(failures, None): paths by A* against those by breadth first."""
    failures = []
    for level in ("visible", "instruction"):
        options = ["--engine", "explicit", "--atomic", level, "--limit", "states=100000"]
        try:
            wanted = path_length(binary, run, timeout, options + ["--search", "bfs", "--por", "none"])
            got = path_length(binary, run, timeout, options + ["--search", "astar"])
        except (subprocess.TimeoutExpired, OSError, ValueError) as problem:
            return ["%s: %s" % (level, problem)], None
        if wanted[1] is not None and got[1] is not None:
            if got[1] != wanted[1]:
                failures.append("%s: A* takes %d transitions, breadth first %d" % (level, got[1], wanted[1]))
        elif "true" in (wanted[0], got[0]):
            failures.append("%s: A*: %s, breadth first: %s" % (level, got[0], wanted[0]))
    return failures, None


def judge(run, outputs, states, result_only, alike):
    status, stdout, stderr = outputs[0]
    text = stdout.decode("utf-8", "replace")
    lines = text.splitlines()
    last = lines[-1] if lines else ""
    if not last.startswith(RESULT):
        tail = stderr.decode("utf-8", "replace").strip().splitlines()
        return ["no result line, exit status %d: %s" % (status, tail[0] if tail else last)]
    failures = []
    got = last[len(RESULT):]
    if got not in [e.strip() for e in run.expect.split(" or ")]:
        why = [line for line in lines if line.startswith("Proviso:")][:1]
        failures.append("expected %s, got %s%s" % (run.expect, got, "; " + why[0] if why else ""))
    elif status != STATUS[got.split("(")[0]]:
        failures.append("exit status %d for %s" % (status, got))
    if failures or result_only:
        return failures
    for wanted in run.provisos:
        if not any(wanted in line for line in lines if line.startswith("Proviso:")):
            failures.append("no proviso with `%s`" % wanted)
    for wanted in run.messages:
        if wanted not in text:
            failures.append("no message with `%s`" % wanted)
    if states is None:
        failures.append("the JSON file lacks stats.states")
    elif run.states is not None and states != run.states:
        failures.append("expected %d %s, got %d" % (run.states, run.counted, states))
    if not alike:
        failures.append("two runs print different things")
    return failures


def judge_proof(run, outputs, proof):
    verdict = outputs[0][1].decode("utf-8", "replace").splitlines()[-1][len(RESULT):]
    if proof == "none" and verdict == "conditional" and re.search(r"--engine[ =]bmc\b", run.args):
        return []
    if verdict in ("true", "conditional") and proof != "checked":
        if not (proof == "unconfirmed" and any("not confirmed" in wanted for wanted in run.provisos)):
            if not (proof == "none" and run.without_proof):
                return ["the proof was not confirmed: %s" % proof]
    return []


def update(runs):
    """Writes the numbers of states found into the programs; from the last line up, so that a line
    put in moves none still to be written."""
    by_path = {}
    for run in runs:
        if run.got_states is not None:
            by_path.setdefault(run.path, []).append(run)
    for path, of_file in by_path.items():
        full = os.path.join(ROOT, path)
        with open(full, encoding="utf-8") as f:
            lines = f.read().split("\n")
        for run in sorted(of_file, key=lambda r: -r.line):
            if not run.is_main:
                bare = re.sub(r"\s+(states|executions)=\d+$", "", lines[run.line].rstrip())
                lines[run.line] = "%s %s=%d" % (bare, run.counted, run.got_states)
            elif run.states is not None:
                lines[run.line] = re.sub(r"(states|executions):.*",
                                         "%s: %d" % (run.counted, run.got_states), lines[run.line])
            else:
                prefix = lines[run.line].split("expect:")[0]
                lines.insert(run.line + 1, "%s%s: %d" % (prefix, run.counted, run.got_states))
        with open(full, "w", encoding="utf-8") as f:
            f.write("\n".join(lines))


def programs(filters, every, first):
    """The programs to run: all; or, of those whose path contains none of `filters`, every Nth (0: none)."""
    found = []
    for top in ("tests/e2e", "examples"):
        for folder, _, names in os.walk(os.path.join(ROOT, top)):
            if top == "examples" and folder != os.path.join(ROOT, top):
                continue  # what examples need to be run natively
            found += [os.path.relpath(os.path.join(folder, n), ROOT) for n in names
                      if n.endswith((".c", ".cpp")) and not n.endswith("_part.c")]
    named = [p for p in found if filters and any(f in p for f in filters)]
    others = sorted(set(found) - set(named))
    return sorted(named + (others[first % every::every] if every else []))


def main():
    parser = argparse.ArgumentParser(description="Runs the end-to-end tests.")
    parser.add_argument("--binary", default=os.path.join(ROOT, "build", "proviso"))
    parser.add_argument("--filter", action="append", help="only programs whose path contains this")
    parser.add_argument("--update", action="store_true", help="write the states lines anew")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--once", action="store_true", help="do not look whether two runs print the same")
    parser.add_argument("--exec-modes", action="store_true",
                        help="compare interpreted runs with machine code")
    parser.add_argument("--engine", help="for runs that name none (what `auto` does may depend on how long it takes)")
    parser.add_argument("--thread-modes", action="store_true",
                        help="compare searches with one thread and with three")
    parser.add_argument("--atomic", choices=["instruction", "statement"],
                        help="compare the verdict at this level of atomicity")
    parser.add_argument("--shortest", action="store_true", help="compare error paths of A* and breadth first")
    parser.add_argument("--timeout", type=int, default=120, help="seconds a single run may take")
    parser.add_argument("--every", type=int, metavar="N",
                        help="every Nth of the programs that no --filter names, too (no --filter: of all)")
    parser.add_argument("--first", type=int, default=0, metavar="K", help="of these, from the Kth on")
    parser.add_argument("--shard", default="0/1", metavar="K/N",
                        help="of these, the Kth of N parts, which several calls may run at the same time")
    parser.add_argument("--compare-every", type=int, default=1, metavar="N",
                        help="compare several runs for every Nth program only (from the Kth on); one run of each other")
    parser.add_argument("--slowest", type=int, default=0, metavar="N",
                        help="one run after another; name the N that took the most CPU seconds")
    parser.add_argument("--verbose", action="store_true", help="name what passes, too")
    options = parser.parse_args()
    binary = os.path.abspath(options.binary)
    if not os.access(binary, os.X_OK):
        print("run.py: cannot execute %s" % binary, file=sys.stderr)
        return 2
    runs, passed, failed = [], 0, 0
    every = 0 if options.filter and options.every is None else options.every or 1
    compared = set()
    shard, shards = (int(word) for word in options.shard.split("/"))
    for number, path in enumerate(programs(options.filter, every, options.first)):
        if number % shards != shard:
            continue
        if (number - options.first) % options.compare_every == 0:
            compared.add(path)
        try:
            runs += parse(path)
        except ValueError as problem:
            print("FAIL %s: %s" % (path, problem))
            failed += 1
    if options.update:
        for run in runs:
            run.states_wanted, run.states = run.states, None
    if options.atomic:
        runs = [run for run in runs
                if has_modes(run) and not is_stateless(run) and has_threads(run.path)]
    # Steps of a plan name engines themselves, and searches with several threads neither give nor take what is open. Those for
    # temporal properties have one thread.
    own_ways = ("--store", "--search", "--threads", "--por", "--limit", "--minimise", "--symmetry", "--plan", "--ltl")
    if options.thread_modes:
        runs = [run for run in runs
                if not run.layout and not is_stateless(run) and not any(way in run.args for way in own_ways)]
    if options.shortest:
        ways = own_ways + ("--engine", "--atomic", "--keep-going", "--heuristic", "--dpor", "--preemptions", "--unwind")
        runs = [run for run in runs if run.expect.startswith("false") and not any(way in run.args for way in ways)]
    modes = [[]] if options.once else [[], []]
    exec_modes = [[], ["--exec", "interpret"], ["--native-after", "0"]]
    if options.thread_modes:
        modes = [["--por", "persistent", "--search", "bfs"], ["--por", "persistent", "--threads", "3"]]

    def modes_of(run):
        of_run = exec_modes if options.exec_modes and has_modes(run) else modes
        of_run = of_run if run.path in compared else of_run[:1]
        named = not options.engine or "--engine" in run.args
        return of_run if named else [mode + ["--engine", options.engine] for mode in of_run]

    costs = []

    def perform(run):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        result = (at_level(binary, run, options.timeout, options.atomic) if options.atomic
                  else shortest(binary, run, options.timeout) if options.shortest
                  else execute(binary, run, options.timeout, modes_of(run)))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        costs.append((after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, run.name()))
        return result

    with concurrent.futures.ThreadPoolExecutor(max_workers=1 if options.slowest else options.jobs) as pool:
        results = pool.map(perform, runs)
        for run, (failures, states) in zip(runs, results):
            for failure in failures:
                print("FAIL %s: %s" % (run.name(), failure), flush=True)
            if not failures and options.verbose:
                print("ok   %s: %s, %s states" % (run.name(), run.expect, states), flush=True)
            failed, passed = failed + bool(failures), passed + (not failures)
            run.got_states = None if failures else states
    for seconds, name in sorted(costs, reverse=True)[:options.slowest]:
        print("%7.2f CPU s %s" % (seconds, name))
    if options.slowest:
        print("%7.2f CPU s all of them" % sum(seconds for seconds, _ in costs))
    if options.update:
        for run in runs:
            run.states = run.states_wanted
        update(runs)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
