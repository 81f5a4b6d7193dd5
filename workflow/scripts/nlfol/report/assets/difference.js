// The difference between two formulas: what stands in one of them alone is marked, and the texts stay as they are.

// Above so many pairs of signs, the fewest differences are taken, and not the lightest; above so many differences, all
// between the first and the last is marked.
const MOST_PAIRS = 4_000_000;
const MOST_DIFFERENCES = 1_500;
const [SAME, FIRST_ONLY, SECOND_ONLY] = [0, 1, 2];

// Signs of a text, each with the space before it; of a regular expression, every character is one.
function signsOf(text, byCharacter) {
  const pattern = byCharacter ? /(\s*)(\S|$)/gu : /(\s*)([\p{L}\p{N}_$']+|>>>|&&|->|<->|[^\s]|$)/gu;
  return [...text.matchAll(pattern)].filter(([all]) => all).map(([, before, sign]) => ({ before, sign }));
}

// What a match is worth: a name most, a bracket or comma least.
function worth(sign) {
  return /^[\p{L}\p{N}_$']/u.test(sign) ? 4 : /^[(),.\s]*$/.test(sign) ? 1 : 2;
}

// The steps from one list of signs to the other: as few and as light differences as there can be.
function stepsBetween(first, second) {
  let [start, end] = [0, 0];
  const least = Math.min(first.length, second.length);
  while (start < least && first[start] === second[start]) start++;
  while (end < least - start && first.at(-1 - end) === second.at(-1 - end)) end++;
  const [a, b] = [first.slice(start, first.length - end), second.slice(start, second.length - end)];
  const between = a.length * b.length > MOST_PAIRS
    ? (fewest(a, b) ?? [...a.map(() => FIRST_ONLY), ...b.map(() => SECOND_ONLY)])
    : aligned(a, b);
  return [...Array(start).fill(SAME), ...between, ...Array(end).fill(SAME)];
}

// Myers, "An O(ND) Difference Algorithm and Its Variations" (1986): of each number of differences, how far one comes on
// each diagonal. Null if there are too many.
function fewest(a, b) {
  const reached = [];
  let far = new Map([[1, 0]]);
  for (let count = 0; count <= MOST_DIFFERENCES; count++) {
    reached.push(far);
    const next = new Map();
    for (let diagonal = -count; diagonal <= count; diagonal += 2) {
      let i = fromBelow(far, diagonal, count) ? far.get(diagonal + 1) : far.get(diagonal - 1) + 1;
      while (i < a.length && i - diagonal < b.length && a[i] === b[i - diagonal]) i++;
      next.set(diagonal, i);
      if (i >= a.length && i - diagonal >= b.length) return walkedBack(reached, a.length, b.length);
    }
    far = next;
  }
  return null;
}

function fromBelow(far, diagonal, count) {
  return diagonal === -count || (diagonal !== count && far.get(diagonal - 1) < far.get(diagonal + 1));
}

function walkedBack(reached, i, j) {
  const steps = [];
  for (let count = reached.length - 1; i || j; count--) {
    const [far, diagonal] = [reached[count], i - j];
    const below = fromBelow(far, diagonal, count);
    const from = below ? diagonal + 1 : diagonal - 1;
    const [k, l] = count ? [far.get(from), far.get(from) - from] : [0, 0];
    while (i > k && j > l) [i, j] = [i - 1, (steps.push(SAME), j - 1)];
    if (count) steps.push(below ? SECOND_ONLY : FIRST_ONLY);
    [i, j] = [k, l];
  }
  return steps.reverse();
}

function aligned(a, b) {
  const width = b.length + 1;
  const choices = new Uint8Array((a.length + 1) * width).fill(SECOND_ONLY, 0, width);
  let before = new Int32Array(width);
  let row = new Int32Array(width);
  for (let i = 1; i <= a.length; i++) {
    choices[i * width] = FIRST_ONLY;
    const value = worth(a[i - 1]);
    for (let j = 1; j <= b.length; j++) {
      const [up, left] = [before[j], row[j - 1]];
      const both = a[i - 1] === b[j - 1] ? before[j - 1] + value : -1;
      row[j] = Math.max(up, left, both);
      choices[i * width + j] = both === row[j] ? SAME : left === row[j] ? SECOND_ONLY : FIRST_ONLY;
    }
    [before, row] = [row, before];
  }
  const steps = [];
  for (let i = a.length, j = b.length; i || j; ) {
    const step = choices[i * width + j];
    steps.push(step);
    if (step !== SECOND_ONLY) i--;
    if (step !== FIRST_ONLY) j--;
  }
  return steps.reverse();
}

// Runs of steps. Crumbs between two differences belong to them: a bracket beside what is not just another sign, and
// the one sign about which two others change places.
function runsOf(steps, signs) {
  const runs = [];
  let place = 0;
  for (const step of steps) {
    const kind = step === SAME ? "same" : "differs";
    if (runs.at(-1)?.kind !== kind) runs.push({ kind, weight: 0, first: 0, second: 0 });
    const run = runs.at(-1);
    if (step === SAME) run.weight += worth(signs[place]);
    if (step !== SECOND_ONLY) run.first++, place++;
    if (step !== FIRST_ONLY) run.second++;
  }
  const isSwap = ({ first, second }) => first === 1 && second === 1;
  const isCrumb = (run, before, after) => {
    if (run.kind !== "same" || !before || !after) return false;
    if (run.weight === run.first) return run.first < 3 && !(isSwap(before) && isSwap(after));
    return run.first === 1 && ((!before.first && !after.second) || (!before.second && !after.first));
  };
  const merged = [];
  runs.forEach((run, at) => {
    const kind = isCrumb(run, runs[at - 1], runs[at + 1]) ? "differs" : run.kind;
    if (merged.at(-1)?.kind !== kind) merged.push({ kind, first: 0, second: 0 });
    merged.at(-1).first += run.first;
    merged.at(-1).second += run.second;
  });
  return merged;
}

// Bound variables of the second as the first calls them, by the order of their quantifiers; null if that is no renaming.
function renaming(first, second) {
  const bound = (signs) => [...new Set(signs.filter((_, place) => ["∀", "∃"].includes(signs[place - 1])))];
  const [ours, theirs] = [bound(first), bound(second)];
  if (!ours.length || ours.length !== theirs.length || ours.join() === theirs.join()) return null;
  return new Map(theirs.map((name, place) => [name, ours[place]]));
}

// Both texts as parts, each marked or not, and how variables were renamed for that.
function difference(first, second, byCharacter = false) {
  const [a, b] = [signsOf(first, byCharacter), signsOf(second, byCharacter)];
  const [left, right] = [a.map(({ sign }) => sign), b.map(({ sign }) => sign)];
  const unlike = (steps) => steps.filter((step) => step !== SAME).length;
  let steps = stepsBetween(left, right);
  let names = byCharacter ? null : renaming(left, right);
  if (names) {
    const renamed = stepsBetween(left, right.map((sign) => names.get(sign) ?? sign));
    if (unlike(renamed) < unlike(steps)) steps = renamed;
    else names = null;
  }
  const runs = runsOf(steps, left);
  const parts = (signs, side) => {
    let place = 0;
    return runs.map((run) => {
      const taken = signs.slice(place, (place += run[side]));
      return { differs: run.kind === "differs", signs: taken };
    });
  };
  return { first: parts(a, "first"), second: parts(b, "second"), names, same: !unlike(steps) };
}

// One side of a difference as elements. Where only the other side has something, a caret stands.
function marked(parts, name) {
  return parts.flatMap(({ differs, signs }) => {
    const text = signs.map(({ before, sign }, place) => (differs && !place ? sign : before + sign)).join("");
    if (!differs) return [text];
    if (!signs.length) return [element("span", { class: "gap", role: "img", "aria-label": "something is missing here" })];
    return [signs[0].before, element(name, { class: "differs" }, text)];
  });
}

// Two formulas side by side; of two that mean the same, nothing is marked.
function pair([headFirst, first], [headSecond, second], { marks = true, byCharacter = false, note = null } = {}) {
  const found = marks && first !== null && second !== null ? difference(first, second, byCharacter) : null;
  const side = (head, text, parts, name) => element("div", {},
    element("p", { class: "role" }, head),
    text === null ? element("p", { class: "notice" }, "none") : element("p", { class: "formula" }, found ? marked(found[parts], name) : text));
  return element("div", { class: "compared" },
    element("div", { class: "pair" }, side(headFirst, first, "first", "del"), side(headSecond, second, "second", "ins")),
    found ? legendOf(found, headFirst.toLowerCase(), headSecond.toLowerCase().split(" of ")[0]) : null,
    note);
}

// What the marks say, of those that there are, and how variables are called.
function legendOf({ first, second, names }, nameFirst, nameSecond) {
  const marks = (parts, name, said) => parts.some(({ differs, signs }) => differs && signs.length)
    ? [element(name, { class: "differs" }, "so"), ` in the ${said} only. `] : [];
  const lacking = [...first, ...second].some(({ differs, signs }) => differs && !signs.length);
  const renamed = [...(names ?? [])].filter(([theirs, ours]) => theirs !== ours).map(([theirs, ours]) => `${theirs} for ${ours}`);
  const said = [
    ...marks(first, "del", nameFirst), ...marks(second, "ins", nameSecond),
    ...(lacking ? [element("span", { class: "gap" }), " something is missing. "] : []),
    ...(renamed.length ? [`Variables are called otherwise: ${renamed.join(", ")}.`] : []),
  ];
  return said.length ? element("p", { class: "key" }, said) : null;
}
