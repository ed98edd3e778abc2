#!/usr/bin/env python3
"""Verifies random programs, changes a number, a variable or a statement in them, and verifies them again under the condition of the
first time.

usage: fuzz/regression.py [--from SEED] [--count N] [--binary FILE] [--jobs N]

The verdict under the condition must not contradict the one without. Closes with `N passed, N failed`.
"""
import argparse, concurrent.futures, os, random, re, sys, tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import conditions, symbolic

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def change_number(text, lot):
    places = [m for m in re.finditer(r"(?<![\w.])\d+(?![\w.\]])", text) if "include" not in text[text.rfind("\n", 0, m.start()) + 1:m.start()]]
    if not places:
        return None
    m = lot.choice(places)
    return text[:m.start()] + str(int(m.group()) + lot.choice((1, 2, -1 if int(m.group()) else 3))) + text[m.end():]


def change_variable(text, lot):
    """Another short name at one place. Programs that do not compile any more are left out."""
    places = list(re.finditer(r"(?<![\w.])[a-z]\w?(?!\w|\s*\()", text))
    if not places:
        return None
    m, other = lot.choice(places), lot.choice(places)
    return text[:m.start()] + other.group() + text[m.end():]


def change_statement(text, lot):
    """Drops a statement, says it twice, or moves it."""
    lines = text.split("\n")
    places = [i for i, line in enumerate(lines) if re.match(r"\s+[^#{}]*;\s*$", line)]
    if not places:
        return None
    i, k = lot.choice(places), lot.choice(places)
    line = lines[i]
    if lot.random() < 0.7:
        del lines[i]
        k -= k > i
    if lot.random() < 0.5:
        lines.insert(k, line)
    return "\n".join(lines)


def changed(text, lot):
    return lot.choice([change_number, change_variable, change_statement])(text, lot)


def one(job):
    seed, binary = job
    lot = random.Random(seed)
    engine = ["--engine", lot.choice(["value", "composite", "predicate", "explicit"])]
    properties = ["--property", lot.choice(["unreach-call", "no-overflow"]), "--limit", "time=10s"]
    text = symbolic.generate(seed)
    other = changed(text, lot)
    with tempfile.TemporaryDirectory() as folder:
        first, second, condition = (os.path.join(folder, n) for n in ("first.c", "second.c", "condition"))
        for path, program in ((first, text), (second, other or text)):
            with open(path, "w", encoding="utf-8") as f:
                f.write(program)
        try:
            before = conditions.check(binary, first, properties + engine + ["--proviso", condition], folder)
            if before["verdict"] == "false":
                return seed, None, False
            under = conditions.check(binary, second, properties + engine + ["--given", condition], folder)
            fresh = conditions.check(binary, second, properties + ["--engine", "explicit"], folder)
        except RuntimeError as error:
            return seed, None if "does not compile" in str(error) else str(error), False
    verdicts = (under["verdict"], fresh["verdict"])
    wrong = verdicts in (("true", "false"), ("false", "true"))
    return seed, wrong and f"{engine[1]} {properties[1]}: before {before['verdict']}, under the condition {verdicts[0]}, fresh {verdicts[1]}", under["verdict"] == "true"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--from", dest="first", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--binary", default=os.path.join(ROOT, "build/proviso"))
    parser.add_argument("--jobs", type=int, default=2)
    o = parser.parse_args()
    passed = failed = proven = 0
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        for seed, wrong, is_true in pool.map(one, [(seed, o.binary) for seed in range(o.first, o.first + o.count)]):
            passed, failed, proven = passed + (not wrong), failed + bool(wrong), proven + is_true
            if wrong:
                print(f"seed {seed}: {wrong}", flush=True)
    print(f"{proven} programs were proven under a condition")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
