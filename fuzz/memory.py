#!/usr/bin/env python3
"""Runs random programs over memory with the symbolic engines and compares their verdicts with that of exhaustive
execution (engine `explicit`).

usage: fuzz/memory.py [--from SEED] [--count N] [--binary build/proviso] [--build FOLDER] [--jobs N] [--time S] [--engines A,B]
                      [--keep FOLDER] [--feature NAME,...] [--print] [--never-set]

The programs have an input or two of a few bits. They use local and global arrays, structures (also packed, with
bit-fields and with a flexible member), unions, reinterpretation through pointers, memcpy, memmove, memset, memcmp,
strlen and strcpy of variable length, sprintf and snprintf, malloc, calloc, realloc and free, and values that were never set. All errors of the
default properties are looked for, def-behavior among them, for 32 and for 64 bits. The rest is as in symbolic.py: an
engine may answer `conditional` or `unknown`, but never `true` where there is an error nor `false` where there is none.
With --feature all programs use these only, `buffers` for example. With --print the programs are printed.
With --never-set, statements are about values that were never set, and only calls of reach_error are errors: so these values are inputs. Where the
explicit engine has not tried all of them, the symbolic engines are compared with each other.
"""
import os, random, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import symbolic

ENGINES = ["bmc", "bmc+bitvector", "kinduction", "value", "predicate", "composite"]
HEAD = """#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
struct node { int value; struct node *next; };
struct mix { char tag; short part; int whole; char tail[3]; };
struct __attribute__((packed)) tight { char tag; int whole; short part; };
struct bits { unsigned a : 3, b : 7; int c : 5; };
struct flexible { unsigned char n; unsigned char data[]; };
union both { unsigned u; unsigned char b[4]; short h[2]; };
"""


class NeverSet:
    """Statements on few leaves, most of them bytes and never set, and checks of some relations between them."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.lines = []
        self.leaves = []
        self.body = []

    def declare(self):
        r = self.r
        self.lines.append("unsigned char a[3], b[3]; struct pair { unsigned char l, r; } p, q; struct bits f;")
        self.lines.append("unsigned char *h = malloc(3); int w[2]; signed char s; short *n = malloc(4);")
        self.leaves = ["a[0]", "a[1]", "a[2]", "b[0]", "b[1]", "p.l", "p.r", "q.l", "q.r", "f.a", "f.c", "h[0]", "h[2]", "w[0]", "w[1]", "s", "n[1]", "a[x & 1]", "b[y]"]
        r.shuffle(self.leaves)
        self.leaves = self.leaves[:r.randint(2, 5)]

    def leaf(self):
        return self.r.choice(self.leaves)

    def statement(self):
        r = self.r
        kind = r.randrange(10)
        if kind < 3:
            return f"{self.leaf()} = {r.choice(['1', '2', 'x', self.leaf()])};"
        if kind == 3:
            return r.choice(["memcpy(b, a, 2);", "q = p;", "memcpy(h, a, 3);", "memmove(a + 1, a, 2);", "p = q;", "b[1] = a[0];", "memset(a, x, y + 1);", "n[1] = (short)w[0];"])
        if kind == 4:
            return f"if ({self.condition()}) {self.leaf()} = {self.leaf()};"
        if kind == 5:
            return "{ unsigned char t; int u; if (t != t || u != u) reach_error(); }"
        if kind == 6:
            return f"for (int i = 0; i < 2; i++) {{ unsigned char t[2]; if (i && t[0] == {r.choice(['1', 'x'])}) {self.leaf()} = 1; t[0] = 1; }}"
        return f"if ({self.condition()}) {r.choice(['reach_error();', 'return 0;', 'x++;', 'reach_error();'])}"

    def condition(self):
        r = self.r
        one = lambda: f"{self.leaf()} {r.choice(['==', '!=', '<', '>='])} {r.choice(['0', '1', '7', 'x', self.leaf(), self.leaf()])}"
        return " && ".join(one() for _ in range(r.randint(1, 3)))

    def text_of(self):
        self.declare()
        for _ in range(self.r.randint(2, 7)):
            self.lines.append(self.statement())
        return (HEAD + "int main(void) {\n  int x = __VERIFIER_nondet_uchar(), y = __VERIFIER_nondet_uchar();\n  if (x >= 3 || y >= 2) return 0;\n"
                + "".join(f"  {line}\n" for line in self.lines) + "  return 0;\n}\n")


class Program:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.n = 0
        self.lines = []
        self.functions = []

    def name(self, prefix):
        self.n += 1
        return f"{prefix}{self.n}"

    def index(self, size):
        """An index that is mostly inside."""
        r = self.r
        return r.choice([str(r.randrange(size)), "x", "y", f"(x & {size - 1 if size & (size - 1) == 0 else 1})", "(x + y)", f"(unsigned)x % {size}",
                         "x * 2", str(size - 1)])

    def length(self, size):
        r = self.r
        return r.choice([str(size), str(max(1, size // 2)), "x", "y", "(x & 3)", "(x ? 2 : 4)", "x + 1", "2 * x"])

    def value(self):
        r = self.r
        return r.choice(["0", "1", "7", "-1", "0x1234", "x", "y", "x + 3", "x * y", "(x << 4) + y", "255 - x"])

    def say(self, line):
        self.lines.append("  " + line)

    def check(self, e):
        r = self.r
        kind = r.random()
        if kind < 0.35:
            self.say(f"if (({e}) == {self.value()}) reach_error();")
        elif kind < 0.5:
            self.say(f"assert(({e}) != {r.choice(['7', '77', '0', '258', '-3'])});")
        elif kind < 0.8:
            self.say(f"if ({e}) g++;")
        else:
            self.say(f"g += {e};")

    # ---- features ----
    def bytes_to_word(self):
        r, a = self.r, self.name("a")
        n = r.choice([2, 4])
        self.say(f"unsigned char {a}[{n}]{r.choice(['', ' = {0}', ' = {1, 2}'])};")
        self.say(f"for (int i = {r.choice(['0', '0', '1'])}; i < {n}; i++) {a}[i] = {self.value()};")
        if r.random() < 0.5:
            self.check(" | ".join(f"(unsigned){a}[{i}] << {8 * i}" for i in range(n)))
        else:
            self.check(f"*({'uint16_t' if n == 2 else 'uint32_t'} *){a}")

    def array(self):
        r, a = self.r, self.name("a")
        size, t = r.choice([3, 4, 5]), r.choice(["int", "short", "unsigned char", "long long"])
        self.say(f"{r.choice(['', '', 'static '])}{t} {a}[{size}]{r.choice(['', ' = {0}', ' = {5, 6, 7}'])};")
        for _ in range(r.randint(1, 2)):
            self.say(f"{a}[{self.index(size)}] = {self.value()};")
        if r.random() < 0.5:
            self.say(f"if (x) memset({a}, {r.choice(['0', '1', 'y'])}, {self.length(size)});")
        if r.random() < 0.3:
            self.say(f"{t} *p{a} = {a} + {self.index(size)}; *p{a} += 1;")
        self.check(f"{a}[{self.index(size)}]")

    def copy(self):
        r, a, b = self.r, self.name("a"), self.name("b")
        t, size = r.choice([("int", 3), ("unsigned char", 6), ("short", 4), ("struct mix", 1), ("struct tight", 2)])
        kind = "" if t.startswith("struct") else r.choice(["", " = {1, 2, 3}"])
        self.say(f"{t} {a}[{size}]{kind}, {b}[{size}]{r.choice(['', ' = {0}'])};")
        whole = f"sizeof {a}"
        if t.startswith("struct"):
            self.say(f"{a}[0].whole = {self.value()}; {a}[0].tag = {self.value()};")
            if r.random() < 0.5:
                self.say(f"{a}[0].part = {self.value()};")
        else:
            self.say(f"{a}[{r.randrange(size)}] = {self.value()};")
        call = r.choice(["memcpy", "memcpy", "memmove"])
        n = r.choice([whole, self.length(6), f"{self.length(3)} * sizeof *{a}"])
        if call == "memmove" and r.random() < 0.5:
            self.say(f"memmove((char *){a} + {r.choice(['0', '1', '(x & 1)'])}, {a}, {r.choice(['2', '(x & 3)', '1'])});")
        if r.random() < 0.3:
            self.say(f"{call}((char *){b} + {r.choice(['0', '1', 'y'])}, (char *){a} + {r.choice(['0', '1', 'x'])}, {self.length(3)});")
        else:
            self.say(f"{call}({b}, {a}, {n});")
        if t.startswith("struct"):
            self.check(f"{b}[0].{r.choice(['whole', 'tag', 'part'])}")
        else:
            self.check(f"{b}[{r.choice(['0', '1', self.index(size)])}]")
        if r.random() < 0.4:
            self.check(f"memcmp({a}, {b}, {r.choice(['1', '2', self.length(4), whole])})")

    def structure(self):
        r, s, t = self.r, self.name("s"), self.name("s")
        kind = r.choice(["struct mix", "struct tight"])
        self.say(f"{kind} {s}{r.choice(['', ' = {0}', ' = {1, 2, 3}'])}, {t};")
        for _ in range(r.randint(1, 3)):
            self.say(f"{s}.{r.choice(['tag', 'part', 'whole'])} = {self.value()};")
        self.say(f"{t} = {s};")
        if r.random() < 0.4:
            self.say(f"((unsigned char *)&{t})[{self.index(7)}] = {self.value()};")
        self.check(f"{t}.{r.choice(['tag', 'part', 'whole'])}")
        if r.random() < 0.3:
            self.check(f"*(short *)((char *)&{t} + {r.choice(['1', '2', 'x', '4'])})")

    def bit_fields(self):
        r, s = self.r, self.name("s")
        self.say(f"struct bits {s}{r.choice(['', ' = {0}'])};")
        for _ in range(r.randint(1, 3)):
            self.say(f"{s}.{r.choice('abc')} = {r.choice(['x', 'y', '1', '3'])};")
        if r.random() < 0.3:
            self.say(f"struct bits c{s} = {s}; {s} = c{s};")
        self.check(f"{s}.{r.choice('abc')}")

    def union(self):
        r, u = self.r, self.name("u")
        self.say(f"union both {u}{r.choice(['', ' = {0}', ' = {.u = 0x01020304}'])};")
        for _ in range(r.randint(1, 3)):
            self.say(r.choice([f"{u}.u = {self.value()};", f"{u}.b[{self.index(4)}] = {self.value()};", f"{u}.h[{self.index(2)}] = {self.value()};"]))
        self.check(r.choice([f"{u}.u", f"{u}.b[{self.index(4)}]", f"{u}.h[{self.index(2)}]"]))

    def text(self):
        r, s, t = self.r, self.name("s"), self.name("t")
        size = r.choice([3, 4, 6])
        self.say(f"char {s}[{size}]{r.choice(['', ' = {0}', ' = {97, 98}'])}, {t}[{r.choice([size, 4])}];")
        self.say(f"{s}[{self.index(size)}] = {r.choice(['0', 'x', '97', '98'])};")
        if r.random() < 0.5:
            self.say(f"{s}[{size - 1}] = 0;")
        kind = r.random()
        if kind < 0.4:
            self.check(f"strlen({s})")
        elif kind < 0.7:
            self.say(f"strcpy({t}, {s});")
            self.check(f"{t}[{self.index(2)}]")
        else:
            self.check(f"strcmp({s}, {r.choice([chr(34) + 'ab' + chr(34), chr(34) + chr(34), s])})")

    def heap(self):
        r, p = self.r, self.name("p")
        t, size = r.choice([("int", "sizeof(int)"), ("unsigned char", "1"), ("short", "2")])
        n = r.choice(["3", "4", "x + 1", "(x ? 2 : 3)", "y + 2"])
        self.say(f"{t} *{p} = {r.choice([f'malloc({n} * {size})', f'calloc({n}, {size})'])};")
        if r.random() < 0.3:
            self.say(f"for (int i = 0; i < {n}; i++) {p}[i] = i;")
        for _ in range(r.randint(1, 2)):
            self.say(f"{p}[{self.index(3)}] = {self.value()};")
        if r.random() < 0.3:
            self.say(f"{p} = realloc({p}, {r.choice(['6', '4', 'x + 2'])} * {size});")
        if r.random() < 0.2:
            self.say(f"memset({p}, {self.value()}, {self.length(3)});")
        self.check(f"{p}[{self.index(3)}]")
        if r.random() < 0.5:
            self.say(f"{r.choice(['', 'if (x) '])}free({p});")
            if r.random() < 0.3:
                self.check(f"{p}[0]")

    def list(self):
        r, h, n = self.r, self.name("h"), self.name("n")
        self.say(f"struct node *{h} = 0;")
        self.say(f"for (int i = 0; i < {r.choice(['2', '3', 'x', '(x & 1) + 1'])}; i++) {{ struct node *{n} = malloc(sizeof *{n});"
                 f"{r.choice([f' {n}->value = i;', f' {n}->value = y;', ''])} {n}->next = {h}; {h} = {n}; }}")
        self.say(f"int s{h} = 0; for (struct node *c = {h}; c; c = c->next) s{h} += c->value;")
        self.check(f"s{h}")
        if r.random() < 0.5:
            self.say(f"while ({h}) {{ struct node *c = {h}->next; free({h}); {h} = c; }}")
        if r.random() < 0.3:
            self.check(f"{h}->value")

    def flexible(self):
        r, f = self.r, self.name("f")
        n = r.choice(["x + 1", "4", "(y & 1) + 1"])
        self.say(f"struct flexible *{f} = malloc(sizeof *{f} + {n}); {f}->n = {n};")
        self.say(f"for (int i = 0; i < {r.choice([f'{f}->n', f'{f}->n', '2', f'{f}->n + 1'])}; i++) {f}->data[i] = {r.choice(['i', 'x', 'y'])};")
        self.check(f"{f}->data[{r.choice(['0', 'x', f'{f}->n - 1'])}]")

    def pointers(self):
        r, a, b, p = self.r, self.name("a"), self.name("b"), self.name("p")
        self.say(f"int {a} = {self.value()}, {b}{r.choice(['', ' = 4'])}, *{p} = x ? &{a} : &{b};")
        if r.random() < 0.5:
            self.say(f"*{p} = {self.value()};")
        self.check(f"*{p}")
        if r.random() < 0.3:
            self.say(f"int **q{p} = &{p}; **q{p} = y; *q{p} = &{b};")
            self.check(f"*{p} + {b}")

    def unset(self):
        r, v, w = self.r, self.name("v"), self.name("w")
        self.say(f"{r.choice(['int', 'unsigned', 'unsigned char'])} {v}, {w};")
        self.say(f"if ({r.choice(['x', 'y', 'x & 1', '1', 'x < 3'])}) {v} = {self.value()};")
        self.say(f"{w} = {r.choice([v, f'{v} + 1', f'{v} & 0', f'x ? {v} : 1', f'{v} | 255', f'{v} << 3'])};")
        self.check(w)

    def printed(self):
        r, s = self.r, self.name("s")
        size = r.choice([3, 4, 5, 8])
        self.say(f"char {s}[{size}]{r.choice(['', ' = {0}', ' = {97, 98}'])};")
        conversion, value = r.choice([("%d", self.value()), ("%u", self.value()), ("%x", self.value()), ("%c", "97 + x"), ("%s", '"a"'), ("%s", 'x ? "ab" : ""'),
                                      ("%2d", "x"), ("%02x", "y"), ("%-3d", "y"), ("%+d", "x"), ("%.2s", '"abc"'), ("%3s", 'y ? "b" : ""'), ("%o", "x")])
        text = f'"{r.choice(["", "v", "="])}{conversion}{r.choice(["", ";", "%%"])}"'
        call = r.choice([f"sprintf({s}, {text}, {value})", f"snprintf({s}, {self.length(size)}, {text}, {value})",
                         f"snprintf({s}, {size}, {text}, {value})", f"snprintf({s}, sizeof {s}, {text}, {value})"])
        if r.random() < 0.4:
            self.check(call)
        else:
            self.say(f"{call};")
        self.check(r.choice([f"strlen({s})", f"{s}[{self.index(size)}]", f"{s}[1]"]))

    def buffers(self):
        """Large objects that the same functions access, some of them with several lifetimes."""
        r, f, m = self.r, self.name("f"), self.name("m")
        t = r.choice(["unsigned char", "unsigned char", "int", "short", "long double"])
        sizes = [r.choice([4, 40, 100, 700]) for _ in range(3)]
        index = lambda: r.choice(["0", "1", "k", "k & 1", "2"])
        put, get = f"put_{f}", f"get_{f}"
        body = [f"{t} b[{sizes[0]}]{r.choice(['', '', ' = {1}'])};"]
        if r.random() < 0.6:
            body.append(f"{t} c[{sizes[1]}]{r.choice(['', ' = {0}'])};")
        names = ["outer", "b"] + (["c"] if len(body) > 1 else [])
        for _ in range(r.randint(2, 4)):
            to, value = r.choice(names), r.choice(["k", "1", f"{get}({r.choice(names)}, {index()})"])
            body.append(f"{r.choice(['', '', 'if (k) '])}{put}({to}, {index()}, {value});")
        body.append(f"return {get}({r.choice(names)}, {index()});")
        self.functions.append(f"static int {get}(const {t} *p, int i) {{ return (int)p[i]; }}\n"
                              f"static void {put}({t} *p, int i, int v) {{ p[i] = ({t})v; }}\n"
                              f"static int {f}({t} *outer, int k) {{\n  " + "\n  ".join(body) + "\n}\n")
        self.say(f"{r.choice(['', 'static '])}{t} {m}[{sizes[2]}]{r.choice(['', ' = {0}', ' = {3}'])};")
        self.say(f"for (int i = 0; i < {r.choice(['1', '2', '2', 'x'])}; i++) g += {f}({m}, {r.choice(['i', 'x', 'y'])});")
        self.check(f"{get}({m}, {self.index(2)})")

    def text_of(self, only=()):
        r = self.r
        features = [getattr(self, name) for name in only] or [self.bytes_to_word, self.array, self.array, self.copy, self.copy, self.copy, self.structure, self.bit_fields, self.union, self.text,
                    self.heap, self.heap, self.list, self.flexible, self.pointers, self.unset, self.printed, self.buffers, self.buffers]
        for _ in range(r.randint(1, 2)):
            r.choice(features)()
        limit = r.choice(["2", "3", "4"])
        return (HEAD + "int g;\n" + "".join(self.functions) + "int main(void) {\n  int x = __VERIFIER_nondet_uchar(), y = __VERIFIER_nondet_uchar();\n"
                f"  if (x >= {limit} || y >= 3) return 0;\n" + "\n".join(self.lines) + "\n  return 0;\n}\n")


def one(job):
    binary, seed, limit, keep, engines, show, only, never_set = job
    settings = ["--32"] if seed % 2 else []
    if seed % 7 == 3:
        settings += ["--property", "unreach-call,valid-deref,valid-free"]
    if never_set:
        settings = settings[:1 if seed % 2 else 0] + ["--property", "unreach-call"]
    text = NeverSet(seed).text_of() if never_set else Program(seed).text_of(only)
    if show:
        print(f"// seed {seed} {' '.join(settings)}\n{text}")
    return symbolic.examine("memory", seed, text, settings, binary, limit, keep, engines, never_set)


def main():
    parser = symbolic.options(__doc__)
    parser.add_argument("--print", action="store_true")
    parser.add_argument("--never-set", action="store_true")
    parser.add_argument("--feature", default="")
    a = parser.parse_args()
    engines = (a.engines or ",".join(ENGINES)).split(",")
    jobs = [(symbolic.binary_of(a), seed, a.time, a.keep, engines, a.print, [f for f in a.feature.split(",") if f], a.never_set) for seed in range(a.start, a.start + a.count)]
    return symbolic.run_all(one, jobs, a.jobs, engines)


if __name__ == "__main__":
    sys.exit(main())
