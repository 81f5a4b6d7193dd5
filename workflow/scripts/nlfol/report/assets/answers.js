// The answers to one entry: identical ones once, two models side by side, each with its prompt and counter-model.

const SEVERAL = ["repairs", "ambiguities", "liberties", "earlier", "aligned", "order", "similarities", "chain"];
const ALIKE = [
  "model", "presentation", "outcome", "verdict", "stop", "means", "relation", "fault", "cause", "wrong_line", "detail",
  "formula", "dialect", "answer", "thinking", "world",
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
  const shown = (group) => answerDetail(store, entry, group, seen);
  if (models.length !== 2) return groups.map(shown);
  const column = (model) => {
    const own = groups.filter(([answer]) => store.answerText("model", answer) === model);
    return element("section", { "aria-label": model },
      own.length ? own.map(shown) : element("p", { class: "notice" }, `${model}: none of the answers chosen.`));
  };
  return [element("div", { class: "beside" }, models.map(column))];
}

function answerDetail(store, entry, group, seen) {
  const [answer] = group;
  const seeds = group.map((one) => store.answers.seed[one]).filter((seed) => seed !== null);
  const shown = store.answerText("presentation", answer);
  const title = [
    store.modelName(store.answerText("model", answer)),
    seeds.length ? `${seeds.length === 1 ? "seed" : "seeds"} ${seeds.join(", ")}` : null,
    shown ? `shown as ${words(shown)}` : null,
  ].filter(Boolean).join(" · ");
  const times = group.length > 1 ? element("span", { class: "times" }, `× ${group.length} `) : null;
  const places = ["answer", "thinking", "formula", "detail"].map((name) => store.answers[name][answer]);
  const rounds = store.answers.chain[answer];
  return element("article", { class: "answer" },
    element("h4", {}, title, " ", times, badges(store, answer)),
    facts(rounds.length ? chainFacts(store, answer) : answerFacts(store, entry, answer)),
    wholes(store, places.concat(store.answers.earlier[answer], rounds.flatMap((round) => round.slice(0, -1)))),
    promptsOf(store, group),
    chain(store, entry, answer, seen, title) ?? world(store, store.answers.world[answer], seen, title));
}

// Every prompt behind a group, each once, with the seeds that it was sent under.
function promptsOf(store, group) {
  const sent = new Map();
  for (const answer of group) {
    const key = store.answers.prompts[answer].join();
    if (key) sent.set(key, [...(sent.get(key) ?? []), answer]);
  }
  if (!sent.size) return null;
  const title = sent.size === 1 ? "Prompt" : `Prompts of ${sent.size} seeds`;
  return folded(title, () => [...sent.values()].flatMap((answers) => {
    const seeds = answers.map((answer) => store.answers.seed[answer]).join(", ");
    const steps = store.answers.prompts[answers[0]];
    return [
      sent.size > 1 ? element("p", { class: "role" }, `Seed ${seeds}`) : null,
      ...steps.flatMap((prompt, step) => promptShown(store, prompt, steps.length > 1 ? `Step ${step + 1}, ` : "")),
    ].filter(Boolean);
  }));
}

function promptShown(store, prompt, before) {
  const turns = store.prompts[prompt];
  return [
    ...turns.flatMap(([role, text]) => [
      element("p", { class: "role" }, `${before}${store.text(role)}`),
      element("pre", { class: "turn", tabindex: 0 }, store.text(text)),
    ]),
    wholes(store, turns.map(([, text]) => text)),
  ].filter(Boolean);
}

// A counter-model, drawn where it comes first.
function world(store, place, seen, title) {
  if (place < 0) return null;
  if (seen.has(place)) return element("p", { class: "notice" }, `The same counter-model as of ${seen.get(place)}, above.`);
  seen.set(place, title);
  return counterModel(store.worlds[place]);
}
