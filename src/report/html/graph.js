// Control-flow graphs. Graphviz has computed the places; they are drawn here.

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
    byId("larger").addEventListener("click", () => this.zoom(1 / 1.25));
    byId("smaller").addEventListener("click", () => this.zoom(1.25));
    byId("fit").addEventListener("click", () => this.fit());
    byId("lines").addEventListener("click", () => {
      const on = byId("lines").getAttribute("aria-pressed") !== "true";
      byId("lines").setAttribute("aria-pressed", on);
      byId("drawing").classList.toggle("bare", !on);
    });
    this.listen(byId("drawing"));
    const main = data.graphs.findIndex((g) => g.name === "main");
    this.shown = Math.max(0, main);
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
    const g = data.graphs[this.shown], box = byId("drawing");
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

  open(number, force) {
    if (!byId("graph").open || (this.shown === number && this.picture && !force)) return;
    this.shown = number;
    byId("function").value = number;
    const g = data.graphs[number];
    this.picture = svg("svg", {});
    this.blocks = [];
    for (const e of g.edges) this.drawEdge(g, e);
    for (const b of g.blocks) this.drawBlock(g, b);
    byId("drawing").replaceChildren(this.picture);
    byId("drawing").style.maxHeight = `${Math.max(140, g.height + 60)}px`; // no taller than a small graph needs
    byId("drawing").setAttribute("aria-label", `control-flow graph of ${g.name}: ${many(g.blocks.length, "block")}`);
    this.fit();
    this.mark();
  }

  drawEdge(g, [points, label, lx, ly]) {
    const y = (i) => g.height - points[i], n = points.length;
    let d = `M${points[0]} ${y(1)}`;
    for (let i = 2; i + 5 < n; i += 6)
      d += `C${points[i]} ${y(i + 1)} ${points[i + 2]} ${y(i + 3)} ${points[i + 4]} ${y(i + 5)}`;
    const [x2, y2] = [points[n - 2], y(n - 1)], a = Math.atan2(y2 - y(n - 3), x2 - points[n - 4]);
    const tip = [x2 + 7 * Math.cos(a), y2 + 7 * Math.sin(a)];
    const side = (s) => `${x2 + 3.2 * Math.cos(a + s)} ${y2 + 3.2 * Math.sin(a + s)}`;
    this.picture.append(svg("path", { d, class: "edge" }),
      svg("path", { d: `M${side(Math.PI / 2)}L${tip.join(" ")}L${side(-Math.PI / 2)}Z`, class: "tip" }));
    if (label) this.picture.append(svg("text", { x: lx, y: g.height - ly + 4, class: "label" }, label));
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
    this.picture.append(node);
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
