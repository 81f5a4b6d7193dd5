// Figures, drawn by Vega without `eval`; a click on a mark opens its items. Drawn anew when light turns to dark.

const DARK = matchMedia("(prefers-color-scheme: dark)");
const CATEGORIES = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c564b", "#999999"];

function theme() {
  const style = getComputedStyle(document.documentElement);
  const [ink, faint] = ["--ink", "--line"].map((name) => style.getPropertyValue(name).trim());
  const written = { labelColor: ink, titleColor: ink, labelFont: "system-ui", titleFont: "system-ui", labelLimit: 260 };
  return {
    background: "transparent",
    axis: { ...written, gridColor: faint, domainColor: faint, tickColor: faint },
    legend: written,
    header: { ...written, labelFontSize: 12, labelFontWeight: 600, labelLimit: 320 },
    view: { stroke: faint },
    rule: { color: ink },
    text: { color: ink },
    range: { category: DARK.matches ? CATEGORIES.map((colour) => (colour === "#0072b2" ? "#4da3e0" : colour)) : CATEGORIES },
  };
}

async function drawFigures() {
  const specifications = JSON.parse(document.getElementById("data-figures").textContent);
  const options = { ast: true, actions: false, renderer: "svg", tooltip: { theme: "custom" } };
  for (const place of document.querySelectorAll("[data-figure]")) {
    const specification = specifications[place.dataset.figure];
    const { view } = await vegaEmbed(place, specification, { ...options, config: theme() });
    view.addEventListener("click", (event, mark) => {
      const opens = mark?.datum?.opens;
      if (typeof opens === "string" && opens.startsWith("#items?")) location.hash = opens;
    });
  }
}
