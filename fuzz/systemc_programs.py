"""Random programs with processes of SystemC (sysc.h) and small data, for esst.py."""

import random

GLOBALS, EVENTS, SIGNALS = 3, 3, 2


class SystemcMaker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.processes = self.random.randint(2, 3)
        self.in_method = False

    def value(self):
        return self.random.choice(["0", "1", "2", "g%d" % self.random.randrange(GLOBALS)])

    def condition(self):
        left = self.random.choice(["g%d" % self.random.randrange(GLOBALS), "l", "sysc_read(s[%d])" % self.random.randrange(SIGNALS)])
        return "%s %s %s" % (left, self.random.choice(["==", "!=", "<", ">"]), self.value())

    def wait(self):
        kind = self.random.randrange(7)
        event = "e[%d]" % self.random.randrange(EVENTS)
        time = self.random.randint(0, 2)
        name = "next" if self.in_method else "wait"
        target = "" if self.in_method else "l = "
        if kind == 0:
            return "sysc_%s();" % name
        if kind == 1:
            return "sysc_%s_time(%d);" % (name, time)
        if kind == 2:
            return "sysc_%s_event(%s);" % (name, event)
        if kind == 3:
            return "%ssysc_%s_event_for(%s, %d);" % (target, name, event, time)
        if kind == 4:
            return "sysc_%s_any(2, e + %d);" % (name, self.random.randrange(EVENTS - 1))
        if kind == 5:
            return "sysc_%s_all(2, e + %d);" % (name, self.random.randrange(EVENTS - 1))
        return "%ssysc_%s_all_for(2, e + %d, %d);" % (target, name, self.random.randrange(EVENTS - 1), time)

    def statement(self, depth):
        target = self.random.choice(["g%d" % self.random.randrange(GLOBALS), "l"])
        event = "e[%d]" % self.random.randrange(EVENTS)
        chosen = self.random.randrange(15)
        if chosen < 2:
            return "%s = %s;" % (target, self.value())
        if chosen == 2:
            return "if (%s < 3) %s = %s + 1;" % (target, target, target)
        if chosen == 3:
            return "%s = __VERIFIER_nondet_bool();" % target
        if chosen == 4:
            return "sysc_notify_now(%s);" % event
        if chosen == 5:
            return "sysc_notify(%s, %d);" % (event, self.random.randint(0, 2))
        if chosen == 6 and self.random.random() < 0.4:
            return self.random.choice(["sysc_cancel(%s);" % event, "sysc_stop();"])
        if chosen == 7:
            return "sysc_write(s[%d], %s);" % (self.random.randrange(SIGNALS), self.value())
        if chosen in (6, 8, 9):
            return self.wait()
        if chosen == 10 and depth:
            return "{ int i; for (i = 0; i < 2; i++) { %s } }" % self.block(depth - 1, 2)
        if depth and chosen < 14:
            other = " else { %s }" % self.block(depth - 1, 1) if self.random.random() < 0.5 else ""
            return "if (%s) { %s }%s" % (self.condition(), self.block(depth - 1, 2), other)
        return "if (%s && %s) reach_error();" % (self.condition(), self.condition())

    def block(self, depth, most):
        return " ".join(self.statement(depth) for _ in range(self.random.randint(1, most)))

    def program(self):
        lines = ["#include <sysc.h>", "extern _Bool __VERIFIER_nondet_bool(void);", "extern void reach_error(void);",
                 "static sysc_event e[%d];" % EVENTS, "static sysc_signal s[%d];" % SIGNALS]
        lines += ["static int g%d;" % i for i in range(GLOBALS)]
        makes = []
        for i in range(self.processes):
            self.in_method = self.random.random() < 0.3
            body = "\n  ".join(self.statement(2) for _ in range(self.random.randint(2, 6)))
            if not self.in_method and self.random.random() < 0.4:
                body = "for (;;) {\n  %s\n  sysc_wait_time(1); }" % body
            lines.append("static void f%d(void *u) {\n  int l = 0; (void)u;\n  %s\n}" % (i, body))
            makes.append("  p = sysc_%s(f%d, 0);" % ("method" if self.in_method else "thread", i))
            if self.random.random() < 0.6:
                makes.append("  sysc_sensitive(p, %s);" % self.random.choice(
                    ["e[%d]" % self.random.randrange(EVENTS), "sysc_changed(s[%d])" % self.random.randrange(SIGNALS)]))
                if self.random.random() < 0.3:
                    makes.append("  sysc_dont_initialize(p);")
        lines.append("int main(void) {\n  sysc_process p;")
        lines += ["  e[%d] = sysc_event_new();" % i for i in range(EVENTS)]
        lines += ["  s[%d] = sysc_signal_new(0);" % i for i in range(SIGNALS)]
        lines += makes
        lines.append(self.random.choice(["  sysc_start_all();", "  sysc_start(%d);" % self.random.randint(1, 4),
                                         "  sysc_start(1); g0 = g0 < 3 ? g0 + 1 : 0; sysc_start(2);"]))
        return "\n".join(lines + ["  return 0;", "}", ""])
