#!/usr/bin/env python3
"""Random programs and formulas without X: verdicts of `proviso check --ltl` against brute force.

A program has a few threads, each a short list of instructions on atomic globals. Here it is explored state by state, and
its product with the classical tableau of the negated formula (all consistent sets of subformulas) is searched for fair
strongly connected components. Nothing is shared with proviso but the C text.

    python3 fuzz/ltl.py --from 1 --count 100 --binary build/proviso
"""

import argparse
import itertools
import os
import random
import subprocess
import sys
import tempfile

VALUES = 3
NAMES = ("x", "y")


# ---- programs: a thread is a list of (kind, ...) ------------------------------------------------
def random_thread(r):
    n = r.randint(1, 5)
    body = []
    for _ in range(n):
        kind = r.choice(["set", "set", "xor", "if", "if", "goto"])
        name = r.choice(NAMES)
        if kind == "set":
            body.append(("set", name, r.randrange(VALUES)))
        elif kind == "xor":
            body.append(("xor", name))
        elif kind == "if":
            body.append(("if", name, r.randrange(VALUES), r.randint(0, n)))
        else:
            body.append(("goto", r.randint(0, n)))
    return body


def random_program(r):
    threads = [random_thread(r) for _ in range(r.choice([1, 2, 2, 3]))]
    return threads, r.random() < 0.6  # main joins the others


def c_text(threads, joins):
    out = ["#include <pthread.h>", "#include <stdatomic.h>", "atomic_int x, y;"]
    for i, body in enumerate(threads):
        head = "int main(void) {" if i == 0 else f"static void *t{i}(void *arg) {{"
        lines = [head]
        if i == 0:
            for k in range(1, len(threads)):
                lines.append(f"  pthread_t p{k};")
            for k in range(1, len(threads)):
                lines.append(f"  pthread_create(&p{k}, 0, t{k}, 0);")
        for at, op in enumerate(body):
            if op[0] == "set":
                text = f"{op[1]} = {op[2]};"
            elif op[0] == "xor":
                text = f"atomic_fetch_xor(&{op[1]}, 1);"
            elif op[0] == "if":
                text = f"if ({op[1]} == {op[2]}) goto l{op[3]};"
            else:
                text = f"goto l{op[1]};"
            lines.append(f"l{at}: {text}")
        lines.append(f"l{len(body)}:;")
        if i == 0 and joins:
            for k in range(1, len(threads)):
                lines.append(f"  pthread_join(p{k}, 0);")
        lines.append("  return 0;" if i == 0 else "  return arg;")
        lines.append("}")
        if i == 0:
            main = lines
        else:
            out += lines
    return "\n".join(out + main) + "\n"


def explore(threads, joins):
    """States, successors as (thread, state), enabled threads. A state: positions, values; None: ended."""
    first = (tuple([0] * len(threads)), (0,) * len(NAMES))
    succ, able, todo = {}, {}, [first]
    while todo:
        s = todo.pop()
        if s in succ:
            continue
        moves = []
        position, values = s[0], s[1]
        if len(s) == 3:
            moves.append((None, s))
        else:
            for t, at in enumerate(position):
                new = step(threads, joins, position, values, t, at)
                if new:
                    moves.append((t, new))
            if not moves:
                moves.append((None, s))
        succ[s] = moves
        able[s] = {t for t, _ in moves if t is not None}
        todo += [n for _, n in moves]
    return first, succ, able


def step(threads, joins, position, values, t, at):
    body = threads[t]
    if at > len(body):
        return None  # ended
    v = list(values)
    if at == len(body):  # the end of the thread
        if t == 0:
            others_end = all(position[k] > len(threads[k]) for k in range(1, len(threads)))
            if joins and not others_end:
                return None
            return (position, values, "end")
        to = at + 1
    else:
        op = body[at]
        to = at + 1
        if op[0] == "set":
            v[NAMES.index(op[1])] = op[2]
        elif op[0] == "xor":
            v[NAMES.index(op[1])] ^= 1
        elif op[0] == "if":
            if values[NAMES.index(op[1])] == op[2]:
                to = op[3]
        else:
            to = op[1]
    p = list(position)
    p[t] = to
    return (tuple(p), tuple(v))


# ---- formulas: tuples ---------------------------------------------------------------------------
PROPOSITIONS = {"a": lambda s: s[1][0] == 0, "b": lambda s: s[1][1] == 1, "c": lambda s: s[1][0] == 2,
                "end": lambda s: len(s) == 3}


def random_formula(r, depth):
    if depth == 0 or r.random() < 0.15:
        return ("p", r.choice(["a", "a", "b", "b", "c", "end"]))
    kind = r.choice(["!", "&&", "||", "->", "U", "[]", "<>", "[]", "<>"])
    if kind in ("!", "[]", "<>"):
        return (kind, random_formula(r, depth - 1))
    return (kind, random_formula(r, depth - 1), random_formula(r, depth - 1))


def text_of(f):
    if f[0] == "p":
        return f[1]
    if len(f) == 2:
        return f"{f[0]} ({text_of(f[1])})"
    return f"(({text_of(f[1])}) {f[0]} ({text_of(f[2])}))"


def core(f):
    """Only p, !, &&, U, true."""
    if f[0] == "p":
        return f
    a = core(f[1])
    if f[0] == "!":
        return ("!", a)
    if f[0] == "<>":
        return ("U", ("true",), a)
    if f[0] == "[]":
        return ("!", ("U", ("true",), ("!", a)))
    b = core(f[2])
    if f[0] == "||":
        return ("!", ("&&", ("!", a), ("!", b)))
    if f[0] == "->":
        return ("!", ("&&", a, ("!", b)))
    return (f[0], a, b)


def untils(f, out):
    for k in f[1:]:
        if isinstance(k, tuple):
            untils(k, out)
    if f[0] == "U" and f not in out:
        out.append(f)
    return out


def value(f, letter, guess):
    if f[0] == "true":
        return True
    if f[0] == "p":
        return letter[f[1]]
    if f[0] == "!":
        return not value(f[1], letter, guess)
    if f[0] == "&&":
        return value(f[1], letter, guess) and value(f[2], letter, guess)
    return guess[f]


def violated(first, succ, able, formula, fair, threads):
    """Is there an execution (a fair one) that satisfies the negation? A state of the tableau is a guess of the values of
    all untils; it fits a letter if each until u = g or (f and next u) has a value of next u."""
    f = ("!", core(formula))
    us = untils(f, [])
    letters = {s: {n: test(s) for n, test in PROPOSITIONS.items()} for s in succ}
    guesses = [dict(zip(us, bits)) for bits in itertools.product([False, True], repeat=len(us))]

    def fits(s, guess, after):
        return all(guess[u] == (value(u[2], letters[s], guess) or (value(u[1], letters[s], guess) and after[u]))
                   for u in us)

    nodes, edges, todo = {}, {}, []
    for i, g in enumerate(guesses):
        if value(f, letters[first], g):
            todo.append((first, i))
    while todo:
        n = todo.pop()
        if n in edges:
            continue
        s, i = n
        edges[n] = [(t, (s2, k)) for t, s2 in succ[s] for k, g2 in enumerate(guesses) if fits(s, guesses[i], g2)]
        todo += [m for _, m in edges[n]]
    for component in components(edges):
        inside = set(component)
        arcs = [(n, t, m) for n in component for t, m in edges[n] if m in inside]
        if not arcs:
            continue
        done = all(any(not guesses[i][u] or value(u[2], letters[s], guesses[i]) for s, i in component) for u in us)
        just = all(any(t == thread for _, t, _ in arcs) or any(thread not in able[s] for s, _ in component)
                   for thread in range(threads))
        if done and (just or not fair):
            return True
    return False


def components(edges):
    """Tarjan's algorithm, with a stack of its own."""
    order, low, on, stack, out, count = {}, {}, set(), [], [], 0
    for root in edges:
        if root in order:
            continue
        path = [(root, iter(edges[root]))]
        order[root] = low[root] = count = count + 1
        stack.append(root)
        on.add(root)
        while path:
            n, it = path[-1]
            for _, m in it:
                if m not in order:
                    order[m] = low[m] = count = count + 1
                    stack.append(m)
                    on.add(m)
                    path.append((m, iter(edges[m])))
                    break
                if m in on:
                    low[n] = min(low[n], order[m])
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[n])
                if low[n] == order[n]:
                    one = []
                    while not one or one[-1] != n:
                        one.append(stack.pop())
                        on.discard(one[-1])
                    out.append(one)
    return out


# ---- comparison ---------------------------------------------------------------------------------
def ask(binary, path, formula, fair, more):
    words = [binary, "check", "--quiet", "--ltl", text_of(formula)] + more
    for name, meaning in (("a", "x == 0"), ("b", "y == 1"), ("c", "x == 2")):
        if any(name == w for w in names_in(formula)):
            words += ["--ap", f"{name} = {meaning}"]
    if fair:
        words.append("--fair")
    run = subprocess.run(words + [path], capture_output=True, text=True)
    lines = [l for l in run.stdout.splitlines() if l.startswith("Verification result:")]
    return lines[-1].split(":")[1].strip() if lines else f"exit {run.returncode}: {run.stderr.strip()}", words


def names_in(f):
    return [f[1]] if f[0] == "p" else [n for k in f[1:] for n in names_in(k)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--from", dest="first", type=int, default=1)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--binary", default="build/proviso")
    parser.add_argument("--option", action="append", default=[], help="a further option for proviso; with --store=... `true` may be conditional")
    args = parser.parse_args()
    passed = failed = 0
    seen = {}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "p.c")
        for seed in range(args.first, args.first + args.count):
            r = random.Random(seed)
            threads, joins = random_program(r)
            first, succ, able = explore(threads, joins)
            with open(path, "w", encoding="utf-8") as f:
                f.write(c_text(threads, joins))
            for _ in range(3):
                formula = random_formula(r, r.randint(1, 3))
                if len(untils(core(formula), [])) > 4:
                    continue
                fair = r.random() < 0.5
                expected = "false(ltl)" if violated(first, succ, able, formula, fair, len(threads)) else "true"
                lossy = any(o.startswith("--store=") for o in args.option)
                got, words = ask(args.binary, path, formula, fair, args.option)
                seen[expected] = seen.get(expected, 0) + 1
                if got == expected or (lossy and (got, expected) == ("conditional", "true")):
                    passed += 1
                    continue
                failed += 1
                print(f"seed {seed}: {got}, not {expected}: {' '.join(repr(w) for w in words[1:])}")
                print(c_text(threads, joins))
    print(f"{passed} passed, {failed} failed ({', '.join(f'{n} {v}' for v, n in sorted(seen.items()))})")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
