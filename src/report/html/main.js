// Puts the parts together: one current step, which all of them show.

const KEYS = [["↓ ↑ or → ←", "next and previous step"], ["Shift with ↓ ↑", "next and previous step of the same thread"],
  ["Page Down, Page Up", "next and previous context switch"], ["Home, End", "first and last step"],
  ["/", "search; Enter: next match, Shift+Enter: previous match"], ["n, N", "next and previous match"],
  ["f", "fold runs of one thread"], ["x, double click", "fold or unfold this run"], ["c", "colours: light or dark"], ["?", "these keys"]];
const MOST_PRINTED = 2000; // steps

class View {
  constructor() {
    this.step = 0;
    this.hidden = new Set();
    this.turned = new Set(); // first steps of runs that are folded, or not, unlike the others
    this.folded = false;
    this.query = "";
    this.source = new Source(this);
    this.graph = new Graph(this);
    this.states = new States(this);
    if (!data.errors.some((e) => e.steps.length)) return;
    byId("path").hidden = false;
    document.querySelector(".panes").append(byId("source"));
    this.fails = true;
    this.diagram = new Diagram(this);
    this.compare = new Compare(this);
    this.listen();
    this.openError(this.fromAddress("error", data.errors.length));
    this.go(this.fromAddress("step", this.path.steps.length, this.path.steps.length), true);
  }

  fromAddress(name, most, otherwise = 1) {
    const found = new RegExp(`[#&]${name}=(\\d+)`).exec(location.hash);
    const number = (found ? Number(found[1]) : otherwise) - 1;
    return number >= 0 && number < most ? number : 0;
  }

  openError(number) {
    this.number = number;
    this.path = new Path(data.errors[number]);
    this.race = raceOf(this.path);
    this.hidden.clear();
    this.turned.clear();
    this.folded = this.path.steps.length > 2000;
    byId("fold").setAttribute("aria-pressed", this.folded);
    byId("slider").max = this.path.steps.length;
    byId("size").textContent = `${many(this.path.steps.length, "step")}, ${
      this.path.threads.length > 1 ? `${many(this.path.switches(this.path.steps.length - 1), "context switch").replace(/switchs$/, "switches")}`
        : "one thread"}`;
    this.drawThreads();
    this.diagram.show(this.path);
    byId("why").replaceChildren(...drawWhy(this));
    byId("path").classList.toggle("deadlock", this.path.error.property === "no-deadlock");
  }

  drawThreads() {
    const box = byId("threads");
    box.replaceChildren();
    if (this.path.threads.length < 2) return;
    for (const t of this.path.threads) {
      const button = el("button", { type: "button", class: `thread ${colourOf(this.path.lane.get(t))}`, "aria-pressed": "true",
        title: `show or hide the steps of thread ${t}` }, el("b", {}, String(t)), ` ${this.path.names.get(t)}`);
      button.addEventListener("click", () => {
        if (!this.hidden.delete(t)) this.hidden.add(t);
        button.setAttribute("aria-pressed", !this.hidden.has(t));
        this.diagram.fold();
        this.diagram.go(this.step);
      });
      box.append(button);
    }
  }

  // ---- stepping -------------------------------------------------------------------------------------
  go(step, centre) {
    const { path } = this;
    this.step = Math.max(0, Math.min(path.steps.length - 1, step));
    const here = path.steps[this.step], state = path.state(this.step);
    byId("slider").value = this.step + 1;
    byId("at").textContent = `${this.step + 1} / ${path.steps.length}`;
    this.diagram.go(this.step, centre);
    this.source.show(here, state);
    byId("state").replaceChildren(...drawState(this, state));
    this.graph.follow(here);
    const changes = here.changes.slice(0, 4).map((c) => `${c.name} = ${c.value}`).join(", ");
    byId("live").textContent = `step ${this.step + 1} of ${path.steps.length}, thread ${here.thread}, ${placeOf(here)}: ${
      sourceOf(here)} ${changes} ${here.note || ""}`;
    clearTimeout(this.later);
    this.later = setTimeout(() => {
      try {
        history.replaceState(null, "", `#${data.errors.length > 1 ? `error=${this.number + 1}&` : ""}step=${this.step + 1}`);
      } catch (e) { /* some browsers forbid it for files */ }
    }, 200);
  }

  // The next step in a direction for which `stops` holds.
  seek(direction, stops) {
    for (let i = this.step + direction; i >= 0 && i < this.path.steps.length; i += direction)
      if (stops(i)) return this.go(i);
    return undefined;
  }

  sameThread(direction) {
    const thread = this.path.steps[this.step].thread;
    this.seek(direction, (i) => this.path.steps[i].thread === thread);
  }

  toSwitch(direction) {
    const { steps } = this.path;
    this.seek(direction, (i) => i === 0 || i === steps.length - 1 || steps[i].thread !== steps[i - 1].thread);
  }

  // ---- searching ------------------------------------------------------------------------------------
  search(query) {
    this.query = query.trim().toLowerCase();
    this.found = new Set();
    if (this.query) for (const s of this.path.steps) if (this.words(s).includes(this.query)) this.found.add(s.index);
    byId("found").textContent = this.query ? many(this.found.size, "match").replace(/matchs$/, "matches") : "";
    this.diagram.list.update(true);
  }

  words(s) {
    const acts = s.interactions.map((i) => `${i.kind} ${i.object || ""}`).join(" ");
    const changes = s.changes.map((c) => `${c.name} = ${c.value}`).join(" ");
    return `thread ${s.thread} ${s.fn} ${placeOf(s)} ${sourceOf(s)} ${changes} ${acts} ${s.note || ""} ${s.output || ""}`.toLowerCase();
  }

  matches(row) {
    if (!this.query) return false;
    if (row.from === row.to) return this.found.has(row.from);
    for (let i = row.from; i <= row.to; i++) if (this.found.has(i)) return true;
    return false;
  }

  toMatch(direction) {
    if (!this.query || !this.found.size) return;
    const n = this.path.steps.length;
    for (let i = 1; i <= n; i++) {
      const at = (this.step + direction * i + n * 2) % n;
      if (this.found.has(at)) return void this.go(at, true);
    }
  }

  // ---- listening ------------------------------------------------------------------------------------
  listen() {
    const on = (id, act) => byId(id).addEventListener("click", act);
    on("first", () => this.go(0));
    on("back", () => this.go(this.step - 1));
    on("next", () => this.go(this.step + 1));
    on("last", () => this.go(this.path.steps.length - 1));
    on("fold", () => this.toggleFold());
    byId("slider").addEventListener("input", () => this.go(byId("slider").value - 1, true));
    byId("search").addEventListener("input", () => this.search(byId("search").value));
    if (data.errors.length > 1) {
      const select = byId("error");
      select.hidden = false;
      data.errors.forEach((e, i) => select.append(el("option", { value: i }, `${i + 1}. ${e.message}`)));
      select.addEventListener("change", () => {
        this.openError(Number(select.value));
        this.go(0, true);
        this.compare.list();
        this.compare.draw();
      });
    }
    document.addEventListener("keydown", (event) => this.onKey(event));
    window.addEventListener("beforeprint", () => this.print());
    window.addEventListener("afterprint", () => byId("print").replaceChildren());
  }

  toggleFold() {
    this.folded = !this.folded;
    this.turned.clear();
    byId("fold").setAttribute("aria-pressed", this.folded);
    this.diagram.fold();
    this.diagram.go(this.step);
  }

  // Folds or unfolds the run of the current step.
  turn() {
    const { steps } = this.path;
    let from = this.step;
    while (from && steps[from - 1].thread === steps[from].thread && from !== this.path.gap) from--;
    if (!this.turned.delete(from)) this.turned.add(from);
    this.diagram.fold();
    this.diagram.go(this.step);
  }

  onKey(event) {
    const target = event.target, typing = target.matches("input[type=search], select, textarea");
    if (target.id === "search") {
      if (event.key === "Enter") this.toMatch(event.shiftKey ? -1 : 1);
      else if (event.key === "Escape") target.blur();
    }
    if (typing || event.ctrlKey || event.altKey || event.metaKey) return;
    const act = this.actOf(event);
    if (!act) return;
    event.preventDefault();
    act();
  }

  actOf(event) {
    const direction = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (direction) return () => (event.shiftKey ? this.sameThread(direction) : this.go(this.step + direction));
    return {
      PageDown: () => this.toSwitch(1), PageUp: () => this.toSwitch(-1),
      Home: () => this.go(0), End: () => this.go(this.path.steps.length - 1),
      "/": () => byId("search").focus(), n: () => this.toMatch(1), N: () => this.toMatch(-1), f: () => this.toggleFold(),
      x: () => this.turn(),
    }[event.key];
  }

  // The path without what only a screen can do.
  print() {
    const rows = makeRows(this.path, this.path.steps.length > MOST_PRINTED, this.hidden).slice(0, MOST_PRINTED);
    const table = el("table", {}, el("caption", {}, "Error path"));
    for (const row of rows) {
      const s = this.path.steps[row.from];
      table.append(el("tr", {}, el("td", {}, String(row.from + 1)), el("td", {}, `thread ${row.thread}`),
        el("td", {}, row.fold ? `${row.n} steps` : placeOf(s)), el("td", {}, row.fold ? "" : el("code", {}, sourceOf(s))),
        el("td", {}, row.fold ? "" : drawValues(this, s))));
    }
    if (rows.length === MOST_PRINTED) table.append(el("tr", {}, el("td", { colspan: 5 }, "The rest is not printed.")));
    byId("print").replaceChildren(table);
  }
}

function toggleColours() {
  const root = document.documentElement;
  const dark = root.dataset.colours ? root.dataset.colours === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.colours = dark ? "light" : "dark";
}

function showKeys() {
  const list = el("dl", {});
  for (const [key, meaning] of KEYS) list.append(el("dt", {}, key), el("dd", {}, meaning));
  const close = el("button", { type: "button" }, "Close");
  close.addEventListener("click", () => byId("keys").close());
  byId("keys").replaceChildren(el("h2", {}, "Keys"), list, close);
  byId("keys").showModal();
}

function start() {
  const colours = el("button", { type: "button", title: "light or dark (c)" }, "Colours");
  const keys = el("button", { type: "button", title: "keys (?)" }, "Keys");
  colours.addEventListener("click", toggleColours);
  keys.addEventListener("click", showKeys);
  byId("tools").append(colours, keys);
  document.addEventListener("keydown", (event) => {
    if (event.target.matches("input[type=search], select") || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "c") toggleColours();
    if (event.key === "?") showKeys();
  });
  document.documentElement.classList.add("ready");
  window.view = new View();
}

document.addEventListener("DOMContentLoaded", start);
