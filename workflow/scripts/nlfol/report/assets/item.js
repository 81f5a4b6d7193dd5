// One entry of the explorer, opened: the item, what the models were shown, and their answers.

function entryDetail(store, entry, answers, models) {
  const others = store.ofEntry[entry].filter((answer) => !answers.includes(answer));
  const seen = new Map();
  return [
    element("dl", { class: "facts" },
      ...asked(store, entry),
      fact("Story", store.itemText("story", entry)),
      refusal(store, entry)),
    isProblem(store, entry) ? null : symbols(store, entry),
    candidates(store, entry),
    faults(store, entry),
    wholes(store, ["text", "formula", "program"].map((name) => store.items[name][store.entries.item[entry]])),
    ...answersShown(store, entry, answers, models, seen),
    others.length ? folded(`${counted(others.length, "other answer")} to this item`, () =>
      answersShown(store, entry, others, [], seen)) : null,
  ].filter(Boolean);
}

function isProblem(store, entry) {
  return store.items.problem[store.entries.item[entry]];
}

function asked(store, entry) {
  const gold = element("span", { class: "formula" }, store.itemText("formula", entry));
  if (!isProblem(store, entry)) return [fact("Gold formula", gold)];
  const program = store.itemText("program", entry);
  return [
    fact("Problem", store.itemText("text", entry)),
    fact("Right answer", gold),
    program === null ? [] : fact("Gold program", element("span", { class: "formula" }, program)),
  ];
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

// A round trip, round by round: what was put into English, the English, the formula made of it, and the evidence.
function chain(store, entry, answer, seen, title) {
  const rounds = store.answers.chain[answer];
  if (!rounds.length) return null;
  let before = store.itemText("formula", entry);
  const items = rounds.map((places, round) => {
    const [english, copies, written, formula, outcome, verdict, detail] = places.map((place) => store.text(place));
    const model = places.at(-1);
    const put = before;
    before = formula ?? before;
    const said = verdict ?? outcome;
    const state = verdict === "equivalent" ? "right" : "wrong";
    const sign = (text) => (text ? element("span", { class: "formula" }, text) : null);
    return element("li", {},
      said ? element("span", { class: `badge ${state}` }, words(said)) : null,
      facts([
        ["Formula", sign(put)],
        ["English", english],
        ["Copied", copies],
        ["Formula made of it", sign(written)],
        ["Read as", formula === written ? null : sign(formula)],
        [model < 0 ? "Detail" : "Counter-model", detail],
      ]),
      world(store, model, seen, `${title}, round ${round + 1}`));
  });
  const steps = [...store.answers.earlier[answer].map((place) => store.text(place)), store.answerText("answer", answer)];
  return element("div", {},
    element("ol", { class: "chain", "aria-label": "Rounds" }, items),
    folded("As written, step by step", () => [
      element("ol", { class: "members" }, steps.filter(Boolean).map((text) => element("li", {}, text))),
    ]));
}

// Of a round trip as a whole; all else is said of its rounds.
function chainFacts(store, answer) {
  const whole = new Set(["Scores", "Thinking", "Tokens", "Cost"]);
  const ended = ["Ended", words(store.answerText("stop", answer))];
  return [ended, ...answerFacts(store, store.answers.entry[answer], answer).filter(([term]) => whole.has(term))];
}

function badges(store, answer) {
  const score = store.score(answer);
  const state = score === 1 ? "right" : score === 0 ? "wrong" : "partly";
  const badge = (name, text) => element("span", { class: `badge ${name}` }, text);
  const said = ["outcome", "verdict"].map((name) => store.answerText(name, answer)).filter(Boolean);
  return [badge(state, state === "partly" ? "expected" : state), " ", ...said.flatMap((text) => [badge("", words(text)), " "])];
}

function answerFacts(store, entry, answer) {
  const text = (name) => store.answerText(name, answer);
  const written = readAnswer(text("answer"));
  const formula = (said) => (said ? element("span", { class: "formula" }, said) : null);
  const number = (name, unit) => (store.answers[name][answer] === null ? null : `${store.answers[name][answer]} ${unit}`);
  const list = (name) => store.answers[name][answer].map((place) => store.text(place)).join("; ");
  const scores = Object.keys(store.scores).filter((metric) => store.scores[metric][answer] !== null);
  return [
    ["Scores", scores.map((metric) => `${words(metric)} ${shownScore(store, answer, metric)}`).join(", ")],
    ["Earlier steps", list("earlier")],
    ["Answer", formula(written.answer)],
    ["Read as", text("formula") === written.answer ? null : formula(text("formula"))],
    ["Notation", text("formula") ? text("dialect") : null],
    ["Liberties with the envelope", list("liberties")],
    ["Repairs", list("repairs")],
    ["Could be read otherwise", list("ambiguities")],
    ["Chosen", chosenMembers(store, entry, answer, written)],
    ["Shown in the order", shownOrder(store, entry, answer)],
    ["Similarities", similarities(store, entry, answer)],
    ["Reasoning", written.reasoning],
    ["As written", written.verbatim],
    ["Thinking", text("thinking")],
    ["Relation to the gold formula", text("relation") && words(text("relation"))],
    ["Fault", text("fault") && words(text("fault"))],
    ["Cause", text("cause") && words(text("cause"))],
    ["Wrong line", text("wrong_line")],
    ["Concepts and symbols", list("aligned")],
    ["Decided by", text("means") && words(text("means"))],
    [store.answers.world[answer] < 0 ? "Detail" : "Counter-model", text("detail")],
    ["Tokens", [number("prompt_tokens", "in"), number("completion_tokens", "out")].filter(Boolean).join(", ")],
    ["Cost", number("cost", "")],
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

// The members that an answer names, which are numbered as they were shown or, where that is not known, in the set.
function chosenMembers(store, entry, answer, written) {
  const order = store.answers.order[answer];
  const numbers = [written.value].flat().filter(Number.isInteger);
  if (!numbers.length || !store.entries.candidates[entry].length) return null;
  return memberList(store, entry, numbers.map((number) => order?.length ? order[number - 1] : number - 1));
}

function shownOrder(store, entry, answer) {
  const order = store.answers.order[answer];
  return order?.length ? memberList(store, entry, order) : null;
}

function similarities(store, entry, answer) {
  const values = store.answers.similarities[answer];
  if (!values?.length) return null;
  const order = values.map((_, place) => place).sort((a, b) => values[b] - values[a]);
  return memberList(store, entry, order, (member) => `${values[member].toFixed(4)} `);
}

function memberList(store, entry, members, before = () => "") {
  const said = (member) => store.entries.candidates[entry][member];
  return element("ol", { class: "members" }, members.filter(said).map((member) =>
    element("li", {}, before(member), `no. ${member + 1}, ${words(store.text(said(member)[2]))}: `,
      element("span", { class: "formula" }, store.text(said(member)[0])))));
}
