#!/usr/bin/env python3
"""Ranking functions on random loops over few values, against an exhaustive search for an execution that does not end.

usage: fuzz/termination.py [--from SEED] [--count N] [--binary build/proviso] [--jobs N] [--keep FOLDER]

`proviso check --property termination` must give the verdict of engine explicit. Closes with how many programs were proved by
ranking functions, and `N passed, N failed`.
"""
import argparse, concurrent.futures, json, os, random, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TYPES = ["unsigned char", "signed char"]


class Program:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.names = ["a", "b", "c"][: self.r.randint(1, 3)]
        self.depth = 0

    def value(self):
        r = self.r
        return r.choice(self.names) if r.random() < 0.5 else str(r.choice([0, 1, 2, 3, 10, 100, 200]))

    def condition(self):
        r = self.r
        one = f"{r.choice(self.names)} {r.choice(['<', '<=', '!=', '>', '>='])} {self.value()}"
        if r.random() < 0.2:
            return f"{one} {r.choice(['&&', '||'])} {r.choice(self.names)} {r.choice(['<', '!=', '>'])} {self.value()}"
        return "__VERIFIER_nondet_bool()" if r.random() < 0.05 else one

    def update(self):
        r, x = self.r, self.r.choice(self.names)
        return r.choice([f"{x}++;", f"{x}--;", f"{x}++;", f"{x}--;", f"{x} += {r.choice([1, 2, 3])};", f"{x} -= {r.choice([1, 2, 3])};", f"{x} = {self.value()};",
                         f"{x} >>= 1;", f"{x} = {x} / 2;", f"{x} &= {r.choice([1, 3, 7, 126])};", f"{x} = __VERIFIER_nondet_bool();", f"{x} = {x} + {r.choice(self.names)};"])

    def block(self, pad, depth):
        r, out = self.r, []
        for _ in range(r.randint(1, 2)):
            kind = r.random()
            if kind < 0.25 and depth:
                out += [f"{pad}if ({self.condition()}) {{"] + self.block(pad + "  ", depth - 1) + [pad + "} else {"] + self.block(pad + "  ", depth - 1) + [pad + "}"]
            elif kind < 0.4 and depth:
                out += self.loop(pad, depth - 1)
            elif kind < 0.45:
                out.append(f"{pad}if ({self.condition()}) {r.choice(['break', 'continue'])};")
            else:
                out.append(pad + self.update())
        return out

    def loop(self, pad, depth):
        return [f"{pad}while ({self.condition()}) {{"] + self.block(pad + "  ", depth) + [pad + "}"]

    def text(self):
        r = self.r
        out = ["extern _Bool __VERIFIER_nondet_bool(void);"]
        where = [] if r.random() < 0.3 else ["  "]
        decls = [f"{r.choice(TYPES)} {n} = {r.choice([0, 1, 3, 7, 100])};" for n in self.names]
        out += [("static " + d) for d in decls if not where]
        out += ["int main(void) {"] + ["  " + d for d in decls if where]
        out += [f"  if (__VERIFIER_nondet_bool()) {self.update()}", f"  if (__VERIFIER_nondet_bool()) {self.update()}"]
        for _ in range(r.randint(1, 2)):
            out += self.loop("  ", 2)
        return "\n".join(out + ["  return 0;", "}", ""])


def check(binary, path, options):
    report = path + ".json"
    done = subprocess.run([binary, "check", "--quiet", "--property", "termination", "--limit", "time=60s", "--json", report] + options + [path],
                          capture_output=True, text=True)
    if not os.path.exists(report):
        return f"exit {done.returncode}: {done.stderr.strip()[:200]}", ""
    with open(report, encoding="utf-8") as f:
        result = json.load(f)
    os.remove(report)
    return result["verdict"], result["engine"]


def one(job):
    seed, binary, keep = job
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "loops.c")
        with open(path, "w", encoding="utf-8") as f:
            f.write(Program(seed).text())
        said, engine = check(binary, path, [])
        truth, _ = check(binary, path, ["--engine", "explicit"])
        wrong = said.startswith("exit") or ({said, truth} == {"true", "false"})
        if wrong and keep:
            os.makedirs(keep, exist_ok=True)
            os.rename(path, os.path.join(keep, f"{seed}.c"))
        return seed, f"{said} instead of {truth}" if wrong else None, truth, engine


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--from", dest="first", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--binary", default=os.path.join(ROOT, "build/proviso"))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep")
    o = parser.parse_args()
    failed, proved, count = 0, 0, {}
    jobs = [(seed, os.path.abspath(o.binary), o.keep) for seed in range(o.first, o.first + o.count)]
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        for seed, wrong, truth, engine in pool.map(one, jobs):
            failed += wrong is not None
            proved += engine == "ranking"
            count[truth] = count.get(truth, 0) + 1
            if wrong:
                print(f"seed {seed}: {wrong}", flush=True)
    print(", ".join(f"{n} {what}" for what, n in sorted(count.items())) + f"; {proved} proved by ranking functions")
    print(f"{len(jobs) - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
