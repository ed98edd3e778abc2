#!/usr/bin/env python3
"""Checks what proviso writes for other tools against the schemas in docs/schema, the tool info for BenchExec against a stub
of BenchExec's classes, and lcov and DOT against their grammars.

usage: tests/formats.py [--binary FILE]

Needs python3-jsonschema and python3-yaml. SARIF_SCHEMA=FILE names the published schema of SARIF, which is checked as well.
The last line is "N passed, M failed".
"""
import argparse, glob, importlib.util, json, os, re, subprocess, sys, tempfile, types

try:
    import jsonschema
    import yaml
except ImportError:
    print("python3-jsonschema or python3-yaml is missing: formats are not checked")
    print("0 passed, 0 failed")
    sys.exit(0)

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
passed = failed = 0

INPUT = """extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int n = __VERIFIER_nondet_int();
  int i = 0;
  while (i < 7) {
    i++;
  }
  if (n == 13 && i == 7) {
    reach_error();
  }
  return 0;
}
"""


def check(name, ok, detail=""):
    global passed, failed
    if ok:
        passed += 1
    else:
        failed += 1
        print("FAIL %s %s" % (name, detail))


def valid(name, value, schema):
    errors = list(schema.iter_errors(value))
    detail = "; ".join("%s: %s" % ("/".join(map(str, e.absolute_path)), e.message[:200]) for e in errors[:3])
    check(name, not errors, detail)


def load(name):
    with open(os.path.join(ROOT, "docs", "schema", name + ".json"), encoding="utf-8") as f:
        schema = json.load(f)
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


def read_yaml(path):
    with open(path, encoding="utf-8") as f:
        return yaml.load(f, Loader=yaml.BaseLoader)  # words stay words


def with_numbers(value, key=""):
    """The scalars that the format calls numbers."""
    if isinstance(value, dict):
        return {k: with_numbers(v, k) for k, v in value.items()}
    if isinstance(value, list):
        return [with_numbers(v) for v in value]
    return int(value) if key in ("line", "column", "thread_id") else value


# ---- files ----------------------------------------------------------------------------------------------------------
PROGRAMS = (["examples/bank_account.c"], ["examples/double_checked.c"], ["examples/lock_order.c"],
            ["examples/bank_account_fixed.c"], ["examples/double_checked.c", "--keep-going", "--minimise"], ["input.c"],
            ["input.c", "--property", "no-overflow", "--engine", "kinduction"],
            ["examples/bank_account_fixed.c", "--limit", "states=5", "--engine", "explicit", "--coverage", "c.info"],
            ["examples/bank_account_fixed.c", "--engine", "explicit", "--coverage", "d.info"])


def check_files(binary, work):
    result, sarif, witness = load("result"), load("sarif"), load("witness")
    published = os.environ.get("SARIF_SCHEMA")
    if published:
        with open(published, encoding="utf-8") as f:
            published = jsonschema.Draft4Validator(json.load(f))
    for number, words in enumerate(PROGRAMS):
        base = os.path.join(work, str(number))
        words = [os.path.join(ROOT, w) if w.startswith("examples/") else w for w in words]
        subprocess.run([binary, "check", *words, "--json", base + ".json", "--sarif", base + ".sarif", "--witness",
                        base + ".yml"], cwd=work, capture_output=True, timeout=300)
        name = " ".join(os.path.basename(w) for w in words)
        with open(base + ".json", encoding="utf-8") as f:
            got = json.load(f)
        valid("JSON of " + name, got, result)
        with open(base + ".sarif", encoding="utf-8") as f:
            log = json.load(f)
        valid("SARIF of " + name, log, sarif)
        if published:
            valid("published schema of SARIF: " + name, log, published)
        check("a witness of " + name, os.path.exists(base + ".yml") == (got["verdict"] in ("true", "false")))
        if os.path.exists(base + ".yml"):
            valid("witness of " + name, with_numbers(read_yaml(base + ".yml")), witness)
            subprocess.run([binary, "replay", base + ".json", "--witness", base + ".again.yml"], cwd=work,
                           capture_output=True, timeout=300)
    # The schemas are no rubber stamps.
    wrong = json.loads(json.dumps(got))
    wrong["verdict"] = "maybe"
    check("a wrong verdict is seen", list(result.iter_errors(wrong)))
    wrong = dict(got, more=1)
    check("a new field is seen", list(result.iter_errors(wrong)))
    log["runs"][0]["results"] = [{"ruleId": "x"}]
    check("a result without a message is seen", list(sarif.iter_errors(log)))
    broken = with_numbers(read_yaml(os.path.join(work, "0.yml")))
    broken[0]["content"][-1]["segment"][-1]["waypoint"]["action"] = "avoid"
    check("an avoided target is seen", list(witness.iter_errors(broken)))


def check_lcov(path):
    """FN, FNDA, DA in sections that SF begins and end_of_record ends; sums that fit."""
    inside, lines, hit = False, 0, 0
    with open(path, encoding="utf-8") as f:
        text = f.read().splitlines()
    for line in text:
        key, _, value = line.partition(":")
        if key == "TN":
            continue
        if key == "SF":
            check("lcov: sections do not nest", not inside)
            inside, lines, hit = True, 0, 0
        elif line == "end_of_record":
            check("lcov: a section ends", inside)
            inside = False
        elif key == "DA":
            check("lcov: a line and a count", re.fullmatch(r"[1-9]\d*,\d+", value), line)
            lines += 1
            hit += not value.endswith(",0")
        elif key == "LF":
            check("lcov: LF", int(value) == lines, line)
        elif key == "LH":
            check("lcov: LH", int(value) == hit, line)
        else:
            check("lcov: a known key", inside and key in ("FN", "FNDA", "FNF", "FNH", "BRDA", "BRF", "BRH"), line)
    check("lcov: it ends whole", text and not inside)


def check_dot(binary, work):
    done = subprocess.run([binary, "ir", "--format", "dot", "input.c"], cwd=work, capture_output=True, text=True)
    text = done.stdout
    bare = re.sub(r'"(\\.|[^"\\])*"', '""', text)
    check("DOT: a digraph", bare.lstrip().startswith("digraph") and bare.count("{") == bare.count("}") > 0)
    check("DOT: edges", "->" in bare)


# ---- BenchExec ------------------------------------------------------------------------------------------------------
class Output(list):
    pass


def stub():
    """As much of BenchExec as tool infos see."""
    package, result = types.ModuleType("benchexec"), types.ModuleType("benchexec.result")
    tools, template = types.ModuleType("benchexec.tools"), types.ModuleType("benchexec.tools.template")
    result.RESULT_TRUE_PROP, result.RESULT_FALSE_PROP = "true", "false"
    result.RESULT_UNKNOWN, result.RESULT_ERROR, result.RESULT_TIMEOUT = "unknown", "ERROR", "TIMEOUT"

    class BaseTool2:
        def _version_from_tool(self, executable, arg="--version", line_prefix=None):
            text = subprocess.run([executable, arg], capture_output=True, text=True).stdout
            return text[len(line_prefix):].strip() if line_prefix and text.startswith(line_prefix) else text.strip()

    template.BaseTool2 = BaseTool2
    package.result, package.tools, tools.template = result, tools, template
    for module in (package, result, tools, template):
        sys.modules[module.__name__] = module


def check_benchexec(binary, work):
    try:
        import benchexec.tools.template  # noqa: F401 # the real one, if it is there
    except ImportError:
        stub()
    spec = importlib.util.spec_from_file_location("proviso_tool", os.path.join(ROOT, "contrib", "benchexec", "proviso.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    tool = module.Tool()
    Code, Limits = types.SimpleNamespace, types.SimpleNamespace

    def run(lines, value=0, signal=None, timeout=False):
        return types.SimpleNamespace(output=Output(lines), exit_code=Code(value=value, signal=signal), was_timeout=timeout)

    expected = {"true": "true", "conditional": "unknown", "unknown": "unknown"}
    for name in ("unreach-call", "no-data-race", "no-overflow", "valid-deref", "valid-free", "valid-memtrack",
                 "valid-memcleanup", "termination", "no-deadlock"):
        expected["false(%s)" % name] = "false(%s)" % name
    for said, wanted in expected.items():
        got = tool.determine_result(run(["x", "Verification result: " + said, "y"]))
        check("BenchExec: %s" % said, got == wanted, got)
    check("BenchExec: no result", tool.determine_result(run(["x"], 70)) == "ERROR")
    check("BenchExec: killed", tool.determine_result(run([], None, 9)).startswith("ERROR"))
    check("BenchExec: time", tool.determine_result(run([], None, 9, True)) == "TIMEOUT")
    check("BenchExec: version", tool.version(binary)[0].isdigit(), tool.version(binary))
    task = types.SimpleNamespace(property_file="p.prp", options={"data_model": "ILP32"}, input_files_or_identifier=["a.c"])
    line = tool.cmdline("proviso", ["--engine", "bmc"], task, Limits(cputime=100, memory=10**9))
    wanted = ["proviso", "check", "--engine", "bmc", "--spec", "p.prp", "--32", "--limit", "time=95s,memory=900MB", "a.c"]
    check("BenchExec: command line", line == wanted, line)
    task.options["witness_input_file"] = "w.yml"
    task.input_files_or_identifier = ["/t/a.c", "/t/w.yml"]
    line = tool.cmdline("proviso", ["validate"], task, Limits(cputime=None, memory=None))
    wanted = ["proviso", "validate", "--spec", "p.prp", "--32", "--witness", "/t/w.yml", "/t/a.c"]
    check("BenchExec: command line of a validator", line == wanted, line)
    # Real runs, through task definitions.
    for path in sorted(glob.glob(os.path.join(ROOT, "contrib", "benchexec", "tasks", "*.yml"))):
        definition = yaml.safe_load(open(path, encoding="utf-8"))
        for entry in definition["properties"]:
            prp = os.path.join(os.path.dirname(path), entry["property_file"])
            task = types.SimpleNamespace(property_file=prp, options=definition["options"], input_files_or_identifier=[
                os.path.join(os.path.dirname(path), definition["input_files"])])
            line = tool.cmdline(binary, [], task, Limits(cputime=60, memory=2 * 10**9))
            done = subprocess.run(line, capture_output=True, text=True, timeout=120)
            got = tool.determine_result(run(done.stdout.splitlines(), done.returncode))
            name = os.path.basename(prp)[:-4]
            want = "true" if entry["expected_verdict"] else "false(%s)" % name
            check("task %s %s" % (os.path.basename(path), name), got == want, got)
            done = subprocess.run([binary, "check", path, "--spec", prp], capture_output=True, text=True, timeout=120)
            check("proviso check %s %s" % (os.path.basename(path), name), "for %s: met." % name in done.stdout, done.stdout[-300:])
    lines = ["Proviso: a", "Proviso: b", "Statistics: 33 states, 34 transitions", "Verification result: conditional"]
    check("BenchExec: column proviso", tool.get_value_from_output(lines, "proviso") == "a; b")
    check("BenchExec: column verdict", tool.get_value_from_output(lines, "verdict") == "conditional")
    check("BenchExec: column states", tool.get_value_from_output(lines, "states") == "33")


def check_tasks(binary, work):
    """Task definitions that are wrong are refused, and expectations that are not met are told."""
    program = os.path.join(work, "input.c")
    property_file = os.path.join(ROOT, "contrib", "benchexec", "properties", "unreach-call.prp")
    head = "format_version: '2.0'\ninput_files: '%s'\n" % program
    cases = {
        "not met": head + "properties:\n  - property_file: %s\n    expected_verdict: true\n" % property_file,
        "met.": head + "properties:\n  - property_file: %s\n    expected_verdict: false\n" % property_file,
        "neither ILP32 nor LP64": head + "options:\n  data_model: LP65\n",
        "not about C": head + "options:\n  language: Java\n",
        "neither true nor false": head + "properties:\n  - property_file: %s\n    expected_verdict: maybe\n" % property_file,
        "no task definition": "input_files: '%s'\n" % program,
        "`input_files` is missing": "format_version: '2.0'\n",
        "anchors and tags": "format_version: &a '2.0'\n",
        "twice": head + "input_files: b.c\n",
        "No such file": head + "properties:\n  - property_file: missing.prp\n    expected_verdict: true\n",
    }
    for number, (wanted, text) in enumerate(cases.items()):
        path = os.path.join(work, "task%d.yml" % number)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        done = subprocess.run([binary, "check", path], capture_output=True, text=True, timeout=120)
        refused = number > 1
        check("task: " + wanted, wanted in done.stdout + done.stderr and (done.returncode == 2) == refused,
              "%d %s" % (done.returncode, (done.stdout + done.stderr)[-200:]))


# Files of contrib, their schema, and damage that the schema must see.
RECIPES = (
    ("ci/proviso.yml", "github_workflow", ("runs-on", "runs_on")),
    ("github-action/action.yml", "github_action", ("using: composite", "using: nothing")),
    ("ci/gitlab.yml", "gitlab", ("script:", "scripts:")),
    ("benchexec/tasks/bank_account.yml", "task", ("LP64", "LP65")),
    ("benchexec/tasks/bank_account_fixed.yml", "task", ("expected_verdict: true", "expected_verdict: maybe")),
)


class Recipe(yaml.SafeLoader):
    """YAML in which `on` is a word, as for GitHub."""


Recipe.yaml_implicit_resolvers = {key: [(tag, r) for tag, r in all if tag != "tag:yaml.org,2002:bool"]
                                  for key, all in yaml.SafeLoader.yaml_implicit_resolvers.items()}
Recipe.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(true|false)$"), list("tf"))


def commands_of(value):
    """The texts that a shell executes."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from [part] if key == "run" else ["\n".join(part)] if key == "script" else commands_of(part)
    elif isinstance(value, list):
        for part in value:
            yield from commands_of(part)


def check_recipes(binary, work):
    """Recipes and tasks fit their schemas, their commands are right for the shell, and proviso knows their options."""
    known = subprocess.run([binary, "help", "check"], capture_output=True, text=True).stdout
    for name, kind, (right, wrong) in RECIPES:
        with open(os.path.join(ROOT, "contrib", name), encoding="utf-8") as f:
            text = f.read()
        recipe, schema = yaml.load(text, Recipe), load(kind)
        valid("contrib/" + name, recipe, schema)
        damaged = yaml.load(text.replace(right, wrong, 1), Recipe)
        check("contrib/%s, damaged: refused" % name, right in text and list(schema.iter_errors(damaged)))
        for script in commands_of(recipe):
            shell = subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True)
            check("contrib/%s: its commands" % name, shell.returncode == 0, shell.stderr)
        options = set(re.findall(r"(?<=\s)--[a-z][a-z-]*", re.sub(r"(?m)#.*$", "", text)))
        check("contrib/%s: its options" % name, all(o + " " in known for o in options), options)


def check_contrib(binary, work):
    """The files for others can be read, and the problem matcher of VS Code finds an error."""
    check_recipes(binary, work)
    with open(os.path.join(ROOT, "contrib", "vscode", "tasks.json"), encoding="utf-8") as f:
        matcher = json.load(f)["tasks"][0]["problemMatcher"][0]["pattern"]
    out = subprocess.run([binary, "check", "input.c"], cwd=work, capture_output=True, text=True).stdout.splitlines()
    found = [(re.match(matcher[0]["regexp"], a), re.match(matcher[1]["regexp"], b)) for a, b in zip(out, out[1:])]
    found = [(a.group(1), b.group(1), b.group(2)) for a, b in found if a and b]
    check("VS Code's problem matcher", found == [("`reach_error` is called", "input.c", "11")], found)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", default=os.path.join(ROOT, "build", "proviso"))
    binary = os.path.abspath(parser.parse_args().binary)
    with tempfile.TemporaryDirectory() as work:
        with open(os.path.join(work, "input.c"), "w", encoding="utf-8") as f:
            f.write(INPUT)
        check_files(binary, work)
        check_lcov(os.path.join(work, "d.info"))
        check_dot(binary, work)
        check_benchexec(binary, work)
        check_tasks(binary, work)
        check_contrib(binary, work)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
