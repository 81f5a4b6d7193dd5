// Counter-models: as a board where there is one, else as tables of its relations.

const SQUARE = 56;
const RADIUS = { small: 10, medium: 16, large: 23 };
const SIDE = 8;
// Blocks up to which boards are drawn.
const MOST_BLOCKS = 4;
// Things up to which a relation of two is a table, and not a list.
const MOST_THINGS = 10;

// Corners of each shape about the origin, at radius 1; a shape that is left open is a circle.
const CORNERS = {
  cube: [[-0.85, -0.85], [0.85, -0.85], [0.85, 0.85], [-0.85, 0.85]],
  tetrahedron: [[0, -1.05], [1, 0.8], [-1, 0.8]],
  dodecahedron: [0, 1, 2, 3, 4].map((k) => [Math.sin((k * 2 * Math.PI) / 5), -Math.cos((k * 2 * Math.PI) / 5)]),
};

function counterModel(model) {
  const { blocks, structure } = model;
  const drawing = blocks ? blocksFigure(blocks, structure) : isSmall(structure) ? graph(structure) : null;
  const why = structure.size > MOST_BLOCKS
    ? `Boards of more than ${MOST_BLOCKS} blocks are not drawn.` : "No board shows just this. Logic alone allows it.";
  return element("div", { class: "world" },
    blocks === null ? element("p", { class: "notice" }, why) : null,
    drawing ?? asTables(structure),
    drawing ? folded("As sets", () => [asSets(structure)]) : null);
}

function thing(structure, place) {
  const names = Object.keys(structure.constants).filter((name) => structure.constants[name] === place);
  return names.length ? names.join(" = ") : `thing ${place + 1}`;
}

// What each predicate holds of.
function asSets(structure, universe = true) {
  const row = (places) =>
    places.length === 1
      ? thing(structure, places[0])
      : `(${places.map((place) => thing(structure, place)).join(", ")})`;
  const lines = Object.entries(structure.predicates).map(([name, rows]) => `${name} = {${rows.map(row).join(", ")}}`);
  for (const [name, rows] of Object.entries(structure.functions)) {
    lines.push(...rows.map((cells) => {
      const named = cells.map((place) => thing(structure, place));
      return `${name}(${named.slice(0, -1).join(", ")}) = ${named.at(-1)}`;
    }));
  }
  const things = Array.from({ length: structure.size }, (_, place) => thing(structure, place)).join(", ");
  if (universe) lines.unshift(`universe {${things}}`);
  return lines.length ? element("ul", { class: "sets" }, lines.map((line) => element("li", {}, line))) : null;
}

// The structure as tables: what each thing is, and each relation of two by row and column.
function asTables(structure) {
  const things = Array.from({ length: structure.size }, (_, place) => thing(structure, place));
  const relations = Object.entries(structure.predicates);
  const holds = (rows, ...places) => rows.some((row) => row.length === places.length && row.every((each, at) => each === places[at]));
  const sign = (truth) => (truth ? element("span", { class: "holds", "aria-label": "yes" }, "●") : element("span", { "aria-label": "no" }, "·"));
  const empty = relations.filter(([, rows]) => !rows.length).map(([name]) => name);
  const properties = relations.filter(([, rows]) => rows[0]?.length === 1);
  const tabled = relations.filter(([, rows]) => rows[0]?.length === 2 && structure.size <= MOST_THINGS);
  const grid = (corner, heads, rows) =>
    element("table", { class: "relation" },
      element("thead", {}, element("tr", {}, [corner, ...heads].map((head) => element("th", { scope: "col" }, head)))),
      element("tbody", {}, rows.map(([name, ...cells]) =>
        element("tr", {}, element("th", { scope: "row" }, name), cells.map((cell) => element("td", {}, cell))))));
  const listed = relations.filter((each) => each[1].length && !properties.includes(each) && !tabled.includes(each));
  const rest = { ...structure, predicates: Object.fromEntries(listed) };
  return element("div", { class: "relations scroll", tabindex: 0, role: "group", "aria-label": "Counter-model" },
    properties.length || !relations.length
      ? grid("", properties.map(([name]) => name), things.map((name, place) =>
        [name, ...properties.map(([, rows]) => sign(holds(rows, place)))]))
      : null,
    tabled.map(([name, rows]) => grid(name, things, things.map((first, place) =>
      [first, ...things.map((_, other) => sign(holds(rows, place, other)))]))),
    asSets(rest, !properties.length && !tabled.length),
    empty.length ? element("p", { class: "notice" }, `True of nothing: ${empty.join(", ")}.`) : null);
}

function blocksFigure(blocks, structure) {
  const [top, bottom] = extent(blocks.map(({ square }) => square[0]));
  const [left, right] = extent(blocks.map(({ square }) => square[1]));
  const [width, height] = [(right - left + 1) * SQUARE, (bottom - top + 1) * SQUARE];
  const said = blocks.map((block, place) => blockInWords(block, thing(structure, place))).join("; ");
  const svg = drawn(
    "svg",
    { viewBox: `-1 -1 ${width + 2} ${height + 2}`, width, height, role: "img", "aria-label": said, class: "board" },
    squares(top, bottom, left, right),
    blocks.map((block, place) => blockDrawn(block, place, [top, left])),
  );
  const notes = ["Part of a board; the back row is at the top."];
  if (blocks.some((block) => !block.names.length)) notes.push("Numbers: things without a name.");
  if (blocks.some((block) => !block.shape)) notes.push("Circle: any shape.");
  if (blocks.some((block) => block.sizeOpen)) notes.push("Dashed: no formula names the size.");
  return element("figure", { class: "blocks" }, svg, element("figcaption", {}, legend(blocks), notes.join(" ")));
}

// From the first to the last place with a block, and one more on either side where there is one.
function extent(places) {
  return [Math.max(0, Math.min(...places) - 1), Math.min(SIDE - 1, Math.max(...places) + 1)];
}

// The shapes that occur, and the three sizes.
function legend(blocks) {
  const shapes = Object.keys(CORNERS).filter((shape) => blocks.some((block) => block.shape === shape));
  const sample = (shape, size, text) => {
    const side = 2 * RADIUS[size] * 0.6 + 3;
    const attributes = { width: side, height: side, viewBox: `${-side / 2} ${-side / 2} ${side} ${side}`, "aria-hidden": "true" };
    return element("span", {}, drawn("svg", attributes, outline(shape, [0, 0], RADIUS[size] * 0.6, {})), text);
  };
  const sizes = Object.keys(RADIUS).map((size) => sample(shapes[0] ?? null, size, size));
  return element("span", { class: "legend" }, shapes.map((shape) => sample(shape, "medium", shape)), sizes);
}

function squares(top, bottom, left, right) {
  const made = [];
  for (let row = top; row <= bottom; row++) {
    for (let column = left; column <= right; column++) {
      const place = { x: (column - left) * SQUARE, y: (row - top) * SQUARE, width: SQUARE, height: SQUARE };
      made.push(drawn("rect", { ...place, class: (row + column) % 2 ? "dark" : "light" }));
    }
  }
  return made;
}

function outline(shape, [x, y], radius, look) {
  const attributes = { class: `block ${shape ?? "any"}`, ...look };
  const corners = CORNERS[shape]?.map(([dx, dy]) => `${x + dx * radius},${y + dy * radius}`).join(" ");
  return corners
    ? drawn("polygon", { points: corners, ...attributes })
    : drawn("circle", { cx: x, cy: y, r: radius * 0.9, ...attributes });
}

function blockDrawn(block, number, [top, left]) {
  const [row, column] = block.square;
  const [x, y] = [(column - left + 0.5) * SQUARE, (row - top + 0.5) * SQUARE];
  const shape = outline(block.shape, [x, y], RADIUS[block.size], { "stroke-dasharray": block.sizeOpen ? "4 3" : null });
  const named = block.names.length > 0;
  const label = named ? block.names.join(",") : String(number + 1);
  return drawn("g", {}, shape, drawn("text", { x, y: y + 5, class: named ? "name" : "number" }, label));
}

function blockInWords(block, called) {
  const looks = `${block.sizeOpen ? "" : `${block.size} `}${block.shape ?? "block of any shape"}`;
  return `${called}: ${looks} in row ${block.square[0] + 1} from the back, column ${block.square[1] + 1}`;
}
