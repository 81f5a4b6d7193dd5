// The answers to one entry: identical ones once, two models side by side, each with its prompt and counter-model.

const SEVERAL = ["repairs", "ambiguities", "liberties", "earlier", "aligned", "order", "similarities", "chain"];
const ALIKE = [
  "model", "presentation", "outcome", "verdict", "stop", "means", "relation", "fault", "distance", "edits", "rule", "witness",
  "cause", "wrong_line", "detail", "formula", "dialect", "answer", "thinking", "world",
];

// Answers in groups: those of a group differ in nothing but seed, prompt and what they took.
function identical(store, answers) {
  const groups = new Map();
  for (const answer of answers) {
    const scores = Object.values(store.scores).map((column) => column[answer]);
    const said = [...ALIKE, ...SEVERAL].map((name) => store.answers[name][answer]);
    const key = JSON.stringify([said, scores]);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(answer);
  }
  return [...groups.values()];
}

// The answers; `models` are the two that are compared, if there are two. `seen` are the counter-models shown before.
function answersShown(store, entry, answers, models, seen) {
  const groups = identical(store, answers);
  const shown = (group) => answerDetail(store, entry, group, seen, groups.length === 1);
  if (models.length !== 2) return groups.map(shown);
  const column = (model) => {
    const own = groups.filter(([answer]) => store.answerText("model", answer) === model);
    return element("section", { "aria-label": model },
      own.length ? own.map(shown) : element("p", { class: "notice" }, `${model}: none of the answers chosen.`));
  };
  return [element("div", { class: "beside" }, models.map(column))];
}

function answerDetail(store, entry, group, seen, alone) {
  const [answer] = group;
  const seeds = group.map((one) => store.answers.seed[one]).filter((seed) => seed !== null);
  const shown = store.answerText("presentation", answer);
  const title = [
    store.modelName(store.answerText("model", answer)),
    seeds.length ? `${seeds.length === 1 ? "seed" : "seeds"} ${seeds.join(", ")}` : null,
    shown ? `shown as ${words(shown)}` : null,
  ].filter(Boolean).join(" · ");
  const times = group.length > 1 ? element("span", { class: "times" }, ` × ${group.length}`) : null;
  const places = ["answer", "thinking", "formula", "detail"].map((name) => store.answers[name][answer]);
  const rounds = store.answers.chain[answer];
  return element("article", { class: "answer" },
    element("h4", {}, badge(store, answer), " ", element("span", { class: "who" }, title, times)),
    sides(store, entry, answer, alone),
    element("p", { class: "verdict" }, verdictOf(store, entry, answer)),
    choiceShown(store, entry, answer),
    chain(store, entry, answer, seen, title) ?? evidence(store, entry, answer, seen, title),
    wholes(store, places.concat(store.answers.earlier[answer], rounds.flatMap((round) => round.slice(0, -1)))),
    chatsOf(store, group, alone),
    folded("Technical details", () => [facts(technical(store, entry, answer))]));
}

// Gold and answer side by side, as the form of the answers asks for it.
function sides(store, entry, answer, alone) {
  const form = store.formOf(entry);
  const [gold, read] = [store.itemText("formula", entry), store.answerText("formula", answer)];
  const text = store.answerText("answer", answer);
  const written = readAnswer(text);
  const said = read ?? written.answer ?? written.verbatim ?? null;
  if (isExpected(store, answer)) return null;
  const own = form === "own_formula" ? ownShown(store, entry, answer) : null;
  if (own) return own;
  if (form === "program") return programShown(store, entry, answer, problemOf(store, entry), alone);
  if (form === "verdict") return verificationShown(store, entry, answer);
  if (form === "label") return pair(["Right answer", gold], ["Answer", said], { marks: false });
  if (form !== "formula" && form !== "own_formula") {
    return text === null || ["choice", "order", "chain"].includes(form) ? null : element("pre", { class: "turn", tabindex: 0 }, said);
  }
  const differs = form === "formula" && read !== null && store.answerText("verdict", answer) !== "equivalent";
  const note = form === "formula" && read !== null && written.answer !== undefined && written.answer !== read
    ? element("p", { class: "key" }, "Written as ", element("span", { class: "formula" }, written.answer)) : null;
  return pair(["Gold formula", gold], ["Answer", said], { marks: differs, byCharacter: store.byCharacter(entry), note });
}

// What proves the verdict: a counter-model in a sentence and drawn, or what the solver did.
function evidence(store, entry, answer, seen, title) {
  const detail = store.answerText("detail", answer);
  const form = store.formOf(entry);
  if (form === "program") return store.answerText("outcome", answer) !== "answered" ? null : traceInWords(detail, linesOf(store.answerText("answer", answer)));
  const place = store.answers.world[answer];
  if (place < 0 && (form !== "formula" || store.answerText("verdict", answer) !== "not_equivalent")) return null;
  return element("div", {}, detail ? element("p", { class: "counter" }, counterModelInWords(detail)) : null, world(store, place, seen, title));
}

// A counter-model, drawn where it comes first.
function world(store, place, seen, title) {
  if (place < 0) return null;
  if (seen.has(place)) return element("p", { class: "notice" }, `The same counter-model as of ${seen.get(place)}, above.`);
  seen.set(place, title);
  return counterModel(store.worlds[place]);
}
