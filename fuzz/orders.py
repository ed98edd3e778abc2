#!/usr/bin/env python3
"""Checks which provisos about weak memory orders are removed (dpor/robustness.h): small random programs of loads, stores,
exchanges and fences with random orders, whose executions under C11 are enumerated here.

usage: fuzz/orders.py [--from SEED] [--count N] [--binary build/proviso] [--jobs N] [--keep FOLDER]

The enumeration is that of RC11 (Lahav, Vafeiadis, Kang, Hur, Dreyer, "Repairing sequential consistency in C/C++11", PLDI
2017) with two differences: cycles of program order and reads-from are allowed (no value depends on another here), and
a release sequence is that of C++20; and a seq_cst fence only acquires and releases (dpor/robustness.h knows no
more of it). If proviso says `true`, there must be no data race, and the values read must be those
of sequentially consistent executions. Closes with how many programs that is so for, how many of them got `true`, and with
`N passed, N failed`.
"""
import argparse, concurrent.futures, itertools, os, random, subprocess, sys, tempfile

ORDERS = {"R": ["relaxed", "acquire", "seq_cst"], "W": ["relaxed", "release", "seq_cst"],
          "U": ["relaxed", "acquire", "release", "acq_rel", "seq_cst"]}
FAILS = ["relaxed", "acquire", "seq_cst"]
FENCES = ["acquire", "release", "acq_rel", "seq_cst"]
ACQUIRE, RELEASE = ("acquire", "acq_rel", "seq_cst"), ("release", "acq_rel", "seq_cst")


class Event:
    """kind: R, W, U (exchange) or F (fence); order: None for an access that is not atomic. expected: of a compare-and-exchange,
    which has another order if it fails."""

    def __init__(self, thread, kind, place, order, value, expected=None, fails=None):
        self.thread, self.kind, self.place, self.order, self.value = thread, kind, place, order, value
        self.expected, self.fails = expected, fails
        self.reads, self.writes = kind in "RU", kind in "WU"

    def failed(self):
        return Event(self.thread, "R", self.place, self.fails, None, self.expected)

    def text(self, n):
        if self.order is None:
            return f"r{n} = {self.place};" if self.reads else f"{self.place} = {self.value};"
        order = "memory_order_" + self.order
        if self.kind == "F":
            return f"atomic_thread_fence({order});"
        if self.kind == "R":
            return f"r{n} = atomic_load_explicit(&{self.place}, {order});"
        if self.kind == "W":
            return f"atomic_store_explicit(&{self.place}, {self.value}, {order});"
        if self.expected is not None:
            return (f"r{n} = {self.expected}; atomic_compare_exchange_strong_explicit(&{self.place}, &r{n}, {self.value}, "
                    f"{order}, memory_order_{self.fails});")
        return f"r{n} = atomic_exchange_explicit(&{self.place}, {self.value}, {order});"


def generate(seed):
    """The threads: lists of events."""
    r = random.Random(seed)
    threads, places = r.choice([2, 2, 3, 3, 4]), r.choice([["x"], ["x", "y"], ["x", "y"], ["x", "y", "z"]])
    bias = r.choice(["any", "any", "strong", "release", "relaxed"])
    plain = r.random() < 0.3
    fenced = r.random() < 0.3
    all_, value = [], {}
    for t in range(threads):
        events = []
        for _ in range(r.randint(1, {2: 4, 3: 3, 4: 2}[threads])):
            kind = r.choice("RRWWU")
            place, order = r.choice(places), r.choice(ORDERS[kind])
            if bias == "strong" and r.random() < 0.9:
                order = "seq_cst"
            if bias == "release" and r.random() < 0.9:
                order = {"R": "acquire", "W": "release", "U": "acq_rel"}[kind]
            if bias == "relaxed" and r.random() < 0.8:
                order = "relaxed"
            if plain and r.random() < 0.3:
                kind, place, order = r.choice("RW"), "d", None
            value[place] = value.get(place, 0) + 1
            expected = r.randint(0, 3) if kind == "U" and r.random() < 0.6 else None
            events.append(Event(t, kind, place, order, value[place], expected, r.choice(FAILS)))
            if fenced and len(events) < 5 and r.random() < 0.4:
                events.append(Event(t, "F", None, r.choice(FENCES), None))
        all_.append(events)
    return all_


def program(threads):
    out = ["#include <pthread.h>", "#include <stdatomic.h>", "atomic_int x, y, z;", "int d;"]
    for t, events in enumerate(threads):
        body = " ".join([f"int r{n};" for n, e in enumerate(events) if e.reads] + [e.text(n) for n, e in enumerate(events)])
        used = "".join(f" (void)r{n};" for n, e in enumerate(events) if e.reads)
        out.append(f"static void *f{t}(void *p) {{ {body}{used} return p; }}")
    n = len(threads)
    out.append(f"int main(void) {{ pthread_t t[{n}];")
    out += [f"  pthread_create(&t[{t}], 0, f{t}, 0);" for t in range(n)]
    out += [f"  pthread_join(t[{t}], 0);" for t in range(n)]
    return "\n".join(out + ["  return 0; }", ""])


def interleavings(threads):
    """What is read in sequentially consistent executions."""
    outcomes, seen = set(), set()

    def go(at, memory, read):
        key = (at, memory, read)
        if key in seen:
            return
        seen.add(key)
        moved = False
        for t, events in enumerate(threads):
            if at[t] == len(events):
                continue
            moved = True
            e, now = events[at[t]], dict(memory)
            got = read + ((t, at[t], now.get(e.place, 0)),) if e.reads else read
            if e.writes and (e.expected is None or now.get(e.place, 0) == e.expected):
                now[e.place] = e.value
            go(at[:t] + (at[t] + 1,) + at[t + 1:], tuple(sorted(now.items())), tuple(sorted(got)))
        if not moved:
            outcomes.add(read)

    go((0,) * len(threads), (), ())
    return outcomes


def closure(n, edges):
    reach = [0] * n
    for a, b in edges:
        reach[a] |= 1 << b
    for k in range(n):
        for i in range(n):
            if reach[i] >> k & 1:
                reach[i] |= reach[k]
    return reach


def executions(threads):
    """The same as executions_of, whatever compare-and-exchange operations succeed."""
    attempts = [(t, i) for t, list_ in enumerate(threads) for i, e in enumerate(list_) if e.expected is not None]
    for success in itertools.product([True, False], repeat=len(attempts)):
        failed = {a for a, s in zip(attempts, success) if not s}
        yield from executions_of([[e.failed() if (t, i) in failed else e for i, e in enumerate(list_)]
                                  for t, list_ in enumerate(threads)])


def executions_of(threads):
    """For each consistent execution graph: what is read, and whether it has a data race."""
    events = [Event(-1, "W", p, "relaxed", 0) for p in sorted({e.place for t in threads for e in t if e.place})]
    initial = len(events)
    index = {}
    for t, list_ in enumerate(threads):
        for i, e in enumerate(list_):
            index[t, i] = len(events)
            events.append(e)
    n = len(events)
    sb = [(a, b) for a in range(initial) for b in range(initial, n)]
    sb += [(index[t, i], index[t, k]) for t, list_ in enumerate(threads) for k in range(len(list_)) for i in range(k)]
    readers = [i for i in range(n) if events[i].reads]
    writers = {p: [i for i in range(initial, n) if events[i].writes and events[i].place == p]
               for p in {e.place for e in events if e.place}}
    first = {events[i].place: i for i in range(initial)}
    orders = [[(first[p],) + o for o in itertools.permutations(w)] for p, w in writers.items()]
    sources = [[w for w in [first[events[r].place]] + writers[events[r].place] if w != r] for r in readers]
    sb_set = set(sb)
    for rf in itertools.product(*sources):
        source = dict(zip(readers, rf))
        if any(events[r].expected is not None and (events[s].value == events[r].expected) != events[r].writes
               for r, s in source.items()):
            continue
        sw = []
        for w in range(initial, n):
            if not events[w].writes or not events[w].order:
                continue
            froms = [w] if events[w].order in RELEASE else []
            froms += [f for f, b in sb if b == w and events[f].kind == "F" and events[f].order in RELEASE]
            chain = [w]
            for c in chain:
                for r, s in source.items():
                    if s != c:
                        continue
                    to = [r] if events[r].order in ACQUIRE else []
                    if events[r].order:
                        to += [f for a, f in sb if a == r and events[f].kind == "F" and events[f].order in ACQUIRE]
                    sw += itertools.product(froms, to)
                    if events[r].kind == "U" and events[r].order and r not in chain:
                        chain.append(r)
        hb = closure(n, sb + sw)
        if any(hb[i] >> i & 1 for i in range(n)):
            continue
        for mo in itertools.product(*orders):
            place = {w: k for o in mo for k, w in enumerate(o)}
            if any(events[r].kind == "U" and place[r] != place[s] + 1 for r, s in source.items()):
                continue
            eco = [(o[i], o[k]) for o in mo for k in range(len(o)) for i in range(k)]
            fr = [(r, w) for r, s in source.items() for w in place
                  if events[w].place == events[r].place and place[w] > place[s] and w != r]
            reach = closure(n, eco + fr + [(s, r) for r, s in source.items()])
            if any(reach[i] >> i & 1 for i in range(n)):
                continue
            if any(hb[a] >> b & 1 and reach[b] >> a & 1 for a in range(n) for b in range(n)):
                continue
            other = [(a, b) for a, b in sb_set if events[a].place != events[b].place]
            strong = [i for i in range(n) if events[i].order == "seq_cst" and events[i].kind != "F"]
            scb = set(sb) | set(eco) | set(fr)
            scb |= {(a, b) for a in range(n) for b in range(n) if hb[a] >> b & 1 and events[a].place == events[b].place}
            scb |= {(a, d) for a, b in other for c, d in other if b == c or hb[b] >> c & 1}
            psc = closure(n, [(a, b) for a, b in scb if a in strong and b in strong])
            if any(psc[i] >> i & 1 for i in range(n)):
                continue
            race = any(events[a].place == events[b].place and (events[a].writes or events[b].writes)
                       and (events[a].order is None or events[b].order is None)
                       and not hb[a] >> b & 1 and not hb[b] >> a & 1
                       for a in range(initial, n) for b in range(initial, a))
            yield tuple(sorted((t, i, events[source[k]].value) for (t, i), k in index.items() if k in source)), race


def is_robust(threads):
    allowed = interleavings(threads)
    return all(not race and read in allowed for read, race in executions(threads))


def check(binary, seed, keep):
    """(what proviso should say at best, its verdict)"""
    threads = generate(seed)
    robust = is_robust(threads)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "p.c")
        with open(path, "w", encoding="utf-8") as f:
            f.write(program(threads))
        out = subprocess.run([binary, "check", "--quiet", path], capture_output=True, text=True, check=False).stdout
    verdict = out.strip().splitlines()[-1].replace("Verification result: ", "") if out.strip() else "none"
    fine = verdict == "conditional" or (verdict == "true" and robust) or verdict == "false(no-data-race)"
    if not fine:
        print(f"FAIL seed {seed}: {verdict}, {'' if robust else 'not '}robust", flush=True)
        if keep:
            with open(os.path.join(keep, f"orders_{seed}.c"), "w", encoding="utf-8") as f:
                f.write(program(threads))
    return robust, verdict, fine


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--from", dest="first", type=int, default=1)
    p.add_argument("--count", type=int, default=100)
    p.add_argument("--binary", default="build/proviso")
    p.add_argument("--jobs", type=int, default=os.cpu_count())
    p.add_argument("--keep")
    o = p.parse_args()
    seeds = range(o.first, o.first + o.count)
    with concurrent.futures.ProcessPoolExecutor(o.jobs) as pool:
        results = list(pool.map(check, [o.binary] * o.count, seeds, [o.keep] * o.count))
    robust = [r for r in results if r[0]]
    print(f"{len(robust)} of {len(results)} programs are robust; {sum(r[1] == 'true' for r in robust)} of them get `true`")
    failed = sum(not r[2] for r in results)
    print(f"{len(results) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
