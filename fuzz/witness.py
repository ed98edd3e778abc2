#!/usr/bin/env python3
"""Damages witnesses, and demands that the validator confirms none that is wrong.

usage: fuzz/witness.py [--binary FILE] [--count N] [--seed N] [--verbose]

Each case is a witness that proviso wrote for a small program of this file, changed in one place so that no execution of the
program is described by it any more (kinds: line, function, file, value, order, thread, branch, assumption, avoid, target,
property, version, hash, a segment that cannot be passed, an invariant that is no invariant). Confirmed: a failure. Every
witness must be confirmed before it is damaged. The last line is "N passed, M failed".
"""
import argparse, copy, os, random, re, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

PROGRAMS = {
    # name: text, options, which damages fit
    "input.c": ("""extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
int other(int k) { return k + 1; }
int main(void) {
  int n = __VERIFIER_nondet_int();
  int m = __VERIFIER_nondet_int();
  int i = 0;
  while (i < 7) {
    i++;
  }
  if (n == 13 && i == 7) {
    if (other(m) == 3)
      reach_error();
  }
  return 0;
}
""", ["--property", "unreach-call"]),
    "overflow.c": ("""extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  int x = 2147483600;
  unsigned char a = __VERIFIER_nondet_uchar();
  int calm = a / 2;
  x = x + a;
  return x + calm > 0;
}
""", ["--property", "no-overflow"]),
    "race.c": ("""#include <pthread.h>
int turn, calm;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *left(void *p) {
  pthread_mutex_lock(&lock);
  calm = 1;
  pthread_mutex_unlock(&lock);
  turn = 1;
  return p;
}
void *right(void *p) {
  pthread_mutex_lock(&lock);
  calm = 2;
  pthread_mutex_unlock(&lock);
  turn = 2;
  return p;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, left, 0);
  pthread_create(&b, 0, right, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
""", ["--property", "no-data-race"]),
    "order.c": ("""#include <pthread.h>
#include <stdatomic.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }
atomic_int first, second;
void *one(void *p) {
  int k = __VERIFIER_nondet_int();
  if (second == 1 && k == 4) first = 1;
  return p;
}
void *two(void *p) {
  second = 1;
  if (first == 1)
    reach_error();
  return p;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
""", ["--property", "unreach-call"]),
}
LOOP = """extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), i = 0, j = 0;
  if (n > 1000) return 0;
  while (i < n) {
    i++;
    j++;
  }
  if (i != j) reach_error();
  return 0;
}
"""


def run(command, cwd):
    try:
        done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=300)
        return done.stdout + done.stderr, done.returncode
    except subprocess.TimeoutExpired:
        return "time", 99


class Witness:
    """A head, and segments: lists of waypoints, each a list of lines."""

    def __init__(self, text):
        head, body = text.split("  content:\n", 1)
        self.head = head
        self.segments = [re.split(r"(?=^      - waypoint:)", s, flags=re.M)[1:]
                         for s in re.split(r"^  - segment:\n", body, flags=re.M)[1:]]

    def text(self):
        return self.head + "  content:\n" + "".join("  - segment:\n" + "".join(s) for s in self.segments)


def waypoint(kind, line, constraint=None, form=None, action="follow", function="main", file="input.c", thread=None):
    text = "      - waypoint:\n          type: %s\n          action: %s\n" % (kind, action)
    if thread is not None:
        text += "          thread_id: %d\n" % thread
    text += "          location:\n            file_name: \"%s\"\n            line: %d\n            function: \"%s\"\n" % (
        file, line, function)
    if constraint is not None:
        text += "          constraint:\n            value: \"%s\"\n" % constraint
        if form:
            text += "            format: %s\n" % form
    return text


def lines_of(name):
    return len(PROGRAMS[name][0].splitlines())


def damages(rng, name, good):
    """Yields (kind, text) for ever; each describes no erroneous execution."""
    text = PROGRAMS[name][0].splitlines()
    while True:
        w = copy.deepcopy(good)
        kind = rng.choice(["target line", "line", "value", "thread", "function", "file", "hash", "version", "property", "order",
                           "impossible", "avoid", "no target", "branch", "format"])
        segment = rng.randrange(len(w.segments))
        last = w.segments[-1]
        if kind == "target line":
            at = rng.randrange(len(last))
            now = int(re.search(r"line: (\d+)", last[at]).group(1))
            new = rng.choice([k for k in range(1, len(text) + 3) if k != now])
            last[at] = re.sub(r"line: \d+", "line: %d" % new, last[at])
        elif kind == "line":
            if segment == len(w.segments) - 1:
                continue
            p = w.segments[segment][-1]
            now = int(re.search(r"line: (\d+)", p).group(1))
            word = re.search(r"\w*nondet\w*|pthread_create", text[now - 1])
            # nothing happens at a line of declarations; a turn of a thread may be at any statement
            free = [k for k in range(1, len(text) + 3) if k > len(text) or "type: assumption" not in p and
                    word.group(0) not in text[k - 1] or re.match(r"#|extern|}", text[k - 1])]
            w.segments[segment][-1] = re.sub(r"line: \d+", "line: %d" % rng.choice(free), p)
        elif kind == "value":
            p = w.segments[segment][-1]
            match = re.search(r"result == (-?\d+)", p)
            if not match:
                continue
            new = {"input.c": [0, 12, 14, -13, 3, 2147483648, 99999999999], "overflow.c": [0, 1, 7, 256, 300, -1],
                   "order.c": [0, 3, 5, -4]}[name]
            w.segments[segment][-1] = p.replace(match.group(0), "result == %d" % rng.choice(
                [v for v in new if v != int(match.group(1))]))
        elif kind == "thread":
            if "thread_id" not in w.text():
                continue
            at = rng.randrange(len(w.segments[segment]))
            p = w.segments[segment][at]
            now = int(re.search(r"thread_id: (\d+)", p).group(1))
            new = rng.choice([k for k in range(0, 6) if k != now])
            w.segments[segment][at] = re.sub(r"thread_id: \d+", "thread_id: %d" % new, p)
        elif kind == "function":
            p = w.segments[segment][-1]
            w.segments[segment][-1] = re.sub(r'function: "\w+"', 'function: "%s"' % rng.choice(["nobody", "reach_error"]), p)
        elif kind == "file":
            p = w.segments[segment][-1]
            w.segments[segment][-1] = re.sub(r'file_name: "[\w.]+"', 'file_name: "other.c"', p)
        elif kind == "hash":
            w.head = re.sub(r"[1-9a-f](?=[0-9a-f]{8}\"\n)", "0", w.head)
            if w.head == good.head:
                continue
        elif kind == "version":
            w.head = re.sub(r'format_version: "[\d.]+"', 'format_version: "%s"' % rng.choice(["1.0", "2.9", "3.0", "2", ""]), w.head)
        elif kind == "property":
            now = re.search(r"LTL\((.*?)\) \)", w.head).group(1)
            new = rng.choice([x for x in ("G ! overflow", "G ! data-race", "G ! call(reach_error())", "G valid-free", "F end",
                                          "G ! nothing") if x != now])
            w.head = w.head.replace(now, new)
        elif kind == "order":
            if len(w.segments) < 3:
                continue
            if "thread_id" in w.text():  # a turn of a thread before it is created
                turns = [k for k, x in enumerate(w.segments) if "assumption" in x[-1] and "thread_id: 0" not in x[-1]]
                if not turns:
                    continue
                w.segments.insert(0, w.segments.pop(rng.choice(turns)))
            else:
                w.segments[0], w.segments[1] = w.segments[1], w.segments[0]
        elif kind == "impossible":
            thread = 0 if "thread_id" in w.text() else None
            body = next(i for i, s in enumerate(text) if s.startswith("int main")) + 2
            line = rng.choice([k for k in range(body, len(text)) if re.match(r"  (if|int|x|return|pthread_\w+)", text[k - 1])
                               and ";" in text[k - 1] and not re.match(r"  pthread_t ", text[k - 1])])
            w.segments.insert(0, [waypoint("assumption", line, rng.choice(["0", "1 == 2", "3 < 2"]), "c_expression", file=name,
                                           thread=thread)])
        elif kind == "avoid":
            if name != "input.c":
                continue
            w.segments[0].insert(0, waypoint("function_enter", 6, action="avoid"))
        elif kind == "no target":
            w.segments.pop()
            if not w.segments:
                continue
        elif kind == "branch":
            if name != "input.c":
                continue
            w.segments.insert(2, [waypoint("branching", rng.choice([12, 13]), "false")])
        elif kind == "format":
            p = w.segments[segment][-1]
            if "format: " not in p:
                continue
            w.segments[segment][-1] = re.sub(r"format: \w+", "format: c", p)
        yield kind, w.text()


def violations(binary, work, rng, count, report):
    good = {}
    for name, (text, options) in PROGRAMS.items():
        with open(os.path.join(work, name), "w", encoding="utf-8") as f:
            f.write(text)
        run([binary, "check", name, "--witness", "good.yml"] + options, work)
        out, _ = run([binary, "validate", "--witness", "good.yml", name], work)
        report(name, "as written", "Witness: confirmed" in out, out)
        with open(os.path.join(work, "good.yml"), encoding="utf-8") as f:
            good[name] = Witness(f.read())
    sources = {name: damages(rng, name, good[name]) for name in PROGRAMS}
    names = list(PROGRAMS)
    for i in range(count):
        name = names[i % len(names)]
        kind, text = next(sources[name])
        with open(os.path.join(work, "bad.yml"), "w", encoding="utf-8") as f:
            f.write(text)
        out, status = run([binary, "validate", "--witness", "bad.yml", "--limit", "time=20s", name], work)
        ok = "Witness: confirmed" not in out and status in (2, 20)
        report(name, kind, ok, out if ok else out + text)


def proofs(binary, work, rng, count, report):
    with open(os.path.join(work, "loop.c"), "w", encoding="utf-8") as f:
        f.write(LOOP)
    run([binary, "check", "loop.c", "--witness", "loop.yml", "--property", "unreach-call", "--engine", "kinduction"], work)
    with open(os.path.join(work, "loop.yml"), encoding="utf-8") as f:
        head = f.read().split("  content:")[0]

    def with_invariant(line, value, kind="loop_invariant"):
        return head + ("  content:\n  - invariant:\n      type: %s\n      location:\n        file_name: loop.c\n        line: %d\n"
                       "        function: main\n      value: \"%s\"\n      format: c_expression\n" % (kind, line, value))

    right = ["i == j", "i <= n && i == j", "i <= 1000 && j <= i && i <= j", "1"]
    wrong = ["i < n", "i + 1 == j", "j > i", "i <= 999", "n == 7", "i == j && n < 1000", "0", "i >= 1", "i != j", "nothing == 1",
             "i = j", "i == j;", "(i == j", "i == $$x"]
    for i in range(count):
        value = rng.choice(right if i % 4 == 0 else wrong)
        with open(os.path.join(work, "bad.yml"), "w", encoding="utf-8") as f:
            f.write(with_invariant(7, value))
        out, status = run([binary, "validate", "--witness", "bad.yml", "--limit", "time=30s", "loop.c"], work)
        confirmed = "Witness: confirmed" in out
        report("loop.c", "invariant " + value, confirmed == (value in right), out)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", default=os.path.join(ROOT, "build", "proviso"))
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    total = {"passed": 0, "failed": 0}
    kinds = {}

    def report(name, kind, ok, out):
        total["passed" if ok else "failed"] += 1
        kinds[kind.split(" ")[0]] = kinds.get(kind.split(" ")[0], 0) + 1
        if not ok or arguments.verbose:
            print("%s %s (%s): %s" % ("ok" if ok else "FAIL", name, kind, out.strip()[:3000 if not ok else 200]))
            sys.stdout.flush()

    with tempfile.TemporaryDirectory() as work:
        third = max(1, arguments.count // 5)
        violations(os.path.abspath(arguments.binary), work, rng, arguments.count - third, report)
        proofs(os.path.abspath(arguments.binary), work, rng, third, report)
    print(", ".join("%s %d" % x for x in sorted(kinds.items())))
    print("%d passed, %d failed" % (total["passed"], total["failed"]))
    return 1 if total["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
