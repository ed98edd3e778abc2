#!/bin/sh
# invariants.sh: what --check-proof lists does hold. Programs whose loops say HERE in their
# conditions are proven; then each invariant listed for such a line is put there as an assertion,
# and so is its opposite, which has to fail. Prints "N passed, M failed".
set -u
cd "$(dirname "$(readlink -f "$0")")/.."
PROVISO=${PROVISO:-$PWD/build/proviso} exec python3 - <<'PYTHON'
import json, os, re, subprocess, sys, tempfile

START = """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#define SHOW(E) ((E) ? 1 : (reach_error(), 0)) &&
"""
# Each with the engines that prove it. Loops run for ever but for their inputs.
PROGRAMS = [
    ("predicate value", """
int main(void) {
  unsigned x = 0, y = 0;
  while (HERE __VERIFIER_nondet_int()) if (x < 4) x++, y++;
  if (x != y) reach_error();
}"""),
    ("predicate", """
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0, twice = 0;
  if (n < 0 || n > 6) return 0;
  while (HERE i < n) i++, twice += 2;
  if (twice != 2 * n) reach_error();
}"""),
    ("predicate value", """
static int held, other = 3;
static void take(void) { if (held) reach_error(); held = 1; }
static void give(void) { if (!held) reach_error(); held = 0; }
int main(void) {
  while (HERE __VERIFIER_nondet_int()) { take(); give(); }
  if (held) reach_error();
  if (other != 3) reach_error();
}"""),
    ("predicate value", """
int main(void) {
  int state = 0, known = 0;
  while (HERE __VERIFIER_nondet_int()) {
    if (state == 0) { state = 1; known = 5; }
    else if (state == 1) { if (known != 5) reach_error(); state = 2; known = -7; }
    else { if (known != -7) reach_error(); state = 0; }
  }
}"""),
    ("predicate value", """
static int a, b;
int main(void) {
  int *p = &a;
  while (HERE __VERIFIER_nondet_int()) p = p == &a ? &b : &a;
  if (p != &a && p != &b) reach_error();
  *p = 1;
}"""),
    ("predicate value", """
static struct pair { unsigned char low; short high; } s = {0, 10};
int main(void) {
  while (HERE __VERIFIER_nondet_int()) {
    if (s.low == 3) { s.low = 0; s.high = 10; } else { s.low++; s.high -= 2; }
    if (s.low > 3 || s.high < 4) reach_error();
  }
}"""),
    ("predicate value", """
static int low;
static int step(int x) {
  while (HERE __VERIFIER_nondet_int()) if (x < 3) x++;
  return x;
}
int main(void) {
  low = step(0);
  int high = step(2);
  if (low > 3 || high < 2) reach_error();
}"""),
]

proviso = os.environ["PROVISO"]
passed = failed = 0


def check(folder, text, options):
    path, report = os.path.join(folder, "program.c"), os.path.join(folder, "report.json")
    with open(path, "w") as f:
        f.write(START + text)
    if os.path.exists(report):
        os.unlink(report)
    subprocess.run([proviso, "check", "--quiet", "--property", "unreach-call", "--limit", "time=60s",
                    "--json", report] + options + [path], stdout=subprocess.DEVNULL, check=False)
    if not os.path.exists(report): # it did not compile
        return {"verdict": None, "proof": {"state": None, "invariants": []}}
    with open(report) as f:
        return json.load(f)


def expect(what, wanted, got):
    global passed, failed
    if wanted == got:
        passed += 1
    else:
        failed += 1
        print(f"{what}: expected {wanted}, got {got}")


with tempfile.TemporaryDirectory() as folder:
    for number, (engines, program) in enumerate(PROGRAMS, 1):
        line = (START + program).split("\n").index(
            next(l for l in (START + program).split("\n") if "HERE" in l)) + 1
        for engine in engines.split():
            name = f"program {number}, {engine}"
            result = check(folder, program.replace("HERE ", ""), ["--engine", engine, "--check-proof"])
            expect(name, ("true", "checked"), (result["verdict"], result["proof"]["state"]))
            listed = [i for i in result["proof"]["invariants"] if i["line"] == line]
            expect(name + ", whole", [0] * len(listed), [i["left_out"] for i in listed])
            if not listed:
                expect(name, "an invariant", None)
            # Of several callers, one of the invariants holds.
            formula = " || ".join("(" + i["formula"] + ")" for i in listed)
            for text, verdict in ((formula, "true"), (f"!({formula})", "false")):
                here = check(folder, program.replace("HERE", f"SHOW({text})"), [])
                expect(f"{name}: {text}", verdict, here["verdict"])
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
PYTHON
