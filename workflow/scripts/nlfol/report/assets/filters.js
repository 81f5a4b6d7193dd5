// From a filter, as an address has it (key -> list of allowed values), to the entries and answers that it leaves.

// Keys of entries: each gives the test of an entry for a set of values.
const ENTRY_KEYS = {
  dataset: (store, values) => ofItem(store, "dataset", values),
  item: (store, values) => ofItem(store, "item", values),
  task: (store, values) => ofColumn(store, store.entries.task, values),
  kind: (store, values) => ofColumn(store, store.entries.kind, values),
  protocol: (store, values) => ofColumn(store, store.entries.protocol, values),
  status: (store, values) => (entry) => values.includes(store.entries.reason[entry] < 0 ? "usable" : "refused"),
  operators: (store, values) => ofNumber(store, "operators", values),
  quantifiers: (store, values) => ofNumber(store, "quantifiers", values),
  perturbations: (store, values) => (entry) => values.includes(String(membersOf(store, entry, "perturbation").length)),
  role: (store, values) => (entry) => values.some((role) => membersOf(store, entry, role).length),
  check: (store, values) => (entry) =>
    store.entries.faults[entry].some(([check]) => values.includes(store.text(check))),
};

// Keys of answers, likewise.
const ANSWER_KEYS = {
  model: (store, values) => ofColumn(store, store.answers.model, values),
  presentation: (store, values) => ofColumn(store, store.answers.presentation, values),
  outcome: (store, values) => ofColumn(store, store.answers.outcome, values),
  verdict: (store, values) => ofColumn(store, store.answers.verdict, values),
  means: (store, values) => ofColumn(store, store.answers.means, values),
  relation: (store, values) => ofColumn(store, store.answers.relation, values),
  fault: (store, values) => ofColumn(store, store.answers.fault, values),
  distance: (store, values) => ofColumn(store, store.answers.distance, values),
  rule: (store, values) => ofColumn(store, store.answers.rule, values),
  cause: (store, values) => ofColumn(store, store.answers.cause, values),
  stop: (store, values) => ofColumn(store, store.answers.stop, values),
  seed: (store, values) => (answer) => values.includes(String(store.answers.seed[answer])),
  position: (store, values) => (answer) => values.includes(String(store.answers.position[answer])),
  read: (store, values) => (answer) => values.some((value) => READ[value]?.(store, answer)),
};

const READ = {
  read: (store, answer) => store.answers.formula[answer] >= 0,
  repaired: (store, answer) => store.answers.repairs[answer].length > 0,
  ambiguous: (store, answer) => store.answerText("fault", answer) === "ambiguous",
  opened: (store, answer) => store.answers.liberties[answer].length > 0,
};

// Keys that concern both, or several answers at once.
const OTHER_KEYS = ["metric", "right", "tied", "pair", "common", "change", "text"];

const RIGHT = { right: (score) => score === 1, wrong: (score) => score === 0, partly: (score) => score > 0 && score < 1 };

// Two models' scores of one question: ties count where they can come out so.
const PAIR = {
  both: (first, second) => first > 0 && second > 0,
  first_only: (first, second) => first > 0 && second < 1,
  second_only: (first, second) => first < 1 && second > 0,
  neither: (first, second) => first < 1 && second < 1,
};

function ofColumn(store, column, values) {
  const wanted = new Set(values.map((value) => store.place.get(value)));
  return (place) => wanted.has(column[place]);
}

function ofItem(store, name, values) {
  const test = ofColumn(store, store.items[name], values);
  return (entry) => test(store.entries.item[entry]);
}

// Numbers such as "2", or "2+" for two and more.
function ofNumber(store, name, values) {
  const fits = (number, value) => (value.endsWith("+") ? number >= parseInt(value, 10) : number === Number(value));
  return (entry) => values.some((value) => fits(store.items[name][store.entries.item[entry]], value));
}

function membersOf(store, entry, role) {
  return store.entries.candidates[entry].filter((member) => store.text(member[2]) === role);
}

// What is left: the entries, and for each the answers; an entry without answers stays where only entries are chosen.
function choose(store, filter) {
  const entryTests = testsOf(store, filter, ENTRY_KEYS);
  if (filter.change) entryTests.push(hasChange(store, filter));
  const answerTests = [...testsOf(store, filter, ANSWER_KEYS), ...scoreTests(store, filter)];
  const found = filter.text ? store.containing(filter.text[0]) : null;
  const chosen = new Map();
  for (let entry = 0; entry < store.ofEntry.length; entry++) {
    if (!entryTests.every((test) => test(entry))) continue;
    const told = found === null || entryTells(store, entry, found);
    const answers = store.ofEntry[entry].filter(
      (answer) => answerTests.every((test) => test(answer)) && (told || answerTells(store, answer, found)),
    );
    if (answers.length || (!answerTests.length && told)) chosen.set(entry, answers);
  }
  if (filter.pair) return paired(store, filter, chosen);
  return filter.common ? ofAll(store, filter, chosen) : chosen;
}

function testsOf(store, filter, keys) {
  return Object.keys(keys)
    .filter((key) => filter[key])
    .map((key) => keys[key](store, filter[key]));
}

function scoreTests(store, filter) {
  const metric = filter.metric?.[0];
  const tests = [];
  if (metric) tests.push((answer) => store.score(answer, metric) !== null);
  if (filter.right) {
    tests.push((answer) => filter.right.some((value) => RIGHT[value]?.(store.score(answer, metric))));
  }
  if (filter.tied) tests.push((answer) => store.tied[metric ?? store.metricOf(answer)]?.[answer] === true);
  return tests;
}

// Whether an entry has a member that just these edits or laws made; "none" stands for none.
function hasChange(store, filter) {
  const wanted = filter.change[0] === "none" ? "" : filter.change[0];
  const change = (member) => member[4].map((place) => store.text(place)).join(" ");
  return (entry) =>
    store.entries.candidates[entry].some(
      (member) => change(member) === wanted && (!filter.role || filter.role.includes(store.text(member[2]))),
    );
}

function entryTells(store, entry, found) {
  const item = store.entries.item[entry];
  return ["item", "text", "formula"].some((name) => found.has(store.items[name][item]));
}

function answerTells(store, answer, found) {
  const texts = ["answer", "thinking", "formula", "detail"].map((name) => store.answers[name][answer]);
  // The last place of a round is no text.
  return [...texts, ...store.answers.chain[answer].flatMap((places) => places.slice(0, -1))].some((place) => found.has(place));
}

// Only items with answers of every model, or to every task, that is chosen.
function ofAll(store, filter, chosen) {
  const byTask = filter.common[0] === "task";
  const answered = new Map();
  for (const [entry, answers] of chosen) {
    const item = store.entries.item[entry];
    if (!answered.has(item)) answered.set(item, new Set());
    for (const answer of answers) {
      answered.get(item).add(byTask ? store.entryText("task", entry) : store.answerText("model", answer));
    }
  }
  const wanted = filter[byTask ? "task" : "model"] ?? [];
  const inCommon = (entry) => wanted.every((value) => answered.get(store.entries.item[entry]).has(value));
  return new Map([...chosen].filter(([entry]) => inCommon(entry)));
}

// The answers of two models to the same questions whose scores go together as asked.
function paired(store, filter, chosen) {
  const [first, second] = filter.model ?? [];
  const left = new Map();
  for (const [entry, answers] of chosen) {
    const of = new Map();
    for (const answer of answers) {
      const question = `${store.answers.presentation[answer]} ${store.answers.seed[answer]}`;
      if (!of.has(question)) of.set(question, {});
      of.get(question)[store.answerText("model", answer)] = answer;
    }
    const score = (answer) => store.score(answer, filter.metric?.[0]);
    const kept = [...of.values()].filter(
      (both) => first in both && second in both && PAIR[filter.pair[0]]?.(score(both[first]), score(both[second])),
    );
    if (kept.length) left.set(entry, kept.flatMap((both) => [both[first], both[second]]));
  }
  return left;
}
