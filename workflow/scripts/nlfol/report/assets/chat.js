// What was sent and what came back, as a conversation.

// Every conversation behind a group, each once, with the seeds that it was held under.
function chatsOf(store, group, open) {
  const held = new Map();
  for (const answer of group) {
    const key = store.answers.prompts[answer].join();
    held.set(key, [...(held.get(key) ?? []), answer]);
  }
  const [answer] = group;
  const prompted = store.answers.prompts[answer].length > 0;
  if (!prompted && !store.answers.earlier[answer].length && store.answerText("answer", answer) === null && store.answerText("thinking", answer) === null) return null;
  const made = () => [...held.values()].flatMap((answers) => [
    held.size > 1 ? element("p", { class: "role" }, `Seed ${answers.map((each) => store.answers.seed[each]).join(", ")}`) : null,
    element("ol", { class: "chat", "aria-label": "Conversation" }, turnsOf(store, answers[0])),
  ].filter(Boolean));
  const title = prompted ? (held.size > 1 ? `Conversations of ${held.size} seeds` : "Conversation") : "Reply";
  const details = folded(title, made);
  details.open = open;
  return details;
}

// Turns that were already shown are not shown again: a later step may repeat the ones before.
function turnsOf(store, answer) {
  const steps = store.answers.prompts[answer];
  const replies = [...store.answers.earlier[answer].map((place) => store.text(place).replace(/^[\w ]+: /, "")), store.answerText("answer", answer)];
  const turns = [];
  const count = Math.max(steps.length, replies.length);
  for (let step = 0; step < count; step++) {
    const sent = (step in steps ? store.prompts[steps[step]] : []).map(([role, text]) => ({ role: store.text(role), text: store.text(text), place: text }));
    const again = sent.length > turns.length && turns.every((turn, at) => turn.role === sent[at].role && turn.text === sent[at].text);
    turns.push(...(again ? sent.slice(turns.length) : sent));
    const last = step === replies.length - 1;
    const thinking = last ? store.answerText("thinking", answer) : null;
    if (thinking !== null) turns.push({ role: "assistant, thinking", text: thinking, place: store.answers.thinking[answer] });
    if (replies[step] !== null && replies[step] !== undefined) turns.push({ role: "assistant", text: replies[step], place: last ? store.answers.answer[answer] : -1, reply: true });
  }
  return turns.map((turn) => turnShown(store, turn));
}

function turnShown(store, { role, text, place, reply }) {
  const written = reply ? readAnswer(text) : { verbatim: text };
  return element("li", { class: `said ${role.split(",")[0]}` },
    element("p", { class: "role" }, role),
    written.reasoning ? element("p", { class: "reasoning" }, written.reasoning) : null,
    element("pre", { class: "turn", tabindex: 0 }, written.verbatim ?? written.answer),
    wholes(store, [place]));
}
