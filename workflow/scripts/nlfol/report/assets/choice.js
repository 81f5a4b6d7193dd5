// Choices among candidates, and orders of them: gold and the chosen one marked, each with its certificate in words.

const ROLES = {
  gold: "the gold formula",
  equivalent: "means the same",
  perturbation: "means something else",
  negation: "negation",
  negation_normal_form: "negation, in normal form",
  negation_equivalent: "negation, in other words",
  corner: "means something else",
  rephrased: "means something else, rephrased",
  different: "means something else, by a model",
  original: "the original",
};

const SIGN_OF_ROLE = { equivalent: "=", negation: "¬", negation_normal_form: "¬", negation_equivalent: "¬" };

// The candidates in the order to show them in, by their number in the set; `ranked` if the answer gives that order.
function orderOf(store, entry, answer, form) {
  const { order, similarities } = Object.fromEntries(["order", "similarities"].map((name) => [name, store.answers[name][answer]]));
  const every = store.entries.candidates[entry].map((_, place) => place);
  const said = [readAnswer(store.answerText("answer", answer)).value].flat().filter(Number.isInteger);
  const named = said.map((number) => (order?.length ? order[number - 1] : number - 1)).filter((place) => every.includes(place));
  if (similarities?.length) {
    const nearest = [...every].sort((a, b) => similarities[b] - similarities[a]);
    const best = nearest.filter((place) => similarities[place] === similarities[nearest[0]]);
    return { places: nearest, chosen: form === "choice" ? best : [], ranked: true, similarities };
  }
  if (form === "order") return { places: named.length ? named : every, chosen: [], ranked: named.length > 0 };
  return { places: order?.length ? order.filter((place) => place in every) : every, chosen: named, ranked: false };
}

function choiceVerdict(store, entry, answer) {
  const form = store.formOf(entry);
  const { places, chosen, ranked, similarities } = orderOf(store, entry, answer, form);
  const role = (place) => store.text(store.entries.candidates[entry][place][2]);
  if (form === "order") {
    const out = store.answerText("fault", answer)?.split(" ").map((name) => (name === "gold" ? "gold formula" : words(name)));
    if (!ranked) return null;
    return out?.length ? `Not at their end of the order: ${out.join(", ")}` : "What means the same stands first, what means the opposite last";
  }
  if (!chosen.length) return null;
  const said = chosen.map((place) => `no. ${places.indexOf(place) + 1} (${ROLES[role(place)] ?? words(role(place))})`).join(" and ");
  return `${similarities ? "Nearest to the sentence is" : "It chose"} ${said}`;
}

function choiceShown(store, entry, answer) {
  const members = store.entries.candidates[entry];
  const form = store.formOf(entry);
  if (!members.length || (form !== "choice" && form !== "order")) return null;
  const { places, chosen, ranked, similarities } = orderOf(store, entry, answer, form);
  const gold = store.text(members[0][0]);
  const inEnglish = store.answerText("presentation", answer) === "english";
  const byCharacter = store.byCharacter(entry);
  const out = new Set(form === "order" ? store.answerText("fault", answer)?.split(" ") : []);
  const items = places.map((place) => {
    const [formula, english, role, , change, world] = members[place].map((part, at) => (at === 3 || at === 4 ? part : store.text(part)));
    const [isGold, isChosen] = [role === "gold", chosen.includes(place)];
    const shown = element("span", { class: "formula" }, isGold ? formula : marked(difference(gold, formula, byCharacter).second, "ins"));
    const how = change.map((each) => words(store.text(each))).join(", ");
    const said = isGold ? "★ gold" : `${SIGN_OF_ROLE[role] ?? "≠"} ${ROLES[role] ?? words(role)}`;
    const badge = (name, text) => element("span", { class: `badge ${name}` }, text);
    return element("li", { class: [isGold ? "gold" : "", isChosen ? "chosen" : ""].join(" ").trim() || null },
      element("p", {},
        isChosen ? badge(isGold ? "right" : "wrong", isGold ? "✓ chosen" : "✗ chosen") : null,
        badge(isGold ? "right" : "", said),
        out.has(role) ? badge("wrong", "✗ not at its end") : null,
        similarities ? badge("", `similarity ${similarities[place].toFixed(4)}`) : null,
        inEnglish ? english : shown),
      element("p", { class: "certificate" },
        inEnglish ? [shown, " "] : null,
        how ? `Made by: ${how}. ` : null,
        world === null ? null : `${role.startsWith("negation") ? "Never both true: so in" : "It differs from the gold formula in"} ${world}.`));
  });
  const title = ranked ? (similarities ? "Candidates, nearest first" : "Candidates, in the order of the answer") : "Candidates, as they were shown";
  return element("div", {}, element("p", { class: "role" }, title), element("ol", { class: "candidates" }, items));
}

// The two that a model compared, and what it said.
function verificationShown(store, entry, answer) {
  const order = store.answers.order[answer];
  const members = store.entries.candidates[entry];
  if (store.formOf(entry) !== "verdict" || order?.length !== 2 || !order.every((place) => place in members)) return null;
  const same = store.answerText("verdict", answer) === "equivalent";
  const [first, second] = order.map((place) => store.text(members[place][0]));
  const said = readAnswer(store.answerText("answer", answer)).answer;
  const note = members[Math.max(...order)][5];
  return element("div", {},
    pair(["First formula", first], ["Second formula", second], { byCharacter: store.byCharacter(entry) }),
    facts([["Same meaning?", same ? "yes" : "no"], ["Answer", said], ["Why", note >= 0 && !same ? `They differ in ${store.text(note)}.` : null]]));
}
