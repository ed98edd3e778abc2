#!/usr/bin/env python3
"""Reads automata by the grammar of CPAchecker's doc/SpecificationAutomata.md, independently of proviso.

usage: tests/automaton_grammar.py FILE...

Exits with 0 if each file consists of automata and assertions, and in each automaton every state that is named is defined once.
"""
import os, re, sys

TOKEN = re.compile(r'\s+|//[^\n]*|/\*.*?\*/|(?P<include>#include [^\n]+)|(?P<string>"(?:\\.|[^"\\\n])*")|(?P<curly>\{(?:\\.|[^}\\])*\})|'
                   r'(?P<square>\[(?:\\.|[^\]\\\n])*\])|(?P<int>\d+)|(?P<word>[\w$]+)|(?P<sign>->|==|!=|&&|\|\||[:;,()!=+\-<>])', re.S)
WORDS = set("AUTOMATON END OBSERVER CONTROL LOCAL INITIAL STATE ERROR STOP BREAK EXIT ENTRY FUNCTIONCALL ASSUME ASSERT MATCH LABEL EVAL CHECK MODIFY "
            "DO GOTO true false TRUE FALSE PRINT PRINTONCE USEFIRST USEALL TARGET IS_TARGET_STATE COVERS_LINES".split())


def tokens(path, known):
    """The words of a file; those of an included one, once, stand in its place."""
    if os.path.realpath(path) in known:
        return []
    known.add(os.path.realpath(path))
    with open(path, encoding="utf-8") as f:
        text = f.read()
    at, out = 0, []
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise SyntaxError("line %d: %r" % (text.count("\n", 0, at) + 1, text[at:at + 20]))
        kind, word = match.lastgroup, match.lastgroup and match.group(match.lastgroup)
        if kind == "include":
            out += tokens(os.path.join(os.path.dirname(path), word.split(None, 1)[1].strip()), known)
        elif kind:
            out.append(("name" if kind == "word" and word not in WORDS else kind, word))
        at = match.end()
    return out


class Parser:
    def __init__(self, words):
        self.words, self.at = words + [("end", "")], 0

    def take(self, *wanted):
        kind, word = self.words[self.at]
        if word not in wanted and kind not in wanted:
            raise SyntaxError("%s expected, not %r" % (" or ".join(wanted), word))
        self.at += 1
        return word

    def has(self, *wanted):
        return self.words[self.at][1] in wanted or self.words[self.at][0] in wanted

    def accept(self, *wanted):
        return self.has(*wanted) and bool(self.take(*wanted))

    def specification(self):
        while not self.has("end"):
            if self.accept("ASSERT"):
                self.expression("bool")
                self.take(";")
            else:
                self.automaton()

    def automaton(self):
        self.named, self.defined = set(), []
        self.accept("OBSERVER", "CONTROL")
        self.take("AUTOMATON")
        self.take("name")
        while self.accept("LOCAL"):
            self.take("name")
            is_set = self.accept("<")
            if is_set:
                self.take("name")
                self.take(">")
            self.take("name")
            if self.accept("="):
                self.take("square" if is_set else "int")
            self.take(";")
        self.take("INITIAL")
        self.take("STATE")
        self.named.add(self.take("name"))
        self.take(";")
        while self.has("STATE", "TARGET"):
            self.state()
        self.take("END")
        self.take("AUTOMATON")
        missing = self.named - set(self.defined)
        if missing or len(self.defined) != len(set(self.defined)):
            raise SyntaxError("states %s are not defined once" % sorted(missing or self.defined))

    def state(self):
        self.accept("TARGET")
        self.take("STATE")
        self.accept("USEFIRST", "USEALL")
        self.defined.append(self.take("name"))
        self.take(":")
        while not self.has("STATE", "TARGET", "END"):
            self.transition()

    def transition(self):
        self.expression("bool")
        self.take("->")
        while self.accept("ASSERT"):
            self.expression("bool")
        if self.accept("ASSUME"):
            self.take("curly")
        while self.has("DO", "PRINT", "PRINTONCE", "MODIFY"):
            self.action()
        if self.accept("GOTO"):
            self.named.add(self.take("name"))
        elif self.take("ERROR", "STOP", "BREAK") == "ERROR" and self.accept("("):
            self.take("string")
            self.take(")")
        self.take(";")

    def action(self):
        if self.accept("MODIFY"):
            self.question()
        elif self.accept("DO"):
            self.take("name")
            if self.accept("square"):
                self.take("=")
                self.take("TRUE", "FALSE", "true", "false")
            else:
                self.take("=")
                self.expression("int", 2)
        else:
            self.take("PRINT", "PRINTONCE")
            while not self.has("DO", "PRINT", "PRINTONCE", "MODIFY", "GOTO", "ERROR", "STOP", "BREAK"):
                if not self.accept("string"):
                    self.expression()

    def question(self):
        self.take("(")
        if not self.accept("string", "IS_TARGET_STATE"):
            self.take("name")
            nested = self.take("(", ",") == "("
            self.take("string")
            if nested:
                self.take(")")
        self.take(")")

    LEVELS = (("&&", "||"), ("==", "!="), ("+", "-"))

    def expression(self, wanted=None, level=0):
        """The type of an expression, "int" or "bool"."""
        if level == 3:
            is_a = self.operand()
        else:
            is_a = self.expression(None, level + 1)
            while self.has(*self.LEVELS[level]):
                sign = self.take(*self.LEVELS[level])
                other = self.expression(None, level + 1)
                if other != is_a or (level == 0 and is_a != "bool") or (level == 2 and is_a != "int"):
                    raise SyntaxError("%s of %s and %s" % (sign, is_a, other))
                is_a = "int" if level == 2 else "bool"
        if wanted and is_a != wanted:
            raise SyntaxError("%s expected, not %s" % (wanted, is_a))
        return is_a

    def operand(self):
        if self.accept("int", "name"):
            return "int"
        if self.accept("EVAL"):
            self.question()
            return "int"
        if self.accept("("):
            is_a = self.expression()
            self.take(")")
            return is_a
        if self.accept("!"):
            if self.operand() != "bool":
                raise SyntaxError("! of a number")
        elif self.accept("MATCH"):
            if self.accept("LABEL"):
                self.take("string", "square")
            elif self.accept("FUNCTIONCALL"):
                self.take("string")
            else:
                self.take("string", "curly", "square", "ASSERT", "EXIT", "ENTRY")
        elif self.accept("CHECK"):
            self.question()
        elif self.accept("COVERS_LINES"):
            self.take("(")
            while self.accept("int"):
                pass
            self.take(")")
        else:
            self.take("TRUE", "FALSE", "true", "false")
        return "bool"


for name in sys.argv[1:]:
    try:
        Parser(tokens(name, set())).specification()
    except (SyntaxError, OSError) as error:
        sys.exit("%s: %s" % (name, error))
