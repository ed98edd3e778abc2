// The source: which lines are verified, where each thread is, and where the program fails.

const LINE = 20;
const COVERED = ["open", "reached", "verified"];
const MEANING = { open: "not reached", reached: "reached, but no complete execution was examined", verified: "verified" };

class Source {
  constructor(view) {
    this.view = view;
    this.file = -1;
    this.marks = new Map(); // line -> lanes of the threads that are there
    this.list = new Rows(byId("code"), LINE, (from, to) => this.draw(from, to));
    const select = byId("file");
    (data.files || []).forEach((f, i) => select.append(el("option", { value: i }, f.path)));
    select.addEventListener("change", () => this.open(Number(select.value)));
    this.fillCoverage();
    if (!data.files || !data.files.length) return;
    byId("source").hidden = false;
    const failing = data.errors.length ? data.errors[0].file : 0;
    this.open(Math.max(0, failing));
  }

  fillCoverage() {
    this.coverage = new Map();
    for (const [file, line, state] of data.coverage || []) this.coverage.set(`${file} ${line}`, COVERED[state]);
    const known = this.coverage.size > 0;
    if (!known && data.verdict === "true") this.coverAll();
    const legend = byId("legend");
    const entry = (kind, name) => legend.append(el("span", { class: `key ${kind}` }, name));
    if (known) {
      const n = (kind) => [...this.coverage.values()].filter((k) => k === kind).length;
      for (const kind of ["verified", "reached", "open"]) if (n(kind)) entry(kind, `${many(n(kind), "line")} ${
        kind === "reached" ? "reached, not complete" : kind === "open" ? "not reached" : kind}`);
    } else if (data.verdict === "true") entry("verified", "every line is verified, by the verdict");
    else if (data.verdict === "conditional") legend.append(el("span", { class: "quiet" },
      "--coverage FILE tells which lines are verified"));
    if (data.errors.length) entry("fails", "fails here");
  }

  // A verdict without conditions is about every line with code.
  coverAll() {
    for (const g of data.graphs || [])
      for (const [, , , , , lines] of g.blocks) for (const l of lines) this.coverage.set(`${g.file} ${l}`, "verified");
  }

  open(number) {
    if (this.file === number || !data.files[number]) return;
    this.file = number;
    byId("file").value = number;
    this.comments = commentLines(data.files[number].lines);
    byId("code").style.setProperty("--numbers", `${String(data.files[number].lines.length).length + 1}ch`);
    this.list.setCount(data.files[number].lines.length);
  }

  // Shows where a step is, and where the other threads are.
  show(step, state) {
    this.marks.clear();
    const { path } = this.view;
    for (const [t, index] of state ? state.place : []) {
      const there = path.steps[index];
      if (there.file !== step.file) continue;
      if (!this.marks.has(there.line)) this.marks.set(there.line, []);
      this.marks.get(there.line).push(t);
    }
    this.current = step.line;
    this.currentFile = step.file;
    this.lane = path.lane.get(step.thread);
    if (step.file < 0) return;
    this.open(step.file);
    this.list.reveal(step.line - 1, true);
  }

  jump(file, line) {
    this.open(file);
    this.list.reveal(line - 1, true);
  }

  draw(from, to) {
    const lines = data.files[this.file].lines, nodes = [];
    const here = this.currentFile === this.file;
    for (let i = from; i < to; i++) {
      const covered = this.coverage.get(`${this.file} ${i + 1}`);
      const current = here && this.current === i + 1;
      const fails = data.errors.some((e) => e.file === this.file && e.line === i + 1);
      const row = el("div", { class: ["line", covered, current && `current ${colourOf(this.lane)}`, fails && "fails"]
        .filter(Boolean).join(" "), role: "row", "aria-rowindex": i + 1, "aria-current": current ? "step" : null });
      const threads = el("span", { class: "threads", role: "cell" });
      for (const t of (here && this.marks.get(i + 1)) || [])
        threads.append(el("b", { class: colourOf(this.view.path.lane.get(t)), title: `thread ${t} is here` }, String(t)));
      row.append(el("span", { class: "bar", role: "cell", title: covered ? MEANING[covered] : "" },
        covered || fails ? el("span", { class: "hidden" }, fails ? "fails" : MEANING[covered]) : ""),
      el("span", { class: "number", role: "cell" }, String(i + 1)), threads,
      el("code", { role: "cell" }, ...colouredLine(lines[i], this.comments[i])));
      nodes.push(row);
    }
    return nodes;
  }
}
