#!/usr/bin/env python3
"""Every pair of engines on random programs: the second one explores what the condition of the first one leaves open.

usage: fuzz/pairs.py [--from SEED] [--count N] [--seconds N] [--threads | --sequential] [--first RE] [--second RE]
                     [--build FOLDER] [--keep FOLDER] [--sparse N] [--reading] [--wide SHARE]
                     [--killed SHARE]

Like fuzz/conditions.py, but a program is compiled and read only once (fuzz/server.c), and the condition of each first
engine is given to each second one. The first search is exhaustive and without reduction; it keeps going after errors. Then
each first engine stops at a random limit, or leaves out what exceeds a random bound, or tries only some values of inputs
(three programs of ten have inputs of 32 bits). Three of ten are killed when they have written an interim condition, at a random
moment of those at which that may happen.
Each second engine explores what is open. These are wrong:

* a verdict `true`, or a property without a proviso, although there is an error, and `false` although there is none;
* an error of the program in what an automaton calls verified (its complement, explored exhaustively).

Now and then a second engine is stopped, too, and a third one goes on; and a second engine gets the product of the
conditions of two first ones. Prints how many chains each pair had, how many of them decided their program, and in how many
the second engine used the condition; and the same for each form of what was open. Programs with a difference are written
to --keep. Closes with `N passed, N failed`. Needs BUILD-FOLDER/libproviso.a of a build without link-time optimisation.
"""
import argparse, collections, contextlib, json, os, random, re, subprocess, sys, tempfile, time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import conditions, generate, symbolic
from server import KILLED, Difference, Server, build_server

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CONFLICT = {"dependence": "conflict", "peek": "0", "prune": "0"}
EXPLICIT = [("explicit", {}), ("explicit bfs", {"search": "bfs"}), ("explicit best", {"search": "best"}), ("explicit beam", {"search": "beam"})]
SYMBOLIC = [(name, {}) for name in ("value", "predicate", "composite", "bmc", "kinduction")]
ENGINES = {
    True: EXPLICIT + [("explicit none", {"por": "none"}), ("explicit sleep", {"por": "sleep"}), ("explicit persistent", {"por": "persistent"}),
                      ("dpor", {}), ("dpor conflict", CONFLICT), ("dpor preemptions", {"preemptions": None})] + SYMBOLIC + [("esst", {}), ("auto", {})],
    False: EXPLICIT + [("dpor", {})] + SYMBOLIC + [("auto", {})]}


class Table:
    def __init__(self):
        self.rows = collections.defaultdict(lambda: [0, 0, 0])

    def add(self, key, decided, used):
        row = self.rows[key]
        row[0] += 1
        row[1] += decided
        row[2] += used

    def show(self, title):
        print(f"\n{title}: chains, of them decided, of them with a second engine that used the condition")
        for key, row in sorted(self.rows.items()):
            print("  %-22s -> %-22s %6d %6d %6d" % (*key, *row))
        print(f"  {len(self.rows)} pairs, {sum(row[0] for row in self.rows.values())} chains")


def widened(text):
    """The same program with inputs of 32 bits, of which the explicit engine cannot try all values."""
    number = "extern int __VERIFIER_nondet_int(void);\n"
    text = text.replace("extern unsigned char __VERIFIER_nondet_uchar(void);",
                        number + "static unsigned char __wide(void) { return (unsigned char)__VERIFIER_nondet_int(); }")
    text = text.replace("__VERIFIER_nondet_uchar()", "__wide()")
    return text.replace("int proviso_choose(int low, int high);", number + "static int proviso_choose(int low, int high) {\n"
                        "  return low + (int)((unsigned)__VERIFIER_nondet_int() % (unsigned)(high - low + 1));\n}")


def reading(seed):
    """A program that reads several inputs, in loops and functions too, of which eight values matter. With -DWIDE they have 32
    bits, and the explicit engine does not try all of these eight."""
    lot = random.Random(seed)
    n = lot.randint(2, 4)  # variables

    def value():
        return lot.choice(["in()", "in()", "one()", "v%d" % lot.randrange(n), str(lot.randrange(8))])

    def test():
        return "%s %s %s" % (lot.choice(["in()", "v%d" % lot.randrange(n)]), lot.choice(["==", "==", ">", "<", "!="]), lot.randrange(8))

    def block(depth, loops):
        return "{ " + " ".join(statement(depth + 1, loops) for _ in range(lot.randint(1, 3))) + " }"

    def statement(depth, loops):
        kind = lot.random()
        if kind < 0.12:
            return "if (v%d == %d && v%d == %d) reach_error();" % (lot.randrange(n), lot.randrange(9), lot.randrange(n), lot.randrange(9))
        if kind < 0.5 and depth < 3:
            return "if (%s) %s%s" % (test(), block(depth, loops), " else " + block(depth, loops) if lot.random() < 0.5 else "")
        if kind < 0.6 and depth < 2 and not loops:
            return "for (int i = 0; i < %d; i++) %s" % (lot.randint(2, 3), block(depth, True))
        if kind < 0.66:
            return "if (%s) return 0;" % test()
        x = lot.randrange(n)
        return "v%d = %s;" % (x, value()) if kind < 0.8 else "v%d = (v%d + %s) %% 9;" % (x, x, value())

    body = "\n  ".join(statement(0, False) for _ in range(lot.randint(4, 8)))
    return ("""extern int proviso_choose(int low, int high);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#ifdef WIDE
static int in(void) { return (int)((unsigned)__VERIFIER_nondet_int() %% 8); }
#else
static int in(void) { return proviso_choose(0, 7); }
#endif
static int v0, %s;
static int one(void) { v0++; return in() > 3 ? in() : 2; }
int main(void) {
  %s
  if (v0 == %d && v1 > %d) reach_error();
  return 0;
}
""" % (", ".join("v%d" % i for i in range(1, n)), body, lot.randrange(9), lot.randrange(8)))


def forms(path):
    """What is open in the condition."""
    found = set()
    with open(path, "rb") as f:
        for line in f:
            if line.startswith(b"part "):
                words = line.split()
                found.add(words[1].decode() + (" " + words[2].decode() if words[1] == b"bound" else ""))
    return "+".join(sorted(found)) or "nothing or everything"


class Run:
    def __init__(self, o):
        self.o, self.pairs, self.forms = o, Table(), Table()
        self.killed = self.chains = self.passed = self.failed = self.skipped = self.complements = self.products = self.longer = 0
        self.server = build_server(o.build)

    def stopped(self, lot, name, options, total):
        """Options that make it stop early, or leave something out."""
        out = {k: v if v is not None else str(lot.randint(0, 2)) for k, v in options.items()}
        engine = name.split()[0]
        kind = lot.random()
        if engine in ("bmc", "kinduction") and kind < 0.5:
            out["unwind"] = str(lot.randint(1, 6))
            out["limit"] = "time=4s"
        elif engine in conditions.SYMBOLIC and kind < 0.9:
            chosen = lot.sample(conditions.MONITORS, lot.choice([1, 1, 1, 2]))
            out["condition"] = ",".join(f"{key}={lot.randint(low, high)}{unit}" for key, low, high, unit in chosen)
            out["limit"] = "time=4s"
        elif options.get("preemptions", 0) is None and kind < 0.7:
            out["limit"] = "time=4s"
        elif engine == "explicit" and kind < 0.2:
            out["inputs"], out["limit"] = str(lot.randint(1, 3)), "time=4s"
        else:
            out["limit"] = f"states={lot.randint(1, max(1, int(total * lot.random())))},time=4s"
        return {"engine": engine, **out}

    def dying(self, lot, name, options):
        """The same without a limit; but it is killed."""
        return {**self.unlimited(lot, name, options), "interim": str(int(10 ** lot.uniform(0, 2.5)))}

    def unlimited(self, lot, name, options):
        out = {k: v if v is not None else "1000000" for k, v in options.items()}
        limit = "states=30000,time=20s" if name.startswith(("explicit", "dpor")) else f"time={self.o.time:g}s"
        return {"engine": name.split()[0], **out, "limit": limit}

    def judge(self, result, said):
        """Is the result possible?"""
        if result["verdict"] == "false" and not self.violated:
            raise Difference("wrong false: " + said)
        if result["verdict"] == "true" and self.violated:
            raise Difference("wrong true: " + said)
        lost = self.violated & set(result["unconditional"])
        if lost:
            raise Difference(f"wrong true of {sorted(lost)}: " + said)

    def one(self, seed, threaded):
        lot = random.Random(seed * 2 + threaded)
        small = lot.choice([(2, 3), (2, 4), (3, 2), (3, 3)])
        text = generate.generate(seed, *small) if threaded else reading(seed) if self.o.reading else symbolic.generate(seed)
        properties = lot.choice(["unreach-call", "unreach-call,no-deadlock", "no-deadlock"] if threaded else ["unreach-call", "unreach-call", "no-overflow"])
        with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
            path = os.path.join(folder, "program.c")
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
            server = Server(self.server, path, properties, folder)
            wide = ("#define WIDE\n" + text if self.o.reading else widened(text)) if lot.random() < self.o.wide else text
            try:
                truth = server.check({"engine": "explicit", "por": "none", "keep-going": "1", "limit": "states=20000,time=20s"})
                if truth is None or any(p["kind"] in ("TIME", "STATES", "MEMORY", "INPUT") for p in truth["provisos"]):
                    self.skipped += 1
                    return
                self.violated = {v["property"] for v in truth["violations"]}
                if wide != text:
                    server.close()
                    text = wide
                    with open(path, "w", encoding="utf-8") as f:
                        f.write(text)
                    server = Server(self.server, path, properties, folder)
                    truth = server.check({"engine": "explicit", "keep-going": "1", "limit": "states=20000,time=20s"}) or truth
                self.chain(server, lot, threaded, max(2, truth["stats"]["states"]), properties, text, seed, folder)
            except RuntimeError:
                self.skipped += 1
            except Difference as difference:
                self.fail(seed, threaded, properties, text, difference)
            finally:
                server.close()

    def fail(self, seed, threaded, properties, text, difference):
        self.failed += 1
        print(f"{'--threads' if threaded else '--sequential'} --from {seed}: {properties}: {difference}", flush=True)
        if self.o.keep:
            os.makedirs(self.o.keep, exist_ok=True)
            with open(os.path.join(self.o.keep, f"{seed}{'t' if threaded else 's'}{self.failed}.c"), "w", encoding="utf-8") as f:
                f.write(f"// {properties}\n// {difference}\n" + text)

    def chain(self, server, lot, threaded, total, properties, text, seed, folder):
        ways = []  # name, options as words, file
        for name, options in ENGINES[threaded]:
            written = os.path.join(folder, "first " + name).replace(" ", "-")
            dies = name != "auto" and lot.random() < self.o.killed
            first = self.dying(lot, name, options) if dies else self.stopped(lot, name, options, total)
            if not re.search(self.o.first_engine, name):
                continue
            said = " ".join(f"{k}={v}" for k, v in first.items())
            result = server.check({**first, "proviso": written})
            if result is None:
                continue
            if result is KILLED:
                if os.path.exists(written):
                    self.killed += 1
                    ways.append((name, said, written, None))
                continue
            self.judge(result, said)
            if result["verdict"] == "conditional" or set(properties.split(",")) - set(result["unconditional"]) and result["verdict"] != "false":
                ways.append((name, said, written, first.get("inputs")))
                if lot.random() < 0.4:
                    self.complement(server, written, said)
        if len(ways) > 1 and lot.random() < 0.3:
            one, other = lot.sample(ways, 2)
            both = os.path.join(folder, "product")
            done = subprocess.run([self.o.binary, "condition", "product", one[2], other[2], "-o", both], capture_output=True, text=True)
            if done.returncode == 0:
                self.products += 1
                ways.append((None, f"product of ({one[1]}) and ({other[1]})", both, one[3] or other[3]))
        for name, said, written, inputs in ways:
            form = forms(written)
            for second, options in ENGINES[threaded]:
                rare = 4 if threaded and second in ("bmc", "kinduction") else 1  # these seldom decide programs with threads
                if not re.search(self.o.second_engine, second) or lot.random() * self.o.sparse * rare > 1:
                    continue
                try:
                    self.second(server, lot, threaded, total, name, said, written, inputs, form, second, options, folder)
                except Difference as difference:
                    self.fail(seed, threaded, properties, text, difference)

    def second(self, server, lot, threaded, total, name, said, written, inputs, form, second, options, folder):
        more = {"inputs": inputs} if inputs and "frontier" in form else {}  # its choices are numbers of values
        words = {**self.unlimited(lot, second, options), **more, "given": written}
        third = None
        if lot.random() < 0.1:  # is stopped, too
            words = {**self.stopped(lot, second, options, total), **more, "given": written, "proviso": os.path.join(folder, "second")}
            third = lot.choice(ENGINES[threaded])
        text = said + "; " + " ".join(f"{k}={v}" for k, v in words.items() if k not in ("given", "proviso"))
        result = server.check(words)
        if result is None:
            return
        self.judge(result, text)
        if third and result["verdict"] == "conditional":
            words = {**self.unlimited(lot, *third), **more, "given": words["proviso"]}
            text += "; " + " ".join(f"{k}={v}" for k, v in words.items() if k != "given")
            result = server.check(words)
            if result is None:
                return
            self.judge(result, text)
            self.longer += 1
        self.passed += 1
        used = not any("looked at all executions" in note for note in result["notes"])
        decided = result["verdict"] in ("true", "false")
        prefix = "T " if threaded else "S "
        self.pairs.add((prefix + (name or "product"), second), decided, used)
        self.forms.add((prefix + form, second), decided, used)

    def complement(self, server, written, said):
        # An error that a bound on refinements gives up is at the edge that leads to `open`. In the complement this edge leads
        # to `verified`, and whoever takes it may look at it.
        if "refinement" in said or "path-formula" in said:
            return
        done = subprocess.run([self.o.binary, "condition", "complement", written, "-o", written + ".complement"], capture_output=True, text=True)
        if done.returncode == 0:
            self.complements += 1
            result = server.check({"engine": "explicit", "por": "none", "given": written + ".complement", "limit": "time=4s"})
            if result and result["verdict"] == "false":
                raise Difference("an error in what is verified: " + said)

    def show(self):
        self.pairs.show("pairs of engines (T: with threads, S: without)")
        self.forms.show("forms of what was open, and second engines")
        usage = os.times()
        print(f"\n{self.skipped} programs skipped, {self.complements} complements, {self.products} products, {self.longer} chains of three, {self.killed} first engines killed; "
              f"{usage.children_user + usage.children_system + usage.user + usage.system:.0f} s of CPU time")
        print(f"{self.passed} passed, {self.failed} failed", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--from", dest="first", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=1e9, help="no program is begun later")
    parser.add_argument("--threads", action="store_true", help="only programs with threads")
    parser.add_argument("--sequential", action="store_true", help="only programs without")
    parser.add_argument("--first", dest="first_engine", default="", metavar="RE", help="only these first engines")
    parser.add_argument("--second", dest="second_engine", default="", metavar="RE", help="only these second engines")
    parser.add_argument("--sparse", type=float, default=1, metavar="N", help="one of N second engines for each first one")
    parser.add_argument("--reading", action="store_true", help="programs without threads that read several inputs")
    parser.add_argument("--wide", type=float, default=0.3, metavar="SHARE", help="of programs whose inputs have 32 bits")
    parser.add_argument("--killed", type=float, default=0.3, metavar="SHARE", help="of first engines that are killed")
    parser.add_argument("--time", type=float, default=2, metavar="SECONDS", help="of second engines that are symbolic")
    parser.add_argument("--build", default=os.path.join(ROOT, "build"), metavar="FOLDER")
    parser.add_argument("--keep", metavar="FOLDER")
    parser.add_argument("--table", metavar="FILE", help="write the tables so far there, every ten seeds")
    o = parser.parse_args()
    o.binary = os.path.join(o.build, "proviso")
    run, end = Run(o), time.time() + o.seconds
    for seed in range(o.first, o.first + o.count):
        for threaded in (True, False):
            if time.time() < end and not (o.sequential if threaded else o.threads):
                run.one(seed, threaded)
        if seed % 10 == 0:
            print(f"... seed {seed}: {run.passed} passed, {run.failed} failed", flush=True)
            if o.table:
                with open(o.table, "w", encoding="utf-8") as f, contextlib.redirect_stdout(f):
                    run.show()
    run.show()
    return run.failed != 0


if __name__ == "__main__":
    sys.exit(main())
