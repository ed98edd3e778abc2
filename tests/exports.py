#!/usr/bin/env python3
"""Checks what --sarif and --junit write against the rules of the formats.

usage: tests/exports.py [--binary FILE]

The rules are our own excerpt of SARIF 2.1.0's schema, and of what readers of JUnit files expect: nothing beside what is
listed here may occur. Damaged files must be refused, or the check would mean nothing. The last line is "N passed, M
failed".
"""
import argparse, copy, json, os, subprocess, sys, tempfile
import xml.etree.ElementTree as xml

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TEXT = {"text!": str}
LOCATION = {"physicalLocation": {"artifactLocation!": {"uri!": str}, "region": {"startLine!": int}}, "message": TEXT,
            "logicalLocations": [{"name": str, "kind": str}]}
LEVELS = ("none", "note", "warning", "error")
# "name!": required; [x]: a list of x; (a, b): one of these; {"*": x}: any names
SARIF = {
    "$schema": str, "version!": ("2.1.0",),
    "runs!": [{
        "tool!": {"driver!": {"name!": str, "version": str, "rules": [{"id!": str, "shortDescription": TEXT}]}},
        "invocations": [{"executionSuccessful!": bool, "exitCode": int, "toolExecutionNotifications": [
            {"level": LEVELS, "message!": TEXT, "locations": [LOCATION]}]}],
        "results": [{
            "ruleId": str, "kind": ("fail", "open"), "level": LEVELS, "message!": TEXT, "locations": [LOCATION],
            "partialFingerprints": {"*": str},
            "codeFlows": [{"message": TEXT, "threadFlows!": [{"id": str, "locations!": [{
                "location": LOCATION, "executionOrder": int, "importance": ("important", "essential", "unimportant"),
                "state": {"*": TEXT}}]}]}]}],
        "properties": {"*": str}}],
}
NOT_EMPTY = {"threadFlows", "locations"}


def complaints(value, rule, at="$"):
    if isinstance(rule, dict):
        if not isinstance(value, dict):
            return ["%s is no object" % at]
        names = {name.rstrip("!"): r for name, r in rule.items()}
        found = ["%s.%s is missing" % (at, n[:-1]) for n in rule if n.endswith("!") and n[:-1] not in value]
        for name, x in value.items():
            if name not in names and "*" not in names:
                found.append("%s.%s is unknown" % (at, name))
            else:
                found += complaints(x, names.get(name, names.get("*")), "%s.%s" % (at, name))
        return found
    if isinstance(rule, list):
        if not isinstance(value, list):
            return ["%s is no list" % at]
        found = ["%s is empty" % at] if not value and at.rpartition(".")[2] in NOT_EMPTY else []
        for i, x in enumerate(value):
            found += complaints(x, rule[0], "%s[%d]" % (at, i))
        return found
    if isinstance(rule, tuple):
        return [] if value in rule else ["%s is %r" % (at, value)]
    right = isinstance(value, rule) and not (rule is int and (isinstance(value, bool) or value < 0))
    return [] if right else ["%s is %r" % (at, value)]


def references(sarif):
    """What the schema cannot say."""
    found = []
    for run in sarif["runs"]:
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        for result in run["results"]:
            if result["ruleId"] not in rules:
                found.append("a result of an unknown rule")
            if result["kind"] != "fail" and result["level"] != "none":
                found.append("a level of a result that does not fail")
            for flow in result.get("codeFlows", []):
                for thread in flow["threadFlows"]:
                    order = [step["executionOrder"] for step in thread["locations"]]
                    if order != sorted(set(order)) or order[0] < 1 or len(order) > 1000:
                        found.append("steps out of order")
    return found


def junit_complaints(text):
    found = []
    root = xml.fromstring(text)
    suites = [root] + list(root)
    if root.tag != "testsuites" or any(s.tag != "testsuite" for s in root):
        found.append("no suites")
    for s in suites:
        for name, tag in (("tests", "testcase"), ("failures", "failure"), ("skipped", "skipped"), ("errors", "error")):
            if int(s.get(name, -1)) != len(list(s.iter(tag))):
                found.append("%s counts wrongly" % name)
        float(s.get("time"))
    for case in root.iter("testcase"):
        if not case.get("name") or not case.get("classname"):
            found.append("a case without a name")
        if len(case) > 1 or any(c.tag not in ("failure", "skipped", "error") or not c.get("message") for c in case):
            found.append("a case with a wrong outcome")
    return found


def outcomes(text):
    return {case.get("name"): case[0].tag if len(case) else "passed" for case in xml.fromstring(text).iter("testcase")}


class Tests:
    def __init__(self, binary, directory):
        self.binary, self.directory, self.passed, self.failed = binary, directory, 0, 0

    def check(self, name, right, more=""):
        self.passed, self.failed = self.passed + bool(right), self.failed + (not right)
        if not right:
            print("FAILED: %s %s" % (name, str(more)[:500]))

    def run(self, *words):
        """The SARIF and JUnit files of a run, checked."""
        name = words[0]
        done = subprocess.run([self.binary, "check", "--sarif", "s", "--junit", "j", "--json", "r"] + list(words),
                              cwd=self.directory, capture_output=True, text=True, timeout=300)
        read = lambda file: open(os.path.join(self.directory, file), encoding="utf-8").read()
        self.check("%s: exit status" % name, done.returncode in (0, 10, 20), done.stderr)
        sarif, junit, record = json.loads(read("s")), read("j"), json.loads(read("r"))
        found = complaints(sarif, SARIF)
        self.check("%s: the schema of SARIF" % name, not found, found)
        found = found or references(sarif)
        self.check("%s: references in SARIF" % name, not found, found)
        self.check("%s: JUnit" % name, not junit_complaints(junit), junit_complaints(junit))
        self.check("%s: one result for each error" % name, len(sarif["runs"][0]["results"]) == len(record["violations"]))
        return sarif, junit, record


PROGRAM = """extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  int n = 0;
  for (int i = 0; i < LIMIT; i++)
    n++;
  const char *text = "<&\\"]]>";
  if (n == WRONG && text) reach_error();
  return x * x == 77 ? n : 0;
}
"""


def try_damage(tests, sarif, junit):
    run = lambda s: s["runs"][0]
    step = lambda s: run(s)["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"]
    damages = {
        "no version": lambda s: s.pop("version"), "no tool": lambda s: run(s).pop("tool"),
        "no message": lambda s: run(s)["results"][0].pop("message"),
        "a negative line": lambda s: step(s)[0]["location"]["physicalLocation"]["region"].update(startLine=-1),
        "no steps": lambda s: step(s).clear(), "an unknown field": lambda s: run(s).update(columns=1),
        "an unknown rule": lambda s: run(s)["results"][0].update(ruleId="x"), "steps reversed": lambda s: step(s).reverse(),
    }
    for name, damage in damages.items():
        copied = copy.deepcopy(sarif)
        damage(copied)
        tests.check("refused: " + name, complaints(copied, SARIF) or references(copied))
    tests.check("refused: a wrong count", junit_complaints(junit.replace('failures="1"', 'failures="2"')))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=os.environ.get("PROVISO", os.path.join(ROOT, "build/proviso")))
    o = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        with open(os.path.join(directory, "count<&.c"), "w", encoding="utf-8") as f:
            f.write(PROGRAM)
        tests = Tests(os.path.abspath(o.binary), directory)
        race = os.path.join(ROOT, "examples/double_checked.c")
        sarif, junit, record = tests.run(race)
        flows = sarif["runs"][0]["results"][0]["codeFlows"]
        steps = record["violations"][0]["steps"]
        tests.check("the first flow is the whole path", len(flows[0]["threadFlows"][0]["locations"]) == len(steps))
        tests.check("the second has a flow for each thread", len(flows[1]["threadFlows"]) == len({s["thread"] for s in steps}))
        tests.check("it has all steps", sum(len(t["locations"]) for t in flows[1]["threadFlows"]) == len(steps))
        tests.check("the failure is of its property", outcomes(junit)["no-data-race"] == "failure", outcomes(junit))
        tests.check("others are not decided", outcomes(junit)["no-deadlock"] == "skipped")
        try_damage(tests, sarif, junit)
        fixed, junit, _ = tests.run(os.path.join(ROOT, "examples/double_checked_fixed.c"))
        tests.check("true: no results", not fixed["runs"][0]["results"])
        tests.check("true: all cases pass", set(outcomes(junit).values()) == {"passed"}, outcomes(junit))
        long, _, _ = tests.run("count<&.c", "-DLIMIT=3000", "-DWRONG=3000", "--engine", "explicit", "--limit", "time=60s")
        flow = long["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"]
        tests.check("a long path is cut", len(flow) == 1000, len(flow))
        message = long["runs"][0]["results"][0]["message"]["text"]
        tests.check("and the message says so", "left out" in message, message)
        open_, junit, _ = tests.run("count<&.c", "-DLIMIT=3000", "-DWRONG=1", "--engine", "explicit")
        notes = [n["message"]["text"] for n in open_["runs"][0]["invocations"][0]["toolExecutionNotifications"]]
        tests.check("conditional: no alarm", not open_["runs"][0]["results"])
        tests.check("conditional: the proviso is told", any("provided that" in n for n in notes), notes)
        tests.check("conditional: skipped", "skipped" in outcomes(junit).values(), outcomes(junit))
    print("%d passed, %d failed" % (tests.passed, tests.failed))
    return tests.failed != 0


sys.exit(main())
