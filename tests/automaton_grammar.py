#!/usr/bin/env python3
"""Reads automata by the grammar of CPAchecker's doc/SpecificationAutomata.md, independently of proviso.

usage: tests/automaton_grammar.py FILE...

Exits with 0 if each file is one automaton in which every state that is named is defined once.
"""
import re, sys

TOKEN = re.compile(r'\s+|//[^\n]*|/\*.*?\*/|(?P<string>"(?:\\.|[^"\\])*")|(?P<curly>\{[^}]*\})|(?P<square>\[[^\]]*\])|'
                   r'(?P<word>\w+)|(?P<sign>->|==|!=|&&|\|\||[:;,()!=+\-])', re.S)


def tokens(text):
    at, out = 0, []
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise SyntaxError("line %d: %r" % (text.count("\n", 0, at) + 1, text[at:at + 20]))
        if match.lastgroup:
            out.append((match.lastgroup, match.group(match.lastgroup)))
        at = match.end()
    return out + [("end", "")]


class Parser:
    def __init__(self, text):
        self.words, self.at, self.named, self.defined = tokens(text), 0, set(), []

    def take(self, *wanted):
        kind, word = self.words[self.at]
        if word not in wanted and kind not in wanted:
            raise SyntaxError("%s expected, not %r" % (" or ".join(wanted), word))
        self.at += 1
        return word

    def has(self, *wanted):
        return self.words[self.at][1] in wanted

    def automaton(self):
        self.take("OBSERVER", "CONTROL")
        self.take("AUTOMATON")
        self.take("word")
        while self.has("LOCAL"):
            for what in ("LOCAL", "int", "word", "=", "word", ";"):
                self.take(what)
        self.take("INITIAL")
        self.take("STATE")
        self.named.add(self.take("word"))
        self.take(";")
        while self.has("STATE", "TARGET"):
            self.state()
        self.take("END")
        self.take("AUTOMATON")
        self.take("end")
        missing = self.named - set(self.defined)
        if missing or len(self.defined) != len(set(self.defined)):
            raise SyntaxError("states %s are not defined once" % sorted(missing or self.defined))

    def state(self):
        if self.has("TARGET"):
            self.take("TARGET")
        self.take("STATE")
        if self.has("USEFIRST", "USEALL"):
            self.take("word")
        self.defined.append(self.take("word"))
        self.take(":")
        while not self.has("STATE", "TARGET", "END"):
            self.transition()

    def transition(self):
        if self.take("TRUE", "MATCH") == "MATCH":
            self.take("string", "curly", "square")
        self.take("->")
        if self.has("ASSUME"):
            self.take("ASSUME")
            self.take("curly")
        if self.take("GOTO", "ERROR", "STOP") == "GOTO":
            self.named.add(self.take("word"))
        self.take(";")


for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as f:
        try:
            Parser(f.read()).automaton()
        except SyntaxError as error:
            sys.exit("%s: %s" % (path, error))
