// Problems: their sentences, the gold line of each beside the line that was answered, and the solver's trace in words.

function problemOf(store, entry) {
  const item = store.entries.item[entry];
  const sentences = store.items.sentences[item].map(([text, line]) => ({ text: store.text(text), line: store.text(line) }));
  const [statements, [question, ...options]] = [sentences.slice(0, store.items.statements[item]), sentences.slice(store.items.statements[item])];
  return question && { statements, question, options };
}

// The sentences of a problem: its number, and the question and options by name.
function sentencesOf({ statements, question, options }) {
  return [
    ...statements.map((each, place) => ({ ...each, place: String(place + 1) })),
    { ...question, place: "query" },
    ...options.map((each, place) => ({ ...each, place: String.fromCharCode(65 + place) })),
  ];
}

// All but the question, which is the item's heading.
function problemShown(problem) {
  const options = problem.options.map(({ text }, place) => `${String.fromCharCode(65 + place)}) ${text}`).join("; ");
  return element("dl", { class: "problem", "aria-label": "Problem" },
    problem.statements.flatMap(({ text }, place) => fact(String(place + 1), text)),
    options ? fact("Options", options) : null);
}

// The lines that an answer has for each sentence, where it says so; null where it does not.
function linesOf(text) {
  try {
    const said = JSON.parse(text);
    if (!Array.isArray(said.lines) || !said.lines.length) return null;
    const lines = new Map();
    for (const each of said.lines) {
      if (typeof each?.sentence !== "number" && typeof each?.sentence !== "string") return null;
      const line = each.line ?? each.lines;
      const written = Array.isArray(line) ? line.join("\n") : line;
      if (typeof written !== "string") return null;
      const place = String(each.sentence);
      lines.set(place, lines.has(place) ? `${lines.get(place)}\n${written}` : written);
    }
    if (typeof said.query === "string") lines.set("query", said.query);
    for (const each of Array.isArray(said.options) ? said.options : []) if (typeof each?.line === "string") lines.set(String(each.option), each.line);
    return lines;
  } catch {
    return null;
  }
}

// The lines of a program as it was read, by the gold lines that they are equal to or stand in place of.
function programShown(store, entry, answer, problem, withText) {
  const lines = linesOf(store.answerText("answer", answer));
  const gold = store.itemText("program", entry);
  const read = store.answerText("formula", answer);
  if (!lines || gold === null) {
    const written = read ?? readAnswer(store.answerText("answer", answer)).answer;
    return written || gold ? pair(["Gold program", gold], ["Program of the answer", written ?? null], { marks: gold !== null && read !== null }) : null;
  }
  const { options, question } = problem;
  const choices = options.map(({ text }, at) => `${String.fromCharCode(65 + at)}) ${text}`).join("; ");
  const rows = sentencesOf(problem)
    .map(({ place, text, line }) => ({ place, text: text === question.text ? `the question above. ${options.some((each) => each.line) ? "" : choices}` : text, gold: line, answered: lines.get(place) ?? null }))
    .filter(({ place, gold: line, answered }) => (withText && Number(place)) || place === "query" || line !== null || answered !== null);
  const wrong = store.answerText("wrong_line", answer)?.split(":")[0];
  // Lines of two languages have nothing to compare: clauses end with a truth value, others do not.
  const dialect = store.answerText("dialect", answer);
  const marks = dialect === null || (dialect === "clauses") === /(True|False)\)/.test(gold);
  return linesTable(rows, { withText, wrong, marks });
}

// A row for each sentence: the gold line and the one that was answered, with the difference.
function linesTable(rows, { withText, wrong = null, marks = true }) {
  const body = rows.map(({ place, text, gold, answered }) => {
    const both = gold !== null && answered !== null;
    const found = both && marks ? difference(gold, answered) : null;
    const sign = (gold === null && answered === null) || (both && !marks) ? "" : found?.same ? "=" : "≠";
    const said = { "=": "same line", "≠": "another line", "": null }[sign];
    return element("tr", { class: place === wrong ? "first-wrong" : null },
      element("th", { scope: "row" }, place === "query" ? "Question" : place),
      withText ? element("td", { class: "text" }, text) : null,
      element("td", { class: "formula", "data-label": "Gold" }, found ? marked(found.first, "del") : (gold ?? "–")),
      element("td", { class: "sign" }, element("span", { role: said && "img", "aria-label": said }, sign)),
      element("td", { class: "formula", "data-label": "Answered" }, found ? marked(found.second, "ins") : (answered ?? "–"),
        place === wrong ? element("span", { class: "badge wrong" }, "✗ first wrong line") : null));
  });
  const heads = ["No.", ...(withText ? ["Sentence"] : []), "Gold line", "", "Answered line"];
  return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Line by line" },
    element("table", { class: "program" },
      element("thead", {}, element("tr", {}, heads.map((head) => element("th", { scope: "col" }, head)))),
      element("tbody", {}, body)));
}

// Formulas over the model's own vocabulary beside the gold ones, sentence by sentence; null where they do not match up.
function ownShown(store, entry, answer) {
  const gold = store.entries.candidates[entry].map(([formula]) => store.text(formula));
  const answered = store.answerText("formula", answer)?.split("\n") ?? [];
  if (answered.length !== gold.length) return null;
  return linesTable(gold.map((line, at) => ({ place: String(at + 1), gold: line, answered: answered[at] })), { withText: false, marks: false });
}

// A trace as the solver writes it: derivations as trees, then one thing a line.
function traceOf(detail) {
  const lines = detail.split("\n");
  const known = new Map();
  const steps = [];
  for (const line of lines) {
    const named = /^(query|truth|derived|depth|contradictions|undeclared|label|premises|conclusion|used|models|solutions|solution|other|options): (.*)$/s.exec(line);
    const step = /^( *)(.+?) {2}\[(fact|line \d+)(?:, line (\d+)|: (.*))?\]$/.exec(line);
    if (named) known.set(named[1], named[2]);
    else if (step) steps.push({ depth: step[1].length / 2, literal: step[2], line: step[4] ?? step[3].replace("line ", ""), rule: step[5] ?? null });
    else return null;
  }
  return { known, steps };
}

// What a solver did, in words: how the answer follows, or that nothing follows.
function traceInWords(detail, lines) {
  const trace = detail && traceOf(detail);
  if (!trace) return detail ? element("p", { class: "trace" }, `The solver says: ${detail}`) : null;
  const { known, steps } = trace;
  const query = known.get("query");
  const list = (name) => (known.get(name) ?? "[]").replace(/^\[|\]$/g, "").replaceAll("'", "");
  const formula = (text) => element("span", { class: "formula" }, text);
  const lead = [];
  const truth = known.get("truth") ?? known.get("label");
  if (query && steps.length && truth === "true") lead.push("The query ", formula(query), " is true. It follows so:");
  else if (query && steps.length && truth === "false") lead.push("The query ", formula(query), " is false: its opposite follows so:");
  else if (query && truth === "unknown") {
    lead.push("The query ", formula(query), ` is unknown: the program derives ${counted(Number(known.get("derived")), "literal")}, neither the query nor its opposite among them.`);
  } else if (truth) lead.push(`The solver finds the conclusion ${words(truth)}.`);
  const used = known.get("used");
  if (used && used !== "None") lead.push(` It needs the premises in lines ${list("used")}.`);
  const solutions = known.get("solutions");
  if (solutions) lead.push(solutions === "0" ? "No values meet all constraints." : solutions === "1" ? "Just one assignment meets all constraints." : "Several assignments meet all constraints.");
  if (known.get("solution") && known.get("solution") !== "None") lead.push(` Such as: ${known.get("solution").replace(/[{}']/g, "")}.`);
  if (known.get("options") && known.get("options") !== "{}") lead.push(` The options hold in these shares of all solutions: ${known.get("options").replace(/[{}']/g, "")}.`);
  if (list("contradictions")) lead.push(` Both true and false: ${list("contradictions")}.`);
  if (list("undeclared")) lead.push(` Not declared: ${list("undeclared")}.`);
  // Of lines as they were answered, the sentence is known.
  const sentence = new Map([...(lines ?? [])].map(([place, text]) => [text, place]));
  const from = (text, line) => (sentence.has(text) ? `sentence ${sentence.get(text)}` : `line ${line} of the program`);
  const why = ({ literal, line, rule }) => element("li", {}, formula(literal),
    rule === null ? `, stated in ${from(literal, line)}` : `, by ${from(rule, line)}: `, rule === null ? null : formula(rule));
  const nested = (depth, rest) => {
    const items = [];
    while (rest.length && rest[0].depth >= depth) {
      const item = why(rest.shift());
      if (rest.length && rest[0].depth > depth) item.append(element("ul", {}, nested(depth + 1, rest)));
      items.push(item);
    }
    return items;
  };
  return element("div", { class: "trace" }, element("p", {}, lead), steps.length ? element("ul", {}, nested(0, [...steps])) : null);
}
