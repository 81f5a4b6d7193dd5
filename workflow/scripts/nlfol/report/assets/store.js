// The data of the page, and looking things up in it. Columns of texts are numbers into `texts`, -1 for none.

async function readItems() {
  const coded = document.getElementById("data-items").textContent;
  const bytes = Uint8Array.from(atob(coded), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Store(JSON.parse(await new Response(stream).text()));
}

class Store {
  constructor(data) {
    Object.assign(this, data);
    this.place = new Map(this.texts.map((text, place) => [text, place]));
    this.ofEntry = this.entries.item.map(() => []);
    this.answers.entry.forEach((entry, answer) => this.ofEntry[entry].push(answer));
  }

  text(place) {
    return place < 0 ? null : this.texts[place];
  }

  // What a column of an entry, of its item or of an answer says.
  entryText(column, entry) {
    return this.text(this.entries[column][entry]);
  }

  itemText(column, entry) {
    return this.text(this.items[column][this.entries.item[entry]]);
  }

  answerText(column, answer) {
    return this.text(this.answers[column][answer]);
  }

  // The metric by which an answer is right or wrong, where none is chosen.
  metricOf(answer) {
    return this.metrics[this.entryText("kind", this.answers.entry[answer])];
  }

  // The form of the answers to an entry's task, such as "formula" or "choice".
  formOf(entry) {
    return this.forms[this.entryText("kind", entry)] ?? "other";
  }

  // Whether formulas are regular expressions, in which each character is a sign.
  byCharacter(entry) {
    return Boolean(this.ontologies[this.items.ontology[this.entries.item[entry]]].alphabet);
  }

  // A model's name as readers see it: of answers that were written as examples, it says so.
  modelName(name) {
    return this.written.includes(this.place.get(name)) ? `${name} (written, not asked)` : name;
  }

  score(answer, metric) {
    const scores = this.scores[metric ?? this.metricOf(answer)];
    return scores ? scores[answer] : null;
  }

  // The distinct texts of a column, in the order in which they come.
  values(columns, name) {
    return [...new Set(columns[name])].filter((place) => place >= 0).map((place) => this.texts[place]);
  }

  // Numbers of the texts that contain a word, whatever its case.
  containing(word) {
    this.lower ??= this.texts.map((text) => text.toLowerCase());
    const wanted = word.toLowerCase();
    const found = new Set();
    this.lower.forEach((text, place) => text.includes(wanted) && found.add(place));
    return found;
  }
}
