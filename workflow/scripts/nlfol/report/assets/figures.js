// Figures, drawn by Vega without `eval`, as wide as there is room; a click on a mark opens its items.

const DARK = matchMedia("(prefers-color-scheme: dark)");
// Colours of figures that are too dark for a dark ground, and theirs there.
const LIGHTER = { "#0072b2": "#4da3e0", "#332288": "#a79bf0", "#444444": "#cccccc" };

const PHONE = 600;
const PANEL = 300;
const WIDEST = 1200;
const NARROWEST = 150;
const MOST_COLUMNS = 3;
// What stands beside a plot, until it has been drawn and measured.
const MARGIN = 90;
const GAP = 20;
// Of the last label of an axis over the end of its plot, at most.
const OVERHANG = 24;
const LETTER = 7.6;
// Of a row, where a figure does not say.
const STEP = 20;
// Of the labels of an axis: a letter's width and a line's height.
const LABEL = { letter: 7, line: 13 };
const WIDEST_LABEL = 240;

// Vega-Lite warns where each panel has scales of its own, as is meant; it takes no other logger than the console.
const warn = console.warn;
console.warn = (...said) => said.join(" ").includes("faceted independent scales that union domain") || warn.apply(console, said);

// The same figure in colours for the ground that it is on.
function coloured(specification) {
  if (!DARK.matches) return specification;
  return JSON.parse(JSON.stringify(specification).replace(/"#[0-9a-f]{6}"/g, (colour) => JSON.stringify(LIGHTER[JSON.parse(colour)] ?? JSON.parse(colour))));
}

// What there is for the labels of rows: on a telephone what the narrowest plot leaves.
function besidePlot(room) {
  return room < PHONE ? Math.max(NARROWEST, room - NARROWEST - OVERHANG - GAP) : WIDEST_LABEL;
}

function theme(room) {
  const style = getComputedStyle(document.documentElement);
  const [ground, ink, faint] = ["--ground", "--ink", "--line"].map((name) => style.getPropertyValue(name).trim());
  const narrow = room < PHONE;
  const font = { labelFont: "system-ui", titleFont: "system-ui", labelFontSize: narrow ? 11 : 12 };
  const written = { ...font, labelColor: ink, titleColor: ink };
  return {
    // What is saved as a file stands on no page.
    background: ground,
    axis: { ...written, titleFontWeight: 500, labelLimit: besidePlot(room), labelLineHeight: LABEL.line, labelSeparation: 8, gridColor: faint, domainColor: faint, tickColor: faint },
    legend: {
      ...written, symbolBaseFillColor: ink, symbolBaseStrokeColor: ink, labelLimit: 200, symbolLimit: 60,
      orient: "top", columns: Math.max(1, Math.floor(room / 150)),
      layout: { top: { direction: narrow ? "vertical" : "horizontal" } },
    },
    header: { ...written, labelFontSize: 13, labelFontWeight: 600, labelAnchor: "start", labelLimit: 0 },
    view: { stroke: faint },
    rule: { color: ink },
    text: { color: ink },
  };
}

// The distinct values of a field in the data of a specification, in their order.
function valuesOf({ data, datasets }, field) {
  const rows = data?.values ?? datasets?.[data?.name] ?? [];
  return [...new Set(rows.map((row) => row[field]))];
}

// Rows of panels by columns of them as panels one after another, for where the columns have no room.
function oneByOne(specification) {
  const { row, column } = specification.facet;
  const title = `datum[${JSON.stringify(row.field)}] + ' · ' + datum[${JSON.stringify(column.field)}]`;
  const order = valuesOf(specification, row.field).flatMap((first) =>
    valuesOf(specification, column.field).map((second) => `${first} · ${second}`));
  const transform = [{ calculate: title, as: "panel_" }, ...(specification.transform ?? [])];
  return { ...specification, transform, facet: { field: "panel_", type: "nominal", title: null, sort: order } };
}

// An axis over more than two says whole numbers alone.
function withWholeTicks(view, specification) {
  const labelExpr = "datum.value % 1 ? '' : format(datum.value, ',d')";
  const encoding = Object.fromEntries(Object.entries(view.encoding ?? {}).map(([channel, of]) => {
    const counts = ["x", "y"].includes(channel) && of.type === "quantitative" && !of.scale && !of.stack && !of.axis;
    const values = counts ? valuesOf(specification, of.field).filter((value) => typeof value === "number") : [];
    const wide = Math.max(...values) - Math.min(...values) > 2;
    return [channel, wide ? { ...of, axis: { labelExpr } } : of];
  }));
  const inner = (name, change) => (view[name] ? { [name]: change(view[name]) } : {});
  const whole = (each) => withWholeTicks(each, specification);
  return { ...view, ...inner("encoding", () => encoding), ...inner("spec", whole), ...inner("layer", (views) => views.map(whole)) };
}

// A label in lines of so many letters, broken before a sign between names, or else after a hyphen or slash in one.
function inLines(label, letters) {
  const lines = [];
  for (const part of String(label).split(/ (?=[·−] )|(?<=[-/_])/)) {
    const last = lines.at(-1);
    const joined = last === undefined ? part : `${last}${/^[·−] /.test(part) ? " " : ""}${part}`;
    if (last !== undefined && joined.length <= letters) lines[lines.length - 1] = joined;
    else lines.push(part);
  }
  return lines;
}

// The same figure with long labels of rows in several lines, and rows as high as these.
function wrapped(specification, room) {
  const whole = specification.spec ?? specification;
  const views = whole.layer ?? [whole];
  const { y, yOffset } = views.map((view) => view.encoding ?? {}).find((encoding) => encoding.y?.type === "nominal") ?? {};
  if (!y) return specification;
  const letters = Math.floor(besidePlot(room) / LABEL.letter);
  const labels = valuesOf(specification, y.field).map((label) => [label, inLines(label, letters)]);
  const most = Math.max(...labels.map(([, lines]) => lines.length));
  if (most < 2) return specification;
  const beside = yOffset ? valuesOf(specification, yOffset.field).length : 1;
  const height = { ...whole.height, step: Math.max(whole.height?.step ?? STEP, (most * LABEL.line) / beside) };
  const lines = `${JSON.stringify(Object.fromEntries(labels))}[datum.label]`;
  // The first line stands at the row; all of them are to.
  const higher = Array.from({ length: most - 1 }, (_, more) =>
    ({ test: `length(${lines}) === ${more + 2}`, value: (-(more + 1) * LABEL.line) / 2 }));
  const axis = { ...y.axis, labelExpr: lines, labelOffset: { condition: higher, value: 0 } };
  const labelled = (view) => (view.encoding?.y ? { ...view, encoding: { ...view.encoding, y: { ...view.encoding.y, axis } } } : view);
  const inner = { ...labelled(whole), height, ...(whole.layer ? { layer: views.map(labelled) } : {}) };
  return specification.spec ? { ...specification, spec: inner } : inner;
}

// A specification for so much room: `beside` is what axes take beside each plot.
function fitted(specification, room, beside) {
  const { facet } = specification;
  const widthOf = (columns) => Math.min(WIDEST, Math.floor((room - (columns - 1) * GAP) / columns - beside));
  const wide = (spec, width) => ({
    ...spec,
    ...(spec.layer ? { layer: spec.layer.map((layer) => wide(layer, width)) } : {}),
    ...("width" in spec ? { width } : {}),
  });
  const sized = (columns, more = {}) => {
    const width = Math.max(NARROWEST, widthOf(columns));
    const inner = specification.spec ? { spec: { ...wide(specification.spec, width), width } } : { width };
    return { columns, width, specification: { ...wide(specification, width), ...inner, ...more } };
  };
  if (!facet) return sized(1);
  if (!facet.field) {
    const columns = facet.column ? valuesOf(specification, facet.column.field).length : 1;
    const together = widthOf(columns) >= NARROWEST || !facet.row || !facet.column;
    return together ? sized(columns) : fitted(oneByOne(specification), room, beside);
  }
  const titles = facet.sort ?? valuesOf(specification, facet.field);
  const fits = Math.max(1, Math.floor(room / (PANEL + beside)));
  const columns = Math.min(titles.length || 1, fits, MOST_COLUMNS);
  // A title that is wider than its panel is told on several lines.
  const fit = (pattern) => titles.every((title) =>
    String(title).split(pattern).every((line) => line.length * LETTER <= widthOf(columns) + OVERHANG));
  const pattern = [/\n/, /: /].find(fit) ?? / · |: /;
  const lines = pattern.source === "\\n" ? {} : { labelExpr: `split(datum.label, ${pattern})` };
  return sized(columns, { columns, facet: { ...facet, header: { ...facet.header, ...lines } } });
}

class Drawing {
  constructor(place, specification) {
    this.place = place;
    this.specification = withWholeTicks(specification, specification);
    this.room = 0;
  }

  // Draw as wide as there is room; `data-room` says that it is done.
  async draw() {
    const room = Math.floor(this.place.clientWidth);
    if (!room) return;
    this.room = room;
    delete this.place.dataset.room;
    await this.fit(room);
    this.place.dataset.room = room;
  }

  // Draw, then again with what the axes were seen to take.
  async fit(room) {
    const specification = wrapped(this.specification, room);
    let fit = fitted(specification, room, MARGIN);
    await this.embed(fit.specification, room);
    for (let attempt = 0; attempt < 2; attempt++) {
      const next = fitted(specification, room, this.beside(fit));
      if (next.columns === fit.columns && next.width === fit.width) return;
      const signal = ["child_width", "width"].find((name) => name in this.result.view.getState().signals);
      const same = next.columns === fit.columns && JSON.stringify(next.specification.facet) === JSON.stringify(fit.specification.facet);
      if (!same || !signal) await this.embed(next.specification, room);
      else await this.result.view.signal(signal, next.width).resize().runAsync();
      fit = next;
    }
  }

  // What stands beside each plot in a drawing, less its legends, which stand above.
  beside({ columns, width }) {
    const { left } = this.place.querySelector("svg").getBoundingClientRect();
    const plots = [...this.place.querySelectorAll(".cell > g > path.background, .root > g > path.background")];
    const taken = Math.max(...plots.map((plot) => plot.getBoundingClientRect().right)) - left + OVERHANG;
    // A choice may have fewer panels than there are columns.
    const across = Math.min(columns, this.place.querySelectorAll(".cell").length || 1);
    return Math.ceil((taken - (across - 1) * GAP) / across - width);
  }

  async embed(specification, room) {
    const options = {
      ast: true, renderer: "svg", tooltip: { theme: "custom" }, config: theme(room),
      actions: { export: true, source: false, compiled: false, editor: false },
      downloadFileName: `nlfol-${this.place.dataset.figure}`, scaleFactor: { svg: 1, png: 2 },
      i18n: { CLICK_TO_VIEW_ACTIONS: "Save this figure" },
    };
    this.result?.finalize();
    this.result = await vegaEmbed(this.place, coloured(specification), options);
    this.result.view.addEventListener("click", (event, mark) => {
      const opens = mark?.datum?.opens;
      if (typeof opens === "string" && opens.startsWith("#items?")) location.hash = opens;
    });
  }
}

// Draw each figure when it comes near; again when light turns to dark or the page becomes wider or narrower.
function drawFigures() {
  const specifications = JSON.parse(document.getElementById("data-figures").textContent);
  const drawings = new Map(
    [...document.querySelectorAll("[data-figure]")].map((place) => [place, new Drawing(place, specifications[place.dataset.figure])]),
  );
  let last = Promise.resolve();
  const queue = (drawing) => (last = last.then(() => drawing.draw()));
  const observer = new IntersectionObserver((changes) => {
    for (const { target, isIntersecting } of changes) {
      if (!isIntersecting) continue;
      observer.unobserve(target);
      queue(drawings.get(target));
    }
  }, { rootMargin: "800px 0px" });
  for (const place of drawings.keys()) observer.observe(place);
  const again = (stale) => [...drawings.values()].filter((drawing) => drawing.room && stale(drawing)).forEach(queue);
  DARK.addEventListener("change", () => again(() => true));
  let waiting;
  addEventListener("resize", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => again((drawing) => drawing.place.clientWidth !== drawing.room), 150);
  });
}
