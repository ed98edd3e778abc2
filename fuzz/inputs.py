#!/usr/bin/env python3
"""Checks that the classes of inputs (analysis/input_classes.h) are exact: random programs that move an input through
variables, structures, copies, calls and loops, add constants to it and compare it with constants.

usage: fuzz/inputs.py [--from SEED] [--count N] [--binary build/proviso] [--jobs N] [--keep FOLDER]

Each program asks for one input of 4201 values: too many to be tried one by one, so that the machine takes classes where
it can. With -DALL it is asked for in two parts, which are all tried. The verdicts must be the same, unless the first is
conditional. Closes with how many programs had classes, and with `N passed, N failed`.
"""
import argparse, concurrent.futures, os, random, subprocess, sys, tempfile

HEAD = """\
extern int proviso_choose(int, int);
extern void reach_error(void);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct pair { long a; int b; short c; };
static struct pair shared, *kept;
static long input(void) {
#ifdef ALL
  int high = proviso_choose(0, 65), low = proviso_choose(0, 63), x = high * 64 + low - 2000;
  if (x > 2200) { x = 2200; }
  return x;
#else
  return proviso_choose(-2000, 2200);
#endif
}
"""


# Through the heap, globals, pointers to functions, recursion and the C library.
LIBRARY = [
    "{ struct pair *h = malloc(sizeof *h); if (h) { *h = s; h->a++; t = *h; free(h); } }",
    "{ long *h = malloc(8); if (!h) return 1; *h = x; y = *h; free(h); }",
    "kept = &s;", "kept = &t;", "if (kept) kept->a = 7;", "if (kept) y = kept->a;",
    "change(&s);", "change = change == bump ? drop : bump;", "x = down(y, 3);", "down_pair(&t, 2);",
    'y = (long)strlen(x > 5 ? "abc" : "de");', 'printf("%d\\n", s.b);', "y = abs((int)x);",
    "switch (s.b) { case 3: t.b = 1; break; case 1000: t.b = 2; break; default: t.a += 5; }",
    "v[x > 0] = 3;", "{ long *q = &v[s.a & 1]; *q = 9; }", "{ char *c = (char *)&s; c[0] = 1; }",
]


class Program:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.depth = 0

    def number(self):
        return str(self.r.choice([0, 1, 2, 5, 10, 64, 100, 999, 1000, 1999, 2000, 2199, 2200, -1, -5, -100, -1999, -2000]))

    def place(self):
        return self.r.choice(["x", "y", "s.a", "s.b", "p->a", "p->b", "t.a", "t.b", "t.c", "v[1]", "v[0]"])

    def value(self):
        r = self.r
        kind = r.random()
        a = self.place()
        if kind < 0.35:
            return a
        if kind < 0.60:
            return f"{a} {r.choice('+-')} {self.number()}"
        if kind < 0.70:
            return f"{a} * {r.choice(['2', '3', '10'])}"
        if kind < 0.76:
            return f"({r.choice(['int', 'long', 'short', 'unsigned', 'unsigned long', 'signed char'])}){a}"
        if kind < 0.80:
            return f"({a} {r.choice(['<', '>', '=='])} {self.number()} ? {self.place()} : {self.place()})"
        if kind < 0.84:
            return f"{a} {r.choice(['/ 2', '% 7', '& 15', '>> 1', '+ ' + self.place(), '- ' + self.place()])}"
        if kind < 0.90:
            return f"{r.choice(['plus', 'clip'])}({a}, {self.number()})"
        return self.number()

    def test(self):
        return f"{self.place()} {self.r.choice(['<', '<=', '>', '>=', '==', '!='])} {self.number()}"

    def statement(self, indent):
        r = self.r
        pad = "  " * indent
        kind = r.random()
        if kind < 0.38:
            return [f"{pad}{self.place()} = {self.value()};"]
        if kind < 0.46:
            return [f"{pad}{r.choice(['s = t;', 't = s;', 'memcpy(&s, &t, sizeof s);', 't = made(s);', 'p = &s;', 'p = &t;', 'memcpy(&t.a, &s.a, 8);', 'shared = s;', 's = shared;', 'memcpy(&t.b, &s.b, 2);', 'memset(&t, 0, sizeof t);', 'memset(&s.a, 0, 4);'])}"]
        if kind < 0.56:
            return [f"{pad}{r.choice(LIBRARY)}"]
        if kind < 0.62:
            return [f"{pad}{r.choice(['shift', 'normal'])}({r.choice(['&s', '&t', 'p'])}, {self.number()});"]
        if kind < 0.80 and indent < 4:
            lines = [f"{pad}if ({self.test()}) {{"] + self.block(indent + 1)
            if r.random() < 0.4:
                lines += [f"{pad}}} else {{"] + self.block(indent + 1)
            return lines + [f"{pad}}}"]
        if kind < 0.86 and indent < 3:
            self.depth += 1
            i = f"i{self.depth}"
            return [f"{pad}for (int {i} = 0; {i} < {r.choice([1, 2, 3])}; {i}++) {{"] + self.block(indent + 1) + [f"{pad}}}"]
        if kind < 0.92 and indent < 3:
            a = self.place()
            return [f"{pad}while ({a} > {self.number()} && --fuel > 0) {{", f"{pad}  {a} -= 1000;"] + self.block(indent + 1) + [f"{pad}}}"]
        return [f"{pad}if ({self.test()} && {self.test()}) reach_error();"]

    def block(self, indent):
        return [line for _ in range(self.r.randint(1, 2)) for line in self.statement(indent)]

    def text(self):
        body = [line for _ in range(self.r.randint(4, 10)) for line in self.statement(1)]
        first = self.r.choice(["x", "s.a", "s.b", "t.c", "v[1]", "p->a"])
        return HEAD + f"""\
static void bump(struct pair *q) {{ q->a++; }}
static void drop(struct pair *q) {{ q->a = 0; }}
static void (*change)(struct pair *) = bump;
static long down(long a, int n) {{ return n ? down(a - 1, n - 1) : a; }}
static void down_pair(struct pair *q, int n) {{ if (n) {{ q->a -= 2; down_pair(q, n - 1); }} }}
static long plus(long a, long b) {{ return a + b; }}
static long clip(long a, long most) {{ return a > most ? most : a; }}
static struct pair made(struct pair s) {{ s.a++; return s; }}
static void shift(struct pair *p, int by) {{ p->a += by; p->b = (int)p->a; }}
static void normal(struct pair *p, int most) {{ if (p->a > most) {{ p->b++; p->a -= 1000; }} }}
int main(void) {{
  long x = 0, y = 0, v[2] = {{0, 0}};
  int fuel = 4;
  struct pair s = {{0, 0, 0}}, t = {{0, 0, 0}}, *p = &s;
  {first} = input();
""" + "\n".join(body) + f"""
  if ({self.test()}) reach_error();
  return 0;
}}
"""


def verdict(binary, path, *flags):
    done = subprocess.run([binary, "check", path, "--engine", "explicit", "--property", "unreach-call", "--limit", "time=20s",
                           "--", *flags], capture_output=True, text=True, errors="replace")
    for line in done.stdout.splitlines():
        if line.startswith("Verification result: "):
            return line.split(": ", 1)[1]
    return f"none (exit status {done.returncode}): {(done.stderr or done.stdout)[-300:]}"


def try_seed(seed, options):
    text = Program(seed).text()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "program.c")
        with open(path, "w") as f:
            f.write(text)
        ours, truth = verdict(options.binary, path), verdict(options.binary, path, "-DALL")
    good = ours in (truth, "conditional")
    if not good and options.keep:
        os.makedirs(options.keep, exist_ok=True)
        with open(os.path.join(options.keep, f"inputs{seed}.c"), "w") as f:
            f.write(text)
    return seed, good, ours, truth


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--from", dest="first", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--binary", default="build/proviso")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep")
    options = parser.parse_args()
    passed = failed = exact = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for seed, good, ours, truth in pool.map(lambda s: try_seed(s, options),
                                                range(options.first, options.first + options.count)):
            passed, failed, exact = passed + good, failed + (not good), exact + (ours == "true")
            if not good:
                print(f"seed {seed}: {ours} with classes, {truth} with all values")
    print(f"true by classes: {exact} of {options.count}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not exact else 0


sys.exit(main())
