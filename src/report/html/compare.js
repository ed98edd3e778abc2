// Two executions beside each other: what only one of them does, and how their values differ in the end.

const MOST_CELLS = 4e6; // of the table of a comparison
const AROUND = 2; // common steps that are shown around a difference

// The error paths of another page of --report, or of a file of --json.
function readOther(content) {
  const mark = content.indexOf('id="data">');
  if (mark < 0) return recordedErrors(JSON.parse(content));
  const other = JSON.parse(content.slice(mark + 10, content.indexOf("</" + "script>", mark)));
  return other.errors.map((e) => ({ name: e.message, steps: e.steps.map((s, i) => decodeStep(s, i, other)), files: other.files || [] }));
}

function recordedErrors(record) {
  const paths = [], files = [];
  const fileOf = (path) => {
    if (!paths.includes(path)) paths.push(path), files.push({ path, lines: [] });
    return paths.indexOf(path);
  };
  return (record.violations || []).map((v) => ({ name: v.message, files, steps: v.steps.map((s, index) => ({ index, thread: s.thread,
    fn: s.function || "?", file: s.file ? fileOf(s.file) : -1, line: s.line, own: s.text, note: s.note, output: s.output,
    changes: s.changes || [], interactions: [] })) }));
}

function textOf(step, files) {
  const file = files[step.file], line = file && file.lines[step.line - 1];
  return (line === undefined ? step.own || "" : line).trim();
}

// What has to be equal for two steps to be the same: not the line's number, which another version of the program changes.
const sameness = (step, files) => `${step.thread} ${step.fn} ${textOf(step, files)} ${
  step.changes.map((c) => `${c.name}=${c.value}`).join(" ")}`;

// Pairs [mine, theirs] of steps; null where a step has none. null: too long.
function align(mine, theirs) {
  const pairs = [], tail = [];
  let from = 0, a = mine.length, b = theirs.length;
  while (from < a && from < b && mine[from] === theirs[from]) pairs.push([from, from]), from++;
  while (a > from && b > from && mine[a - 1] === theirs[b - 1]) tail.push([--a, --b]);
  const n = a - from, m = b - from;
  if (n * m > MOST_CELLS) return null;
  const length = new Uint16Array((n + 1) * (m + 1)), at = (i, k) => i * (m + 1) + k;
  for (let i = n - 1; i >= 0; i--)
    for (let k = m - 1; k >= 0; k--)
      length[at(i, k)] = mine[from + i] === theirs[from + k] ? length[at(i + 1, k + 1)] + 1
        : Math.max(length[at(i + 1, k)], length[at(i, k + 1)]);
  for (let i = 0, k = 0; i < n || k < m; ) {
    if (i < n && k < m && mine[from + i] === theirs[from + k]) pairs.push([from + i++, from + k++]);
    else if (k === m || (i < n && length[at(i + 1, k)] >= length[at(i, k + 1)])) pairs.push([from + i++, null]);
    else pairs.push([null, from + k++]);
  }
  return pairs.concat(tail.reverse());
}

class Compare {
  constructor(view) {
    this.view = view;
    const box = byId("compare"), select = byId("other");
    this.errors = data.errors.map((e) => ({ name: e.message, files: data.files || [], encoded: e }));
    byId("with").addEventListener("click", () => {
      box.hidden = !box.hidden;
      byId("with").setAttribute("aria-pressed", !box.hidden);
      if (!box.hidden) this.list(), this.draw();
    });
    select.addEventListener("change", () => this.draw());
    byId("file2").addEventListener("change", async () => {
      const chosen = byId("file2").files[0];
      if (chosen) this.take(await chosen.text(), chosen.name);
    });
  }

  take(content, name) {
    let found = [];
    try { found = readOther(content); } catch (e) { /* it is no such file */ }
    for (const e of found) this.errors.push({ ...e, name: `${name}: ${e.name}` });
    if (found.length) this.list(this.errors.length - found.length);
    this.draw(found.length ? "" : `${name} has no error path: choose a page of --report or a file of --json.`);
  }

  list(chosen) {
    const select = byId("other"), before = chosen === undefined ? Number(select.value || -1) : chosen;
    select.replaceChildren(...this.errors.map((e, i) => el("option", { value: i, selected: i === before, disabled: i === this.view.number },
      `${i + 1}. ${e.name}`)));
    if (before < 0) select.value = this.errors.findIndex((e, i) => i !== this.view.number);
  }

  draw(message) {
    const box = byId("differences"), other = this.errors[Number(byId("other").value)];
    if (message || !other || Number(byId("other").value) === this.view.number)
      return box.replaceChildren(el("p", { class: "quiet" }, message || "Choose another error, or the file of another run."));
    const files = data.files || [], mine = this.view.path.steps;
    const theirs = other.steps || other.encoded.steps.map((s, i) => decodeStep(s, i));
    const pairs = align(mine.map((s) => sameness(s, files)), theirs.map((s) => sameness(s, other.files)));
    if (!pairs) return box.replaceChildren(el("p", { class: "quiet" }, "The two differ too much to be compared step by step."));
    const first = pairs.findIndex((p) => p[0] === null || p[1] === null);
    const sentence = first < 0 ? "Both take the same steps." : `The same ${many(first, "step")}, then ${
      this.say(pairs[first], mine, theirs)}. ${many(pairs.filter((p) => p[1] === null).length, "step")} of this path alone, ${
      many(pairs.filter((p) => p[0] === null).length, "step")} of the other one alone.`;
    return box.replaceChildren(el("p", {}, sentence), this.table(pairs, mine, theirs, other.files), this.values(mine, theirs));
  }

  say([a, b], mine, theirs) {
    const step = a === null ? theirs[b] : mine[a];
    return `${a === null ? "the other" : "this"} path goes on with thread ${step.thread} in ${step.fn}`;
  }

  // Only what is near a difference.
  table(pairs, mine, theirs, files) {
    const near = pairs.map((p, i) => pairs.slice(Math.max(0, i - AROUND), i + AROUND + 1).some((q) => q[0] === null || q[1] === null));
    const body = el("tbody", {});
    for (let i = 0; i < pairs.length && body.children.length < 1000; i++) {
      if (!near[i]) {
        let end = i;
        while (end < pairs.length && !near[end]) end++;
        body.append(el("tr", { class: "quiet" }, el("td", { colspan: 4 }, `${many(end - i, "common step")}`)));
        i = end - 1;
        continue;
      }
      const [a, b] = pairs[i], step = a === null ? theirs[b] : mine[a];
      const row = el("tr", { class: a === null ? "theirs" : b === null ? "mine" : "" },
        el("td", {}, a === null ? "" : String(a + 1)), el("td", {}, b === null ? "" : String(b + 1)),
        el("td", { class: `t${step.thread % 6}` }, el("b", {}, String(step.thread))),
        el("td", {}, el("code", {}, textOf(step, a === null ? files : data.files || [])), " ",
          el("span", { class: "quiet" }, step.changes.map((c) => `${c.name} = ${c.value}`).join(", "))));
      if (a !== null) row.addEventListener("click", () => this.view.go(a, true));
      body.append(row);
    }
    return el("table", { class: "steps" }, el("thead", {}, el("tr", {}, ...["this", "other", "thread", "step"].map((h) => el("th", {}, h)))), body);
  }

  values(mine, theirs) {
    const last = (steps) => {
      const values = new Map();
      for (const s of steps) for (const c of s.changes) values.set(c.name, c.value);
      return values;
    };
    const a = last(mine), b = last(theirs), rows = [];
    for (const name of new Set([...a.keys(), ...b.keys()]))
      if (a.get(name) !== b.get(name)) rows.push(el("tr", {}, el("th", {}, el("code", {}, name)),
        ...[a, b].map((v) => el("td", {}, v.has(name) ? el("code", {}, v.get(name)) : "–"))));
    if (!rows.length) return el("p", { class: "quiet" }, "All values are equal in the end.");
    return el("table", {}, el("thead", {}, el("tr", {}, ...["in the end", "this", "other"].map((h) => el("th", {}, h)))), el("tbody", {}, ...rows.slice(0, 200)));
  }
}
