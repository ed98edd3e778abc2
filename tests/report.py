#!/usr/bin/env python3
"""Opens the pages that --report writes in a browser without a window, and uses them as a reader would.

usage: tests/report.py [--binary FILE] [--pictures DIRECTORY]

Needs chromium, chromium-driver and python3-selenium; without them it says so and passes. With --pictures it saves
pictures of all pages, light and dark. The last line is "N passed, M failed".
"""
import argparse, base64, json, os, re, shutil, subprocess, sys, tempfile, time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
STEPS = 50000
PAGES = {
    "race": (["examples/double_checked.c"], "false(no-data-race)"),
    "deadlock": (["examples/lock_order.c"], "false(no-deadlock)"),
    "freed": (["examples/use_after_free.c"], "false(valid-deref)"),
    "bank": (["examples/bank_account.c"], "false(unreach-call)"),
    "wakeup": (["examples/lost_wakeup.c"], "false(no-deadlock)"),
    "proof": (["sum.c", "--engine", "kinduction", "--check-proof"], "true"),
    "conditional": (["inputs.c", "--engine", "explicit", "--limit", "states=60", "--coverage", "c.info"], "conditional"),
    "over_time": (["endless.c", "--limit", "time=2s"], "conditional"),
    "bounds": (["sum.c", "--engine", "bmc", "--unwind", "32"], "conditional"),
    "two_errors": (["two.c", "--keep-going"], "false(unreach-call)"),
}
# Of two.c: states, edges, ends of the program, errors, steps of the path, and is it reduced?
STATES = [13, 16, 2, 2, 6, False]
PROGRAMS = {
    "sum.c": """extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

/* The sum of two counters that meet in the middle. */
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), low = 0, high = n;
  while (low < high) {
    low++;
    high--;
  }
  if (low + high != n) reach_error();
  return 0;
}
""",
    "two.c": """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *one(void *unused) {
  x = 1;
  assert(x == 1);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, one, NULL);
  x = 2;
  pthread_join(t, NULL);
  assert(x == 2);
}
""",
    "inputs.c": """#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total, rounds;

static void *add(void *argument) {
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&lock);
    total += *(int *)argument;
    rounds++;
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

static int classify(int value) {
  if (value < 0) return -1;
  if (value > 1000) {
    value /= 2;
    return value > 5000 ? 2 : 1;
  }
  return 0;
}

int main(void) {
  pthread_t one, two;
  int amount = __VERIFIER_nondet_int() & 1;
  pthread_create(&one, NULL, add, &amount);
  pthread_create(&two, NULL, add, &amount);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  assert(rounds == 6);
  return classify(total);
}
""",
    "endless.c": """#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static int x;

static void *work(void *unused) {
  while (__VERIFIER_nondet_int()) __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  work(NULL);
  pthread_join(thread, NULL);
  return 0;
}
""",
    # what a page must not take for markup
    "<b>a&b.c": """extern void reach_error(void);
/* </script><script>window.hacked = 1</script> <img src=x onerror="window.hacked = 2"> \u202e evil \u2066 */
int main(void) {
  const char *text = "</script><script>window.hacked = 3</script><!--"; int x = 1 < 2 && text != 0; if (x) reach_error();
  return 0;
}
""",
}
CONTRAST = """
const parse = (c) => { const m = c.match(/[\\d.]+/g).map(Number); return c.startsWith("color(") ? m.slice(-4, -1).length === 3 && m.length > 3
  ? [m[0] * 255, m[1] * 255, m[2] * 255, m[3]] : [m[0] * 255, m[1] * 255, m[2] * 255, 1] : [m[0], m[1], m[2], m.length > 3 ? m[3] : 1]; };
const light = ([r, g, b]) => { const f = (v) => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; };
  return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b); };
const over = (a, b) => [0, 1, 2].map((i) => a[i] * a[3] + b[i] * (1 - a[3])).concat([1]);
const ground = (node) => { const layers = []; for (let n = node; n instanceof Element; n = n.parentElement)
  layers.push(parse(getComputedStyle(n).backgroundColor)); let c = [255, 255, 255, 1]; for (const l of layers.reverse()) c = over(l, c); return c; };
const bad = []; const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let t; (t = walker.nextNode()); ) { const n = t.parentElement; if (!t.data.trim() || !n.checkVisibility() || n.closest("script, style, noscript, .hidden, option, dialog")) continue;
  const style = getComputedStyle(n), back = ground(n); const svg = n instanceof SVGElement; if (svg && n.classList.contains("name")) continue;
  const front = over(parse(svg ? style.fill : style.color), back); const [a, b] = [light(front), light(back)].sort((x, y) => y - x);
  const ratio = (a + 0.05) / (b + 0.05); if (ratio < 4.5) bad.push(`${ratio.toFixed(2)} ${n.className.baseVal || n.className} ${t.data.trim().slice(0, 30)}`); }
return [...new Set(bad)];
"""


class Tests:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, name, right, more=""):
        if right:
            self.passed += 1
        else:
            self.failed += 1
            print("FAILED: %s %s" % (name, str(more)[:600]))


def open_browser():
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                     "--window-size=1440,1000", "--no-first-run", "--disable-extensions", "--disable-background-networking"):
        options.add_argument(argument)
    options.binary_location = shutil.which("chromium")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
    browser.set_page_load_timeout(60)
    return browser


class Reader:
    """A person with a browser."""

    def __init__(self, browser, tests):
        self.browser, self.tests = browser, tests

    def open(self, path):
        self.browser.get("about:blank")
        self.browser.get("file://" + os.path.abspath(path).replace("%", "%25").replace("#", "%23").replace("<", "%3C"))

    def js(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def keys(self, *keys):
        from selenium.webdriver.common.action_chains import ActionChains

        chain = ActionChains(self.browser, duration=0)
        for key in keys:
            chain.send_keys(key)
        chain.perform()

    def colours(self, scheme):
        self.browser.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def width(self, width, height=1000):
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def at(self):
        return self.js("return document.getElementById('at').textContent")

    def rows(self):
        return self.js("return document.querySelectorAll('#steps .row').length")

    def is_quiet(self, name):
        log = [entry["message"] for entry in self.browser.get_log("browser")]
        self.tests.check("%s: nothing on the console" % name, not log, log)
        asked = self.js("return performance.getEntriesByType('resource').map((e) => e.name)")
        self.tests.check("%s: no request" % name, not asked, asked)

    def picture(self, path):
        height = self.js("return document.documentElement.scrollHeight")
        taken = self.browser.execute_cdp_cmd("Page.captureScreenshot", {
            "captureBeyondViewport": True, "clip": {"x": 0, "y": 0, "width": 1440, "height": min(height, 2600), "scale": 1}})
        with open(path, "wb") as f:
            f.write(base64.b64decode(taken["data"]))


def write_report(binary, directory, name, arguments, verdict, tests):
    page, record = os.path.join(directory, name + ".html"), os.path.join(directory, name + ".json")
    words = [os.path.join(ROOT, a) if a.startswith("examples/") else a for a in arguments]
    done = subprocess.run([binary, "check", "--report", page, "--json", record] + words, cwd=directory,
                          capture_output=True, text=True, timeout=300)
    last = done.stdout.strip().rpartition("\n")[2]
    tests.check("%s: the verdict" % name, last == "Verification result: " + verdict, last + done.stderr)
    with open(record, encoding="utf-8") as f:
        return page, json.load(f)


def try_stepping(r, page, record, tests):
    from selenium.webdriver.common.keys import Keys

    r.open(page)
    steps = record["violations"][0]["steps"]
    n = len(steps)
    check = tests.check
    check("it opens at the error", r.at() == "%d / %d" % (n, n), r.at())
    r.keys(Keys.HOME)
    check("Home", r.at() == "1 / %d" % n, r.at())
    r.keys(Keys.ARROW_DOWN, Keys.ARROW_RIGHT)
    check("two steps on", r.at() == "3 / %d" % n, r.at())
    r.keys(Keys.ARROW_UP)
    check("a step back", r.at() == "2 / %d" % n, r.at())
    r.keys(Keys.PAGE_DOWN)
    switch = next(i for i in range(2, n) if steps[i]["thread"] != steps[i - 1]["thread"])
    check("to the context switch", r.at() == "%d / %d" % (switch + 1, n), r.at())
    wrong = []
    for i in range(n):
        r.js("view.go(arguments[0])", i)
        here = r.js("""const row = document.querySelector('#steps .row.current'), line = document.querySelector('#code .line.current .number');
          return [row && row.querySelector('.number').textContent, row && row.querySelector('.text').textContent, line && line.textContent]""")
        text = steps[i]["text"].replace("\t", " ")
        if here[0] != str(i + 1) or here[2] != str(steps[i]["line"]) or here[1].split() != text.split():
            wrong.append((i + 1, here))
    check("each step: row, text and line", not wrong, wrong[:3])
    newest = {}
    for s in steps:
        newest.update({c["name"]: c["value"] for c in s["changes"]})
    shown = r.js("return [...document.querySelectorAll('#state .variables tr')].map((x) => [x.querySelector('th').textContent, x.lastChild.textContent])")
    shown = {name: value for name, value in shown}
    lost = [name for name, value in newest.items() if name not in shown]
    check("all variables have values at the end", not lost, lost)
    threads = len({s["thread"] for s in steps})
    check("a lane for each thread", r.js("return document.querySelectorAll('.lane-name').length") == threads)
    check("arrows", r.js("return view.path.arrows.length") > 0)
    check("its place is in the address", "step=%d" % n in r.js("history.replaceState(null, '', '#step=' + (view.step + 1)); return location.hash"))
    r.js("document.querySelector('#threads button').click()")
    hidden = r.js("return [...new Set([...document.querySelectorAll('#steps .row:not(.folded) .gutter')].map((x) => x.textContent))]")
    check("a hidden thread", "thread 0" not in hidden, hidden)
    r.js("document.querySelector('#threads button').click()")


def try_searching(r, page, record, tests):
    from selenium.webdriver.common.keys import Keys

    r.open(page)
    steps = record["violations"][0]["steps"]
    n = len(steps)
    before = r.rows()
    r.keys("f")
    folded = r.js("return [view.diagram.rows.length, view.diagram.rows.reduce((n, x) => n + x.to - x.from + 1, 0)]")
    tests.check("folded rows stand for all steps", folded[0] < before and folded[1] == n, (before, folded))
    r.keys("f")
    tests.check("unfolded again", r.rows() == before)
    r.keys("/", "pthread_mutex_lock", Keys.ENTER)
    wanted = [i + 1 for i, s in enumerate(steps) if "pthread_mutex_lock" in s["text"]]
    found = r.js("return [...view.found].map((x) => x + 1)")
    tests.check("found", set(wanted) <= set(found) and len(found) < n, (wanted, found))
    tests.check("Enter goes to a match", int(r.at().split()[0]) in found, r.at())
    r.keys("zzz")
    tests.check("nothing is found", r.js("return view.found.size") == 0)
    r.js("window.dispatchEvent(new Event('beforeprint'))")
    tests.check("all steps are printed", r.js("return document.querySelectorAll('#print tr').length") == n)


def try_ends(r, pages, tests):
    """What explains the error at the end of the path."""
    r.open(pages["race"][0])
    tests.check("the two accesses of the race", r.js("return document.querySelectorAll('.card.race .access').length") == 2)
    tests.check("the missing order is drawn", r.js("return document.querySelectorAll('#steps .missing').length") == 1)
    r.open(pages["deadlock"][0])
    tests.check("the circle of the deadlock", r.js("return document.querySelectorAll('.circle .node').length") == 2)
    waits = r.js("return [...document.querySelectorAll('#state .threads .waits')].length")
    tests.check("threads wait in the end", waits >= 2, waits)
    r.open(pages["freed"][0])
    life = r.js("return [...document.querySelectorAll('.life .who em')].map((x) => x.textContent)")
    tests.check("the life of the freed object", life == ["allocates", "frees", "uses"], life)
    r.js("document.querySelector('.life [data-step]').click()")
    tests.check("a click goes to the allocation", "malloc" in r.js("return document.querySelector('#steps .current .text').textContent"))
    r.open(pages["bank"][0])
    tests.check("no circle without a deadlock", r.js("return document.querySelectorAll('.circle, .race, .life').length") == 0)
    kinds = r.js("return [...new Set(view.path.arrows.map((a) => a.kind))].sort()")
    tests.check("arrows of creation, join and locks", {"create", "join", "lock"} <= set(kinds), kinds)


def try_others(r, pages, tests):
    r.open(pages["conditional"][0])
    check = tests.check
    check("what would help, with a command to paste",
          "proviso check" in r.js("return document.querySelector('.advice pre').textContent"))
    check("the proviso is in sentences", "rovided that" in r.js("return document.querySelector('.provisos').textContent"))
    kinds = r.js("return ['verified', 'open'].map((k) => [...view.source.coverage.values()].filter((x) => x === k).length)")
    check("verified and open lines", all(kinds), kinds)
    r.js("document.getElementById('graph').open = true")
    time.sleep(0.3)
    check("a graph", r.js("return document.querySelectorAll('#drawing .block').length") > 3 or not shutil.which("dot"))
    labels = r.js("return [...document.querySelectorAll('#drawing text')].map((x) => x.textContent)")
    check("conditions as in the source", not shutil.which("dot") or {"rounds == 6", "rounds != 6"} <= set(labels), labels)
    if shutil.which("dot"):
        before = r.js("return document.querySelector('#drawing svg').getAttribute('viewBox')")
        r.js("document.getElementById('larger').click()")
        check("it zooms", before != r.js("return document.querySelector('#drawing svg').getAttribute('viewBox')"))
    r.open(pages["over_time"][0])
    check("plots", r.js("return document.querySelectorAll('.plots .plot .line').length") >= 3)
    check("their names", "states over time" in r.js("return document.querySelector('.plot').getAttribute('aria-label')"))
    engines = r.js("return [...document.querySelectorAll('.tried tbody tr')].map((x) => x.cells[0].textContent)")
    check("what engines did", engines == [t["engine"] for t in pages["over_time"][1]["tried"]], engines)
    r.open(pages["race"][0])
    check("no plots of a short run", r.js("return document.querySelectorAll('.plot').length") == 0)
    r.open(pages["bounds"][0])
    names = r.js("return [...document.querySelectorAll('.plot')].map((x) => x.getAttribute('aria-label'))")
    check("the bound over time", any(n.startswith("bound over time") for n in names), names)
    r.open(pages["proof"][0])
    check("a proof has no path", r.js("return document.getElementById('path').hidden"))
    check("it has the source", r.js("return document.querySelectorAll('#code .line').length") > 10)
    for name in pages:
        r.open(pages[name][0])
        for scheme in ("light", "dark"):
            r.colours(scheme)
            bad = r.js(CONTRAST)
            check("%s, %s: contrast" % (name, scheme), not bad, bad)
        r.width(360, 250)
        wide = r.js("return document.scrollingElement.scrollWidth")
        check("%s: no sideways scrolling at 400 %%" % name, wide <= 361, wide)
        r.width(520, 900)
        narrow = r.js("""const box = document.getElementById('steps');
          return view.path && [box.clientWidth, document.querySelector('#steps .row .text').clientWidth]""")
        check("%s: steps at 520 px" % name, not narrow or narrow[0] > 450 and narrow[1] > 90, narrow)
        r.width(1440)
        r.is_quiet(name)
    r.colours("light")


def try_states(r, pages, tests):
    """The graph of states, and the comparison of two executions."""
    check = tests.check
    if not shutil.which("dot"):
        return
    r.open(pages["two_errors"][0])
    r.js("document.getElementById('states').open = true")
    time.sleep(0.3)
    graph = r.js("""const g = data.stateGraph, last = [...view.states.path].length;
      return [g.states, g.whole.edges.length, g.whole.nodes.filter((n) => n[3] === 2).length,
              g.whole.nodes.filter((n) => n[3] === 4).length, last, g.reduced]""".replace("data.", "JSON.parse(document.getElementById('data').textContent)."))
    check("states, edges, ends, errors", graph == STATES, graph)
    drawn = r.js("return [document.querySelectorAll('#space .node').length, document.querySelectorAll('#space .taken').length]")
    check("the states are drawn, and the path among them", drawn[0] > graph[2] and drawn[1] > 0, drawn)
    before = r.js("return document.querySelector('#space svg').getAttribute('viewBox')")
    r.js("document.getElementById('slarger').click()")
    check("it zooms", before != r.js("return document.querySelector('#space svg').getAttribute('viewBox')"))
    count = r.js("const n = document.querySelectorAll('#space .node').length; document.getElementById('sfold').click(); return n")
    check("it folds", r.js("return document.querySelectorAll('#space .node').length") != count)
    r.js("document.getElementById('with').click()")
    told = r.js("return document.getElementById('differences').textContent")
    check("the two errors are compared", "then" in told and "of this path alone" in told, told[:200])
    check("their steps", r.js("return document.querySelectorAll('#differences .mine').length") > 0)
    for name in ("two_errors", "bank"):
        for ending in (".html", ".json"):
            with open(pages[name][0][:-5] + ending, encoding="utf-8") as f:
                r.js("view.compare.take(arguments[0], 'other')", f.read())
            told = r.js("return document.getElementById('differences').textContent")
            wanted = "Both take the same steps." if name == "two_errors" else "then"
            check("compared with %s%s" % (name, ending), wanted in told or ending == ".html" and "of this" in told, told[:200])
    r.js("view.compare.take('{', 'other')")
    check("no such file", "no error path" in r.js("return document.getElementById('differences').textContent"))
    r.js("document.getElementById('with').click()")
    before = r.rows()
    r.keys("x")
    check("a run is folded", r.rows() < before, (before, r.rows()))
    r.keys("x")
    check("and unfolded", r.rows() == before)
    r.open(pages["over_time"][0])
    check("no graph of a long run", r.js("return document.getElementById('states').hidden"))


def try_attack(r, page, record, tests):
    r.open(page)
    check = tests.check
    check("nothing of the program is executed", r.js("return window.hacked === undefined"))
    check("no element of the program", r.js("return document.querySelectorAll('img, h1 b, .top b, title b').length") == 0)
    check("the name as it is", "<b>a&b.c" in r.js("return document.querySelector('.top').textContent"))
    text = r.js("return document.getElementById('code').textContent")
    check("the source as it is", "</script><script>window.hacked = 3" in text, text[:300])
    with open(page, encoding="utf-8") as f:
        whole = f.read()
    check("no change of the writing direction", not re.search("[\u202a-\u202e\u2066-\u2069]", whole))
    check("one script and one text of data", whole.count("<script") == 2, whole.count("<script"))
    r.is_quiet("attack")


def lengthen(page, to):
    """The page with a path of STEPS steps of four threads."""
    with open(page, encoding="utf-8") as f:
        text = f.read()
    begin = text.index('id="data">') + len('id="data">')
    end = text.index("</script>", begin)
    data = json.loads(text[begin:end])
    texts = data["texts"]
    kinds = {name: i for i, name in enumerate(data["interactions"])}
    first = len(texts)
    texts += ["work", "m", "counter"] + ["v%d" % i for i in range(100)] + [str(i) for i in range(1000)]
    steps = []
    for i in range(STEPS):
        thread, acts = i // 7 % 4, []
        if i < 4 and i:
            acts = [kinds["creates"], i, 0]
            thread = 0
        if i % 7 == 1:
            acts = [kinds["acquires"], thread, first + 1]
        if i % 7 == 6:
            acts = [kinds["releases"], thread, first + 1]
        steps.append([thread, first, 0, 10 + i % 20, 0, 0, 0, [first + 3 + i % 100, first + 103 + i % 1000, i % 2], acts])
    data["errors"][0].update(steps=steps, leftOut=0)
    with open(to, "w", encoding="utf-8") as f:
        f.write(text[:begin] + json.dumps(data, separators=(",", ":")).replace("<", "\\u003c") + text[end:])
    return os.path.getsize(to)


def try_long(r, page, tests):
    size = lengthen(page, page + ".long.html")
    check = tests.check
    check("less than 20 MB", size < 20e6, size)
    # CPU time of the page's thread: other programs may be running
    r.browser.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
    metric = lambda: {m["name"]: m["value"] for m in r.browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]}["TaskDuration"]
    before = metric()
    r.open(page + ".long.html")
    wall = r.js("const e = performance.getEntriesByType('navigation')[0]; return e.loadEventEnd || performance.now()")
    load = metric()
    load = (load - before if load > before else load) * 1000
    check("%d steps open in 2 s" % STEPS, load < 2000, (load, wall))
    check("they are all there", r.at() == "%d / %d" % (STEPS, STEPS), r.at())
    check("only visible rows are in the page", r.js("return document.querySelectorAll('*').length") < 3000)
    ways = [1, 1, 1, -1, 997, 1, 1, -5000, 20000] + [1] * 11
    before = metric()
    r.js("let at = 1000; for (const way of arguments[0]) { at += way; view.go(at); document.body.offsetHeight; }", ways)
    step = (metric() - before) / len(ways) * 1000
    check("a step takes less than 50 ms", step < 50, step)
    r.keys("f")
    check("folding and unfolding", r.js("return view.diagram.rows.length") == STEPS)
    r.is_quiet("long")
    print("%d steps: %.1f MB, open in %.0f ms of CPU time (%.0f ms), a step %.1f ms" % (
        STEPS, size / 1e6, load, wall, step))


def save_pictures(r, pages, directory):
    os.makedirs(directory, exist_ok=True)
    for scheme in ("light", "dark"):
        r.colours(scheme)
        for name, (page, _) in pages.items():
            r.open(page)
            r.js("const g = document.getElementById('graph'); if (g && !view.path) g.open = true")
            time.sleep(0.4)
            r.picture(os.path.join(directory, "%s-%s.png" % (name, scheme)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=os.environ.get("PROVISO", os.path.join(ROOT, "build/proviso")))
    parser.add_argument("--pictures")
    o = parser.parse_args()
    try:
        import selenium  # noqa: F401
    except ImportError:
        selenium = None
    if not selenium or not shutil.which("chromium") or not shutil.which("chromedriver"):
        print("skipped: chromium, chromium-driver or python3-selenium is not installed\n0 passed, 0 failed")
        return 0
    tests, binary = Tests(), os.path.abspath(o.binary)
    with tempfile.TemporaryDirectory() as directory:
        for name, text in PROGRAMS.items():
            with open(os.path.join(directory, name), "w", encoding="utf-8") as f:
                f.write(text)
        pages = {name: write_report(binary, directory, name, arguments, verdict, tests)
                 for name, (arguments, verdict) in PAGES.items()}
        attack = write_report(binary, directory, "attack", ["<b>a&b.c"], "false(unreach-call)", tests)
        browser = open_browser()
        try:
            r = Reader(browser, tests)
            r.width(1440)
            if o.pictures:
                save_pictures(r, {**pages, "attack": attack}, o.pictures)
            try_stepping(r, *pages["bank"], tests)
            try_searching(r, *pages["bank"], tests)
            try_ends(r, pages, tests)
            try_others(r, pages, tests)
            try_states(r, pages, tests)
            try_attack(r, *attack, tests)
            try_long(r, pages["bank"][0], tests)
        finally:
            browser.quit()
    print("%d passed, %d failed" % (tests.passed, tests.failed))
    return tests.failed != 0


sys.exit(main())
