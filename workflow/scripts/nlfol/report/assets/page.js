// Making elements: what models wrote goes into the page as text alone.

function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

function drawn(name, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function filled(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

function words(name) {
  return name.replaceAll("_", " ");
}

function counted(number, singular, plural = `${singular}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? singular : plural}`;
}

// Addresses: "#items?dataset=tarski&model=a&model=b" -> {page: "items", filter: {dataset: ["tarski"], ...}}.
function readAddress(hash) {
  const [page, query = ""] = hash.replace(/^#/, "").split("?", 2);
  const filter = Object.create(null);
  for (const [key, value] of new URLSearchParams(query)) (filter[key] ??= []).push(value);
  return { page, filter };
}

function writeAddress(filter) {
  const pairs = Object.entries(filter).flatMap(([key, values]) => values.map((value) => [key, value]));
  return `#items?${new URLSearchParams(pairs)}`;
}
