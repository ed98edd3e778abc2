// Elements, C source with colours, and lists of which only the visible rows are in the page.

const SVG = "http://www.w3.org/2000/svg";

function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "class") node.className = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((c) => c !== null && c !== undefined && c !== false));
  return node;
}

function svg(tag, attributes, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes || {})) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

const byId = (id) => document.getElementById(id);
const colourOf = (lane) => `t${lane % 6}`;
const many = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;

const KEYWORDS = new Set(("auto break case char const continue default do double else enum extern float for goto if " +
  "inline int long register restrict return short signed sizeof static struct switch typedef union unsigned void " +
  "volatile while _Atomic _Bool _Noreturn _Static_assert _Thread_local bool true false NULL class namespace new " +
  "delete template this using public private protected virtual nullptr").split(" "));
const TOKEN = new RegExp([
  /(\/\/.*|\/\*.*?(?:\*\/|$))/, // comment
  /("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)/, // text
  /(^\s*#\s*\w+)/, // directive
  /(\b(?:0[xX][\da-fA-F]+|\d[\d.]*(?:[eE][+-]?\d+)?)[uUlLfF]*\b)/, // number
  /([A-Za-z_]\w*)/, // word
].map((r) => r.source).join("|"), "g");
const KINDS = ["comment", "string", "directive", "literal"];

// The line as nodes. `inside`: it begins in a comment.
function colouredLine(line, inside) {
  const nodes = [];
  let at = 0;
  if (inside) {
    const end = line.indexOf("*/");
    at = end < 0 ? line.length : end + 2;
    nodes.push(el("span", { class: "comment" }, line.slice(0, at)));
  }
  TOKEN.lastIndex = at;
  for (let m; at < line.length && (m = TOKEN.exec(line)); ) {
    const kind = KINDS[[m[1], m[2], m[3], m[4]].findIndex((x) => x !== undefined)] ||
      (KEYWORDS.has(m[5]) ? "keyword" : "");
    if (!kind) continue;
    if (m.index > at) nodes.push(line.slice(at, m.index));
    nodes.push(el("span", { class: kind }, m[0]));
    at = m.index + m[0].length;
  }
  if (at < line.length) nodes.push(line.slice(at));
  return nodes;
}

// For each line of a file: does it begin inside a comment?
function commentLines(lines) {
  let inside = false;
  return lines.map((line) => {
    const before = inside;
    const rest = line.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, "").replace(/\/\*.*?\*\//g, "");
    if (inside) {
      const end = line.indexOf("*/");
      if (end >= 0) inside = line.indexOf("/*", end + 2) >= 0 && line.indexOf("*/", end + 2) < 0;
    } else {
      const open = rest.indexOf("/*"), slashes = rest.indexOf("//");
      inside = open >= 0 && (slashes < 0 || slashes > open);
    }
    return before;
  });
}

// A list of rows of one height. `draw(from, to)` returns the nodes of the rows in [from, to).
class Rows {
  constructor(box, height, draw) {
    this.box = box;
    this.height = height;
    this.draw = draw;
    this.n = 0;
    this.room = el("div", { class: "room", role: "presentation" });
    this.window = el("div", { class: "window", role: "rowgroup" });
    this.room.append(this.window);
    box.append(this.room);
    box.addEventListener("scroll", () => this.update(), { passive: true });
    if (window.ResizeObserver) new ResizeObserver(() => this.update(true)).observe(box);
  }

  setCount(n) {
    this.n = n;
    this.room.style.height = `${n * this.height}px`;
    this.box.style.setProperty("--height", `${n * this.height + 2}px`);
    if (this.box.id === "steps") byId("path").style.setProperty("--height", `${n * this.height + 2}px`);
    this.box.setAttribute("aria-rowcount", n);
    this.update(true);
  }

  range() {
    const first = Math.floor(this.box.scrollTop / this.height);
    const shown = Math.ceil((this.box.clientHeight || 600) / this.height);
    return [Math.max(0, first - 8), Math.min(this.n, first + shown + 8)];
  }

  update(force) {
    const [from, to] = this.range();
    if (!force && this.from === from && this.to === to) return;
    this.from = from;
    this.to = to;
    this.window.style.transform = `translateY(${from * this.height}px)`;
    this.window.replaceChildren(...this.draw(from, to));
  }

  // Makes the row visible, with some of its neighbours.
  reveal(row, centre) {
    const top = row * this.height, room = this.box.clientHeight, edge = Math.min(4 * this.height, room / 4);
    const inside = top >= this.box.scrollTop + edge && top + this.height <= this.box.scrollTop + room - edge;
    if (!inside && centre) this.box.scrollTop = top - room / 2;
    else if (top < this.box.scrollTop + edge) this.box.scrollTop = top - edge;
    else if (!inside) this.box.scrollTop = top + this.height - room + edge;
    this.update(true);
  }
}
