"""Python bindings of libproviso, the software model checker for C: one file, no dependencies.

    import proviso
    result = proviso.check("prog.c", property="no-data-race", limit="time=60s")
    print(result.line, result.provisos)

Options are those of `proviso check`, with `_` for `-`. PROVISO_LIBRARY names the library if it is not where the dynamic
linker looks. Only one check may run at a time in a process.
"""
import ctypes
import ctypes.util
import json
import os

API_VERSION = 1  # the least that this file needs


class Error(Exception):
    """A wrong option or input, or an internal error."""


_FUNCTIONS = {
    "api_version": (ctypes.c_int,),
    "version": (ctypes.c_char_p,),
    "new": (ctypes.c_void_p,),
    "free": (None, ctypes.c_void_p),
    "error": (ctypes.c_char_p, ctypes.c_void_p),
    "set": (ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p),
    "add_file": (ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p),
    "add_clang_argument": (ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p),
    "check": (ctypes.c_int, ctypes.c_void_p),
    "result_line": (ctypes.c_char_p, ctypes.c_void_p),
    "count_provisos": (ctypes.c_size_t, ctypes.c_void_p),
    "get_proviso": (ctypes.c_char_p, ctypes.c_void_p, ctypes.c_size_t),
    "count_violations": (ctypes.c_size_t, ctypes.c_void_p),
    "get_violation": (ctypes.c_char_p, ctypes.c_void_p, ctypes.c_size_t),
    "count_states": (ctypes.c_uint64, ctypes.c_void_p),
    "json": (ctypes.c_char_p, ctypes.c_void_p),
    "text": (ctypes.c_char_p, ctypes.c_void_p),
    "harness": (ctypes.c_char_p, ctypes.c_void_p),
    "interrupt": (None,),
}
_library = None


def library():
    """The library, loaded on first use."""
    global _library
    if _library is None:
        name = os.environ.get("PROVISO_LIBRARY") or ctypes.util.find_library("proviso") or "libproviso.so.0"
        loaded = ctypes.CDLL(name)
        for function, (result, *arguments) in _FUNCTIONS.items():
            address = getattr(loaded, "proviso_" + function)
            address.restype, address.argtypes = result, arguments
        if loaded.proviso_api_version() < API_VERSION:
            raise Error("%s: has version %d of the interface, %d is needed"
                        % (name, loaded.proviso_api_version(), API_VERSION))
        _library = loaded
    return _library


def version():
    return library().proviso_version().decode()


def interrupt():
    """Asks the check that another thread runs to end with the result that it has."""
    library().proviso_interrupt()


def _text(value):
    return None if value is None else value.decode("utf-8", "replace")


class Checker:
    """One program to be checked. Frees its memory when it is closed, or at the end of a `with`."""

    def __init__(self, *files, clang=(), **options):
        self._lib, self._handle = library(), None
        self._handle = self._lib.proviso_new()
        for name, values in options.items():
            for value in values if isinstance(values, (list, tuple)) else [values]:
                self.set(name.replace("_", "-"), value)
        for file in files:
            self._try(self._lib.proviso_add_file(self._handle, os.fsencode(file)))
        for argument in clang:
            self._try(self._lib.proviso_add_clang_argument(self._handle, os.fsencode(argument)))

    def _try(self, status):
        if status:
            raise Error(_text(self._lib.proviso_error(self._handle)))

    def set(self, name, value):
        value = str(int(value)) if isinstance(value, bool) else str(value)
        self._try(self._lib.proviso_set(self._handle, name.encode(), value.encode()))

    def check(self):
        """Runs the check. Returns a Result."""
        self._try(self._lib.proviso_check(self._handle))
        return Result(self._lib, self._handle)

    def close(self):
        if self._handle:
            self._lib.proviso_free(self._handle)
            self._handle = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        self.close()


class Result:
    """What a check found; it needs no handle any more."""

    def __init__(self, lib, handle):
        self.line = _text(lib.proviso_result_line(handle))  # "false(no-data-race)"
        self.verdict = self.line.split("(")[0]  # "true", "false", "conditional", "unknown"
        self.provisos = [_text(lib.proviso_get_proviso(handle, i)) for i in range(lib.proviso_count_provisos(handle))]
        self.violations = [_text(lib.proviso_get_violation(handle, i))
                           for i in range(lib.proviso_count_violations(handle))]
        self.states = lib.proviso_count_states(handle)
        self.text = _text(lib.proviso_text(handle))
        self.json = json.loads(_text(lib.proviso_json(handle)))
        self.harness = _text(lib.proviso_harness(handle)) if self.violations else None

    def __str__(self):
        return self.line

    def __repr__(self):
        return "<proviso.Result %s>" % self.line


def check(*files, clang=(), **options):
    """Checks the files. Returns a Result."""
    with Checker(*files, clang=clang, **options) as checker:
        return checker.check()
