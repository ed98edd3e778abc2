#!/usr/bin/env python3
"""Compares observer automata with the same automata written into the program by hand, on random programs.

usage: fuzz/observer.py [--from SEED] [--count N] [--binary build/proviso] [--engines A,B] [--keep FOLDER]

A program has three functions a, b and c that do nothing, called in random control flow, directly and through a
pointer, beside assignments to globals. An automaton moves at their calls: deterministic and nondeterministic states,
variables, assumptions over the globals, STOP. The oracle is the program with the automaton as C code at the beginning
of the functions, checked for unreach-call by exhaustive execution. Each engine must find an error exactly if there is
one; `true` must not come where a path was cut. Proofs are checked. Prints `N passed, N failed`.
"""
import argparse, os, random, re, subprocess, sys, tempfile

FUNCTIONS = ["a", "b", "c"]


class Case:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.states = ["s%d" % i for i in range(self.r.randint(1, 4))]
        self.automaton()
        self.program()

    def condition(self):
        return self.r.choice(["x > 1", "x <= 1", "y == 2", "x != y", "(x & 1) == 0", "!y", "x + y < 3 || y > 2"])

    def transition(self):
        r = self.r
        t = {"calls": r.sample(FUNCTIONS, r.randint(1, 3)), "not": r.random() < 0.1, "v": None, "assume": None,
             "do": None, "go": r.choice(self.states)}
        if r.random() < 0.3:
            t["v"] = (r.choice(["==", "!="]), r.randint(0, 2))
        if r.random() < 0.35:
            t["assume"] = self.condition()
        if r.random() < 0.35:
            t["do"] = r.choice(["v + 1", "0", "v - 1", "2"])
        if r.random() < 0.25:
            t["go"] = "ERROR"
        elif r.random() < 0.08:
            t["go"] = "STOP"
        return t

    def automaton(self):
        r = self.r
        self.table = [(r.random() < 0.5, [self.transition() for _ in range(r.randint(0, 4))]) for _ in self.states]

    def spc(self):
        out = ["CONTROL AUTOMATON random", "LOCAL int v = 0;", "INITIAL STATE s0;"]
        for name, (first, transitions) in zip(self.states, self.table):
            out.append("STATE %s %s :" % ("USEFIRST" if first else self.r.choice(["USEALL", ""]), name))
            for t in transitions:
                trigger = " || ".join(self.r.choice(["MATCH {%s($?)}", 'MATCH FUNCTIONCALL "%s"', "MATCH {%s()}"]) % f
                                      for f in t["calls"])
                trigger = "!(%s)" % trigger if t["not"] else "(%s)" % trigger
                # other moves than calls of these functions are not for the oracle
                trigger += " && (%s)" % " || ".join("MATCH {%s($?)}" % f for f in FUNCTIONS)
                if t["v"]:
                    trigger = "(%s) && v %s %d" % ((trigger,) + t["v"])
                text = "  %s ->" % trigger
                if t["assume"]:
                    text += " ASSUME {%s}" % t["assume"]
                if t["do"]:
                    text += " DO v = %s" % t["do"]
                text += " ERROR;" if t["go"] == "ERROR" else " STOP;" if t["go"] == "STOP" else " GOTO %s;" % t["go"]
                out.append(text)
        return "\n".join(out + ["END AUTOMATON", ""])

    def holds(self, t, function):
        static = (function in t["calls"]) != t["not"]
        return "(%d && v_ %s %d)" % ((static,) + t["v"]) if t["v"] else str(int(static))

    def take(self, t, assumed):
        out = ""
        if t["do"]:
            out += "v_ = %s; " % t["do"].replace("v", "v_")
        if t["assume"] and not assumed:
            out += "if (!(%s)) cut(); " % t["assume"]
        out += "reach_error();" if t["go"] == "ERROR" else "cut();" if t["go"] == "STOP" else \
            "state_ = %d;" % self.states.index(t["go"])
        return out

    def hook(self, function):
        out = []
        for i, (first, transitions) in enumerate(self.table):
            out.append("  if (state_ == %d) {" % i)
            if first:
                for t in transitions:
                    out.append("    if (%s) { %s return; }" % (self.holds(t, function), self.take(t, False)))
            else:
                out.append("    int any = 0;")
                for t in transitions:
                    possible = "%s && (%s)" % (self.holds(t, function), t["assume"] or "1")
                    out.append("    if (%s) any = 1;" % self.holds(t, function))
                    out.append("    if (%s && __VERIFIER_nondet_bool()) { %s return; }" % (possible, self.take(t, True)))
                out.append("    if (any) __VERIFIER_assume(0);")
            out.append("    return;\n  }")
        return "\n".join(out)

    def block(self, depth, indent):
        r, out = self.r, []
        pad = "  " * indent
        for _ in range(r.randint(1, 3)):
            k = r.random()
            if k < 0.35:
                out.append("%s%s();" % (pad, r.choice(FUNCTIONS)))
            elif k < 0.42:
                out.append("%sp = %s;" % (pad, r.choice(FUNCTIONS)))
            elif k < 0.52:
                out.append("%sp();" % pad)
            elif k < 0.64:
                out.append("%s%s = %s;" % (pad, r.choice("xy"), r.choice(["x + 1", "y - 1", "in()", "3", "x & y"])))
            elif depth and k < 0.84:
                out.append("%sif (%s) {" % (pad, self.r.choice([self.condition(), "in() == 1"])))
                out += self.block(depth - 1, indent + 1)
                if r.random() < 0.5:
                    out += ["%s} else {" % pad] + self.block(depth - 1, indent + 1)
                out.append("%s}" % pad)
            elif depth:
                i = "i%d" % self.r.randint(0, 10 ** 6)
                out.append("%sfor (int %s = 0; %s < %d; %s++) {" % (pad, i, i, r.randint(1, 3), i))
                out += self.block(depth - 1, indent + 1) + ["%s}" % pad]
        return out

    def program(self):
        self.body = "\n".join(self.block(2, 1))

    def source(self, oracle):
        out = ["extern unsigned char __VERIFIER_nondet_uchar(void); extern _Bool __VERIFIER_nondet_bool(void);",
               "extern void __VERIFIER_assume(int), reach_error(void), exit(int);",
               "static int x, y, state_, v_;",
               "static int in(void) { unsigned char n = __VERIFIER_nondet_uchar(); __VERIFIER_assume(n < 3); return n; }"]
        for f in FUNCTIONS:
            if oracle:
                out.append("static void cut(void) { __VERIFIER_assume(0); }" if f == "a" else "")
                out.append("static void move_%s(void) {\n%s\n}" % (f, self.hook(f)))
            out.append("static void %s(void) { %s }" % (f, "move_%s();" % f if oracle else ""))
        return "\n".join(out + ["int main(void) {", "  void (*p)(void) = a; x = y = 0;", self.body, "}", ""])


def run(binary, args):
    done = subprocess.run([binary, "check", "--limit", "time=20s", "--quiet"] + args, capture_output=True, text=True)
    found = re.search(r"Verification result: (.*)", done.stdout)
    return (found.group(1) if found else "error: " + done.stderr.strip()), done.stdout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--binary", default="build/proviso")
    parser.add_argument("--engines", default="explicit,value,predicate,composite,bmc,kinduction")
    parser.add_argument("--keep")
    options = parser.parse_args()
    passed = failed = errors = decided = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.first, options.first + options.count):
            case = Case(seed)
            paths = {name: os.path.join(folder, name) for name in ("plain.c", "oracle.c", "f.spc")}
            for name, text in (("plain.c", case.source(False)), ("oracle.c", case.source(True)), ("f.spc", case.spc())):
                with open(paths[name], "w", encoding="utf-8") as f:
                    f.write(text)
            want, _ = run(options.binary, ["--engine", "explicit", "--property", "unreach-call", paths["oracle.c"]])
            wrong = [] if want in ("true", "false(unreach-call)") else ["oracle: " + want]
            errors += want != "true"
            for engine in options.engines.split(","):
                got, text = run(options.binary, ["--engine", engine, "--check-proof", "--property", "observer",
                                                 "--observer", paths["f.spc"], paths["plain.c"]])
                decided += got != "unknown"
                if got == "false(observer)":
                    fine = want != "true"
                elif got == "true":
                    fine = want == "true"
                elif got == "conditional":
                    cuts = "stops no path" in text or "the assumption {" in text
                    fine = want == "true" and cuts or engine != "explicit"
                else:
                    fine = got == "unknown" and engine != "explicit" and "refuted" not in text
                if not fine:
                    wrong.append("%s: %s, not %s" % (engine, got, want))
            if wrong:
                failed += 1
                print("seed %d: %s" % (seed, "; ".join(wrong)))
                if options.keep:
                    os.makedirs(options.keep, exist_ok=True)
                    for name, path in paths.items():
                        with open(path, encoding="utf-8") as f, \
                                open(os.path.join(options.keep, "%d_%s" % (seed, name)), "w", encoding="utf-8") as g:
                            g.write(f.read())
            else:
                passed += 1
    print("%d programs with an error, %d answers" % (errors, decided))
    print("%d passed, %d failed" % (passed, failed))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
