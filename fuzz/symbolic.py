#!/usr/bin/env python3
"""Runs random sequential programs with the symbolic engines and compares their verdicts with that of exhaustive
execution (engine `explicit`).

usage: fuzz/symbolic.py [--threads] [--from SEED] [--count N] [--binary build/proviso] [--build FOLDER] [--jobs N]
                        [--time S] [--engines A,B] [--keep FOLDER]

The programs have inputs of a few bits, so that the explicit engine tries all of them, bounded loops, arithmetic of all
integer types, arrays, structs, pointers, calls and bounded recursion. Each is checked for 32 and for 64 bits and for
properties that the seed chooses. An engine may answer `conditional` or `unknown`, but never `true` where there is an
error nor `false` where there is none; its proofs are checked (--check-proof), and none may be refuted. An engine may
come with settings, as in predicate+functions. With --threads the programs are those of generate.py, with two threads
and few statements (every third with threads that are alike), and the engines those that know threads. Differing programs are shrunk by removing lines and written to --keep
FOLDER. With --build a process reads each program once, for all engines (server.py): about three times as fast. Closes with how often each engine decided, how many proofs were checked, and with `N passed, N failed`.
"""
import argparse, collections, concurrent.futures, json, os, random, subprocess, sys, tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import generate as threaded
import server

ENGINES = ["value", "predicate", "bmc", "bmc+bitvector", "predicate+functions", "predicate+single+global",
           "predicate+cartesian+scope"]
SETTINGS = {"bitvector": ["--integers", "bitvector"], "functions": ["--blocks", "functions"], "single": ["--blocks", "single"],
            "scope": ["--predicate-scope", "function"], "global": ["--predicate-scope", "global"],
            "cartesian": ["--abstraction", "cartesian"], "unreduced": ["--por", "none"], "symmetry": ["--symmetry", "threads"],
            "thread": ["--predicate-scope", "thread"]}
THREADED_ENGINES = ["value", "predicate", "composite", "composite+bitvector", "value+unreduced", "esst", "esst+unreduced", "esst+symmetry", "esst+thread"]
PROPERTIES = ["unreach-call", "unreach-call,no-overflow", "unreach-call,valid-deref", "unreach-call,def-behavior"]
THREADED_PROPERTIES = ["unreach-call", "unreach-call,valid-deref", "def-behavior", "no-deadlock", "unreach-call,no-deadlock",
                       "no-deadlock,def-behavior"]
TYPES = ["char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long",
         "long long", "unsigned long long", "_Bool"]


class Program:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.names = 0

    def number(self):
        r = self.r
        return str(r.choice([0, 1, 2, 3, 5, 7, 8, 15, 16, 100, 127, 128, 255, 256, 1000, 32767, 65535, 2147483647, -1, -2, -5, -128]))

    def expression(self, names, depth):
        r = self.r
        if depth == 0 or r.random() < 0.15:
            if r.random() < 0.3:
                return self.number()
            return r.choice(names)
        kind = r.random()
        a, b = self.expression(names, depth - 1), self.expression(names, depth - 1)
        if kind < 0.35:
            return f"({a} {r.choice('+-')} {b})"
        if kind < 0.42:
            return f"({a} * {r.choice(['2', '3', '4', '10', '-1', b])})"
        if kind < 0.50:
            return f"({a} {r.choice('/%')} {r.choice(['2', '3', '7', '8', '-3', '10'])})"
        if kind < 0.58:
            return f"({a} {r.choice('&|^')} {r.choice(['1', '3', '7', '15', '255', b])})"
        if kind < 0.64:
            return f"({a} {r.choice(['<<', '>>'])} {r.choice(['1', '2', '3', '4'])})"
        if kind < 0.76:
            return f"({a} {r.choice(['<', '<=', '>', '>=', '==', '!='])} {b})"
        if kind < 0.84:
            return f"(({r.choice(TYPES)}){a})"
        if kind < 0.90:
            return f"({a} {r.choice(['&&', '||'])} {b})"
        if kind < 0.95:
            return f"({r.choice('-~!')}({a}))"
        return f"({a} ? {b} : {self.expression(names, depth - 1)})"

    def place(self, scope):
        """Something that can be assigned to, and read."""
        r = self.r
        kind = r.random()
        if kind < 0.15:
            return f"a[{self.expression(scope, 1)} & 3]"
        if kind < 0.22:
            return f"big[({self.expression(scope, 1)}) & 31]"
        if kind < 0.30:
            return r.choice(["s.x", "s.y", "s.z", "t.x", "q->x", "q->y"])
        if kind < 0.40:
            return "*p"
        return r.choice([n for n in scope if n.isidentifier() and not n.startswith("i")] or ["g"])

    def statements(self, scope, depth, indent, loops):
        r, pad, out = self.r, "  " * indent, []
        for _ in range(r.randint(1, 3)):
            kind = r.random()
            readable = scope + ["*p", "s.x", "s.z", "q->y", "a[1]", "big[2]"]
            e = lambda d=2: self.expression(readable, d)
            if kind < 0.45 or depth == 0:
                op = r.choice(["=", "=", "=", "+=", "-=", "^="])
                out.append(f"{pad}{self.place(scope)} {op} {e()};")
            elif kind < 0.62:
                out += [f"{pad}if ({e()}) {{"] + self.statements(scope, depth - 1, indent + 1, loops)
                if r.random() < 0.5:
                    out += [f"{pad}}} else {{"] + self.statements(scope, depth - 1, indent + 1, loops)
                out.append(pad + "}")
            elif kind < 0.74 and loops:
                self.names += 1
                i = f"i{self.names}"
                bound = r.choice(["2", "3", "4", f"(g & 3)", f"({r.choice(scope)} & 3)"])
                out += [f"{pad}for (int {i} = 0; {i} < {bound}; {i}++) {{"]
                out += self.statements(scope + [i], depth - 1, indent + 1, loops - 1)
                if r.random() < 0.3:
                    out.append(f"{pad}  if ({self.expression(readable + [i], 1)}) {r.choice(['break', 'continue'])};")
                out.append(pad + "}")
            elif kind < 0.80:
                out.append(f"{pad}p = {r.choice(['&h', '&a[0]', '&a[2]', '&s.x', '&t.x'])};")
            elif kind < 0.84:
                out.append(f"{pad}q = {r.choice(['&s', '&t'])};")
            elif kind < 0.90:
                out.append(f"{pad}{r.choice(scope + ['g'])} = f{r.randint(0, 1)}({e(1)}, {e(1)});")
            elif kind < 0.94:
                out += [f"{pad}switch (({e(1)}) & 3) {{", f"{pad}case 0: {self.place(scope)} = {e(1)}; break;",
                        f"{pad}case 1: {self.place(scope)} = {e(1)};", f"{pad}default: {self.place(scope)} = {e(1)};", pad + "}"]
            elif kind < 0.97:
                out.append(pad + r.choice(["s = t;", "t = s;", "s = (struct s){1, 2, 3};"]))
            else:
                out.append(f"{pad}{self.check(readable)}")
        return out

    def check(self, readable):
        r = self.r
        if r.random() < 0.7:
            return f"if (({self.expression(readable, 2)}) == {self.number()}) reach_error();"
        return f"if ({self.expression(readable, 2)}) reach_error();"

    def tails(self):
        """Two functions that call each other, mostly as the last that they do."""
        r, kind = self.r, self.r.choice(TYPES)
        out = [f"{kind} t0(int n, {kind} x);", f"{kind} t1(int n, {kind} x);"]
        for f in range(2):
            scope = ["n", "x", "g", "h"]
            out.append(f"{kind} t{f}(int n, {kind} x) {{")
            out.append(f"  if (n <= 0) return {self.expression(scope, 1)};")
            if r.random() < 0.5:
                out += self.statements(["x", "g", "h"], 1, 1, 1)
            if r.random() < 0.15:
                out.append("  int own = x, *o = &own; *o += 1;")
            for _ in range(r.randint(0, 1)):
                out.append(f"  if ({self.expression(scope, 1)}) return t{r.randint(0, 1)}(n - {r.randint(1, 2)}, {self.expression(scope, 1)});")
            if r.random() < 0.15:
                out.append(f"  x = t{r.randint(0, 1)}(n - 2, {self.expression(scope, 1)}) + n;")
            out += [f"  return t{r.randint(0, 1)}(n - 1, {self.expression(scope, 1)});", "}"]
        return out

    def text(self):
        r = self.r
        out = ["extern void reach_error(void);",
               "extern unsigned char __VERIFIER_nondet_uchar(void);", "extern _Bool __VERIFIER_nondet_bool(void);",
               f"{r.choice(TYPES)} g = {r.choice(['0', '1', '5'])};", "int h = 2;",
               "struct s { int x; unsigned y; short z; };", "struct s s = {1, 2, 3}, t;", "struct s *q = &s;",
               "int a[4] = {1, 2, 3, 4};", f"{r.choice(['int', 'unsigned char', 'short'])} big[32];", "int *p = &h;"]
        tails = self.tails() if r.random() < 0.35 else []
        heads = [f"{r.choice(TYPES)} f{f}({r.choice(TYPES)} x, {r.choice(TYPES)} y)" for f in range(2)]
        out += [head + ";" for head in heads]
        for f in range(2):
            out.append(heads[f] + " {")
            if f == 0 and r.random() < 0.4:
                out.append("  static int depth;")
                out.append("  if (depth < 2) { depth++; x = f0(y, x); depth--; }")
            if r.random() < 0.3:
                out.append("  int l = x, *o = &l; *o += y; x = l;")
            out += self.statements(["x", "y", "g", "h"], 1, 1, 1)
            out += [f"  return {self.expression(['x', 'y', 'g', 'a[0]'], 2)};", "}"]
        out += tails
        out.append("int main(void) {")
        scope = ["g", "h"]
        for i in range(r.randint(1, 2)):
            out.append(f"  {r.choice(TYPES[:-1])} v{i} = __VERIFIER_nondet_uchar();" if i == 0 else f"  {r.choice(TYPES)} v{i} = __VERIFIER_nondet_bool();")
            scope.append(f"v{i}")
        for i in range(r.randint(1, 3)):
            out.append(f"  {r.choice(TYPES)} l{i} = {self.number()};")
            scope.append(f"l{i}")
        readable = scope + ["*p", "s.x", "a[1]"]
        if tails:
            out.append(f"  {r.choice(scope)} = t{r.randint(0, 1)}({r.choice(['v0 & 7', 'v0 & 3', '5', 'v0 % 6'])}, {self.expression(readable, 1)});")
        for _ in range(r.randint(1, 3)):
            out += self.statements(scope, 2, 1, 2)
            out.append("  " + self.check(readable))
        return "\n".join(out + ["  return 0;", "}", ""])


def generate(seed, threads=False):
    if not threads:
        return Program(seed).text()
    return threaded.generate(seed, threads=2, statements=2 + seed % 2, alike=seed % 3 == 0)


def run(binary, path, options, folder, limit):
    """The result of one check in a process of its own, or what went wrong."""
    report = os.path.join(folder, "report.json")
    if os.path.exists(report):
        os.unlink(report)
    try:
        done = subprocess.run([binary, "check", "--quiet", "--limit", f"time={limit}s,memory=3GB", "--check-proof", "--json", report, path] + options,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=10 * limit + 60)
    except subprocess.TimeoutExpired:
        return "hangs"
    if done.returncode not in (0, 10, 20):
        return f"exit {done.returncode}: {done.stderr.decode(errors='replace')[:200]}"
    with open(report) as f:
        return json.load(f)


class Checks:
    """Checks of one program for one set of properties: each reads it anew, or all are made by a server (server.py)."""

    def __init__(self, binary, path, settings, folder, limit):
        self.binary, self.path, self.settings, self.folder, self.limit = binary, path, settings, folder, limit
        self.server = None
        if os.path.basename(binary) == server.NAME:
            properties = settings[settings.index("--property") + 1] if "--property" in settings else ""
            self.server = server.Server(binary, path, properties, folder, ["32=1"] if "--32" in settings else [])

    def close(self):
        if self.server:
            self.server.close()

    def verdict(self, options, proofs=None):
        """Of a check with these options, words in pairs. `refuted`: its proof is none."""
        if self.server:
            words = {name[2:]: value for name, value in zip(options[::2], options[1::2])}
            try:
                result = self.server.check({**words, "limit": f"time={self.limit}s,memory=3GB", "check-proof": "1"}, 10 * self.limit + 60)
            except (server.Difference, RuntimeError) as problem:
                return str(problem)
        else:
            result = run(self.binary, self.path, self.settings + options, self.folder, self.limit)
        if not isinstance(result, dict):
            return result or "options were refused"
        proof = result["proof"]["state"]
        if proofs is not None:
            proofs[proof] += 1
        return proof if proof == "refuted" else result["verdict"]


def difference(binary, text, settings, folder, limit, engines, decided=None, always=False):
    """always: where the explicit engine does not know, engines are compared with each other."""
    path = os.path.join(folder, "program.c")
    with open(path, "w") as f:
        f.write(text)
    checks = Checks(binary, path, settings, folder, limit)
    try:
        return compare(checks, engines, decided, always)
    finally:
        checks.close()


def compare(checks, engines, decided, always):
    truth = checks.verdict(["--engine", "explicit"])
    known = truth in ("true", "false")
    if not known and truth not in ("conditional", "unknown"):
        return "explicit", truth, ""
    if not known and not always:
        return None
    for engine in engines:
        name, *more = engine.split("+")
        verdict = checks.verdict(["--engine", name] + [word for m in more for word in SETTINGS[m]], decided)
        if not known and verdict in ("true", "false"):
            known, truth = True, verdict
        if decided is not None:
            decided[engine] += verdict == truth
            decided[truth] += engine == engines[0]
            decided["programs"] += engine == engines[0]
        if verdict not in (truth, "conditional", "unknown") or (verdict == "refuted"):
            return engine, verdict, truth
    return None


def shrink(binary, text, settings, folder, limit, engines, always):
    lines = text.split("\n")
    size = max(1, len(lines) // 2)
    while size:
        at, changed = 0, False
        while at < len(lines):
            fewer = lines[:at] + lines[at + size:]
            found = difference(binary, "\n".join(fewer), settings, folder, limit, engines, always=always) if engines != ["explicit"] else None
            if found and found[1] in ("true", "false", "refuted"):
                lines, changed = fewer, True
            else:
                at += size
        if not changed or size == 1:
            size //= 2
    return "\n".join(lines)


def examine(stem, seed, text, settings, binary, limit, keep, engines, always=False):
    """The seed, what is wrong with the program (None: nothing), and how many programs each engine decided."""
    decided = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        found = difference(binary, text, settings, folder, limit, engines, decided, always)
        if not found:
            return seed, None, decided
        engine, verdict, truth = found
        if verdict in ("true", "false", "refuted"):
            text = shrink(binary, text, settings, folder, limit, engines if always else [engine], always)
    problem = f"{engine} {' '.join(settings)}: {verdict}, explicit: {truth}"
    if keep:
        os.makedirs(keep, exist_ok=True)
        with open(os.path.join(keep, f"{stem}{seed}.c"), "w") as f:
            f.write(f"// {problem}\n{text}")
    return seed, problem, decided


def options(usage):
    parser = argparse.ArgumentParser(usage=usage)
    parser.add_argument("--from", dest="start", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--binary", default="build/proviso")
    parser.add_argument("--build", metavar="FOLDER")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--time", type=int, default=10)
    parser.add_argument("--engines")
    parser.add_argument("--keep")
    return parser


def binary_of(a):
    """What makes the checks: with --build a server, which reads each program once."""
    return server.build_server(a.build) if a.build else os.path.abspath(a.binary)


def run_all(one, jobs, workers, engines):
    """Makes the jobs, each of which is like `examine`, and prints the sums. Returns the exit status."""
    failed, decided = 0, collections.Counter()
    with concurrent.futures.ProcessPoolExecutor(workers) as pool:
        for seed, problem, counts in pool.map(one, jobs):
            decided += counts
            if problem:
                failed += 1
                print(f"seed {seed}: {problem}", flush=True)
    print(f"{decided['programs']} programs with a verdict ({decided['true']} true, {decided['false']} false); decided: " + ", ".join(f"{e} {decided[e]}" for e in engines))
    print(f"proofs: {decided['checked']} checked, {decided['unconfirmed']} not confirmed")
    print(f"{len(jobs) - failed} passed, {failed} failed")
    return failed > 0


def one(job):
    binary, seed, limit, keep, engines, threads = job
    r = random.Random(seed)
    settings = ["--property", r.choice(THREADED_PROPERTIES if threads else PROPERTIES)] + (["--32"] if seed % 2 else [])
    return examine("symbolic", seed, generate(seed, threads), settings, binary, limit, keep, engines)


def main():
    parser = options(__doc__)
    parser.add_argument("--threads", action="store_true")
    a = parser.parse_args()
    engines = (a.engines or ",".join(THREADED_ENGINES if a.threads else ENGINES)).split(",")
    jobs = [(binary_of(a), seed, a.time, a.keep, engines, a.threads) for seed in range(a.start, a.start + a.count)]
    return run_all(one, jobs, a.jobs, engines)


if __name__ == "__main__":
    sys.exit(main())
