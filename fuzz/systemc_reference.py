#!/usr/bin/env python3
"""Random SystemC models in C++, as the machine runs them, against the reference implementation.

usage: fuzz/systemc_reference.py --include FOLDER --library FILE [--binary build/proviso] [--from SEED] [--count N] [--integers] [--keep FOLDER]
       fuzz/systemc_reference.py --print SEED [--integers]

FOLDER and FILE are the headers and the static library of Accellera's distribution of SystemC (not part of this repository).
Each model has two to four processes that notify and wait in all forms, signals, a buffer, a fifo, a mutex, now and then a clock,
and several calls of sc_start. It is compiled with the library and run, and by `proviso` with --order accellera; both must print the
same but for warnings. With --integers the programs are sequential: bits, parts and concatenations of sc_int and sc_uint.
Programs that differ are written to --keep. Closes with `N passed, N failed`.
"""
import argparse, difflib, importlib.util, os, random, shutil, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
spec = importlib.util.spec_from_file_location("golden", os.path.join(ROOT, "bench", "esst", "systemc", "golden.py"))
golden = importlib.util.module_from_spec(spec)
spec.loader.exec_module(golden)

HEAD = ["#include <systemc>", "using namespace sc_core;", "using namespace sc_dt;", "using std::cout;", "using std::endl;"]
EVENTS, SIGNALS = ["e0", "e1", "e2"], ["s0", "s1", "s2"]


class Model:
    """Processes of one module."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.has_clock = self.r.random() < 0.4

    def time(self):
        return "%d, SC_NS" % self.r.choice([1, 2, 3, 5, 10])

    def event(self):
        r = self.r
        edge = "c.posedge_event()" if self.has_clock else r.choice(EVENTS)
        return r.choice(EVENTS + [r.choice(SIGNALS) + ".value_changed_event()", edge, "f.data_written_event()"])

    def list(self, operators="&|"):
        return (" %s " % self.r.choice(operators)).join(self.r.sample(EVENTS, 2))

    def statement(self, process, is_method, depth=1):
        r = self.r
        kinds = ["timed"] * 4 + ["delta"] * 3 + ["now"] * 2 + ["cancel"] + ["write"] * 5 + ["buffer", "put", "get", "add", "print", "end"]
        kinds += [] if is_method else ["blocking", "lock"]
        kinds += ["if"] * 2 if depth else []
        kind = r.choice(kinds)
        if kind == "if":
            condition = r.choice(SIGNALS + ["k & 1", r.choice(SIGNALS) + ".event()", "f.num_free()"])
            branches = [self.statement(process, is_method, 0) for _ in range(2)]
            return "if (%s) { %s } else { %s }" % (condition, *branches)
        value = r.choice(["0", "1", "k", "!" + r.choice(SIGNALS), r.choice(SIGNALS) + " + 1"])
        return {"timed": "%s.notify(%s);" % (r.choice(EVENTS), self.time()),
                "delta": "%s.notify(SC_ZERO_TIME);" % r.choice(EVENTS),
                "now": "%s.notify();" % r.choice(EVENTS),
                "cancel": "%s.cancel();" % r.choice(EVENTS),
                "write": "%s.write(%s);" % (r.choice(SIGNALS), value),
                "buffer": "b.write(b.read() %s 1);" % r.choice("+^"),
                "put": "f.nb_write(k);",
                "get": '{ int x = -1; f.nb_read(x); cout << "got " << x << endl; }',
                "add": "k += 2;",
                "print": 'cout << "%s " << s0 << s1 << s2 << k << endl;' % process,
                "end": r.choice(["k += 3;", "sc_pause();", "if (k > 3) sc_stop();"]),
                "blocking": r.choice(["f.write(k);", '{ int x = f.read(); cout << "read " << x << endl; }']),
                "lock": r.choice(["m.lock(); wait(1, SC_NS); m.unlock();", "if (m.trylock() == 0) { wait(2, SC_NS); m.unlock(); }"])}[kind]

    def wait(self, verb):
        r = self.r
        forms = [self.time(), self.time(), "SC_ZERO_TIME", self.event(), self.event(), self.list("|"), self.list("&"),
                 "%s, %s" % (self.time(), self.event()), "%s, %s" % (self.time(), self.list()), ""]
        return "%s(%s);" % (verb, r.choice(forms + (["%d" % r.randint(1, 3)] if verb == "wait" else [])))

    def process(self, i, is_method):
        r, name = self.r, "p%d" % i
        lines = ["int k%d = 0;" % i, "void %s() {" % name, "  int &k = k%d;" % i]
        told = '  cout << sc_time_stamp() << " %s" << endl;' % name
        if is_method:
            lines += [told, "  if (++k > 9) { next_trigger(e2); return; }"]
            lines += ["  " + self.statement(name, True) for _ in range(r.randint(1, 4))]
            lines += ["  " + self.wait("next_trigger")] if r.random() < 0.7 else []
        else:
            lines += ["  for (; k < %d; k++) {" % r.randint(1, 6), "  " + told]
            lines += ["    " + (self.statement(name, False) if r.random() < 0.65 else self.wait("wait")) for _ in range(r.randint(2, 5))]
            lines += ["    " + self.wait("wait"), "  }", '  cout << "%s ends" << endl;' % name]
        return lines + ["}"]

    def constructor(self, processes):
        r = self.r
        clock = ', c("c", %d, SC_NS, 0.5, %d, SC_NS, %s)' % (r.choice([2, 4, 6]), r.randrange(3), r.choice(["true", "false"]))
        lines = ["SC_CTOR(M) : f(%d)%s {" % (r.randint(1, 3), clock if self.has_clock else "")]
        for i, is_method in processes:
            lines.append("  SC_%s(p%d);" % ("METHOD" if is_method else "THREAD", i))
            senses = EVENTS + SIGNALS + ["b"] + (["c", "c.posedge_event()"] if self.has_clock else [])
            lines += ["  sensitive << %s;" % r.choice(senses) for _ in range(r.choice([0, 1, 1, 2]))]
            lines += ["  dont_initialize();"] if r.random() < 0.25 else []
        return lines + ["}"]

    def main(self):
        r, lines = self.r, ["int sc_main(int, char *[]) {", '  M m("m");']
        notify = lambda: "  m.%s.notify(%s);" % (r.choice(EVENTS), r.choice(["SC_ZERO_TIME", self.time()]))
        for _ in range(r.randint(1, 4)):
            lines += [notify()] if r.random() < 0.4 else []
            time = "%d, SC_NS" % r.choice([r.randint(1, 12), 40])
            lines += ["  sc_start(%s);" % r.choice(["SC_ZERO_TIME", time, time, time + ", SC_EXIT_ON_STARVATION"]),
                      '  cout << "main " << sc_time_stamp() << " " << (int)sc_get_status() << " " << sc_pending_activity_at_current_time()',
                      "       << sc_pending_activity_at_future_time() << endl;",
                      "  if (sc_get_status() == SC_STOPPED || sc_get_status() == SC_END_OF_SIMULATION) return 0;"]
        return lines + ["  return 0;", "}"]

    def program(self):
        r = self.r
        processes = [(i, r.random() < 0.35) for i in range(r.randint(2, 4))]
        policy = r.choice(["SC_MANY_WRITERS", "SC_UNCHECKED_WRITERS"])
        members = ["sc_event e0, e1, e2;", "sc_signal<int, %s> s0, s1, s2;" % policy, "sc_buffer<int, %s> b;" % policy, "sc_fifo<int> f;",
                   "sc_mutex m;"] + (["sc_clock c;"] if self.has_clock else [])
        members += [line for i, is_method in processes for line in self.process(i, is_method)] + self.constructor(processes)
        return "\n".join(HEAD + ["struct M : sc_module {"] + ["  " + line for line in members] + ["};"] + self.main()) + "\n"


class Integers:
    """Assignments to integers, their bits and their parts."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.variables = [("v%d" % i, self.r.choice(["sc_int", "sc_uint"]), self.r.choice([1, 3, 4, 8, 12, 16, 31, 32, 33, 48, 63, 64]))
                          for i in range(4)]

    def variable(self):
        return self.r.choice(self.variables)[0]

    def place(self, most=64, whole=True):
        """And is it one bit?"""
        r = self.r
        name, _, width = r.choice(self.variables)
        kind = r.random()
        if whole and kind < 0.35:
            return name, False
        if kind < 0.65:
            return "%s[%d]" % (name, r.randrange(width)), True
        high = r.randrange(width)
        return "%s%s(%d, %d)" % (name, r.choice(["", ".range"]), high, r.randint(max(0, high - most + 1), high)), False

    def expression(self, depth):
        r, kind = self.r, self.r.random()
        if depth == 0 or kind < 0.4:
            text, is_bit = self.place()
            return str(r.randint(-9, 300)) if kind < 0.1 else ("~" if is_bit and r.random() < 0.3 else "") + text
        if kind < 0.5:
            return "((bool)(%s) ? (int64)(%s) : (int64)(%s))" % (self.expression(0), self.expression(depth - 1), self.expression(depth - 1))
        if kind < 0.6:
            return "((int64)(%s) >> %d)" % (self.expression(depth - 1), r.randrange(8))
        operator = r.choice(["+", "-", "*", "&", "|", "^", "==", "<", "!=", ">="])
        return "(%s %s %s)" % (self.expression(depth - 1), operator, self.expression(depth - 1))

    def statement(self):
        r, kind = self.r, self.r.random()
        place, is_bit = self.place()
        pair = "(%s, %s)" % (self.place(16, False)[0], self.place(16, False)[0])
        if kind < 0.4:
            value = self.place()[0] if r.random() < 0.6 else ("(bool)(%s)" if is_bit else "%s") % self.expression(2)
            return "%s = %s;" % (place, value)
        if kind < 0.5 and is_bit:
            return "%s %s= (bool)(%s);" % (place, r.choice("&|^"), self.expression(1))
        if kind < 0.7:
            return "%s %s= %s;" % (self.variable(), r.choice("+-*&|^"), self.expression(1))
        if kind < 0.75:
            return r.choice(["%s++;", "++%s;", "%s--;", "--%s;"]) % self.variable()
        if kind < 0.8:
            name, _, width = r.choice(self.variables)
            return "%s %s= %d;" % (name, r.choice(["<<", ">>"]), r.randrange(min(width, 31) + 1))
        if kind < 0.9:
            return "{ sc_uint<64> t = %s; cout << t << endl; }" % pair
        return "%s = %s;" % (pair, r.choice([str(r.randrange(100000)), self.variable()]))

    def program(self):
        lines = ["%s<%d> %s = %dLL;" % (kind, width, name, self.r.randint(-2**40, 2**40)) for name, kind, width in self.variables]
        for _ in range(self.r.randint(4, 10)):
            lines += [self.statement(), "cout << %s << endl;" % ' << " " << '.join(name for name, _, _ in self.variables)]
        lines.append('cout << (int64)(%s) << " " << v0.to_int() << " " << v1.to_uint() << endl;' % self.expression(2))
        return "\n".join(HEAD + ["int sc_main(int, char *[]) {"] + ["  " + line for line in lines] + ["  return 0;", "}"]) + "\n"


def lines_of(text):
    return [line for line in golden.plain(text) if "Warning:" not in line and "conflicting write in delta cycle" not in line]


def compare(args, path, folder):
    """None, or what is wrong."""
    native = os.path.join(folder, "native")
    built = subprocess.run(["c++", "-w", "-std=c++17", "-I" + args.include, path, args.library, "-lpthread", "-o", native],
                           capture_output=True, text=True, check=False)
    if built.returncode:
        return "the reference implementation does not compile it: " + built.stderr[:300]
    quiet = dict(os.environ, SYSTEMC_DISABLE_COPYRIGHT_MESSAGE="1")
    reference = subprocess.run([native], capture_output=True, text=True, check=False, timeout=20, env=quiet).stdout
    text, what = golden.run(args.binary, [path], os.path.join(folder, "end.c"), 60)
    if text is None:
        return what
    wanted, got = lines_of(reference), lines_of(text)
    if wanted == got:
        return None
    return "\n".join(list(difflib.unified_diff(wanted, got, "reference", "proviso", lineterm="", n=1))[:10])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=os.path.join(ROOT, "build", "proviso"))
    parser.add_argument("--include")
    parser.add_argument("--library")
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--integers", action="store_true")
    parser.add_argument("--keep")
    parser.add_argument("--print", dest="shown", type=int)
    args = parser.parse_args()
    maker = Integers if args.integers else Model
    if args.shown is not None:
        print(maker(args.shown).program(), end="")
        return 0
    if not args.include or not args.library:
        parser.error("--include and --library are needed")
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "program.cpp")
        with open(os.path.join(folder, "end.c"), "w", encoding="utf-8") as f:
            f.write(golden.END)
        for seed in range(args.first, args.first + args.count):
            with open(path, "w", encoding="utf-8") as f:
                f.write(maker(seed).program())
            wrong = compare(args, path, folder)
            if wrong is None:
                continue
            failed += 1
            print("seed %d: %s" % (seed, wrong), flush=True)
            if args.keep:
                shutil.copy(path, os.path.join(args.keep, "program%d.cpp" % seed))
    print("%d passed, %d failed" % (args.count - failed, failed))
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
