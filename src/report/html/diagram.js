// The error path as a diagram: a lane for each thread, time downwards.

const ROW = 24, LANE_FIRST = 18;

class Diagram {
  constructor(view) {
    this.view = view;
    this.list = new Rows(byId("steps"), ROW, (from, to) => this.drawRows(from, to));
    byId("steps").addEventListener("click", (event) => {
      const row = event.target.closest("[data-step]");
      if (row) view.go(Number(row.dataset.step));
    });
    byId("steps").addEventListener("dblclick", () => view.turn());
  }

  show(path) {
    this.path = path;
    this.gap = path.threads.length <= 6 ? 34 : path.threads.length <= 12 ? 22 : 14;
    byId("path").style.setProperty("--lanes", `${LANE_FIRST * 2 + (path.threads.length - 1) * this.gap}px`);
    const numbers = Math.max(3, String(path.steps.length).length);
    byId("path").style.setProperty("--numbers", `${numbers + 1}ch`);
    const places = path.steps.length > 5000 ? [] : path.steps.map((s) => placeOf(s).length);
    byId("path").style.setProperty("--place", `${Math.min(24, Math.max(10, ...places))}ch`);
    const texts = path.steps.slice(-5000).map((s) => sourceOf(s).length);
    byId("path").style.setProperty("--text", `${Math.min(54, Math.max(20, ...texts) + 1)}ch`);
    this.drawHead();
    this.fold();
  }

  x(thread) {
    return LANE_FIRST + (this.path.lane.get(thread) || 0) * this.gap;
  }

  drawHead() {
    const head = svg("svg", { width: "100%", height: 26 });
    for (const t of this.path.threads) {
      const label = svg("text", { x: this.x(t), y: 17, class: `lane-name ${colourOf(this.path.lane.get(t))}` }, String(t));
      label.append(svg("title", {}, `thread ${t} (${this.path.names.get(t)})`));
      head.append(label);
    }
    byId("lanes").replaceChildren(el("span", {}, "thread"), head);
  }

  fold() {
    this.rows = makeRows(this.path, this.view.folded, this.view.hidden, this.view.turned);
    this.list.setCount(this.rows.length);
  }

  // The row that shows a step.
  rowOf(step) {
    let low = 0, high = this.rows.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.rows[middle].from <= step) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  go(step, centre) {
    this.list.reveal(this.rowOf(step), centre);
  }

  drawRows(from, to) {
    const nodes = [this.drawLanes(from, to)];
    for (let r = from; r < to; r++) nodes.push(this.drawRow(r));
    return nodes;
  }

  drawRow(r) {
    const row = this.rows[r], { steps } = this.path, step = steps[row.from];
    const lane = colourOf(this.path.lane.get(row.thread));
    const before = r && steps[this.rows[r - 1].to];
    const switched = before && before.thread !== row.thread;
    const current = this.view.step >= row.from && this.view.step <= row.to;
    const kinds = ["row", lane, switched && "switched", current && "current", this.view.matches(row) && "match",
      row.to === steps.length - 1 && this.view.fails && "failing", row.fold && "folded"];
    const node = el("div", { class: kinds.filter(Boolean).join(" "), role: "row", "aria-rowindex": r + 1,
      "aria-current": current ? "step" : null, "data-step": current ? this.view.step : row.from });
    node.append(el("span", { class: "number", role: "cell" }, row.fold ? "" : String(row.from + 1)),
      el("span", { class: "gutter", role: "cell" }, el("span", { class: "hidden" }, `thread ${row.thread}`)));
    if (row.fold) node.append(this.drawFold(row, current));
    else node.append(el("span", { class: "place", role: "cell" }, placeOf(step)),
      el("span", { class: "text", role: "cell" }, ...colouredLine(sourceOf(step))), drawValues(this.view, step));
    if (row.from === this.path.gap) node.append(el("span", { class: "left-out" },
      `more than ${this.path.error.leftOut} steps before this one were not kept`));
    if (row.from <= this.path.error.loop && this.path.error.loop <= row.to)
      node.append(el("span", { class: "left-out" }, "from here on the steps repeat for ever"));
    return node;
  }

  drawFold(row, current) {
    const { steps } = this.path, lines = new Set(), fns = new Set();
    for (let i = row.from; i <= row.to && lines.size < 50; i++) lines.add(steps[i].line), fns.add(steps[i].fn);
    const where = fns.size < 3 ? [...fns].join(", ") : many(fns.size, "function");
    const at = current ? `step ${this.view.step - row.from + 1} of ${row.n}` : many(row.n, "step");
    return el("span", { class: "text", role: "cell" }, `${at} of thread ${row.thread} in ${where}`);
  }

  // ---- lanes and arrows -----------------------------------------------------------------------------
  y(step, first) {
    return (this.rowOf(step) - first + 0.5) * ROW;
  }

  drawLanes(from, to) {
    const picture = svg("svg", { class: "lanes", height: (to - from) * ROW, "aria-hidden": "true" });
    if (to <= from) return picture;
    const first = this.rows[from].from, last = this.rows[to - 1].to;
    for (const t of this.path.threads) this.drawLane(picture, t, from, to, first, last);
    const arrows = this.path.arrowsBetween(first, last);
    for (const a of arrows)
      if (a.kind !== "reads" || a.to === this.view.step || a.from === this.view.step) this.drawArrow(picture, a, from);
    for (let r = from; r < to; r++) this.drawDot(picture, r, from);
    if (this.view.race && last >= this.view.race[0]) this.drawRace(picture, from);
    return picture;
  }

  drawLane(picture, thread, from, to, first, last) {
    const span = this.path.spans.get(thread), x = this.x(thread), lane = colourOf(this.path.lane.get(thread));
    if (span.to < first || span.from > last) return;
    const top = Math.max(span.from, first), bottom = Math.min(span.to, last);
    const line = (a, b, kind) => picture.append(svg("path", { d: `M${x} ${a}V${b}`, class: `lane ${kind} ${lane}` }));
    const y0 = span.from < first ? 0 : this.y(top, from), y1 = span.to > last ? (to - from) * ROW : this.y(bottom, from);
    let at = y0;
    for (const w of span.waits) {
      if (w.to < top || w.from > bottom) continue;
      const a = Math.max(at, w.from < first ? 0 : this.y(w.from, from));
      const b = w.to > last ? (to - from) * ROW : this.y(w.to, from);
      line(at, a, "");
      line(a, b, "waits");
      at = b;
    }
    line(at, Math.max(at, y1), "");
  }

  drawDot(picture, r, from) {
    const row = this.rows[r], x = this.x(row.thread), y = (r - from + 0.5) * ROW;
    const lane = colourOf(this.path.lane.get(row.thread));
    const current = this.view.step >= row.from && this.view.step <= row.to;
    const failing = row.to === this.path.steps.length - 1 && this.view.fails;
    if (row.fold) picture.append(svg("rect", { x: x - 3, y: y - 7, width: 6, height: 14, rx: 3, class: `dot ${lane}` }));
    else picture.append(svg("circle", { cx: x, cy: y, r: current ? 5.5 : 3.5, class: `dot ${lane}` }));
    if (failing) picture.append(svg("circle", { cx: x, cy: y, r: 8.5, class: "alarm" }));
    else if (current) picture.append(svg("circle", { cx: x, cy: y, r: 8.5, class: `ring ${lane}` }));
  }

  // From its step sideways to the other lane, then down beside it.
  drawArrow(picture, a, from) {
    const { steps } = this.path, one = steps[a.from].thread, two = steps[a.to].thread;
    if (this.view.hidden.has(one) || this.view.hidden.has(two)) return;
    const x1 = this.x(one), x2 = this.x(two), side = x2 > x1 ? -1 : 1;
    const y1 = this.y(a.from, from), y2 = this.y(a.to, from);
    if (y2 - y1 < ROW / 2) return;
    const beside = x2 + side * Math.min(9, this.gap / 3), r = Math.min(7, Math.abs(beside - x1));
    const end = y2 - 3;
    const d = `M${x1} ${y1}H${beside + side * r}Q${beside} ${y1} ${beside} ${y1 + r}V${end - 8}Q${beside} ${end} ${x2 + side * 5} ${end + 1}`;
    const active = a.from === this.view.step || a.to === this.view.step;
    const arrow = svg("g", { class: `arrow ${a.kind}${active ? " active" : ""}` }, svg("path", { d }),
      svg("path", { d: `M${x2 + side * 8} ${end - 5}L${x2 + side * 4.5} ${end + 1}L${x2 + side * 10.5} ${end + 2}`, class: "head" }));
    arrow.append(svg("title", {}, `step ${a.from + 1}, thread ${one}: ${a.what} (step ${a.to + 1}, thread ${two})`));
    picture.append(arrow);
  }

  // The edge that is missing: nothing orders the two accesses.
  drawRace(picture, from) {
    const [i, k] = this.view.race, { steps } = this.path;
    const x1 = this.x(steps[i].thread), y1 = this.y(i, from), x2 = this.x(steps[k].thread), y2 = this.y(k, from);
    const mx = (x1 + x2) / 2, my = (y1 + y2) / 2;
    picture.append(svg("g", { class: "missing" }, svg("path", { d: `M${x1} ${y1}L${x2} ${y2}` }),
      svg("circle", { cx: mx, cy: my, r: 6.5 }), svg("path", { d: `M${mx - 2.6} ${my - 2.6}l5.2 5.2m0 -5.2l-5.2 5.2`, class: "cross" }),
      svg("title", {}, "no order between these two accesses: an arrow is missing here")));
  }
}

// What a step changed, and what it has to do with other threads.
function drawValues(view, step) {
  const box = el("span", { class: "values", role: "cell" });
  for (const c of step.changes.slice(0, 6))
    box.append(el("span", { class: "change", title: `${c.name} = ${c.value}` }, el("i", {}, c.name), ` = ${c.value}`));
  if (step.changes.length > 6) box.append(el("span", { class: "quiet" }, `${step.changes.length - 6} more`));
  for (const i of step.interactions) {
    const own = { acquires: `acquires ${i.object}`, releases: `releases ${i.object}`, creates: `creates thread ${i.thread}`,
      joins: `joins thread ${i.thread}`, ends: "ends" }[i.kind];
    if (own) box.append(el("span", { class: `act ${i.kind}` }, own));
    if (i.kind === "waits" && i.thread === step.thread) box.append(el("span", { class: "act waits" }, `waits for ${i.object}`));
  }
  if (step.note) box.append(el("span", { class: "note" }, step.note));
  if (step.output) box.append(el("span", { class: "note" }, `prints "${step.output}"`));
  box.title = box.textContent;
  return box;
}
