// Start: the explorer, the figures, and what an address opens.

// Show only the rows of the table of refused sentences whose cells are as asked.
function showRows(filter) {
  const folder = document.getElementById("table-refused_rows");
  if (!folder) return;
  const columns = [...folder.querySelectorAll("thead th")].map((header) => header.textContent.toLowerCase());
  const wanted = Object.entries(filter).map(([key, values]) => [columns.indexOf(key), values]);
  let left = 0;
  for (const row of folder.querySelectorAll("tbody tr")) {
    row.hidden = !wanted.every(([place, values]) => values.includes(row.cells[place]?.textContent));
    left += !row.hidden;
  }
  const note = folder.querySelector(".chosen");
  const all = element("button", { type: "button" }, "Show all");
  all.addEventListener("click", () => (location.hash = "#rows"));
  note.replaceChildren(`${counted(left, "row")}: ${Object.values(filter).flat().join(", ")} `, all);
  note.hidden = !wanted.length;
  folder.open = true;
  folder.querySelector("summary").focus();
  folder.scrollIntoView();
}

function follow(explorer) {
  const { page, filter } = readAddress(location.hash);
  if (page === "rows") return showRows(filter);
  if (page === "items") {
    explorer.show(filter);
    document.getElementById("explorer-title").focus({ preventScroll: true });
    document.getElementById("explorer").scrollIntoView();
    return;
  }
  const target = page ? document.getElementById(page) : null;
  if (target instanceof HTMLDetailsElement) target.open = true;
  target?.scrollIntoView();
}

async function start() {
  const explorer = new Explorer(await readItems());
  explorer.show({});
  addEventListener("hashchange", () => follow(explorer));
  addEventListener("popstate", () => follow(explorer));
  await drawFigures();
  DARK.addEventListener("change", drawFigures);
  if (location.hash) follow(explorer);
  document.documentElement.dataset.ready = "yes";
}

start().catch((error) => {
  document.getElementById("count").textContent = `The items could not be read: ${error.message}`;
  throw error;
});
