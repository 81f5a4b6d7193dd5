// Start: the explorer, the figures, and what an address opens.

// Show only the rows of the table of refused sentences whose cells are as asked.
function showRows(filter) {
  const folder = document.getElementById("table-refused_rows");
  if (!folder) return;
  const columns = new Map(
    [...folder.querySelectorAll("thead th[data-place]")].map((head) => [head.textContent.toLowerCase(), head.dataset.place]),
  );
  // A column that says the same in every row stands above the table, and chooses nothing.
  const wanted = Object.entries(filter).filter(([key]) => columns.has(key)).map(([key, values]) => [columns.get(key), values]);
  let left = 0;
  for (const row of folder.querySelectorAll("tbody tr")) {
    row.hidden = !wanted.every(([place, values]) => {
      const said = row.cells[place]?.textContent;
      return values.some((value) => said === value || said === words(value));
    });
    left += !row.hidden;
  }
  const note = folder.querySelector(".chosen");
  const all = element("button", { type: "button" }, "Show all");
  all.addEventListener("click", () => (location.hash = "#rows"));
  note.replaceChildren(`${counted(left, "row")}: ${Object.values(filter).flat().join(", ")} `, all);
  note.hidden = !wanted.length;
  unfold(folder);
  folder.querySelector("summary").focus();
  folder.scrollIntoView();
}

// Open what an element is folded away in.
function unfold(element) {
  for (let folder = element?.closest("details"); folder; folder = folder.parentElement.closest("details")) folder.open = true;
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
  unfold(target);
  target?.scrollIntoView();
}

// The contents stand beside the page, or fold into a bar above it; either tells where the reader is.
function tend(contents) {
  const folder = contents.querySelector("details");
  const narrow = matchMedia("(max-width: 64rem)");
  const fold = () => (folder.open = !narrow.matches);
  narrow.addEventListener("change", fold);
  fold();
  contents.addEventListener("click", (event) => event.target.closest("a") && fold());
  const links = new Map([...contents.querySelectorAll("a")].map((link) => [link.hash.slice(1), link]));
  const visible = new Set();
  const observer = new IntersectionObserver((changes) => {
    for (const { target, isIntersecting } of changes) visible[isIntersecting ? "add" : "delete"](target.id);
    const here = [...links.keys()].filter((id) => visible.has(id)).at(-1);
    for (const [id, link] of links) link.toggleAttribute("aria-current", id === here);
    if (!narrow.matches) links.get(here)?.scrollIntoView({ block: "nearest" });
  }, { rootMargin: "0px 0px -70% 0px" });
  for (const id of links.keys()) observer.observe(document.getElementById(id));
}

// A table that goes on beyond its right edge fades there.
function fadeCut(region) {
  const mark = () => region.toggleAttribute("data-cut", region.scrollLeft + region.clientWidth < region.scrollWidth - 1);
  region.addEventListener("scroll", mark, { passive: true });
  new ResizeObserver(mark).observe(region);
}

async function start() {
  tend(document.querySelector("nav.contents"));
  document.querySelectorAll("main .scroll").forEach(fadeCut);
  makeSortable();
  const store = await readItems();
  showTelling(store);
  const explorer = new Explorer(store);
  explorer.show({});
  addEventListener("hashchange", () => follow(explorer));
  addEventListener("popstate", () => follow(explorer));
  drawFigures();
  if (location.hash) follow(explorer);
  document.documentElement.dataset.ready = "yes";
}

start().catch((error) => {
  document.getElementById("count").textContent = `The items could not be read: ${error.message}`;
  throw error;
});
