#!/usr/bin/env python3
"""Runs random programs under settings that must agree and reports every difference.

usage: fuzz/differential.py [--errors] [--symmetry] [--stateless] [--cancel] [--from SEED] [--count N] [--binary build/proviso] [--jobs N]

Each program is checked for one set of properties, which the seed chooses. Every setting must give the verdict of
the first one (no reduction, depth first), stores that may lose states up to their proviso; where nothing is found,
the settings of one family must also have stored the same number of states. Under --atomic statement fewer schedules
are explored: an error found must be found by the first setting, too, and `true` must be `true` there; `conditional`
says nothing.

With --errors every setting runs with --keep-going and must report the same errors, each by property, place and
message, and their paths must be as long breadth first with and without sleep sets, and nowhere shorter; minimised, they
must be alike in switches and transitions, and nowhere less. A differing program is shrunk by removing lines while the difference stays, and written to
--keep FOLDER. With --symmetry the programs have threads that run the same function, and `--symmetry threads` must give
the verdict of a run without, and store no more states where nothing else reduces; with --errors, too, both must find
the same errors but for the numbers of threads. With --stateless engine dpor runs with each of its settings: it may
leave open what the first setting decides, but not say otherwise, nor `true` where that says `conditional`, nor find an
error whose path it cannot replay. With --cancel, alone or besides, the programs cancel threads. Closes with `N passed, N failed`.
"""
import argparse, concurrent.futures, json, os, re, subprocess, sys, tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import generate

# family of equal state counts (None: only the verdict), options; the first is what all are compared with
SETTINGS = [
    ("all", ["--por", "none"]),
    ("all", ["--por", "none", "--search", "bfs"]),
    ("all", ["--por", "none", "--native-after", "0"]),
    ("all", ["--por", "sleep"]),
    ("all", ["--por", "sleep", "--search", "bfs"]),
    ("persistent", ["--por", "persistent"]),
    ("persistent", ["--por", "persistent", "--search", "bfs"]),
    ("persistent", ["--por", "persistent", "--native-after", "0"]),
    ("all", ["--por", "none", "--threads", "2"]),
    ("persistent", ["--threads", "2"]),
    ("persistent", ["--threads", "3", "--exec", "interpret"]),
    ("all", ["--por", "none", "--store", "compact64"]),
    ("all", ["--por", "none", "--store", "bitstate"]),
    ("persistent", ["--por", "persistent", "--store", "compact64", "--native-after", "0"]),
    ("persistent", ["--por", "persistent", "--store", "compact128"]),
    ("persistent", ["--store", "bitstate"]),
    (None, ["--por", "both"]),
    (None, ["--por", "both", "--search", "bfs"]),
    ("instruction", ["--por", "none", "--atomic", "instruction"]),
    ("instruction", ["--por", "sleep", "--atomic", "instruction", "--search", "bfs"]),
    (None, ["--por", "both", "--atomic", "instruction"]),
    ("statement", ["--por", "none", "--atomic", "statement"]),
    (None, ["--por", "both", "--atomic", "statement"]),
]
# with --errors: is the path of every error a shortest one? options; the first is what all are compared with
ERROR_SETTINGS = [
    (True, ["--por", "none", "--search", "bfs"]),
    (True, ["--por", "sleep", "--search", "bfs"]),
    (False, ["--por", "persistent", "--search", "bfs"]),
    (False, ["--por", "both", "--search", "bfs"]),
    (False, ["--por", "none"]),
    (False, ["--por", "sleep"]),
    (False, ["--por", "persistent"]),
    (False, ["--por", "both"]),
    (False, ["--por", "both", "--native-after", "0"]),
    (None, ["--por", "both", "--atomic", "instruction"]),  # its steps are others
]
PROPERTIES = ["unreach-call", "no-deadlock", "no-data-race", "valid-deref", "valid-free", "valid-memtrack",
              "unreach-call,no-deadlock", "def-behavior"]


# with --errors: settings whose paths are minimised
MINIMISED = [["--por", "none", "--search", "bfs"], ["--por", "both"]]
# with --errors: several at once, where one error could hide another
TOGETHER = [["--property", "unreach-call,no-deadlock,no-data-race,valid-deref,valid-free,def-behavior"],
            ["--property", "unreach-call,no-deadlock", "--invariant", "x != 2", "--invariant", "x < 3"],
            ["--property", "valid-memtrack,valid-memcleanup,no-data-race"],
            ["--property", "no-data-race"], ["--property", "no-deadlock"]]


# with --symmetry: each is run without and with it; is only symmetry between the two numbers of states?
SYMMETRY_SETTINGS = [
    (True, ["--por", "none"]),
    (False, ["--por", "sleep"]),
    (False, ["--por", "persistent"]),
    (False, ["--por", "both"]),
    (False, ["--por", "both", "--native-after", "0"]),
    (False, ["--por", "both", "--exec", "interpret"]),
    (False, ["--por", "both", "--atomic", "instruction"]),
    (True, ["--por", "none", "--no-spurious"]),
]


# with --stateless
STATELESS = [["--dpor", kind] + options for kind in ("optimal", "source", "classic") for options in (
    ["--dependence", "conflict", "--peek", "0", "--prune", "0"],
    ["--dependence", "conflict"],
    ["--peek", "0", "--prune", "0"],
    [],
    ["--dependence", "predicate"])]


class TooLarge(Exception):
    """A run that did not end in time: nothing can be compared."""


class Failed(Exception):
    """A run that ended neither with a verdict nor in order."""


def prepared(text, properties, folder):
    """The program as bitcode, so that the compiler runs once, not for each setting; invariants need the source."""
    source, bitcode = os.path.join(folder, "program.c"), os.path.join(folder, "program.bc")
    with open(source, "w", encoding="utf-8") as f:
        f.write(text)
    if "--invariant" in properties:
        return source
    done = subprocess.run(["clang-19", "-g", "-O0", "-Xclang", "-disable-O0-optnone", "-fno-discard-value-names",
                           "-Xclang", "-fsanitize-address-use-after-scope", "-w", "-emit-llvm", "-c", source, "-o", bitcode],
                          capture_output=True, text=True)
    if done.returncode:
        raise Failed(f"clang: {done.stderr.strip()[:200]}")
    return bitcode


def check(binary, path, options, report, limit="20s"):
    """The result of a run, as its JSON file has it."""
    done = subprocess.run([binary, "check", "--quiet", "--limit", f"time={limit}", "--json", report] + options + [path],
                          capture_output=True, text=True)
    if done.returncode not in (0, 10, 20):
        raise Failed(f"exit {done.returncode}: {done.stderr.strip()[:200]}")
    with open(report, encoding="utf-8") as f:
        result = json.load(f)
    if any(p["kind"] == "TIME" for p in result["provisos"]):
        raise TooLarge()
    if all(p["kind"] == "LOSSY" for p in result["provisos"]) and result["verdict"] == "conditional":
        result["verdict"] = result["result"] = "true"
    return result


def run(binary, path, options, report):
    """Verdict and number of states; of several properties only whether there is an error."""
    result = check(binary, path, options, report)
    several = "," in options[-1]
    return result["verdict"] if several else result["result"], result["stats"]["states"]


def agrees(verdict, base, options):
    return verdict == base or ("statement" in options and verdict == "conditional" and base != "unknown")


def difference(binary, text, properties, folder):
    """None, or (settings, what was seen, what the others saw)."""
    path, report = prepared(text, properties, folder), os.path.join(folder, "report.json")
    base, counts = None, {}
    for family, options in SETTINGS:
        verdict, states = run(binary, path, options + properties, report)
        if base is None:
            base = verdict
        if not agrees(verdict, base, options):
            return options, verdict, base
        if "sleep" in options and ("seen" in text or ("instruction" in options and "free(" in text)):
            family = None  # an object's address depends on who still points to the last one's (explore/search.h)
        if family and verdict == "true":
            if counts.setdefault(family, states) != states:
                return options, f"{states} states", f"{counts[family]} states"
    return None


def symmetry_difference(binary, text, properties, folder):
    """The same for each setting without and with symmetry."""
    path, report = prepared(text, properties, folder), os.path.join(folder, "report.json")
    for alone, options in SYMMETRY_SETTINGS:
        verdict, states = run(binary, path, options + properties, report)
        got, fewer = run(binary, path, options + ["--symmetry", "threads"] + properties, report)
        if got != verdict:
            return options, got, verdict
        if alone and verdict in ("true", "conditional") and fewer > states:
            return options, f"{fewer} states", f"{states} states"
    return None


def stateless_difference(binary, text, properties, folder):
    path, report = prepared(text, properties, folder), os.path.join(folder, "report.json")
    base = check(binary, path, ["--por", "both", "--no-spurious"] + properties, report)
    for options in STATELESS:
        try:
            result = check(binary, path, ["--engine", "dpor", "--no-spurious"] + options + properties, report, "5s")
        except TooLarge:
            continue
        got, wanted = result["verdict"], base["verdict"]
        lost = [p["sentence"] for p in result["provisos"] if "could not be replayed" in p["sentence"]]
        if lost:
            return options, lost[0], "a path"
        if got in ("true", "false") and wanted != got and (wanted != "unknown" or got == "true"):
            return options, got, wanted
    return None


def without_threads(v):
    """A violation as it is when nobody knows threads' numbers: which of two comes first is one, too."""
    message = re.sub(r"thread \d+", "thread", v["message"])
    race = re.match(r"data race on (.*): (\w+) by thread and (\w+) by thread at .*:(\d+)$", message)
    if race:
        return race.group(1), tuple(sorted([(race.group(2), str(v["line"])), (race.group(3), race.group(4))]))
    if message.startswith("deadlock: "):
        return tuple(sorted(message[len("deadlock: "):].split("; ")))
    return message, v["line"]


def symmetry_error_difference(binary, text, properties, folder):
    """The same for the sets of errors."""
    path, report = prepared(text, properties, folder), os.path.join(folder, "report.json")
    for _, options in SYMMETRY_SETTINGS:
        found = []
        for symmetry in [], ["--symmetry", "threads"]:
            result = check(binary, path, options + ["--keep-going"] + symmetry + properties, report)
            found.append({(v["property"], without_threads(v)) for v in result["violations"]})
        if found[0] != found[1]:
            return options, f"only with {sorted(map(str, found[1] - found[0]))}", f"only without {sorted(map(str, found[0] - found[1]))}"
    return None


def costs(result):
    """By error: context switches and transitions of its path."""
    found = {}
    for v in result["violations"]:
        place = () if v["property"] == "invariant" else (v["line"], v["column"])  # anywhere it may fail
        found[(v["property"],) + place + (v["message"],)] = v["context_switches"], v["transitions"]
    return found


def error_difference(binary, text, properties, folder):
    """The same for the sets of errors and the lengths of their paths."""
    path, report = prepared(text, properties, folder), os.path.join(folder, "report.json")
    base, least = None, None
    for options in MINIMISED:
        result = check(binary, path, options + ["--keep-going", "--minimise"] + properties, report)
        if least is not None and costs(result) != least:
            return options, f"minimised {costs(result)}", f"{least}"
        least = costs(result)
    for shortest, options in ERROR_SETTINGS:
        result = check(binary, path, options + ["--keep-going"] + properties, report)
        cost = costs(result)
        lengths = {error: transitions for error, (_, transitions) in cost.items()}
        if base is None:
            base = lengths
        if set(lengths) != set(base):
            return options, f"only here {sorted(set(lengths) - set(base))}", f"only there {sorted(set(base) - set(lengths))}"
        for error, length in lengths.items():
            if shortest is not None and (length != base[error] if shortest else length < base[error]):
                return options, f"{error} in {length} steps", f"{base[error]}"
            if shortest is not None and cost[error] < least.get(error, (0, 0)):
                return options, f"{error} at {cost[error]}", f"minimised {least[error]}"
    return None


def still_differs(compare, binary, text, properties, folder):
    try:
        return compare(binary, text, properties, folder) is not None
    except (Failed, TooLarge):
        return False


def shrink(compare, binary, text, properties, folder):
    lines, size = text.splitlines(), 8
    while size:
        at = 0
        while at < len(lines):
            attempt = lines[:at] + lines[at + size:]
            if still_differs(compare, binary, "\n".join(attempt) + "\n", properties, folder):
                lines = attempt
            else:
                at += size
        size //= 2
    return "\n".join(lines) + "\n"


TOO_LARGE = "too large"


def one(compare, binary, seed, keep, cancel):
    together = compare in (error_difference, symmetry_error_difference)
    alike = compare in (symmetry_difference, symmetry_error_difference)
    properties = TOGETHER[seed % len(TOGETHER)] if together else ["--property", PROPERTIES[seed % len(PROPERTIES)]]
    with tempfile.TemporaryDirectory() as folder:
        text = generate.generate(seed, alike=alike, cancel=cancel)
        try:
            found = compare(binary, text, properties, folder)
        except Failed as e:
            return f"seed {seed}: {' '.join(properties)}: {e}"
        except TooLarge:
            return TOO_LARGE
        if not found:
            return None
        options, got, others = found
        message = f"{' '.join(properties)}: {' '.join(options)}: {got}, others: {others}"
        if keep:
            os.makedirs(keep, exist_ok=True)
            with open(os.path.join(keep, f"seed{seed}.c"), "w") as f:
                f.write(f"// {message}\n{shrink(compare, binary, text, properties, folder)}")
        return f"seed {seed}: {message}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--errors", action="store_true")
    parser.add_argument("--symmetry", action="store_true")
    parser.add_argument("--stateless", action="store_true")
    parser.add_argument("--cancel", action="store_true")
    parser.add_argument("--from", dest="first", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--binary", default="build/proviso")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", default="")
    a = parser.parse_args()
    compare = {(False, False): difference, (True, False): error_difference,
               (False, True): symmetry_difference, (True, True): symmetry_error_difference}[a.errors, a.symmetry]
    if a.stateless:
        compare = stateless_difference
    failed = large = 0
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        for message in pool.map(lambda s: one(compare, a.binary, s, a.keep, a.cancel), range(a.first, a.first + a.count)):
            if message == TOO_LARGE:
                large += 1
            elif message:
                failed += 1
                print(message, flush=True)
    if large:
        print(f"{large} too large to be compared in 20 s a run")
    print(f"{a.count - failed - large} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
