#!/usr/bin/env python3
"""Runs small random programs whose threads wait for each other with the symbolic engines that know threads, and compares
their verdicts with that of exhaustive execution (engine `explicit`).

usage: fuzz/waits.py [--from SEED] [--count N] [--binary build/proviso] [--build FOLDER] [--jobs N] [--time S] [--engines A,B]
                     [--keep FOLDER] [--print]

Two or three threads do a few operations each: locks (also through pointers and on the stack), condition variables with
and without a time, signals, semaphores, spin locks, joins, initialisation and destruction, uses of values that were never
set. The properties are no-deadlock, def-behavior or both. The rest is as in symbolic.py: an engine may answer
`conditional` or `unknown`, but never `true` where there is an error nor `false` where there is none.
"""
import os, random, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import symbolic

ENGINES = ["value", "composite", "value+unreduced", "esst", "esst+unreduced"]
HEAD = """#include <pthread.h>
#include <semaphore.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER, *which = &n;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER, d = PTHREAD_COND_INITIALIZER;
static pthread_spinlock_t spin;
static sem_t s;
static pthread_t ids[2];
static int x;
"""


class Program:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.kinds = self.r.sample(["nested", "wait", "signal", "semaphore", "spin", "life", "pointer", "local", "unset"], 3) + ["lock"]
        if "wait" in self.kinds and "signal" not in self.kinds:
            self.kinds.append("signal")

    def operation(self):
        r, kind = self.r, self.r.choice(self.kinds)
        lock, condition = r.choice("mn"), r.choice("ccd")
        if kind == "lock":
            return f"pthread_mutex_lock(&{lock}); x++; {r.choice(['', f'pthread_mutex_unlock(&{lock});', f'pthread_mutex_unlock(&{lock});'])}"
        if kind == "nested":
            return (f"pthread_mutex_lock(&{lock}); pthread_mutex_lock(&{r.choice('mn')}); pthread_mutex_unlock(&m); pthread_mutex_unlock(&n);"
                    if r.random() < 0.7 else f"if (pthread_mutex_trylock(&{lock}) == 0) pthread_mutex_unlock(&{lock});")
        if kind == "wait":
            timed = r.random() < 0.2
            call = f"{{ struct timespec when = {{1, 0}}; pthread_cond_timedwait(&{condition}, &m, &when); }}" if timed else f"pthread_cond_wait(&{condition}, &m);"
            return f"pthread_mutex_lock(&m); {r.choice(['', 'if (!x) ', 'while (!x) '])}{call} pthread_mutex_unlock(&m);"
        if kind == "signal":
            call = f"pthread_cond_{r.choice(['signal', 'signal', 'broadcast'])}(&{condition});"
            return r.choice([call, f"pthread_mutex_lock(&m); x = {r.choice('0112')}; {call} pthread_mutex_unlock(&m);"])
        if kind == "semaphore":
            return r.choice(["sem_wait(&s);", "sem_post(&s);", "sem_trywait(&s);", "sem_wait(&s); x++; sem_post(&s);"])
        if kind == "spin":
            return r.choice(["pthread_spin_lock(&spin); x++; pthread_spin_unlock(&spin);", "pthread_spin_trylock(&spin);", "pthread_spin_lock(&spin);"])
        if kind == "life":
            return r.choice(["pthread_mutex_init(&n, 0);", "pthread_mutex_destroy(&n);", "pthread_mutex_destroy(&n); pthread_mutex_init(&n, 0);",
                             "pthread_cond_destroy(&d);", "pthread_cond_init(&d, 0);", "sem_destroy(&s);", "sem_init(&s, 0, 1);"])
        if kind == "pointer":
            return r.choice(["pthread_mutex_lock(which); pthread_mutex_unlock(which);", "which = &m;", "which = x ? &m : &n;"])
        if kind == "local":
            return ("{ pthread_mutex_t own" + r.choice(["", " = PTHREAD_MUTEX_INITIALIZER", "; pthread_mutex_init(&own, 0)"]) +
                    "; pthread_mutex_lock(&own); " + r.choice(["", "pthread_mutex_unlock(&own);"]) + " }")
        return r.choice(["{ int u; if (x) u = 1; x = u; }", "{ int u; x = u & 0; }", "if (x) x = 0;"])

    def text(self):
        r = self.r
        threads = r.choice([1, 1, 2])
        out = [HEAD]
        for t in range(threads):
            alike = t and r.random() < 0.3
            if not alike:
                out.append(f"static void *work{t}(void *a) {{")
                out += ["  " + self.operation() for _ in range(r.randint(1, 4 - threads))]
                out += ["  return a;", "}"]
            last = 0 if alike else t
        out.append("int main(void) {")
        out.append(f"  sem_init(&s, 0, {r.choice('001')});")
        if r.random() < 0.9:
            out.append("  pthread_spin_init(&spin, 0);")
        for t in range(threads):
            out.append(f"  pthread_create(&ids[{t}], 0, work{min(t, last) if threads == 2 and last == 0 else t}, 0);")
        out += ["  " + self.operation() for _ in range(r.randint(0, 2))]
        for t in range(threads):
            if r.random() < 0.85:
                out.append(f"  pthread_join(ids[{t}], 0);")
        return "\n".join(out + ["  return 0;", "}", ""])


def one(job):
    binary, seed, limit, keep, engines, show = job
    text = Program(seed).text()
    settings = ["--property", ["no-deadlock", "def-behavior", "no-deadlock,def-behavior"][seed % 3]] + (["--32"] if seed % 5 == 0 else [])
    if show:
        print(f"// seed {seed} {' '.join(settings)}\n{text}")
    return symbolic.examine("waits", seed, text, settings, binary, limit, keep, engines)


def main():
    parser = symbolic.options(__doc__)
    parser.add_argument("--print", action="store_true")
    a = parser.parse_args()
    engines = (a.engines or ",".join(ENGINES)).split(",")
    jobs = [(symbolic.binary_of(a), seed, a.time, a.keep, engines, a.print) for seed in range(a.start, a.start + a.count)]
    return symbolic.run_all(one, jobs, a.jobs, engines)


if __name__ == "__main__":
    sys.exit(main())
