// The explorer: controls, chips, the list of items page by page. The address of the page holds its whole state.

const PAGE = 25;

// Controls: key, label, the values to choose from.
const CONTROLS = [
  ["dataset", "Dataset", (store) => store.values(store.items, "dataset")],
  ["task", "Task", (store) => store.values(store.entries, "task")],
  ["model", "Model", (store) => store.values(store.answers, "model")],
  ["presentation", "Shown as", (store) => store.values(store.answers, "presentation").filter(Boolean)],
  ["seed", "Seed", (store) => [...new Set(store.answers.seed)].filter((seed) => seed !== null).map(String)],
  ["metric", "Metric", (store) => Object.keys(store.scores)],
  ["right", "Score", () => Object.keys(RIGHT)],
  ["outcome", "Outcome", (store) => store.values(store.answers, "outcome")],
  ["verdict", "Verdict", (store) => store.values(store.answers, "verdict")],
  ["relation", "Relation", (store) => store.values(store.answers, "relation")],
  ["fault", "Fault", (store) => store.values(store.answers, "fault")],
  ["cause", "Cause", (store) => store.values(store.answers, "cause")],
  ["stop", "Chain ended", (store) => store.values(store.answers, "stop")],
];

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
    this.controls = new Map(CONTROLS.map(([key, label, values]) => [key, this.select(key, label, values(store))]));
    this.search = element("input", { type: "search", id: "filter-text", placeholder: "sentence, formula, answer …" });
    this.beside = this.select("beside", "Beside", store.values(store.answers, "model"), (value) => this.compare(value));
    this.controls.get("model").closest("label")?.after(...[this.beside.closest("label")].filter(Boolean));
    const field = element("label", { class: "wide", for: "filter-text" }, "Containing", this.search);
    const clear = element("button", { type: "button" }, "Clear all");
    clear.addEventListener("click", () => this.go({}));
    this.form.append(field, clear);
    // What is folded away is made when it is opened.
    this.results.addEventListener("toggle", () => this.highlight(), true);
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.change("text", this.search.value);
    });
    this.search.addEventListener("change", () => this.change("text", this.search.value));
  }

  select(key, label, values, chosen = (value) => this.change(key, value)) {
    const named = (value) => (key === "model" || key === "beside" ? this.store.modelName(value) : words(value));
    const options = values.map((value) => element("option", { value }, named(value)));
    const none = key === "beside" ? "no other" : "any";
    const control = element("select", { id: `filter-${key}` }, element("option", { value: "" }, none), options);
    control.addEventListener("change", () => chosen(control.value));
    if (values.length) this.form.append(element("label", { for: control.id }, label, control));
    return control;
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
    for (const [key, control] of this.controls) {
      const values = this.filter[key] ?? [];
      control.value = values.length === 1 || (key === "model" && values.length === 2) ? values[0] : "";
    }
    this.beside.value = this.compared().at(1) ?? "";
    this.search.value = this.filter.text?.[0] ?? "";
    this.chosen = choose(this.store, this.filter);
    this.entries = [...this.chosen.keys()];
    this.page = 0;
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
    const details = folded(this.summary(entry, answers), () => entryDetail(store, entry, answers, this.compared()));
    details.className = "entry";
    details.open = open;
    return details;
  }

  summary(entry, answers) {
    const { store } = this;
    const place = [store.itemText("dataset", entry), store.entryText("task", entry), store.itemText("item", entry)];
    const metric = this.filter.metric?.[0];
    const scores = answers.map((answer) => store.score(answer, metric)).filter((score) => score !== null);
    const right = scores.filter((score) => score === 1).length;
    const said = answers.length ? `${right} of ${counted(answers.length, "answer")} right` : "no answers";
    const refused = store.entryText("reason", entry) === null ? null : element("span", { class: "badge" }, "refused");
    return element("span", { class: "row" },
      element("span", { class: "sentence" }, store.itemText("text", entry)),
      element("span", { class: "place" }, place.join(" · "), " ", refused, " ", said));
  }
}
