// Control-flow graphs, and the graph of reachable states. Graphviz has computed the places; they are drawn here.

// A picture that can be moved and zoomed.
class Canvas {
  constructor(box, buttons) {
    this.box = box;
    byId(buttons.larger).addEventListener("click", () => this.zoom(1 / 1.25));
    byId(buttons.smaller).addEventListener("click", () => this.zoom(1.25));
    byId(buttons.fit).addEventListener("click", () => this.fit());
    this.listen(box);
  }

  // Shows a new picture of this size.
  show(width, height, label) {
    this.size = { width, height };
    this.picture = svg("svg", {});
    this.box.replaceChildren(this.picture);
    this.box.style.maxHeight = `${Math.max(140, height + 60)}px`; // no taller than a small graph needs
    this.box.setAttribute("aria-label", label);
    this.fit();
  }

  listen(box) {
    let from = null;
    box.addEventListener("pointerdown", (e) => {
      from = { x: e.clientX, y: e.clientY, view: { ...this.window } };
      box.setPointerCapture(e.pointerId);
    });
    box.addEventListener("pointermove", (e) => {
      if (!from) return;
      const scale = this.window.w / box.clientWidth;
      this.window.x = from.view.x - (e.clientX - from.x) * scale;
      this.window.y = from.view.y - (e.clientY - from.y) * scale;
      this.place();
    });
    box.addEventListener("pointerup", () => { from = null; });
    box.addEventListener("wheel", (e) => {
      if (!e.ctrlKey) return;
      e.preventDefault();
      this.zoom(e.deltaY > 0 ? 1.1 : 1 / 1.1);
    }, { passive: false });
    box.addEventListener("keydown", (e) => {
      const move = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
      if (move) this.window.x += move[0] * this.window.w / 10, this.window.y += move[1] * this.window.h / 10, this.place();
      else if (e.key === "+") this.zoom(1 / 1.25);
      else if (e.key === "-") this.zoom(1.25);
      else if (e.key === "0") this.fit();
      else return;
      e.preventDefault();
      e.stopPropagation();
    });
  }

  zoom(factor) {
    const w = this.window;
    w.x += w.w * (1 - factor) / 2;
    w.y += w.h * (1 - factor) / 2;
    w.w *= factor;
    w.h *= factor;
    this.place();
  }

  // Not larger than life, and in the middle.
  fit() {
    const g = this.size, { box } = this;
    const scale = Math.max(g.width + 24, (g.height + 24) * (box.clientWidth || 800) / (box.clientHeight || 500),
      box.clientWidth || 800);
    const w = scale, h = scale * (box.clientHeight || 500) / (box.clientWidth || 800);
    this.window = { x: (g.width - w) / 2, y: Math.min(-12, (g.height - h) / 2), w, h };
    this.place();
  }

  place() {
    const w = this.window;
    this.picture.setAttribute("viewBox", `${w.x} ${w.y} ${w.w} ${w.h}`);
  }

  // An edge of Graphviz with its tip.
  curve(points, kind) {
    const y = (i) => this.size.height - points[i], n = points.length;
    let d = `M${points[0]} ${y(1)}`;
    for (let i = 2; i + 5 < n; i += 6)
      d += `C${points[i]} ${y(i + 1)} ${points[i + 2]} ${y(i + 3)} ${points[i + 4]} ${y(i + 5)}`;
    const [x2, y2] = [points[n - 2], y(n - 1)], a = Math.atan2(y2 - y(n - 3), x2 - points[n - 4]);
    const tip = [x2 + 7 * Math.cos(a), y2 + 7 * Math.sin(a)];
    const side = (s) => `${x2 + 3.2 * Math.cos(a + s)} ${y2 + 3.2 * Math.sin(a + s)}`;
    return svg("g", { class: `curve ${kind}` }, svg("path", { d, class: "edge" }),
      svg("path", { d: `M${side(Math.PI / 2)}L${tip.join(" ")}L${side(-Math.PI / 2)}Z`, class: "tip" }));
  }
}

class Graph {
  constructor(view) {
    this.view = view;
    this.shown = -1;
    if (data.graphs === undefined) return;
    byId("graph").hidden = false;
    if (!data.graphs || !data.graphs.length) {
      byId("graph").replaceChildren(el("summary", {}, el("h2", {}, "Control flow")), el("p", { class: "quiet" }, data.graphs
        ? "There is no function to draw." : "Graphviz was not there when the report was made (Debian: graphviz)."));
      return;
    }
    const select = byId("function");
    data.graphs.forEach((g, i) => select.append(el("option", { value: i }, g.name)));
    select.addEventListener("change", () => this.open(Number(select.value)));
    byId("graph").addEventListener("toggle", () => this.open(Math.max(0, this.shown), true));
    this.canvas = new Canvas(byId("drawing"), { larger: "larger", smaller: "smaller", fit: "fit" });
    byId("lines").addEventListener("click", () => {
      const on = byId("lines").getAttribute("aria-pressed") !== "true";
      byId("lines").setAttribute("aria-pressed", on);
      byId("drawing").classList.toggle("bare", !on);
    });
    const main = data.graphs.findIndex((g) => g.name === "main");
    this.shown = Math.max(0, main);
  }

  open(number, force) {
    if (!byId("graph").open || (this.shown === number && this.blocks && !force)) return;
    this.shown = number;
    byId("function").value = number;
    const g = data.graphs[number];
    this.blocks = [];
    this.canvas.show(g.width, g.height, `control-flow graph of ${g.name}: ${many(g.blocks.length, "block")}`);
    for (const [points, label, lx, ly] of g.edges) {
      this.canvas.picture.append(this.canvas.curve(points, ""));
      if (label) this.canvas.picture.append(svg("text", { x: lx, y: g.height - ly + 4, class: "label" }, label));
    }
    for (const b of g.blocks) this.drawBlock(g, b);
    this.mark();
  }

  drawBlock(g, [, x, y, w, h, lines, end]) {
    const top = g.height - y - h / 2, left = x - w / 2, file = data.files[g.file];
    const states = lines.map((l) => this.view.source.coverage.get(`${g.file} ${l}`)).filter(Boolean);
    const covered = !states.length ? "" : states.every((s) => s === "verified") ? "verified"
      : states.every((s) => s === "open") ? "open" : "reached";
    const node = svg("g", { class: `block ${covered}${end ? " end" : ""}${lines.length ? "" : " empty"}` },
      svg("rect", { x: left, y: top, width: w, height: h, rx: lines.length ? 5 : h / 2 }));
    if (!lines.length) node.append(svg("text", { x, y: top + h / 2 + 4, class: "label" }, end ? "end" : ""));
    lines.slice(0, 13).forEach((line, i) => {
      const code = i === 12 ? `… ${lines.length - 12} more lines` : (file.lines[line - 1] || "").trim();
      const short = code.length > 44 ? `${code.slice(0, 41)}...` : code;
      const row = svg("text", { x: left + 9, y: top + 17 + i * 19, "data-line": line },
        svg("tspan", { class: "number" }, String(line).padStart(4) + "  "), short);
      row.addEventListener("click", () => this.view.source.jump(g.file, line));
      node.append(row);
    });
    this.canvas.picture.append(node);
    this.blocks.push({ node, lines });
  }

  // Follows the current step.
  follow(step) {
    this.step = step;
    if (!this.blocks && !byId("graph").open) return;
    const number = data.graphs ? data.graphs.findIndex((g) => g.name === step.fn && g.file === step.file) : -1;
    if (number >= 0) this.open(number);
    this.mark();
  }

  mark() {
    const g = data.graphs[this.shown], step = this.step;
    for (const b of this.blocks || []) {
      const here = step && step.fn === g.name && step.file === g.file && b.lines.includes(step.line);
      b.node.classList.toggle("here", !!here);
      for (const row of b.node.querySelectorAll("[data-line]"))
        row.classList.toggle("current", !!here && Number(row.dataset.line) === step.line);
    }
  }
}

// The states that were reached, of a small run. Where a run of one thread is folded, its edge says how many steps it has.
class States {
  constructor(view) {
    this.view = view;
    const g = data.stateGraph;
    if (!g) return;
    byId("states").hidden = false;
    const which = g.reduced ? ", without interleavings that partial-order reduction leaves out" : ", all interleavings";
    byId("statesize").textContent = `${many(g.states, "state")} of the explicit search${g.threads ? which : ""}`;
    this.folds = g.whole.nodes.length > 24;
    this.canvas = new Canvas(byId("space"), { larger: "slarger", smaller: "ssmaller", fit: "sfit" });
    byId("sfold").setAttribute("aria-pressed", this.folds);
    byId("sfold").addEventListener("click", () => {
      this.folds = !this.folds;
      byId("sfold").setAttribute("aria-pressed", this.folds);
      this.draw();
    });
    byId("states").addEventListener("toggle", () => this.draw());
    this.path = this.follow();
  }

  // The edges of the graph as it is that the error path takes, as "state thread alternative".
  follow() {
    const known = new Map(), taken = new Set(), error = data.errors[0];
    for (const [from, to, , , , thread, , places] of data.stateGraph.whole.edges)
      known.set(`${from} ${thread} ${places[0][2]}`, to);
    let state = 0;
    for (let i = 0; error && error.choices && i < error.choices.length; i += 2) {
      const key = `${state} ${error.choices[i]} ${error.choices[i + 1]}`;
      if (!known.has(key)) break;
      taken.add(key);
      state = known.get(key);
    }
    if (taken.size) this.last = state;
    return taken;
  }

  draw() {
    if (!byId("states").open) return;
    const g = this.folds ? data.stateGraph.folded : data.stateGraph.whole;
    const kinds = [0, 1, 2, 3, 4].map((k) => g.nodes.filter((n) => n[3] === k).length);
    this.canvas.show(g.width, g.height, `graph of states: ${many(kinds[0] + kinds[1], "state")}, ${many(kinds[1] + kinds[4], "error")}, ${
      many(kinds[2], "end")} of the program`);
    for (const e of g.edges) this.drawEdge(g, e);
    for (const n of g.nodes) this.drawNode(g, n);
  }

  drawEdge(g, [from, , points, lx, ly, thread, fn, places]) {
    const lane = `t${thread % 6}`, [file, line, alternative] = places[0], last = places[places.length - 1];
    const taken = this.path.has(`${from} ${thread} ${alternative}`);
    const edge = this.canvas.curve(points, `${lane}${taken ? " taken" : ""}`);
    const where = [...new Set([line, last[1]].filter((l) => l))].map((l) => `:${l}`).join(" … "); // none: a thread begins or ends
    edge.append(svg("text", { x: lx, y: g.height - ly + 4, class: "label" }, svg("tspan", { class: "thread" }, String(thread)), where));
    const code = data.files[file] ? (data.files[file].lines[line - 1] || "").trim() : "";
    edge.append(svg("title", {}, `thread ${thread} in ${fn || "?"}, ${many(places.length, "step")}: ${code}`));
    edge.addEventListener("click", () => { if (file >= 0) this.view.source.jump(file, line); });
    this.canvas.picture.append(edge);
  }

  drawNode(g, [state, x, yy, kind]) {
    const y = g.height - yy;
    const node = svg("g", { class: `node k${kind}${state === this.last ? " last" : ""}` });
    if (kind < 2) node.append(svg("circle", { cx: x, cy: y, r: 11.5 }), svg("text", { x, y: y + 4, class: "label" }, String(state)));
    else if (kind === 2) node.append(svg("rect", { x: x - 6, y: y - 6, width: 12, height: 12, rx: 2 }));
    else node.append(svg("circle", { cx: x, cy: y, r: 7 }), svg("path", { d: `M${x - 3} ${y - 3}l6 6m0 -6l-6 6` }));
    node.append(svg("title", {}, [state ? `state ${state}` : "the first state", `state ${state}: an error is possible here`,
      "the program ends", "the path ends: abort, a false assumption, or something that is not modelled", "an error"][kind]));
    this.canvas.picture.append(node);
  }
}
