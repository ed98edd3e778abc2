#!/usr/bin/env python3
"""Calls of sprintf and snprintf whose format is a literal against the same calls whose format is read from memory: the
former are specialised (src/frontend/specialise_formats.c), the latter go through the model that reads the format.

usage: fuzz/formats.py [--from SEED] [--count N] [--binary build/proviso] [--keep FOLDER] [--print]

Each program makes random calls with both forms and compares results and all bytes of the buffer, errno too (engine
explicit, 32 and 64 bits). Where an argument or the buffer makes the call an error (a null pointer, an overlap, an
indeterminate value, a buffer that is too small), there are two programs, one for each form, whose verdicts and violated
properties must be the same. Closes with `N passed, N failed`.
"""
import argparse, json, os, random, subprocess, sys, tempfile

HEAD = """#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
"""
PROPERTIES = ["unreach-call,valid-deref,def-behavior", "def-behavior", "valid-deref"]


class Maker:
    def __init__(self, seed):
        self.r = random.Random(seed)

    def integer(self, length, conv):
        r = self.r
        values = ["0", "1", "-1", "9", "10", "99", "100", "12345", "-7", "INT_MAX", "INT_MIN", "0x7fff", "-129", "999999999", "1000000000"]
        if length in ("l", "ll", "j", "z", "t"):
            types = {"l": "long", "ll": "long long", "j": "long long", "z": "size_t", "t": "long"}
            values += ["0x7fffffffL", "-0x7fffffffL - 1"]
            if length in ("ll", "j"):
                values += ["LLONG_MAX", "LLONG_MIN", "10000000000", "-9999999999999", "1000000000000000000"]
            t = types[length]
            if length == "t":
                t = "__PTRDIFF_TYPE__"
            elif conv not in "di" and length != "z":
                t = "unsigned " + t
            return f"({t}){r.choice(values)}"
        return f"({'' if conv in 'di' else 'unsigned '}int){r.choice(values)}"

    def conversion(self):
        """A conversion and its arguments."""
        r = self.r
        flags = "".join(r.sample("-+ #0", r.choice([0, 0, 0, 1, 1, 2, 3])))
        width = r.choice(["", "", "", "1", "2", "5", "12", "39", "40", "41", "70"])
        precision = r.choice(["", "", "", ".", ".0", ".1", ".3", ".9", ".12", ".30", ".*"])
        conv = r.choice("ddddiuuxxXocccsssspfeg")
        arguments = []
        if r.random() < 0.4:
            flags = width = precision = ""
        if precision == ".*":
            arguments.append(r.choice(["0", "1", "4", "25", "-1", "-5"]))
        length = ""
        if conv in "diuxXo":
            length = r.choice(["", "", "", "h", "hh", "l", "ll", "z", "j", "t"])
            arguments.append(self.integer(length, conv))
        elif conv == "c":
            arguments.append(r.choice(["'a'", "0", "200", "-3", "'%'"]))
        elif conv == "s":
            arguments.append(r.choice(['"abc"', '""', '"a long text that is longer than others"', "word", "word + 3", "word + 4"]))
        elif conv == "p":
            arguments.append(r.choice(["(void *)0", "(void *)0x1234"]))
        else:
            arguments.append(r.choice(["0.0", "1.5", "-2.25", "1e10", "123456.789", "0.001"]))
        return "%" + flags + width + precision + length + conv, arguments

    def call(self):
        r, text, arguments = self.r, "", []
        for _ in range(r.choice([1, 1, 2, 2, 3])):
            text += r.choice(["", "", "x", "a=", ", ", "%%", "100%% of ", "long words between numbers "])
            more, values = self.conversion()
            text += more
            arguments += values
        return text + r.choice(["", "", "!", "%%", "\\n"]), arguments

    def equal(self):
        """A program in which all calls are right; both forms in one."""
        r, out, main = self.r, [HEAD, "static char word[8] = \"wor\";", "static char a[300], b[300];"], []
        for i in range(r.randint(2, 5)):
            text, arguments = self.call()
            words = ", ".join([""] + arguments)
            out.append(f'static char f{i}[] = "{text}";')
            size = r.choice([None, None, "0", "1", "2", "5", "17", "sizeof a"])
            start = "sprintf(%s, " if size is None else f"snprintf(%s, {size}, "
            main.append("  memset(a, 7, sizeof a), memset(b, 7, sizeof b);")
            null = size == "0" and r.random() < 0.5
            main.append(f'  errno = 0; r = {start % ("NULL" if null else "a")}"{text}"{words}); e = errno; errno = 0;')
            main.append(f"  assert(r == {start % ('NULL' if null else 'b')}f{i}{words}) && e == errno && !memcmp(a, b, sizeof a));")
        return "\n".join(out + ["int main(void) {", "  int r, e;"] + main + ["  return 0;", "}", ""])

    def wrong(self):
        """A program with one call that may be an error; FORMAT is its format, in either form."""
        r = self.r
        text, arguments = self.call()
        size = r.choice([None, "2", "4", "12", "30", "-1"])
        room = r.choice([1, 2, 4, 12, 30, 60])
        extra = r.choice(["b", "b + 1", "b + 3", "b + 8", "(char *)0", "u", "(char *)p", '"abc"'])
        place = r.choice(["%s", "%.2s", "%5s", "%-4s", "%50s", "%.0s", "%.*s"])
        number = r.choice(["v", "v & 0", "g"])
        if r.random() < 0.5:
            text += place
            arguments += (["3"] if "*" in place else []) + [extra]
        else:
            text += r.choice(["%d", "%u", "%x", "%c", "%5d", "%.3d", "%02x", "%+d"])
            arguments.append(number)
        words = ", ".join([""] + arguments)
        to = r.choice(["b", "b", "b", "b + 1", "p", "(char *)0", "(char *)c"])
        call = f"sprintf({to}, FORMAT{words})" if size is None else f"snprintf({to}, {size}, FORMAT{words})"
        return "\n".join([HEAD, f'#ifdef LITERAL\n#define FORMAT "{text}"\n#else\nstatic char format[] = "{text}";\n#define FORMAT format\n#endif',
                          "static char word[8] = \"wor\"; static int g; static const char c[40] = \"c\";",
                          "int main(void) {", f"  char b[{room}] = \"\", u[4]; int v; char *p = malloc({room}); (void)v, (void)u;",
                          "  if (!p) return 0;", f"  int r = {call};", "  if (r > 5) g = 1;", "  free(p);", "  return g;", "}", ""])


def run(binary, path, settings, clang, report):
    if os.path.exists(report):
        os.unlink(report)
    done = subprocess.run([binary, "check", "--quiet", "--engine", "explicit", "--limit", "time=60s", "--json", report, path] + settings +
                          ["--", "-Wno-everything"] + clang, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode not in (0, 10, 20):
        return f"exit {done.returncode}: {done.stderr[:200]}"
    with open(report, encoding="utf-8") as f:
        result = json.load(f)
    properties = sorted({v.get("property", "") for v in result.get("violations", [])})
    return f"{result['verdict']} {properties} {len(result.get('provisos', []))}"


def examine(binary, seed, folder, show):
    """What is wrong with the seed, or None, and its text."""
    maker = Maker(seed)
    bits = ["--32"] if maker.r.random() < 0.5 else []
    path, report = os.path.join(folder, "program.c"), os.path.join(folder, "report.json")
    same = seed % 2 == 0
    text = maker.equal() if same else maker.wrong()
    if show:
        print(f"// seed {seed}\n{text}")
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    if same:
        got = run(binary, path, bits + ["--property", "unreach-call,valid-deref,def-behavior"], [], report)
        return (None if got.startswith("true [] 0") else f"{' '.join(bits)}: {got}"), text
    settings = bits + ["--property", maker.r.choice(PROPERTIES)]
    literal, general = (run(binary, path, settings, clang, report) for clang in (["-DLITERAL"], []))
    return (None if literal == general else f"{' '.join(settings)}: literal {literal}, general {general}"), text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--from", dest="start", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--binary", default="build/proviso")
    parser.add_argument("--keep")
    parser.add_argument("--print", action="store_true")
    a = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(a.start, a.start + a.count):
            problem, text = examine(os.path.abspath(a.binary), seed, folder, a.print)
            if not problem:
                continue
            failed += 1
            print(f"seed {seed}: {problem}", flush=True)
            if a.keep:
                os.makedirs(a.keep, exist_ok=True)
                with open(os.path.join(a.keep, f"format{seed}.c"), "w", encoding="utf-8") as f:
                    f.write(f"// {problem}\n{text}")
    print(f"{a.count - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
