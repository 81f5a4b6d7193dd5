// A small structure as a graph: things as circles with what they are, relations as arrows with their names.

const MOST_NODES = 6;
const MOST_ARROWS = 14;

// The arrows between things: from, to, and the relations that hold, those both ways once.
function arrowsOf(structure) {
  const arrows = new Map();
  for (const [name, rows] of Object.entries(structure.predicates)) {
    for (const [from, to, more] of rows) {
      if (to === undefined || more !== undefined) continue;
      const key = `${from} ${to}`;
      arrows.set(key, { from, to, names: [...(arrows.get(key)?.names ?? []), name] });
    }
  }
  return [...arrows.values()];
}

// Whether a graph shows all of a structure, and shows it well.
function isSmall(structure) {
  const arities = Object.values(structure.predicates).flatMap((rows) => rows.map((row) => row.length));
  return structure.size <= MOST_NODES && !Object.keys(structure.functions).length &&
    arities.every((arity) => arity === 1 || arity === 2) && arrowsOf(structure).length <= MOST_ARROWS;
}

const NODE = 20;
const SIGN = 8;
let tips = 0;

function graph(structure) {
  const { size } = structure;
  const names = Array.from({ length: size }, (_, place) => thing(structure, place));
  const is = names.map((_, place) => Object.entries(structure.predicates)
    .filter(([, rows]) => rows.some((row) => row.length === 1 && row[0] === place)).map(([name]) => name));
  const half = names.map((name) => Math.max(NODE, (name.length * SIGN) / 2 + 10));
  const arrows = arrowsOf(structure);
  const apart = 60 + Math.max(...half) + (arrows.length ? Math.max(...arrows.flatMap((arrow) => arrow.names.map((name) => name.length * 3.5))) : 0);
  const radius = size === 1 ? 0 : size === 2 ? apart : apart + 14 * size;
  const at = (place) => {
    const angle = size === 2 ? Math.PI * (1 - place) : (2 * Math.PI * place) / size - Math.PI / 2;
    return [radius * Math.cos(angle), size === 2 ? 0 : radius * Math.sin(angle)];
  };
  tips++;
  const tip = drawn("defs", {}, drawn("marker", { id: `tip-${tips}`, viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 7, markerHeight: 7, orient: "auto" },
    drawn("path", { d: "M 0 0 L 10 5 L 0 10 z", class: "tip" })));
  const box = new Box();
  const lines = arrows.map((arrow) => arrowDrawn(arrow, at, half, box));
  const nodes = names.map((name, place) => {
    const [x, y] = at(place);
    box.add(x - half[place], y - NODE, x + half[place], y + NODE + 6 + 16 * is[place].length);
    is[place].forEach((each) => box.add(x - (each.length * SIGN) / 2, y, x + (each.length * SIGN) / 2, y));
    return drawn("g", {},
      drawn("rect", { x: x - half[place], y: y - NODE, width: 2 * half[place], height: 2 * NODE, rx: NODE }),
      drawn("text", { x, y: y + 5, class: "name" }, name),
      is[place].map((each, line) => drawn("text", { x, y: y + NODE + 16 + 16 * line, class: "is" }, each)));
  });
  const said = [
    ...names.map((name, place) => `${name}: ${is[place].join(", ") || "no property"}`),
    ...arrows.map(({ from, to, names: held }) => `${held.join(", ")}: ${names[from]}, ${names[to]}`),
  ].join("; ");
  const { left, top, width, height } = box.edges();
  return element("figure", { class: "blocks" },
    drawn("svg", { viewBox: `${left} ${top} ${width} ${height}`, width, height, role: "img", "aria-label": said, class: "graph" }, tip, lines, nodes),
    element("figcaption", {}, [
      is.some((each) => each.length) ? "Below a thing stands what it is." : null,
      arrows.length ? "An arrow is a relation, from the first to the second." : null,
      "Nothing else holds.",
    ].filter(Boolean).join(" ")));
}

// What has been drawn so far, from edge to edge.
class Box {
  constructor() {
    [this.x, this.y] = [[], []];
  }

  add(...edges) {
    edges.forEach((edge, place) => (place % 2 ? this.y : this.x).push(edge));
  }

  edges() {
    const [left, top] = [Math.min(...this.x) - 4, Math.min(...this.y) - 4];
    return { left, top, width: Math.max(...this.x) + 4 - left, height: Math.max(...this.y) + 4 - top };
  }
}

function arrowDrawn({ from, to, names }, at, half, box) {
  const look = { "marker-end": `url(#tip-${tips})`, class: "arrow" };
  const [x, y] = at(from);
  const label = (lx, ly, upward) => names.map((name, line) => {
    const place = ly + 15 * (upward ? line - names.length + 1 : line);
    box.add(lx - (name.length * SIGN) / 2, place - 13, lx + (name.length * SIGN) / 2, place + 3);
    return drawn("text", { x: lx, y: place, class: "relation" }, name);
  });
  if (from === to) {
    const [edge, top] = [y - NODE + 2, y - NODE - 38];
    box.add(x - 34, top + 8, x + 34, edge);
    return drawn("g", {}, drawn("path", { d: `M ${x - 10} ${edge} C ${x - 40} ${top}, ${x + 40} ${top}, ${x + 10} ${edge}`, ...look }), label(x, top + 4, true));
  }
  const [x2, y2] = at(to);
  const long = Math.hypot(x2 - x, y2 - y);
  const [ux, uy] = [(x2 - x) / long, (y2 - y) / long];
  // From edge to edge; arrows bend to their left, so that those of both directions stand apart.
  const edge = (width) => Math.min(Math.abs(ux) > 0.01 ? width / Math.abs(ux) : Infinity, Math.abs(uy) > 0.01 ? NODE / Math.abs(uy) : Infinity) + 2;
  const [a, b] = [edge(half[from]), edge(half[to])];
  const [mx, my] = [(x + x2) / 2 + uy * 34, (y + y2) / 2 - ux * 34];
  const [lx, ly] = [(x + x2) / 2 + uy * 24, (y + y2) / 2 - ux * 24];
  box.add(lx, ly);
  const path = `M ${x + ux * a + uy * 5} ${y + uy * a - ux * 5} Q ${mx} ${my} ${x2 - ux * b + uy * 5} ${y2 - uy * b - ux * 5}`;
  return drawn("g", {}, drawn("path", { d: path, ...look }), label(lx, ly + (ux < -0.5 ? 14 : 0), ux >= -0.5));
}
