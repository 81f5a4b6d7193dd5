// Counter-models: as sets, and as a board where its blocks were found a place.

const RADIUS = { small: 7, medium: 11, large: 15 };
const SQUARE = 38;
const SIDE = 8;

// Corners of each shape about the origin, at radius 1; a shape that is left open is a circle.
const CORNERS = {
  cube: [[-0.85, -0.85], [0.85, -0.85], [0.85, 0.85], [-0.85, 0.85]],
  tetrahedron: [[0, -1.05], [1, 0.8], [-1, 0.8]],
  dodecahedron: [0, 1, 2, 3, 4].map((k) => [Math.sin((k * 2 * Math.PI) / 5), -Math.cos((k * 2 * Math.PI) / 5)]),
};

function counterModel(world) {
  const parts = [];
  if (world.blocks === null) {
    parts.push(
      element("p", { class: "notice" }, "Not drawn: no block can have these shapes and sizes. Logic alone allows them."),
    );
  } else if (world.blocks) {
    parts.push(blocksFigure(world.blocks, world.structure));
  }
  parts.push(asSets(world.structure));
  return element("div", { class: "world" }, parts);
}

function thing(structure, place) {
  const names = Object.keys(structure.constants).filter((name) => structure.constants[name] === place);
  return names.length ? names.join(" = ") : `thing ${place + 1}`;
}

// What each predicate holds of.
function asSets(structure) {
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
  return element("ul", { class: "sets" }, [`universe {${things}}`, ...lines].map((line) => element("li", {}, line)));
}

function blocksFigure(blocks, structure) {
  const placed = blocks.every((block) => block.square);
  const width = (placed ? SIDE : Math.max(blocks.length, 2)) * SQUARE;
  const height = (placed ? SIDE : 1) * SQUARE;
  const said = blocks.map((block, place) => blockInWords(block, thing(structure, place))).join("; ");
  const svg = drawn(
    "svg",
    { viewBox: `-1 -1 ${width + 2} ${height + 2}`, width, height, role: "img", "aria-label": said, class: "board" },
    placed ? squares() : null,
    blocks.map((block, place) => blockDrawn(block, place)),
  );
  const notes = [];
  if (placed) notes.push("The back row is above.");
  else notes.push("Relations are listed, not drawn: no places on a board were found at which just these hold.");
  if (blocks.some((block) => !block.shape)) notes.push("A circle: the world leaves the shape open.");
  if (blocks.some((block) => block.sizeOpen)) notes.push("A dashed outline: it leaves the size open.");
  if (placed) notes.push("Whatever else it leaves open, this is one way for it to be.");
  return element("figure", { class: "blocks" }, svg, element("figcaption", {}, notes.join(" ")));
}

function squares() {
  return Array.from({ length: SIDE * SIDE }, (_, number) => {
    const [row, column] = [Math.floor(number / SIDE), number % SIDE];
    const shade = (row + column) % 2 ? "dark" : "light";
    return drawn("rect", { x: column * SQUARE, y: row * SQUARE, width: SQUARE, height: SQUARE, class: shade });
  });
}

function blockDrawn(block, place) {
  const [row, column] = block.square ?? [0, place];
  const [x, y] = [(column + 0.5) * SQUARE, (row + 0.5) * SQUARE];
  const radius = RADIUS[block.size];
  const look = { class: `block ${block.shape ?? "any"}`, "stroke-dasharray": block.sizeOpen ? "3 2" : null };
  const corners = CORNERS[block.shape]?.map(([dx, dy]) => `${x + dx * radius},${y + dy * radius}`).join(" ");
  const shape = corners
    ? drawn("polygon", { points: corners, ...look })
    : drawn("circle", { cx: x, cy: y, r: radius * 0.9, ...look });
  const label = block.names.length ? block.names.join(",") : String(place + 1);
  return drawn("g", {}, shape, drawn("text", { x, y: y + 4, class: block.names.length ? "name" : "number" }, label));
}

function blockInWords(block, called) {
  const looks = `${block.sizeOpen ? "" : `${block.size} `}${block.shape ?? "block of any shape"}`;
  const where = block.square ? ` in row ${block.square[0] + 1} from the back, column ${block.square[1] + 1}` : "";
  return `${called}: ${looks}${where}`;
}
