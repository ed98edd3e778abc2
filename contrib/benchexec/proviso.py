"""Tool info of proviso for BenchExec (https://github.com/sosy-lab/benchexec).

Use: copy or link it into benchexec/tools, or name it `contrib.benchexec.proviso` in the benchmark definition and put this
repository on PYTHONPATH. `proviso` must be on PATH, or its folder be given by --tool-directory.

BenchExec takes every status but true, false(...), unknown and done for an error, so `conditional` becomes `unknown`; the
column `proviso` (get_value_from_output) shows what the verdict depends on.
"""
import re

import benchexec.result as result
import benchexec.tools.template

LINE = "Verification result: "
DATA_MODELS = {"ILP32": "--32", "LP64": "--64"}


class Tool(benchexec.tools.template.BaseTool2):
    """Tool info for proviso."""

    def executable(self, tool_locator):
        return tool_locator.find_executable("proviso", subdir="bin")

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="proviso")

    def name(self):
        return "proviso"

    def project_url(self):
        return "https://github.com/proviso-verifier/proviso"

    def cmdline(self, executable, options, task, rlimits):
        options = list(options)
        # A first option that names a command replaces `check`, as `validate` for witnesses.
        command = options.pop(0) if options and options[0] in ("check", "validate") else "check"
        task_options = task.options if isinstance(task.options, dict) else {}
        if task.property_file:
            options += ["--spec", task.property_file]
        model = DATA_MODELS.get(task_options.get("data_model"))
        if model and model not in options:
            options.append(model)
        files = list(task.input_files_or_identifier)
        witness = task_options.get("witness_input_file")
        if witness:  # a file of the task whose name ends like this
            found = [f for f in files if f == witness or f.endswith("/" + witness)]
            files = [f for f in files if f not in found]
            options += ["--witness", found[0] if found else witness]
        limits = []
        if rlimits.cputime:
            limits.append("time=%ds" % max(1, int(rlimits.cputime * 0.95)))
        if rlimits.memory:
            limits.append("memory=%dMB" % max(1, int(rlimits.memory * 0.9 / 1000000)))
        if limits and "--limit" not in options:
            options += ["--limit", ",".join(limits)]
        return [executable, command, *options, *files]

    def determine_result(self, run):
        for line in reversed(run.output):
            if not line.startswith(LINE):
                continue
            verdict = line[len(LINE):].strip()
            if verdict == "true":
                return result.RESULT_TRUE_PROP
            if verdict == "conditional" or verdict == "unknown":
                return result.RESULT_UNKNOWN
            match = re.fullmatch(r"false\(([a-z-]+)\)", verdict)
            if match:
                return "%s(%s)" % (result.RESULT_FALSE_PROP, match.group(1))
            return result.RESULT_ERROR
        if run.was_timeout:
            return result.RESULT_TIMEOUT
        code = run.exit_code
        if code and code.signal:
            return "%s (signal %d)" % (result.RESULT_ERROR, code.signal)
        if code and code.value == 2:
            return "%s (wrong usage or input)" % result.RESULT_ERROR
        return result.RESULT_ERROR

    def get_value_from_output(self, output, identifier):
        """`proviso`: all of them, `verdict`: the line's own word; else the number before these words in the statistics."""
        lines = list(output)
        if identifier == "proviso":
            found = [line.split(":", 1)[1].strip() for line in lines if line.startswith("Proviso:")]
            return "; ".join(found) or None
        if identifier == "verdict":
            found = [line[len(LINE):].strip() for line in lines if line.startswith(LINE)]
            return found[-1] if found else None
        for line in reversed(lines):
            match = re.search(r"(\d+) " + re.escape(identifier) + r"\b", line)
            if match:
                return match.group(1)
        return None
