// The explorer: controls, chips, the list of items page by page. The address of the page holds its whole state.

const PAGE = 25;

// The most cells of a row; more answers are counted.
const MOST_MARKS = 24;

// Controls: key, label, the value of an answer, or of an entry where only entries have it.
const CONTROLS = [
  ["dataset", "Dataset", (store, entry) => store.itemText("dataset", entry)],
  ["task", "Task", (store, entry) => store.entryText("task", entry)],
  ["model", "Model", (store, _, answer) => store.answerText("model", answer)],
  ["right", "Score", (store, _, answer, metric) => stateOf(store, answer, metric)],
  ["presentation", "Shown as", (store, _, answer) => store.answerText("presentation", answer)],
  ["seed", "Seed", (store, _, answer) => store.answers.seed[answer]?.toString()],
  ["outcome", "Outcome", (store, _, answer) => store.answerText("outcome", answer)],
  ["metric", "Metric", null],
  ["verdict", "Verdict", (store, _, answer) => store.answerText("verdict", answer)],
  ["relation", "Relation", (store, _, answer) => store.answerText("relation", answer)],
  ["fault", "Fault", (store, _, answer) => store.answerText("fault", answer)],
  ["distance", "Distance", (store, _, answer) => store.answerText("distance", answer)],
  ["rule", "May say the sentence", (store, _, answer) => store.answerText("rule", answer)],
  ["cause", "Cause", (store, _, answer) => store.answerText("cause", answer)],
  ["stop", "Chain ended", (store, _, answer) => store.answerText("stop", answer)],
];
// Of entries, chosen among before there is an answer.
const OF_ENTRIES = ["dataset", "task"];
// What means the same in every task; the rest is offered where one kind of task is left.
const OF_EVERY_TASK = ["dataset", "task", "model", "right", "presentation", "seed", "outcome"];

const NAMES = {
  ...Object.fromEntries(CONTROLS.map(([key, label]) => [key, label])),
  kind: "Kind of task", status: "Status", check: "Audit", read: "Reading", tied: "Ties", pair: "Of the two models",
  common: "Items that all have, by",
  text: "Containing",
};

class Explorer {
  constructor(store) {
    this.store = store;
    this.filter = {};
    this.page = 0;
    this.form = document.getElementById("filters");
    this.results = document.getElementById("results");
    this.status = document.getElementById("count");
    this.controls = new Map(CONTROLS.map(([key, label]) => [key, this.select(key, label)]));
    this.search = element("input", { type: "search", id: "filter-text", placeholder: "sentence, formula, answer …" });
    this.beside = this.select("beside", "Beside", (value) => this.compare(value));
    this.controls.get("model").closest("label").after(this.beside.closest("label"));
    const field = element("label", { class: "wide", for: "filter-text" }, "Containing", this.search);
    const clear = element("button", { type: "button" }, "Clear all");
    clear.addEventListener("click", () => this.go({}));
    this.folder = element("details", {}, element("summary", {}, "Filters"),
      element("div", { class: "wanted" }, [...this.form.querySelectorAll("label")]));
    this.form.append(element("div", { class: "wanted" }, field, clear), this.folder);
    const narrow = matchMedia("(max-width: 40rem)");
    const fold = () => (this.folder.open = !narrow.matches);
    narrow.addEventListener("change", fold);
    fold();
    // What is folded away is made when it is opened.
    this.results.addEventListener("toggle", () => this.highlight(), true);
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.change("text", this.search.value);
    });
    this.search.addEventListener("change", () => this.change("text", this.search.value));
    this.results.addEventListener("keydown", (event) => this.pressed(event));
  }

  select(key, label, chosen = (value) => this.change(key, value)) {
    const control = element("select", { id: `filter-${key}` });
    control.addEventListener("change", () => chosen(control.value));
    this.form.append(element("label", { for: control.id }, label, control));
    return control;
  }

  // Offer what occurs under the other choices; a control with nothing to choose is not there.
  offer() {
    const { store, filter } = this;
    const metric = filter.metric?.[0];
    const kinds = new Set(this.entries.map((entry) => store.entries.kind[entry]));
    for (const [key, , valueOf] of CONTROLS) {
      const { [key]: chosen, ...others } = filter;
      const left = chosen ? choose(store, others) : this.chosen;
      const values = new Set();
      if (key === "metric") {
        if (kinds.size === 1) for (const name of metricsOf(store, left)) values.add(name);
      } else {
        for (const [entry, answers] of left) {
          if (OF_ENTRIES.includes(key)) values.add(valueOf(store, entry));
          else for (const answer of answers) values.add(valueOf(store, entry, answer, metric));
        }
      }
      const offered = [...values].filter((value) => value && value !== "none");
      const applies = OF_EVERY_TASK.includes(key) || kinds.size === 1;
      fill(this.controls.get(key), offered, chosen ?? [], key === "model" ? (name) => store.modelName(name) : words, applies);
      if (key === "model") fill(this.beside, offered.filter((name) => name !== this.compared()[0] ), this.compared().slice(1), (name) => store.modelName(name), true, "no other");
    }
    const active = Object.keys(filter).filter((key) => key !== "text").length;
    this.folder.firstChild.textContent = active ? `Filters: ${active} chosen` : "Filters";
  }

  change(key, value) {
    const { [key]: _, ...others } = this.filter;
    this.go(value ? { ...others, [key]: [value] } : others);
  }

  // Set another model's answers beside those of the model that is chosen, to items that both were asked.
  compare(other) {
    const { model: [first] = [], common: _, ...others } = this.filter;
    const of = first ?? this.store.values(this.store.answers, "model").find((model) => model !== other);
    if (!other || of === other) return this.go(first ? { ...others, model: [first] } : others);
    this.go({ ...others, model: [of, other], common: ["model"] });
  }

  go(filter) {
    const address = writeAddress(filter);
    if (location.hash !== address) history.pushState(null, "", address);
    this.show(filter);
  }

  // Show what a filter leaves; the focus stays where it is.
  show(filter) {
    const known = { ...ENTRY_KEYS, ...ANSWER_KEYS };
    this.filter = Object.fromEntries(
      Object.entries(filter).filter(([key]) => Object.hasOwn(known, key) || OTHER_KEYS.includes(key)),
    );
    this.search.value = this.filter.text?.[0] ?? "";
    this.chosen = choose(this.store, this.filter);
    this.entries = [...this.chosen.keys()];
    this.page = 0;
    this.offer();
    this.chips();
    this.count();
    this.list();
  }

  // The two models that are chosen, if there are two.
  compared() {
    return this.filter.model?.length === 2 ? this.filter.model : [];
  }

  // What is chosen and has no control, or several values: each can be taken away.
  chips() {
    const shown = Object.entries(this.filter).filter(
      ([key, values]) => key !== "text" && this.controls.get(key)?.value !== values[0],
    );
    document.getElementById("chips").replaceChildren(
      ...shown.map(([key, values]) => {
        const label = `${NAMES[key] ?? words(key)}: ${values.map(words).join(", ")}`;
        const button = element("button", { type: "button", "aria-label": `Remove ${label}` }, `${label} ✕`);
        button.addEventListener("click", () => this.change(key, ""));
        return button;
      }),
    );
  }

  count() {
    const answers = [...this.chosen.values()].flat();
    const items = new Set(this.entries.map((entry) => this.store.entries.item[entry])).size;
    const parts = [counted(items, "item"), counted(answers.length, "answer")];
    const metric = this.filter.metric?.[0];
    const kinds = new Set(answers.map((answer) => metric ?? this.store.metricOf(answer)));
    const mean = (some) => {
      const scores = some.map((answer) => this.store.score(answer, metric)).filter((score) => score !== null);
      return scores.length ? (scores.reduce((sum, score) => sum + score, 0) / scores.length).toFixed(3) : null;
    };
    const models = this.compared();
    const means = models.length
      ? models.map((model) => mean(answers.filter((answer) => this.store.answerText("model", answer) === model)))
      : [mean(answers)];
    if (kinds.size === 1 && !means.includes(null)) parts.push(`mean ${words([...kinds][0])} ${means.join(" beside ")}`);
    this.status.textContent = parts.join(", ");
  }

  list() {
    const first = this.page * PAGE;
    const shown = this.entries.slice(first, first + PAGE);
    this.results.replaceChildren(...shown.map((entry) => this.row(entry, shown.length === 1)));
    this.highlight();
    for (const pager of document.querySelectorAll(".pager")) pager.replaceChildren(...this.pager(first));
  }

  // Mark where the text that is searched for stands.
  highlight() {
    if (!globalThis.Highlight) return;
    const wanted = this.filter.text?.[0].toLowerCase();
    const found = new Highlight();
    const walker = document.createTreeWalker(this.results, NodeFilter.SHOW_TEXT);
    while (wanted && walker.nextNode()) {
      const text = walker.currentNode.data.toLowerCase();
      for (let at = text.indexOf(wanted); at >= 0 && at + wanted.length <= walker.currentNode.length; at = text.indexOf(wanted, at + wanted.length)) {
        const range = new Range();
        range.setStart(walker.currentNode, at);
        range.setEnd(walker.currentNode, at + wanted.length);
        found.add(range);
      }
    }
    CSS.highlights.set("found", found);
  }

  pager(first) {
    if (this.entries.length <= PAGE) return [];
    const turn = (label, by) => {
      const enabled = first + by * PAGE >= 0 && first + by * PAGE < this.entries.length;
      const button = element("button", { type: "button", disabled: !enabled }, label);
      button.addEventListener("click", () => {
        this.page += by;
        this.list();
        this.results.querySelector("summary").focus();
      });
      return button;
    };
    const last = Math.min(first + PAGE, this.entries.length);
    const where = `${(first + 1).toLocaleString("en")} to ${last.toLocaleString("en")} of ${this.entries.length.toLocaleString("en")}`;
    return [turn("← Previous", -1), element("span", {}, ` ${where} `), turn("Next →", 1)];
  }

  row(entry, open) {
    const { store } = this;
    const answers = this.chosen.get(entry);
    const details = folded(this.summary(entry, answers), () =>
      [...entryDetail(store, entry, answers, this.compared()), this.turning(entry)]);
    details.className = "entry";
    details.dataset.entry = entry;
    details.open = open;
    return details;
  }

  summary(entry, answers) {
    const { store } = this;
    const place = [store.itemText("dataset", entry), words(store.entryText("task", entry)), store.itemText("item", entry)];
    const refused = store.entryText("reason", entry) === null ? null : element("span", { class: "badge" }, "refused");
    return [
      this.marks(answers),
      element("span", { class: "row" },
        element("span", { class: "sentence" }, problemOf(store, entry)?.question.text ?? store.itemText("text", entry)),
        element("span", { class: "place" }, place.join(" · "), " ", refused)),
    ];
  }

  // One cell an answer: a sign, a colour, and who answered.
  marks(answers) {
    const { store } = this;
    const metric = this.filter.metric?.[0];
    const states = answers.map((answer) => stateOf(store, answer, metric));
    const right = states.filter((state) => state === "right").length;
    const said = answers.length ? `${right} of ${counted(answers.length, "answer")} right` : "no answers";
    const cells = answers.slice(0, MOST_MARKS).map((answer, place) => {
      const by = [store.answerText("model", answer), store.answers.seed[answer] === null ? null : `seed ${store.answers.seed[answer]}`];
      return element("span", { class: `mark ${states[place]}`, title: `${by.filter(Boolean).join(", ")}: ${states[place]}` }, SIGNS[states[place]]);
    });
    const more = answers.length - cells.length;
    return element("span", { class: "tally", role: "img", "aria-label": said }, cells, more > 0 ? `+${more.toLocaleString("en")}` : null);
  }

  // Entries to turn to: those listed, or where one is chosen by name, those of its dataset and task.
  around(entry) {
    if (this.entries.length > 1 || !this.filter.item) return this.entries;
    const { item: _, ...others } = this.filter;
    const around = [...choose(this.store, others).keys()].filter((other) => ["task"].every((name) => this.store.entries[name][other] === this.store.entries[name][entry]));
    return around.includes(entry) ? around : this.entries;
  }

  turning(entry) {
    const { store } = this;
    const button = (label, by) => {
      const made = element("button", { type: "button", disabled: this.toward(entry, by) === undefined }, label);
      made.addEventListener("click", () => this.turn(entry, by));
      return made;
    };
    const named = { dataset: [store.itemText("dataset", entry)], task: [store.entryText("task", entry)], item: [store.itemText("item", entry)] };
    return element("div", { class: "turning" }, button("← Previous item", -1), button("Next item →", 1),
      element("span", { class: "hint" }, "Keys: k, j"), element("a", { href: writeAddress(named) }, "Link to this item"));
  }

  toward(entry, by) {
    const around = this.around(entry);
    return around[around.indexOf(entry) + by];
  }

  // Open the item before or after one, and close that one.
  turn(entry, by) {
    const next = this.toward(entry, by);
    if (next === undefined) return;
    if (!this.entries.includes(next)) {
      this.go({ ...this.filter, item: [this.store.itemText("item", next)] });
    } else {
      const page = Math.floor(this.entries.indexOf(next) / PAGE);
      if (page !== this.page) {
        this.page = page;
        this.list();
      } else {
        this.results.querySelector(`[data-entry="${entry}"]`).open = false;
      }
    }
    const details = this.results.querySelector(`[data-entry="${next}"]`);
    details.open = true;
    details.querySelector("summary").focus({ preventScroll: true });
    details.scrollIntoView({ block: "start" });
  }

  pressed(event) {
    const by = { j: 1, k: -1 }[event.key];
    const details = event.target.closest(".entry");
    if (!by || !details || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, textarea")) return;
    event.preventDefault();
    this.turn(Number(details.dataset.entry), by);
  }
}

// The metrics that some of the answers have.
function metricsOf(store, chosen) {
  const kinds = new Map();
  for (const [entry, answers] of chosen) if (answers.length) kinds.set(store.entries.kind[entry], answers[0]);
  return Object.keys(store.scores).filter((metric) => [...kinds.values()].some((answer) => store.scores[metric][answer] !== null));
}

// The options of a control, with what is chosen; it is hidden where there is nothing to choose.
function fill(control, offered, chosen, named, applies, none = "any") {
  const [value] = chosen.length === 1 || control.id === "filter-model" ? chosen : [];
  const values = value && !offered.includes(value) ? [...offered, value] : offered;
  control.replaceChildren(
    element("option", { value: "" }, none), ...values.map((each) => element("option", { value: each }, named(each))));
  control.value = value ?? "";
  control.closest("label").hidden = value === undefined && (!applies || offered.length < 2);
}
