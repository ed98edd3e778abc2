#!/usr/bin/env python3
"""Abstract programs simulate their originals: random programs and predicates against exhaustive search.

usage: fuzz/abstract.py [--binary FILE] [--seed N] [--count N] [--locals]

Each program has a few small global variables, which threads set, add to and branch on, in atomic sections or not, and an
error that some state may reach. If the original has an error, no abstract program of it may be without one; and an
error that `abstract` reports must be one of the original. The printed C must have an error exactly if the abstract
program has one. With --locals the variables are local ones and parameters, of main, of a function that main calls and of
a thread. The last line is "N passed, M failed".
"""
import argparse, os, random, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HEAD = """extern void reach_error(void);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
#include <pthread.h>
"""


def expression(r, names):
    a, b = r.choice(names), r.choice(names)
    return r.choice([str(r.randint(-2, 3)), a, f"{a} + {r.randint(1, 2)}", f"{a} - {b}", f"{a} + {b}"])


def condition(r, names):
    a, b = r.choice(names), r.choice(names)
    op = r.choice(["==", "!=", "<", "<=", ">"])
    return r.choice([f"{a} {op} {r.randint(-1, 3)}", f"{a} {op} {b}", f"{a} {op} {b} + 1"])


def statements(r, names, depth, out, pad="  "):
    for _ in range(r.randint(1, 3)):
        kind = r.randint(0, 9)
        if kind < 4:
            out.append(f"{pad}{r.choice(names[:-1])} = {expression(r, names)};")
        elif kind < 5:
            out.append(f"{pad}{r.choice(names[:-1])}++;")
        elif kind < 6:
            out.append(f"{pad}t = {expression(r, names[:-1])};")
        elif kind < 8 and depth:
            out.append(f"{pad}if ({condition(r, names)}) {{")
            statements(r, names, depth - 1, out, pad + "  ")
            out.append(pad + "}")
        elif depth:
            out.append(pad + "__VERIFIER_atomic_begin();")
            statements(r, names, 0, out, pad + "  ")
            out.append(pad + "__VERIFIER_atomic_end();")


def program(r):
    names = ["x", "y", "z"][:r.randint(2, 3)]
    out = [HEAD + "static int " + ", ".join(f"{n} = {r.randint(-1, 2)}" for n in names) + ";"]
    threads = r.randint(0, 2)
    for i in range(threads):
        out.append(f"static void *f{i}(void *a) {{\n  int t = 0;")
        statements(r, names + ["t"], 1, out)
        out.append("  return a;\n}")
    out.append("int main(void) {\n  int t = 0;")
    for i in range(threads):
        out.append(f"  pthread_t p{i};\n  pthread_create(&p{i}, 0, f{i}, 0);")
    statements(r, names + ["t"], 2, out)
    if r.random() < 0.5:
        out += [f"  pthread_join(p{i}, 0);" for i in range(threads)]
    out.append(f"  if ({condition(r, names)} && {condition(r, names)}) reach_error();\n}}")
    predicates = {condition(r, names) for _ in range(r.randint(1, 4))}
    return "\n".join(out) + "\n", "\n".join(sorted(predicates)) + "\n"


def locals_program(r):
    out = [HEAD + f"static int g = {r.randint(-1, 2)};"]
    out.append("static int call(int x, int y) {\n  int z = 0, t = 0;")
    statements(r, ["x", "y", "z", "t"], 1, out)
    out.append(f"  return {expression(r, ['x', 'y', 'z'])};\n}}")
    thread = r.random() < 0.4
    if thread:
        out.append(f"static void *run(void *a) {{\n  int x = {r.randint(-1, 2)}, t = g;")
        statements(r, ["x", "g", "t"], 1, out)
        out.append(f"  if ({condition(r, ['x', 'g'])} && {condition(r, ['x', 'g'])}) reach_error();\n  return a;\n}}")
    out.append(f"int main(void) {{\n  int x = {r.randint(-1, 2)}, y = {r.randint(-1, 2)}, t = 0;")
    if thread:
        out.append("  pthread_t p;\n  pthread_create(&p, 0, run, 0);")
    for _ in range(r.randint(1, 2)):
        statements(r, ["x", "y", "g", "t"], 1, out)
        out.append(f"  {r.choice('xyg')} = call({expression(r, ['x', 'y'])}, {expression(r, ['x', 'g'])});")
    names = ["x", "y", "g"]
    out.append(f"  if ({condition(r, names)} && {condition(r, names)}) reach_error();\n}}")
    predicates = {"main: " + condition(r, names) for _ in range(r.randint(1, 2))}
    predicates |= {"call: " + condition(r, ["x", "y", "z"]) for _ in range(r.randint(0, 2))}
    if thread:
        predicates |= {"run: " + condition(r, ["x", "g"]) for _ in range(r.randint(0, 2))}
    return "\n".join(out) + "\n", "\n".join(sorted(predicates)) + "\n"


def verdict(*command):
    done = subprocess.run((*command, "--limit", "time=60s"), capture_output=True, text=True, timeout=900)
    if "limit)" in done.stdout or "limit;" in done.stdout:  # nothing is claimed of what is beyond
        return "unknown"
    lines = [line for line in done.stdout.splitlines() if line.startswith("Verification result: ")]
    return lines[-1][len("Verification result: "):].split("(")[0] if lines else "none: " + done.stderr.strip()[:300]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", default=os.path.join(ROOT, "build/proviso"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--locals", action="store_true")
    args = parser.parse_args()
    make = locals_program if args.locals else program
    passed = failed = proven = found = 0
    for seed in range(args.seed, args.seed + args.count):
        sys.stdout.flush()
        with tempfile.TemporaryDirectory() as folder:
            path = lambda name: os.path.join(folder, name)
            text, predicates = make(random.Random(seed))
            for name, content in (("p.c", text), ("predicates", predicates)):
                with open(path(name), "w") as f:
                    f.write(content)
            explicit = ("--engine", "explicit", "--property", "unreach-call")
            original = verdict(args.binary, "check", *explicit, path("p.c"))
            abstract = (args.binary, "abstract", "--predicates", path("predicates"), path("p.c"))
            checked = verdict(*abstract, "--refine" if seed % 2 else "--verify")
            subprocess.run((*abstract, "--output", path("a.c")), capture_output=True, timeout=300)
            printed = verdict(args.binary, "check", *explicit, path("a.c"))
            wrong = []
            if checked not in ("true", "conditional", "false", "unknown") or original not in ("true", "false", "conditional"):
                wrong.append("no verdict")
            if original == "false" and checked in ("true", "conditional"):
                wrong.append("an error of the original is lost")
            if original == "false" and printed in ("true", "conditional"):
                wrong.append("an error of the original is lost in the printed program")
            if original != "false" and checked == "false":
                wrong.append("an error that is none")
            if printed in ("true", "conditional") and checked == "false":
                wrong.append("the printed program has no error")
            proven += checked in ("true", "conditional")
            found += checked == "false"
            passed, failed = passed + (not wrong), failed + bool(wrong)
            if wrong:
                print(f"seed {seed}: {', '.join(wrong)}: original {original}, abstract {checked}, printed {printed}\n{text}\n{predicates}")
    print(f"{proven} proven, {found} with an error")
    print(f"{passed} passed, {failed} failed")
    return failed > 0


sys.exit(main())
