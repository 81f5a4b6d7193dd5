// Verdicts in words.

const ENDED = {
  unparsable: "It could not be read",
  truncated: "It was cut off at the limit of tokens",
  empty: "The model wrote no text",
  blank: "The model wrote white space alone",
  refused: "The model declined to answer",
  failed: "No answer came",
  internal_error: "nlfol failed to judge it; the log says why",
  no_answer: "The program gives no answer",
};

const RELATIONS = {
  weaker: "It says less than the gold formula",
  stronger: "It says more than the gold formula",
  contradictory: "It contradicts the gold formula: both are never true together",
  independent: "Neither it nor the gold formula follows from the other",
  unknown: "How it relates to the gold formula is not known",
};

// By the change that puts an answer right.
const CHANGES = {
  quantifier: "the other quantifier",
  implication_under_exists: "∧ in place of → under ∃",
  conjunction_under_forall: "→ in place of ∧ under ∀",
  connective: "another connective",
  direction: "the implication the other way round",
  negation: "a negation more or less",
  negation_scope: "another scope of a negation",
  argument_order: "arguments in another order",
  quantifier_order: "quantifiers in another order",
  quantifier_scope: "another scope of a quantifier",
  superfluous: "a condition left out",
  predicate: "another predicate",
  term: "another name or variable",
  missing: "a condition added",
  determiner: "the other determiner: every with →, some with ∧",
};

const CAUSES = {
  drift: "One concept has several symbols",
  collision: "Several concepts share one symbol",
  logic: "A line says something else than its sentence",
};

const SIGNS = { right: "✓", wrong: "✗", partly: "½", none: "–" };

function stateOf(store, answer, metric) {
  const score = store.score(answer, metric);
  if (score === null || score === undefined) return "none";
  return score === 1 ? "right" : score === 0 ? "wrong" : "partly";
}

function stated(text) {
  return !text ? "" : `${text.trim()}${/[.!?…]$/.test(text.trim()) ? "" : "."} `;
}

// Whether there is no answer, but what a random one scores on average.
function isExpected(store, answer) {
  return store.answers.answer[answer] < 0 && store.answers.outcome[answer] < 0 && store.answers.formula[answer] < 0 && !store.answers.similarities[answer]?.length;
}

// Right or wrong, and why, in one or two sentences.
function verdictOf(store, entry, answer) {
  const text = (name) => store.answerText(name, answer);
  const [outcome, verdict, relation, fault, distance, edits, witness, detail] = ["outcome", "verdict", "relation", "fault", "distance", "edits", "witness", "detail"].map(text);
  const form = store.formOf(entry);
  const before = { right: "Right. ", wrong: "Wrong. ", partly: `Score ${shownScore(store, answer, store.metricOf(answer))}. `, none: "" }[stateOf(store, answer)];
  if (isExpected(store, answer)) return `No answer: a random one scores ${shownScore(store, answer, store.metricOf(answer))} on average.`;
  if (outcome && outcome !== "answered") {
    const ended = ENDED[outcome] ?? words(outcome);
    return `Wrong. ${stated(detail ? `${ended}: ${detail}` : ended)}`;
  }
  if (form === "formula" || form === "own_formula") return before + stated(formulaVerdict({ verdict, relation, fault, distance, edits, witness, detail }, store, answer));
  if (form === "choice" || form === "order") return before + stated(choiceVerdict(store, entry, answer));
  if (form === "verdict") return before + stated(`The two ${verdict === "equivalent" ? "mean the same" : "do not mean the same"}`);
  if (form === "program") return before + stated(programVerdict(store, entry, answer));
  if (form === "label") return before + stated(`The right answer is ${store.itemText("formula", entry)}`);
  if (form === "chain") return before + stated(chainVerdict(store, answer));
  return before;
}

function formulaVerdict({ verdict, relation, fault, distance, edits, witness, detail }, store, answer) {
  if (verdict === "equivalent") {
    return store.answers.formula[answer] === store.items.formula[store.entries.item[store.answers.entry[answer]]]
      ? "It is the gold formula" : "It is equivalent to the gold formula";
  }
  if (verdict === "unknown") return `Whether it is equivalent was not decided within the budget${detail ? `: ${detail}` : ""}`;
  if (verdict === "invalid") return `It is no formula over the ontology: ${detail}`;
  if (verdict !== "not_equivalent") return verdict && words(verdict);
  const found = stated(RELATIONS[relation] ?? "It is not equivalent to the gold formula") + (witness ? `It may say the sentence: ${stated(witness)}` : "");
  if (fault === "right_on_every_board") return `${found}Logic alone tells: it is right on every board`;
  if (fault === "right_on_small_boards") return `${found}On boards of up to 4 blocks it is right; of larger ones nothing is proven`;
  if (distance === "off_by_two") return `${found}It is off by two: ${edits}`;
  if (distance === "trivial") return `${found}It says nothing: it is true everywhere or nowhere`;
  if (fault === "no_single_change") return `${found}No single change puts it right`;
  const slip = distance === "off_by_one" && edits ? ` (off by one: ${edits})` : "";
  return CHANGES[fault] ? `${found}One change puts it right: ${CHANGES[fault]}${slip}` : found.trim();
}

function programVerdict(store, entry, answer) {
  const text = (name) => store.answerText(name, answer);
  const known = traceOf(text("detail") ?? "")?.known;
  const truth = known?.get("truth") ?? known?.get("label");
  const right = `the right answer is ${store.itemText("formula", entry)}`;
  const given = truth ? `The program gives ${truth}, ${right}` : `${text("fault") ? `The program gives no answer (${words(text("fault"))}); ` : ""}${right}`;
  const aligned = store.answers.aligned[answer].map((place) => store.text(place));
  const symbols = (said) => said.split(" → ")[1]?.split(", ") ?? [];
  const shared = aligned.flatMap(symbols).filter((symbol, place, every) => every.indexOf(symbol) !== place);
  const told = {
    drift: aligned.filter((said) => symbols(said).length > 1),
    collision: aligned.filter((said) => symbols(said).some((symbol) => shared.includes(symbol))),
    logic: [text("wrong_line")?.split(":")[0]].filter(Boolean).map((place) => (place === "query" ? "the query" : `sentence ${place}`)),
  }[text("cause")];
  const cause = CAUSES[text("cause")];
  return stated(given[0].toUpperCase() + given.slice(1)) + (cause ? `${cause}${told?.length ? `: ${told.join("; ")}` : ""}` : "");
}

function chainVerdict(store, answer) {
  const stop = store.answerText("stop", answer);
  const rounds = store.answers.chain[answer].length;
  return stop === "completed" ? `Every formula of ${counted(rounds, "round")} means what the first does` : stop && `Round ${rounds} broke the chain: ${words(stop)}`;
}

// The evidence as one sentence: how it is told in the files, turned round.
function counterModelInWords(detail) {
  const found = /^(.*?)\b(an? (?:world|structure)\b.*)\. The ([\w ]+?) is (true|false) there, the ([\w ]+?) (true|false)$/s.exec(detail ?? "");
  if (!found) return detail;
  const [, before, world, first, truth, second, other] = found;
  const named = (name) => (name === "translation" ? "answer" : name);
  return `${before && "By logic alone, "}the ${named(first)} is ${truth} and the ${named(second)} ${other} in ${world}.`.replace(/^t/, "T");
}
