// A round trip as a chain of steps: formula, English, formula and so on, and where it broke.

function chain(store, entry, answer, seen, title) {
  const rounds = store.answers.chain[answer];
  if (!rounds.length) return null;
  let before = store.itemText("formula", entry);
  const sign = (text) => element("span", { class: "formula" }, text);
  const byCharacter = store.byCharacter(entry);
  const steps = [step("Formula", before === null ? null : sign(before))];
  rounds.forEach((places, round) => {
    const [english, copies, written, formula, outcome, verdict, detail] = places.map((place) => store.text(place));
    const model = places.at(-1);
    const said = verdict ?? outcome;
    const holds = verdict === "equivalent";
    const broke = said !== null && !holds;
    steps.push(step(`Round ${round + 1}: English`,
      english ?? element("span", { class: "notice" }, "none"),
      copies ? element("p", { class: "hint" }, `Copied from the formula: ${copies}`) : null,
      english === null && broke ? broken(said, detail) : null));
    if (english !== null && (written !== null || broke)) {
      const compared = formula !== null && !holds && before !== null;
      steps.push(step(`Round ${round + 1}: formula from its English`,
        sign(compared ? marked(difference(before, formula, byCharacter).second, "ins") : (formula ?? written ?? "none")),
        formula !== null && written !== formula ? element("p", { class: "hint" }, "Written as ", sign(written)) : null,
        holds ? element("p", {}, element("span", { class: "badge right" }, "✓ equivalent"), " to the formula before") : null,
        broke ? broken(said, detail) : null,
        world(store, model, seen, `${title}, round ${round + 1}`)));
    }
    before = formula ?? before;
  });
  return element("ol", { class: "chain", "aria-label": "Steps" }, steps);
}

function step(head, ...parts) {
  return element("li", {}, element("p", { class: "role" }, head), element("div", {}, parts));
}

function broken(said, detail) {
  return element("p", { class: "broke" }, element("span", { class: "badge wrong" }, `✗ broke here: ${words(said)}`), detail ? ` ${counterModelInWords(detail)}` : null);
}
