// One entry of the explorer, opened: the item, what the models were shown, and their answers.

function entryDetail(store, entry, answers, models) {
  const others = store.ofEntry[entry].filter((answer) => !answers.includes(answer));
  const seen = new Map();
  const shown = answersShown(store, entry, answers, models, seen);
  const problem = problemOf(store, entry);
  const gold = store.itemText("formula", entry);
  return [
    problem && !tableTells(store, entry, answers) ? problemShown(problem) : null,
    shown.length ? null : element("div", { class: "pair" }, element("div", {},
      element("p", { class: "role" }, problem ? "Right answer" : "Gold formula"), element("p", { class: "formula" }, gold))),
    element("dl", { class: "facts" }, refusal(store, entry)),
    wholes(store, ["text", "formula", "program"].map((name) => store.items[name][store.entries.item[entry]])),
    ...shown,
    others.length ? folded(`${counted(others.length, "other answer")} to this item`, () =>
      answersShown(store, entry, others, [], seen)) : null,
    faults(store, entry),
    problem ? null : symbols(store, entry),
    store.formOf(entry) === "own_formula" ? null : candidates(store, entry),
  ].filter(Boolean);
}

// Whether the answers shown are one program, whose table has the sentences: else they stand above, once.
function tableTells(store, entry, answers) {
  return store.formOf(entry) === "program" && identical(store, answers).length === 1 &&
    store.itemText("program", entry) !== null && linesOf(store.answerText("answer", answers[0])) !== null;
}

function fact(term, ...description) {
  return [element("dt", {}, term), element("dd", {}, description)];
}

// A part that is made when it is first opened.
function folded(title, make) {
  const details = element("details", {}, element("summary", {}, title));
  details.addEventListener("toggle", () => details.append(...make()), { once: true });
  return details;
}

function refusal(store, entry) {
  const reason = store.entryText("reason", entry);
  return reason === null ? [] : fact("Refused for this task", `${words(reason)}: ${store.entryText("refusal", entry)}`);
}

function symbols(store, entry) {
  const ontology = store.ontologies[store.items.ontology[store.entries.item[entry]]];
  const variables = ["x", "y", "z", "u", "v", "w"];
  const applied = (symbol, gloss) => {
    const names = Array.from({ length: symbol.arity }, (_, place) => variables[place] ?? `x${place}`);
    const filled = gloss.split("{}").reduce((said, rest, place) => said + (names[place - 1] ?? "") + rest);
    return [`${symbol.name}(${names.join(", ")})`, filled];
  };
  const rows = [
    ...ontology.predicates.map((symbol) => applied(symbol, symbol.positive)),
    ...ontology.functions.map((symbol) => applied(symbol, symbol.meaning)),
    ...ontology.constants.map((symbol) => [symbol.name, symbol.meaning]),
  ];
  const title = `Ontology: ${counted(rows.length, "symbol")}${ontology.derived ? ", derived from the formulas" : ""}`;
  return folded(title, () => [table(["Symbol", "Meaning"], rows, ["formula", ""])]);
}

function table(headers, rows, classes = []) {
  const cell = (value, place) => element("td", { class: classes[place] || null }, value ?? "–");
  return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": headers.join(", ") },
    element("table", {},
      element("thead", {}, element("tr", {}, headers.map((header) => element("th", { scope: "col" }, header)))),
      element("tbody", {}, rows.map((row) => element("tr", {}, row.map(cell))))));
}

function candidates(store, entry) {
  const members = store.entries.candidates[entry];
  if (!members.length) return null;
  const rows = members.map(([formula, english, role, edits, change, words_], place) => [
    String(place + 1),
    words(store.text(role)),
    change.map((place_) => words(store.text(place_))).join(", ") || null,
    store.text(formula),
    store.text(english),
    store.text(words_),
  ]);
  const headers = ["No.", "Role", "Edits or laws", "Formula", "English", "A world that tells it from the gold formula"];
  return folded(`Candidates: ${members.length}`, () => [table(headers, rows, ["", "", "", "formula"])]);
}

function faults(store, entry) {
  const found = store.entries.faults[entry];
  if (!found.length) return null;
  const rows = found.map(([check, members, detail]) => [
    words(store.text(check)),
    members.map((member) => member + 1).join(", "),
    store.text(detail),
  ]);
  return element("div", {}, element("h4", {}, "Found by the audit"), table(["Check", "Candidates", "Detail"], rows));
}

// Links to the files with all of the texts of which the page has the beginning.
function wholes(store, places) {
  const names = [...new Set(places.map((place) => store.whole[place]).filter(Boolean))];
  const link = (name, place) =>
    element("a", { href: `texts/${name}`, target: "_blank" }, names.length > 1 ? `whole text ${place + 1}` : "whole text");
  return names.length ? element("p", {}, "Too long to show: ", names.flatMap((name, place) => [place ? ", " : "", link(name, place)])) : null;
}

function facts(found) {
  return element("dl", { class: "facts" }, found.flatMap(([term, value]) => (value ? fact(term, value) : [])));
}

// Right or wrong at a glance: a sign, a colour and a word.
function badge(store, answer) {
  const state = stateOf(store, answer);
  const said = { right: "right", wrong: "wrong", partly: `expected ${shownScore(store, answer, store.metricOf(answer))}`, none: "no score" }[state];
  return element("span", { class: `badge ${state}` }, `${SIGNS[state]} ${said}`);
}

// What is of use to those who look closely: how it was read, decided and scored, and what it took.
function technical(store, entry, answer) {
  const text = (name) => store.answerText(name, answer);
  const written = readAnswer(text("answer"));
  const formula = (said) => (said ? element("span", { class: "formula" }, said) : null);
  const number = (name, unit) => (store.answers[name][answer] === null ? null : `${store.answers[name][answer]} ${unit}`);
  const list = (name) => store.answers[name][answer].map((place) => store.text(place)).join("; ");
  const scores = Object.keys(store.scores).filter((metric) => store.scores[metric][answer] !== null);
  const named = (name) => text(name) && words(text(name));
  const problem = problemOf(store, entry);
  return [
    ["Scores", scores.map((metric) => `${words(metric)} ${shownScore(store, answer, metric)}`).join(", ")],
    ["Outcome", named("outcome")],
    ["Verdict", named("verdict")],
    ["Relation to the gold formula", named("relation")],
    ["Fault", named("fault")],
    ["Distance", named("distance")],
    ["Edits from the gold formula", text("edits")],
    ["May say the sentence", text("witness") && `${words(text("rule"))}: ${text("witness")}`],
    ["Cause", named("cause")],
    ["Ended", named("stop")],
    ["Decided by", named("means")],
    ["Read as", problem || text("formula") !== written.answer ? formula(text("formula")) : null],
    ["Notation", text("formula") ? text("dialect") : null],
    ["Liberties with the envelope", list("liberties")],
    ["Repairs", list("repairs")],
    ["Could be read otherwise", list("ambiguities")],
    ["Wrong line", text("wrong_line")],
    ["Concepts and symbols", list("aligned")],
    ["Evidence", text("detail")],
    ["As written", written.verbatim ? null : text("answer")],
    ["Earlier steps", list("earlier")],
    ["Gold program", problem ? formula(store.itemText("program", entry)) : null],
    ["Tokens", [number("prompt_tokens", "in"), number("completion_tokens", "out")].filter(Boolean).join(", ")],
    ["Cost", number("cost", "")],
    ["Seconds", store.answers.seconds[answer]?.toFixed(2)],
    ["Story", store.itemText("story", entry)],
    ["Item", store.itemText("item", entry)],
  ];
}

function shownScore(store, answer, metric) {
  const score = store.scores[metric][answer];
  const tied = store.tied[metric][answer] ? " (tied)" : "";
  return `${Number.isInteger(score) ? score : score.toFixed(3)}${tied}`;
}

// What a dialogue model wrote: its reasoning and answer, or else all of it verbatim.
function readAnswer(text) {
  if (text === null) return {};
  try {
    const said = JSON.parse(text);
    if (typeof said.reasoning === "string" && "answer" in said) {
      const answer = typeof said.answer === "string" ? said.answer : JSON.stringify(said.answer);
      return { reasoning: said.reasoning || null, answer, value: said.answer };
    }
  } catch {
    // Not of the agreed form: shown as it is.
  }
  return { verbatim: text };
}
