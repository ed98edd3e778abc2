// The data of the page, and what can be computed of an error path.

const data = JSON.parse(document.getElementById("data").textContent);
const KEYFRAME = 200; // steps between two stored states
const BUCKET = 128; // steps for which the arrows are listed together

const baseName = (path) => path.slice(path.lastIndexOf("/") + 1);

// `from`: the data that the numbers of texts are of.
function decodeStep(raw, index, from = data) {
  const text = (number) => from.texts[number];
  const [thread, fn, file, line, txt, note, output, changed, acted] = raw;
  const changes = [], interactions = [];
  for (let i = 0; i < changed.length; i += 3)
    changes.push({ name: text(changed[i]), value: text(changed[i + 1]), owner: changed[i + 2] });
  for (let i = 0; i < acted.length; i += 3)
    interactions.push({ kind: from.interactions[acted[i]], thread: acted[i + 1], object: text(acted[i + 2]) });
  return { index, thread, fn: text(fn) || "?", file, line, own: text(txt), note: text(note), output: text(output),
    changes, interactions };
}

// The source line of a step, without indentation.
function sourceOf(step) {
  const file = data.files && data.files[step.file];
  const line = file && file.lines[step.line - 1];
  return (line === undefined ? step.own || "" : line).trim();
}

function placeOf(step) {
  const file = data.files && data.files[step.file];
  return file ? `${baseName(file.path)}:${step.line}` : "";
}

// ---- states ---------------------------------------------------------------------------------------
function firstState() {
  return { values: new Map(), held: new Map(), waits: new Map(), alive: new Set([0]), place: new Map() };
}

function copyState(s) {
  return { values: new Map(s.values), held: new Map(s.held), waits: new Map(s.waits), alive: new Set(s.alive),
    place: new Map(s.place) };
}

// Variables of different functions and threads may have the same name.
function keyOf(change, step) {
  if (!change.owner) return ` ${change.name}`;
  return `${change.owner} ${change.owner === step.thread + 1 ? step.fn : ""} ${change.name}`;
}

function apply(state, step) {
  state.place.set(step.thread, step.index);
  for (const c of step.changes) {
    const key = keyOf(c, step), before = state.values.get(key);
    const now = { name: c.name, value: c.value, owner: c.owner, fn: c.owner ? step.fn : "", step: step.index };
    if (before) now.before = before.value;
    state.values.set(key, now);
  }
  for (const i of step.interactions) {
    if (i.kind === "creates") state.alive.add(i.thread);
    else if (i.kind === "ends") state.alive.delete(i.thread);
    else if (i.kind === "waits") state.waits.set(i.thread, i.object);
    else if (i.kind === "continues") state.waits.delete(i.thread);
    else if (i.kind === "acquires" && i.object) state.held.set(`${i.thread} ${i.object}`, i);
    else if (i.kind === "releases") state.held.delete(`${i.thread} ${i.object}`);
  }
}

// ---- arrows between threads -----------------------------------------------------------------------
// Each arrow leads from a step of one thread to a later one of another.
function findArrows(steps) {
  const arrows = [], last = new Map(), released = new Map(), written = new Map();
  let pending = new Map(); // thread -> what lets it go on: what -> arrow without its end
  const owe = (thread, key, arrow) => {
    if (!pending.has(thread)) pending.set(thread, new Map());
    pending.get(thread).set(key, arrow);
  };
  for (const step of steps) {
    const t = step.thread;
    for (const a of (pending.get(t) || new Map()).values()) if (a.thread !== t) arrows.push({ ...a, to: step.index });
    pending.delete(t);
    for (const i of step.interactions) {
      if (i.kind === "creates") owe(i.thread, "create", { from: step.index, thread: t, kind: "create", what: "creates" });
      else if (i.kind === "joins" && last.has(i.thread))
        arrows.push({ from: last.get(i.thread), to: step.index, kind: "join", what: "ends, and is joined" });
      else if (i.kind === "releases") released.set(i.object, step.index);
      else if (i.kind === "acquires" && released.has(i.object)) {
        const from = released.get(i.object);
        if (steps[from].thread !== t) arrows.push({ from, to: step.index, kind: "lock", what: `hands over ${i.object}` });
      } else if (/is about to/.test(step.note || "")) continue; // it does not happen any more
      else if (i.kind === "writes") written.set(i.object, step.index);
      else if (i.kind === "reads" && written.has(i.object)) {
        const from = written.get(i.object);
        if (steps[from].thread !== t)
          arrows.push({ from, to: step.index, kind: "reads", what: `${i.object} is read` });
      }
    }
    noteWakes(step, owe);
    last.set(t, step.index);
  }
  return arrows.sort((a, b) => a.from - b.from);
}

// A step of one thread ends, or changes, the waiting of another one.
const waiting = new Map();
function noteWakes(step, owe) {
  if (!step.index) waiting.clear();
  for (const i of step.interactions) {
    if (i.kind !== "waits" && i.kind !== "continues") continue;
    const before = waiting.get(i.thread);
    if (i.kind === "waits") waiting.set(i.thread, i.object);
    else waiting.delete(i.thread);
    if (before === undefined || i.thread === step.thread || /mutex|lock|end of thread/.test(before)) continue;
    owe(i.thread, before, { from: step.index, thread: step.thread, kind: "wake", what: `lets thread ${i.thread} go on` });
  }
}

// ---- rows -----------------------------------------------------------------------------------------
// A row is a step, or a run of steps of one thread that is folded. `turned`: first steps of runs for which it is the other
// way round.
function makeRows(path, folded, hidden, turned = new Set()) {
  const rows = [];
  const steps = path.steps;
  for (let i = 0; i < steps.length; ) {
    let end = i + 1;
    while (end < steps.length && steps[end].thread === steps[i].thread && end !== path.gap) end++;
    const run = { from: i, to: end - 1, thread: steps[i].thread };
    if (hidden.has(run.thread)) rows.push({ ...run, fold: true, hidden: true, n: end - i });
    else if (!folded && turned.has(i)) rows.push({ ...run, fold: true, n: end - i });
    else if (folded && !turned.has(i) && end - i > 3) {
      rows.push({ from: i, to: i, thread: run.thread });
      rows.push({ from: i + 1, to: end - 2, thread: run.thread, fold: true, n: end - i - 2 });
      rows.push({ from: end - 1, to: end - 1, thread: run.thread });
    } else for (let k = i; k < end; k++) rows.push({ from: k, to: k, thread: run.thread });
    i = end;
  }
  return rows;
}

class Path {
  constructor(error) {
    this.error = error;
    this.steps = error.steps.map((s, i) => decodeStep(s, i));
    this.gap = error.leftOut ? error.gap : -1;
    this.arrows = findArrows(this.steps);
    this.threads = [...new Set(this.steps.map((s) => s.thread))].sort((a, b) => a - b);
    this.lane = new Map(this.threads.map((t, i) => [t, i]));
    this.names = new Map();
    for (const s of this.steps) if (!this.names.has(s.thread)) this.names.set(s.thread, s.fn);
    this.fillBuckets();
    this.fillKeyframes();
    this.findSpans();
  }

  fillBuckets() {
    this.buckets = [];
    this.arrows.forEach((a, n) => {
      for (let b = Math.floor(a.from / BUCKET); b <= Math.floor(a.to / BUCKET); b++)
        (this.buckets[b] = this.buckets[b] || []).push(n);
    });
  }

  arrowsBetween(from, to) {
    const found = new Set();
    for (let b = Math.floor(from / BUCKET); b <= Math.floor(to / BUCKET); b++)
      for (const n of this.buckets[b] || []) found.add(n);
    return [...found].map((n) => this.arrows[n]).filter((a) => a.to >= from && a.from <= to);
  }

  fillKeyframes() {
    this.keyframes = [];
    const state = firstState();
    for (const step of this.steps) {
      if (step.index % KEYFRAME === 0) this.keyframes.push(copyState(state));
      apply(state, step);
    }
  }

  // The state after a step.
  state(index) {
    const first = Math.floor(index / KEYFRAME), state = copyState(this.keyframes[first]);
    for (let i = first * KEYFRAME; i <= index; i++) apply(state, this.steps[i]);
    return state;
  }

  // From which step to which one a thread exists, and waits.
  findSpans() {
    this.spans = new Map(this.threads.map((t) => [t, { from: Infinity, to: -1, waits: [] }]));
    const span = (t) => this.spans.get(t) || { waits: [] };
    for (const s of this.steps) {
      const own = span(s.thread);
      own.from = Math.min(own.from, s.index);
      own.to = s.index;
      for (const i of s.interactions) {
        if (i.kind === "creates") span(i.thread).from = Math.min(span(i.thread).from, s.index);
        const waits = span(i.thread).waits, open = waits.length && waits[waits.length - 1].to === Infinity;
        if (i.kind === "waits" && !open) waits.push({ from: s.index, to: Infinity, what: i.object });
        if (i.kind === "continues" && open) waits[waits.length - 1].to = s.index;
      }
    }
    const end = this.steps.length - 1, state = this.steps.length ? this.state(end) : firstState();
    for (const t of this.threads) if (state.alive.has(t)) this.spans.get(t).to = end;
  }

  // The number of context switches up to a step.
  switches(index) {
    let n = 0;
    for (let i = 1; i <= index; i++) n += this.steps[i].thread !== this.steps[i - 1].thread;
    return n;
  }
}
