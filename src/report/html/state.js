// What holds after a step: where the threads are, locks, values of variables.

const MOST_VALUES = 200; // of one group that are shown

function drawState(view, state) {
  const step = view.path.steps[view.step];
  view.places = state.place;
  const nodes = [drawThreads(view, state, step)];
  const locks = drawLocks(view, state);
  if (locks) nodes.push(locks);
  const groups = new Map();
  for (const v of state.values.values()) {
    const name = v.owner ? `thread ${v.owner - 1} · ${v.fn}` : "shared";
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(v);
  }
  const order = [...groups.keys()].sort((a, b) => rank(a, step) - rank(b, step) || (a < b ? -1 : 1));
  for (const name of order) nodes.push(drawGroup(view, name, groups.get(name), step));
  return nodes;
}

// Shared variables first, then those of the thread that moved.
function rank(name, step) {
  if (name === "shared") return 0;
  if (name === `thread ${step.thread} · ${step.fn}`) return 1;
  return name.startsWith(`thread ${step.thread} `) ? 2 : 3;
}

function statusOf(view, state, thread, step) {
  if (state.waits.has(thread)) return ["waits", `waits for ${state.waits.get(thread)}`];
  if (step.thread === thread) return ["runs", "runs"];
  if (!state.alive.has(thread)) return state.place.has(thread) ? ["ended", "has ended"] : ["ended", "not created"];
  return ["ready", state.place.has(thread) ? "ready" : "created"];
}

function drawThreads(view, state, step) {
  const table = el("table", { class: "threads" }, el("caption", {}, "Threads"));
  for (const t of view.path.threads) {
    const [kind, words] = statusOf(view, state, t, step);
    const at = state.place.has(t) ? view.path.steps[state.place.get(t)] : null;
    table.append(el("tr", { class: `${kind} ${colourOf(view.path.lane.get(t))}` },
      el("th", { scope: "row" }, el("b", {}, String(t))),
      el("td", { class: "where" }, at ? `${at.fn}:${at.line}` : view.path.names.get(t)), el("td", {}, words)));
  }
  return table;
}

function drawLocks(view, state) {
  const locks = new Map();
  const of = (name) => locks.get(name) || locks.set(name, { held: [], wanted: [] }).get(name);
  for (const i of state.held.values()) of(i.object).held.push(i.thread);
  for (const [t, what] of state.waits) {
    const name = /\(([^()]*(?:\[[^\]]*\])?[^()]*)\)$/.exec(what);
    if (name) of(name[1]).wanted.push(t);
  }
  if (!locks.size) return null;
  const table = el("table", { class: "locks" }, el("caption", {}, "Held and awaited"));
  for (const [name, { held, wanted }] of locks) {
    const list = (threads) => threads.map((t) => el("b", { class: colourOf(view.path.lane.get(t)) }, String(t)));
    table.append(el("tr", {}, el("th", { scope: "row" }, name),
      el("td", {}, held.length ? "held by " : "", ...list(held)),
      el("td", {}, wanted.length ? "awaited by " : "", ...list(wanted))));
  }
  return table;
}

function drawGroup(view, name, values, step) {
  const first = values[0], there = first.owner ? view.path.steps[view.places.get(first.owner - 1)] : null;
  const left = there && there.fn !== first.fn; // the thread is in another function now
  const table = el("table", { class: left ? "variables left" : "variables" }, el("caption", {}, name));
  const changed = values.filter((v) => v.step === step.index), rest = values.filter((v) => v.step !== step.index);
  const shown = [...changed, ...rest].slice(0, MOST_VALUES);
  const visible = new Set(shown);
  for (const v of values) {
    if (!visible.has(v)) continue;
    const now = v.step === step.index;
    table.append(el("tr", { class: now ? "changed" : null }, el("th", { scope: "row" }, v.name),
      el("td", {}, now && v.before !== undefined && v.before !== v.value ? el("s", {}, v.before) : null, v.value)));
  }
  if (values.length > shown.length)
    table.append(el("tr", {}, el("td", { colspan: 2, class: "quiet" }, `${values.length - shown.length} more`)));
  return table;
}
