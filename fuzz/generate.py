#!/usr/bin/env python3
"""Prints a small random threaded C program; the same seed always gives the same program.

usage: fuzz/generate.py SEED [--threads N] [--statements N] [--alike | --cancel]

The programs end, deadlock, wait or run for ever in finitely many states; assertions may fail, plain accesses may race,
the heap and the stack may be misused.
They use nothing but POSIX, <stdatomic.h>, proviso_choose and atomic sections. With --alike several
threads run the same function, and what is done with their ids differs. With --cancel threads are
cancelled, and have handlers for that.
"""
import argparse, random

PLAIN, ATOMIC, LOCKS = ["x", "y", "z"], ["a", "b"], ["m", "n"]


class Generator:
    def __init__(self, seed, threads, statements):
        self.r = random.Random(seed)
        self.threads = self.r.randint(2, threads)
        self.statements = statements
        self.plain = PLAIN[: self.r.randint(1, 3)]
        self.atomic = ATOMIC[: self.r.randint(0, 2)]
        self.locks = LOCKS[: self.r.randint(0, 2)]
        self.tidy = self.r.random() < 0.5  # plain globals only under the first lock
        self.pointers = self.r.random() < 0.25
        self.heap = self.r.random() < 0.25        # a shared pointer to the heap
        self.conditions = bool(self.locks) and self.r.random() < 0.2
        self.semaphore = self.r.random() < 0.2
        self.sections = self.r.random() < 0.2
        self.array = self.r.random() < 0.25       # elements and locks, chosen by a local
        self.functions = self.r.random() < 0.25   # that are handed addresses
        self.lives = self.r.random() < 0.2        # addresses of locals that others get to see
        self.waits = self.r.random() < 0.15       # loops that wait, or never end
        self.nodes = self.r.random() < 0.15       # a list on the heap

    def shared(self, held):
        names = list(self.atomic)
        if not self.tidy or held:
            names += self.plain
        return self.r.choice(names) if names else None

    def value(self, held):
        name = self.shared(held)
        kind = self.r.randint(0, 4)
        if kind == 0 or not name:
            return self.r.choice(["l", str(self.r.randint(0, 3))])
        return name if kind < 4 else f"({name} + 1) % 4"

    def condition(self, held):
        return f"{self.value(held)} {self.r.choice(['==', '!=', '<'])} {self.r.randint(0, 3)}"

    def statement(self, indent, depth, held):
        pad, kind = "  " * indent, self.r.randint(0, 16 + self.more())
        target = self.shared(held)
        if kind > 16:
            return self.special(pad, indent, depth, held)
        if kind <= 3 and target:
            return [f"{pad}{target} = {self.value(held)};"]
        if kind == 4 and target:
            return [f"{pad}{target} = ({target} + {self.r.randint(1, 2)}) % 4;"]
        if kind == 5 and self.atomic:
            name = self.r.choice(self.atomic)
            return [self.r.choice([f"{pad}l = atomic_fetch_xor(&{name}, {self.r.randint(1, 3)}) & 3;",
                                   f"{pad}{{ int e = {self.r.randint(0, 2)}; l = atomic_compare_exchange_strong(&{name}, &e, {self.r.randint(0, 3)}); }}"])]
        if kind in (6, 7) and depth < 2:
            body = self.block(indent + 1, depth + 1, held, self.r.randint(1, 2))
            other = self.block(indent + 1, depth + 1, held, 1) if self.r.random() < 0.4 else None
            return [f"{pad}if ({self.condition(held)}) {{"] + body + ([f"{pad}}} else {{"] + other if other else []) + [pad + "}"]
        if kind in (8, 9) and self.locks and len(held) < len(self.locks):
            free = [l for l in self.locks if l not in held]
            lock = free[0] if self.tidy else self.r.choice(free)
            if self.r.random() < 0.15:
                body = self.block(indent + 1, depth + 1, held + [lock], 1)
                return [f"{pad}if (pthread_mutex_trylock(&{lock}) == 0) {{"] + body + [f"{pad}  pthread_mutex_unlock(&{lock});", pad + "}"]
            body = self.block(indent, depth + 1, held + [lock], self.r.randint(1, 2))
            return [f"{pad}pthread_mutex_lock(&{lock});"] + body + [f"{pad}pthread_mutex_unlock(&{lock});"]
        if kind == 10 and depth < 2:
            return [f"{pad}for (int i = 0; i < 2; i++) {{"] + self.block(indent + 1, depth + 2, held, 1) + [pad + "}"]
        if kind == 11:
            return [f"{pad}l = proviso_choose(0, {self.r.randint(1, 2)});"]
        if kind == 12:
            return [f"{pad}assert({self.condition(held)} || l != {self.r.randint(0, 3)});"]
        if kind == 13 and self.pointers:
            return [f"{pad}*p = {self.value(held)};"]
        if kind == 14 and self.heap:
            return [pad + self.r.choice(["h = malloc(sizeof *h);", "if (h) *h = 1;", "if (h) l = *h;", "free(h);",
                                         "{ int *old = h; h = 0; free(old); }", "p = h;"])]
        if kind == 15 and self.conditions and held == [self.locks[0]]:
            return [pad + self.r.choice(["pthread_cond_wait(&c, &m);", f"if ({self.condition(held)}) pthread_cond_wait(&c, &m);",
                                         "pthread_cond_signal(&c);", "pthread_cond_broadcast(&c);"])]
        if kind == 16 and self.semaphore:
            return [pad + self.r.choice(["sem_wait(&s);", "sem_post(&s);", "sem_post(&s);", "l = sem_trywait(&s) == 0;"])]
        if kind == 14 and self.sections and depth < 2:
            body = self.assignments(indent + 1, held)
            if self.locks and not held and self.r.random() < 0.2:  # may have to wait, under a proviso
                body = [f"{pad}  pthread_mutex_lock(&{self.locks[0]});"] + body + [f"{pad}  pthread_mutex_unlock(&{self.locks[0]});"]
            return [f"{pad}__VERIFIER_atomic_begin();"] + body + [f"{pad}__VERIFIER_atomic_end();"]
        return [f"{pad}l = {self.value(held)};"]

    def more(self):
        return 3 * sum([self.array, self.functions, self.lives, self.waits, self.nodes])

    def special(self, pad, indent, depth, held):
        r, value = self.r, self.value(held)
        kinds = ["array"] * self.array + ["functions"] * self.functions + ["lives"] * self.lives
        kind = r.choice(kinds + ["waits"] * self.waits + ["nodes"] * self.nodes)
        if kind == "array":
            which = r.choice(["k", "k", "l & 1", "1"])
            if r.random() < 0.4 and not held:
                body = self.block(indent + 1, depth + 1, held + ["row"], 1) if depth < 2 else []
                return [f"{pad}{{ int j = {which};", f"{pad}  pthread_mutex_lock(&row[j]);",
                        f"{pad}  element[j] = {value};"] + body + [f"{pad}  pthread_mutex_unlock(&row[j]); }}"]
            return [pad + r.choice([f"element[{which}] = {value};", f"l = element[{which}] & 3;", "k = 1 - k;",
                                    f"element[{which}]++;"])]
        if kind == "functions":
            to = r.choice([f"&{n}" for n in self.plain] + ["p", "&l"] + ["&element[k]"] * self.array)
            return [pad + r.choice([f"put({to}, {value});", f"l = get({to}) & 3;", f"guarded(&{r.choice(['first', 'second'])}, {to});"])]
        if kind == "lives":
            if r.random() < 0.4 and depth < 2:
                body = self.block(indent + 1, depth + 1, held, 1)
                return [f"{pad}{{ int v = l;", f"{pad}  seen = &v;"] + body + [f"{pad}}}"]
            return [pad + r.choice(["{ int *s = seen; if (s) *s = 1; }", "{ int *s = seen; if (s) l = *s & 3; }", "seen = 0;",
                                    "lend(l);", f"lend({value});"])]
        if kind == "waits":
            name = r.choice(self.atomic + ["flag"])
            return [pad + r.choice(["flag = 1;", "flag = 0;", f"while ({name} == {r.randint(0, 1)}) l = 0;", "while (flag) flag = 0;"])]
        return [pad + r.choice(["{ struct node *n = malloc(sizeof *n); if (n) { n->value = l; n->next = list; list = n; } }",
                                "{ struct node *n = list; if (n) { list = n->next; free(n); } }",
                                "for (struct node *n = list; n; n = n->next) l = n->value & 3;",
                                "{ struct node *n = list; if (n) n->value = l; }"])]

    def assignments(self, indent, held):
        """What an atomic section holds: no section within."""
        return [f"{'  ' * indent}{self.shared(held) or 'l'} = {self.value(held)};" for _ in range(self.r.randint(1, 3))]

    def block(self, indent, depth, held, n):
        lines = []
        for _ in range(n):
            lines += self.statement(indent, depth, held)
        return lines

    def declarations(self):
        out = ["#include <assert.h>", "#include <pthread.h>", "#include <semaphore.h>", "#include <stdatomic.h>",
               "#include <stdlib.h>", "",
               "int proviso_choose(int low, int high);", ""]
        out += ["void __VERIFIER_atomic_begin(void);", "void __VERIFIER_atomic_end(void);", ""] * self.sections
        out += [f"int {n};" for n in self.plain] + [f"atomic_int {n};" for n in self.atomic]
        out += [f"pthread_mutex_t {n} = PTHREAD_MUTEX_INITIALIZER;" for n in self.locks]
        out += ["int *h;"] * self.heap + ["pthread_cond_t c = PTHREAD_COND_INITIALIZER;"] * self.conditions
        out += ["sem_t s;"] * self.semaphore
        out += ["int element[2];", "pthread_mutex_t row[2];"] * self.array
        out += ["int *_Atomic seen;", "void lend(int l) { int v = l; seen = &v; x = l; }"] * self.lives
        out += ["atomic_int flag;"] * self.waits
        out += ["struct node { int value; struct node *next; };", "struct node *list;"] * self.nodes
        out += ["pthread_mutex_t first, second;", "void put(int *to, int value) { *to = value; }", "int get(int *from) { return *from; }",
                "void guarded(pthread_mutex_t *lock, int *to) {", "  pthread_mutex_lock(lock);", "  *to = (*to + 1) % 4;",
                "  pthread_mutex_unlock(lock);", "}"] * self.functions
        return out

    def program(self):
        out = self.declarations()
        for t in range(self.threads):
            out += ["", f"void *thread{t}(void *argument) {{", "  int l = 0, *p = argument;"]
            out += [f"  int k = {t & 1};"] * self.array
            endless = self.waits and not self.heap and not self.nodes and self.r.random() < 0.3
            out += ["  for (;;) {"] * endless
            out += self.block(1 + endless, endless, [], self.r.randint(1, self.statements))
            out += ["  }"] * endless
            out += ["  (void)l;", "  (void)p;"] + ["  (void)k;"] * self.array + ["  return 0;", "}"]
        out += ["", "int main(void) {", f"  pthread_t t[{self.threads}];", "  int l = 0, *p = &x;", "  (void)p;"]
        out += ["  int k = 1;", "  (void)k;"] * self.array
        out += [f"  sem_init(&s, 0, {self.r.randint(0, 1)});"] * self.semaphore
        for t in range(self.threads):
            out += [f"  pthread_create(&t[{t}], 0, thread{t}, &{self.r.choice(self.plain)});"]
        if self.r.random() < 0.4:
            out += self.block(1, 1, [], 1)
        out += [f"  pthread_join(t[{t}], 0);" for t in range(self.threads)]
        out += [f"  assert({self.r.choice(self.plain + self.atomic)} != {self.r.randint(1, 3)} || l);", "  return 0;", "}"]
        return "\n".join(out) + "\n"


class Alike(Generator):
    """Threads that run the same functions; they may have objects of their own, and create others."""

    def __init__(self, seed, threads, statements):
        super().__init__(seed + (1 << 40), threads, statements)
        self.threads = self.r.randint(2, threads)
        self.starts = self.r.choice([1, 1, 1, 2])
        self.conditions = bool(self.locks) and self.r.random() < 0.3
        self.barrier = self.r.random() < 0.2
        self.own = self.r.choice(["", "", "local", "heap", "tls", "escapes", "key"])
        self.arguments = self.r.choice(["same", "same", "null", "group", "number", "result"])
        self.ids = self.r.choice(["row", "row", "row", "row", "one", "global", "some", "reverse", "mixed", "created late",
                                  "joined by others", "again", "attribute", "detached", "self", "nested", "forgotten"])

    def own_lines(self):
        return {"local": ["  int mine = l;", "  touch(&mine);"],
                "heap": ["  int *mine = malloc(sizeof *mine);", "  *mine = l;", "  touch(mine);"],
                "tls": ["  kept++;"], "key": ["  static int place;", "  kept_at = &place;"],
                "escapes": ["  int mine = l;", "  __VERIFIER_atomic_begin();", "  known = &mine;", "  __VERIFIER_atomic_end();"],
                }.get(self.own, [])

    def own_after(self):
        return {"local": ["  touch(&mine);"], "heap": self.r.choice([["  free(mine);"], [], ["  touch(mine);", "  free(mine);"]]),
                "tls": ["  assert(kept == 1);"], "key": ["  *kept_at = 1;"],
                "escapes": ["  __VERIFIER_atomic_begin();", "  l = known == &mine;", "  __VERIFIER_atomic_end();"],
                }.get(self.own, [])

    def argument(self, t):
        return {"same": f"&{self.plain[0]}", "null": "0", "group": f"&{self.plain[t % 2 % len(self.plain)]}",
                "number": f"(void *)(long){t % 2}", "result": "0"}[self.arguments]

    def thread(self, f):
        use = self.arguments in ("same", "group") and self.pointers
        number = self.arguments == "number"
        self.pointers = use
        body = self.block(1, 0, [], self.r.randint(1, self.statements))
        ends = [f"  return (void *)(long)l;" if self.arguments == "result" else "  return 0;"]
        if self.barrier:
            body += ["  l = pthread_barrier_wait(&b0) != 0;"]
        if self.ids == "self":
            body += ["  if (pthread_equal(pthread_self(), t[0])) x = 1;"]
        if self.ids == "joined by others" and f == 0:
            body += [f"  if (l) pthread_join(t[{self.threads - 1}], 0);"]
        if self.ids == "nested" and f == 0:
            body += ["  pthread_t inner;", "  if (l) { pthread_create(&inner, 0, leaf, 0); pthread_join(inner, 0); }"]
        start = ["  int l = (int)(long)argument, *p = 0;" if number else "  int l = 0, *p = argument;"]
        start += ["  int k = 1;", "  (void)k;"] * self.array
        return (["", f"void *thread{f}(void *argument) {{"] + start + self.own_lines() + body + self.own_after()
                + ["  (void)l;", "  (void)p;"] + ends + ["}"])

    def create(self, t):
        at = "id" if self.ids in ("one", "forgotten") else f"t[{t}]"
        how = "&attribute" if self.ids == "attribute" and t % 2 else "0"
        return [f"  pthread_create(&{at}, {how}, thread{t % self.starts}, {self.argument(t)});"]

    def main(self):
        n, out = self.threads, []
        joins = [f"  pthread_join(t[{t}], 0);" for t in range(n)]
        if self.arguments == "result":
            joins = [f"  pthread_join(t[{t}], &result);  l += (int)(long)result;" for t in range(n)]
        together = self.r.random() < 0.5
        if together:
            out += ["  __VERIFIER_atomic_begin();"]
        late = self.ids == "created late"
        for t in range(n - late):
            out += self.create(t)
        if together:
            out += ["  __VERIFIER_atomic_end();"]
        if self.r.random() < 0.3:
            out += self.block(1, 1, [], 1)
        if self.ids == "detached":
            out += [f"  pthread_detach(t[{t}]);" for t in range(n)] + self.create(0) + joins[:1]
        elif self.ids == "some":
            out += joins[:-1]
        elif self.ids == "reverse":
            out += joins[::-1]
        elif self.ids == "mixed":
            out += joins[:1] + self.block(1, 1, [], 1) + joins[1:]
        elif late:
            out += joins[:1] + self.create(n - 1) + joins[1:]
        elif self.ids == "again":
            out += joins + self.create(0) + self.create(1) + joins[:2] + (joins[:1] if self.r.random() < 0.2 else [])
        elif self.ids == "attribute":
            out += joins[::2]
        elif self.ids == "one":
            out += ["  pthread_join(id, 0);"]
        elif self.ids == "forgotten":
            out += self.r.choice([["  for (;;) { x = 1; }"], ["  pthread_exit(0);"], []])
        elif self.r.random() < 0.5 or self.arguments == "result":
            out += joins
        else:
            out += [f"  for (int i = 0; i < {n}; i++) pthread_join(t[i], 0);"]
        return out

    def program(self):
        self.tidy = self.tidy and bool(self.locks)
        out = self.declarations()
        out += ["void __VERIFIER_atomic_begin(void);", "void __VERIFIER_atomic_end(void);"]
        out += ["pthread_barrier_t b0;"] * self.barrier
        out += ["_Thread_local int kept;", "_Thread_local int *kept_at;", "int *known;"]
        local = self.ids not in ("global", "self", "joined by others") and self.r.random() < 0.6
        ids = f"pthread_t t[{self.threads}];"
        out += [] if local else [ids]
        out += ["static void touch(int *q) { *q = (*q + 1) % 4; }", "static void *leaf(void *q) { x = 1; return q; }"]
        for f in range(self.starts):
            out += self.thread(f)
        out += ["", "int main(void) {", "  int l = 0, *p = &x;", "  pthread_t id;", "  void *result;",
                "  pthread_attr_t attribute;", "  (void)p; (void)id; (void)result; (void)touch; (void)leaf;"]
        out += ["  int k = 0;", "  (void)k;"] * self.array + ["  " + ids] * local
        if self.ids == "attribute":
            out += ["  pthread_attr_init(&attribute);", "  pthread_attr_setdetachstate(&attribute, PTHREAD_CREATE_DETACHED);"]
        out += [f"  sem_init(&s, 0, {self.r.randint(0, 1)});"] * self.semaphore
        out += [f"  pthread_barrier_init(&b0, 0, {self.threads});"] * self.barrier
        out += self.main()
        out += [f"  assert({self.r.choice(self.plain + self.atomic)} != {self.r.randint(1, 3)} || l);", "  return 0;", "}"]
        return "\n".join(out) + "\n"


class Cancelled(Generator):
    """Threads that cancel each other and themselves, also main. A thread cancels only main and those that main joins
    later than it, so that none is cancelled after it was joined."""

    def __init__(self, seed, threads, statements):
        super().__init__(seed + (1 << 41), threads, statements)
        self.threads = self.r.randint(1, threads)
        self.conditions = bool(self.locks) and self.r.random() < 0.5
        self.semaphore = self.r.random() < 0.4
        self.waits = self.nodes = self.lives = self.functions = False
        self.of_main = self.r.random() < 0.15
        self.at = 0

    def more(self):
        return super().more() + 9

    def special(self, pad, indent, depth, held):
        r = self.r
        if r.randint(1, self.more()) > 9:
            return super().special(pad, indent, depth, held)
        kind = r.choice(["test", "test", "other", "other", "state", "push", "push", "locked", "locked", "locked", "waits", "few"])
        if kind == "other":
            which = r.randint(self.at, self.threads - 1) if self.at < self.threads else r.randint(0, self.threads - 1)
            which = self.threads if self.of_main and r.random() < 0.4 else which
            return [f"{pad}{{ pthread_t o = ids[{which}]; if (o) pthread_cancel(o); }}"]
        if kind == "state":
            return [pad + f"pthread_setcancelstate({r.choice(['PTHREAD_CANCEL_DISABLE', 'PTHREAD_CANCEL_ENABLE'])}, 0);"]
        if kind == "push" and depth < 2:
            body = self.block(indent + 1, depth + 1, held, r.randint(1, 2))
            handler = f"note, &{self.shared(held) or 'last'}" if not self.tidy or held else "note, &last"
            handler = handler if "a" not in handler.split("&")[1] and "b" not in handler.split("&")[1] else "note, &last"
            return [f"{pad}pthread_cleanup_push({handler});"] + body + [f"{pad}pthread_cleanup_pop({r.randint(0, 1)});"]
        if kind == "locked" and self.locks and not held:
            lock = self.locks[0]
            body = self.block(indent + 1, depth + 1, [lock], r.randint(1, 2))
            if self.conditions and r.random() < 0.7:
                body += [f"{pad}  if ({self.condition([lock])}) pthread_cond_wait(&c, &m);"]
            return ([f"{pad}pthread_mutex_lock(&{lock});", f"{pad}pthread_cleanup_push(unlock, &{lock});"] + body
                    + [f"{pad}pthread_cleanup_pop(1);"])
        if kind == "waits" and self.semaphore:
            return [pad + r.choice(["sem_wait(&s);", "sem_wait(&s);", "sem_post(&s);"])]
        if kind == "few":
            return [pad + r.choice(["pthread_exit((void *)2);", "pthread_cancel(pthread_self());", "sleep(1);", "puts(\"\");",
                                    "{ struct timespec w = {0, 0}; sem_timedwait(&s, &w); }" if self.semaphore else "usleep(1);"])]
        return [f"{pad}pthread_testcancel();"]

    def program(self):
        n = self.threads
        out = ["#include <stdio.h>", "#include <unistd.h>"] + self.declarations()
        out += [f"atomic_ulong ids[{n + 1}];", "_Thread_local int last;", "static void note(void *at) { *(int *)at = 1; }",
                "static void unlock(void *lock) { pthread_mutex_unlock(lock); }"]
        for self.at in range(n):
            out += ["", f"void *thread{self.at}(void *argument) {{", "  int l = 0, *p = argument;", "  (void)note; (void)unlock;"]
            out += ["  int k = 1;", "  (void)k;"] * self.array
            out += self.block(1, 0, [], self.r.randint(1, self.statements)) + ["  (void)l;", "  (void)p;", "  return 0;", "}"]
        out += ["", "int main(void) {", f"  pthread_t t[{n}];", "  int l = 0, *p = &x;", "  void *result;", "  (void)p;"]
        out += ["  int k = 1;", "  (void)k;"] * self.array + [f"  ids[{n}] = pthread_self();"] * self.of_main
        out += [f"  sem_init(&s, 0, {self.r.randint(0, 1)});"] * self.semaphore
        for t in range(n):
            out += [f"  pthread_create(&t[{t}], 0, thread{t}, &{self.r.choice(self.plain)});", f"  ids[{t}] = t[{t}];"]
        out += [f"  pthread_cancel(t[{t}]);" for t in range(n) if self.r.random() < 0.4]
        if self.r.random() < 0.5:
            out += self.block(1, 1, [], 1)
        for t in range(n):
            out += [f"  pthread_join(t[{t}], &result);"]
            if self.r.random() < 0.3:
                out += [f"  assert(result {self.r.choice(['==', '!='])} {self.r.choice(['0', 'PTHREAD_CANCELED'])} || l);"]
        out += [f"  assert({self.r.choice(self.plain + self.atomic)} != {self.r.randint(1, 3)} || l);", "  return 0;", "}"]
        return "\n".join(out) + "\n"


def generate(seed, threads=3, statements=4, alike=False, cancel=False):
    return (Cancelled if cancel else Alike if alike else Generator)(seed, threads, statements).program()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seed", type=int)
    parser.add_argument("--threads", type=int, default=3)
    parser.add_argument("--statements", type=int, default=4)
    parser.add_argument("--alike", action="store_true")
    parser.add_argument("--cancel", action="store_true")
    a = parser.parse_args()
    print(generate(a.seed, a.threads, a.statements, a.alike, a.cancel), end="")
