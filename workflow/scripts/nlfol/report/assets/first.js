// The first screen: a telling wrong answer; and tables that are sorted by a click on a head.

// Of wrong answers with a counter-model: of models before written ones, with a board before others, then the one that
// looks most like gold (by BLEU), then the first. So it is where a comparison of texts would err most.
function mostTelling(store, models) {
  const bleu = store.scores.bleu ?? [];
  let best = null;
  store.answers.world.forEach((world, answer) => {
    if (world < 0 || store.answerText("verdict", answer) !== "not_equivalent" || store.answers.chain[answer].length) return;
    const model = store.answerText("model", answer);
    const written = store.written.includes(store.answers.model[answer]);
    if (!written && !models.includes(model)) return;
    const rank = [written ? 0 : 1, store.worlds[world].blocks ? 1 : 0, bleu[answer] ?? -1];
    const differs = best && rank.findIndex((value, place) => value !== best.rank[place]);
    if (!best || (differs >= 0 && rank[differs] > best.rank[differs])) best = { answer, rank, model, written };
  });
  return best;
}

function showTelling(store) {
  const section = document.getElementById("telling");
  if (!section) return;
  const best = mostTelling(store, section.dataset.models.split(" "));
  if (!best) {
    section.append(element("p", { class: "notice" }, "No answer is proven wrong by a counter-model."));
    return;
  }
  const { answer, rank, model, written } = best;
  const entry = store.answers.entry[answer];
  const filter = Object.fromEntries([["dataset", store.itemText("dataset", entry)], ["task", store.entryText("task", entry)],
    ["item", store.itemText("item", entry)], ["model", model]].map(([key, value]) => [key, [value]]));
  const why = store.answerText("detail", answer);
  const board = store.worlds[store.answers.world[answer]];
  const alike = rank[2] < 0 ? null : ` As texts, the two formulas agree to ${Math.round(100 * rank[2])} % (BLEU).`;
  section.append(
    element("p", { class: "sentence" }, `“${store.itemText("text", entry)}”`),
    pair(["Gold formula", store.itemText("formula", entry)],
      [`Answer of ${model}${written ? " (written, no model)" : ""}`, store.answerText("formula", answer)]),
    board.blocks ? blocksFigure(board.blocks, board.structure) : null,
    element("p", {}, element("span", { class: "badge wrong" }, "not equivalent"), ` ${counterModelInWords(why)}`, alike),
    element("p", {}, element("a", { href: writeAddress(filter) }, "Open this item")));
}

// Numbers by their value, "–" last; words by the alphabet.
function valueOf(cell) {
  if (cell === undefined) return -Infinity;
  if (cell.dataset.value !== undefined) return Number(cell.dataset.value);
  const text = cell.textContent.trim();
  const number = Number(text.replace(/^</, "").replace(/[ [].*$/, "").replaceAll(",", ""));
  return text === "–" ? -Infinity : text && !Number.isNaN(number) ? number : text.toLowerCase();
}

function compareCells(first, second) {
  const [one, other] = [valueOf(first), valueOf(second)];
  if (typeof one === typeof other) return one < other ? -1 : Number(one > other);
  return typeof one === "number" ? -1 : 1;
}

function sortBy(head) {
  const table = head.closest("table");
  const falls = head.getAttribute("aria-sort") !== "descending";
  for (const other of table.querySelectorAll("[aria-sort]")) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", falls ? "descending" : "ascending");
  for (const body of table.tBodies) {
    const rows = [...body.rows].filter((row) => !row.classList.contains("about"));
    rows.sort((one, other) => (falls ? -1 : 1) * compareCells(one.cells[head.dataset.place], other.cells[head.dataset.place]));
    body.append(...rows);
  }
}

// Each head of a column has a button; of a table with one row there is nothing to sort.
function makeSortable() {
  for (const table of document.querySelectorAll("table.sortable")) {
    if (table.tBodies[0].rows.length < 2) continue;
    for (const head of table.querySelectorAll("thead th[data-place]")) {
      const button = element("button", { type: "button", class: "sort" }, [...head.childNodes]);
      button.addEventListener("click", () => sortBy(head));
      head.append(button);
    }
  }
}
