"""server.py -- checks of one program that is compiled and read once (server.c), for fuzz/pairs.py and fuzz/symbolic.py.

Needs BUILD-FOLDER/libproviso.a of a build without link-time optimisation.
"""
import json, os, select, subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NAME = "fuzz-server"
LIBRARIES = "-L/usr/lib/llvm-19/lib -lLLVM-19 -lcjson -lyaml -lz3 -lcadical -lxxhash -lstdc++ -lm".split()


def build_server(folder):
    """The server, built anew if the library is newer."""
    library, source, out = os.path.join(folder, "libproviso.a"), os.path.join(ROOT, "fuzz", "server.c"), os.path.abspath(os.path.join(folder, NAME))
    if not os.path.exists(out) or os.path.getmtime(out) < max(os.path.getmtime(library), os.path.getmtime(source)):
        subprocess.run(["cc", "-std=c11", "-O1", "-D_GNU_SOURCE", "-I" + os.path.join(ROOT, "src"), "-I" + os.path.join(ROOT, "include"),
                        source, library, *LIBRARIES, "-o", out], check=True)
    return out


class Difference(Exception):
    pass


KILLED = {"verdict": "killed"}


class Server:
    """One program for one set of properties (empty: the default), read once. options: those about reading it."""

    def __init__(self, binary, path, properties, folder, options=()):
        self.folder, self.log = folder, open(os.path.join(folder, "log"), "w+", encoding="utf-8", errors="replace")
        self.process = subprocess.Popen([binary, path, properties, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, text=True)

    def check(self, options, seconds=300):
        """The result; None: the options were refused; KILLED: with `interim` among them."""
        report = os.path.join(self.folder, "result.json")
        if os.path.exists(report):
            os.remove(report)
        self.log.seek(0)
        self.log.truncate()
        try:
            self.process.stdin.write("\t".join(f"{k}={v}" for k, v in {**options, "json": report}.items()) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise RuntimeError("the program cannot be read")
        if not select.select([self.process.stdout], [], [], seconds)[0]:
            raise Difference(f"no end: {options}")
        status = self.process.stdout.readline().strip()
        if status == "2":
            return None
        if status == "40":
            return KILLED
        if status != "0":
            self.log.seek(0)
            raise Difference(f"exit {status}: {options}: {self.log.read()[:300]}")
        with open(report, encoding="utf-8") as f:
            return json.load(f)

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close(), self.process.stdout.close(), self.log.close()
