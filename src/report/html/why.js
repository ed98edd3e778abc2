// What the end of the path shows: the two accesses of a race, the circle of a deadlock.

// The steps of the two accesses, if the error is a race.
function raceOf(path) {
  const n = path.steps.length;
  if (path.error.property !== "no-data-race" || n < 2) return null;
  const [a, b] = path.steps.slice(-2);
  return a.thread !== b.thread && /is about to/.test(a.note || "") && /is about to/.test(b.note || "") ? [n - 2, n - 1] : null;
}

function drawWhy(view) {
  if (view.race) return drawRaceCard(view);
  if (view.path.error.property === "no-deadlock") return drawDeadlock(view);
  return drawLife(view);
}

// The life of an object that is used after its end: allocation, release, use.
function drawLife(view) {
  const { path } = view, { steps } = path, use = steps.length - 1;
  const object = /allocated at ([^\s():]+):(\d+)/.exec(path.error.message);
  if (!object || !["valid-deref", "valid-free"].includes(path.error.property)) return [];
  let freed = -1, made = -1;
  for (const s of steps.slice(0, use))
    if (s.interactions.some((i) => i.kind === "frees" && (i.object || "").includes(object[0]))) freed = s.index;
  if (freed < 0) return [];
  for (const s of steps.slice(0, freed)) if (placeOf(s) === `${object[1]}:${object[2]}`) made = s.index;
  const parts = made < 0 ? [] : [[made, "allocates"]];
  parts.push([freed, "frees"], [use, path.error.property === "valid-free" ? "frees again" : "uses"]);
  const card = el("div", { class: "card life" });
  parts.forEach(([index, what], n) => {
    const step = steps[index];
    if (n) card.append(el("span", { class: parts[n - 1][1] === "frees" ? "over" : "lives" }, parts[n - 1][1] === "frees" ? "ended" : "lives"));
    card.append(drawAccess(view, step, what, placeOf(step)));
  });
  card.addEventListener("click", (event) => followAccess(view, event));
  return [card];
}

function drawAccess(view, step, what, more) {
  return el("button", { class: `access ${colourOf(view.path.lane.get(step.thread))}`, type: "button", "data-step": step.index },
    el("span", { class: "who" }, `thread ${step.thread} `, el("em", {}, what)), el("code", {}, ...colouredLine(sourceOf(step))),
    el("span", { class: "quiet" }, more));
}

function followAccess(view, event) {
  const access = event.target.closest("[data-step]");
  if (access) view.go(Number(access.dataset.step), true);
}

function drawRaceCard(view) {
  const [i, k] = view.race, { path } = view, sides = [];
  const state = path.state(path.steps.length - 1);
  for (const index of [i, k]) {
    const step = path.steps[index];
    const held = [...state.held.values()].filter((h) => h.thread === step.thread).map((h) => h.object);
    const what = /is about to (\w+)/.exec(step.note);
    const object = step.interactions.find((x) => ["reads", "writes", "frees"].includes(x.kind));
    sides.push(drawAccess(view, step, `${what ? what[1] + "s" : "accesses"}${object ? ` ${object.object}` : ""}`,
      `${placeOf(step)} · holds ${held.length ? held.join(", ") : "no lock"}`));
  }
  const card = el("div", { class: "card race" }, sides[0], el("span", { class: "no-order" }, "no order"), sides[1]);
  card.addEventListener("click", (event) => followAccess(view, event));
  return [card];
}

// Who waits for whom at the end.
function findCircle(state) {
  const next = new Map();
  for (const [t, what] of state.waits) {
    const held = /thread (\d+)/.exec(what), name = /\(([^)]*)\)$/.exec(what);
    if (held) next.set(t, { to: Number(held[1]), what: name ? name[1] : what });
  }
  for (const start of next.keys()) {
    const circle = [];
    for (let t = start; next.has(t) && circle.length <= next.size; t = next.get(t).to) {
      circle.push({ thread: t, ...next.get(t) });
      if (next.get(t).to === start) return circle;
    }
  }
  return null;
}

function drawDeadlock(view) {
  const { path } = view, state = path.state(path.steps.length - 1), circle = findCircle(state);
  if (!state.waits.size) return [];
  if (!circle || circle.length > 8) {
    const list = el("ul", { class: "card waits" });
    for (const [t, what] of state.waits)
      list.append(el("li", {}, el("b", { class: colourOf(path.lane.get(t)) }, `thread ${t}`), ` waits for ${what}`));
    return [list];
  }
  return [el("div", { class: "card circle" }, drawCircle(view, circle),
    el("ol", {}, ...circle.map((c) => el("li", {}, el("b", { class: colourOf(path.lane.get(c.thread)) }, `thread ${c.thread}`),
      ` waits for ${c.what}, which `, el("b", { class: colourOf(path.lane.get(c.to)) }, `thread ${c.to}`), " holds"))))];
}

function drawCircle(view, circle) {
  const n = circle.length, size = n < 4 ? 150 : 200, r = size / 2 - 22, c = size / 2;
  const side = Math.max(0, ...circle.map((link) => link.what.length * 3.7 + 8 - 22)); // room for the names
  const picture = svg("svg", { width: size + 2 * side, height: size, viewBox: `${-side} 0 ${size + 2 * side} ${size}`,
    role: "img", "aria-label": "circle of waiting threads" });
  const angle = (i) => (2 * Math.PI * i) / n - Math.PI / 2;
  const at = (a) => [c + r * Math.cos(a), c + r * Math.sin(a)];
  const room = 19 / r;
  circle.forEach((link, i) => {
    const [x1, y1] = at(angle(i) + room), [x2, y2] = at(angle(i + 1) - room - 0.06);
    picture.append(svg("path", { d: `M${x1} ${y1}A${r} ${r} 0 0 1 ${x2} ${y2}`, class: "wait" }));
    const a = angle(i + 1) - room - 0.06, head = (da, dr) => {
      const [x, y] = [c + (r + dr) * Math.cos(a + da), c + (r + dr) * Math.sin(a + da)];
      return `${x} ${y}`;
    };
    picture.append(svg("path", { d: `M${head(-0.13, -5)}L${head(0.02, 0)}L${head(-0.13, 5)}`, class: "wait head" }));
    const [lx, ly] = at(angle(i + 0.5));
    picture.append(svg("text", { x: lx, y: ly + 4, class: "label" }, link.what));
  });
  circle.forEach((link, i) => {
    const [x, y] = at(angle(i)), lane = colourOf(view.path.lane.get(link.thread));
    picture.append(svg("circle", { cx: x, cy: y, r: 14, class: `node ${lane}` }),
      svg("text", { x, y: y + 5, class: "name" }, String(link.thread)));
  });
  return picture;
}
