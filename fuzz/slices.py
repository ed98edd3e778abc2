#!/usr/bin/env python3
"""Random C programs for slices: build/unit/vm_slice_soundness_test changes what is outside of slices of them, and looks
whether the slices do the same. With --threads the programs are those of generate.py, for vm_slice_threads_test.

With --printed, `proviso slice` prints the slice for unreach-call as C instead: engine explicit and, without threads, bmc must
give the verdict of the program. With --inside, `proviso check --slice` must give it. The sizes are printed, too.

usage: fuzz/slices.py [--threads] [--printed|--inside] [--binary build/proviso] [--from SEED] [--count N] [--unit build/unit] [--jobs N] [--keep FOLDER]
       fuzz/slices.py --print SEED

The sequential programs have globals, arrays, structs, the heap, pointers to locals, calls through pointers, recursion, loops that
end and loops that may not, switches, jumps into and out of loops, exits, assumptions and errors in functions. Closes
with `N passed, N failed`; programs that fail are written to --keep FOLDER.
"""
import argparse, concurrent.futures, os, random, re, subprocess, sys, tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import generate as threaded

OPERATORS = ["+", "-", "*", "&", "|", "^", "<", "<=", "==", "!="]


class Program:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.labels = 0
        self.calls = self.r.randint(2, 5)  # functions
        self.size = self.r.randint(1, 3)
        self.globals = [f"g{i}" for i in range(self.r.choice([4, 4, 8, 12]))]
        self.memory = ["a[{} & 3]", "s.x", "s.y", "q->x", "*p", "h[{} & 1]"]

    def some_memory(self):
        """A function knows a part of the globals."""
        r = self.r
        self.memory = r.sample(["a[{} & 3]", "s.x", "s.y", "q->x", "*p", "h[{} & 1]"], r.randint(1, 6))
        return r.sample(self.globals, min(len(self.globals), r.randint(2, 4)))

    def atom(self, scope):
        r = self.r
        kind = r.random()
        if kind < 0.25:
            return str(r.randint(0, 5))
        if kind < 0.75:
            return r.choice(scope)
        return r.choice(self.memory).format(r.choice(scope))

    def expression(self, scope, depth=2):
        r = self.r
        if depth == 0 or r.random() < 0.3:
            return self.atom(scope)
        left, right = self.expression(scope, depth - 1), self.expression(scope, depth - 1)
        if r.random() < 0.12:
            return f"({left} {r.choice(['&&', '||'])} {right})"
        if r.random() < 0.1:
            return f"({left} % {r.choice(['2', '3', '5'])})"
        return f"({left} {r.choice(OPERATORS)} {right})"

    def place(self, scope):
        r = self.r
        kind = r.random()
        if kind < 0.6:
            return r.choice([n for n in scope if not n.startswith("i")])
        return r.choice(self.memory).format(r.choice(scope))

    def call(self, scope, me):
        r = self.r
        args = f"({self.expression(scope, 1)}, {self.expression(scope, 1)})"
        if r.random() < 0.2:
            return f"fp{args}"
        if r.random() < 0.2:
            return f"same({self.expression(scope, 1)})"
        if me is not None and r.random() < 0.15:
            return f"(fuel-- > 0 ? f{me}{args} : 1)"
        return f"f{r.randrange(me if me is not None else self.calls)}{args}" if me != 0 else f"same{args[:args.index(',')]})"

    def loop(self, scope, depth, pad, me):
        r = self.r
        self.labels += 1
        i, kind = f"i{self.labels}", r.randint(0, 4)
        body = self.block(scope + [i], depth - 1, pad + "  ", me)
        if r.random() < 0.3:
            body.insert(r.randint(0, len(body)), f"{pad}  if ({self.expression(scope + [i], 1)}) {r.choice(['break', 'continue'])};")
        bound = r.choice(["2", "3", f"({r.choice(scope)} & 3)"])
        if kind < 2:
            return [f"{pad}for (int {i} = 0; {i} < {bound}; {i}++) {{"] + body + [pad + "}"]
        if kind == 2:
            return [f"{pad}int {i} = {bound}; while ({i}-- > 0) {{"] + body + [pad + "}"]
        if kind == 3:
            return [f"{pad}int {i} = 0; do {{", f"{pad}  {i}++;"] + body + [f"{pad}}} while ({self.expression(scope, 1)} && {i} < 3);"]
        return [f"{pad}int {i} = 0; while ({self.expression(scope, 1)} && fuel-- > 0) {{"] + body + [pad + "}"]

    def jump(self, scope, depth, pad, me):
        """Forwards, backwards, or into a loop."""
        r = self.r
        self.labels += 1
        label, kind = f"l{self.labels}", r.randint(0, 2)
        body = self.block(scope, 0, pad, me)
        condition = self.expression(scope, 1)
        if kind == 0:
            return [f"{pad}if ({condition}) goto {label};"] + body + [f"{pad}{label}:;"]
        if kind == 1:
            return [f"{pad}{label}:;"] + body + [f"{pad}if ({condition} && fuel-- > 0) goto {label};"]
        return ([f"{pad}if ({condition}) goto {label};", f"{pad}while (fuel-- > 0 && {self.expression(scope, 1)}) {{"] + body +
                [f"{pad}  {label}:;"] + self.block(scope, 0, pad + "  ", me) + [pad + "}"])

    def ending(self, scope, pad, me):
        r = self.r
        what = ["reach_error();", "exit(1);", "abort();"] + (["return 3;"] * 3 if me is not None else [])
        if r.random() < 0.3:
            return [f"{pad}__VERIFIER_assume({self.expression(scope, 1)} != {r.randint(0, 9)});"]
        return [f"{pad}if ({self.expression(scope, 1)} == {r.choice([0, 1, 2, 3, 5, 9, 20])}) {r.choice(what)}"]

    def statement(self, scope, depth, pad, me):
        r = self.r
        kind = r.random()
        if kind < 0.4 or (depth == 0 and kind < 0.7):
            return [f"{pad}{self.place(scope)} {r.choice(['=', '=', '+=', '^='])} {self.expression(scope)};"]
        if kind < 0.47:
            return [f"{pad}p = {r.choice(['&g0', '&g1', '&a[1]', '&s.x', '&h[0]', '&g2'])};"]
        if kind < 0.50:
            return [f"{pad}{r.choice(['q = &s;', 'q = &t;', 's = t;', 't = s;', 'fp = ' + r.choice(['f0', 'f1', 'same2']) + ';'])}"]
        if kind < 0.53:
            return [f"{pad}set(&{r.choice([n for n in scope if not n.startswith('i')])}, {self.expression(scope, 1)});"]
        if kind < 0.56:
            return [f"{pad}{r.choice(['free(h); h = malloc(8); h[0] = 1; h[1] = 2;', 'memset(a, 0, sizeof a);', 'h = other();'])}"]
        if kind < 0.66:
            return [f"{pad}{self.place(scope)} = {self.call(scope, me)};"]
        if kind < 0.72:
            return self.ending(scope, pad, me)
        if depth == 0:
            return [f"{pad}g3 = {self.expression(scope, 1)};"]
        if kind < 0.84:
            out = [f"{pad}if ({self.expression(scope)}) {{"] + self.block(scope, depth - 1, pad + "  ", me)
            if r.random() < 0.5:
                out += [f"{pad}}} else {{"] + self.block(scope, depth - 1, pad + "  ", me)
            return out + [pad + "}"]
        if kind < 0.92:
            return self.loop(scope, depth, pad, me)
        if kind < 0.96:
            return self.jump(scope, depth, pad, me)
        out = [f"{pad}switch ({self.expression(scope, 1)} & 3) {{"]
        for case in ("case 0:", "case 1:", "default:"):
            out += [pad + case] + self.block(scope, 0, pad + "  ", me)
            if r.random() < 0.6:
                out.append(f"{pad}  break;")
        return out + [pad + "}"]

    def block(self, scope, depth, pad, me):
        out = []
        for _ in range(self.r.randint(1, 3)):
            out += self.statement(scope, depth, pad, me)
        return ["%s{" % pad] + out + ["%s}" % pad] if any(" int i" in line or line.strip().startswith("int i") for line in out) else out

    def text(self):
        r = self.r
        out = ["#include <stdlib.h>", "#include <string.h>", "extern void reach_error(void);", "extern void __VERIFIER_assume(int);",
               "extern int __VERIFIER_nondet_int(void);",
               f"int {', '.join(f'{g} = {r.randint(0, 3)}' for g in self.globals)}, fuel = {r.randint(3, 12)};", "int a[4] = {1, 2, 3, 4};",
               "struct s { int x, y; } s = {1, 2}, t = {3, 4}, *q = &s;", "int *p = &g0, *h;",
               "int same(int x) { return x; }", "int same2(int x, int y) { return y ? x : g1; }",
               "int (*fp)(int, int) = same2;", "void set(int *at, int value) { *at = value; }",
               "int *other(void) { int *n = malloc(8); n[0] = g0; n[1] = 3; return n; }"]
        out += [f"int f{i}(int x, int y);" for i in range(self.calls)]
        for i in range(self.calls):
            scope = ["x", "y", "l"] + self.some_memory()
            out += [f"int f{i}(int x, int y) {{", f"  int l = {self.expression(['x', 'y'] + scope[3:], 1)};"]
            for _ in range(self.size):
                out += self.block(scope, 1, "  ", i)
            out += [f"  return {self.expression(scope, 1)};", "}"]
        scope = ["v0", "v1", "v2"] + self.some_memory() + self.some_memory()[:1]
        out += ["int main(void) {", "  int v0 = __VERIFIER_nondet_int(), v1 = __VERIFIER_nondet_int(), v2 = 0;", "  h = malloc(8);",
                "  h[0] = 1; h[1] = v1;"]
        for _ in range(2 + self.size):
            out += self.block(scope, 2, "  ", None)
            out += self.ending(scope, "  ", None)
        return "\n".join(out + ["  return g2;", "}", ""])


def one(job):
    test, seed, keep, threads = job
    text = threaded.generate(seed, threads=3, statements=2 + seed % 6, alike=seed % 4 == 0) if threads else Program(seed).text()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, f"slices{seed}.c")
        with open(path, "w") as f:
            f.write(text)
        try:
            done = subprocess.run([test, path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
            problem = None if done.returncode == 0 and (threads or b" 1 programs" in done.stdout) else done.stdout.decode(errors="replace")
        except subprocess.TimeoutExpired:
            problem = "hangs"
        if problem and keep:
            os.makedirs(keep, exist_ok=True)
            with open(os.path.join(keep, f"slices{seed}.c"), "w") as f:
                f.write(text)
        return seed, problem


def verdict(binary, path, options):
    done = subprocess.run([binary, "check", "--quiet", "--property", "unreach-call"] + options + [path], capture_output=True, text=True, timeout=600)
    said = [line for line in done.stdout.splitlines() if line.startswith("Verification result: ")]
    return re.match("[a-z]*", said[-1].split()[2]).group() if said else f"exit {done.returncode}: {done.stderr.strip()[:300]}"


def printed(job):
    """(seed, what is wrong or None, verdict, edges left, edges)"""
    binary, seed, keep, threads, inside = job
    text = threaded.generate(seed, threads=2 + seed % 2, statements=2 + seed % 4, alike=seed % 4 == 0) if threads else Program(seed).text()
    limit = ["--limit", "time=20s"]
    text = text.replace("extern int __VERIFIER_nondet_int(void)", "extern _Bool __VERIFIER_nondet_bool(void)")
    text = text.replace("__VERIFIER_nondet_int()", "2 * __VERIFIER_nondet_bool() + 1")  # all values are tried
    with tempfile.TemporaryDirectory() as folder:
        path, part = os.path.join(folder, "program.c"), os.path.join(folder, "slice.c")
        with open(path, "w") as f:
            f.write(text)
        engines = [["--engine", "explicit"]] + ([] if threads else [["--engine", "bmc"]])
        truth = verdict(binary, path, engines[0] + limit)
        problem, left, edges = None, 0, 0
        if truth in ("true", "false"):
            if inside:
                engines = [e + ["--slice"] for e in engines]
                part = path
            else:
                made = subprocess.run([binary, "slice", path, "-o", part], capture_output=True, text=True)
                if made.returncode:
                    problem = f"exit {made.returncode}: {made.stderr.strip()[:300]}"
                else:
                    built = subprocess.run(["gcc", "-std=gnu11", "-w", "-fsyntax-only", part], capture_output=True, text=True)
                    problem = f"does not compile: {built.stderr[:300]}" if built.returncode else None
                    with open(part) as f:
                        left, edges = map(int, re.search(r"(\d+) of (\d+) edges are left", f.read()).groups())
            for engine in engines if not problem else []:
                said = verdict(binary, part, engine + limit)
                if said != truth and said in ("true", "false") or said.startswith("exit"):
                    problem = f"{' '.join(engine)}: {said} instead of {truth}"
        if problem and keep:
            os.makedirs(keep, exist_ok=True)
            for name in {path, part}:
                if os.path.exists(name):
                    os.rename(name, os.path.join(keep, f"{seed}.{os.path.basename(name)}"))
        return seed, problem, truth, left, edges


def check_printed(a):
    binary, failed, count, left, edges = os.path.abspath(a.binary), 0, {}, 0, 0
    jobs = [(binary, seed, a.keep, a.threads, a.inside) for seed in range(a.start, a.start + a.count)]
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        for seed, problem, truth, some, of in pool.map(printed, jobs):
            failed += bool(problem)
            count[truth] = count.get(truth, 0) + 1
            left, edges = left + some, edges + of
            if problem:
                print(f"seed {seed}: {problem}", flush=True)
    print(", ".join(f"{n} {what}" for what, n in sorted(count.items())) + (f"; {left} of {edges} edges are left" if edges else ""))
    print(f"{len(jobs) - failed} passed, {failed} failed")
    sys.exit(failed != 0)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--from", dest="start", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--threads", action="store_true")
    parser.add_argument("--printed", action="store_true")
    parser.add_argument("--inside", action="store_true")
    parser.add_argument("--binary", default="build/proviso")
    parser.add_argument("--unit", default="build/unit")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep")
    parser.add_argument("--print", dest="shown", type=int)
    a = parser.parse_args()
    if a.shown is not None:
        print(Program(a.shown).text(), end="")
        return
    if a.printed or a.inside:
        check_printed(a)
    test = os.path.join(os.path.abspath(a.unit), "vm_slice_threads_test" if a.threads else "vm_slice_soundness_test")
    jobs = [(test, seed, a.keep, a.threads) for seed in range(a.start, a.start + a.count)]
    failed = 0
    with concurrent.futures.ProcessPoolExecutor(a.jobs) as pool:
        for seed, problem in pool.map(one, jobs):
            if problem:
                failed += 1
                print(f"seed {seed}:\n{problem}", flush=True)
    print(f"{len(jobs) - failed} passed, {failed} failed")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
